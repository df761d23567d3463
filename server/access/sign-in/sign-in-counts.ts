import { statement } from '../../database/connect.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import type { Arrival } from '../admission.ts'
import { networkOf } from '../network-of.ts'
import { findDevice } from './known-devices.ts'

/**
 * How often somebody may try to get in. Each attempt is counted before any work is done for it, in one statement
 * that holds for all processes.
 *
 * A limit protects an account, and it is a weapon against its owner: whoever can spend it can shut them out. So
 * there are two sorts of counts.
 *
 * - The narrow ones refuse: of an account from one network, so that a guesser gets few tries; and of a network, so
 *   that one guesser cannot go through many accounts. They are spent by whoever shares the network.
 * - The wide one, of an account from everywhere, holds a botnet, and refuses nobody. It grows only by what the
 *   narrow ones let through, and past its limit there is a wave: from then on the password alone is not enough for
 *   a stranger. They get an answer that tells nothing, and only where the password was right a link goes to the
 *   mailbox by which the sign-in is finished (mailed-sign-in.ts): guesses are worth nothing, the owner comes in
 *   from anywhere. Who has a second factor is asked for that instead. A service that sends no mail has no second
 *   way to its people: there each network gets fewer tries while the wave lasts, and the owner is one of those who
 *   get them.
 *
 * None of these is asked of somebody whom the person's own doing sets apart from strangers: a known device
 * (known-devices.ts) or a session that is going on has a count of its own, which nobody else can spend. A network
 * where the person has a session stands the narrow counts, but no wave; one that an organization's provider
 * vouched for is none of the person's own, as its admins can have one from any network they like.
 */
const GUESSES: Limits = {
  accountFromNetwork: { count: 10, minutes: 15 },
  network: { count: 60, minutes: 15 },
  account: { count: 100, minutes: 60 },
  own: [{ count: 10, minutes: 15 }],
}

/** How many of `accountFromNetwork` are left in a wave, where no mail can finish a sign-in. */
const GUESSES_IN_A_WAVE = 3

/**
 * Six digits are few, and whoever is asked for them has the password already: a year of tries from everywhere
 * finds a code with less than one chance in ten, and so does a year of tries from a device.
 */
const CODES: Limits = {
  ...GUESSES,
  account: { count: 50, minutes: 24 * 60 },
  own: [
    { count: 10, minutes: 15 },
    { count: 50, minutes: 24 * 60 },
  ],
}

/** A mail that anybody may ask for, to any address: no mailbox is to be filled by it. */
const MAILS: Limits = {
  accountFromNetwork: { count: 5, minutes: 15 },
  network: { count: 20, minutes: 15 },
  account: { count: 3, minutes: 60 },
  own: [{ count: 5, minutes: 15 }],
}

const LIMITS = {
  password: GUESSES,
  second_factor: CODES,
  /** Of a sign-in that came through the mailbox, where no stranger is: theirs do not count against it. */
  second_factor_by_link: CODES,
  /** Sixty random bits are guessed by nobody, so a wave of other guesses does not touch them. */
  recovery_code: { ...GUESSES, account: null },
  mail: MAILS,
} as const

/** What is tried: a password, a code, a mail. Each has its own counts. */
export type Attempt = keyof typeof LIMITS

/** Mails of an organization, which stands where otherwise a network does. */
const INVITATIONS: Limits = {
  accountFromNetwork: { count: 5, minutes: 60 },
  network: { count: 200, minutes: 60 },
  account: { count: 10, minutes: 60 },
  own: [],
}

/** Who tries; with a session where one is going on. */
export interface Trier extends Pick<Arrival, 'ip' | 'devices'> {
  readonly sessionId?: string
}

/** Of an attempt that was let through. */
export interface Counted {
  /** Whether the account has had more attempts than its budget, and this one is a stranger's. */
  readonly isWave: boolean
  /** Whether this one began the wave. */
  readonly beginsWave: boolean
  /** Seconds until the budget of the account begins anew. */
  readonly retryAfter: number
  /** Whether it came from a session or a known device of the person. */
  readonly isOwn: boolean
}

/**
 * Counts an attempt.
 * @param account what it is tried on, in the form that makes it one: an e-mail, a user's id
 * @throws {Refusal} `rate_limited`, with `retryAfter` in seconds
 */
export async function countAttempt(
  parts: Parts,
  attempt: Attempt,
  account: string,
  trier: Trier,
): Promise<Counted> {
  const limits: Limits = LIMITS[attempt]
  const network = networkOf(trier.ip ?? 'none')
  const whole = wholeOf(account)
  const { own, isHome } = await standingOf(parts, whole, network, trier)
  if (own !== null) {
    await countOwn(parts, attempt, whole, own)
    return { isWave: false, beginsWave: false, retryAfter: 0, isOwn: true }
  }
  const wide = isHome ? null : limits.account
  const { here, everywhere } = await countStranger(parts, attempt, whole, network, limits, wide)
  const isWave = wide !== null && everywhere.count > wide.count
  if (isWave && attempt === 'password' && !parts.mail && here.count > GUESSES_IN_A_WAVE)
    throw tooMany(here.waitMs)
  const beginsWave = isWave && everywhere.count === wide.count + 1
  return { isWave, beginsWave, retryAfter: secondsOf(everywhere.waitMs), isOwn: false }
}

