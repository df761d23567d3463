import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { Refusal } from '../refusal.ts'

/**
 * Passwords of people who sign in: argon2id, with the costs that OWASP names for servers. Hashing takes
 * tens of milliseconds on purpose, so it never runs inside a transaction.
 */
export const LEAST_CHARACTERS = 12
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The longest is bounded, because whoever may try a password may choose how much is hashed. */
export const password = z
  .string()
  .min(LEAST_CHARACTERS, `a password has at least ${LEAST_CHARACTERS} characters: a few words do well`)
  .max(256, 'a password has at most 256 characters')
  .meta({ title: 'Password', format: 'password', writeOnly: true })

export const hashPassword = (text: string): Promise<string> => inTurn(() => hash(typed(text), COSTS))

/**
 * Whether a text is the password of this hash; false for someone who has none, or is nobody. It takes as
 * long for them as for anybody, so that its time does not tell who is known here.
 */
export async function isPassword(text: string, kept: string | null): Promise<boolean> {
  const right = await inTurn(async () => verify(kept ?? (await nobodys()), typed(text)))
  return kept !== null && right
}

/** The same characters however a keyboard composes them. */
const typed = (text: string) => text.normalize('NFKC')

let ofNobody: Promise<string> | undefined
const nobodys = () => (ofNobody ??= hash('the password of nobody', COSTS))

/** Two at a time, so that those who sign in leave a core for everybody else; and a queue with an end. */
const AT_ONCE = 2
const WAITING_AT_MOST = 200
const waiting: (() => void)[] = []
let underWay = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST)
      throw new Refusal('unavailable', 'Too many people are signing in just now: try again in a moment.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else underWay++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}
