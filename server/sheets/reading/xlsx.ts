import { streamXlsxRows } from 'hucre/xlsx'
import { folded, withoutBrackets } from './alike.ts'
import { inspect, type SheetFound } from './archive.ts'
import { type FoundCell, type FoundRow, LIMITS, titleOf, Unreadable } from './found.ts'
import { MERGED } from './sheet-marks.ts'

/** The one place that knows the library which reads workbooks. */
export async function readXlsx(
  bytes: Buffer,
  wanted: string | null,
  titles: ReadonlySet<string>,
): Promise<{ sheets: readonly string[]; sheet: string; rows: AsyncIterable<FoundRow> }> {
  const found = await inspect(bytes)
  const sheets = found.map(({ name }) => name)
  if (wanted === null) return { sheets, ...(await sheetOfRows(bytes, found, titles)) }
  const sheet = found.find(({ name }) => name === wanted)
  if (!sheet) throw new Unreadable(`It has no sheet ${wanted}: choose one of ${sheets.join(', ')}.`)
  return { sheets, sheet: sheet.name, rows: rowsOf(bytes, sheet) }
}

interface Sheet {
  readonly sheet: string
  readonly rows: AsyncIterable<FoundRow>
}

/**
 * A cover has a title and some lines, and not rows of several columns. What somebody has hidden is seldom what they mean.
 * @param titles what columns are called, by their letters
 * @returns of some sheets at the beginning, the first that names columns; where none does, the first that has several
 *   and rows beneath them; else the first that has rows at all
 */
async function sheetOfRows(
  bytes: Buffer,
  found: readonly SheetFound[],
  titles: ReadonlySet<string>,
): Promise<Sheet> {
  const seen = found.filter(({ isHidden }) => !isHidden)
  const tried = (seen.length > 0 ? seen : found).slice(0, LIMITS.sheetsTried)
  const looks: { readonly one: SheetFound; readonly widest: number; readonly filled: number }[] = []
  for (const one of tried) {
    const rows = rowsOf(bytes, one)
    const begin: FoundRow[] = []
    let widest = 0
    let filled = 0
    while (begin.length < LIMITS.headAmong) {
      const next = await rows.next()
      if (next.done) break
      begin.push(next.value)
      const cells = next.value[1].filter((cell) => cell !== null && cell !== '' && cell !== MERGED)
      widest = Math.max(widest, cells.length)
      if (cells.length > 0) filled += 1
      const named = cells.filter((cell) => titles.has(folded(withoutBrackets(titleOf(cell)))))
      const isHead = named.length > 1 && named.length * 2 >= cells.length
      if (isHead) return { sheet: one.name, rows: resumed(begin, rows) }
    }
    await rows.return(undefined)
    looks.push({ one, widest, filled })
  }
  const withRows = looks.filter(({ filled }) => filled > 1)
  const { one } =
    withRows.find(({ widest }) => widest >= SEVERAL) ??
    withRows.find(({ widest }) => widest > 1) ??
    withRows[0] ??
    looks[0]!
  return { sheet: one.name, rows: rowsOf(bytes, one) }
}

/** Columns that a register has at least; two are also what a cover says of itself, line by line. */
const SEVERAL = 3

async function* resumed(
  begin: readonly FoundRow[],
  rows: AsyncGenerator<FoundRow>,
): AsyncGenerator<FoundRow> {
  yield* begin
  yield* rows
}

async function* rowsOf(bytes: Buffer, { name, marks }: SheetFound): AsyncGenerator<FoundRow> {
  const mark = marks.marker<string | number | boolean | Date>()
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: name })) {
    const cells = mark(index + 1, values as (string | number | boolean | Date | null)[])
    if (cells.some((cell) => cell !== null && cell !== '')) yield [index + 1, cells.map(cellOf)]
  }
}

/** A moment is kept to the millisecond: what a spreadsheet reckons with is a little beside it. */
function cellOf(value: string | number | boolean | Date | null): FoundCell {
  if (!(value instanceof Date)) return value
  return Number.isNaN(value.getTime()) ? null : { date: value.toISOString() }
}