/**
 * Counts an invitation that an organization mails. Its first to a mailbox in an hour always goes: what others
 * send there is no reason to shut it out.
 * @throws {Refusal} `rate_limited`, with `retryAfter` in seconds
 */
export async function countInvitation(parts: Parts, organizationId: string, email: string): Promise<void> {
  const { account } = INVITATIONS
  const counted = await countStranger(
    parts,
    'invitation',
    wholeOf(email),
    organizationId,
    INVITATIONS,
    account,
  )
  if (counted.here.count > 1 && counted.everywhere.count > account!.count)
    throw tooMany(counted.everywhere.waitMs)
}

/** Links that finish a sign-in: whoever has them mailed has the password, and fills no mailbox either. */
const SIGN_IN_MAILS = { count: 3, minutes: 60 }

/** @returns whether a link to finish a sign-in may still be mailed to an address; earlier ones are good for longer */
export async function countSignInMail(parts: Parts, email: string): Promise<boolean> {
  const key = keyOf(parts, 'sign_in_mail', 'account', wholeOf(email))
  const [counted] = await count(parts, [key], [SIGN_IN_MAILS], null, null)
  return counted!.count <= SIGN_IN_MAILS.count
}

/** A mail was of use: those before it are forgotten, and who asked for them keeps no further one from the person. */
export async function forgetMails(parts: Parts, email: string): Promise<void> {
  for (const what of ['mail', 'sign_in_mail'])
    await parts.database.gate.query(forget(keyOf(parts, what, 'account', wholeOf(email))))
}

/**
 * A mail that was counted did not leave: it filled no mailbox, and keeps no further one from the person. What is
 * counted of a network stays, so that nobody learns from their limit whether there was somebody to write to.
 */
export const takeBackMail = async (
  parts: Parts,
  what: 'mail' | 'sign_in_mail',
  email: string,
): Promise<void> =>
  void (await parts.database.gate.query(takeBack([keyOf(parts, what, 'account', wholeOf(email))])))

/** Whether an account has a wave against it just now; for what is tried in the next step. */
export async function isUnderWave(parts: Parts, attempt: Attempt, account: string): Promise<boolean> {
  const limit = LIMITS[attempt].account
  if (limit === null) return false
  const { rows } = await parts.database.gate.query<{ count: number }>(
    peek(keyOf(parts, attempt, 'account', wholeOf(account))),
  )
  return (rows[0]?.count ?? 0) >= limit.count
}

/** Takes an attempt back that was right: those before it are forgotten, and it counts against nobody. */
export async function forgetAttempts(
  parts: Parts,
  attempt: Attempt,
  account: string,
  trier: Trier,
): Promise<void> {
  const network = networkOf(trier.ip ?? 'none')
  const whole = wholeOf(account)
  const { own } = await standingOf(parts, whole, network, trier)
  const [near, ...wide] =
    own === null
      ? [
          keyOf(parts, attempt, 'both', whole, network),
          keyOf(parts, attempt, 'network', network),
          keyOf(parts, attempt, 'account', whole),
        ]
      : LIMITS[attempt].own.map(({ minutes }) => ownKey(parts, attempt, whole, own, minutes))
  await parts.database.gate.query(takeBack(wide))
  await parts.database.gate.query(forget(near!))
}

interface Standing {
  /** What sets this trier apart from strangers; null for one of those. */
  readonly own: string | null
  readonly isHome: boolean
}

const NOBODY = 'nobody'

async function standingOf(
  parts: Parts,
  account: string,
  network: string,
  { sessionId, devices = [] }: Trier,
): Promise<Standing> {
  if (sessionId !== undefined) return { own: sessionId, isHome: true }
  const { rows } = await parts.database.gate.query<{ id: string; isHome: boolean }>(find(account, network))
  const [person] = rows
  // Looked up for nobody too: that a device was asked for must not tell, by its time, who is known here.
  const own = await findDevice(parts, person?.id ?? NOBODY, devices)
  return { own, isHome: person?.isHome ?? false }
}

async function countOwn(parts: Parts, attempt: Attempt, account: string, own: string): Promise<void> {
  const limits = LIMITS[attempt].own
  const keys = limits.map(({ minutes }) => ownKey(parts, attempt, account, own, minutes))
  const counts = await count(parts, keys, limits, null, null)
  const over = counts.filter((one, index) => one.count > limits[index]!.count)
  if (over.length > 0) throw tooMany(Math.max(...over.map(({ waitMs }) => waitMs)))
}

