import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { writeRefusal } from '../caller/limited-view.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { operation, ownOf, scope, type TransactionContext } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { startedBy } from './acting.ts'
import type { AnyJobKind } from './job-kind.ts'
import { laneOf } from './job-queue.ts'
import { findJob, jobDetail, readNeeds } from './job-record.ts'

/*
 * A job that failed or was cancelled keeps its place, so that it can go on from there. It then acts as whoever let it go
 * on, since whoever started it may not be there any more.
 */

export const resumeJob = operation({
  name: 'resumeJob',
  method: 'POST',
  path: '/v1/jobs/{id}/resume',
  needs: ownOf(scope()),
  writes: true,
  title: 'Resume a job',
  description:
    'One that was cancelled or has failed goes on where it ended, and acts as you. It takes the right that the job takes.',
  input: z.strictObject({ id: idOf('job').describe('The id of a job') }),
  output: jobDetail,
  refusals: ['conflict'],
  run: (context, { id }) => goOnWith(context, id),
})

/**
 * Lets a job that has ended go on from where it did, as the caller.
 * @throws {Refusal} `not_found`, what the job needs and the caller lacks, `conflict` where it cannot go on
 */
export async function goOnWith(
  context: TransactionContext,
  id: string,
): Promise<Awaited<ReturnType<typeof findJob>>> {
  const { tx, caller, parts } = context
  const [[state], found] = await Promise.all([
    tx.read<{ state: string }>(lock(tx.organizationId, id)),
    findJob(context, id),
  ])
  if (!state) throw notFound()
  const writes = parts.jobs.kinds.get(found.kind)?.writes !== false
  for (const needs of await readNeeds(context, id)) {
    refuseUnlessAllowed(needs, caller, { id })
    const refusal = writeRefusal({ needs, writes }, caller)
    if (refusal) throw refusal
  }
  if (!found.canResume) throw new Refusal('conflict', WHY_NOT[found.isSuperseded ? 'superseded' : 'other'])
  const time = await tx.now
  tx.write(resume(tx.organizationId, id, JSON.stringify(startedBy(caller))))
  audit(tx, caller, { time, action: 'job.resume', subject: { type: 'job', id, title: found.title } })
  tx.afterCommit(() => parts.jobs.wake(laneOf(tx.organizationId, found.kind)))
  return await findJob(context, id)
}

const WHY_NOT = {
  superseded: 'Its work was taken over, or put back to be decided anew: there is nothing left for it to do.',
  other: 'Only a job that failed or was cancelled, and whose input is still there, can go on: start it anew.',
}

/**
 * Ends the jobs of a kind that an organization has, because one that is about to be started does their work as well: those
 * that wait at once, one that is worked before its next piece. They cannot be resumed.
 */
export async function supersedeJobs(tx: Transaction, { name }: Pick<AnyJobKind, 'name'>): Promise<void> {
  await tx.read(supersede(tx.organizationId, name))
}

/** Says of a job that has ended, or is about to, that it would do nothing more, or fail the same way again: it cannot be resumed. */
export async function leaveJob(tx: Transaction, id: string): Promise<void> {
  await tx.read(leave(tx.organizationId, id))
}

const lock = statement(`
  select state from jobs where organization_id = $1 and id = $2 for no key update`)

/** In its lane it stands where it stood, by the moment of its making; and whoever started it first still sees it. */
const resume = statement(`
  update jobs set state = 'waiting', due_at = created_at, cancel_asked_at = null, ended_at = null,
         started_by = $3::jsonb || jsonb_build_object('first', coalesce(started_by->'first', jsonb_build_object(
           'userId', started_by->'userId', 'credentialId', started_by->'credential'->'id'))),
         kept_until = null, failure = null, losses = 0, faults = 0
   where organization_id = $1 and id = $2 and state in ('failed', 'cancelled')`)

const leave = statement(
  'update jobs set superseded_at = clock_now() where organization_id = $1 and id = $2 returning id',
)

const supersede = statement(`
  update jobs set superseded_at = clock_now(),
         cancel_asked_at = case when ended_at is null then coalesce(cancel_asked_at, clock_now()) else cancel_asked_at end,
         state = case when ended_at is null and claim_id is null then 'cancelled' else state end,
         due_at = case when claim_id is null then null else due_at end,
         kept_until = case when ended_at is null and claim_id is null
           then clock_now() + kept_days * interval '1 day' else kept_until end,
         ended_at = case when ended_at is null and claim_id is null then clock_now() else ended_at end
   where organization_id = $1 and kind = $2 and superseded_at is null and state <> 'succeeded'`)
