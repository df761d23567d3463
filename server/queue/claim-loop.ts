import type { Logger } from 'pino'
import { cureOf, isAway } from '../database/errors.ts'
import type { Allotment } from './allotment.ts'
import { BackOff } from './back-off.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import type { Queue, Ran, Taken } from './queue.ts'
import type { ResultsBuffer } from './results-buffer.ts'

export interface ClaimLoopParts<Item> {
  readonly log: Logger
  /** Is told the time by each claim. */
  readonly clock?: DatabaseClock
  /** While it cannot be written, nothing more is taken on. */
  readonly resultsBuffer?: Pick<ResultsBuffer<never>, 'size' | 'stuck'>
  readonly observer?: WorkerObserver<Item>
}

/** Is told of what a worker does. */
export interface WorkerObserver<Item> {
  /** @param milliseconds that the claim took; null where the items were claimed as they were made */
  claimed(items: readonly Item[], milliseconds: number | null): void
  faulted(): void
}

const CLAIMS_AT_ONCE = 2
/** A claim for a few more costs as much as one for many: completions are gathered for this long. */
const GATHER_MS = 4
/** And for longer where so much is under way that as many have ended by then. */
const GATHER_MANY_MS = 10
const MANY = 100
/** PostgreSQL goes on with a statement whose sender is gone: only by then its claim surely stands. */
const STANDS_WITHIN_MS = 3_000
/** How many times as long as one was worked alone the others are worked before the next. */
const OTHERS_AFTER_ALONE = 9
/** To begin by: what is not begun is handed back. */
const NEVER = Number.NEGATIVE_INFINITY
const RESULTS_AT_MOST = 2_000
const STUCK_MS = 100

/** Room for items that are about to be made, which are claimed as they are made. */
export interface Kept<Item> {
  readonly claimId: string
  /** Partitions that have no room, or where something waits that was there before. */
  readonly full: readonly string[]
  /** They are made: they begin now. */
  run(items: readonly Item[]): void
  /** They are not made; or, where the error says that the database was lost meanwhile, nobody knows. */
  drop(error: unknown): void
}

type OurFault = Extract<Ran, { fault: string }>

const away = (err: unknown): OurFault => ({ fault: 'the database is away', detail: err, cure: cureOf(err) })

/** Claims what is due as there is room for it, and runs it; what may be due it is told. */
export class ClaimLoop<Item> {
  readonly #queue: Queue<Item>
  readonly #parts: ClaimLoopParts<Item>
  readonly #newClaimId: () => string
  readonly #dueAgain: (partition: string, inMs: number) => void
  readonly #lanes: Lanes
  readonly #backOff = new BackOff()
  /** Claims whose answer was lost, and until when they may come to stand; on the monotonic clock. */
  readonly #lostClaims = new Map<string, number>()
  #running = false
  #claiming = 0
  #inFlight = 0
  #alone = false
  /** On the monotonic clock: before that none is worked alone again. */
  #aloneAgain = 0
  #soon: NodeJS.Timeout | NodeJS.Immediate | null = null
  #waiters: (() => void)[] = []

  /** @param dueAgain is told of what was worked and is due again */
  constructor(
    queue: Queue<Item>,
    parts: ClaimLoopParts<Item>,
    newClaimId: () => string,
    dueAgain: (partition: string, inMs: number) => void,
  ) {
    this.#queue = queue
    this.#parts = parts
    this.#newClaimId = newClaimId
    this.#dueAgain = dueAgain
    this.#lanes = new Lanes(queue.capacity)
  }

  get running(): boolean {
    return this.#running
  }

  begin(): void {
    this.#running = true
  }

  /** Claims nothing any more; what has begun goes on. */
  cease(): void {
    this.#running = false
  }

