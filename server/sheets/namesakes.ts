import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { comparedColumn, uniquesOf } from '../../model/unique.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { mayRead } from '../records/readable.ts'
import { KNOWN } from './address-rows.ts'
import { type BulkChange, mappedColumns } from './bulk-change.ts'
import { isKey } from './columns.ts'

/*
 * A list of vendors that is brought in a second time, and says of no row which record it is about, would add each of them
 * once more; and one of people could add none, as no two may have the same e-mail. Where records are called as such rows
 * are, or have what no other may, that is told, and that rows could be known by it; it is for a person to say that they
 * are the same.
 */

export interface Namesakes {
  /** The key of the column by which these rows would be known. */
  readonly field: string
  readonly title: string
  /** Whether no two records may have the same there: such rows cannot be added. */
  readonly isUnique: boolean
  /** Rows that would add a record and have there what one has that is here. */
  readonly count: number
}

/** @returns null where no row is, or what they are known by was said */
export async function namesakesIn(context: TransactionContext, bulk: BulkChange): Promise<Namesakes | null> {
  const { tx, caller } = context
  const { id, kind, origin, stage, identity } = bulk
  if (origin !== 'file' || stage !== 'planned' || identity !== KNOWN || !mayRead(caller, kind)) return null
  const mapped = await mappedColumns(context, bulk)
  for (const { field, isUnique } of tellingApart(kind)) {
    const found = mapped.find(({ column }) => column.key === field)
    if (!found || !isKey(found.column)) continue
    const [row] = await tx.read<{ count: number }>(
      countNamesakes(kind, field, isUnique)(tx.organizationId, id, found.index),
    )
    const { count } = row!
    if (count > 0) return { field, title: found.column.title, isUnique, count }
  }
  return null
}

/** By what a row may be known: what no two records may have alike, before what they are called. */
function tellingApart(kind: Kind): readonly Pick<Namesakes, 'field' | 'isUnique'>[] {
  const unique = uniquesOf(kind).flatMap(({ field, fields, states }) =>
    fields.length === 1 && !states && field !== 'externalId' ? [{ field, isUnique: true }] : [],
  )
  return [...unique, { field: kind.named, isUnique: false }]
}

/** Of rows that say which record they are about, by an external id that is new, it is said that they add one. */
const countNamesakes = (kind: Kind, field: string, isUnique: boolean) => {
  const column = comparedColumn(kind, field)
  const word = 'btrim(cells->>$3::int)'
  return statement(`
    select count(*)::int as count from bulk_change_rows r
     where organization_id = $1 and bulk_change_id = $2 and done is null and identity is null
       and planned ${isUnique ? "in ('create', 'error')" : "= 'create'"}
       and ${column === columnOf(field) ? word : `lower(${word})`} in (select ${column} from ${kind.table} where organization_id = $1)`)
}
