import type pg from 'pg'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../queue/database-clock.ts'
import type { Ended } from '../queue/lane.ts'
import type { Queue, Ran, Swept } from '../queue/queue.ts'
import type { ResultsBuffer } from '../queue/results-buffer.ts'
import { Worker } from '../queue/worker.ts'
import type { WorkerConnection } from '../queue/worker-connection.ts'
import type { AttemptRunner, Carried } from './dispatcher/attempt-runner.ts'
import { type Claimed, claimDue, claimSuspect, take } from './dispatcher/claim.ts'
import type { Result } from './dispatcher/flush.ts'
import { releaseClaim } from './dispatcher/hand-back.ts'
import { CAPACITY, LEASE_MS, START_WITHIN_MS } from './dispatcher/limits.ts'
import { recoverClaims } from './dispatcher/lost-senders.ts'
import { NotSentWriter } from './dispatcher/not-sent.ts'
import type { Stats } from './dispatcher/stats.ts'
import { upkeep } from './dispatcher/upkeep.ts'
import type { Outcome } from './outcomes.ts'
import type { Sender } from './request.ts'

/**
 * The engine: what is due goes out, and what came of it is written down. It is a queue (queue/queue.ts), and this is
 * what deliveries say of theirs.
 *
 * A *signal* is written with the change it tells of, and with it one *delivery* for each endpoint: the same
 * row is the log that people read and the queue that is worked here, so a change and its message exist together
 * or not at all. An *attempt* is one request. It is in the log before the request leaves, because a log that
 * is written afterwards lies about exactly the moments one needs it for: while it is under way it is the claim on
 * its delivery, and it gets a row of its own when it has ended.
 *
 * Whoever dies leaves claims whose leases end by themselves; the delivery is then claimed again, under the same
 * webhook-id, and the attempt is logged as interrupted. So every delivery is sent at least once, and a receiver that
 * remembers webhook-ids sees it exactly once.
 *
 * Results are written in batches, where the *fold* of failures in a row is made (flush.ts). What is our own fault (the
 * database away, no descriptors, no resolver) is nobody's failed attempt.
 */
export interface DispatcherParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly attemptRunner: AttemptRunner
  readonly sender: Sender
  readonly resultsBuffer: ResultsBuffer<Result>
  readonly clock: DatabaseClock
  readonly stats: Stats
  readonly delays: readonly number[]
  readonly connection: WorkerConnection
}

/** By which processes that do not dispatch tell the others; the same in every version that may run beside this one. */
const CHANNEL = 'plumbline_webhooks'

export class Dispatcher {
  readonly #worker: Worker<Claimed>
  readonly #notSent: NotSentWriter

  constructor(parts: DispatcherParts) {
    const { pool, log, resultsBuffer, clock, stats, connection } = parts
    this.#notSent = new NotSentWriter(pool, log)
    this.#worker = new Worker(queueOf(parts, this.#notSent), {
      pool,
      log,
      connection,
      clock,
      resultsBuffer,
      observer: stats,
    })
  }

  /** Takes up what processes that are gone had claimed, then begins to claim and to sweep. */
  begin(): Promise<void> {
    return this.#worker.begin()
  }

  /** Claims nothing any more; what is on the wire goes on. */
  cease(): void {
    this.#worker.cease()
    this.#notSent.cease()
  }

  /** When nothing is on the wire or being claimed. */
  async quiet(): Promise<void> {
    await this.#worker.quiet()
    await this.#notSent.quiet()
  }

  /** Something of these endpoints may be due: told here, or to the processes that dispatch. */
  wake(endpointIds: readonly string[]): void {
    this.#worker.wake(endpointIds)
  }

  /** Hints that were not told yet leave now. */
  tellHints(): Promise<void> {
    return this.#worker.tellHints()
  }

  /** Looks for everything that is due, and does what is to be done now and then. */
  sweep(): Promise<void> {
    return this.#worker.sweep()
  }
}

function queueOf(parts: DispatcherParts, notSent: NotSentWriter): Queue<Claimed> {
  const { pool } = parts
  return {
    name: 'webhook deliveries',
    channel: CHANNEL,
    capacity: CAPACITY,
    startWithinMs: START_WITHIN_MS,
    partitionOf: ({ endpointId }) => endpointId,
    organizationOf: ({ organizationId }) => organizationId,
    claim: ({ partitions, rooms, claimId, firstAttemptsOnly }) =>
      take(pool, claimDue(partitions, rooms, claimId, LEASE_MS, firstAttemptsOnly), claimId),
    claimAlone: (claimId) => take(pool, claimSuspect(claimId, LEASE_MS), claimId),
    release: (endpointIds, claimId) => pool.query(releaseClaim(endpointIds, claimId, LEASE_MS)),
    recover: (living) => pool.query(recoverClaims(living, LEASE_MS)),
    sweep: () => sweep(parts, notSent),
    run: async (claim, startBy) => ranOf(await carry(parts, claim, startBy)),
  }
}

/** Deliveries of an epoch that is over wait in vain, and are not told of. */
async function sweep(parts: DispatcherParts, notSent: NotSentWriter): Promise<Swept> {
  const { waiting, suspect } = await upkeep(parts)
  notSent.add(waiting.filter(({ live }) => !live))
  return {
    waiting: waiting
      .filter(({ live }) => live)
      .map(({ endpointId, organizationId, dueInMs }) => ({ partition: endpointId, organizationId, dueInMs })),
    alone: suspect,
  }
}

async function carry(
  { attemptRunner, sender, log }: DispatcherParts,
  claim: Claimed,
  startBy: number,
): Promise<Carried> {
  return await attemptRunner.carry(claim, sender, startBy).catch((err): Carried => {
    log.error({ err, deliveryId: claim.deliveryId }, 'a webhook delivery could not be carried')
    return { notSent: 'unreadable' }
  })
}

function ranOf(carried: Carried): Ran {
  if ('outcome' in carried) {
    const { outcome, durationMs, waitMs, written } = carried
    return { ended: endedBy(outcome), durationMs, dueInMs: waitMs, written }
  }
  const { notSent } = carried
  if (notSent === 'overtaken') return { handedBack: 'now' }
  if (notSent === 'unreadable') return { handedBack: 'later' }
  return notSent
}

/** A kept connection that was closed says nothing of the receiver. */
function endedBy(outcome: Outcome): Ended {
  if (outcome === 'success') return 'succeeded'
  if (outcome === 'connection_closed') return 'neutral'
  return outcome === 'timeout' ? 'timed_out' : 'failed'
}
