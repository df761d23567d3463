import { z } from 'zod'
import { words } from '../../model/fields.ts'
import { DEFAULT_MATRIX, type RiskMatrix } from '../../model/risk-matrix.ts'
import {
  complaintsOf,
  type MatrixChange,
  matrixChanges,
  mergedMatrix,
} from '../../model/risk-matrix-change.ts'
import { MATRIX, MATRIX_CHANGE } from '../../model/risk-matrix-schema.ts'
import { actorOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { type IfMatch, refuseOtherVersion } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import { supersedeJobs } from '../jobs/resume.ts'
import { startJob } from '../jobs/start-job.ts'
import { audit } from '../journal/audit.ts'
import { capability, operation, scope, type TransactionContext } from '../operation.ts'
import { IF_MATCH } from '../records/schemas.ts'
import { invalid, notFound } from '../refusal.ts'
import { countMoves, moves } from './risk-matrix/moves.ts'
import { recalculateRisks } from './risk-matrix/recalculate.ts'

/*
 * The risk matrix of an organization, as a setting with versions. The first version is that of every organization and
 * stands in the code; each change adds one, which holds at once for whatever is written from then on. What was written
 * before is brought up to it by a job.
 *
 * Three take their locks in one order, so that none waits for another crosswise: the row of the job, the records, and
 * the matrix (0051-risk-matrix.sql).
 */

const PATH = '/v1/risk-matrix'
const FIRST = 1
const LARGEST = 2_147_483_647

const changedBy = z.object({ type: z.string(), id: z.string(), displayName: z.string() })

const VERSION = {
  version: z.int().describe('Grows by one with every change'),
  reason: z.string().nullable().describe('Why it was changed, as whoever did it said'),
  changedAt: z.string().nullable().describe('Null of the first, which is that of every organization'),
  changedBy: changedBy.nullable(),
  risksMoved: z
    .int()
    .nullable()
    .describe('How many risks came to another level by it; null until all were brought up to it'),
}

const riskMatrix = z
  .object({
    ...VERSION,
    isCurrent: z.boolean().describe('Whether it is the one that holds'),
    ...MATRIX,
    recalculation: z
      .object({
        jobId: z.string(),
        state: z.enum(['waiting', 'running', 'succeeded', 'failed', 'cancelled']),
        done: z.int(),
        total: z.int().nullable(),
      })
      .nullable()
      .describe('The job that brings the records up to this version; null where there is none any more'),
  })
  .meta({ id: 'RiskMatrix', title: 'Risk matrix' })

export const getRiskMatrix = operation({
  name: 'getRiskMatrix',
  method: 'GET',
  path: PATH,
  needs: scope('read:risks'),
  writes: false,
  title: 'Read the risk matrix',
  description:
    'How level and score follow from likelihood and impact, what each is called, and the appetite. The keys are what records hold.',
  input: z.strictObject({
    version: z
      .int()
      .min(FIRST)
      .max(LARGEST)
      .optional()
      .describe('An earlier one; the one that holds, where it is left out'),
  }),
  output: riskMatrix,
  run: async ({ tx }, { version }) => shown(tx, await readMatrix(tx, version)) as never,
})

export const listRiskMatrixVersions = operation({
  name: 'listRiskMatrixVersions',
  method: 'GET',
  path: `${PATH}/versions`,
  needs: scope('read:risks'),
  writes: false,
  title: 'List the versions of the risk matrix',
  description: 'The one that holds comes first; getRiskMatrix reads each by its version.',
  input: z.strictObject({}),
  output: z
    .object({ data: z.array(z.object(VERSION).meta({ id: 'RiskMatrixVersion' })), nextCursor: z.null() })
    .meta({ id: 'RiskMatrixVersions', title: 'Versions of the risk matrix' }),
  run: async ({ tx }) => {
    const rows = await tx.read(list(tx.organizationId))
    const first = { version: FIRST, reason: null, changedAt: null, changedBy: null, risksMoved: null }
    return { data: [...rows, first] as never, nextCursor: null }
  },
})

export const previewRiskMatrix = operation({
  name: 'previewRiskMatrix',
  method: 'POST',
  path: `${PATH}/preview`,
  needs: capability('settings.manage'),
  writes: false,
  isLarge: true,
  title: 'Count what a change of the risk matrix would move',
  description: 'It takes what updateRiskMatrix takes, refuses what that refuses, and changes nothing.',
  input: z.strictObject(MATRIX_CHANGE),
  output: moves,
  run: async ({ tx }, change) => {
    const { matrix } = await readMatrix(tx)
    return await countMoves(tx, judged(matrix, change as MatrixChange))
  },
})

export const updateRiskMatrix = operation({
  name: 'updateRiskMatrix',
  method: 'PATCH',
  path: PATH,
  needs: capability('settings.manage'),
  writes: true,
  title: 'Change the risk matrix',
  description:
    'What is absent stays. It holds at once for what is written from then on; a job brings the risks and treatments there are up to it.',
  input: z.strictObject({
    ifMatch: IF_MATCH,
    reason: words(2_000).optional().describe('Why it is changed'),
    ...MATRIX_CHANGE,
  }),
  output: riskMatrix,
  headers: { ifMatch: 'if-match' },
  refusals: ['conflict'],
  run: async (context, { ifMatch, reason, ...change }) => {
    const { tx } = context
    const version = await changeRiskMatrix(context, change as MatrixChange, { ifMatch, reason })
    return (await shown(tx, await readMatrix(tx, version ?? undefined))) as never
  },
})

/**
 * Changes the risk matrix, and starts the job that brings what was rated before up to it.
 * @returns the version that it now has; null where nothing was changed
 * @throws {Refusal} `validation_failed`, with each cell, label and colour that cannot be; `conflict` for another version
 */
export async function changeRiskMatrix(
  context: TransactionContext,
  change: MatrixChange,
  { ifMatch, reason }: { readonly ifMatch?: IfMatch | undefined; readonly reason?: string | undefined } = {},
): Promise<number | null> {
  const { tx, caller } = context
  // Before the matrix is held: a piece of a job holds its job and then asks for the matrix.
  await supersedeJobs(tx, recalculateRisks)
  await tx.read(hold(tx.organizationId))
  const [before, time] = await Promise.all([readMatrix(tx), tx.now])
  refuseOtherVersion(before.version, ifMatch)
  const matrix = judged(before.matrix, change)
  const changes = matrixChanges(before.matrix, matrix)
  if (Object.keys(changes).length === 0) return null
  const version = before.version + 1
  const { cells, appetite, likelihoods, impacts, levels } = matrix
  tx.write(
    insert(
      tx.organizationId,
      version,
      ...[cells, appetite, likelihoods, impacts, levels].map((part) => JSON.stringify(part)),
      reason ?? null,
      time,
      JSON.stringify(actorOf(caller)),
    ),
  )
  audit(tx, caller, {
    time,
    action: 'risk_matrix.update',
    subject: { type: 'risk_matrix', id: tx.organizationId, title: `Version ${version}` },
    changes,
    ...(reason !== undefined && { reason }),
  })
  await startJob(context, recalculateRisks, { version })
  return version
}

interface ReadMatrix extends Omit<z.output<typeof riskMatrix>, keyof RiskMatrix | 'recalculation'> {
  readonly matrix: RiskMatrix
}

/** @throws {Refusal} `not_found` for a version that is not there */
async function readMatrix(tx: Transaction, version?: number): Promise<ReadMatrix> {
  const [row] = await tx.read<ReadMatrix & { latest: number | null }>(
    read(tx.organizationId, version ?? null),
  )
  const latest = row?.latest ?? FIRST
  if (row?.matrix) {
    const { latest: _latest, ...found } = row
    return { ...found, isCurrent: found.version === latest, matrix: withAll(found.matrix) }
  }
  if (version !== undefined && version !== FIRST) throw notFound()
  return {
    ...{ version: FIRST, reason: null, changedAt: null, changedBy: null, risksMoved: null },
    isCurrent: latest === FIRST,
    matrix: withAll(DEFAULT_MATRIX),
  }
}

/** Each category is in it, so that the one that was changed last has the others beside it. */
const withAll = (matrix: RiskMatrix): RiskMatrix => ({
  ...matrix,
  appetite: Object.fromEntries(CATEGORIES.map((category) => [category, matrix.appetite[category] ?? null])),
})
const CATEGORIES = Object.keys(MATRIX_CHANGE.appetite.unwrap().shape)

/** @throws {Refusal} `validation_failed`, with each cell, label and colour that cannot be */
function judged(matrix: RiskMatrix, change: MatrixChange): RiskMatrix {
  const after = mergedMatrix(matrix, change)
  const complaints = complaintsOf(after)
  if (complaints.length > 0) throw invalid(...complaints)
  return after
}

async function shown(tx: Transaction, { matrix, ...told }: ReadMatrix) {
  const [job = null] = await tx.read(
    findRecalculation(tx.organizationId, recalculateRisks.name, String(told.version)),
  )
  return { ...told, ...matrix, recalculation: job }
}

const hold = statement('select hold_risk_matrix($1)')

const insert = statement(`
  insert into risk_matrices (organization_id, version, cells, appetite, likelihoods, impacts, levels, reason, created_at, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

const TOLD = `version, reason, created_at as "changedAt", created_by as "changedBy", risks_moved as "risksMoved"`

/** One row, without a matrix where there is none of that version. Parameters: organization, version or null. */
const read = statement(`
  select latest.version as latest, found.*
    from (select max(version) as version from risk_matrices where organization_id = $1) latest
    left join lateral (
      select ${TOLD}, json_build_object('cells', cells, 'appetite', appetite, 'likelihoods', likelihoods,
               'impacts', impacts, 'levels', levels) as matrix
        from risk_matrices m where organization_id = $1 and m.version = coalesce($2::int, latest.version)) found on true`)

const list = statement(
  `select ${TOLD} from risk_matrices where organization_id = $1 order by version desc limit 200`,
)

const findRecalculation = statement(`
  select id as "jobId", state, done, total from jobs
   where organization_id = $1 and kind = $2 and input->>'version' = $3 order by created_at desc limit 1`)
