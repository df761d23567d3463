import type { Logger } from 'pino'
import { isAway, tryingOn } from '../database/errors.ts'

/** Writing costs as much for a few as for many; who waits for an answer says so. */
const EVERY_MS = 20
const FULL = 250
const AT_MOST = 400
const RETRY_MS = [50, 100, 250, 500, 1_000, 2_000]

export interface ResultsBufferParts<Result> {
  /** Of the queue, for the log. */
  readonly name: string
  readonly log: Logger
  /** Writes a batch in one statement, each result where its claim still stands. */
  readonly write: (results: readonly Result[]) => Promise<void>
  /** The database refuses this one for what it is: it is dropped, and its lease ends. */
  readonly refused: (result: Result) => void
}

/**
 * Results on their way to the database: gathered for a few milliseconds and written together, one batch after
 * the other, so that results of one process are written in the order of completion. While the database is away
 * they stay here; written twice they change nothing, since the first writing took the claims.
 */
export class ResultsBuffer<Result> {
  readonly #parts: ResultsBufferParts<Result>
  #waiting: { result: Result; written: () => void }[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #hurry = false
  #failures = 0
  #atMost = AT_MOST

  constructor(parts: ResultsBufferParts<Result>) {
    this.#parts = parts
  }

  /** Results that are not written yet. */
  get size(): number {
    return this.#waiting.length
  }

  /** Whether the database does not take them. */
  get stuck(): boolean {
    return this.#failures > 0
  }

  /**
   * @param atOnce somebody waits for it
   * @returns when it is written, or came too late to be
   */
  add(result: Result, atOnce = false): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ result, written })
      this.#hurry ||= atOnce
      if (this.#writing) return
      if (this.#hurry || this.#waiting.length >= FULL) this.#write()
      else this.#timer ??= setTimeout(() => this.#write(), EVERY_MS)
    })
  }

  /** Writes what is here and waits for it, as long as the database is there to take it. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing) {
      if (!this.#writing) this.#write()
      await this.#writing
      if (this.#failures > 0) return
    }
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #write(): void {
    this.close()
    this.#writing = this.#writeSome().finally(() => {
      this.#writing = null
      if (this.#waiting.length === 0) return
      const wait = this.#failures > 0 ? RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] : undefined
      if (wait !== undefined) this.#timer = setTimeout(() => this.#write(), wait)
      else if (this.#hurry || this.#waiting.length >= FULL) this.#write()
      else this.#timer = setTimeout(() => this.#write(), EVERY_MS)
    })
  }

  async #writeSome(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#atMost)
    if (this.#waiting.length === 0) this.#hurry = false
    try {
      await this.#parts.write(batch.map(({ result }) => result))
      this.#failures = 0
      this.#atMost = AT_MOST
      for (const { written } of batch) written()
    } catch (err) {
      const { log, name } = this.#parts
      if (this.#failures === 0)
        log.error({ err, results: batch.length }, `results of ${name} cannot be written; ${tryingOn(err)}`)
      this.#failures += 1
      this.#waiting = [...batch, ...this.#waiting]
      if (!isAway(err)) this.#narrow()
    }
  }

  /** The database is there and refuses: smaller batches find the one at fault, and go on without it. */
  #narrow(): void {
    if (this.#atMost > 1) {
      this.#atMost = Math.ceil(Math.min(this.#atMost, this.#waiting.length) / 2)
      return
    }
    const refused = this.#waiting.shift()
    if (!refused) return
    this.#parts.refused(refused.result)
    refused.written()
  }
}
