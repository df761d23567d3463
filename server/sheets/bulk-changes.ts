import { sql } from 'kysely'
import { z } from 'zod'
import { build } from '../database/build.ts'
import { operation } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { id, NEEDS, PATH } from './begin-bulk-change.ts'
import { bulkChange, findBulkChange, shownBulkChange } from './bulk-change.ts'
import { DONE, PLANNED } from './row-counts.ts'
import { textShown } from './shown-columns.ts'

/* Changes of many records, as they are looked at. */

export const getBulkChange = operation({
  name: 'getBulkChange',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: NEEDS,
  writes: false,
  title: 'Read a change of many records',
  description: 'How far it has come, and how many rows come to what.',
  input: z.strictObject({ id }),
  output: bulkChange,
  run: async (context, input) => shownBulkChange(context, await findBulkChange(context, input.id)),
})

const rowShown = z
  .object({
    number: z.int().describe('As a spreadsheet shows it; of a selection, counted from 1'),
    cells: z.array(z.string()).nullable(),
    planned: z.enum(PLANNED).nullable(),
    done: z.enum(DONE).nullable(),
    record: z.object({ id: z.string(), reference: z.string(), title: z.string() }).nullable(),
    changes: z
      .array(
        z.object({
          field: z.string().describe('The key of its column'),
          before: z.string().nullable().describe('As an export says it; null: nothing'),
          after: z.string().nullable(),
        }),
      )
      .describe(
        'What the row would write, as it was planned: each field of a record that is added, and of another each that it changes',
      ),
    problems: z.array(
      z.object({
        column: z.int().nullable().describe('Its place in the file, counted from 0'),
        field: z.string().nullable(),
        value: z.string().nullable(),
        message: z.string().describe('What is wrong, and what would be right'),
      }),
    ),
  })
  .meta({ id: 'BulkChangeRow', title: 'A row of a change of many records' })

const ROWS: Order = {
  sort: 'number',
  column: sql.ref('r.number'),
  id: sql`r.number::text`,
  descending: false,
}

export const listBulkChangeRows = operation({
  name: 'listBulkChangeRows',
  method: 'GET',
  path: `${PATH}/{id}/rows`,
  needs: NEEDS,
  writes: false,
  title: 'List the rows of a change of many records',
  description:
    'Of each what it would come to, with each field that it would write before and after, or what is wrong with it; and what became of it.',
  input: z.strictObject({
    id,
    ...PAGE,
    planned: z
      .array(z.enum(PLANNED))
      .min(1)
      .optional()
      .meta({ title: 'Planned' })
      .describe('What they would come to'),
    done: z.array(z.enum(DONE)).min(1).optional().meta({ title: 'Done' }).describe('What became of them'),
  }),
  output: pageOf(rowShown),
  run: async (context, { id, limit, cursor, planned, done }) => {
    const { tx } = context
    await findBulkChange(context, id)
    const place = readCursor(cursor, ROWS.sort, z.int().min(0).max(2_000_000))
    const conditions = [
      sql`r.organization_id = ${tx.organizationId} and r.bulk_change_id = ${id}`,
      ...(planned ? [sql`r.planned = any(${planned})`] : []),
      ...(done ? [sql`r.done = any(${done})`] : []),
      ...(place ? [behind(ROWS, place)] : []),
    ]
    const rows = await tx.read<KeptRow>(
      build(sql`
        select r.number, r.cells, r.planned, r.done, r.problems, r.changes, k.id, k.reference, k.called
          from bulk_change_rows r
          left join known_records k on k.organization_id = r.organization_id and k.id = r.record_id
         where ${sql.join(conditions, sql` and `)} ${orderBy(ROWS)} limit ${limit + 1}`),
    )
    return page(rows, limit, ROWS.sort, shownRow, ({ number }) => ({ value: number, id: String(number) }))
  },
})

interface KeptRow extends Omit<z.output<typeof rowShown>, 'cells' | 'record'> {
  readonly cells: unknown[] | null
  readonly id: string | null
  readonly reference: string
  readonly called: string
}

const CELL_LENGTH = 100

const shownRow = ({ cells, id, reference, called, ...row }: KeptRow): z.output<typeof rowShown> => ({
  ...row,
  cells: cells?.map((cell) => textShown(cell).slice(0, CELL_LENGTH).toWellFormed()) ?? null,
  record: id === null ? null : { id, reference, title: called },
})
