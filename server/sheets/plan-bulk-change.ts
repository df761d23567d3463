import { statement } from '../database/connect.ts'
import { jobKind, type Piece } from '../jobs/job-kind.ts'
import { person, type TransactionContext } from '../operation.ts'
import { rehearsing } from '../records/rehearsal.ts'
import {
  AT_ONCE,
  type BulkChange,
  findBulkChange,
  mappedColumns,
  needsOfItsJob,
  OfJob,
} from './bulk-change.ts'
import { type BulkRow, type Problem, ROW_COLUMNS } from './bulk-row.ts'
import { refuseClaimed } from './claims.ts'
import type { MappedColumn } from './columns.ts'
import { forgetPlans } from './forget-plans.ts'
import { changesOf } from './planned-changes.ts'
import { type PreparedRow, prepareRows, prepareSelected } from './prepare-rows.ts'
import { shownValue } from './problem-values.ts'
import { stageOf } from './row-counts.ts'
import { judgeTogether } from './rows-together.ts'
import { type RowOutcome, writeRows } from './write-rows.ts'

/*
 * Says of each row of a bulk change what it would come to, by the rules that it will be carried out by, and writes none
 * of it. What others change meanwhile is judged anew when it is.
 */

const PIECE = 200

/** How far a job has come with the rows. */
export interface RowPlace {
  /** The number of the last row that was looked at. */
  readonly after: number
  readonly done: number
}

export const planBulkChange = jobKind<typeof OfJob, RowPlace>({
  name: 'planBulkChange',
  title: 'Plan a change of many records',
  about: ({ about }) => about,
  called: ({ called }) => called && `Plan: ${called}`,
  worksOn: ({ id }) => id,
  input: OfJob,
  needs: person(),
  needsFor: needsOfItsJob,
  perOrganization: 2,
  keptDays: 30,
  run: async ({ job, input, step }) => {
    while ((await step((piece) => planPiece(piece, input.id, job.id))) !== null);
    return undefined
  },
})

/** The same for a few rows, within a call. */
export async function planAtOnce(context: TransactionContext, bulk: BulkChange): Promise<void> {
  const { tx } = context
  const rows = await tx.read<BulkRow>(rowsBehind(tx.organizationId, bulk.id, -1, AT_ONCE))
  if (rows.length > 0) await planRows(context, bulk, rows)
  await judgeTogether(context, bulk)
}

async function planPiece(piece: Piece<RowPlace>, id: string, jobId: string): Promise<RowPlace | null> {
  const { tx } = piece
  forgetPlans(tx)
  const { after, done } = piece.place ?? { after: -1, done: 0 }
  const bulk = await findBulkChange(piece, id)
  // Planned anew meanwhile, or with another file.
  if (bulk.jobId !== jobId) return null
  const rows = await tx.read<BulkRow>(rowsBehind(tx.organizationId, id, after, PIECE))
  if (rows.length > 0) await planRows(piece, bulk, rows)
  const isLast = rows.length < PIECE
  if (isLast) await judgeTogether(piece, bulk)
  if (isLast) tx.write(stageOf(tx.organizationId, id, 'planned', bulk.jobId))
  piece.progress(done + rows.length, bulk.rowCount)
  return isLast ? null : { after: rows.at(-1)!.number, done: done + rows.length }
}

async function planRows(real: TransactionContext, bulk: BulkChange, rows: readonly BulkRow[]): Promise<void> {
  const context = rehearsing(real)
  const columns = await mappedColumns(context, bulk)
  const prepared =
    bulk.origin === 'file'
      ? await prepareRows(context, bulk, columns, rows, true)
      : await prepareSelected(context, bulk, rows)
  const apart = await withoutRepeated(real, columns, bulk, prepared)
  const outcomes = await rehearse(real, bulk, columns, apart)
  const changes = await changesOf(context, bulk, columns, apart, outcomes)
  const told = apart.map(({ row, before, about, awaits }, index) => {
    const outcome = outcomes[index]!
    const problems = 'problems' in outcome ? outcome.problems : []
    return {
      number: row.number,
      record_id: (before?.id as string | undefined) ?? null,
      version: (before?.version as number | undefined) ?? null,
      identity: about,
      planned: plannedAs(outcome, awaits),
      problems,
      changes: changes[index]!,
      emptied: apart[index]!.emptied ?? [],
      linked: 'linked' in outcome ? outcome.linked : null,
      awaits,
    }
  })
  real.tx.write(keep(real.tx.organizationId, bulk.id, JSON.stringify(told)))
}

