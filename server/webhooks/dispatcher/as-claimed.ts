import type pg from 'pg'
import { statement } from '../../database/connect.ts'
import type { Claimed } from './claim.ts'

/**
 * Whether what is under way to an endpoint may leave still: with this secret and to this address, and, where nobody sent
 * it by hand, in this turn of the switch.
 * @param secretVersion parameter of the secret that it is signed with
 */
export const asClaimed = (secretVersion: string) => `
  exists (
    select from webhook_endpoints e left join webhook_endpoint_states s on s.endpoint_id = e.id
     where e.id = d.endpoint_id and e.deleted_at is null
       and e.secret_version = ${secretVersion}::int and e.address = d.claim_address
       and (d.status_before is not null
         or e.epoch = d.epoch and e.enabled and s.tripped_epoch is distinct from e.epoch))`

const findAsClaimed = statement(`
  select from deliveries d
   where d.id = $1 and d.created_at = $2::timestamptz and d.claim_id = $3::uuid and ${asClaimed('$4')}`)

/** Whether a claim that has waited may be sent still, as far as the database knows: it is held, its endpoint the same. */
export async function isAsClaimed(pool: pg.Pool, claim: Claimed): Promise<boolean> {
  const { rowCount } = await pool.query(
    findAsClaimed(claim.deliveryId, claim.createdAt, claim.claimId, claim.secretVersion),
  )
  return rowCount === 1
}
