import type pg from 'pg'
import type { Logger } from 'pino'
import { isAway } from '../database/errors.ts'
import type { AttemptRunner, Carried } from './dispatcher/attempt-runner.ts'
import { BackOff } from './dispatcher/back-off.ts'
import { type Claimed, claimDue, claimSuspect, take } from './dispatcher/claim.ts'
import type { DatabaseClock } from './dispatcher/database-clock.ts'
import { DueTimers } from './dispatcher/due-timers.ts'
import { releaseClaim } from './dispatcher/hand-back.ts'
import { allot, Lane } from './dispatcher/lane.ts'
import { START_WITHIN_MS } from './dispatcher/limits.ts'
import { convertAll } from './dispatcher/not-sent.ts'
import type { ResultsBuffer } from './dispatcher/results-buffer.ts'
import type { Stats } from './dispatcher/stats.ts'
import { pauseAfter, TIMED_AHEAD_MS, type Waiting } from './dispatcher/sweep.ts'
import { upkeep } from './dispatcher/upkeep.ts'
import type { Sender } from './request.ts'

/**
 * The engine: what is due goes out, and what came of it is written down.
 *
 * A *signal* is written with the change it tells of, and with it one *delivery* for each endpoint: the same
 * row is the log that people read and the queue that is worked here, so a change and its message exist together
 * or not at all. An *attempt* is one request. It is in the log before the request leaves, because a log that
 * is written afterwards lies about exactly the moments one needs it for: while it is under way it is the claim on
 * its delivery, and it gets a row of its own when it has ended.
 *
 * To send a delivery a process takes a *lease* on it: `due_at` moves a minute ahead, and a *claim* is written.
 * No transaction is open while a receiver is waited for. Whoever dies leaves leases that end by themselves; the
 * delivery is then claimed again, under the same webhook-id, and the attempt is logged as interrupted. Whoever
 * was only asleep finds another claim on the row, and its result changes nothing. So every delivery is sent at
 * least once, and a receiver that remembers webhook-ids sees it exactly once.
 *
 * Round trips to the database are what costs, not rows: a claim takes a handful of many endpoints at once, and
 * results are written in batches, where the *fold* of failures in a row is made (flush.ts).
 *
 * What wakes it: a hint from the process that committed, another process by NOTIFY, a timer for what is due
 * within the next seconds, and behind them a sweep each second that finds whatever was missed. All times are the
 * database's.
 *
 * What is our own fault (the database away, no descriptors, no resolver) is nobody's failed attempt: the claim
 * is handed back as if it had never been, and the engine waits a little longer each time.
 */
export interface DispatcherParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly attemptRunner: AttemptRunner
  readonly sender: Sender
  readonly resultsBuffer: ResultsBuffer
  readonly clock: DatabaseClock
  readonly stats: Stats
  readonly delays: readonly number[]
  readonly leaseMs: number
  readonly newClaimId: () => string
}

