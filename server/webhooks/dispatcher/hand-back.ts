import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import type { Claimed } from './claim.ts'

/**
 * Gives back what was claimed and not sent, as if it had never been claimed: the number of its attempt is free
 * again. For a stop, for faults of our own, and for what a change of the endpoint overtook.
 */
export const handBackClaims = statement(`
  with given as (
    select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[])
      as g (organization_id, delivery_id, created_at, claim_id)
  )
  update deliveries d
     set status = coalesce(d.status_before, case d.attempt_count when 0 then 'pending' else 'waiting_for_retry' end),
         due_at = case when d.status_before is null then (select clock_now()) + $5::int * interval '1 millisecond' end,
         claim_id = null, claims = d.claims - 1, attempt_number = d.attempt_number - 1, status_before = null
    from given g
   where d.id = g.delivery_id and d.created_at = g.created_at and d.claim_id = g.claim_id`)

/** @param dueInMs when they are due again */
export async function handBack(pool: pg.Pool, claims: readonly Claimed[], dueInMs: number): Promise<void> {
  await pool.query(
    handBackClaims(
      claims.map((claim) => claim.organizationId),
      claims.map((claim) => claim.deliveryId),
      claims.map((claim) => claim.createdAt),
      claims.map((claim) => claim.claimId),
      dueInMs,
    ),
  )
}

/**
 * Lets go of a claim whose answer was lost with the connection: whatever it took, it is due now. It is found
 * by its lease, which ends within the next minute, so only that stretch of the index is read.
 */
export const releaseClaim = statement(`
  with clock as materialized (select clock_now() as now),
  taken as materialized (
    select d.* from webhook_endpoints e cross join lateral (
      select organization_id, id, created_at from deliveries
       where endpoint_id = e.id and epoch = e.epoch and status in ('pending', 'waiting_for_retry')
         and due_at > (select now from clock)
         and due_at <= (select now from clock) + $3::int * interval '1 millisecond'
         and claim_id = $2::uuid
         for update skip locked
    ) d
    where e.id = any($1::text[])
  )
  update deliveries d
     set status = case d.attempt_count when 0 then 'pending' else 'waiting_for_retry' end,
         due_at = (select now from clock), claim_id = null, claims = d.claims - 1,
         attempt_number = d.attempt_number - 1
    from taken t
   where d.id = t.id and d.created_at = t.created_at`)
