import type pg from 'pg'
import type { Logger } from 'pino'
import { isAway } from '../database/errors.ts'
import type { Allotment } from './allotment.ts'
import { BackOff } from './back-off.ts'
import type { DatabaseClock } from './database-clock.ts'
import { DueTimers } from './due-timers.ts'
import { Hints } from './hints.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import { livingPrefixes, NO_WORKER, newClaimId } from './living-workers.ts'
import type { Queue, Ran, Taken, Wanted } from './queue.ts'
import type { ResultsBuffer } from './results-buffer.ts'
import { Sweeper, timedAheadMs } from './sweeper.ts'
import type { WorkerConnection } from './worker-connection.ts'

export interface WorkerParts<Item> {
  readonly pool: pg.Pool
  readonly log: Logger
  /** Of the process; without one nothing wakes the worker, and what it leaves behind is due when its lease ends. */
  readonly connection?: WorkerConnection
  /** Is told the time by each claim. */
  readonly clock?: DatabaseClock
  /** While it cannot be written, nothing more is taken on. */
  readonly resultsBuffer?: Pick<ResultsBuffer<unknown>, 'size' | 'stuck'>
  readonly observer?: WorkerObserver<Item>
}

/** Is told of what a worker does. */
export interface WorkerObserver<Item> {
  claimed(items: readonly Item[], milliseconds: number): void
  faulted(): void
}

const CLAIMS_AT_ONCE = 3
/** A claim for a few more costs as much as one for many: completions are gathered for this long. */
const GATHER_MS = 4
const RESULTS_AT_MOST = 2_000
/** PostgreSQL finishes a statement whose sender has just been killed: a claim may stand only then. */
const RECOVER_AGAIN_MS = 3_000

/** Works one queue in one process: claims what is due as there is room for it, and runs it. */
export class Worker<Item> {
  readonly #queue: Queue<Item>
  readonly #parts: WorkerParts<Item>
  readonly #lanes: Lanes
  readonly #sweeper: Sweeper
  readonly #timedAheadMs: number
  readonly #dueTimers = new DueTimers((partition) => this.#hint([partition]))
  readonly #hints: Hints | null
  readonly #backOff = new BackOff()
  readonly #lostClaims: { partitions: readonly string[]; claimId: string }[] = []
  #running = false
  #over = false
  #claiming = 0
  #inFlight = 0
  #alone = false
  #soon: NodeJS.Timeout | NodeJS.Immediate | null = null
  #recoverTimer: NodeJS.Timeout | null = null
  #whenQuiet: (() => void)[] = []

  constructor(queue: Queue<Item>, parts: WorkerParts<Item>) {
    const { pool, log, connection } = parts
    this.#queue = queue
    this.#parts = parts
    this.#lanes = new Lanes(queue.capacity)
    this.#timedAheadMs = timedAheadMs(queue.sweepEveryMs)
    this.#sweeper = new Sweeper(queue.sweepEveryMs, () =>
      this.#look().catch((err) => log.warn({ err }, `the sweep for ${queue.name} failed; trying on`)),
    )
    this.#hints = queue.channel ? new Hints(pool, log, queue.channel) : null
    if (queue.channel) connection?.listen(queue.channel, (partitions) => this.#hint(partitions))
  }

