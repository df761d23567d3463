import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { type Database, statement } from '../database/connect.ts'
import { invalid } from '../refusal.ts'
import { inTurn, KNOWN, type Turn } from './hashing-turns.ts'
import { type Guessable, guessable } from './passwords/guessable.ts'

/**
 * Passwords of people who sign in: argon2id, with the costs that OWASP names for servers. Hashing takes
 * tens of milliseconds on purpose, so it never runs inside a transaction.
 */
export const LEAST_CHARACTERS = 12
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The longest is bounded, because whoever may try a password may choose how much is hashed. */
export const password = z
  .string()
  .min(
    LEAST_CHARACTERS,
    `is too short: give a password of at least ${LEAST_CHARACTERS} characters; a few words do well`,
  )
  .max(256, 'is too long: give a password of at most 256 characters')
  .meta({ title: 'Password', format: 'password', writeOnly: true })

/**
 * Hashes a password that somebody chooses, by whichever way. One that was kept before goes on opening: only new
 * ones are judged.
 * @param known what is known of the person: names, e-mail, organizations
 * @param path what the password is called where it was given
 * @throws {Refusal} `validation_failed` for one that is guessed first
 */
export async function hashNewPassword(text: string, known: readonly string[], path: string): Promise<string> {
  await refuseGuessable(text, known, path)
  return inTurn(KNOWN, () => hash(typed(text), COSTS))
}

/** @throws {Refusal} `validation_failed` for a password that is guessed first */
export async function refuseGuessable(text: string, known: readonly string[], path: string): Promise<void> {
  const found = await guessable(text, known)
  if (found) throw invalid({ path, message: WHY[found] })
}

const WHY: Record<Guessable, string> = {
  common:
    'among the passwords that are guessed first, whatever is put before or after it: choose a few unrelated words',
  own_words:
    'too easy to guess: it is based on your name, your e-mail, your organization or the name of this service. Choose a few unrelated words',
}

/** What is known of somebody here: their e-mail, and the names of them and of their organizations. */
export async function knownOf(database: Database, accountId: string): Promise<string[]> {
  const { rows } = await database.gate.query<{ known: string[] }>(known(accountId))
  return rows[0]?.known ?? []
}

const known = statement(`
  select array[u.email]
         || array(select m.name from members m where m.account_id = u.id and m.status <> 'removed')
         || array(select o.name from members m join organizations o on o.id = m.organization_id
                   where m.account_id = u.id and m.status <> 'removed') as known
    from users u where u.id = $1`)

/**
 * Whether a text is the password of this hash; false for someone who has none, or is nobody. It takes as
 * long for them as for anybody, so that its time does not tell who is known here.
 */
export async function isPassword(text: string, kept: string | null, whose: Turn = KNOWN): Promise<boolean> {
  const right = await inTurn(whose, async () => verify(kept ?? (await nobodys()), typed(text)))
  return kept !== null && right
}

/** The same characters however a keyboard composes them. */
const typed = (text: string) => text.normalize('NFKC')

let ofNobody: Promise<string> | undefined
const nobodys = () => (ofNobody ??= hash('the password of nobody', COSTS))
