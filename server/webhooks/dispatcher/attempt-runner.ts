import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../../queue/database-clock.ts'
import { HandBacks } from '../../queue/hand-backs.ts'
import type { ResultsBuffer } from '../../queue/results-buffer.ts'
import { inUnit } from '../../unit-of-work.ts'
import type { Outcome } from '../outcomes.ts'
import type { Fault } from '../request/failure.ts'
import type { AttemptResult, Sender } from '../request.ts'
import type { Secrets } from '../secrets.ts'
import { isAsClaimed } from './as-claimed.ts'
import type { Claimed } from './claim.ts'
import type { Result } from './flush.ts'
import { handBack } from './hand-back.ts'
import { START_WITHIN_MS } from './limits.ts'
import { judge } from './schedule.ts'
import type { Stats } from './stats.ts'
import { logAnother } from './try-again.ts'

/** What became of a claim: an attempt with its outcome, or nothing, and then why. */
export type Carried =
  | {
      readonly outcome: Outcome
      readonly durationMs: number
      readonly waitMs: number | null
      readonly written: Promise<void>
    }
  | { readonly notSent: NotSent }

export type NotSent = 'overtaken' | 'unreadable' | Fault

/** Its master key is missing: only an operator can mend that. */
const UNREADABLE_AGAIN_MS = 60_000

export interface AttemptRunnerParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly secrets: Secrets
  readonly resultsBuffer: ResultsBuffer<Result>
  readonly clock: DatabaseClock
  readonly stats: Stats
  readonly delays: readonly number[]
}

/**
 * Carries one claimed delivery to its receiver, and what came of it to the results buffer. The dispatcher and the sends
 * by hand both go through here.
 */
export class AttemptRunner {
  readonly #parts: AttemptRunnerParts
  /** Endpoints that an operation of this process changed: what was claimed before that is not sent. */
  readonly #changed = new LRUCache<string, { secretVersion: number; epoch: number }>({
    max: 10_000,
  })
  readonly #handBacks: HandBacks<Claimed>

  constructor(parts: AttemptRunnerParts) {
    this.#parts = parts
    const { pool, log } = parts
    this.#handBacks = new HandBacks(log, (claims, dueInMs) => handBack(pool, claims, dueInMs))
  }

  /**
   * From now on nothing leaves with an older secret, or of an older turn of the switch: not even what has been
   * claimed already.
   */
  changed(endpointId: string, secretVersion: number, epoch: number): void {
    this.#changed.set(endpointId, { secretVersion, epoch })
  }

  /**
   * @param sender whose connections it goes by
   * @param startBy on the monotonic clock; what could not begin by then is handed back
   */
  carry(claim: Claimed, sender: Sender, startBy: number): Promise<Carried> {
    return inUnit('delivery', claim.deliveryId, () => this.#carry(claim, sender, startBy))
  }

  async #carry(claim: Claimed, sender: Sender, startBy: number): Promise<Carried> {
    const { secrets, resultsBuffer, stats } = this.#parts
    if (this.#isOvertaken(claim) || performance.now() > startBy) return this.#giveBack(claim, 'overtaken', 0)
    const { deliveryId: id, address, body } = claim
    let secret: Buffer
    try {
      secret = secrets.open(claim)
    } catch (err) {
      this.#parts.log.error(
        { err, endpointId: claim.endpointId },
        'the secret of a webhook endpoint cannot be opened',
      )
      return this.#giveBack(claim, 'unreadable', UNREADABLE_AGAIN_MS)
    }
    const attempt = { id, address, body, secret }
    let number = claim.number
    let result = await sender.attempt({ ...attempt, mayLeave: () => this.#mayLeave(claim, startBy) })
    let endedAt = performance.now()
    if (result !== 'not_left' && !('fault' in result) && result.outcome === 'connection_closed') {
      // By then another process may have answered that nothing leaves with the secret that this one knows.
      const againBy = performance.now() + START_WITHIN_MS
      const another = this.#isOvertaken(claim) ? null : await this.#logAnother(claim, result)
      if (another !== null) {
        stats.attempted(result.outcome, result.durationMs)
        if (this.#isOvertaken(claim) || performance.now() > againBy)
          return this.#giveBack(claim, 'overtaken', 0)
        number = another
        result = await sender.attempt({
          ...attempt,
          fresh: true,
          mayLeave: () => this.#mayLeave(claim, againBy),
        })
        endedAt = performance.now()
      }
    }
    if (result === 'not_left') return this.#giveBack(claim, 'overtaken', 0)
    if ('fault' in result) return this.#giveBack(claim, result, backOffMs(result))
    const { outcome, durationMs } = result
    stats.attempted(outcome, durationMs)
    const ended = this.#resultOf(claim, number, result, endedAt)
    const written = resultsBuffer.add(ended, claim.purpose === 'test' || claim.statusBefore !== null)
    return { outcome, durationMs, waitMs: ended.verdict.waitMs, written }
  }

  /** What had to wait for its connection for longer than others wait for it is asked of the database once more. */
  #mayLeave(claim: Claimed, by: number): boolean | Promise<boolean> {
    if (this.#isOvertaken(claim)) return false
    const now = performance.now()
    return now <= by || this.#mayStillLeave(claim, now + START_WITHIN_MS)
  }

  async #mayStillLeave(claim: Claimed, by: number): Promise<boolean> {
    const { pool, log } = this.#parts
    const stands = await isAsClaimed(pool, claim).catch((err) => {
      log.warn(
        { err, deliveryId: claim.deliveryId },
        'a late request could not be asked for, so it is not sent',
      )
      return false
    })
    return stands && !this.#isOvertaken(claim) && performance.now() <= by
  }

  #isOvertaken({ endpointId, secretVersion, epoch, statusBefore }: Claimed): boolean {
    const changed = this.#changed.get(endpointId)
    if (!changed) return false
    return secretVersion < changed.secretVersion || (statusBefore === null && epoch < changed.epoch)
  }

  #resultOf(claim: Claimed, number: number, result: AttemptResult, endedAt: number): Result {
    if (result.operatorDetail)
      this.#parts.log.debug(
        { deliveryId: claim.deliveryId, outcome: result.outcome, detail: result.operatorDetail },
        'webhook attempt failed',
      )
    const verdict = judge(result.outcome, claim, this.#parts.delays)
    const sentAt = new Date(result.sentAt).toISOString()
    return { ...result, claim, number, verdict, sentAt, endedAt }
  }

  async #logAnother(claim: Claimed, closed: AttemptResult): Promise<number | null> {
    const { pool, log } = this.#parts
    return logAnother(pool, claim, closed).catch((err) => {
      log.warn({ err, deliveryId: claim.deliveryId }, 'a second try could not be logged, so it is not made')
      return null
    })
  }

  async #giveBack(claim: Claimed, notSent: NotSent, dueInMs: number): Promise<Carried> {
    await this.#handBacks.add(claim, dueInMs)
    return { notSent }
  }
}

/** Faults of our own pass within seconds or need an operator; either way asking at once helps nobody. */
const backOffMs = ({ fault }: Fault): number => (fault === 'closed' || fault === 'connections' ? 0 : 1_000)
