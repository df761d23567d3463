import type pg from 'pg'
import { type Keyring, MasterKeyRefused } from './keyring.ts'
import type { MasterKeys } from './master-key.ts'
import { SEALED, type SealedColumn, type SealedColumnName } from './sealed-columns.ts'

/*
 * Whether a ring is the one of a database.
 *
 * A service with a wrong key would look healthy: it would seal new secrets with it, and find none of its
 * credentials. So the first key of each ring that ever served leaves a proof, a value that it alone opens. At a
 * start every proof has to open, and every secret at rest has to have its key in the ring. A database from
 * before there were proofs is asked for one secret of each key instead.
 *
 * Rotation ends with `keyring reseal`, which removes the proofs of keys that nothing is sealed with any more:
 * from then on a ring may leave them out.
 */

export interface KeyFindings {
  /** Nothing in the database was sealed or hashed for anybody, so that any key will do. */
  readonly isUnused: boolean
  /** Keys that the database needs and the ring does not have. */
  readonly missing: readonly string[]
  /** Keys of the ring that are other ones than those the database knows by the same id. */
  readonly wrong: readonly string[]
  /** Whether the first key has left its proof already. */
  readonly isProven: boolean
}

/**
 * Checks a ring, or none, against a database of any version; writes nothing.
 * @param client logged in as the service
 */
export async function examineMasterKeys(client: pg.Client, keyring: Keyring | null): Promise<KeyFindings> {
  const proofs = await readProofs(client)
  const sealing = await sealingKeys(client)
  const ids = keyring?.ids ?? []
  const wrong: string[] = []
  for (const id of ids) {
    const proof = proofs.get(id)
    const holds = proof ? keyring!.proves(id, proof) : await opensWhatItSealed(client, keyring!, id)
    if (!holds) wrong.push(id)
  }
  return {
    isUnused: sealing.size === 0 && !(await hasOrganizations(client)),
    missing: [...new Set([...proofs.keys(), ...sealing])].filter((id) => !ids.includes(id)).sort(),
    wrong,
    isProven: keyring !== null && proofs.has(keyring.firstId),
  }
}

/** What is wrong with a ring, in one line, or undefined. */
export function problemWith({ missing, wrong }: KeyFindings, { source }: MasterKeys): string | undefined {
  if (wrong.length > 0)
    return `${source} has another key by the id ${wrong.join(', ')} than the one this database was written with: give that one.`
  if (missing.length > 0)
    return `${source} has no ${missing.join(', ')}, which this database was written with: add it behind the others.`
  return undefined
}

/** @returns what to say where the database needs a key, and there is none where it is kept */
export const keyIsLost = (path: string): string =>
  `There is no master key at ${path}, and the database beside it was written with one: put the file back from a backup, or give the key as MASTER_KEY. None is made, since no secret in the database would open with it.`

/**
 * Leaves the proof of a ring's first key, as the last step of a start. Of two starts at once with different keys,
 * the second is refused.
 * @param replaces the key was just made for a database that is unused: proofs of earlier ones mean nothing
 * @throws {MasterKeyRefused}
 */
export async function leaveProof(client: pg.Client, keys: MasterKeys, replaces: boolean): Promise<void> {
  await client.query('begin')
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('plumbline.master-key'))")
    const before = await examineMasterKeys(client, keys.keyring)
    const problem = problemWith(before, keys)
    const mayReplace = replaces && before.isUnused
    if (problem !== undefined && !mayReplace) throw new MasterKeyRefused(problem)
    await client.query('set local role plumbline_gate')
    if (mayReplace) await client.query('delete from master_key_proofs')
    await client.query(
      `insert into master_key_proofs (key_id, proof, created_at) values ($1, $2, clock_now())
       on conflict do nothing`,
      [keys.keyring.firstId, keys.keyring.proof()],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** A query in a role that sees every organization; no rows where the table does not exist yet. */
async function ask<R extends pg.QueryResultRow>(
  client: pg.Client,
  table: string,
  text: string,
  { role = 'plumbline_gate', values = [] }: { role?: SealedColumn['role']; values?: unknown[] } = {},
): Promise<R[]> {
  const { rows: found } = await client.query('select to_regclass($1) is not null as there', [table])
  if (!found[0].there) return []
  await client.query(`set role ${role}`)
  const { rows } = await client.query<R>(text, values)
  await client.query('reset role')
  return rows
}

async function readProofs(client: pg.Client): Promise<Map<string, Buffer>> {
  const text = 'select key_id as id, proof from master_key_proofs'
  const rows = await ask<{ id: string; proof: Buffer }>(client, 'master_key_proofs', text)
  return new Map(rows.map(({ id, proof }) => [id, proof]))
}

const hasOrganizations = async (client: pg.Client): Promise<boolean> =>
  (await ask(client, 'organizations', 'select from organizations limit 1')).length > 0

/** The id that a sealed value begins with, as SQL. A damaged value has a strange one, or none. */
export const keyIdOf = (column: string): string =>
  `encode(substring(${column} from 2 for get_byte(${column}, 0)), 'escape')`

/** The ids of the keys that anything at rest is sealed with. One that no ring can name is damage, not a key. */
async function sealingKeys(client: pg.Client): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, column, role } of Object.values(SEALED)) {
    const text = `select distinct ${keyIdOf(column)} as id from ${table} where length(${column}) > 0`
    for (const { id } of await ask<{ id: string }>(client, table, text, { role }))
      if (/^[A-Za-z0-9_-]{1,32}$/.test(id)) ids.add(id)
  }
  return ids
}

/** Whether a key opens one of the values that name it, where any does. */
async function opensWhatItSealed(client: pg.Client, keyring: Keyring, id: string): Promise<boolean> {
  for (const [name, { table, column, role, ids }] of Object.entries(SEALED)) {
    const text = `select ${column} as sealed, array[${ids.join(', ')}] as ids from ${table}
      where length(${column}) > 0 and ${keyIdOf(column)} = $1 limit 3`
    const rows = await ask<{ sealed: Buffer; ids: string[] }>(client, table, text, { role, values: [id] })
    const opened = rows.some((row) => opens(keyring, row.sealed, name as SealedColumnName, row.ids))
    if (rows.length > 0) return opened
  }
  return true
}

function opens(keyring: Keyring, sealed: Buffer, name: SealedColumnName, ids: readonly string[]): boolean {
  try {
    keyring.open(sealed, name, ids)
    return true
  } catch {
    return false
  }
}
