import { randomBytes } from 'node:crypto'
import type { LimitedView } from '../../model/limited-view.ts'
import type { Role } from '../../model/scopes.ts'
import { CONFIRMED_MINUTES } from '../caller/identity-requirements.ts'
import { networkOf } from '../caller/network-of.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { callerOfSession, type Session, type SignInMethod } from '../caller/session.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { keepUnderFirstKey } from '../keyring/credential-hashes.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/**
 * Sessions of people in the web app.
 *
 * A session is a row, found by the keyed hash of a secret that only a cookie holds. It is read at every call,
 * together with what the person is in its organization at that moment: so a sign-out, a demotion and a
 * removal act on the next call of every process. It ends after a day in which nobody came, and after two
 * weeks in any case.
 */
export const IDLE_HOURS = 24
const LONGEST_DAYS = 14

export type SecondFactor = 'totp' | 'recovery_code' | 'passkey'

/** How somebody got in. */
export interface Entrance {
  readonly accountId: string
  readonly organizationId: string
  readonly method: SignInMethod
  readonly secondFactor?: SecondFactor
  readonly providerId?: string
  /** The hash that their password was found to fit: one that was replaced meanwhile lets nobody in. */
  readonly passwordHash?: string
}

/** The session of a cookie's secret, or null: unknown, ended, too old, or of somebody who may not be here. */
export async function readSession(
  parts: Parts,
  secret: string | undefined,
  requestContext?: Pick<RequestContext, 'ip'>,
): Promise<Session | null> {
  if (!secret || !/^[\w-]{43}$/.test(secret)) return null
  const hashes = parts.keyring.hashes(secret)
  const { rows } = await parts.database.gate.query<Found>(read(hashes, requestContext?.ip ?? null))
  if (!rows[0]) return null
  const { hashedWith, ...session } = rows[0]
  await keepUnderFirstKey(parts, 'session', secret, hashedWith)
  return { ...session, secretHash: parts.keyring.hash(secret) }
}

/**
 * Begins a session, always under a new secret; the one that the browser had before ends with it.
 * @returns the secret for the cookie, kept nowhere else
 * @throws {Refusal} `sign_in_failed` where the person is not active in that organization, has a second factor
 *   that was not asked (`enter` in entrance.ts asks it), or has another password by now
 */
export async function beginSession(
  parts: Parts,
  requestContext: RequestContext,
  entrance: Entrance,
  before: Session | null = null,
): Promise<string> {
  const secret = newSecret()
  const { accountId, organizationId, method, secondFactor = null, providerId = null } = entrance
  const id = newId('ses')
  await transaction(parts.database.tenant, organizationId, async (tx) => {
    const [member] = await tx.read<Member>(readMember(organizationId, accountId))
    if (!member) throw notActive()
    // The person's row first, as changes of their factors take it: what stands then is what counts. What a
    // provider of one organization vouches for asks no factor, and is not known to the person's others.
    if (providerId === null) tx.writeAsGate(remember(accountId, organizationId))
    if (before) tx.writeAsGate(remove(before.id))
    const { ip = null, userAgent = null } = requestContext
    const network = ip && networkOf(ip)
    const hash = parts.keyring.hash(secret)
    const provedBy = entrance.passwordHash ?? null
    const begun = await tx.readAsGate(
      insert(
        id,
        hash,
        accountId,
        organizationId,
        method,
        secondFactor,
        providerId,
        network,
        ip,
        userAgent,
        provedBy,
        parts.keyring.firstId,
      ),
    )
    if (begun.length === 0) throw changedMeanwhile()
    const session = { type: 'session', id, name: member.name } as const
    const caller = {
      ...requestContext,
      ...member,
      organizationId,
      accountId,
      credential: session,
      granted: NONE,
    }
    audit(tx, caller, {
      time: await tx.now,
      action: 'session.begin',
      subject: { type: 'user', id: member.userId, title: member.name },
      reason: secondFactor ? `${method} and ${secondFactor}` : method,
    })
  })
  return secret
}

/**
 * Gives a session a new secret, and a new organization where one is named; the old secret is worth nothing.
 * @returns what the browser is to keep: the secret; nothing where another call of it, at the same time, gave one
 *   already, which a second one would make worthless
 */
export async function rotateSession(
  parts: Parts,
  session: Session,
  change: { organizationId?: string; authenticated?: boolean } = {},
): Promise<{ session?: string }> {
  const secret = newSecret()
  const organizationId = change.organizationId ?? session.organizationId
  return transaction(parts.database.tenant, organizationId, async (tx) => {
    const [member] = await tx.read<Member>(readMember(organizationId, session.accountId))
    if (!member) throw notActive()
    if (session.providerId === null) tx.writeAsGate(remember(session.accountId, organizationId))
    const rows = await tx.readAsGate(
      rotate(
        session.id,
        parts.keyring.hash(secret),
        organizationId,
        change.authenticated ?? false,
        parts.keyring.firstId,
        session.secretHash,
      ),
    )
    if (rows.length === 0) throw notActive()
    return rows[0]!.rotated ? { session: secret } : {}
  })
}

