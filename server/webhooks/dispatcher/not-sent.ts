import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { statement } from '../../database/connect.ts'
import { isAway } from '../../database/errors.ts'

const AT_ONCE = 1_000
const REST_AT_MOST_MS = 1_000

/**
 * Takes out of the queue what waits in an epoch of an endpoint that is over. An epoch that is over stays over, so
 * nothing need be looked at again.
 *
 * Parameters: endpoint, epoch.
 */
export const takeInVain = statement(`
  with over as materialized (
    select ctid as place from delivery_queue where endpoint_id = $1 and epoch = $2
     order by due_at limit ${AT_ONCE} for update skip locked
  )
  delete from delivery_queue q using over where q.ctid = over.place
  returning q.delivery_id, q.created_at`)

/**
 * Writes `not_sent` where readers see it already; a send by hand that was lost becomes what it was before. A delivery
 * that was sent by hand meanwhile is left alone.
 *
 * Parameters: ids, the first and the last of their times.
 */
export const markNotSent = statement(`
  update deliveries d
     set status = coalesce(d.status_before, 'not_sent'), status_before = null, due_at = null, claim_count = 0
   where d.id = any($1::text[]) and d.created_at >= $2::timestamptz and d.created_at <= $3::timestamptz
     and d.claim_id is null and d.status in ('pending', 'waiting_for_retry')`)

/** @returns how many were taken out of the queue: a thousand, where there may be more */
async function convertSome(pool: pg.Pool, endpointId: string, epoch: number): Promise<number> {
  const client = await pool.connect()
  let isLost = false
  try {
    await client.query('begin')
    const { rows } = await client.query(takeInVain(endpointId, epoch))
    const times = rows.map((row) => row.created_at as string).sort()
    if (times.length > 0)
      await client.query(
        markNotSent(
          rows.map((row) => row.delivery_id),
          times[0],
          times.at(-1),
        ),
      )
    await client.query('commit')
    return rows.length
  } catch (err) {
    isLost = isAway(err)
    await client.query('rollback').catch(() => {})
    throw err
  } finally {
    client.release(isLost)
  }
}

/** Converts what waits in vain, in its own time, and one batch of the sweep's findings after the other. */
export class NotSentWriter {
  readonly #pool: pg.Pool
  readonly #log: Logger
  #over = false
  #converting: Promise<void> | null = null

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Left alone while it is at it: what is not converted yet is found again. */
  add(over: readonly Over[]): void {
    if (over.length === 0 || this.#over) return
    this.#converting ??= this.#convertAll(over)
      .catch((err) =>
        this.#log.warn({ err }, 'deliveries that are not sent could not be marked so; trying on'),
      )
      .finally(() => {
        this.#converting = null
      })
  }

  cease(): void {
    this.#over = true
  }

  async quiet(): Promise<void> {
    await this.#converting
  }

  /**
   * A thousand at a time, resting as long as each takes, a second at most: a million of one endpoint must not be felt
   * by the others.
   */
  async #convertAll(over: readonly Over[]): Promise<void> {
    for (const { endpointId, epoch } of over) {
      let more = true
      while (more && !this.#over) {
        const startedAt = performance.now()
        more = (await convertSome(this.#pool, endpointId, epoch)) === AT_ONCE
        if (more) await sleep(Math.min(REST_AT_MOST_MS, performance.now() - startedAt))
      }
    }
  }
}

interface Over {
  readonly endpointId: string
  readonly epoch: number
}
