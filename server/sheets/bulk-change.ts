import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { inNumber } from '../../model/noun.ts'
import { type Caller, isCapable } from '../caller/caller.ts'
import { may, refuseUnlessAllowed } from '../caller/rights.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { job, withJob } from '../jobs/job-record.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import {
  columnsInFiles,
  columnsOf,
  DATE_ORDERS,
  DATES_FROM,
  isOpen,
  isPerson,
  type MappedColumn,
  NOWHERE,
  readSheetWords,
  type Scale,
} from './columns.ts'
import { importNote, importNotes } from './import-notes.ts'
import { leftOutShown, NONE_LEFT_OUT, readLeftOut } from './left-out-rows.ts'
import { namesOfPeople } from './lookups.ts'
import { columnAt, isTitleOfSet, type Recognised } from './recognise.ts'
import { type CountedRows, countStanding, ROW_COUNTS, readCounts, shownCounts } from './row-counts.ts'
import { columnShown, fieldOf, fieldShown, samplesAt } from './shown-columns.ts'

/*
 * A bulk change: what a file says of records, or one change for a selection of them. Its rows are kept, what each would
 * come to is planned by one job and carried out by another, and what became of each stays with it for a while.
 */

export const STAGES = ['begun', 'read', 'planning', 'planned', 'applying', 'applied'] as const

/** Read again for so long after it was begun. */
export const KEPT_DAYS = 30

/** So many rows are planned and carried out within the call; more are a job's. */
export const AT_ONCE = 100

/** A column of a file as it is kept. */
export type KeptColumn = Recognised & {
  readonly title: string
  /** Where `dates` comes from while nobody has said it of this file. */
  readonly datesFrom?: (typeof DATES_FROM)[number]
  /** Of numbers that are the steps of a scale. */
  readonly scale?: Scale
  /** Whether values that match nothing are left empty. */
  readonly emptiesUnmatched?: boolean
}

/** As it is kept. */
export interface BulkChange {
  readonly id: string
  readonly kind: Kind
  readonly origin: 'file' | 'selection'
  readonly fileName: string | null
  readonly sheets: readonly string[]
  readonly sheet: string | null
  /** Where the names of its columns stand; null of a selection, and of JSON. */
  readonly headRow: number | null
  readonly top: readonly { readonly row: number; readonly text: string; readonly isExample?: true }[]
  readonly columns: readonly KeptColumn[] | null
  readonly identity: string
  readonly clearsEmpty: boolean
  readonly change: Values | null
  /** The change that it takes back. */
  readonly undoes: string | null
  /** The last one that has taken it back, or does. */
  readonly undoneBy: string | null
  /** How far that is. */
  readonly undoState: (typeof UNDO_STATES)[number] | null
  readonly rowCount: number
  readonly stage: (typeof STAGES)[number]
  readonly jobId: string | null
  /** Whether that job has ended before its work was done. */
  readonly hasStopped: boolean
  readonly createdAt: string
  readonly createdBy: { readonly type: string; readonly id: string; readonly displayName: string }
}

/** What its jobs are called by: the file, or of a selection how many of which kind. */
export function calledIn({
  fileName,
  kind,
  rowCount,
  undoes,
}: Pick<BulkChange, 'fileName' | 'kind' | 'rowCount' | 'undoes'>): string {
  if (fileName !== null) return undoes === null ? `Import of ${fileName}` : `Undo: import of ${fileName}`
  const change = `hange of ${rowCount.toLocaleString('en')} ${inNumber(kind.noun, rowCount)}`
  return undoes === null ? `C${change}` : `Undo: c${change}`
}

export const kindByName = (name: string): Kind => everyKind.find((kind) => kind.name === name)!

/** What its jobs keep of it. Older ones do not say of which kind its records are. */
export const OfJob = z.strictObject({
  id: z.string(),
  about: z.string().optional(),
  called: z.string().optional(),
  type: z.string().optional(),
  origin: z.enum(['file', 'selection']).optional(),
})

export const toJob = (bulk: BulkChange): z.output<typeof OfJob> => ({
  id: bulk.id,
  called: calledIn(bulk),
  type: bulk.kind.name,
  origin: bulk.origin,
})

/** What it takes to start such a job and to go on with it: the right to write the records. */
export const needsOfItsJob = ({ type, origin }: z.output<typeof OfJob>) =>
  type && origin ? [needsToChange(kindByName(type), origin)] : []

