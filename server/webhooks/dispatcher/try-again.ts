import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import type { AttemptResult } from '../request.ts'
import { asClaimed } from './as-claimed.ts'
import type { Claimed } from './claim.ts'
import { held } from './lease.ts'

/**
 * Logs an attempt that died with a kept connection, and the one that follows at once on a new connection, before that
 * is sent; the lease has room for both. Changes nothing where the lease is gone, or the endpoint was turned off
 * or has another secret or address by now: what follows is then claimed anew, and sent as things are.
 */
export const logSecondTry = statement(`
  with clock as materialized (select clock_now() as now),
  ${held('array[$3]')},
  standing as materialized (
    select organization_id, id, endpoint_id, created_at, attempt_number, claimed_at, claim_address from deliveries d
     where d.id = $1 and d.created_at = $2::timestamptz and d.claim_id = $3::uuid
       and d.attempt_number = $4::int and exists (select from held where organization_id = d.organization_id)
       and ${asClaimed('$8')}
  ),
  first as (
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, address,
      outcome, sent_at, signature, duration_ms)
    select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, claim_address,
           'connection_closed', $5::timestamptz, $6::text, $7::int
      from standing
  )
  update deliveries d
     set claimed_at = (select now from clock), attempt_number = d.attempt_number + 1
    from standing s
   where d.id = s.id and d.created_at = s.created_at
  returning d.attempt_number as number`)

/** @returns the number of the attempt that may be sent now, or null where none may */
export async function logAnother(
  pool: pg.Pool,
  claim: Claimed,
  closed: AttemptResult,
): Promise<number | null> {
  const { rows } = await pool.query(
    logSecondTry(
      claim.deliveryId,
      claim.createdAt,
      claim.claimId,
      claim.number,
      new Date(closed.sentAt).toISOString(),
      closed.headers['webhook-signature'],
      closed.durationMs,
      claim.secretVersion,
    ),
  )
  return rows[0]?.number ?? null
}
