import { sql } from 'kysely'
import { z } from 'zod'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { Refusal } from '../refusal.ts'
import { ALL_AT_MOST, applyBulkChange as applyJob } from './apply-bulk-change.ts'
import { id, NEEDS, PATH, underWay } from './begin-bulk-change.ts'
import {
  bulkChange,
  DONE,
  dayAlone,
  FOR_CHANGE,
  findBulkChange,
  PLANNED,
  shownBulkChange,
} from './bulk-change.ts'

/* Changes of many records, as they are looked at and carried out. */

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
  cells: cells?.map((cell) => shownCell(cell).slice(0, CELL_LENGTH).toWellFormed()) ?? null,
  record: id === null ? null : { id, reference, title: called },
})

function shownCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object'
    ? (dayAlone((cell as { date?: string }).date) ?? JSON.stringify((cell as { json?: unknown }).json))
    : String(cell)
}

export const applyBulkChange = operation({
  name: 'applyBulkChange',
  method: 'POST',
  path: `${PATH}/{id}/apply`,
  needs: NEEDS,
  writes: true,
  title: 'Carry out a change of many records',
  description:
    'What was planned is done by a job, a signal for each record. A row whose record has changed since the plan is left as it is, and told.',
  input: z.strictObject({
    id,
    rows: z
      .enum(['all', 'good'])
      .meta({ title: 'Rows' })
      .describe(
        `all: every row or none, of at most ${ALL_AT_MOST} and without errors; good: what is good, and what is not is told`,
      ),
    confirm: z
      .boolean()
      .optional()
      .meta({ title: 'Confirm' })
      .describe('true: also a file that was brought in before, whose rows would be added again'),
  }),
  output: bulkChange,
  refusals: ['conflict', 'confirm_required'],
  run: async (context, { id, rows, confirm }) => {
    const { tx } = context
    const bulk = await findBulkChange(context, id, FOR_CHANGE)
    if (bulk.stage !== 'planned')
      throw new Refusal(
        'conflict',
        bulk.stage === 'applying' || bulk.stage === 'applied'
          ? 'It is being carried out, or was already: begin another.'
          : 'It is not planned yet: wait until its job has ended, or plan it.',
      )
    await tx.read(takeTurn(tx.organizationId, id))
    const [counted] = await tx.read<{ writes: number; adds: number; errors: number; before: string | null }>(
      judge(tx.organizationId, id),
    )
    const { writes, adds, errors, before } = counted!
    if (writes === 0) throw new Refusal('conflict', 'No row would change anything: there is nothing to do.')
    if (rows === 'all' && errors > 0)
      throw new Refusal(
        'conflict',
        `${errors} rows have errors: mend them in the file, or carry out only what is good.`,
      )
    if (rows === 'all' && writes > ALL_AT_MOST)
      throw new Refusal(
        'conflict',
        `All or nothing takes at most ${ALL_AT_MOST} rows: carry out what is good, which here is every row.`,
      )
    if (before !== null && adds > 0 && !confirm)
      throw new Refusal(
        'confirm_required',
        `This file was brought in on ${before.slice(0, 10)} already: its ${adds} new rows would be there twice. Send confirm to add them all the same.`,
      )
    const job = await startJob(context, applyJob, { id, rows })
    tx.write(underWay(tx.organizationId, id, 'applying', job))
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

/** Who brings a file in waits for whoever is about to bring in the same. */
const takeTurn = statement(`
  select pg_advisory_xact_lock(hashtextextended('import ' || organization_id || ' ' || file_hash, 0))
    from bulk_changes where organization_id = $1 and id = $2 and file_hash is not null`)

/** What it would do, and when the same file was brought in before. */
const judge = statement(`
  select count(*) filter (where planned in ('create', 'change'))::int as writes,
         count(*) filter (where planned = 'create')::int as adds,
         count(*) filter (where planned = 'error')::int as errors,
         (select max(o.created_at) from bulk_changes b join bulk_changes o
              on o.organization_id = b.organization_id and o.file_hash = b.file_hash and o.kind = b.kind and o.id <> b.id
             and o.sheet is not distinct from b.sheet and o.stage in ('applying', 'applied')
           where b.organization_id = $1 and b.id = $2) as before
    from bulk_change_rows where organization_id = $1 and bulk_change_id = $2`)
