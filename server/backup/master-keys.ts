import type pg from 'pg'
import type { MasterKeys } from '../keyring/master-key.ts'
import { keyIdOf } from '../keyring/master-key-proof.ts'
import { SEALED } from '../keyring/sealed-columns.ts'
import type { Header } from './format.ts'

/** Which master keys the rows of a backup need, read by a session that sees every row. */
export async function neededMasterKeys(
  client: pg.Client,
  hasColumn: (table: string, column: string) => boolean,
): Promise<Header['masterKeys']> {
  const proofs: Record<string, string> = {}
  if (hasColumn('master_key_proofs', 'proof')) {
    const { rows } = await client.query<{ id: string; proof: Buffer }>(
      'select key_id as id, proof from master_key_proofs',
    )
    for (const { id, proof } of rows) proofs[id] = proof.toString('base64')
  }
  const needed = new Set(Object.keys(proofs))
  for (const { table, column } of Object.values(SEALED)) {
    if (!hasColumn(table, column)) continue
    const { rows } = await client.query<{ id: string }>(
      `select distinct ${keyIdOf(column)} as id from ${table} where length(${column}) > 0`,
    )
    // An id that no ring can name is a damaged value.
    for (const { id } of rows) if (/^[A-Za-z0-9_-]{1,32}$/.test(id)) needed.add(id)
  }
  return { needed: [...needed].sort(), proofs }
}

/** What keeps a ring, or none, from opening the secrets of a backup; undefined where nothing does. */
export function problemWithKeys(
  { needed, proofs }: Header['masterKeys'],
  given: MasterKeys | null,
): string | undefined {
  if (needed.length === 0) return undefined
  if (given === null)
    return `The backup was made with the master key ${needed.join(', ')}, and none is given: set MASTER_KEY or MASTER_KEY_FILE to it. Nothing was written.`
  const { keyring, source } = given
  const wrong = Object.entries(proofs).flatMap(([id, proof]) =>
    keyring.ids.includes(id) && !keyring.proves(id, Buffer.from(proof, 'base64')) ? [id] : [],
  )
  if (wrong.length > 0)
    return `${source} has another key by the id ${wrong.join(', ')} than the one this backup was made with: give that one. Nothing was written.`
  const missing = needed.filter((id) => !keyring.ids.includes(id))
  if (missing.length > 0)
    return `${source} has no key ${missing.join(', ')}, which this backup was made with: add it after the others. Nothing was written.`
  return undefined
}
