import type { Values } from '../../model/complaint.ts'
import { listed } from './cells.ts'
import { type SheetColumn, valueIn } from './columns.ts'
import { type FoundCell, isEmpty } from './read-file.ts'
import { dayAlone } from './shown-columns.ts'
import { textOf } from './take-cell.ts'

/* The value that a problem is about, as whoever mends it finds it: short, and in the words of the file. */

const LONGEST = 200

export const shortened = (value: string): string => value.slice(0, LONGEST).toWellFormed()

/** What stands in a cell; null where nothing does. */
export const shownValue = (cell: FoundCell, column: SheetColumn): string | null =>
  isEmpty(cell) ? null : shortened(dayAlone(textOf(cell, column)) ?? '')

/** What a row of a selection gives a column, as people read it; null for people, records and objects. */
export function shownGiven(given: Values, column: SheetColumn): string | null {
  const value = valueIn(given, column)
  const all = Array.isArray(value) ? value : [value]
  if (all.some((one) => one === null || typeof one === 'object')) return null
  const words = all.map((one) => column.words.get(String(one)) ?? String(one))
  const shown = Array.isArray(value) ? listed(words) : words[0]!
  return shown === null ? null : shortened(String(shown))
}
