import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Needs } from '../../model/needs.ts'
import { type Caller, isCapable, isPerson } from '../caller/caller.ts'
import { rightsRefusal } from '../caller/rights.ts'
import { build } from '../database/build.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { starterOf } from './acting.ts'
import { ERRORS_KEPT, type JobError, needsOfJob, type StartedBy, titleOf, worksOnOf } from './job-kind.ts'

export const STATES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const

const FIELDS = {
  id: z.string(),
  kind: z.string().describe('What it does, by name'),
  title: z.string().describe('What it does, in words'),
  worksOn: z.string().nullable().describe('The id of what it works on, such as a change of many records'),
  state: z.enum(STATES),
  done: z.int().describe('How much of it is done'),
  total: z.int().nullable().describe('Of how much; null where nobody knows'),
  errorCount: z.int().describe('How much could not be done'),
  failure: z.string().nullable().describe('Why it failed'),
  result: z
    .object({ name: z.string(), type: z.string(), bytes: z.int() })
    .nullable()
    .describe('The file that is its result'),
  isCancelAsked: z.boolean().describe('It ends before its next piece'),
  isSuperseded: z
    .boolean()
    .describe('Its work was taken over by a later job, or put back to be decided anew'),
  canResume: z.boolean().describe('Whether resumeJob goes on with it from where it ended'),
  startedBy: z
    .object({ type: z.string(), id: z.string(), displayName: z.string() })
    .nullable()
    .describe('Null for the service itself'),
  createdAt: z.string(),
  begunAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  keptUntil: z.string().nullable().describe('It can be read until then'),
}

export const job = z.object(FIELDS).meta({ id: 'Job', title: 'Job' })

export const jobDetail = z
  .object({
    ...FIELDS,
    errors: z
      .array(
        z.object({
          row: z.int().optional().describe('From where it was read, counted from 1'),
          field: z.string().optional(),
          message: z.string(),
        }),
      )
      .nullable()
      .describe(
        `What could not be done, the first ${ERRORS_KEPT}; null without the right that the job takes`,
      ),
  })
  .meta({ id: 'JobDetail', title: 'Job with its errors' })

export const COLUMNS = `id, kind, state, done, total, error_count as "errorCount", failure,
  case when result_name is not null
    then json_build_object('name', result_name, 'type', result_type, 'bytes', coalesce(result_bytes, 0)) end as result,
  cancel_asked_at is not null and ended_at is null as "isCancelAsked", superseded_at is not null as "isSuperseded", started_by as "by",
  input, created_at as "createdAt", begun_at as "begunAt", ended_at as "endedAt", kept_until as "keptUntil"`

export interface JobRow extends Omit<z.output<typeof job>, 'title' | 'worksOn' | 'startedBy' | 'canResume'> {
  readonly by: StartedBy | null
  readonly input: unknown
  readonly errors?: readonly JobError[]
}

/**
 * Whose jobs somebody sees: those that they started, whoever let them go on later; a program those that it started itself, since what acts for one
 * person may have different rights; and an admin at work, all of the organization.
 */
export function seenBy(caller: Caller): RawBuilder<unknown> {
  if (isCapable(caller, 'settings.manage')) return sql`true`
  if (isPerson(caller))
    return sql`${caller.userId} in (started_by->>'userId', started_by->'first'->>'userId')`
  return sql`${caller.credential.id} in (started_by->'credential'->>'id', started_by->'first'->>'credentialId')`
}

/** @throws {Refusal} `not_found`, also for one that is not the caller's to see */
export async function findJob(
  { tx, caller, parts }: TransactionContext,
  id: string,
): Promise<z.output<typeof jobDetail>> {
  const [row] = await tx.read<JobRow>(
    build(
      sql`select ${sql.raw(COLUMNS)}, errors from jobs
           where organization_id = ${tx.organizationId} and id = ${id} and ${seenBy(caller)}`,
    ),
  )
  if (!row) throw notFound()
  const needs = needsOf(parts, row)
  const mayRead = needs.length > 0 && needs.every((one) => rightsRefusal(one, caller) === null)
  return { ...jobOf(parts, caller, row), errors: mayRead ? [...(row.errors ?? [])] : null }
}

/** Of some jobs, by their ids, those that the caller sees. */
export async function findJobs(
  { tx, caller, parts }: TransactionContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, z.output<typeof job>>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.read<JobRow>(
    build(
      sql`select ${sql.raw(COLUMNS)} from jobs
           where organization_id = ${tx.organizationId} and id = any(${ids}) and ${seenBy(caller)}`,
    ),
  )
  return new Map(rows.map((row) => [row.id, jobOf(parts, caller, row)]))
}

/** What a job may be at. */
interface WorkedOn {
  readonly stage: string
  readonly jobId: string | null
}

/** Stages in which a job is at it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['planning', 'applying', 'undoing'])

/**
 * What was read, with the job that is at it; null where there is none, or none that the caller sees. A job ends in one
 * commit with what it has come to, but is read after that: one that is over by now may have left something else
 * behind, which is read again. Else a job that has just succeeded would look like one that was stopped.
 * @param again reads it
 */
export async function withJob<One extends WorkedOn>(
  context: TransactionContext,
  one: One,
  again: () => Promise<One>,
): Promise<{ one: One; job: z.output<typeof jobDetail> | null }> {
  const { stage, jobId } = one
  const job = jobId === null ? null : await findJob(context, jobId).catch(() => null)
  if (!job?.endedAt || !UNDER_WAY.has(stage)) return { one, job }
  const now = await again()
  return now.stage === stage && now.jobId === jobId ? { one: now, job } : withJob(context, now, again)
}

/**
 * What it takes to go on with a job and to have what came of it: all that it takes to start it.
 * @throws {Refusal} `not_found` for a job that the caller does not see, or of a kind that there is no more
 */
export async function readNeeds(
  { tx, caller, parts }: TransactionContext,
  id: string,
): Promise<readonly Needs[]> {
  const [row] = await tx.read<JobRow>(
    build(
      sql`select ${sql.raw(COLUMNS)} from jobs
           where organization_id = ${tx.organizationId} and id = ${id} and ${seenBy(caller)}`,
    ),
  )
  const needs = row ? needsOf(parts, row) : []
  if (needs.length === 0) throw notFound()
  return needs
}

function needsOf({ jobs }: Parts, { kind: name, input }: JobRow): readonly Needs[] {
  const kind = jobs.kinds.get(name)
  if (!kind) return []
  const read = kind.input.safeParse(input)
  // What was sealed takes what every job of its kind does.
  return read.success ? needsOfJob(kind, read.data) : [kind.needs]
}

/** As a caller sees it. */
export function jobOf({ jobs }: Parts, caller: Caller, { by, input, ...row }: JobRow): z.output<typeof job> {
  const kind = jobs.kinds.get(row.kind)
  const isAnothers = kind?.isPrivate === true && by?.userId !== caller.userId
  // What was sealed was wiped when it ended.
  const isLeft = (row.state === 'failed' || row.state === 'cancelled') && !row.isSuperseded
  return {
    ...row,
    result: isAnothers ? null : row.result,
    title: kind ? titleOf(kind, input) : row.kind,
    worksOn: kind ? worksOnOf(kind, input) : null,
    canResume: isLeft && kind !== undefined && !kind.isSealed && !isAnothers,
    startedBy: by && starterOf(by),
  }
}
