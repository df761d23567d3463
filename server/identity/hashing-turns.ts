import { Refusal } from '../refusal.ts'

/** Who waits to have a password tried: a stranger, by the account they try it on; or not a stranger. */
export type Turn = { readonly strangerAt: string } | typeof KNOWN
export const KNOWN = Symbol('a session, a known device, a link, or the command line')

/*
 * Hashing a password is slow by design, so it is done two at a time, which leaves a core for everybody else, and
 * whoever comes meanwhile waits. A line is a limit, and a limit is a weapon: whoever fills it could keep others out.
 *
 * Those who are known go first. Strangers stand in a line for each account, and the accounts take turns: guessing at
 * one keeps nobody waiting at another. At one account the owner, in a browser that nobody knows yet, is a stranger
 * like those who guess, and cannot be told from them; so nobody is turned away for being the newest. A full line gives
 * up one of those who wait there, drawn by lot: the owner is slowed down, and comes in.
 */
const AT_ONCE = 2
const KNOWN_AT_MOST = 1_000
const STRANGERS_AT_ONE_ACCOUNT = 1_000
const ACCOUNTS_AT_MOST = 5_000

interface Waiting {
  go(): void
  giveUp(): void
}

const known: Waiting[] = []
/** By account, the one whose turn is next first. */
const strangers = new Map<string, Waiting[]>()
let underWay = 0

/** @throws {Refusal} `unavailable` for who has to give way */
export async function inTurn<T>(whose: Turn, work: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await turnOf(whose)
  else underWay++
  try {
    return await work()
  } finally {
    const next = known.shift() ?? nextStranger()
    if (next) next.go()
    else underWay--
  }
}

function turnOf(whose: Turn): Promise<void> {
  return new Promise((resolve, reject) => {
    const one: Waiting = { go: resolve, giveUp: () => reject(tooMany()) }
    if (whose !== KNOWN) standInLine(whose.strangerAt, one)
    else if (known.length < KNOWN_AT_MOST) known.push(one)
    else one.giveUp()
  })
}

function standInLine(account: string, one: Waiting): void {
  const line = strangers.get(account)
  if (!line && strangers.size >= ACCOUNTS_AT_MOST) one.giveUp()
  else if (!line) strangers.set(account, [one])
  else if (line.length < STRANGERS_AT_ONE_ACCOUNT) line.push(one)
  else {
    const [lost] = line.splice(Math.floor(Math.random() * line.length), 1)
    line.push(one)
    lost!.giveUp()
  }
}

/** The first in line at the account whose turn it is, which then goes behind the others. */
function nextStranger(): Waiting | undefined {
  const [first] = strangers
  if (!first) return undefined
  const [account, line] = first
  const next = line.shift()
  strangers.delete(account)
  if (line.length > 0) strangers.set(account, line)
  return next
}

const tooMany = () =>
  new Refusal('unavailable', 'Too many people are signing in just now: try again in a moment.')