/** Ends a session; nothing happens where it has ended already. */
export async function endSession(
  parts: Parts,
  session: Session,
  requestContext: RequestContext,
): Promise<void> {
  await transaction(parts.database.tenant, session.organizationId, async (tx) => {
    tx.writeAsGate(remove(session.id))
    audit(tx, callerOfSession(session, requestContext), {
      time: await tx.now,
      action: 'session.end',
      subject: { type: 'user', id: session.userId, title: session.name },
    })
  })
}

const newSecret = () => randomBytes(32).toString('base64url')
const NONE: ReadonlySet<never> = new Set()

const notActive = () =>
  new Refusal('sign_in_failed', 'You are not active in this organization: ask one of its admins.')

const changedMeanwhile = () =>
  new Refusal('sign_in_failed', 'How you sign in has just changed: sign in once more.')

interface Found extends Omit<Session, 'secretHash'> {
  readonly hashedWith: string | null
}

interface Member {
  userId: string
  name: string
  role: Role
  limitedView: LimitedView | null
  features: Record<string, boolean>
}

/** $1 the hashes under which the secret may be stored, $2 the address it came from. */
const read = statement(`
  with found as materialized (
    select s.id, m.user_id as "userId", m.account_id as "accountId", u.email, m.name, s.organization_id as "organizationId",
           o.name as "organizationName", m.role,
           m.limited_view as "limitedView", o.features,
           json_build_object('locale', o.locale, 'timezone', o.timezone, 'currency', o.currency) as formats, s.method, s.authenticated_at as "authenticatedAt",
           s.authenticated_at >= now.now - interval '${CONFIRMED_MINUTES} minutes' as "isConfirmed",
           o.second_factor_required and not u.has_second_factor and s.provider_id is null as "lacksSecondFactor",
           s.provider_id as "providerId", s.hashed_with as "hashedWith", s.last_seen_at, now.now
      from (select clock_now() as now) now
      cross join sessions s
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.account_id = s.user_id
      join organizations o on o.id = s.organization_id
     where s.secret_hash = any($1) and s.expires_at > now.now
       and s.last_seen_at > now.now - interval '${IDLE_HOURS} hours'
       and m.status = 'active' and u.disabled_at is null and o.status = 'active'
       and (s.provider_id is null or exists (
         select from sign_in_providers p
          where p.organization_id = s.organization_id and p.id = s.provider_id and p.enabled))
  ),
  seen as (
    update sessions s set last_seen_at = f.now, ip = coalesce($2, s.ip)
      from found f
     where s.id = f.id and f.last_seen_at < f.now - interval '1 minute'
  )
  select id, "userId", "accountId", email, name, "organizationId", "organizationName", role, "limitedView", features, formats, method,
         "authenticatedAt", "isConfirmed", "lacksSecondFactor", "providerId", "hashedWith"
    from found`)

/** Held until the session has begun: whoever removes the member ends their sessions, this one among them. */
const readMember = statement(`
  select m.user_id as "userId", m.name, m.role, m.limited_view as "limitedView", o.features
    from members m join organizations o on o.id = m.organization_id join users u on u.id = m.account_id
   where m.organization_id = $1 and m.account_id = $2 and m.status = 'active' and o.status = 'active'
     and u.disabled_at is null
     for share of m`)

const insert = statement(`
  insert into sessions (id, secret_hash, user_id, organization_id, method, second_factor, provider_id, network, ip,
    user_agent, hashed_with, authenticated_at, created_at, last_seen_at, expires_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, now, now, now, now + interval '${LONGEST_DAYS} days'
    from (select clock_now() as now) now
   where ($5::text in ('passkey', 'provider') or $6::text is not null
          or exists (select from users where id = $3 and not has_second_factor))
     and ($11::text is null or exists (select from users where id = $3 and password_hash = $11))
  returning id`)

const remember = statement(`
  update users set last_login_at = clock_now(), last_organization_id = $2 where id = $1`)

/** Of two that were shown the same secret, the first gives the new one; the organization is what the last one says. */
const rotate = statement(`
  update sessions
     set secret_hash = case when secret_hash = $6 then $2 else secret_hash end,
         hashed_with = case when secret_hash = $6 then $5 else hashed_with end,
         organization_id = $3, authenticated_at = case when $4 then clock_now() else authenticated_at end
   where id = $1
  returning secret_hash = $2 as rotated`)

const remove = statement('delete from sessions where id = $1')

/**
 * Every session of a person but one, if one is named, what waits for its second step or for a link, and what is
 * known of their browsers: that they signed in there before may have been somebody else.
 */
export const endOthers = statement(`
  with waiting as (delete from sign_in_tickets where user_id = $1),
  links as (delete from one_time_links where user_id = $1 and purpose = 'sign_in'),
  devices as (delete from known_devices where user_id = $1)
  delete from sessions where user_id = $1 and id is distinct from $2`)
