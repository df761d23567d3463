import { randomBytes } from 'node:crypto'
import type { PassEnd } from '../../model/guest-purpose.ts'
import type { Caller, GuestCredential } from '../caller/caller.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { keepUnderFirstKey } from '../keyring/credential-hashes.ts'
import type { Parts } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import { linkOver, passOver } from './guest-links.ts'
import { FROM_PASSES, NAME, openBy, whyOver } from './guest-pass.ts'

/*
 * A browser that was let in by a guest pass. Its cookie goes to the door for guests alone and is none of a member's, so
 * that one browser may hold both and each door reads its own. It is read at every call with the pass, and ends after half
 * an hour in which nobody came.
 */

export const IDLE_MINUTES = 30
/**
 * A link may be opened in many browsers, one after another; what only piles up is nobody's. Whoever opens a forwarded one
 * again and again puts nobody out who has proved the mailbox, or has a code to give: more than the codes of an hour.
 */
const SESSIONS_AT_MOST = 20

const SECRET = /^[\w-]{43}$/

/**
 * Exchanges the secret of a link for a session.
 * @returns the secret for the cookie, kept nowhere else, and the guest as a caller
 * @throws {Refusal} `link_invalid`
 */
export async function openPass(
  parts: Parts,
  requestContext: RequestContext,
  linkSecret: string,
): Promise<{ secret: string; caller: Caller }> {
  if (!SECRET.test(linkSecret)) throw linkOver()
  const { rows } = await parts.database.gate.query<PlaceOfLink>(findLink(parts.keyring.hashes(linkSecret)))
  const place = rows[0]
  if (!place) throw linkOver()
  await keepUnderFirstKey(parts, 'guestLink', linkSecret, place.hashedWith)
  const secret = randomBytes(32).toString('base64url')
  const { organizationId, passId, address } = place
  return transaction(parts.database.tenant, organizationId, async (tx) => {
    const [[found], [used]] = await Promise.all([
      tx.read<Found>(readPass(organizationId, passId, address)),
      tx.read(use(organizationId, passId)),
    ])
    if (!found || !used) {
      const [over] = await tx.read<{ reason: PassEnd | null }>(findEnd(organizationId, passId, address))
      throw passOver(over?.reason ?? null)
    }
    tx.write(removeOldest(organizationId, passId, SESSIONS_AT_MOST - 1))
    const id = newId('gss')
    const { hash, firstId } = parts.keyring
    tx.write(insert(organizationId, id, passId, hash(secret), firstId, address))
    const caller = callerOfGuest(parts, { ...found, sessionId: id, isConfirmed: false }, requestContext)
    const subject = { type: 'guest_pass', id: passId, title: found.name }
    audit(tx, caller, { time: await tx.now, action: 'guest_pass.open', subject })
    return { secret, caller }
  })
}

/**
 * What the page of a link shows before it is opened: whose it is, and nothing of the record. It uses nothing up, so that
 * whatever only looks at the page, a preview or a scanner of mails, may read it.
 * @throws {Refusal} `link_invalid`
 */
export async function senderOfLink(parts: Parts, linkSecret: string): Promise<{ organization: string }> {
  if (!SECRET.test(linkSecret)) throw linkOver()
  const { rows } = await parts.database.gate.query<PlaceOfLink>(findLink(parts.keyring.hashes(linkSecret)))
  const place = rows[0]
  if (!place) throw linkOver()
  const { organizationId, passId, address } = place
  return transaction(parts.database.tenant, organizationId, async (tx) => {
    const [found] = await tx.read<{ organization: string; reason: PassEnd | null; isOpen: boolean }>(
      readSender(organizationId, passId, address),
    )
    if (!found?.isOpen) throw passOver(found?.reason ?? null)
    return { organization: found.organization }
  })
}

/** The guest of a cookie's secret; null where it is unknown, idle for too long, or its pass is over. */
export async function readGuest(
  parts: Parts,
  secret: string | undefined,
  requestContext: RequestContext,
): Promise<Caller | null> {
  if (!secret || !SECRET.test(secret)) return null
  const { rows } = await parts.database.gate.query<PlaceOfSession>(findSession(parts.keyring.hashes(secret)))
  const place = rows[0]
  if (!place) return null
  const { organizationId, id, hashedWith } = place
  await keepUnderFirstKey(parts, 'guestSession', secret, hashedWith)
  const [found] = await transaction(parts.database.tenant, organizationId, (tx) =>
    tx.read<FoundSession>(readSession(organizationId, id)),
  )
  return found ? callerOfGuest(parts, found, requestContext) : null
}

/** Why the cookie of somebody who was let in opens nothing any more; null where they just were away, or never here. */
export async function whyGone(parts: Parts, secret: string | undefined): Promise<Refusal | null> {
  if (!secret || !SECRET.test(secret)) return null
  const { rows } = await parts.database.gate.query<PlaceOfSession>(findSession(parts.keyring.hashes(secret)))
  const place = rows[0]
  if (!place) return null
  const [over] = await transaction(parts.database.tenant, place.organizationId, (tx) =>
    tx.read<{ reason: PassEnd | null }>(findEndOfSession(place.organizationId, place.id)),
  )
  return over?.reason ? passOver(over.reason) : null
}