  /** When nothing is being claimed or worked. */
  async quiet(): Promise<void> {
    while (this.#claiming > 0 || this.#inFlight > 0) await this.#change()
  }

  /** Something of a partition is due, or may be. */
  due(partition: string): void {
    if (!this.#running) return
    this.#lanes.of(partition).due = true
    this.#pumpIn(0)
  }

  belongsTo(partition: string, organizationId: string | null): void {
    this.#lanes.belongsTo(partition, organizationId)
  }

  /** Something of an organization is worked past the queue, until what is returned is called. */
  beside(organizationId: string): () => void {
    return this.#lanes.beside(organizationId)
  }

  /**
   * Keeps room for what is about to be made.
   * @param most so many, each in a partition of its own
   * @returns null where it has to wait in the table, as everything else does
   */
  keep(organizationId: string, most: number): Kept<Item> | null {
    const { resultsBuffer } = this.#parts
    if (!this.#running || this.#alone || this.#backOff.leftMs > 0 || resultsBuffer?.stuck) return null
    if (!this.#lanes.hasRoom(organizationId, most)) return null
    const claimId = this.#newClaimId()
    const startBy = performance.now() + this.#queue.startWithinMs
    const lanes = this.#lanes.ofOrganization(organizationId)
    const kept = lanes.filter((lane) => lane.room > 0 && !lane.due)
    for (const lane of kept) lane.reserved += 1
    const full = lanes.filter((lane) => !kept.includes(lane)).map(({ partition }) => partition)
    const release = () => {
      for (const lane of kept) lane.reserved -= 1
    }
    return {
      claimId,
      full,
      run: (items) => {
        release()
        if (items.length > 0) this.#parts.observer?.claimed(items, null)
        for (const item of items) {
          const lane = this.#lanes.belongsTo(this.#queue.partitionOf(item), this.#queue.organizationOf(item))
          // One that was not known yet nobody has kept room in, and there may be many.
          void this.#run(item, lane.room > 0 ? startBy : NEVER)
        }
      },
      drop: (error) => {
        release()
        if (isAway(error)) this.#lost(claimId)
      },
    }
  }

  /** A claim whose answer was lost may have taken something; it would lie there until its lease ends. */
  async releaseLost(): Promise<void> {
    for (const [claimId, standsBy] of this.#lostClaims) {
      const isLast = performance.now() >= standsBy
      await this.#queue.release?.(claimId)
      if (isLast) this.#lostClaims.delete(claimId)
    }
  }

  #lost(claimId: string): void {
    this.#lostClaims.set(claimId, performance.now() + STANDS_WITHIN_MS)
  }

  /** Behind each sweep. */
  tidy(): void {
    this.#lanes.forget()
    this.#pumpIn(0)
  }

  /**
   * One that may take this process down with it is worked when nothing else is; and the others have most of the time,
   * however many such there are, and however long each hangs.
   */
  async runAlone(): Promise<void> {
    const startedAt = performance.now()
    if (!this.#queue.claimAlone || startedAt < this.#aloneAgain) return
    this.#alone = true
    try {
      await this.quiet()
      const { now, items } = await this.#queue.claimAlone(this.#newClaimId())
      this.#parts.clock?.heard(now)
      for (const item of items) await this.#run(item, performance.now() + this.#queue.startWithinMs)
    } finally {
      this.#alone = false
      const endedAt = performance.now()
      this.#aloneAgain = endedAt + (endedAt - startedAt) * OTHERS_AFTER_ALONE
      this.#pumpIn(0)
    }
  }

  #pumpIn(milliseconds: number): void {
    if (this.#soon || !this.#running) return
    const pump = (): void => {
      this.#soon = null
      void this.#pump().finally(() => this.#changed())
    }
    this.#soon = milliseconds === 0 ? setImmediate(pump) : setTimeout(pump, milliseconds)
  }

  async #pump(): Promise<void> {
    const { resultsBuffer } = this.#parts
    if (!this.#running || this.#alone || this.#claiming >= CLAIMS_AT_ONCE) return
    const { leftMs } = this.#backOff
    if (leftMs > 0) return this.#pumpIn(leftMs)
    if (resultsBuffer && (resultsBuffer.stuck || resultsBuffer.size > RESULTS_AT_MOST))
      return this.#pumpIn(STUCK_MS)
    const allotment = this.#lanes.reserve()
    if (allotment.rooms.size === 0) return
    await this.#claim(allotment)
    this.#pumpGathered()
  }

  #pumpGathered(): void {
    this.#pumpIn(this.#inFlight > MANY ? GATHER_MANY_MS : GATHER_MS)
  }

  async #claim({ rooms, firstAttemptsOnly }: Allotment): Promise<void> {
    const partitions = [...rooms.keys()].map(({ partition }) => partition)
    const claimId = this.#newClaimId()
    const startedAt = performance.now()
    this.#claiming += 1
    try {
      const wanted = { partitions, rooms: [...rooms.values()], claimId, firstAttemptsOnly }
      const taken = await this.#queue.claim(wanted)
      this.#parts.clock?.heard(taken.now)
      this.#parts.observer?.claimed(taken.items, performance.now() - startedAt)
      this.#lanes.release(rooms, this.#countOf(taken))
      for (const item of taken.items) void this.#run(item, startedAt + this.#queue.startWithinMs)
    } catch (err) {
      this.#lanes.release(rooms, null)
      this.#lost(claimId)
      this.#fault(
        isAway(err) ? away(err) : { fault: 'a claim failed', detail: err, cure: 'report it with this line' },
      )
    } finally {
      this.#claiming -= 1
    }
  }

  #countOf({ items }: Taken<Item>): Map<string, number> {
    const got = new Map<string, number>()
    for (const item of items) {
      const partition = this.#queue.partitionOf(item)
      got.set(partition, (got.get(partition) ?? 0) + 1)
      this.#lanes.belongsTo(partition, this.#queue.organizationOf(item))
    }
    return got
  }

