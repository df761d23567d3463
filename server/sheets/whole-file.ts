import type { Cell } from './cells.ts'
import { csvForm, type FileForm, inOrder } from './file-form.ts'
import { type XlsxColumn, xlsxForm } from './xlsx/write-xlsx.ts'

/** A list that is one sheet, for what is no register of records. */
export interface WholeSheet {
  readonly name: string
  readonly columns: readonly XlsxColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A file of so few rows that it is made at once. */
export function wholeFile(format: 'csv' | 'xlsx', sheet: WholeSheet): Promise<Buffer> {
  return format === 'csv'
    ? written(csvForm(sheet.columns.map(({ title }) => title)), sheet.rows)
    : written(xlsxForm([sheet]), sheet.rows)
}

async function written<State>(
  form: FileForm<readonly Cell[], State>,
  rows: readonly (readonly Cell[])[],
): Promise<Buffer> {
  const begun = await form.begin()
  const added = await form.add(begun.state, 0, rows)
  const ended = await form.end(added.state)
  return Buffer.concat([...inOrder([...begun.parts, ...added.parts, ...ended])])
}
