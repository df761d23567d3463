import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { statement } from '../database/connect.ts'
import { isDeadlock, refusalOf } from '../database/errors.ts'
import { type JobError, jobKind, type Piece } from '../jobs/job-kind.ts'
import { leaveJob } from '../jobs/resume.ts'
import { person, type TransactionContext } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import {
  AT_ONCE,
  type BulkChange,
  FOR_CHANGE,
  findBulkChange,
  mappedColumns,
  needsOfItsJob,
  OfJob,
} from './bulk-change.ts'
import type { BulkRow } from './bulk-row.ts'
import type { MappedColumn } from './columns.ts'
import { forgetPlans } from './forget-plans.ts'
import { NotWhole, type RefusedRow } from './not-whole.ts'
import { type RowPlace, rehearse } from './plan-bulk-change.ts'
import { allPlanned, countPlanned, inTurns, plannedBehind, turnBehind } from './planned-rows.ts'
import { givenTo, type PreparedRow, prepareRows, prepareSelected } from './prepare-rows.ts'
import { recount, stageOf } from './row-counts.ts'
import { judgeTogether } from './rows-together.ts'
import { backOf } from './take-back.ts'
import { problemsOf, type RowOutcome, writeRows } from './write-rows.ts'

/*
 * Carries a planned bulk change out. What is good is written some rows at a time, each with what became of it: a row
 * that is refused now, for what others have written since the plan, is kept with the reason, and the others go on. All
 * or nothing is one transaction.
 */

/** Rows that are written together; where one of them is refused for what it wrote, each is written by itself. */
const PIECE = 100
/** Rows that are all written or none: one transaction, in which others do not wait for much else. */
export const ALL_AT_MOST = 5_000

/** With how many rows there are to write: those that are wrong or left as they are do not count. */
interface ApplyPlace extends RowPlace {
  readonly total?: number
  /** Whose rows are written; older jobs have all in the first. */
  readonly turn?: number
}

const Input = OfJob.extend({ rows: z.enum(['all', 'good']) })

export const applyBulkChange = jobKind<typeof Input, ApplyPlace>({
  name: 'applyBulkChange',
  title: 'Change many records',
  about: ({ about }) => about,
  called: ({ called }) => called,
  worksOn: ({ id }) => id,
  isTold: true,
  input: Input,
  needs: person(),
  needsFor: needsOfItsJob,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ job, input, step, transaction }) => {
    if (input.rows === 'all') {
      try {
        await step((piece) => applyAll(piece, input.id, job.id))
        return undefined
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal || refusal.status >= 500 || isDeadlock(error)) throw error
        const told = await transaction((context) => putBack(context, input.id, job.id, refusal))
        return { failed: told.message }
      }
    }
    for (let alone = 0; ; alone = Math.max(0, alone - 1)) {
      const size = alone > 0 ? 1 : PIECE
      try {
        if ((await step((piece) => applyPiece(piece, input.id, job.id, size))) === null) return undefined
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal || refusal.status >= 500 || isDeadlock(error)) throw error
        if (size > 1) alone = PIECE + 1
        else if ((await step((piece) => refuseFirst(piece, input.id, job.id, refusal))) === null)
          return undefined
      }
    }
  },
})

async function applyPiece(
  piece: Piece<ApplyPlace>,
  id: string,
  jobId: string,
  size: number,
): Promise<ApplyPlace | null> {
  const { bulk, rows, place } = await nextRows(piece, id, size)
  if (bulk.jobId !== jobId) return null
  if (rows.length > 0) tellErrors(piece, keepDone(piece, bulk, await apply(piece, bulk, rows)))
  return moved(piece, bulk, rows, place, size)
}

/** A row that the database refuses: written is only that. */
async function refuseFirst(
  piece: Piece<ApplyPlace>,
  id: string,
  jobId: string,
  refusal: Refusal,
): Promise<ApplyPlace | null> {
  const { bulk, rows, place } = await nextRows(piece, id, 1)
  if (bulk.jobId !== jobId) return null
  const columns = await mappedColumns(piece, bulk)
  tellErrors(
    piece,
    keepDone(
      piece,
      bulk,
      rows.map((row) => ({
        row,
        outcome: { problems: problemsOf(bulk.kind, refusal, { row, given: givenTo(bulk, row) }, columns) },
      })),
    ),
  )
  return moved(piece, bulk, rows, place, 1)
}

