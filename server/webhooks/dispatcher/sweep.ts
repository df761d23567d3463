import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import { COUNTED_AT_MOST } from '../limits.ts'

/** Deliveries of one endpoint that wait, of one turn of its switch. */
export interface Waiting {
  readonly endpointId: string
  readonly epoch: number
  readonly organizationId: string | null
  /** Of the earliest: when it is due, from now. */
  readonly dueInMs: number
  /** The endpoint is on, in that epoch. */
  readonly live: boolean
  /** Turned off by failures, and its row does not say so yet. */
  readonly unturned: boolean
}

/**
 * Which endpoints have deliveries that wait: a loose index scan, one probe for each pair of endpoint and epoch,
 * so it costs what there are endpoints and not what there are rows. It is the backstop behind the hints.
 */
export const findWaiting = statement(`
  with recursive waiting as (
    (select endpoint_id, epoch, due_at from delivery_queue
      order by endpoint_id, epoch, due_at limit 1)
    union all
    select next.* from waiting w cross join lateral (
      select endpoint_id, epoch, due_at from delivery_queue
       where (endpoint_id, epoch) > (w.endpoint_id, w.epoch)
       order by endpoint_id, epoch, due_at limit 1) next
  ),
  clock as materialized (select clock_now() as now)
  select w.endpoint_id, w.epoch, e.organization_id,
         (extract(epoch from w.due_at - (select now from clock)) * 1000)::float8 as due_in_ms,
         coalesce(e.enabled and e.deleted_at is null and e.epoch = w.epoch
           and s.tripped_epoch is distinct from e.epoch, false) as live,
         coalesce(e.enabled and s.tripped_epoch = e.epoch, false) as unturned
    from waiting w
    left join webhook_endpoints e on e.id = w.endpoint_id
    left join webhook_endpoint_states s on s.endpoint_id = w.endpoint_id`)

/** How long the delivery that has waited longest of those that may be sent has been due, in ms; 0 where none is. */
export async function oldestDueMs(pool: pg.Pool): Promise<number> {
  const late = (await waitingEndpoints(pool)).filter(({ live }) => live).map(({ dueInMs }) => -dueInMs)
  return Math.max(0, ...late)
}

const countUnfinished = statement(`
  select least(${COUNTED_AT_MOST},
    (select count(*) from (select from delivery_queue limit ${COUNTED_AT_MOST}) counted)
      + (select count(*) from (
          select claim_id, unnest(delivery_ids) as id, unnest(created_ats) as created_at from delivery_leases) l
          join deliveries d on d.id = l.id and d.created_at = l.created_at and d.claim_id = l.claim_id))::int as n`)

/** How many deliveries are due, on the wire or waiting for a retry; of more than the limit, the limit. */
export async function countWaiting(pool: pg.Pool): Promise<number> {
  return (await pool.query(countUnfinished())).rows[0]!.n
}

export async function waitingEndpoints(pool: pg.Pool): Promise<Waiting[]> {
  const { rows } = await pool.query(findWaiting())
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    epoch: row.epoch,
    organizationId: row.organization_id,
    dueInMs: row.due_in_ms,
    live: row.live,
    unturned: row.unturned,
  }))
}
