import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import { isOtherCustomFields, type SheetColumn, valueIn } from './columns.ts'
import type { Names } from './names.ts'

/** What stands in a cell that is written; a date is its text. */
export type Cell = string | number | boolean | null

/** Letters that a cell of a workbook holds: spreadsheets refuse a file with more. */
const CELL_AT_MOST = 32_767
const CUT = ' … [cut here: a cell of a workbook holds no more; CSV and JSON have all of it]'

/** A text as a cell of a workbook holds it: where it is longer, it says at its end that it was cut. */
export const fitted = (text: string): string =>
  text.length > CELL_AT_MOST ? text.slice(0, CELL_AT_MOST - CUT.length).toWellFormed() + CUT : text

/** Whether a text was cut as it was written. */
export const isCut = (text: string): boolean => text.length > CUT.length && text.endsWith(CUT)

/** What a text would be in a file, where another comes from one: cut if that is. */
export const fittedLike = (found: string, text: string): string => (isCut(found) ? fitted(text) : text)

/** How choices are written: by the words that people read, or by their keys. */
export type CellWords = 'shown' | 'keys'

/** What a cell says of a record. Lists are parted by strokes, and whoever and whatever is pointed at is named. */
export function cellOf(
  column: SheetColumn,
  record: Values,
  names: Names,
  defined: ReadonlySet<string>,
  asWords: CellWords,
): Cell {
  const { field, words, side, part } = column
  if (side) return listed(names.linksOf(side, record.id as string))
  const value = isOtherCustomFields(column) ? othersIn(record, defined) : valueIn(record, column)
  if (value === null) return null
  if (part) return listed((value as Values[]).map((one) => String(one[part])))
  const shown = (key: unknown) =>
    asWords === 'shown' ? (words.get(String(key)) ?? String(key)) : String(key)
  switch (field.form) {
    case 'number':
    case 'flag':
      return typeof value === 'object' ? JSON.stringify(value) : (value as Cell)
    case 'choice':
      return shown(value)
    case 'choices':
      return Array.isArray(value) ? listed(value.map(shown)) : JSON.stringify(value)
    case 'words':
      return Array.isArray(value) ? listed(value.map(String)) : JSON.stringify(value)
    case 'principal':
      return names.principal(value as { refId: string; displayName: string })
    case 'record':
      return names.record(String(value))
    case 'instant':
      return field.isDeadline && asWords === 'shown' ? names.until(String(value)) : String(value)
    case 'objects':
      return (asWords === 'shown' && !column.isTaken && namesIn(column, value)) || jsonOf(value)
    default:
      return typeof value === 'object' ? jsonOf(value) : String(value)
  }
}

/** What the objects of a list are called, where they are called something, such as files. */
function namesIn({ field: { parts } }: SheetColumn, value: unknown): Cell {
  if (!Array.isArray(value) || !parts.some(({ name }) => name === 'name')) return null
  return listed(value.map((one: Values) => String(one.name)))
}

/** The custom fields of a record that have no column of their own. */
export function othersIn(record: Values, defined: ReadonlySet<string>): Values | null {
  const all = Object.entries((record[CUSTOM_FIELDS] as Values | null) ?? {})
  const others = all.filter(([name]) => !defined.has(name))
  return others.length > 0 ? Object.fromEntries(others) : null
}

const jsonOf = (value: unknown): Cell =>
  Array.isArray(value) && value.length === 0 ? null : JSON.stringify(value)

/** A list as one cell: its items are parted by strokes. */
export const listed = (items: readonly string[]): Cell =>
  items.length === 0 ? null : items.map((item) => item.replaceAll(/[\\|]/g, '\\$&')).join('|')

/** The items of a list as `listed` wrote it, or as a person did. */
export function itemsIn(text: string): string[] {
  const items = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    const last = items.length - 1
    if (letter === '\\' && /[\\|]/.test(text[at + 1] ?? '')) items[last] = `${items[last]}${text[++at]}`
    else if (letter === '|') items.push('')
    else items[last] = `${items[last]}${letter}`
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}