/** What a list of them tells as well, of the row `b`. */
export const LISTED_COLUMNS = `id, kind, origin, file_name as "fileName", undoes, row_count as "rowCount", stage,
  job_id as "jobId", exists (select from jobs j where j.organization_id = b.organization_id and j.id = b.job_id
    and j.state in ('failed', 'cancelled')) as "hasStopped",
  (select max(u.id) from bulk_changes u where u.organization_id = b.organization_id and u.undoes = b.id
    and u.stage in ('applying', 'applied')) as "undoneBy",
  (select case when u.stage = 'applied' then 'done'
               when exists (select from jobs j where j.organization_id = u.organization_id and j.id = u.job_id
                 and j.state in ('failed', 'cancelled')) then 'stopped' else 'running' end
     from bulk_changes u where u.organization_id = b.organization_id and u.undoes = b.id
      and u.stage in ('applying', 'applied') order by u.id desc limit 1) as "undoState", created_at as "createdAt", created_by as "createdBy"`
const COLUMNS = `${LISTED_COLUMNS}, sheets, sheet, head_row as "headRow", top, columns, identity,
  clears_empty as "clearsEmpty", change`

export const FOR_CHANGE = sql`for no key update`

/**
 * Whoever began one sees it, and an admin; what it takes to write such records is asked each time.
 * @throws {Refusal} `not_found`, also for one that is not the caller's to see
 */
