import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'

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

export const hashPassword = (text: string): Promise<string> => hash(typed(text), COSTS)

/** Whether a text is the password of this hash; false for someone who has none. */
export async function isPassword(text: string, kept: string | null): Promise<boolean> {
  return kept !== null && (await verify(kept, typed(text)))
}

/** The same characters however a keyboard composes them. */
const typed = (text: string) => text.normalize('NFKC')
