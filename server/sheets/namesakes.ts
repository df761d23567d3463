import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { statementOf } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { mayRead } from '../records/readable.ts'
import { KNOWN } from './address-rows.ts'
import { type BulkChange, mappedColumns } from './bulk-change.ts'
import { isKey } from './columns.ts'

/*
 * A list of vendors that is brought in a second time, and says of no row which record it is about, would add each of them
 * once more. Where records are called as such rows are, that is told, and that rows could be known by it; it is for a
 * person to say that they are the same.
 */

export interface Namesakes {
  /** The key of the column by which these rows would be known. */
  readonly field: string
  readonly title: string
  /** Rows that would add a record and are called as one that is here. */
  readonly count: number
}

/** @returns null where no row is, or what they are known by was said */
export async function namesakesIn(context: TransactionContext, bulk: BulkChange): Promise<Namesakes | null> {
  const { tx, caller } = context
  const { id, kind, origin, stage, identity } = bulk
  if (origin !== 'file' || stage !== 'planned' || identity !== KNOWN || !mayRead(caller, kind)) return null
  const named = (await mappedColumns(context, bulk)).find(({ column }) => column.key === kind.named)
  if (!named || !isKey(named.column)) return null
  const [row] = await tx.read<{ count: number }>(countNamesakes(kind)(tx.organizationId, id, named.index))
  const { count } = row!
  return count === 0 ? null : { field: named.column.key, title: named.column.title, count }
}

/** Of rows that say which record they are about, by an external id that is new, it is said that they add one. */
const countNamesakes = statementOf(
  (kind: Kind) => `
  select count(*)::int as count from bulk_change_rows r
   where organization_id = $1 and bulk_change_id = $2 and planned = 'create' and done is null and identity is null
     and btrim(cells->>$3::int) in (select ${columnOf(kind.named)} from ${kind.table} where organization_id = $1)`,
)