/** What rows would come to, of which nothing is written. */
export async function rehearse(
  real: TransactionContext,
  bulk: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly PreparedRow[],
): Promise<readonly RowOutcome[]> {
  const outcomes = await writeRows(rehearsing(real), bulk, columns, rows, true)
  return refuseClaimed(real, bulk, columns, rows, outcomes)
}

const plannedAs = (outcome: RowOutcome, awaits: PreparedRow['awaits']): string =>
  'problems' in outcome
    ? 'error'
    : awaits.length > 0 && outcome.outcome === 'unchanged'
      ? 'change'
      : { created: 'create', changed: 'change', deleted: 'delete', unchanged: 'leave' }[outcome.outcome]

/** A record is what one row makes of it: a further row about the same is told which it repeats. */
async function withoutRepeated(
  { tx }: TransactionContext,
  columns: readonly MappedColumn[],
  bulk: BulkChange,
  prepared: readonly PreparedRow[],
): Promise<PreparedRow[]> {
  const about = prepared.flatMap((one) => one.about ?? [])
  const [first] = prepared
  const before = await tx.read<{ identity: string; number: number }>(
    saidBefore(tx.organizationId, bulk.id, about, first!.row.number),
  )
  const seen = new Map(before.map(({ identity, number }) => [identity, number]))
  return prepared.map((one) => {
    if (one.about === null) return one
    const earlier = seen.get(one.about)
    if (earlier === undefined) {
      seen.set(one.about, one.row.number)
      return one
    }
    return { ...one, problems: [...one.problems, repeated(columns, bulk, one, earlier)] }
  })
}

/** Of a row that is about what an earlier row is about: by what the two are the same. */
function repeated(
  columns: readonly MappedColumn[],
  { identity }: BulkChange,
  { row, before, about }: PreparedRow,
  earlier: number,
): Problem {
  const key = about?.startsWith('externalId ') ? 'externalId' : identity
  // By what a row says which record it is about, in the order in which that is looked for.
  const keys = before ? ['id', 'reference', 'externalId', identity] : [key]
  const saying = keys.flatMap((one) => columns.find(({ column }) => column.key === one) ?? [])
  const standing = ({ index, column }: MappedColumn) => shownValue(row.cells?.[index] ?? null, column)
  const by = saying.find((one) => standing(one) !== null) ?? saying[0]
  if (!by) {
    const what = before ? `about ${before.reference}` : 'about the same'
    const message = `row ${earlier} is ${what} as well: leave one of them out`
    return { column: null, field: null, value: null, message }
  }
  const { index, column } = by
  const value = standing(by)
  if (before) {
    const message = `row ${earlier} is about ${before.reference} as well: leave one of them out`
    return { column: index, field: column.key, value, message }
  }
  const message = `row ${earlier} has the same ${inSentence(column.title)}, ${value}: leave one of them out, or correct it`
  return { column: index, field: column.key, value, message }
}

const inSentence = (title: string): string => `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`

const rowsBehind = statement(`
  select ${ROW_COLUMNS} from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and number > $3::int and done is null
   order by number limit $4::int`)

const saidBefore = statement(`
  select identity, min(number)::int as number from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and identity = any($3) and number < $4::int group by identity`)

const keep = statement(`
  update bulk_change_rows r
     set record_id = t.record_id, version = t.version, identity = t.identity, planned = t.planned, problems = t.problems,
         changes = t.changes, linked = t.linked, awaits = t.awaits, emptied = t.emptied
    from json_to_recordset($3::json)
      as t (number int, record_id text, version int, identity text, planned text, problems jsonb, changes jsonb,
            linked jsonb, awaits jsonb, emptied jsonb)
   where r.organization_id = $1 and r.bulk_change_id = $2 and r.number = t.number`)
