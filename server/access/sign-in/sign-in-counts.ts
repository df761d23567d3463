import { statement } from '../../database/connect.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { networkOf } from '../network-of.ts'

/**
 * How often somebody may try to get in (design, T28). Each attempt is counted before any work is done for
 * it, in one statement that holds for all processes; a count over its limit grows no further work.
 *
 * Three counts stand beside each other: of an account from one network, so that a guesser gets few tries; of
 * a network, so that one guesser cannot go through many accounts; and of an account from everywhere, wide
 * enough for a forgetful person. The last is not asked of a network where the person has a session: a
 * stranger who burns it down does not lock them out. A session that an organization's provider vouched for is
 * none of the person's own: its admins can have one from any network they like. Of mails the last is always
 * asked, as the answer to who asks for one must not tell who is known.
 */
const GUESSES = {
  accountFromNetwork: { count: 10, minutes: 15 },
  network: { count: 60, minutes: 15 },
  account: { count: 100, minutes: 60 },
} as const

/**
 * Six digits are few, and whoever is asked for them has the password already: a year of tries from everywhere
 * finds a code with less than one chance in ten.
 */
const OF_SECOND_FACTOR = { ...GUESSES, account: { count: 50, minutes: 24 * 60 } } as const

/** A mail that anybody may ask for, to any address: no mailbox is to be filled by it. */
const MAILS = {
  accountFromNetwork: { count: 5, minutes: 15 },
  network: { count: 20, minutes: 15 },
  account: { count: 10, minutes: 60 },
} as const

/** What is tried: a password, a code, a link. Each has its own counts. */
export type Attempt = 'password' | 'second_factor' | 'link' | 'mail'

/** Mails of an organization, which stands where otherwise a network does. */
const INVITATIONS = {
  accountFromNetwork: { count: 5, minutes: 60 },
  network: { count: 200, minutes: 60 },
  account: { count: 10, minutes: 60 },
} as const

/**
 * Counts an attempt.
 * @param account what it is tried on, in the form that makes it one: an e-mail, a user's id
 * @throws {Refusal} `rate_limited`, with `retryAfter` in seconds
 */
export async function countAttempt(
  parts: Parts,
  attempt: Attempt,
  account: string,
  ip: string | undefined,
): Promise<void> {
  const network = networkOf(ip ?? 'none')
  const whole = wholeOf(account)
  if (attempt === 'mail') return countUnder(MAILS, parts, attempt, whole, network)
  const limits = attempt === 'second_factor' ? OF_SECOND_FACTOR : GUESSES
  await countUnder(limits, parts, attempt, whole, network, await isAtHome(parts, whole, network))
}

/**
 * Counts an invitation that an organization mails.
 * @throws {Refusal} `rate_limited`, with `retryAfter` in seconds
 */
export const countInvitation = (parts: Parts, organizationId: string, email: string): Promise<void> =>
  countUnder(INVITATIONS, parts, 'invitation', wholeOf(email), organizationId)

async function countUnder(
  limits: Limits,
  parts: Parts,
  what: string,
  account: string,
  source: string,
  isHome = false,
): Promise<void> {
  const asked = [
    { key: keyOf(parts, what, 'both', account, source), ...limits.accountFromNetwork },
    { key: keyOf(parts, what, 'network', source), ...limits.network },
    ...(isHome ? [] : [{ key: keyOf(parts, what, 'account', account), ...limits.account }]),
  ]
  const { rows } = await parts.database.gate.query(
    count(
      asked.map(({ key }) => key),
      asked.map(({ minutes }) => minutes),
    ),
  )
  const most = new Map(asked.map(({ key, count: limit }) => [key.toString('hex'), limit]))
  const waits = (rows as CountRow[])
    .filter((row) => row.count > most.get(row.key.toString('hex'))!)
    .map((row) => Math.ceil(row.wait_ms / 1000))
  if (waits.length === 0) return
  const retryAfter = Math.max(1, ...waits)
  throw new Refusal('rate_limited', `There were too many attempts: wait ${retryAfter} seconds.`, {
    retryAfter,
  })
}

/** Takes an attempt back that was right: those before it are forgotten, and it counts against nobody. */
export async function forgetAttempts(
  parts: Parts,
  attempt: Attempt,
  account: string,
  ip: string | undefined,
): Promise<void> {
  const network = networkOf(ip ?? 'none')
  const whole = wholeOf(account)
  const wide = [keyOf(parts, attempt, 'network', network), keyOf(parts, attempt, 'account', whole)]
  await parts.database.gate.query(takeBack(wide))
  await parts.database.gate.query(forget(keyOf(parts, attempt, 'both', whole, network)))
}

async function isAtHome(parts: Parts, account: string, network: string): Promise<boolean> {
  const { rows } = await parts.database.gate.query(home(account, network))
  return rows.length > 0
}

const wholeOf = (account: string) => account.normalize('NFKC').toLowerCase()

const keyOf = (parts: Parts, ...what: string[]): Buffer => parts.keyring.hash(JSON.stringify(what))

type Limits = Readonly<
  Record<'accountFromNetwork' | 'network' | 'account', { readonly count: number; readonly minutes: number }>
>

interface CountRow {
  key: Buffer
  count: number
  wait_ms: number
}

/** In the order of the keys, so that two attempts at once never wait for each other in a ring. */
const count = statement(`
  insert into sign_in_counts as c (key, count, expires_at)
  select key, 1, clock_now() + minutes * interval '1 minute'
    from unnest($1::bytea[], $2::int[]) as asked (key, minutes) order by key
  on conflict (key) do update
     set count = case when c.expires_at > clock_now() then least(c.count, 1000000) + 1 else 1 end,
         expires_at = case when c.expires_at > clock_now() then c.expires_at else excluded.expires_at end
  returning key, count, extract(epoch from expires_at - clock_now())::float8 * 1000 as wait_ms`)

const takeBack = statement(`
  update sign_in_counts set count = greatest(count - 1, 0)
   where key in (select key from sign_in_counts where key = any($1) order by key for update)`)

const forget = statement('delete from sign_in_counts where key = $1')

const home = statement(`
  select from sessions s join users u on u.id = s.user_id
   where (lower(u.email) = $1 or u.id = $1) and s.network = $2 and s.provider_id is null limit 1`)
