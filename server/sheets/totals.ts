import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { FoundCell } from './read-file.ts'
import { isTotal } from './vocabulary/words.ts'

/*
 * Rows below a table that add it up are no records: they are left out, and the user can take them back in. Only the last
 * rows of a file are looked at, and only those whose other cells are numbers.
 */

const LAST_ROWS = 3

export async function leaveOutTotals(
  tx: Transaction,
  bulkChangeId: string,
  columns: readonly unknown[],
): Promise<void> {
  if (columns.length < 2) return
  const last = await tx.read<{ number: number; cells: FoundCell[] }>(
    lastRows(tx.organizationId, bulkChangeId, LAST_ROWS),
  )
  const totals: number[] = []
  for (const { number, cells } of last) {
    if (!isRowOfTotals(cells)) break
    totals.push(number)
  }
  if (totals.length > 0) tx.write(leaveOut(tx.organizationId, bulkChangeId, totals))
}

function isRowOfTotals(cells: readonly FoundCell[]): boolean {
  const filled = cells.filter((cell) => cell !== null && !(typeof cell === 'string' && cell.trim() === ''))
  const [first, ...others] = filled
  return typeof first === 'string' && isTotal(first) && others.every(isNumber)
}

/** Also with a currency or a sign of percent, as "1.200,50 €". */
const isNumber = (cell: FoundCell): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'string' && /^[^\p{L}]*\d[^\p{L}]*(\p{Lu}{3})?$/u.test(cell.trim()))

const lastRows = statement(`
  select number, cells from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 order by number desc limit $3::int`)

const leaveOut = statement(`
  with gone as (
    delete from bulk_change_rows
     where organization_id = $1 and bulk_change_id = $2 and number = any($3::int[]) returning *)
  insert into bulk_change_left_out (organization_id, bulk_change_id, number, cells, reason)
  select organization_id, bulk_change_id, number, cells, 'total' from gone`)
