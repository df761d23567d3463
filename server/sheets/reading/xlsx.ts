import { streamXlsxRows } from 'hucre/xlsx'
import { inspect } from './archive.ts'
import { type FoundCell, type FoundRow, Unreadable } from './found.ts'

/** The one place that knows the library which reads workbooks. */
export async function readXlsx(
  bytes: Buffer,
  wanted: string | null,
): Promise<{ sheets: readonly string[]; sheet: string; rows: AsyncIterable<FoundRow> }> {
  const sheets = await inspect(bytes)
  const sheet = wanted ?? sheets[0]!
  if (!sheets.includes(sheet))
    throw new Unreadable(`It has no sheet ${sheet}: choose one of ${sheets.join(', ')}.`)
  return { sheets, sheet, rows: rowsOf(bytes, sheet) }
}

async function* rowsOf(bytes: Buffer, sheet: string): AsyncGenerator<FoundRow> {
  for await (const { index, values } of streamXlsxRows(bytes, { sheet }))
    if (values.some((value) => value !== null && value !== ''))
      yield [index + 1, values.map((value) => cellOf(value as string | number | boolean | Date | null))]
}

/** A moment is kept to the millisecond: what a spreadsheet reckons with is a little beside it. */
function cellOf(value: string | number | boolean | Date | null): FoundCell {
  if (!(value instanceof Date)) return value
  return Number.isNaN(value.getTime()) ? null : { date: value.toISOString() }
}
