import type { Kind } from '../../model/kind.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid } from '../refusal.ts'
import type { SheetColumn } from './columns.ts'
import { ABOUT_COLUMNS, isExample } from './example-row.ts'
import { shortened } from './problem-values.ts'
import { type FoundRow, LIMITS, type ReadFile, titleOf } from './read-file.ts'
import { MERGED } from './reading/sheet-marks.ts'
import { NOTHING_SAID, type Recognised, recognise, recogniseHead } from './recognise.ts'

/*
 * Where the names of the columns stand. A register often begins with what it is called, who keeps it and when it was
 * written, and its head comes beneath: it is the first row at the top that names the most columns of the kind. Where no
 * row names any, lines with one cell each above a row of several are no head either.
 */

/** A file by its head. */
export interface HeadedFile {
  /** The row in which it stands, as a spreadsheet counts them; 0 of JSON, which has none. */
  readonly headRow: number
  /** What stands at the top, row by row: what is above the head is left out. */
  readonly top: readonly { readonly row: number; readonly text: string; readonly isExample?: true }[]
  readonly columns: readonly (Recognised & { readonly title: string })[]
  /** The rows beneath it, as they are read. */
  readonly stretches: readonly string[]
}

export interface TopRow {
  readonly number: number
  readonly titles: readonly string[]
}

/**
 * @param wanted the row that was said to be the head; it is found where null
 * @throws {Refusal} `validation_failed` where there is no such row at the top, or nothing beneath it
 */
export async function findHead(
  { tx, caller }: TransactionContext,
  kind: Kind,
  columns: readonly SheetColumn[],
  file: ReadFile,
  wanted: number | null,
): Promise<HeadedFile> {
  const top = topOf(file)
  const head = headOf(top, wanted, (titles) => namedBy(kind, columns, titles))
  const recognised = await recogniseHead(tx, kind, columns, head.titles, caller.userId)
  const below = beneath(file, head.number)
  const example = file.sheets.includes(ABOUT_COLUMNS)
    ? rowsIn(below[0] ?? NONE).find(([, cells]) => isExample(kind, columns, recognised, cells))?.[0]
    : undefined
  const stretches = example === undefined ? below : without(below, example)
  if (stretches.length === 0)
    throw invalid({ path: 'content', message: 'has no rows beneath the names of its columns: add some' })
  return {
    headRow: head.number,
    top: top.map((row) => ({
      ...shownTop(row),
      ...(row.number === example ? { isExample: true as const } : {}),
    })),
    columns: head.titles.map((title, index) => ({ title, ...recognised[index]! })),
    stretches,
  }
}

/**
 * The row with the names of the columns.
 * @param named how many columns the titles of a row name
 * @throws {Refusal} `validation_failed` where the wanted row is none of those at the top
 */
export function headOf(
  top: readonly TopRow[],
  wanted: number | null,
  named: (titles: readonly string[]) => number,
): TopRow {
  const at = wanted === null ? headAmong(top, named) : top.findIndex(({ number }) => number === wanted)
  const head = top[at]
  if (head) return head
  throw invalid({
    path: 'headRow',
    message: `is no row at the top that has anything in it: give one of ${top.map(({ number }) => number).join(', ')}`,
  })
}

/** A row at the top as people see it when they say which is the head. */
export const shownTop = ({ number, titles }: TopRow): { readonly row: number; readonly text: string } => ({
  row: number,
  text: shortened(titles.filter((title) => title !== '').join(' · ')),
})

/** The rows at the top, as titles. One that is merged with the cell above is called as that. */
export function topOf({ head, headRow, stretches }: ReadFile): TopRow[] {
  const rows = stretches.length > 0 && headRow > 0 ? rowsIn(stretches[0]!) : []
  const top: TopRow[] = [{ number: headRow, titles: head }]
  for (const [number, cells] of rows.slice(0, LIMITS.headAmong - 1)) {
    const above = top.at(-1)!.titles
    const titles = cells.map((cell, column) => (cell === MERGED ? (above[column] ?? '') : titleOf(cell)))
    top.push({ number, titles })
  }
  return top
}

/** A cell with more is no title. */
const TITLE_AT_MOST = 200

/**
 * By the columns only and not by what was said of titles: of a file without a head, that was said of values, which may
 * be in any row.
 */
const namedBy = (kind: Kind, columns: readonly SheetColumn[], titles: readonly string[]): number => {
  const short = titles.map((title) => (title.length > TITLE_AT_MOST ? '' : title))
  return recognise(kind, columns, NOTHING_SAID, short).filter(({ key }) => key !== null).length
}

function headAmong(top: readonly TopRow[], namedIn: (titles: readonly string[]) => number): number {
  const named = ({ titles }: TopRow): number => namedIn(titles)
  const filled = ({ titles }: TopRow): number => titles.filter((title) => title !== '').length
  const [first, ...others] = top as [TopRow, ...TopRow[]]
  const ofFirst = named(first)
  if (ofFirst > 1 && ofFirst * 2 >= filled(first)) return 0
  const counts = others.map(named)
  const most = Math.max(...counts, 0)
  if (most > 1 && most > ofFirst) return 1 + counts.indexOf(most)
  const isLine = ofFirst === 0 && filled(first) === 1
  return isLine ? 1 + others.findIndex((row) => filled(row) > 2) : 0
}

export function beneath({ stretches }: ReadFile, headRow: number): readonly string[] {
  const [first, ...others] = stretches
  if (first === undefined) return []
  const rows = rowsIn(first)
  const left = rows.filter(([number]) => number > headRow)
  if (left.length === rows.length) return stretches
  return left.length > 0 ? [JSON.stringify({ rows: left }), ...others] : others
}

/** Without one row, which stands in the first stretch. */
function without([first, ...others]: readonly string[], number: number): readonly string[] {
  const left = rowsIn(first!).filter((row) => row[0] !== number)
  return left.length > 0 ? [JSON.stringify({ rows: left }), ...others] : others
}

const NONE = '{"rows":[]}'

const rowsIn = (stretch: string): readonly FoundRow[] => (JSON.parse(stretch) as { rows: FoundRow[] }).rows
