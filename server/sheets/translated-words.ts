import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { type BulkChange, mappedColumns } from './bulk-change.ts'
import { itemsIn } from './cells.ts'
import { type MappedColumn, memorable } from './columns.ts'
import { optionCalled } from './take-cell.ts'

/*
 * Words of a file that no choice is called by, and that somebody has said the meaning of, for this file or for one
 * before it: they are taken for a choice without an error, and so they are told.
 */

export interface Translated {
  /** Its place in the file. */
  readonly column: number
  readonly field: string
  /** As it stands in the file; its letters alone where it stands there in no row. */
  readonly word: string
  readonly choice: string
  readonly count: number
}

/** @returns each word with its choice, those of the file first; nothing of a selection */
export async function translatedIn(context: TransactionContext, bulk: BulkChange): Promise<Translated[]> {
  const mapped = await mappedColumns(context, bulk)
  const told = mapped.filter(({ column }) => column.meanings)
  if (told.length === 0) return []
  const { tx } = context
  const places = told.map(({ index }) => index)
  const cells = await tx.read<StandingCell>(cellsAt(tx.organizationId, bulk.id, places))
  const all = told.flatMap((one) =>
    wordsOf(
      one,
      cells.filter(({ place }) => place === one.index),
    ),
  )
  return all.toSorted((one, other) => other.count - one.count)
}

interface StandingCell {
  readonly place: number
  readonly text: string
  readonly count: number
}

function wordsOf({ index, column }: MappedColumn, cells: readonly StandingCell[]): Translated[] {
  const counted = new Map<string, { word: string; count: number }>()
  for (const { text, count } of cells)
    for (const word of column.field.form === 'choices' ? itemsIn(text) : [text.trim()]) {
      if (optionCalled(column.words, word)) continue
      const letters = memorable(word)
      const before = counted.get(letters)
      counted.set(letters, { word: before?.word ?? word, count: (before?.count ?? 0) + count })
    }
  return [...column.meanings!].map(([letters, choice]) => ({
    ...{ column: index, field: column.key, choice },
    ...(counted.get(letters) ?? { word: letters, count: 0 }),
  }))
}

/** Lists of JSON have choices by their keys alone. */
const cellsAt = statement(`
  select place, cells->>place as text, count(*)::int as count
    from bulk_change_rows, unnest($3::int[]) as place
   where organization_id = $1 and bulk_change_id = $2 and jsonb_typeof(cells->place) in ('string', 'number')
   group by place, cells->>place order by min(number)`)