/** What is left to do. A job that was stopped may go on when the rows were planned anew: then they are another's. */
async function nextRows(piece: Piece<ApplyPlace>, id: string, size: number) {
  const { tx } = piece
  forgetPlans(tx)
  const { after, done, turn = 0 } = piece.place ?? { after: -1, done: 0 }
  const [bulk, rows, total] = await Promise.all([
    findBulkChange(piece, id, FOR_CHANGE),
    tx.read<BulkRow>(plannedBehind(tx.organizationId, id, turn, after, size)),
    piece.place?.total ?? countPlanned(tx, id),
  ])
  return { bulk, rows, place: { after, done, turn, total } }
}

async function moved(
  piece: Piece<ApplyPlace>,
  { id, jobId }: BulkChange,
  rows: readonly BulkRow[],
  { done: before, total, turn }: Required<ApplyPlace>,
  size: number,
): Promise<ApplyPlace | null> {
  const done = before + rows.length
  const next = rows.length < size ? await turnBehind(piece.tx, id, turn) : turn
  if (next === null) piece.tx.write(stageOf(piece.tx.organizationId, id, 'applied', jobId))
  piece.progress(done, next === null ? done : Math.max(total, done))
  return next === null ? null : { turn: next, after: next === turn ? rows.at(-1)!.number : -1, done, total }
}

async function applyAll(piece: Piece<ApplyPlace>, id: string, jobId: string): Promise<null> {
  forgetPlans(piece.tx)
  const bulk = await findBulkChange(piece, id, FOR_CHANGE)
  if (bulk.jobId !== jobId) return null
  const rows = await piece.tx.read<BulkRow>(allPlanned(piece.tx.organizationId, id, ALL_AT_MOST + 1))
  await writeAll(piece, bulk, rows)
  piece.tx.write(stageOf(piece.tx.organizationId, id, 'applied', jobId))
  piece.progress(rows.length, rows.length)
  return null
}

/** The job would come to the same once more, and is left. */
async function putBack(
  context: TransactionContext,
  id: string,
  jobId: string,
  refusal: Refusal,
): Promise<Refusal> {
  const { tx } = context
  const bulk = await findBulkChange(context, id, FOR_CHANGE)
  if (bulk.jobId !== jobId) return refusal
  const told = await keepRefused(context, bulk, refusal)
  tx.write(stageOf(tx.organizationId, id, 'planned', jobId))
  await leaveJob(tx, jobId)
  return told
}

/**
 * A plan that was to be carried out wholly and could not be is a plan again, in which the rows that were refused are
 * errors: so the rest can be carried out without them.
 * @returns why, with the first row that is refused
 */
export async function keepRefused(
  context: TransactionContext,
  bulk: BulkChange,
  refusal: Refusal,
): Promise<Refusal> {
  const { tx } = context
  const told = refusal instanceof NotWhole ? refusal : await whatIsRefused(context, bulk)
  if (!told) return refusal
  tx.write(keepAsErrors(tx.organizationId, bulk.id, JSON.stringify(told.rows)))
  // What names one of them is no good either.
  await judgeTogether(context, bulk)
  tx.write(recount(tx.organizationId, bulk.id))
  return told
}

/** The database refuses one of many rows and does not say which: looked for as the plan does; null where none is found. */
async function whatIsRefused(context: TransactionContext, bulk: BulkChange): Promise<NotWhole | null> {
  const { tx } = context
  const rows = await tx.read<BulkRow>(allPlanned(tx.organizationId, bulk.id, ALL_AT_MOST))
  const columns = await mappedColumns(context, bulk)
  const refused: RefusedRow[] = []
  for (let from = 0; from < rows.length; from += PIECE) {
    const prepared = await prepareAsPlanned(context, bulk, columns, rows.slice(from, from + PIECE), true)
    const outcomes = await rehearse(context, bulk, columns, prepared)
    refused.push(...refusedOf(outcomes.map((outcome, at) => ({ row: prepared[at]!.row, outcome }))))
  }
  return refused.length > 0 ? new NotWhole(refused) : null
}

/**
 * Carries out what is planned of a few rows, within a call.
 * @throws {Refusal} where the database refuses a row, or the rules do and all or nothing was asked: nothing is written
 */
