import { sql } from 'kysely'
import { z } from 'zod'
import { actor } from '../../model/kind.ts'
import { leastRole } from '../../model/needs.ts'
import { actorOf } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { job, withJob } from '../jobs/job-record.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import type { Answer } from './migration-answers.ts'
import { type MigrationCounts, migrationCounts, migrationFates } from './plan-migration.ts'

/*
 * The migration of an organization's answers from one edition to another: agreed to as it was planned, carried out by a
 * job, kept with the fate of each answer, and undone as a whole while that can be done.
 */

export const PATH = '/v1/framework-migrations'
export const NEEDS = leastRole('admin')
export const id = z.string().min(1).max(100).describe('The id of a migration')

export const UNDO_DAYS = 30

const STAGES = ['applying', 'applied', 'undoing', 'undone'] as const

const result = z.object({
  changed: z.int().describe('Requirements whose answer or links it moved'),
  linked: z.int().describe('Links that it made'),
  kept: z
    .array(z.string())
    .optional()
    .describe('Of one that was undone: keys of requirements that stay as somebody has changed them since'),
})

export type MigrationResult = z.output<typeof result>

const summary = z.object({
  id: z.string(),
  fromId: z.string().nullable().describe('None where that framework was deleted'),
  toId: z.string(),
  stage: z
    .enum(STAGES)
    .describe('applying and undoing: a job is at it; where that has failed, nothing was moved'),
  counts: migrationCounts.nullable(),
  result: result.nullable(),
  createdAt: timestamp,
  createdBy: actor,
  appliedAt: timestamp.nullable(),
  undoUntil: timestamp.nullable().describe('Until when it can be undone'),
  undoneAt: timestamp.nullable(),
  undoneBy: actor.nullable(),
  job: job.nullable(),
})

export const migrationSummary = summary.meta({ id: 'FrameworkMigrationSummary' })

export const frameworkMigration = summary
  .extend({
    choices: z
      .record(z.string(), z.string().nullable())
      .describe('What was chosen, by the id of a requirement'),
    fates: migrationFates.nullable().describe('As they were carried out'),
  })
  .meta({ id: 'FrameworkMigration', title: 'A migration from one edition to another' })

export type Choices = Readonly<Record<string, string | null>>

/** A requirement of the newer edition as it was and as it became. */
export interface Touched {
  readonly id: string
  readonly key: string
  readonly before: State
  readonly after: State
}