const CLAIMS_AT_ONCE = 3
/** A claim for a few more costs as much as one for many: completions are gathered for this long. */
const GATHER_MS = 4
const RESULTS_AT_MOST = 2_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #lanes = new Map<string, Lane>()
  readonly #dueTimers = new DueTimers((endpointId) => this.hint([endpointId]))
  readonly #backOff = new BackOff()
  readonly #lostClaims: { claimId: string; endpointIds: string[] }[] = []
  #running = false
  #claiming = 0
  #inFlight = 0
  #alone = false
  #soon: NodeJS.Timeout | NodeJS.Immediate | null = null
  #sweepTimer: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null
  #converting: Promise<void> | null = null
  #whenQuiet: (() => void)[] = []

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Begins to claim and to sweep. */
  begin(): void {
    this.#running = true
    void this.sweep()
  }

  /** Claims nothing any more; what is on the wire goes on. */
  cease(): void {
    this.#running = false
    if (this.#sweepTimer) clearTimeout(this.#sweepTimer)
    this.#dueTimers.clear()
  }

  /** When nothing is on the wire or being claimed. */
  async quiet(): Promise<void> {
    await this.#sweeping
    await this.#converting
    while (this.#claiming > 0 || this.#inFlight > 0)
      await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
  }

  /** Something of these endpoints may be due. */
  hint(endpointIds: readonly string[]): void {
    if (!this.#running) return
    for (const id of endpointIds) this.#laneOf(id).due = true
    this.#pumpIn(0)
  }

  /** Looks for everything that is due, and does what is to be done now and then. One at a time. */
  async sweep(): Promise<void> {
    while (this.#sweeping) await this.#sweeping
    if (!this.#running) return
    const startedAt = performance.now()
    this.#sweeping = this.#sweepOnce().finally(() => {
      this.#sweeping = null
      if (this.#sweepTimer) clearTimeout(this.#sweepTimer)
      const pause = pauseAfter(performance.now() - startedAt)
      if (this.#running) this.#sweepTimer = setTimeout(() => void this.sweep(), pause)
    })
    await this.#sweeping
  }

  async #sweepOnce(): Promise<void> {
    try {
      await this.#releaseLost()
      const { waiting, suspect } = await upkeep(this.#parts)
      for (const one of waiting) this.#noteWaiting(one)
      this.#convert(waiting.filter(({ live }) => !live))
      for (const [id, lane] of this.#lanes) if (lane.idle && lane.forgotten()) this.#lanes.delete(id)
      this.#pumpIn(0)
      if (suspect) await this.#sendSuspect()
    } catch (err) {
      this.#parts.log.warn({ err }, 'the sweep for webhook deliveries failed; trying on')
    }
  }

  /** What waits in vain becomes `not_sent`, in its own time. */
  #convert(over: readonly Waiting[]): void {
    if (over.length === 0) return
    this.#converting ??= convertAll(this.#parts.pool, over, () => this.#running)
      .catch((err) =>
        this.#parts.log.warn({ err }, 'deliveries that are not sent could not be marked so; trying on'),
      )
      .finally(() => {
        this.#converting = null
      })
  }

  #noteWaiting({ endpointId, organizationId, live, dueInMs }: Waiting): void {
    if (!live) return
    const lane = this.#laneOf(endpointId)
    lane.organizationId = organizationId
    if (dueInMs <= 0) lane.due = true
    else if (dueInMs < TIMED_AHEAD_MS) this.#dueTimers.set(endpointId, dueInMs)
  }

  #laneOf(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId)
    if (!lane) {
      lane = new Lane(endpointId)
      this.#lanes.set(endpointId, lane)
    }
    return lane
  }

  #pumpIn(milliseconds: number): void {
    if (this.#soon || !this.#running) return
    const pump = (): void => {
      this.#soon = null
      void this.#pump()
    }
    this.#soon = milliseconds === 0 ? setImmediate(pump) : setTimeout(pump, milliseconds)
  }

  async #pump(): Promise<void> {
    const { resultsBuffer, pool, leaseMs, newClaimId, clock, stats } = this.#parts
    if (!this.#running || this.#alone || this.#claiming >= CLAIMS_AT_ONCE) return
    const { leftMs } = this.#backOff
    if (leftMs > 0) return this.#pumpIn(leftMs)
    // While results cannot be written, nothing more is taken on.
    if (resultsBuffer.stuck || resultsBuffer.size > RESULTS_AT_MOST) return this.#pumpIn(100)
    const { rooms, firstAttemptsOnly } = allot([...this.#lanes.values()])
    if (rooms.size === 0) return
    for (const [lane, room] of rooms) {
      lane.reserved += room
      lane.due = false
    }
    const claimId = newClaimId()
    const endpointIds = [...rooms.keys()].map((lane) => lane.endpointId)
    const startedAt = performance.now()
    this.#claiming += 1
    try {
      const { now, claims } = await take(
        pool,
        claimDue(endpointIds, [...rooms.values()], claimId, leaseMs, firstAttemptsOnly),
        claimId,
      )
      clock.heard(now)
      stats.claimed(claims, performance.now() - startedAt)
      this.#release(rooms, claims)
      for (const claim of claims) void this.#send(claim, startedAt + START_WITHIN_MS)
    } catch (err) {
      this.#release(rooms, null)
      this.#lostClaims.push({ claimId, endpointIds })
      this.#fault(isAway(err) ? 'the database is away' : 'a claim failed', err)
    } finally {
      this.#claiming -= 1
      this.#settle()
    }
    this.#pumpIn(GATHER_MS)
  }

  /** Gives the reserved room back. A lane that got all it had room for may have more. */
  #release(rooms: ReadonlyMap<Lane, number>, claims: readonly Claimed[] | null): void {
    const got = new Map<string, number>()
    for (const { endpointId, organizationId } of claims ?? []) {
      got.set(endpointId, (got.get(endpointId) ?? 0) + 1)
      this.#laneOf(endpointId).organizationId = organizationId
    }
    for (const [lane, room] of rooms) {
      lane.reserved -= room
      if (!claims || (got.get(lane.endpointId) ?? 0) >= room) lane.due = true
      // Served: behind those that were not.
      this.#lanes.delete(lane.endpointId)
      this.#lanes.set(lane.endpointId, lane)
    }
  }

  async #send(claim: Claimed, startBy: number): Promise<void> {
    const lane = this.#laneOf(claim.endpointId)
    lane.inFlight += 1
    this.#inFlight += 1
    // Claimed before the stop, but not begun: handed back.
    const by = this.#running ? startBy : Number.NEGATIVE_INFINITY
    const carried = await this.#parts.attemptRunner
      .carry(claim, this.#parts.sender, by)
      .catch((err): Carried => {
        this.#parts.log.error(
          { err, deliveryId: claim.deliveryId },
          'a webhook delivery could not be carried',
        )
        return { notSent: 'unreadable' }
      })
    lane.inFlight -= 1
    this.#inFlight -= 1
    if ('outcome' in carried) this.#ended(lane, carried)
    else if (carried.notSent === 'overtaken') lane.due = true
    else if (carried.notSent !== 'unreadable') this.#fault(carried.notSent.fault, carried.notSent.detail)
    this.#settle()
    this.#pumpIn(GATHER_MS)
  }

  #ended(lane: Lane, { outcome, durationMs, waitMs, written }: Extract<Carried, { outcome: unknown }>): void {
    lane.ended(outcome, durationMs)
    this.#backOff.worked()
    // Sooner than the sweep would see it.
    if (waitMs !== null && waitMs < TIMED_AHEAD_MS)
      void written.then(() => this.#running && this.#dueTimers.set(lane.endpointId, waitMs))
  }

  #fault(what: string, detail: unknown): void {
    const waitMs = this.#backOff.fault()
    if (waitMs === null) return
    this.#parts.stats.faulted()
    this.#parts.log.error({ fault: what, detail, waitMs }, 'webhook deliveries wait for a fault of our own')
  }

  /** A claim whose answer was lost may have taken something; it would lie there until its lease ends. */
  async #releaseLost(): Promise<void> {
    for (const { claimId, endpointIds } of [...this.#lostClaims]) {
      await this.#parts.pool.query(releaseClaim(endpointIds, claimId, this.#parts.leaseMs))
      this.#lostClaims.shift()
    }
  }

  /** One that may take this process down with it goes when nothing else is on the wire. */
  async #sendSuspect(): Promise<void> {
    this.#alone = true
    try {
      while (this.#claiming > 0 || this.#inFlight > 0)
        await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
      const claimId = this.#parts.newClaimId()
      const { now, claims } = await take(
        this.#parts.pool,
        claimSuspect(claimId, this.#parts.leaseMs),
        claimId,
      )
      this.#parts.clock.heard(now)
      for (const claim of claims) await this.#send(claim, performance.now() + START_WITHIN_MS)
    } finally {
      this.#alone = false
      this.#pumpIn(0)
    }
  }

  #settle(): void {
    if (this.#claiming > 0 || this.#inFlight > 0) return
    for (const resolve of this.#whenQuiet.splice(0)) resolve()
  }
}
