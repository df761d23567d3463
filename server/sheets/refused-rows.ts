import { z } from 'zod'
import { Streamed, streamed } from '../bytes.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { id, NEEDS, PATH } from './begin-bulk-change.ts'
import { type BulkChange, findBulkChange } from './bulk-change.ts'
import type { Problem } from './bulk-row.ts'
import type { Cell } from './cells.ts'
import { columnsOf, readSheetWords } from './columns.ts'
import { type FileForm, inOrder, jsonForm } from './file-form.ts'
import type { FoundCell } from './read-file.ts'
import { MERGED } from './reading/sheet-marks.ts'
import { dayAlone } from './shown-columns.ts'
import { typeOf } from './write-export.ts'
import { xlsxForm } from './xlsx/write-xlsx.ts'

/*
 * The rows of a file that were not taken, as a file of their own with what is wrong with each: mended there, they are
 * brought in again. A file of JSON comes as JSON, since its lists are no text.
 */

const ROW = 'Row in the file'
const WRONG = 'What is wrong'
const PAGE = 500

interface RefusedRow {
  readonly number: number
  readonly cells: readonly FoundCell[]
  readonly problems: readonly Problem[]
}

export const downloadRefusedRows = operation({
  name: 'downloadRefusedRows',
  method: 'GET',
  path: `${PATH}/{id}/refused`,
  needs: NEEDS,
  writes: false,
  answers: 'stream',
  title: 'Download the rows of a file that have errors',
  description:
    'With a column that says what is wrong with each; corrected there, the file is imported again.',
  input: z.strictObject({ id }),
  output: streamed,
  refusals: ['conflict'],
  run: async (context, input) => {
    const bulk = await findBulkChange(context, input.id)
    const first = await context.tx.read<RefusedRow>(refused(context.tx.organizationId, bulk.id, -1, 1))
    if (bulk.origin !== 'file' || first.length === 0)
      throw new Refusal('conflict', 'No row of a file was refused: there is nothing to correct.')
    const isJson = bulk.fileName?.toLowerCase().endsWith('.json') ?? false
    const columns = columnsOf(bulk.kind, await readSheetWords(context, bulk.kind))
    const titles = new Map(columns.map(({ key, title }) => [key, title]))
    const parts = isJson
      ? await written(context, bulk, jsonRows(bulk, titles))
      : await written(context, bulk, sheetRows(bulk, titles))
    const name = (bulk.fileName ?? 'file').replace(/\.\w{1,5}$/, '')
    return new Streamed({
      name: `${name}-errors.${isJson ? 'json' : 'xlsx'}`,
      type: typeOf(isJson ? 'json' : 'xlsx'),
      bytes: null,
      open: () => sent(parts),
    })
  },
})

interface RowsForm<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: each form has a state of its own
  readonly form: FileForm<Row, any>
  readonly rowOf: (row: RefusedRow) => Row
}

/** What the columns of the kind are called, by their keys. */
type Titles = ReadonlyMap<string, string>

const sheetRows = (bulk: BulkChange, called: Titles): RowsForm<readonly Cell[]> => {
  const titles = [...(bulk.columns ?? []).map(({ title }) => title), ROW, WRONG]
  const columns = titles.map((title) => ({ title, form: 'text' as const }))
  return {
    form: xlsxForm([{ name: bulk.sheet ?? 'Rows with errors', columns }]),
    rowOf: (row) => [
      ...titles.slice(0, -2).map((_, at) => plain(row.cells[at] ?? null)),
      row.number,
      wordsOf(bulk, row, called),
    ],
  }
}

const jsonRows = (bulk: BulkChange, called: Titles): RowsForm<unknown> => ({
  form: jsonForm([{ before: '[', behind: ']\n' }]),
  rowOf: (row) => ({
    ...Object.fromEntries(
      (bulk.columns ?? []).flatMap(({ title }, at) => {
        const cell = row.cells[at] ?? null
        if (cell === null) return []
        return [[title, typeof cell === 'object' && 'json' in cell ? cell.json : plain(cell)]]
      }),
    ),
    [WRONG]: wordsOf(bulk, row, called),
  }),
})

/** A date as people write it, and what JSON has as its text. */
const plain = (cell: FoundCell): Cell =>
  typeof cell !== 'object' || cell === null
    ? cell
    : 'date' in cell
      ? dayAlone(cell.date)!
      : JSON.stringify(cell.json)

const wordsOf = ({ columns }: BulkChange, { problems }: RefusedRow, called: Titles): string =>
  problems
    .map(({ column, field, message }) => {
      const title =
        (column === null ? null : columns?.[column]?.title) ?? (field && (called.get(field) ?? field))
      return title ? `${title}: ${message}` : message
    })
    .join('\n')

async function written<Row>({ tx }: TransactionContext, { id }: BulkChange, { form, rowOf }: RowsForm<Row>) {
  let { state, parts } = await form.begin()
  for (let after = -1; ; ) {
    const rows = await unmerged(
      tx,
      id,
      await tx.read<RefusedRow>(refused(tx.organizationId, id, after, PAGE)),
    )
    if (rows.length === 0) return inOrder([...parts, ...(await form.end(state))])
    const added = await form.add(state, 0, rows.map(rowOf))
    state = added.state
    parts = [...parts, ...added.parts]
    after = rows.at(-1)!.number
  }
}

/** What a cell is merged with stands in the nearest row above it that is not: that is what somebody sees there. */
async function unmerged(
  tx: Transaction,
  id: string,
  rows: readonly RefusedRow[],
): Promise<readonly RefusedRow[]> {
  const merged = rows.flatMap(({ number, cells }) =>
    cells.flatMap((cell, place) => (cell === MERGED ? [{ number, place }] : [])),
  )
  if (merged.length === 0) return rows
  const numbers = merged.map(({ number }) => number)
  const places = merged.map(({ place }) => place)
  const found = await tx.read<{ number: number; place: number; cell: FoundCell }>(
    above(tx.organizationId, id, numbers, places, JSON.stringify(MERGED)),
  )
  const said = new Map(found.map(({ number, place, cell }) => [`${number} ${place}`, cell]))
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, place) => said.get(`${row.number} ${place}`) ?? cell),
  }))
}

const above = statement(`
  select m.number, m.place, a.cells->m.place as cell
    from unnest($3::int[], $4::int[]) as m (number, place), lateral (
      select cells from bulk_change_rows
       where organization_id = $1 and bulk_change_id = $2 and number < m.number and cells->m.place is distinct from $5::jsonb
       order by number desc limit 1) a`)

async function* sent(parts: readonly Uint8Array[]) {
  yield* parts
}

const refused = statement(`
  select number, cells, problems from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and number > $3::int and (planned = 'error' or done = 'refused')
   order by number limit $4::int`)