  async #run(item: Item, startBy: number): Promise<void> {
    const lane = this.#lanes.of(this.#queue.partitionOf(item))
    lane.inFlight += 1
    this.#inFlight += 1
    // Claimed before the stop, but not begun: handed back.
    const by = this.#running ? startBy : NEVER
    let ran: Ran
    try {
      ran = await this.#queue.run(item, by)
    } catch (err) {
      ran = this.#broke(lane, err)
    }
    lane.inFlight -= 1
    this.#inFlight -= 1
    if ('ended' in ran) this.#ended(lane, ran)
    else if ('fault' in ran) this.#fault(ran)
    else if (ran.handedBack === 'now') lane.due = true
    this.#pumpGathered()
    this.#changed()
  }

  /** What was claimed then is due again when its lease ends. */
  #broke({ partition }: Lane, err: unknown): Ran {
    if (isAway(err)) return away(err)
    this.#parts.log.error({ err, partition }, `work on ${this.#queue.name} broke off`)
    return { handedBack: 'later' }
  }

  #ended(lane: Lane, { ended, durationMs, dueInMs, written }: Extract<Ran, { ended: unknown }>): void {
    lane.ended(ended, durationMs)
    this.#backOff.worked()
    if (dueInMs !== null)
      void (written ?? Promise.resolve()).then(() => this.#dueAgain(lane.partition, dueInMs))
  }

  #fault({ fault, detail, cure }: OurFault): void {
    const waitMs = this.#backOff.fault()
    if (waitMs === null) return
    this.#parts.observer?.faulted()
    const { log } = this.#parts
    log.error(
      { fault, ...(detail instanceof Error ? { err: detail } : { detail }), waitMs },
      `${this.#queue.name} wait for a fault of our own: ${cure}`,
    )
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  #changed(): void {
    if (this.#waiters.length > 0) for (const resolve of this.#waiters.splice(0)) resolve()
  }
}
