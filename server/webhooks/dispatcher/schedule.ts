import { type Outcome, outcomes } from '../outcomes.ts'

/**
 * When an attempt is followed by another: seven in all, by the schedule that the
 * contract names. What a receiver says about it (`Retry-After`, 410) changes nothing.
 */

/** What stands in the log of a delivery after one attempt. */
export interface Verdict {
  readonly status: 'delivered' | 'failed' | 'waiting_for_retry'
  /** Takes one of the seven attempts, and one of the ten failures in a row that turn an endpoint off. */
  readonly counted: boolean
  /** From the end of the attempt to the next; null where there is none. */
  readonly waitMs: number | null
}

/** What decides about a delivery besides the outcome. */
export interface Standing {
  readonly purpose: 'signal' | 'test' | 'workflow'
  /** Counted attempts before this one. */
  readonly attemptCount: number
  readonly statusBefore: 'delivered' | 'failed' | 'not_sent' | null
  readonly off: boolean
}

/** A workflow's step tries at 0, 15, 60 and 180 seconds. */
const WORKFLOW_DELAYS = [15_000, 45_000, 120_000]

const SPREAD = 0.05
const SPREAD_AT_MOST_MS = 60_000

/**
 * @param delays of the configuration: after the first, second … failed attempt
 * @param random from 0 to 1; spreads retries so that a receiver that comes back is not stormed
 */
export function judge(
  outcome: Outcome,
  standing: Standing,
  delays: readonly number[],
  random: number = Math.random(),
): Verdict {
  const { purpose, attemptCount, statusBefore, off } = standing
  const counted = outcomes[outcome].counted && !off
  if (outcome === 'success') return { status: 'delivered', counted, waitMs: null }
  // By hand: one attempt and no schedule. What was once delivered stays so.
  if (statusBefore !== null)
    return { status: statusBefore === 'delivered' ? 'delivered' : 'failed', counted, waitMs: null }
  if (!counted) return { status: 'waiting_for_retry', counted, waitMs: 0 }
  const delay = (purpose === 'workflow' ? WORKFLOW_DELAYS : delays)[attemptCount]
  if (delay === undefined) return { status: 'failed', counted, waitMs: null }
  return { status: 'waiting_for_retry', counted, waitMs: spread(delay, random) }
}

/** A delay, or a little more: never less. */
export const spread = (delayMs: number, random: number): number =>
  Math.ceil(delayMs + random * Math.min(delayMs * SPREAD, SPREAD_AT_MOST_MS))
