import { streamXlsxRows } from 'hucre/xlsx'
import { inspect, type SheetFound } from './archive.ts'
import { type FoundCell, type FoundRow, Unreadable } from './found.ts'

/** The one place that knows the library which reads workbooks. */
export async function readXlsx(
  bytes: Buffer,
  wanted: string | null,
): Promise<{ sheets: readonly string[]; sheet: string; rows: AsyncIterable<FoundRow> }> {
  const found = await inspect(bytes)
  const sheets = found.map(({ name }) => name)
  // What somebody has hidden is seldom what they mean.
  const sheet =
    wanted === null
      ? (found.find(({ isHidden }) => !isHidden) ?? found[0]!)
      : found.find(({ name }) => name === wanted)
  if (!sheet) throw new Unreadable(`It has no sheet ${wanted}: choose one of ${sheets.join(', ')}.`)
  return { sheets, sheet: sheet.name, rows: rowsOf(bytes, sheet) }
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
