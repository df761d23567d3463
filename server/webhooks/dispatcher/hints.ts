import type pg from 'pg'
import type { Logger } from 'pino'
import { statement } from '../../database/connect.ts'
import { CHANNEL } from './sender-life.ts'

const EVERY_MS = 20
/** A payload has at most 8,000 bytes. */
const IDS_AT_MOST = 200

const notify = statement('select pg_notify($1, $2)')

/**
 * Hints to other processes: gathered, and sent apart from any transaction. One for each commit would make
 * commits queue for the one lock that NOTIFY takes.
 */
export class Hints {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #ids = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  add(endpointIds: readonly string[]): void {
    for (const id of endpointIds) this.#ids.add(id)
    if (this.#ids.size > 0) this.#timer ??= setTimeout(() => void this.tell(), EVERY_MS)
  }

  async tell(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const ids = [...this.#ids]
    this.#ids.clear()
    // What does not fit, or is not heard, the sweep finds within a second.
    if (ids.length === 0) return
    await this.#pool
      .query(notify(CHANNEL, ids.slice(0, IDS_AT_MOST).join(',')))
      .catch((err) => this.#log.debug({ err }, 'a webhook hint was lost'))
  }
}
