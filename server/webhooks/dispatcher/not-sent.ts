import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { statement } from '../../database/connect.ts'
import { logInterrupted, OPEN_ATTEMPT } from './claim.ts'

const AT_ONCE = 1_000
const REST_AT_MOST_MS = 1_000

/**
 * Writes `not_sent` where readers see it already: on what waits in an epoch of an endpoint that is over. What
 * is on the wire is left alone until its result or its lease's end; a send by hand that was lost becomes what
 * it was before.
 *
 * Parameters: endpoint, epoch. An epoch that is over stays over, so nothing need be looked at again.
 */
export const convertNotSent = statement(`
  with clock as materialized (select clock_now() as now),
  over as materialized (
    select organization_id, id, endpoint_id, created_at, ${OPEN_ATTEMPT} from deliveries
     where endpoint_id = $1 and epoch = $2 and status in ('pending', 'waiting_for_retry')
       and (claim_id is null or due_at <= (select now from clock))
     order by due_at limit ${AT_ONCE} for update skip locked
  ),
  lost as (${logInterrupted('over')}
  ),
  converted as (
    update deliveries d
       set status = coalesce(d.status_before, 'not_sent'), status_before = null, due_at = null, claim_id = null, claims = 0
      from over o
     where d.id = o.id and d.created_at = o.created_at
    returning 1
  )
  select count(*)::int as converted from converted`)

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
        const { rows } = await this.#pool.query(convertNotSent(endpointId, epoch))
        more = rows[0].converted === AT_ONCE
        if (more) await sleep(Math.min(REST_AT_MOST_MS, performance.now() - startedAt))
      }
    }
  }
}

interface Over {
  readonly endpointId: string
  readonly epoch: number
}