export async function findBulkChange(
  { tx, caller }: TransactionContext,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<BulkChange> {
  const [row] = await tx.read<Omit<BulkChange, 'kind'> & { kind: string }>(
    build(
      sql`select ${sql.raw(COLUMNS)} from bulk_changes b
           where organization_id = ${tx.organizationId} and id = ${id} and ${seenBy(caller)} ${lock}`,
    ),
  )
  if (!row) throw notFound()
  const kind = kindByName(row.kind)
  refuseUnlessAllowed(needsToChange(kind, row.origin), caller, {})
  return { ...row, kind }
}

const seenBy = (caller: Caller): RawBuilder<unknown> =>
  isCapable(caller, 'settings.manage') ? sql`true` : sql`created_by_user = ${caller.userId}`

/** Of the rows of `bulk_changes` those that `findBulkChange` finds for a caller. */
export function readableBy(caller: Caller): RawBuilder<unknown> {
  const of = (origin: BulkChange['origin']) =>
    sql`origin = ${origin} and kind = any(${everyKind
      .filter((kind) => needsToChange(kind, origin) && may(caller, needsToChange(kind, origin)))
      .map(({ name }) => name)})`
  return sql`${seenBy(caller)} and (${of('file')} or ${of('selection')})`
}

/**
 * A file adds records and a selection changes them, or what took it back what is only added; what a row needs besides is
 * judged with it.
 */
export const needsToChange = (kind: Kind, origin: BulkChange['origin']) =>
  (origin === 'file' ? needsOf(kind, 'create') : (needsOf(kind, 'update') ?? needsOf(kind, 'create')))!

/** Those of its columns that are taken for something; of a selection all that its kind has, in no file. */
export async function mappedColumns(
  context: TransactionContext,
  { kind, columns, origin }: Pick<BulkChange, 'kind' | 'columns' | 'origin'>,
): Promise<readonly MappedColumn[]> {
  const words = await readSheetWords(context, kind)
  if (origin === 'selection') return columnsOf(kind, words).map((column) => ({ index: NOWHERE, column }))
  const all = columnsInFiles(kind, words)
  const mapped = (columns ?? []).flatMap(({ key, meanings = {}, ...said }, index) => {
    const { dates, currency, scale, emptiesUnmatched } = said
    const found = key === null ? undefined : columnAt(all, key)
    return found
      ? [
          {
            index,
            column: {
              ...found,
              ...(dates && { dates }),
              ...(currency && { currency }),
              ...(scale && { scale }),
              ...(emptiesUnmatched && { emptiesUnmatched }),
            },
            said: Object.entries(meanings),
          },
        ]
      : []
  })
  // Whom a name stands for is said once for all columns of the file; of what was said of several the first counts.
  const names = mapped.flatMap(({ column, said }) => (isPerson(column) ? said : [])).toReversed()
  return mapped.map(({ index, column, said }) => {
    // A choice may have been retired, or be no choice any more, since it was said.
    const open = isPerson(column) ? names : said.filter(([, choice]) => isOpen(column, choice))
    return { index, column: open.length > 0 ? { ...column, meanings: new Map(open) } : column }
  })
}

export const undoes = z.string().nullable().describe('The id of the change that it takes back')
export const undoneBy = z
  .string()
  .nullable()
  .describe('The id of the last change that takes it back, or as much of it as nobody had touched since')
const UNDO_STATES = ['running', 'stopped', 'done'] as const
export const undoState = z
  .enum(UNDO_STATES)
  .nullable()
  .describe('How far that change is; stopped: its job was cancelled, or has failed, before it was done')

export const bulkChange = z
  .object({
    id: z.string(),
    type: z.string().describe('The kind of the records'),
    origin: z.enum(['file', 'selection']),
    file: z
      .object({
        name: z.string(),
        sheets: z.array(z.string()),
        sheet: z.string().nullable(),
        headRow: z.int().nullable().describe('The row with the names of the columns; null of JSON'),
        top: z
          .array(
            z.object({
              row: z.int(),
              text: z.string(),
              isExample: z
                .literal(true)
                .optional()
                .describe('The example of the workbook to fill in, unchanged: it is left out as well'),
            }),
          )
          .describe('The rows at the top, that one among them; those above it are left out'),
      })
      .nullable(),
    columns: z.array(columnShown).nullable().describe('Of a file'),
    fields: z.array(fieldShown).describe('What a column can be taken for'),
    people: z
      .record(z.string(), z.string())
      .describe('What those are called whom meanings of its columns name, by their ids'),
    identity: z.string(),
    clearsEmpty: z.boolean(),
    dates: z
      .enum(DATE_ORDERS)
      .nullable()
      .describe(
        'What comes first in dates such as 03/04/2027; before it is planned, what is offered; null while nobody has said it',
      ),
    datesFrom: z
      .enum(DATES_FROM)
      .nullable()
      .describe(
        'Why it is offered: file: other dates there can be read in no other way; earlier: you said so of an earlier file. Null once it was said of this one',
      ),
    currency: z.string().nullable().describe('Of amounts that say none; null while nobody has said it'),
    change: z.record(z.string(), z.unknown()).nullable().describe('Of a selection'),
    undoes,
    undoneBy,
    undoState,
    standing: z
      .int()
      .nullable()
      .describe(
        'Rows that were written and that no change has taken back; null where none was to take it back',
      ),
    rowCount: z.int().describe('Without those that were left out'),
    leftOut: leftOutShown,
    notes: z.array(importNote).describe('What the import does with the file besides its rows'),
    stage: z
      .enum(STAGES)
      .describe(
        'begun: it waits for its file; read, planned and applied: what it has come to; planning and applying: what a job is at',
      ),
    ...ROW_COUNTS,
    job: job.nullable(),
    createdAt: timestamp,
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
  })
  .meta({ id: 'BulkChange', title: 'A change of many records' })

/** As it is answered. */
export async function shownBulkChange(
  context: TransactionContext,
  bulk: BulkChange,
): Promise<z.input<typeof bulkChange>> {
  const { tx } = context
  const { kind, fileName, sheets, sheet, headRow, top, jobId: _, hasStopped: __, columns, ...rest } = bulk
  const said = (columns ?? []).flatMap(({ meanings = {} }) => Object.values(meanings))
  const [all, [counts], [stands], samples, leftOut, people, { one: now, job }] = await Promise.all([
    readSheetWords(context, kind).then((words) => columnsInFiles(kind, words)),
    tx.read<{ counted: CountedRows[] }>(readCounts(tx.organizationId, bulk.id)),
    bulk.undoneBy === null ? [] : tx.read<{ count: number }>(countStanding(tx.organizationId, bulk.id)),
    columns ? tx.read<{ cells: unknown[] }>(firstRows(tx.organizationId, bulk.id)) : [],
    columns ? readLeftOut(tx, bulk.id) : NONE_LEFT_OUT,
    namesOfPeople(tx, said),
    withJob(context, bulk, () => findBulkChange(context, bulk.id)),
  ])
  // Its rows were counted before.
  if (now.stage !== bulk.stage) return shownBulkChange(context, now)
  return {
    ...rest,
    type: kind.name,
    file: fileName === null ? null : { name: fileName, sheets: [...sheets], sheet, headRow, top: [...top] },
    columns:
      columns?.map(({ title, key, meanings = {}, emptiesUnmatched = false }, index) => ({
        ...{ title, key, meanings: { ...meanings }, emptiesUnmatched },
        isSet: key === null && isTitleOfSet(all, title),
        samples: samplesAt(samples, index),
      })) ?? null,
    fields: all.map((column) => fieldOf(kind, column)),
    notes: bulk.origin === 'file' ? importNotes(bulk, all) : [],
    leftOut,
    standing: stands?.count ?? null,
    people: Object.fromEntries(people),
    dates: columns?.find(({ dates }) => dates)?.dates ?? null,
    currency: columns?.find(({ currency }) => currency)?.currency ?? null,
    datesFrom: columns?.find(({ datesFrom }) => datesFrom)?.datesFrom ?? null,
    change: bulk.change as Record<string, unknown> | null,
    ...shownCounts(counts?.counted ?? []),
    job: job as never,
  }
}

const firstRows = statement(`
  select cells from bulk_change_rows where organization_id = $1 and bulk_change_id = $2 order by number limit 20`)