/** What of a requirement a migration moves. */
export interface State {
  readonly answer: Answer
  /** By the word of the side: what each link says, by the id of what is linked. */
  readonly links: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** As it is kept. */
export interface FrameworkMigration {
  readonly id: string
  readonly fromId: string | null
  readonly toId: string
  readonly stage: (typeof STAGES)[number]
  readonly planned: string
  readonly choices: Choices
  readonly counts: MigrationCounts | null
  readonly result: MigrationResult | null
  readonly jobId: string | null
  /** Whether that job has ended before its work was done. */
  readonly hasStopped: boolean
  readonly canBeUndone: boolean
  readonly [more: string]: unknown
}

const COLUMNS = `m.id, from_framework_id as "fromId", to_framework_id as "toId", stage, planned, choices, counts, result,
  job_id as "jobId", created_at as "createdAt", created_by as "createdBy", applied_at as "appliedAt",
  undo_until as "undoUntil", undone_at as "undoneAt", undone_by as "undoneBy",
  kept is not null and undo_until > clock_now() as "canBeUndone",
  exists (select from jobs j where j.organization_id = m.organization_id and j.id = job_id
    and j.state in ('failed', 'cancelled')) as "hasStopped"`

/** @throws {Refusal} `not_found` */
export async function findMigration(
  { tx }: Pick<TransactionContext, 'tx'>,
  id: string,
  lock = false,
): Promise<FrameworkMigration> {
  const [row] = await tx.read<FrameworkMigration>(
    build(sql`select ${sql.raw(COLUMNS)} from framework_migrations m
      where organization_id = ${tx.organizationId} and id = ${id} ${sql.raw(lock ? 'for no key update' : '')}`),
  )
  if (!row) throw notFound()
  return row
}

/** Those from or to a framework, the last one first. */
export const findMigrations = statement(`
  select ${COLUMNS} from framework_migrations m
   where organization_id = $1 and (from_framework_id = $2 or to_framework_id = $2) order by m.id desc limit 100`)

/** @returns its id */
export async function insertMigration(
  { tx, caller }: TransactionContext,
  {
    fromId,
    toId,
    planned,
    choices,
  }: Pick<FrameworkMigration, 'toId' | 'planned' | 'choices'> & {
    readonly fromId: string
  },
): Promise<string> {
  const id = newId('fwm')
  const by = JSON.stringify(actorOf(caller))
  tx.write(insert(tx.organizationId, id, fromId, toId, planned, JSON.stringify(choices), await tx.now, by))
  return id
}

/** As it is answered. */
export async function shownMigration(context: TransactionContext, given: FrameworkMigration) {
  const { one, job } = await withJob(context, given, () => findMigration(context, given.id))
  const { planned: _, hasStopped: __, canBeUndone: ___, jobId: ____, choices: _____, ...rest } = one
  return { ...rest, job } as never
}

/** The same with each fate. */
export async function shownWhole(context: TransactionContext, one: FrameworkMigration) {
  const { tx } = context
  const shown = await shownMigration(context, one)
  const [told] = await tx.read<{ fates: string | null }>(readFates(tx.organizationId, one.id))
  const fates = told?.fates ? JSON.parse(told.fates) : null
  return { ...(shown as object), choices: one.choices, fates } as never
}

export async function readKept(
  { tx }: Pick<TransactionContext, 'tx'>,
  id: string,
): Promise<Touched[] | null> {
  const [row] = await tx.read<{ kept: string | null }>(readTouched(tx.organizationId, id))
  return row?.kept ? (JSON.parse(row.kept) as Touched[]) : null
}

const insert = statement(`
  insert into framework_migrations
    (organization_id, id, from_framework_id, to_framework_id, stage, planned, choices, created_at, created_by)
  values ($1, $2, $3, $4, 'applying', $5, $6::jsonb, $7::timestamptz, $8::jsonb)`)

const readFates = statement('select fates from framework_migrations where organization_id = $1 and id = $2')
const readTouched = statement('select kept from framework_migrations where organization_id = $1 and id = $2')

/** Whether another is at it, to or from the same. */
export const findUnderWay = statement(`
  select from framework_migrations m
   where organization_id = $1 and stage in ('applying', 'undoing')
     and (to_framework_id = any($2) or from_framework_id = any($2))
     and not exists (select from jobs j where j.organization_id = m.organization_id and j.id = job_id
       and j.state in ('failed', 'cancelled')) limit 1`)

export const underWay = statement(
  'update framework_migrations set stage = $3, job_id = $4 where organization_id = $1 and id = $2',
)

export const keepApplied = statement(`
  update framework_migrations
     set stage = 'applied', counts = $3::jsonb, fates = $4, kept = $5, result = $6::jsonb, applied_at = clock_now(),
         undo_until = clock_now() + interval '${UNDO_DAYS} days'
   where organization_id = $1 and id = $2`)

export const keepUndone = statement(`
  update framework_migrations
     set stage = 'undone', kept = null, result = $3::jsonb, undone_at = clock_now(), undone_by = $4::jsonb
   where organization_id = $1 and id = $2`)

/** What undoes those that can be undone no more. */
export const forgetKept = statement(`
  update framework_migrations set kept = null where (organization_id, id) in (
    select organization_id, id from framework_migrations
     where undo_until <= clock_now() and kept is not null order by undo_until limit 100)`)