async function countStranger(
  parts: Parts,
  what: string,
  account: string,
  source: string,
  { accountFromNetwork, network }: Limits,
  wide: Limit | null,
): Promise<{ here: Count; everywhere: Count }> {
  const narrow = [accountFromNetwork, network]
  const keys = [keyOf(parts, what, 'both', account, source), keyOf(parts, what, 'network', source)]
  const wideKey = wide && keyOf(parts, what, 'account', account)
  const counts = await count(parts, keys, narrow, wideKey, wide)
  const over = counts.filter((one, index) => one.count > (narrow[index]?.count ?? Number.POSITIVE_INFINITY))
  if (over.length > 0) throw tooMany(Math.max(...over.map(({ waitMs }) => waitMs)))
  return { here: counts[0]!, everywhere: counts[2] ?? { count: 0, waitMs: 0 } }
}

/** @returns a count for each key, in their order, and then the wide one's, if there is one */
async function count(
  parts: Parts,
  keys: readonly Buffer[],
  limits: readonly Limit[],
  wideKey: Buffer | null,
  wide: Limit | null,
): Promise<Count[]> {
  const { rows } = await parts.database.gate.query<{ key: Buffer; count: number; wait_ms: number }>(
    add(
      keys,
      limits.map(({ minutes }) => minutes),
      limits.map(({ count }) => count),
      wideKey,
      wide?.minutes ?? 0,
    ),
  )
  const of = (key: Buffer): Count => {
    const row = rows.find((one) => one.key.equals(key))
    return { count: row?.count ?? 0, waitMs: row?.wait_ms ?? 0 }
  }
  return [...keys, ...(wideKey ? [wideKey] : [])].map(of)
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

const tooMany = (waitMs: number): Refusal => {
  const retryAfter = secondsOf(waitMs)
  return new Refusal('rate_limited', `There were too many attempts: wait ${retryAfter} seconds.`, {
    retryAfter,
  })
}

const wholeOf = (account: string) => account.normalize('NFKC').toLowerCase()

const keyOf = (parts: Parts, ...what: string[]): Buffer => parts.keyring.hash(JSON.stringify(what))

const ownKey = (parts: Parts, attempt: Attempt, account: string, own: string, minutes: number): Buffer =>
  keyOf(parts, attempt, 'own', account, own, String(minutes))

interface Limit {
  readonly count: number
  readonly minutes: number
}

interface Limits {
  readonly accountFromNetwork: Limit
  readonly network: Limit
  /** Null where no number of guesses from everywhere is of use. */
  readonly account: Limit | null
  /** Of a known device or a session; the first is forgotten with a success. */
  readonly own: readonly Limit[]
}

interface Count {
  readonly count: number
  readonly waitMs: number
}

/**
 * $1 the narrow keys with their $2 minutes and $3 limits, $4 the wide key with its $5 minutes. The rows are locked
 * in the order of the keys as they are given, the wide one last, so that two attempts at once never wait for each
 * other in a ring.
 */
const add = statement(`
  with narrow as (
    insert into sign_in_counts as c (key, count, expires_at)
    select key, 1, clock_now() + minutes * interval '1 minute'
      from unnest($1::bytea[], $2::int[]) with ordinality as asked (key, minutes, place) order by place
    on conflict (key) do update
       set count = case when c.expires_at > clock_now() then least(c.count, 1000000) + 1 else 1 end,
           expires_at = case when c.expires_at > clock_now() then c.expires_at else excluded.expires_at end
    returning key, count, expires_at
  ),
  wide as (
    insert into sign_in_counts as c (key, count, expires_at)
    select $4::bytea, 1, clock_now() + $5 * interval '1 minute'
     where $4::bytea is not null and not exists (
       select from narrow join unnest($1::bytea[], $3::int[]) as asked (key, most) using (key)
        where narrow.count > asked.most)
    on conflict (key) do update
       set count = case when c.expires_at > clock_now() then least(c.count, 1000000) + 1 else 1 end,
           expires_at = case when c.expires_at > clock_now() then c.expires_at else excluded.expires_at end
    returning key, count, expires_at
  )
  select key, count, extract(epoch from expires_at - clock_now())::float8 * 1000 as wait_ms
    from (select * from narrow union all select * from wide) counted`)

const peek = statement('select count from sign_in_counts where key = $1 and expires_at > clock_now()')

/** In the order in which they are counted. */
const takeBack = statement(`
  update sign_in_counts set count = greatest(count - 1, 0)
   where key in (select key from sign_in_counts where key = any($1::bytea[])
                  order by array_position($1::bytea[], key) for update)`)

const forget = statement('delete from sign_in_counts where key = $1')

const find = statement(`
  select u.id, exists (select from sessions s where s.user_id = u.id and s.network = $2 and s.provider_id is null)
           as "isHome"
    from users u where lower(u.email) = $1 or u.id = $1 limit 1`)
