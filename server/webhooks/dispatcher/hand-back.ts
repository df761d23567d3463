import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import type { Claimed } from './claim.ts'
import { claimIdsOf, endedClaims, held, QUEUED, queued, settle } from './lease.ts'

/** As if it had never been claimed: the number of its attempt is free again. */
const givenBack = (dueInMs: string, from: string): string => `
  returned as (
    update deliveries d
       set status = coalesce(d.status_before, case d.attempt_count when 0 then 'pending' else 'waiting_for_retry' end),
           due_at = case when d.status_before is null
             then (select clock_now()) + ${dueInMs}::int * interval '1 millisecond' end,
           claim_id = null, claim_count = d.claim_count - 1, attempt_number = d.attempt_number - 1, status_before = null
      from ${from} g
     where d.id = g.delivery_id and d.created_at = g.created_at
       and d.claim_id = g.claim_id
    returning ${QUEUED}
  )
  ${queued('returned')}`

/** Gives back what was claimed and not sent. For a stop, for faults of our own, and for what a change overtook. */
export const handBackClaims = statement(`
  with given as materialized (
    select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[])
      as g (organization_id, delivery_id, created_at, claim_id)
  ),
  ${held('$6')},
  over as (delete from delivery_leases where claim_id = any($7::uuid[])),
  standing as materialized (
    select g.* from given g join held h on h.claim_id = g.claim_id and h.organization_id = g.organization_id
  ),
  ${givenBack('$5', 'standing')}`)

/** @param dueInMs when they are due again */
export async function handBack(pool: pg.Pool, claims: readonly Claimed[], dueInMs: number): Promise<void> {
  await pool.query(
    handBackClaims(
      claims.map((claim) => claim.organizationId),
      claims.map((claim) => claim.deliveryId),
      claims.map((claim) => claim.createdAt),
      claims.map((claim) => claim.claimId),
      dueInMs,
      claimIdsOf(claims),
      endedClaims(claims),
    ),
  )
  settle(claims)
}

/** Lets go of a claim whose answer was lost with the connection: whatever it took, it is due now. */
export const releaseClaim = statement(`
  with gone as (delete from delivery_leases where claim_id = $1::uuid returning *),
  each as materialized (
    select organization_id, claim_id, unnest(delivery_ids) as delivery_id, unnest(created_ats) as created_at from gone
  ),
  ${givenBack('0', 'each')}`)