export async function applyAtOnce(
  context: TransactionContext,
  bulk: BulkChange,
  which: 'all' | 'good',
): Promise<void> {
  const { tx } = context
  const rows = await tx.read<BulkRow>(allPlanned(tx.organizationId, bulk.id, AT_ONCE))
  if (which === 'all') await writeAll(context, bulk, rows)
  else for (const part of inTurns(rows, AT_ONCE)) keepDone(context, bulk, await apply(context, bulk, part))
}

/** @throws {Refusal} `conflict` where a row is refused: then nothing is written */
async function writeAll(
  context: TransactionContext,
  bulk: BulkChange,
  rows: readonly BulkRow[],
): Promise<void> {
  for (const part of inTurns(rows, PIECE)) {
    const written = await apply(context, bulk, part)
    const refused = refusedOf(written)
    if (refused.length > 0) throw new NotWhole(refused)
    keepDone(context, bulk, written)
  }
}

const refusedOf = (written: readonly Written[]): RefusedRow[] =>
  written.flatMap(({ row: { number }, outcome }) =>
    'problems' in outcome ? [{ number, problems: outcome.problems }] : [],
  )

interface Written {
  readonly row: BulkRow
  readonly outcome: RowOutcome
  /** What would take it back. */
  readonly back?: Values | null
}

async function apply(
  context: TransactionContext,
  bulk: BulkChange,
  rows: readonly BulkRow[],
): Promise<Written[]> {
  const columns = await mappedColumns(context, bulk)
  const prepared = await prepareAsPlanned(context, bulk, columns, rows, false)
  const outcomes = await writeRows(context, bulk, columns, prepared, false)
  return outcomes.map((outcome, index) => ({
    row: rows[index]!,
    outcome,
    back: backOf(bulk.kind, prepared[index]!, outcome),
  }))
}

async function prepareAsPlanned(
  context: TransactionContext,
  bulk: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly BulkRow[],
  isRehearsal: boolean,
): Promise<PreparedRow[]> {
  const ofFile = bulk.origin === 'file'
  const prepared = ofFile
    ? await prepareRows(context, bulk, columns, rows, isRehearsal)
    : await prepareSelected(context, bulk, rows)
  return prepared.map((one) => asPlanned(one, ofFile))
}

/** What was planned of one record, as it was, is not done to another, nor as it is by now. */
function asPlanned(one: PreparedRow, ofFile: boolean): PreparedRow {
  const { row, before } = one
  const { id = null, version = null } = before ?? {}
  if (id === row.recordId && version === row.version) return one
  const message =
    row.version === null
      ? 'it was added meanwhile: plan it again'
      : `the record has changed, or gone, since the plan: ${ofFile ? 'plan' : 'choose'} it again`
  return { ...one, problems: [{ column: null, field: null, value: null, message }] }
}

/** @returns what could not be done */
function keepDone(
  { tx }: TransactionContext,
  { id }: BulkChange,
  written: readonly Written[],
): readonly JobError[] {
  const errors: JobError[] = []
  const told = written.map(({ row: { number }, outcome, back = null }) => {
    if (!('problems' in outcome)) {
      const { outcome: done, recordId, version, linked = null } = outcome
      return { number, done, record_id: recordId, problems: [], back, linked, written_version: version }
    }
    const [problem] = outcome.problems
    errors.push({
      row: number,
      ...(problem?.field ? { field: problem.field } : {}),
      message: problem?.message ?? 'it was refused',
    })
    return { number, done: 'refused', problems: outcome.problems }
  })
  tx.write(keep(tx.organizationId, id, JSON.stringify(told)))
  return errors
}

const tellErrors = (piece: Piece<ApplyPlace>, errors: readonly JobError[]): void => {
  for (const error of errors) piece.error(error)
}

const keepAsErrors = statement(`
  update bulk_change_rows r set planned = 'error', problems = t.problems, changes = '[]'
    from json_to_recordset($3::json) as t (number int, problems jsonb)
   where r.organization_id = $1 and r.bulk_change_id = $2 and r.number = t.number and r.done is null`)

const keep = statement(`
  update bulk_change_rows r
     set done = t.done, record_id = coalesce(t.record_id, r.record_id), problems = t.problems, back = t.back,
         linked = t.linked, written_version = t.written_version
    from json_to_recordset($3::json)
      as t (number int, done text, record_id text, problems jsonb, back jsonb, linked jsonb, written_version int)
   where r.organization_id = $1 and r.bulk_change_id = $2 and r.number = t.number`)
