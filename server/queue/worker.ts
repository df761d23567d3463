import type pg from 'pg'
import { tryingOn } from '../database/errors.ts'
import { inUnit } from '../unit-of-work.ts'
import { ClaimLoop, type ClaimLoopParts, type Kept } from './claim-loop.ts'
import { DueTimers } from './due-timers.ts'
import { Hints } from './hints.ts'
import { livingPrefixes, NO_WORKER, newClaimId } from './living-workers.ts'
import type { Queue } from './queue.ts'
import { Sweeper, TIMED_AHEAD_MS } from './sweeper.ts'
import type { WorkerConnection } from './worker-connection.ts'

export interface WorkerParts<Item> extends ClaimLoopParts<Item> {
  readonly pool: pg.Pool
  /** Of the process; without one no other wakes the worker, and what it leaves behind is due when its lease ends. */
  readonly connection?: WorkerConnection
}

/** PostgreSQL finishes a statement whose sender has just been killed: a claim may stand only then. */
const RECOVER_AGAIN_MS = 3_000

/** Works one queue in one process, and wakes when something of it is due. */
export class Worker<Item> {
  readonly #queue: Queue<Item>
  readonly #parts: WorkerParts<Item>
  readonly #loop: ClaimLoop<Item>
  readonly #sweeper: Sweeper
  readonly #dueTimers = new DueTimers((partition) => this.#loop.due(partition))
  readonly #hints: Hints | null
  #over = false
  #recoverTimer: NodeJS.Timeout | null = null

  constructor(queue: Queue<Item>, parts: WorkerParts<Item>) {
    const { pool, log, connection } = parts
    this.#queue = queue
    this.#parts = parts
    this.#loop = new ClaimLoop(
      queue,
      parts,
      () => newClaimId(connection?.worker ?? NO_WORKER),
      (partition, inMs) => this.#dueIn(partition, inMs),
    )
    this.#sweeper = new Sweeper(() =>
      inUnit('task', `sweep of ${queue.name}`, () => this.#look()).catch((err) =>
        log.warn({ err }, `the sweep for ${queue.name} failed; ${tryingOn(err)}`),
      ),
    )
    this.#hints = queue.channel ? new Hints(pool, log, queue.channel) : null
    if (queue.channel) connection?.listen(queue.channel, (partitions) => this.#hint(partitions))
  }

  /** Takes up what processes that are gone had claimed, then begins to claim and to sweep. */
  async begin(): Promise<void> {
    await this.#recover()
    if (this.#over) return
    this.#recoverTimer = setTimeout(() => void this.#recover(), RECOVER_AGAIN_MS)
    this.#loop.begin()
    this.#sweeper.begin()
  }

  /** Claims nothing any more; what has begun goes on. */
  cease(): void {
    this.#over = true
    if (this.#recoverTimer) clearTimeout(this.#recoverTimer)
    this.#loop.cease()
    this.#sweeper.cease()
    this.#dueTimers.clear()
  }

  /** When nothing is being worked or claimed. */
  async quiet(): Promise<void> {
    await this.#sweeper.quiet()
    await this.#loop.quiet()
  }

  /** Something of these partitions may be due: told here, or to the processes that work. */
  wake(partitions: readonly string[]): void {
    if (this.#loop.running) this.#hint(partitions)
    else this.#hints?.add(partitions)
  }

  /** Room for items that are claimed as they are made (ClaimLoop.keep); null where this process has none. */
  keep(organizationId: string, most: number): Kept<Item> | null {
    return this.#loop.keep(organizationId, most)
  }

  /** Something of an organization is worked past the queue: it takes of the organization's share until it has ended. */
  beside(organizationId: string): () => void {
    return this.#loop.beside(organizationId)
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
    for (const partition of partitions) this.#loop.due(partition)
  }

  async #look(): Promise<void> {
    await this.#loop.releaseLost()
    const { waiting, alone } = await this.#queue.sweep()
    for (const { partition, organizationId, dueInMs } of waiting) {
      this.#loop.belongsTo(partition, organizationId)
      this.#dueIn(partition, dueInMs)
    }
    this.#loop.tidy()
    if (alone) await this.#loop.runAlone()
  }

  /** Sooner than the next sweep would see it. */
  #dueIn(partition: string, inMs: number): void {
    if (!this.#loop.running) return
    if (inMs <= 0) this.#loop.due(partition)
    else if (inMs < TIMED_AHEAD_MS) this.#dueTimers.set(partition, inMs)
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
}
