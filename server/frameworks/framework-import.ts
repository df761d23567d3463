import { sql } from 'kysely'
import { z } from 'zod'
import { leastRole } from '../../model/needs.ts'
import { actorOf } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { job, withJob } from '../jobs/job-record.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import type { Catalog, LibraryParts } from './catalog.ts'
import { frameworkLibrary, type LibraryName } from './framework-library.ts'
import { readRequirements } from './kept-catalog.ts'
import { type ImportPlan, importPlan } from './plan-import.ts'
import type { ColumnName } from './read-catalog.ts'

/*
 * An import of a framework: from the library or a file, planned when it was read, carried out by a job, and told of for a
 * while after.
 */

export const PATH = '/v1/framework-imports'
export const NEEDS = leastRole('admin')
export const id = z.string().min(1).max(100).describe('The id of an import of a framework')

export const STAGES = ['begun', 'planned', 'applying', 'applied'] as const
const KEPT_DAYS = 30

const result = z.object({
  outcome: z.enum(['created', 'unchanged', 'corrected']),
  added: z.int(),
  changed: z.int().describe('Also those that have moved'),
  kept: z.int().describe('That are not in the file and stay, with their answers'),
  mappings: z
    .int()
    .describe(
      'That were added: those of the file, or of a framework of the library with others of it that are here',
    ),
  riskMatrixVersion: z
    .int()
    .optional()
    .describe('The version that the risk matrix has by the file; absent where the file changed none'),
})

export type ImportResult = z.output<typeof result>

export const frameworkImport = z
  .object({
    id: z.string(),
    library: z.string().nullable().describe('Of the library, what it is called there'),
    fileName: z.string().nullable(),
    stage: z
      .enum(STAGES)
      .describe(
        'begun: it waits for its file; applying: a job is at it; planned and applied: what it has come to',
      ),
    plan: importPlan.nullable(),
    result: result.nullable(),
    frameworkId: z.string().nullable().describe('That it added, or is about'),
    job: job.nullable(),
    createdAt: timestamp,
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
  })
  .meta({ id: 'FrameworkImport', title: 'An import of a framework' })

/** As it is kept. */
export interface FrameworkImport {
  readonly id: string
  readonly library: LibraryName | null
  readonly fileName: string | null
  readonly options: ImportOptions
  readonly hash: string | null
  readonly about: Omit<Catalog, 'requirements'> | null
  readonly stage: (typeof STAGES)[number]
  readonly plan: ImportPlan | null
  readonly result: ImportResult | null
  readonly frameworkId: string | null
  readonly jobId: string | null
  /** Whether that job has ended before its work was done. */
  readonly hasStopped: boolean
  readonly createdAt: string
  readonly createdBy: { readonly type: string; readonly id: string; readonly displayName: string }
}

/** What is said of a file beside its bytes. */
export interface ImportOptions {
  readonly framework?: Partial<Omit<Catalog, 'levels' | 'requirements' | 'format'>>
  readonly hierarchy?: 'parent' | 'depth' | 'dotted'
  readonly sheet?: string
  readonly headRow?: number
  readonly columns?: readonly (ColumnName | null)[]
  readonly document?: string
}

const COLUMNS = `id, library, file_name as "fileName", options, hash, about, stage, plan, result,
  framework_id as "frameworkId", job_id as "jobId",
  exists (select from jobs j where j.organization_id = framework_imports.organization_id and j.id = job_id
    and j.state in ('failed', 'cancelled')) as "hasStopped", created_at as "createdAt", created_by as "createdBy"`

/** @throws {Refusal} `not_found` */
export async function findImport(
  { tx }: TransactionContext,
  id: string,
  lock = false,
): Promise<FrameworkImport> {
  const [row] = await tx.read<FrameworkImport>(
    build(sql`select ${sql.raw(COLUMNS)} from framework_imports
      where organization_id = ${tx.organizationId} and id = ${id} ${sql.raw(lock ? 'for no key update' : '')}`),
  )
  if (!row) throw notFound()
  return row
}

/** @returns its id */
export async function insertImport(
  { tx, caller }: TransactionContext,
  from: { readonly library: LibraryName } | { readonly fileName: string; readonly options: ImportOptions },
): Promise<string> {
  const id = newId('fwi')
  const time = await tx.now
  const [library, fileName, options] =
    'library' in from ? [from.library, null, {}] : [null, from.fileName, from.options]
  const by = JSON.stringify(actorOf(caller))
  tx.write(insert(tx.organizationId, id, library, fileName, JSON.stringify(options), time, by, KEPT_DAYS))
  return id
}

/** What the catalog is that it brings. */
export async function catalogOf(
  { tx }: TransactionContext,
  { id, library, about }: FrameworkImport,
): Promise<Catalog | null> {
  if (library) return frameworkLibrary[library]
  return about && { ...about, requirements: await readRequirements(tx, id) }
}

/** What a library has besides its framework, or in place of one; null where its file has none of that. */
export async function readParts({ tx }: TransactionContext, id: string): Promise<LibraryParts | null> {
  const [row] = await tx.read<{ parts: LibraryParts | null }>(selectParts(tx.organizationId, id))
  return row?.parts ?? null
}

const selectParts = statement('select parts from framework_imports where organization_id = $1 and id = $2')

/** As it is answered. */
export async function shownImport(
  context: TransactionContext,
  given: FrameworkImport,
): Promise<z.input<typeof frameworkImport>> {
  const { one, job } = await withJob(context, given, () => findImport(context, given.id))
  const { jobId: _, hash: __, about: ___, options: ____, hasStopped: _____, ...rest } = one
  return { ...rest, job: job as never }
}

const insert = statement(`
  insert into framework_imports (organization_id, id, library, file_name, options, stage, created_at, created_by, kept_until)
  values ($1, $2, $3, $4, $5::jsonb, 'begun', $6::timestamptz, $7::jsonb, $6::timestamptz + $8 * interval '1 day')`)

export const keepPlan = statement(`
  update framework_imports
     set stage = 'planned', plan = $3::jsonb, hash = $4, about = $5::jsonb, parts = $6::jsonb, result = null, job_id = null
   where organization_id = $1 and id = $2`)

export const keepResult = statement(`
  update framework_imports set stage = 'applied', result = $3::jsonb, framework_id = $4, parts = null
   where organization_id = $1 and id = $2`)

/** So many files an organization keeps that nobody has carried out yet. */
const FILES_AT_MOST = 20

/** What was read of files is kept for those that came last; the others wait for theirs again. */
export function forgetOldFiles(tx: TransactionContext['tx']): void {
  tx.write(forgetFiles(tx.organizationId, FILES_AT_MOST))
  tx.write(forgetStretches(tx.organizationId))
}

const forgetFiles = statement(`
  update framework_imports set stage = 'begun', plan = null, hash = null, about = null, parts = null
   where organization_id = $1 and id in (
    select id from framework_imports
     where organization_id = $1 and stage = 'planned' and file_name is not null
     order by created_at desc, id desc offset $2::int)`)

/** What was carried out needs them no more. */
const forgetStretches = statement(`
  delete from framework_import_stretches s using framework_imports i
   where s.organization_id = $1 and i.organization_id = s.organization_id and i.id = s.import_id
     and i.stage in ('begun', 'applied')`)

export const underWay = statement(
  `update framework_imports set stage = 'applying', job_id = $3 where organization_id = $1 and id = $2`,
)

export const removeOld = statement(`
  delete from framework_imports where (organization_id, id) in (
    select organization_id, id from framework_imports where kept_until <= clock_now() order by kept_until limit 100)`)
