import type { z } from 'zod'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import type { Query } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { gateTransaction, type Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { startedBy } from './acting.ts'
import {
  type AnyJobKind,
  type ClaimedJob,
  type JobKind,
  needsOfJob,
  type StartedBy,
  titleOf,
} from './job-kind.ts'
import { laneOf } from './job-queue.ts'
import { insertJob } from './statements.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever its place is, it begins without one
type KindOf<Input extends z.ZodType> = JobKind<Input, any>

/**
 * Starts a job of the caller's organization, which acts as the caller: it is written with the transaction, and is
 * worked once that is committed.
 * @returns its id
 * @throws {Refusal} what the kind needs and the caller lacks; `conflict` where too many of it wait already
 */
export async function startJob<Input extends z.ZodType>(
  { tx, caller, parts }: TransactionContext,
  kind: KindOf<Input>,
  input: z.input<Input>,
): Promise<string> {
  for (const needs of needsOfJob(kind, kind.input.parse(input))) refuseUnlessAllowed(needs, caller, input)
  const { id, query, lane } = prepared(parts, kind, input, tx.organizationId, startedBy(caller))
  const [[made], time] = await Promise.all([tx.read(query), tx.now])
  if (!made) throw tooMany(kind)
  audit(tx, caller, { time, action: 'job.start', subject: { type: 'job', id, title: titleOf(kind, input) } })
  tx.afterCommit(() => parts.jobs.wake(lane))
  return id
}

function tooMany({
  waitingAtMost,
  waitingAtMostEach,
}: Pick<AnyJobKind, 'waitingAtMost' | 'waitingAtMostEach'>) {
  const which =
    waitingAtMostEach === undefined
      ? `${waitingAtMost} jobs of this kind`
      : `${waitingAtMostEach} jobs of this kind that you started, or ${waitingAtMost} of everybody's,`
  return new Refusal('conflict', `${which} wait already: cancel one, or wait until one is done.`)
}

/** A job that the service does by itself for the organization of a transaction. @returns its id; null where too many wait */
export async function startJobOfService<Input extends z.ZodType>(
  parts: Parts,
  tx: Transaction,
  kind: KindOf<Input>,
  input: z.input<Input>,
): Promise<string | null> {
  const { id, query, lane } = prepared(parts, kind, input, tx.organizationId, null)
  const [made] = await tx.read(query)
  if (!made) return null
  tx.afterCommit(() => parts.jobs.wake(lane))
  return id
}

/**
 * A job of no organization, such as a mail, written with a transaction.
 * @returns its id; null where too many wait
 */
export async function startJobOfNone<Input extends z.ZodType>(
  parts: Parts,
  tx: Transaction,
  kind: KindOf<Input>,
  input: z.input<Input>,
): Promise<string | null> {
  const { id, query, lane } = prepared(parts, kind, input, null, null)
  const [made] = await tx.readAsGate(query)
  if (!made) {
    parts.log.warn({ kind: kind.name }, 'too many jobs of this kind wait: one is not started')
    return null
  }
  tx.afterCommit(() => parts.jobs.wake(lane))
  return id
}

/** The same in a transaction of its own. */
export const startJobAlone = <Input extends z.ZodType>(
  parts: Parts,
  kind: KindOf<Input>,
  input: z.input<Input>,
): Promise<string | null> =>
  gateTransaction(parts.database.tenant, (tx) => startJobOfNone(parts, tx, kind, input))

/**
 * A job of no organization that this process works itself, as soon as the transaction is committed, while somebody
 * waits for it (`Jobs.runNow`). Should the process end meanwhile, another takes it up. However many wait, it does not.
 */
export function claimNewJob<Input extends z.ZodType>(
  parts: Parts,
  tx: Transaction,
  kind: KindOf<Input>,
  input: z.input<Input>,
): ClaimedJob {
  const claimId = parts.jobs.newClaim()
  const { waitingAtMost: _waitingAtMost, ...unbounded } = kind
  const { id, query, lane, row } = prepared(parts, unbounded, input, null, null, claimId)
  tx.writeAsGate(query)
  const job = { id, organizationId: null, kind: kind.name, lane, startedBy: null, claimId, faults: 0 }
  return { ...job, ...row, place: null, features: null }
}

/** @throws where the input is not what the kind takes: whoever starts a job has judged what a caller sent */
function prepared(
  { keyring }: Parts,
  kind: Pick<AnyJobKind, 'name' | 'input' | 'isSealed' | 'keptDays' | 'waitingAtMost' | 'waitingAtMostEach'>,
  input: unknown,
  organizationId: string | null,
  by: StartedBy | null,
  claimId: string | null = null,
): { id: string; lane: string; query: Query; row: { input: unknown; sealedInput: Buffer | null } } {
  kind.input.parse(input)
  const id = newId('job')
  const text = JSON.stringify(input)
  const sealedInput = kind.isSealed ? keyring.seal(Buffer.from(text), 'jobInput', [id]) : null
  const query = insertJob(
    id,
    organizationId,
    kind.name,
    sealedInput ? null : text,
    sealedInput,
    by && JSON.stringify(by),
    claimId,
    kind.waitingAtMost ?? null,
    kind.keptDays,
    kind.waitingAtMostEach ?? null,
  )
  return { id, lane: laneOf(organizationId, kind.name), query, row: { input, sealedInput } }
}
