import type { Logger } from 'pino'

const GATHER_MS = 5

/** Claims on their way back, unworked: those of one moment together. */
export class HandBacks<Item> {
  readonly #write: (items: readonly Item[], dueInMs: number) => Promise<void>
  readonly #log: Logger
  #batch: { items: Item[]; dueInMs: number; done: Promise<void> } | null = null

  /** @param write gives back what is still claimed, as if it had never been */
  constructor(log: Logger, write: (items: readonly Item[], dueInMs: number) => Promise<void>) {
    this.#log = log
    this.#write = write
  }

  /**
   * @param dueInMs when it is due again
   * @returns when it is given back; where the database is away, its lease does that
   */
  add(item: Item, dueInMs: number): Promise<void> {
    if (this.#batch?.dueInMs !== dueInMs) {
      const batch = { items: [] as Item[], dueInMs, done: Promise.resolve() }
      this.#batch = batch
      batch.done = new Promise<void>((resolve) => setTimeout(resolve, GATHER_MS)).then(async () => {
        if (this.#batch === batch) this.#batch = null
        await this.#write(batch.items, dueInMs).catch((err) =>
          this.#log.warn({ err }, 'claims could not be handed back; they are due when their lease ends'),
        )
      })
    }
    this.#batch.items.push(item)
    return this.#batch.done
  }
}
