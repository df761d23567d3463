import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import { SUSPECT_AFTER } from '../../queue/queue.ts'
import { QUEUED, queued } from './lease.ts'
import { spread } from './schedule.ts'

const LEASES_AT_ONCE = 100

/**
 * Takes the leases whose senders are gone, or that have ended, and makes their deliveries due again. The attempts go
 * into the log as interrupted.
 *
 * What was lost for the third time in a row may be what takes its sender down. It is put off as after a failure, further
 * with each further loss, but uncounted, since interruption alone never makes a delivery fail. From then on it is claimed
 * alone.
 *
 * Parameters: what the claims of senders that live begin with, or null to look at the ends of leases alone; delays of
 * the schedule in ms.
 */
export const recoverLeases = statement(`
  with clock as materialized (select clock_now() as now),
  ended as materialized (
    select claim_id, organization_id from delivery_leases
     where ends_at <= (select now from clock) or left(claim_id::text, 8) <> all($1::text[])
     limit ${LEASES_AT_ONCE} for update skip locked
  ),
  gone as (
    delete from delivery_leases l using ended e
     where l.claim_id = e.claim_id and l.organization_id = e.organization_id
    returning l.*
  ),
  each as materialized (
    select organization_id, claim_id, unnest(delivery_ids) as delivery_id, unnest(created_ats) as created_at from gone
  ),
  lost as (
    update deliveries d
       set claim_id = null,
           status = case when d.claim_count >= ${SUSPECT_AFTER} then 'waiting_for_retry' else d.status end,
           due_at = (select now from clock) + case when d.claim_count >= ${SUSPECT_AFTER}
             then ($2::float8[])[least(d.attempt_count + d.claim_count - ${SUSPECT_AFTER - 1}, cardinality($2::float8[]))] else 0 end
             * interval '1 millisecond'
      from each g
     where d.id = g.delivery_id and d.created_at = g.created_at
       and d.claim_id = g.claim_id
    returning d.claimed_at, d.claim_address, ${QUEUED}
  ),
  logged as (
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, address, outcome)
    select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, claim_address, 'interrupted'
      from lost
  ),
  again as (${queued('lost')}
  )
  select (select count(*) from gone)::int as leases, organization_id, id, endpoint_id, claim_count from lost
   where claim_count >= ${SUSPECT_AFTER}
   union all select count(*)::int, null, null, null, null from gone`)

/** A delivery that was lost with its sender again and again. */
export interface Suspect {
  readonly organizationId: string
  readonly deliveryId: string
  readonly endpointId: string
  readonly losses: number
}

/**
 * @param living what the claims of senders that live begin with; null to look at the ends of leases alone
 * @param delays of the schedule
 */
export async function recover(
  pool: pg.Pool,
  living: readonly string[] | null,
  delays: readonly number[],
): Promise<Suspect[]> {
  const suspects: Suspect[] = []
  for (let more = true; more; ) {
    const { rows } = await pool.query(
      recoverLeases(
        living,
        delays.map((delay) => spread(delay, Math.random())),
      ),
    )
    more = rows[0].leases === LEASES_AT_ONCE
    for (const row of rows)
      if (row.id !== null)
        suspects.push({
          organizationId: row.organization_id,
          deliveryId: row.id,
          endpointId: row.endpoint_id,
          losses: row.claim_count,
        })
  }
  return suspects
}
