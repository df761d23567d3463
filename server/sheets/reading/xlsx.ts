import { streamXlsxRows } from 'hucre/xlsx'
import { inspect, type SheetFound } from './archive.ts'
import { type FoundCell, type FoundRow, LIMITS, Unreadable } from './found.ts'
import { MERGED } from './sheet-marks.ts'

/** The one place that knows the library which reads workbooks. */
export async function readXlsx(
  bytes: Buffer,
  wanted: string | null,
): Promise<{ sheets: readonly string[]; sheet: string; rows: AsyncIterable<FoundRow> }> {
  const found = await inspect(bytes)
  const sheets = found.map(({ name }) => name)
  if (wanted === null) return { sheets, ...(await firstWithRows(bytes, found)) }
  const sheet = found.find(({ name }) => name === wanted)
  if (!sheet) throw new Unreadable(`It has no sheet ${wanted}: choose one of ${sheets.join(', ')}.`)
  return { sheets, sheet: sheet.name, rows: rowsOf(bytes, sheet) }
}

interface Sheet {
  readonly sheet: string
  readonly rows: AsyncIterable<FoundRow>
}

/**
 * A cover has a title and no rows beneath it. What somebody has hidden is seldom what they mean.
 * @returns the first sheet that has more, of some at the beginning; where none has, the first
 */
async function firstWithRows(bytes: Buffer, found: readonly SheetFound[]): Promise<Sheet> {
  const seen = found.filter(({ isHidden }) => !isHidden)
  const tried = (seen.length > 0 ? seen : found).slice(0, LIMITS.sheetsTried)
  const [first] = tried
  for (const one of tried) {
    const rows = rowsOf(bytes, one)
    const begin: FoundRow[] = []
    for (let filled = 0; filled < 2; ) {
      const next = await rows.next()
      if (next.done) break
      begin.push(next.value)
      if (next.value[1].some((cell) => cell !== null && cell !== '' && cell !== MERGED)) filled += 1
      if (filled === 2) return { sheet: one.name, rows: resumed(begin, rows) }
    }
  }
  return { sheet: first!.name, rows: rowsOf(bytes, first!) }
}

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
