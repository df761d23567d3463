import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import type { AttemptResult } from '../request.ts'
import type { Claimed } from './claim.ts'

/**
 * Logs an attempt that died with a kept connection, and the one that follows at once on a new connection,
 * before that is sent: the lease begins anew. Changes nothing where the claim is gone or the endpoint was
 * turned off meanwhile.
 */
export const logSecondTry = statement(`
  with clock as materialized (select clock_now() as now),
  renewed as (
    update deliveries d
       set due_at = (select now from clock) + $5::int * interval '1 millisecond', attempt_number = d.attempt_number + 1
     where d.id = $1 and d.created_at = $2::timestamptz and d.claim_id = $3::uuid
       and d.attempt_number = $4::int
       and (d.status_before is not null or exists (
         select from webhook_endpoints e left join webhook_endpoint_states s on s.endpoint_id = e.id
          where e.id = d.endpoint_id and e.epoch = d.epoch and e.enabled and e.deleted_at is null
            and s.tripped_epoch is distinct from e.epoch))
    returning d.*
  ),
  first as (
    update attempts a
       set outcome = 'connection_closed', sent_at = $6::timestamptz, headers = $7::json, duration_ms = $8::int
      from renewed r
     where a.organization_id = r.organization_id and a.delivery_id = r.id and a.number = r.attempt_number - 1
       and a.created_at = r.created_at
  )
  insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claim_id, claimed_at, address)
  select organization_id, id, attempt_number, endpoint_id, created_at, claim_id, (select now from clock), $9
    from renewed
  returning number`)

/** @returns the number of the attempt that may be sent now, or null where none may */
export async function logAnother(
  pool: pg.Pool,
  claim: Claimed,
  closed: AttemptResult,
  leaseMs: number,
): Promise<number | null> {
  const { rows } = await pool.query(
    logSecondTry(
      claim.deliveryId,
      claim.createdAt,
      claim.claimId,
      claim.number,
      leaseMs,
      new Date(closed.sentAt).toISOString(),
      JSON.stringify(closed.headers),
      closed.durationMs,
      claim.address,
    ),
  )
  return rows[0]?.number ?? null
}