/** The guest that a call is by. */
export function guestOf({ credential }: Caller): GuestCredential {
  if (credential.type !== 'guest') throw new Error('an operation for guests was called by somebody else')
  return credential
}

export const endGuestSession = (tx: Transaction, sessionId: string): void =>
  tx.write(remove(tx.organizationId, sessionId))

/** Where no mail is sent, links are handed over, and there is no mailbox to prove. */
function callerOfGuest(parts: Parts, found: FoundSession, requestContext: RequestContext): Caller {
  const { organizationId, features, passId, sessionId, isConfirmed, ...said } = found
  const { name, purpose, recordId, personId } = said
  const { channel: _, ...came } = requestContext
  return {
    ...came,
    organizationId,
    features,
    // None of the members: what is theirs is nobody's here.
    userId: passId,
    accountId: passId,
    role: 'viewer',
    limitedView: null,
    credential: {
      type: 'guest',
      id: passId,
      sessionId,
      isConfirmed: isConfirmed || parts.mail === null,
      hasProvedMailbox: isConfirmed,
      ...{ name, purpose, recordId, personId },
    },
    granted: NONE,
    channel: 'guest',
  }
}

const NONE: ReadonlySet<never> = new Set()

interface Found extends Pick<GuestCredential, 'name' | 'purpose' | 'recordId' | 'personId'> {
  readonly organizationId: string
  readonly features: Readonly<Record<string, boolean>>
  readonly passId: string
}

interface FoundSession extends Found {
  readonly sessionId: string
  readonly isConfirmed: boolean
}

interface PlaceOfLink {
  readonly organizationId: string
  readonly passId: string
  readonly address: string
  readonly hashedWith: string | null
}

interface PlaceOfSession {
  readonly organizationId: string
  readonly id: string
  readonly hashedWith: string | null
}

const OF_PASS = `p.organization_id as "organizationId", o.features, p.id as "passId", ${NAME} as name, p.purpose,
  p.record_id as "recordId", p.person_id as "personId"`

const findLink = statement(`
  select organization_id as "organizationId", pass_id as "passId", address, hashed_with as "hashedWith"
    from guest_links where secret_hash = any($1)`)

const readPass = statement(`
  select ${OF_PASS} from ${FROM_PASSES} where p.organization_id = $1 and p.id = $2 and ${openBy('$3')}`)

/** Of two that open it for the last time at once, one does. */
const use = statement(`
  update guest_passes set uses = uses + 1
   where organization_id = $1 and id = $2 and revoked_at is null and expires_at > clock_now()
     and (uses_at_most is null or uses < uses_at_most)
  returning id`)

const readSender = statement(`
  select o.name as organization, ${whyOver('$3')} as reason,
         ${openBy('$3')} and (p.uses_at_most is null or p.uses < p.uses_at_most) as "isOpen"
    from ${FROM_PASSES} where p.organization_id = $1 and p.id = $2`)

const findEnd = statement(`
  select ${whyOver('$3')} as reason from ${FROM_PASSES} where p.organization_id = $1 and p.id = $2`)

const findEndOfSession = statement(`
  select ${whyOver('s.address')} as reason
    from guest_sessions s join (${FROM_PASSES}) on p.organization_id = s.organization_id and p.id = s.pass_id
   where s.organization_id = $1 and s.id = $2`)

const removeOldest = statement(`
  delete from guest_sessions
   where organization_id = $1 and pass_id = $2 and id in (
     select s.id from guest_sessions s where s.organization_id = $1 and s.pass_id = $2
      order by s.confirmed_at is not null desc, coalesce(s.code_expires_at > clock_now(), false) desc,
               s.last_seen_at desc, s.id desc
      offset $3::int)`)

const insert = statement(`
  insert into guest_sessions (organization_id, id, pass_id, secret_hash, hashed_with, address, created_at, last_seen_at)
  select $1, $2, $3, $4, $5, $6, now, now from (select clock_now() as now) now`)

const findSession = statement(`
  select organization_id as "organizationId", id, hashed_with as "hashedWith"
    from guest_sessions
   where secret_hash = any($1) and last_seen_at > clock_now() - interval '${IDLE_MINUTES} minutes'`)

const readSession = statement(`
  with found as materialized (
    select ${OF_PASS}, s.id as "sessionId", s.confirmed_at is not null as "isConfirmed", s.last_seen_at
      from guest_sessions s join (${FROM_PASSES}) on p.organization_id = s.organization_id and p.id = s.pass_id
     where s.organization_id = $1 and s.id = $2 and ${openBy('s.address')}
  ),
  seen as (
    update guest_sessions s set last_seen_at = clock_now()
      from found f
     where s.organization_id = f."organizationId" and s.id = f."sessionId"
       and f.last_seen_at < clock_now() - interval '1 minute'
  )
  select "organizationId", features, "passId", name, purpose, "recordId", "personId", "sessionId", "isConfirmed"
    from found`)

const remove = statement('delete from guest_sessions where organization_id = $1 and id = $2')
