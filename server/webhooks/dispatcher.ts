import type pg from 'pg'
import type { Logger } from 'pino'
import type { Ended } from '../queue/lane.ts'
import type { Queue, Ran, Swept } from '../queue/queue.ts'
import type { AttemptRunner, Carried } from './dispatcher/attempt-runner.ts'
import { type Claimed, claimDue, claimSuspect, take } from './dispatcher/claim.ts'
import { releaseClaim } from './dispatcher/hand-back.ts'
import { CAPACITY, LEASE_MS, START_WITHIN_MS } from './dispatcher/limits.ts'
import type { NotSentWriter } from './dispatcher/not-sent.ts'
import { SignalBodies } from './dispatcher/signal-bodies.ts'
import { takeBack, upkeep } from './dispatcher/upkeep.ts'
import type { Outcome } from './outcomes.ts'
import { faultCures } from './request/failure.ts'
import type { Sender } from './request.ts'

/**
 * The engine: what is due goes out, and what came of it is written down. It is a queue (queue/queue.ts), and this is
 * what deliveries say of theirs.
 *
 * A *signal* is written with the change it tells of, and with it one *delivery* for each endpoint, so a change and its
 * message exist together or not at all. The delivery is the log that people read; while it waits it has a row in the
 * queue as well, and while it is under way a lease (dispatcher/lease.ts). An *attempt* is one request. It is in the log
 * before the request leaves, because a log that is written afterwards lies about exactly the moments one needs it for:
 * while it is under way it is the claim on its delivery. When it has ended it stays there if it delivered, and has a row
 * of its own if not.
 *
 * Whoever dies leaves claims whose leases end by themselves; the delivery is then claimed again, under the same
 * webhook-id, and the attempt is logged as interrupted. So every delivery is sent at least once, and a receiver that
 * remembers webhook-ids sees it exactly once.
 *
 * Results are written in batches, where the *fold* of failures in a row is made (flush.ts). What is our own fault (the
 * database away, no descriptors, no resolver) is nobody's failed attempt.
 */
export interface DeliveryQueueParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly attemptRunner: AttemptRunner
  readonly sender: Sender
  readonly notSent: NotSentWriter
  readonly delays: readonly number[]
}

/** By which processes that do not dispatch tell the others; the same in every version that may run beside this one. */
const CHANNEL = 'plumbline_webhooks'

export function deliveryQueue(parts: DeliveryQueueParts): Queue<Claimed> {
  const { pool } = parts
  const bodies = new SignalBodies()
  return {
    name: 'webhook deliveries',
    channel: CHANNEL,
    capacity: CAPACITY,
    startWithinMs: START_WITHIN_MS,
    partitionOf: ({ endpointId }) => endpointId,
    organizationOf: ({ organizationId }) => organizationId,
    claim: ({ partitions, rooms, claimId, firstAttemptsOnly }) =>
      take(pool, claimDue(partitions, rooms, claimId, LEASE_MS, firstAttemptsOnly), claimId, bodies),
    claimAlone: (claimId) => take(pool, claimSuspect(claimId, LEASE_MS), claimId, bodies),
    release: (claimId) => pool.query(releaseClaim(claimId)),
    recover: (living) => takeBack(parts, living),
    sweep: () => sweep(parts),
    run: (claim, startBy) => run(parts, claim, startBy),
  }
}

/** Deliveries of an epoch that is over wait in vain, and are not told of. */
async function sweep(parts: DeliveryQueueParts): Promise<Swept> {
  const { waiting, suspect } = await upkeep(parts)
  parts.notSent.add(waiting.filter(({ live }) => !live))
  return {
    waiting: waiting
      .filter(({ live }) => live)
      .map(({ endpointId, organizationId, dueInMs }) => ({ partition: endpointId, organizationId, dueInMs })),
    alone: suspect,
  }
}

function run(
  { attemptRunner, sender, log }: DeliveryQueueParts,
  claim: Claimed,
  startBy: number,
): Promise<Ran> {
  return attemptRunner.carry(claim, sender, startBy).then(ranOf, (err) => {
    log.error({ err, deliveryId: claim.deliveryId }, 'a webhook delivery could not be carried')
    return { handedBack: 'later' }
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
  return { ...notSent, cure: faultCures[notSent.fault] }
}

/** A kept connection that was closed says nothing of the receiver. */
function endedBy(outcome: Outcome): Ended {
  if (outcome === 'success') return 'succeeded'
  if (outcome === 'connection_closed') return 'neutral'
  return outcome === 'timeout' ? 'timed_out' : 'failed'
}
