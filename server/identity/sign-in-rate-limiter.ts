import { networkOf } from '../caller/network-of.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { findDevice } from './known-devices.ts'
import {
  type Attempt,
  GUESSES_IN_A_WAVE,
  INVITATIONS,
  LIMITS,
  type Limit,
  type Limits,
  SIGN_IN_MAILS,
} from './sign-in/sign-in-limits.ts'
import { type Count, count, forget, peek, takeBack } from './sign-in/window-counts.ts'

/*
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

/** Who tries; with a session where one is going on. */
export interface Trier extends Pick<RequestContext, 'ip' | 'devices'> {
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

const find = statement(`
  select u.id, exists (select from sessions s where s.user_id = u.id and s.network = $2 and s.provider_id is null)
           as "isHome"
    from users u where lower(u.email) = $1 or u.id = $1 limit 1`)
