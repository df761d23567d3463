import type pg from 'pg'
import type { Logger } from 'pino'
import { statement } from '../database/connect.ts'

const EVERY_MS = 20
/** A payload has at most 8,000 bytes. */
const PARTITIONS_AT_MOST = 200

const notify = statement('select pg_notify($1, $2)')

/**
 * Hints to other processes: gathered, and sent apart from any transaction. One for each commit would make
 * commits queue for the one lock that NOTIFY takes.
 */
export class Hints {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #channel: string
  readonly #partitions = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(pool: pg.Pool, log: Logger, channel: string) {
    this.#pool = pool
    this.#log = log
    this.#channel = channel
  }

  add(partitions: readonly string[]): void {
    for (const partition of partitions) this.#partitions.add(partition)
    if (this.#partitions.size > 0) this.#timer ??= setTimeout(() => void this.tell(), EVERY_MS)
  }

  async tell(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const partitions = [...this.#partitions]
    this.#partitions.clear()
    // What does not fit, or is not heard, the sweep finds soon.
    if (partitions.length === 0) return
    await this.#pool
      .query(notify(this.#channel, partitions.slice(0, PARTITIONS_AT_MOST).join(',')))
      .catch((err) => this.#log.debug({ err, channel: this.#channel }, 'a hint to other processes was lost'))
  }
}
