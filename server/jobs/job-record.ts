import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Caller, isCapable, isPerson } from '../caller/caller.ts'
import { rightsRefusal } from '../caller/rights.ts'
import { build } from '../database/build.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { starterOf } from './acting.ts'
import { ERRORS_KEPT, type JobError, type StartedBy } from './job-kind.ts'

export const STATES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const

const FIELDS = {
  id: z.string(),
  kind: z.string().describe('What it does, by name'),
  title: z.string().describe('What it does, in words'),
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
  isSuperseded: z.boolean().describe('A later job has taken its place'),
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
  case when result is not null
    then json_build_object('name', result_name, 'type', result_type, 'bytes', octet_length(result)) end as result,
  cancel_asked_at is not null and ended_at is null as "isCancelAsked", superseded_at is not null as "isSuperseded", started_by as "by",
  created_at as "createdAt", begun_at as "begunAt", ended_at as "endedAt", kept_until as "keptUntil"`

export interface JobRow extends Omit<z.output<typeof job>, 'title' | 'startedBy' | 'canResume'> {
  readonly by: StartedBy | null
  readonly errors?: readonly JobError[]
}

/**
 * Whose jobs somebody sees: those that they started, a program those that it started itself, since what acts for one
 * person may have different rights; and an admin at work, all of the organization.
 */
export function seenBy(caller: Caller): RawBuilder<unknown> {
  if (isCapable(caller, 'settings.manage')) return sql`true`
  if (isPerson(caller)) return sql`started_by->>'userId' = ${caller.userId}`
  return sql`started_by->'credential'->>'id' = ${caller.credential.id}`
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
  const needs = parts.jobs.kinds.get(row.kind)?.needs
  const mayRead = needs !== undefined && rightsRefusal(needs, caller) === null
  return { ...jobOf(parts, row), errors: mayRead ? [...(row.errors ?? [])] : null }
}

export function jobOf({ jobs }: Parts, { by, ...row }: JobRow): z.output<typeof job> {
  const kind = jobs.kinds.get(row.kind)
  // What was sealed was wiped when it ended.
  const isLeft = (row.state === 'failed' || row.state === 'cancelled') && !row.isSuperseded
  return {
    ...row,
    title: kind?.title ?? row.kind,
    canResume: isLeft && kind !== undefined && !kind.isSealed,
    startedBy: by && starterOf(by),
  }
}