  /** Takes up what processes that are gone had claimed, then begins to claim and to sweep. */
  async begin(): Promise<void> {
    await this.#recover()
    if (this.#over) return
    this.#recoverTimer = setTimeout(() => void this.#recover(), RECOVER_AGAIN_MS)
    this.#running = true
    this.#sweeper.begin()
  }

  /** Claims nothing any more; what has begun goes on. */
  cease(): void {
    this.#over = true
    this.#running = false
    if (this.#recoverTimer) clearTimeout(this.#recoverTimer)
    this.#sweeper.cease()
    this.#dueTimers.clear()
  }

  /** When nothing is being worked or claimed. */
  async quiet(): Promise<void> {
    await this.#sweeper.quiet()
    while (this.#claiming > 0 || this.#inFlight > 0)
      await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
  }

  /** Something of these partitions may be due: told here, or to the processes that work. */
  wake(partitions: readonly string[]): void {
    if (partitions.length === 0) return
    if (this.#running) this.#hint(partitions)
    else this.#hints?.add(partitions)
  }

  /** Hints that were not told yet leave now. */
  async tellHints(): Promise<void> {
    await this.#hints?.tell()
  }

  /** Looks at once for everything that is due. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep()
  }

  #hint(partitions: readonly string[]): void {
    if (!this.#running) return
    for (const partition of partitions) this.#lanes.of(partition).due = true
    this.#pumpIn(0)
  }

  async #recover(): Promise<void> {
    const { pool, log } = this.#parts
    if (this.#queue.recover)
      await livingPrefixes(pool)
        .then((living) => this.#queue.recover!(living))
        .catch((err) =>
          log.warn({ err }, 'claims of processes that are gone are found when their leases end'),
        )
  }

  async #look(): Promise<void> {
    await this.#releaseLost()
    const { waiting, alone } = await this.#queue.sweep()
    for (const { partition, organizationId, dueInMs } of waiting) {
      const lane = this.#lanes.of(partition)
      lane.organizationId = organizationId
      if (dueInMs <= 0) lane.due = true
      else if (dueInMs < this.#timedAheadMs) this.#dueTimers.set(partition, dueInMs)
    }
    this.#lanes.forget()
    this.#pumpIn(0)
    if (alone) await this.#runAlone()
  }

  /** A claim whose answer was lost may have taken something; it would lie there until its lease ends. */
  async #releaseLost(): Promise<void> {
    for (const { partitions, claimId } of [...this.#lostClaims]) {
      await this.#queue.release?.(partitions, claimId)
      this.#lostClaims.shift()
    }
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
    const { resultsBuffer } = this.#parts
    if (!this.#running || this.#alone || this.#claiming >= CLAIMS_AT_ONCE) return
    const { leftMs } = this.#backOff
    if (leftMs > 0) return this.#pumpIn(leftMs)
    if (resultsBuffer && (resultsBuffer.stuck || resultsBuffer.size > RESULTS_AT_MOST))
      return this.#pumpIn(100)
    const allotment = this.#lanes.reserve()
    if (allotment.rooms.size === 0) return
    await this.#claim(allotment)
    this.#pumpIn(GATHER_MS)
  }

  async #claim({ rooms, firstAttemptsOnly }: Allotment): Promise<void> {
    const partitions = [...rooms.keys()].map(({ partition }) => partition)
    const claimId = this.#newClaimId()
    const wanted: Wanted = { partitions, rooms: [...rooms.values()], claimId, firstAttemptsOnly }
    const startedAt = performance.now()
    this.#claiming += 1
    try {
      const taken = await this.#queue.claim(wanted)
      this.#parts.clock?.heard(taken.now)
      this.#parts.observer?.claimed(taken.items, performance.now() - startedAt)
      this.#lanes.release(rooms, this.#countOf(taken))
      for (const item of taken.items) void this.#run(item, startedAt + this.#queue.startWithinMs)
    } catch (err) {
      this.#lanes.release(rooms, null)
      if (this.#queue.release) this.#lostClaims.push({ partitions, claimId })
      this.#fault(isAway(err) ? 'the database is away' : 'a claim failed', err)
    } finally {
      this.#claiming -= 1
      this.#settle()
    }
  }

  #newClaimId(): string {
    return newClaimId(this.#parts.connection?.worker ?? NO_WORKER)
  }

  #countOf({ items }: Taken<Item>): Map<string, number> {
    const got = new Map<string, number>()
    for (const item of items) {
      const partition = this.#queue.partitionOf(item)
      got.set(partition, (got.get(partition) ?? 0) + 1)
      this.#lanes.of(partition).organizationId = this.#queue.organizationOf(item)
    }
    return got
  }

  async #run(item: Item, startBy: number): Promise<void> {
    const lane = this.#lanes.of(this.#queue.partitionOf(item))
    lane.inFlight += 1
    this.#inFlight += 1
    // Claimed before the stop, but not begun: handed back.
    const by = this.#running ? startBy : Number.NEGATIVE_INFINITY
    const ran = await this.#queue.run(item, by).catch((err): Ran => this.#broke(lane, err))
    lane.inFlight -= 1
    this.#inFlight -= 1
    if ('ended' in ran) this.#ended(lane, ran)
    else if ('fault' in ran) this.#fault(ran.fault, ran.detail)
    else if (ran.handedBack === 'now') lane.due = true
    this.#settle()
    this.#pumpIn(GATHER_MS)
  }

  /** What was claimed then is due again when its lease ends. */
  #broke({ partition }: Lane, err: unknown): Ran {
    if (isAway(err)) return { fault: 'the database is away', detail: err }
    this.#parts.log.error({ err, partition }, `work on ${this.#queue.name} broke off`)
    return { handedBack: 'later' }
  }

  #ended(lane: Lane, { ended, durationMs, dueInMs, written }: Extract<Ran, { ended: unknown }>): void {
    lane.ended(ended, durationMs)
    this.#backOff.worked()
    // Sooner than the sweep would see it.
    if (dueInMs !== null && dueInMs < this.#timedAheadMs)
      void written.then(() => this.#running && this.#dueTimers.set(lane.partition, dueInMs))
  }

  #fault(what: string, detail: unknown): void {
    const waitMs = this.#backOff.fault()
    if (waitMs === null) return
    this.#parts.observer?.faulted()
    this.#parts.log.error({ fault: what, detail, waitMs }, `${this.#queue.name} wait for a fault of our own`)
  }

  /** One that may take this process down with it is worked when nothing else is. */
  async #runAlone(): Promise<void> {
    if (!this.#queue.claimAlone) return
    this.#alone = true
    try {
      while (this.#claiming > 0 || this.#inFlight > 0)
        await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
      const { now, items } = await this.#queue.claimAlone(this.#newClaimId())
      this.#parts.clock?.heard(now)
      for (const item of items) await this.#run(item, performance.now() + this.#queue.startWithinMs)
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
