import { sql } from 'kysely'
import { z } from 'zod'
import { everyKind } from '../../model/kinds/index.ts'
import { build } from '../database/build.ts'
import { findJobs, job } from '../jobs/job-record.ts'
import { operation } from '../operation.ts'
import { timestamp } from '../output.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { NEEDS, PATH } from './begin-bulk-change.ts'
import {
  type BulkChange,
  calledIn,
  kindByName,
  LISTED_COLUMNS,
  needsToChange,
  readableBy,
  STAGES,
  undoes,
  undoneBy,
  undoState,
} from './bulk-change.ts'
import { COUNTED, type CountedRows, LEFT_BY_UNDOING, ROW_COUNTS, shownCounts } from './row-counts.ts'

/*
 * The imports and the changes of selections, small and large, as one list: so each is found again, whether a job was at
 * it or not. What came to nothing is left out: an import whose file was never sent, and what was planned for a selection
 * within a call and never carried out.
 */

const TYPES = everyKind
  .filter((kind) => needsToChange(kind, 'file') ?? needsToChange(kind, 'selection'))
  .map(({ name }) => name) as [string, ...string[]]

const listed = z
  .object({
    id: z.string(),
    title: z.string().describe('What it is called: by its file, or by how many records it changes'),
    type: z.string().describe('The kind of the records'),
    origin: z.enum(['file', 'selection']),
    fileName: z.string().nullable().describe('Null of a selection'),
    undoes,
    undoneBy,
    undoState,
    standing: z.int().nullable(),
    rowCount: z.int(),
    stage: z.enum(STAGES),
    hasStopped: z
      .boolean()
      .describe('Whether the job that was at it was cancelled, or has failed, before it was done'),
    ...ROW_COUNTS,
    job: job.nullable().describe('The job that is or was at it; null where few rows took none'),
    createdAt: timestamp,
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
    keptUntil: timestamp.describe('It can be read until then'),
  })
  .meta({ id: 'ListedBulkChange', title: 'A change of many records, as one of a list' })

const ORDER: Order = {
  sort: '-createdAt',
  column: sql.ref('created_at'),
  id: sql.ref('id'),
  descending: true,
}

interface ListedRow
  extends Pick<
    BulkChange,
    | 'id'
    | 'origin'
    | 'fileName'
    | 'undoes'
    | 'undoneBy'
    | 'undoState'
    | 'rowCount'
    | 'stage'
    | 'jobId'
    | 'hasStopped'
    | 'createdAt'
  > {
  readonly kind: string
  readonly createdBy: BulkChange['createdBy']
  readonly counted: readonly CountedRows[]
  readonly standing: number | null
  readonly keptUntil: string
}

export const listBulkChanges = operation({
  name: 'listBulkChanges',
  method: 'GET',
  path: PATH,
  needs: NEEDS,
  writes: false,
  title: 'List changes of many records',
  description:
    'Imports and changes of selections, the latest first: what you began, and for an admin what anybody did, of those kinds whose records you may add or change. Left out are imports whose file was never sent, and small changes of a selection that were only planned.',
  input: z.strictObject({
    ...PAGE,
    type: z.enum(TYPES).optional().meta({ title: 'Type' }).describe('The kind of the records'),
    origin: z.enum(['file', 'selection']).optional().meta({ title: 'Origin' }).describe('file: imports'),
    stage: z
      .array(z.enum(STAGES))
      .min(1)
      .optional()
      .meta({ title: 'Stage' })
      .describe('How far they have come'),
  }),
  output: pageOf(listed),
  rowFields: ['id', 'title', 'stage', 'planned', 'done', 'createdAt'],
  run: async (context, { limit, cursor, type, origin, stage }) => {
    const { tx, caller } = context
    const place = readCursor(cursor, ORDER.sort)
    const conditions = [
      sql`organization_id = ${tx.organizationId}`,
      readableBy(caller),
      sql`stage <> 'begun' and not (origin = 'selection' and stage = 'planned' and job_id is null)`,
      ...(type ? [sql`kind = ${type}`] : []),
      ...(origin ? [sql`origin = ${origin}`] : []),
      ...(stage ? [sql`stage = any(${stage})`] : []),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read<ListedRow>(
      build(
        sql`select ${sql.raw(LISTED_COLUMNS)}, kept_until as "keptUntil", ${sql.raw(COUNTED)} as counted,
                   ${sql.raw(LEFT_BY_UNDOING)} as standing
              from bulk_changes b where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`,
      ),
    )
    const jobs = await findJobs(
      context,
      rows.flatMap(({ jobId }) => jobId ?? []),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      ({ kind, jobId, counted, ...row }) => ({
        ...row,
        type: kind,
        title: calledIn({ ...row, kind: kindByName(kind) }),
        ...shownCounts(counted),
        job: (jobId === null ? null : (jobs.get(jobId) ?? null)) as never,
      }),
      ({ createdAt, id }) => ({ value: createdAt, id }),
    )
  },
})
