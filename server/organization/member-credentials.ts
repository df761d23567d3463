import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { endLinksOf } from '../identity/one-time-links.ts'
import { audit } from '../journal/audit.ts'
import { Refusal } from '../refusal.ts'
import { accountOf, type User } from './members.ts'

/**
 * What acts for a member: their API keys, connected apps and sessions, and the links that let them in or that
 * they made for others. With it goes what they were told and how they are told: coming back begins from nothing.
 *
 * A disabled user's API keys and connected apps are suspended, since each call looks at the member. Their sessions, links
 * and calendar address end for good. A removed user loses all of them for good: coming back is one update of the same row,
 * and whatever still stood then would live again. Making one holds
 * the member's row (`holdMember`) and removing changes it, so one of the two comes first: what was made before
 * ends with the rest, and what comes later finds no member, or a session that is gone.
 */

/**
 * Whoever takes rights away is shown first what loses them.
 * @throws {Refusal} `confirm_required` with `keys` and `apps`, where there are any and it is not confirmed
 */
export async function refuseUnconfirmed(
  tx: Transaction,
  before: User,
  { confirm = false, removed = false }: { confirm?: boolean | undefined; removed?: boolean },
): Promise<void> {
  if (confirm) return
  const [keys, apps] = await Promise.all([
    tx.read(liveKeys(tx.organizationId, before.id)),
    tx.read(liveApps(tx.organizationId, before.id)),
  ])
  if (keys.length + apps.length === 0) return
  const counts = [counted(keys.length, 'API key'), counted(apps.length, 'connected app')].filter(Boolean)
  const what = `${counts.join(' and ')} of ${before.name}`
  throw new Refusal(
    'confirm_required',
    removed
      ? `${what} would be revoked for good: send it again with confirm: true.`
      : `${what} would lose rights with them: send it again with confirm: true.`,
    { keys, apps },
  )
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : count === 1 ? `1 ${noun}` : `${count} ${noun}s`

/**
 * Ends everything that acts for a member, in the transaction that removes them and after their row has changed;
 * each key and app with an audit entry of its own.
 */
export async function endCredentials(
  tx: Transaction,
  caller: Caller,
  { id, name }: User,
  time: string,
): Promise<void> {
  const by = actingUserOf(caller) ?? actorOf(caller).id
  const [keys, apps] = await Promise.all([
    tx.read<Ended>(revokeKeys(tx.organizationId, id, time, by)),
    tx.read<Ended>(revokeApps(tx.organizationId, id, time, by)),
  ])
  const changes = { revokedAt: { from: null, to: time } }
  const reason = `${name} was removed from the organization`
  for (const [type, ended] of [
    ['api_key', keys],
    ['connected_app', apps],
  ] as const)
    for (const { id, name: title } of ended)
      audit(tx, caller, { time, action: `${type}.revoke`, subject: { type, id, title }, changes, reason })
  await endEntrances(tx, id)
  tx.writeAsGate(endLinksMadeBy(tx.organizationId, id))
  tx.write(forgetIdentities(tx.organizationId, id))
  for (const forget of [forgetNotices, forgetNoticeSettings, forgetBounce])
    tx.write(forget(tx.organizationId, id))
}

/**
 * Ends what lets a user in without signing in again: sessions, sign-ins that wait for their second step, links, and the
 * address of their calendar. After the user's row has changed.
 */
export async function endEntrances(tx: Transaction, userId: string): Promise<void> {
  const accountId = await accountOf(tx, userId)
  tx.writeAsGate(endSessions(tx.organizationId, accountId))
  tx.writeAsGate(endTickets(tx.organizationId, accountId))
  endLinksOf(tx, accountId)
  tx.writeAsGate(endDownloads(tx.organizationId, userId))
  tx.write(forgetCalendar(tx.organizationId, userId))
}

interface Ended {
  id: string
  name: string
}

/**
 * Locks the caller's place in the organization until the transaction ends, for what will act for them.
 * @throws {Refusal} `credential_invalid` where they were removed or disabled, or signed out, since the call began
 */
export async function holdMember(tx: Transaction, { userId, credential }: Caller): Promise<void> {
  const held = await tx.read(holdActive(tx.organizationId, userId))
  // The command line begins no session.
  const isSignedIn = credential.type === 'session' && credential.isConfirmed !== undefined
  const alive = isSignedIn ? await tx.readAsGate(holdSession(credential.id)) : held
  if (held.length === 0 || alive.length === 0)
    throw new Refusal('credential_invalid', 'You are no longer signed in here: sign in again.')
}

const holdActive = statement(`
  select from members where organization_id = $1 and user_id = $2 and status = 'active' for share`)

const holdSession = statement('select from sessions where id = $1 for key share')

const liveKeys = statement(`
  select id, name, prefix from api_keys
   where organization_id = $1 and created_by = $2 and revoked_at is null
     and (expires_at is null or expires_at > clock_now())
   order by created_at, id`)

const liveApps = statement(`
  select id, client_name as name, redirect_host as "redirectHost" from connected_apps
   where organization_id = $1 and user_id = $2 and revoked_at is null and expires_at > clock_now()
   order by created_at, id`)

const revokeKeys = statement(`
  update api_keys set revoked_at = $3, revoked_by = $4
   where organization_id = $1 and created_by = $2 and revoked_at is null
  returning id, name`)

/** Also one that has expired: approving it anew would bring its refresh tokens back. */
const revokeApps = statement(`
  update connected_apps set revoked_at = $3, revoked_by = $4
   where organization_id = $1 and user_id = $2 and revoked_at is null
  returning id, client_name as name`)

const endSessions = statement('delete from sessions where organization_id = $1 and user_id = $2')

const endTickets = statement('delete from sign_in_tickets where organization_id = $1 and user_id = $2')

const endDownloads = statement(
  "delete from download_links where organization_id = $1 and started_by ->> 'userId' = $2",
)

const endLinksMadeBy = statement('delete from one_time_links where organization_id = $1 and created_by = $2')

const forgetCalendar = statement('delete from calendar_feeds where organization_id = $1 and user_id = $2')
const forgetNotices = statement('delete from notices where organization_id = $1 and user_id = $2')
const forgetNoticeSettings = statement(
  'delete from notice_settings where organization_id = $1 and user_id = $2',
)
const forgetBounce = statement('delete from mail_bounces where organization_id = $1 and user_id = $2')

/** Whoever is invited again begins anew with the organization's sign-in providers. */
const forgetIdentities = statement(
  'delete from sign_in_identities where organization_id = $1 and user_id = $2',
)
