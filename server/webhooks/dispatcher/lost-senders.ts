import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import { SUSPECT_AFTER } from '../../queue/queue.ts'
import { logInterrupted, OPEN_ATTEMPT } from './claim.ts'
import { spread } from './schedule.ts'

/*
 * What becomes of deliveries whose sender was lost. Mostly the claim itself finds them, when their lease ends;
 * here are the two cases that it leaves: a sender known to be gone before that, and a delivery lost so often
 * that it may be the cause.
 */

/**
 * Makes due what senders that are gone had claimed. The claim then logs the attempts as interrupted.
 *
 * Parameters: what the claims of senders that live begin with, lease in ms.
 */
export const recoverClaims = statement(`
  with recursive clock as materialized (select clock_now() as now),
  waiting as (
    (select endpoint_id, epoch from deliveries
      where status in ('pending', 'waiting_for_retry') order by endpoint_id, epoch limit 1)
    union all
    select next.* from waiting w cross join lateral (
      select endpoint_id, epoch from deliveries
       where status in ('pending', 'waiting_for_retry') and (endpoint_id, epoch) > (w.endpoint_id, w.epoch)
       order by endpoint_id, epoch limit 1) next
  ),
  orphans as materialized (
    select d.* from waiting w cross join lateral (
      select organization_id, id, created_at from deliveries
       where endpoint_id = w.endpoint_id and epoch = w.epoch and status in ('pending', 'waiting_for_retry')
         and due_at > (select now from clock)
         and due_at <= (select now from clock) + $2::int * interval '1 millisecond'
         and claim_id is not null and left(claim_id::text, 8) <> all($1::text[])
         for update skip locked
    ) d
  )
  update deliveries d set due_at = (select now from clock)
    from orphans o
   where d.id = o.id and d.created_at = o.created_at`)

/**
 * Puts off what was lost for the third time in a row, as after a failure, but uncounted: interruption alone
 * never makes a delivery fail. From then on it is claimed alone.
 */
export const putOffSuspects = statement(`
  with clock as materialized (select clock_now() as now),
  suspect as materialized (
    select organization_id, id, endpoint_id, created_at, ${OPEN_ATTEMPT} from deliveries
     where status in ('pending', 'waiting_for_retry') and claims >= ${SUSPECT_AFTER} and claim_id is not null
       and due_at <= (select now from clock)
     limit 100 for update skip locked
  ),
  lost as (${logInterrupted('suspect')}
  )
  update deliveries d
     set status = 'waiting_for_retry', claim_id = null,
         due_at = (select now from clock)
           + ($1::float8[])[least(d.attempt_count + 1, cardinality($1::float8[]))] * interval '1 millisecond'
    from suspect s
   where d.id = s.id and d.created_at = s.created_at
  returning d.organization_id, d.id, d.endpoint_id, d.claims`)

export interface Suspect {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  readonly losses: number
}

/** @param delays of the schedule */
export async function suspects(pool: pg.Pool, delays: readonly number[]): Promise<Suspect[]> {
  const { rows } = await pool.query(putOffSuspects(delays.map((delay) => spread(delay, Math.random()))))
  return rows.map((row) => ({
    organizationId: row.organization_id,
    deliveryId: row.id,
    endpointId: row.endpoint_id,
    losses: row.claims,
  }))
}
