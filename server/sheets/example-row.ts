import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { type Cell, listed } from './cells.ts'
import type { SheetColumn } from './columns.ts'
import type { FoundCell } from './read-file.ts'
import { columnAt, type Recognised } from './recognise.ts'
import { textOf } from './take-cell.ts'

/*
 * The workbook to fill in has a row that shows how that is done. Whoever fills it in may leave the row where it is: in a
 * workbook of ours it is known by being just as it was written, and no record is made of it.
 */

/** The sheet by which a workbook is known as one that was written here. */
export const ABOUT_COLUMNS = 'About the columns'

/** What stands in the example of a kind, beneath a column. */
export function exampleOf({ example = {}, required }: Kind, { path, field, words }: SheetColumn): Cell {
  const [name = ''] = path
  const value = path.length === 1 ? (example as Values)[name] : undefined
  if (typeof value === 'string') return words.get(value) ?? value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return listed(value.map((one) => words.get(one) ?? one))
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return required.includes(name) && field.form === 'line' ? field.title : null
}

/** Whether a row of a file is that example, unchanged. */
export function isExample(
  kind: Kind,
  all: readonly SheetColumn[],
  columns: readonly Recognised[],
  cells: readonly FoundCell[],
): boolean {
  const told = columns.flatMap(({ key }, at) => {
    const column = key === null ? undefined : columnAt(all, key)
    return column ? [{ column, cell: cells[at] ?? null }] : []
  })
  const isNothingElse = cells.every((cell, at) => isBlank(cell) || (columns[at]?.key ?? null) !== null)
  const isWhole = all.every(
    (column) => exampleOf(kind, column) === null || told.some((one) => one.column.key === column.key),
  )
  return (
    isNothingElse &&
    isWhole &&
    told.every(({ column, cell }) => isSame(column, cell, exampleOf(kind, column)))
  )
}

const isBlank = (cell: FoundCell): boolean => cell === null || cell === ''

/** A spreadsheet keeps a date as a moment. */
function isSame(column: SheetColumn, cell: FoundCell, example: Cell): boolean {
  if (example === null || isBlank(cell)) return example === null && isBlank(cell)
  const [one, other] = [textOf(cell, column), textOf(example, column)]
  return one === other || (column.field.form === 'instant' && Date.parse(one) === Date.parse(other))
}
