import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { isDeadlock, refusalOf } from '../database/errors.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { again } from '../records/again.ts'
import { Refusal } from '../refusal.ts'
import { ALL_AT_MOST, applyAtOnce, applyBulkChange as applyJob, keepRefused } from './apply-bulk-change.ts'
import { id, NEEDS, PATH } from './begin-bulk-change.ts'
import {
  AT_ONCE,
  type BulkChange,
  bulkChange,
  FOR_CHANGE,
  findBulkChange,
  shownBulkChange,
  toJob,
} from './bulk-change.ts'
import { STAYS, underWay, WRITES } from './row-counts.ts'

/* What was planned is carried out: a few rows before the answer, many by a job. */

const INPUT = z.strictObject({
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
})
type Given = z.output<typeof INPUT>

export const applyBulkChange = operation({
  name: 'applyBulkChange',
  method: 'POST',
  path: `${PATH}/{id}/apply`,
  needs: NEEDS,
  writes: 'own',
  title: 'Carry out a change of many records',
  description: `What was planned is done, with a signal for each record: of up to ${AT_ONCE} rows before the answer, of more by a job. A row whose record has changed since the plan is left as it is, and told.`,
  input: INPUT,
  output: bulkChange,
  refusals: ['conflict', 'confirm_required'],
  run: async ({ transaction }, input) => {
    let writing = null as BulkChange | null
    const atOnce = () =>
      transaction(async (within) => {
        writing = null
        const { bulk, writes } = await judged(within, input)
        if (writes > AT_ONCE) return startIn(within, bulk, input)
        writing = bulk
        await applyAtOnce(within, bulk, input.rows)
        return movedTo(within, bulk, 'applied', null)
      })
    try {
      return await again(atOnce, isDeadlock)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!writing || !refusal || refusal.status >= 500) throw error
      const { id, jobId } = writing
      if (input.rows === 'all') throw await transaction((within) => keptRefused(within, id, jobId, refusal))
      // What the database refuses of one row keeps out all that was written with it: a job goes through them one by one.
      return transaction(async (within) => startIn(within, (await judged(within, input)).bulk, input))
    }
  },
})

/** Unless it was planned anew meanwhile, or somebody else carries it out. */
async function keptRefused(context: TransactionContext, id: string, jobId: string | null, refusal: Refusal) {
  const bulk = await findBulkChange(context, id, FOR_CHANGE)
  const isSame = bulk.stage === 'planned' && bulk.jobId === jobId
  return isSame ? keepRefused(context, bulk, refusal) : refusal
}

async function startIn(context: TransactionContext, bulk: BulkChange, { rows }: Given) {
  const job = await startJob(context, applyJob, { ...toJob(bulk), rows })
  return movedTo(context, bulk, 'applying', job)
}

async function movedTo(
  context: TransactionContext,
  { id }: BulkChange,
  stage: BulkChange['stage'],
  job: string | null,
) {
  context.tx.write(underWay(context.tx.organizationId, id, stage, job))
  return shownBulkChange(context, await findBulkChange(context, id))
}

/** @throws {Refusal} why it cannot be carried out so; then nothing is written */
async function judged(
  context: TransactionContext,
  { id, rows, confirm }: Given,
): Promise<{ bulk: BulkChange; writes: number }> {
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
      `${errors} rows have errors: correct them in the file, or carry out only what is good.`,
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
  return { bulk, writes }
}

/** Who brings a file in waits for whoever is about to bring in the same. */
const takeTurn = statement(`
  select pg_advisory_xact_lock(hashtextextended('import ' || organization_id || ' ' || file_hash, 0))
    from bulk_changes where organization_id = $1 and id = $2 and file_hash is not null`)

/** What it would do, and when the same file was brought in before, and not taken back. */
const judge = statement(`
  select count(*) filter (where ${WRITES})::int as writes,
         count(*) filter (where planned = 'create')::int as adds,
         count(*) filter (where planned = 'error')::int as errors,
         (select max(o.created_at) from bulk_changes b join bulk_changes o
              on o.organization_id = b.organization_id and o.file_hash = b.file_hash and o.kind = b.kind and o.id <> b.id
             and o.sheet is not distinct from b.sheet and (o.stage = 'applying' or o.stage = 'applied' and exists (
               select from bulk_change_rows r
                where r.organization_id = o.organization_id and r.bulk_change_id = o.id and r.done = 'created' and ${STAYS}))
           where b.organization_id = $1 and b.id = $2) as before
    from bulk_change_rows where organization_id = $1 and bulk_change_id = $2`)
