import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { KeptColumn } from './bulk-change.ts'
import { isDate, type SheetColumn } from './columns.ts'
import { columnAt, type Recognised } from './recognise.ts'

/*
 * What comes first in dates such as 03/04/2027 is said of a file by whoever brings it in, and offered to them before:
 * other dates of the same file may be read in only one way, such as 31/12/2026; where none is, what they said themselves
 * of an earlier file. A file whose dates contradict each other is offered nothing.
 */

/** @param columns of the file, whose rows are written */
export async function withDatesOffered(
  tx: Transaction,
  id: string,
  all: readonly SheetColumn[],
  columns: readonly (Recognised & { readonly title: string })[],
): Promise<readonly KeptColumn[]> {
  const places = columns.flatMap(({ key }, place) => {
    const column = key === null ? undefined : columnAt(all, key)
    return column && isDate(column) ? [place] : []
  })
  const bare = columns.map(({ dates: _, ...column }) => column)
  if (places.length === 0) return bare
  const [told] = await tx.read<{ isDayFirst: boolean | null; isMonthFirst: boolean | null }>(
    orderIn(tx.organizationId, id, places),
  )
  const { isDayFirst, isMonthFirst } = told!
  if (isDayFirst && isMonthFirst) return bare
  if (isDayFirst || isMonthFirst)
    return bare.map((column) => ({
      ...column,
      ...{ dates: isDayFirst ? 'day_first' : 'month_first', datesFrom: 'file' },
    }))
  const [said, ...others] = new Set(places.flatMap((place) => columns[place]!.dates ?? []))
  if (!said || others.length > 0) return bare
  return bare.map((column) => ({ ...column, dates: said, datesFrom: 'earlier' }))
}

/** Only a day is a number above 12. */
const DAY = '(1[3-9]|2[0-9]|3[01])'
const orderIn = statement(`
  select bool_or(cell ~ '^${DAY}[/-][0-9]{1,2}[/-][0-9]{4}$') as "isDayFirst",
         bool_or(cell ~ '^[0-9]{1,2}[/-]${DAY}[/-][0-9]{4}$') as "isMonthFirst"
    from bulk_change_rows, unnest($3::int[]) as place, trim(cells->>place) as cell
   where organization_id = $1 and bulk_change_id = $2`)
