import type { Cell } from './cells.ts'
import { csvForm, type FileForm, inOrder } from './file-form.ts'
import { type XlsxColumn, xlsxForm } from './xlsx/write-xlsx.ts'

/** A list that is one sheet, for what is no register of records. */
export interface WholeSheet {
  readonly name: string
  readonly columns: readonly XlsxColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * A file of few rows, written within the call.
 *
 * @param further sheets that only a workbook has: CSV is the first sheet
 */
export function wholeFile(
  format: 'csv' | 'xlsx',
  sheet: WholeSheet,
  ...further: readonly WholeSheet[]
): Promise<Buffer> {
  const all = [sheet, ...further]
  return format === 'csv'
    ? written(csvForm(sheet.columns.map(({ title }) => title)), [sheet.rows])
    : written(
        xlsxForm(all),
        all.map(({ rows }) => rows),
      )
}

async function written<State>(
  form: FileForm<readonly Cell[], State>,
  sheets: readonly (readonly (readonly Cell[])[])[],
): Promise<Buffer> {
  let { state, parts } = await form.begin()
  for (const [sheet, rows] of sheets.entries()) {
    const added = await form.add(state, sheet, rows)
    state = added.state
    parts = [...parts, ...added.parts]
  }
  return Buffer.concat([...inOrder([...parts, ...(await form.end(state))])])
}
