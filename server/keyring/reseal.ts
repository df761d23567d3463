import type pg from 'pg'
import { type Query, statement } from '../database/connect.ts'
import { gateTransaction } from '../database/transaction.ts'
import type { KeyringParts } from './credential-hashes.ts'
import { keyIdOf } from './master-key-proof.ts'
import { type OlderKeyUse, olderKeyUses } from './older-keys.ts'
import { SEALED, type SealedColumnName } from './sealed-columns.ts'

/**
 * Moves everything at rest to the first key of the ring, while the service runs.
 *
 * A value is sealed anew only where it is still the one that was opened, each in a write of its own: nobody waits,
 * a secret that is rotated meanwhile stays the new one, and what was cut short goes on where it stopped, because a
 * value names its key. Credentials are kept as hashes and move when they are used; what is left of them is counted,
 * and whether it is worth keeping an old key for is the operator's to decide.
 */
export interface Resealed {
  readonly firstKey: string
  readonly resealed: Readonly<Record<SealedColumnName, number>>
  /** Values that no key of the ring opens: damaged, or moved from another row. Whoever owns them sets them anew. */
  readonly unopened: readonly { what: SealedColumnName; ids: readonly string[] }[]
  readonly remaining: readonly OlderKeyUse[]
  /** Older keys that a start does not ask for any more. */
  readonly retired: readonly string[]
  /** Until then sign-ins under way and repeated requests may need an older key. */
  readonly shortLivedUntil: string
}

const BATCH = 100

export async function reseal(parts: KeyringParts): Promise<Resealed> {
  const { keyring, database } = parts
  const resealed = {} as Record<SealedColumnName, number>
  const unopened: { what: SealedColumnName; ids: readonly string[] }[] = []
  for (const what of Object.keys(SEALED) as SealedColumnName[]) {
    const done = await resealColumn(parts, what)
    resealed[what] = done.resealed
    unopened.push(...done.unopened.map((ids) => ({ what, ids })))
  }
  const pools = { plumbline_gate: database.gate, plumbline_engine: database.engine }
  const remaining = await olderKeyUses((role, text, values) => pools[role].query(text, values), keyring.ids)
  const needed = remaining.filter(({ what }) => what in SEALED).flatMap(({ keyId }) => keyId ?? [])
  const retired = keyring.ids.slice(1).filter((id) => !needed.includes(id))
  // It waits for the disk, and so for everything that was sealed before it.
  const [proof] = await gateTransaction(database.tenant, async (tx) => {
    void tx.readAsGate(removeProofs(retired))
    return tx.readAsGate<{ until: string }>(readUntil(keyring.firstId))
  })
  return { firstKey: keyring.firstId, resealed, unopened, remaining, retired, shortLivedUntil: proof!.until }
}

async function resealColumn(
  parts: KeyringParts,
  what: SealedColumnName,
): Promise<{ resealed: number; unopened: string[][] }> {
  const { role, table, column, ids } = SEALED[what]
  const { database, keyring } = parts
  const pool: pg.Pool = role === 'plumbline_engine' ? database.engine : database.gate
  const batch = batchOf(table, column, ids)
  const replace = replaceIn(table, column, ids)
  const unopened: string[][] = []
  let resealed = 0
  let after = ids.map(() => '')
  for (;;) {
    const { rows } = await pool.query<{ ids: string[]; sealed: Buffer }>(batch(keyring.firstId, ...after))
    for (const row of rows) {
      const opened = opening(parts, what, row.sealed, row.ids)
      if (!opened) unopened.push(row.ids)
      else {
        const { rowCount } = await pool.query(
          replace(keyring.seal(opened, what, row.ids), row.sealed, ...row.ids),
        )
        resealed += rowCount ?? 0
      }
    }
    if (rows.length < BATCH) return { resealed, unopened }
    after = rows.at(-1)!.ids
  }
}

function opening(
  { keyring }: KeyringParts,
  what: SealedColumnName,
  sealed: Buffer,
  ids: string[],
): Buffer | null {
  try {
    return keyring.open(sealed, what, ids)
  } catch {
    return null
  }
}

const places = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

/** $1 the first key, then the ids of the last row of the batch before. */
function batchOf(table: string, column: string, ids: readonly string[]): (...values: unknown[]) => Query {
  return statement(`
    select array[${ids.join(', ')}] as ids, ${column} as sealed from ${table}
     where length(${column}) > 0 and ${keyIdOf(column)} <> $1 and (${ids.join(', ')}) > (${places(2, ids.length)})
     order by ${ids.join(', ')} limit ${BATCH}`)
}

/** $1 the value under the first key, $2 the one it takes the place of, then the ids of the row. */
function replaceIn(table: string, column: string, ids: readonly string[]): (...values: unknown[]) => Query {
  return statement(`
    update ${table} set ${column} = $1
     where ${column} = $2 and (${ids.join(', ')}) = (${places(3, ids.length)})`)
}

const removeProofs = statement('delete from master_key_proofs where key_id = any($1)')

const readUntil = statement(`
  select created_at + interval '24 hours' as until from master_key_proofs where key_id = $1`)
