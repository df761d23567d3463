import type pg from 'pg'
import { HASHED, type HashedColumn, type HashedName } from './credential-hashes.ts'
import { keyIdOf } from './master-key-proof.ts'
import { SEALED, type SealedColumn, type SealedColumnName } from './sealed-columns.ts'

/** How much still needs a master key that is not the first of the ring. */
export interface OlderKeyUse {
  readonly what: SealedColumnName | HashedName
  readonly title: string
  /** Null for a hash from before its key was recorded. */
  readonly keyId: string | null
  readonly count: number
  /** How it comes under the first key. */
  readonly movesWhen: string
  /** Prefixes of keys, or e-mails of people: those that somebody has to be asked for. */
  readonly whose?: readonly string[]
}

/** A query in one of the roles that see every organization. */
export type AskAs = (role: SealedColumn['role'], text: string, values: unknown[]) => Promise<pg.QueryResult>

/**
 * Counts what would be lost if the older keys were gone now. What is over within a day by itself (a sign-in under
 * way, the answer to a repeated request) is not counted: its rows do not name their key.
 * @param keyIds of the ring, the first one first
 */
export async function olderKeyUses(ask: AskAs, keyIds: readonly string[]): Promise<OlderKeyUse[]> {
  const uses: OlderKeyUse[] = []
  for (const [what, { table, column, role, title }] of Object.entries(SEALED)) {
    const keyId = keyIdOf(column)
    const { rows } = await ask(
      role,
      `select ${keyId} as "keyId", count(*)::int as count from ${table}
        where length(${column}) > 0 and ${keyId} <> $1 group by 1 order by 1`,
      [keyIds[0]],
    )
    const movesWhen = '`keyring reseal` moves them'
    uses.push(...rows.map((row) => ({ what: what as SealedColumnName, title, movesWhen, ...row })))
  }
  for (const [what, { table, isLive, title, movesWhen, whose }] of Object.entries<HashedColumn>(HASHED)) {
    // With one key there ever was, what names none can only be of that one.
    const isOlder = keyIds.length > 1 ? 'hashed_with is distinct from $1' : 'hashed_with <> $1'
    const { rows } = await ask(
      'plumbline_gate',
      `select hashed_with as "keyId", count(*)::int as count
          ${whose ? `, array_agg(distinct ${whose} order by ${whose}) as whose` : ''} from ${table}
        where ${isOlder} and ${isLive} group by 1 order by 1`,
      [keyIds[0]],
    )
    uses.push(...rows.map((row) => ({ what: what as HashedName, title, movesWhen, ...row })))
  }
  return uses
}
