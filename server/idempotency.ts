import type { Task } from './clock/clock.ts'
import { statement } from './database/connect.ts'
import type { Transaction } from './database/transaction.ts'
import type { Keyring } from './keyring/keyring.ts'
import type { Answer } from './operation.ts'
import { Refusal } from './refusal.ts'

/**
 * A POST with an Idempotency-Key happens once: the same key and body gets the first
 * answer again for 24 hours, another body is refused, and one that is still running is a conflict.
 *
 * The key is reserved in the transaction of the write itself, by a lock that dies with it; so a crash
 * frees it, and there is no answer without its write and no write without its answer. An operation that
 * has no single transaction (`writes: 'own'`) reserves a row instead, which frees itself after a minute.
 */
export interface OnceKey {
  readonly credentialId: string
  readonly key: string
  readonly operation: string
  /** Keyed, because a body may hold a password, which a plain hash would give away to guessing. */
  readonly bodyHash: Buffer
  /** Under every key of the ring, so that a new key does not make a repeated request another one. */
  readonly bodyHashes: readonly Buffer[]
}

export function onceKey(
  keyring: Keyring,
  credentialId: string,
  key: string,
  operation: string,
  input: unknown,
): OnceKey {
  const body = canonical(input)
  return { credentialId, key, operation, bodyHash: keyring.hash(body), bodyHashes: keyring.hashes(body) }
}

/**
 * Takes the key for the running transaction.
 * @returns the first answer where there is one, else null
 * @throws {Refusal} `conflict` while the same request is running, `idempotency_key_reused` for another body
 */
export async function takeKey(tx: Transaction, once: OnceKey): Promise<Answer | null> {
  const place = [tx.organizationId, once.credentialId, once.key]
  const [locked, kept] = await Promise.all([
    tx.read<{ free: boolean }>(lock(place.join('\n'))),
    tx.read<Kept>(find(...place)),
  ])
  const first = kept[0]
  if (!locked[0]?.free || first?.running)
    throw new Refusal(
      'conflict',
      'The first request with this Idempotency-Key is still running: ask again in a moment.',
    )
  if (!first) return null
  if (first.operation !== once.operation || !once.bodyHashes.some((hash) => hash.equals(first.body_hash)))
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request: use a new key.',
    )
  return { status: first.status, body: first.body, ...(first.location ? { location: first.location } : {}) }
}

/** Sends the answer along with the write that it answers. */
export function keep(tx: Transaction, once: OnceKey, answer: Answer): void {
  tx.write(
    insert(
      tx.organizationId,
      once.credentialId,
      once.key,
      once.operation,
      once.bodyHash,
      answer.status,
      JSON.stringify(answer.body ?? null),
      answer.location ?? null,
    ),
  )
}

/** Reserves the key beyond the running transaction. */
export const reserve = (tx: Transaction, once: OnceKey): void =>
  keep(tx, once, { status: RUNNING, body: null })

/** Frees a reserved key: the request may be tried again. */
export const release = (tx: Transaction, once: OnceKey): void =>
  tx.write(free(tx.organizationId, once.credentialId, once.key))

/** Whether a refusal is an answer for good; these depend on the moment or on rights instead. */
export const isKept = (refusal: Refusal): boolean =>
  refusal.status < 500 && ![401, 403, 409, 429].includes(refusal.status)

const RUNNING = 0

interface Kept {
  operation: string
  body_hash: Buffer
  status: number
  body: unknown
  location: string | null
  running: boolean
}

const lock = statement('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free')

const find = statement(`
  select operation, body_hash, status, body, location, status = 0 as running from idempotency_answers
   where organization_id = $1 and credential_id = $2 and key = $3
     and created_at > (select clock_now()) - case status when 0 then interval '1 minute' else interval '24 hours' end`)

const insert = statement(`
  insert into idempotency_answers
    (organization_id, credential_id, key, operation, body_hash, status, body, location, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, clock_now())
  on conflict (organization_id, credential_id, key) do update
    set operation = excluded.operation, body_hash = excluded.body_hash, status = excluded.status,
        body = excluded.body, location = excluded.location, created_at = excluded.created_at`)

const free = statement(
  'delete from idempotency_answers where organization_id = $1 and credential_id = $2 and key = $3 and status = 0',
)

/** The answers that nobody can ask for again. */
export const idempotencyTasks: readonly Task[] = [
  { name: 'answers kept for a day', everyMinutes: 60, run: (gate) => gate.query(removeAnswers()) },
]

const removeAnswers = statement(
  "delete from idempotency_answers where created_at <= clock_now() - interval '24 hours'",
)

/** JSON with sorted keys, so that the order in which a client writes them does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
