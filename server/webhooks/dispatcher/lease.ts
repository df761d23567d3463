/*
 * Who may change a delivery. One that waits has a row in `delivery_queue`; one that is under way is named by a row of
 * `delivery_leases`, one for all that a claim took of an organization; one that is finished has neither. Whoever would
 * change a delivery takes that row out first, or holds the lease while it does. So no two update one row of the log,
 * and a result counts only while its lease stands. A redelivery by hand alone may overtake a lease that has ended and
 * was not taken back yet; it locks the row of the log, and what comes of the lease then finds another claim there.
 *
 * Rows of both tables are never updated, which is more than a saving: PostgreSQL checks a row that was updated under a
 * lock again, and there 18.4 crashes in statements that also choose partitions as they run.
 *
 * The claim stands on the delivery as well (`claim_id`, and until when in `due_at`): it is the attempt under way, and
 * the log shows it. A lease goes with the last result of its claim, in the statement that writes it; where its process
 * is gone, or was asleep for longer than the lease, recovery takes it (lost-senders.ts).
 */

/** Of one process: which deliveries of a claim have no result in the database yet. */
export interface OpenClaim {
  readonly claimId: string
  readonly open: Set<string>
}

/**
 * The claims that are over when these deliveries are: known before it is written, because their leases go in the same
 * statement. What is written at that moment elsewhere counts as open, so a lease may stay until it ends, and is never
 * gone too soon.
 */
export function endedClaims(
  deliveries: readonly { readonly deliveryId: string; readonly openClaim: OpenClaim }[],
): string[] {
  const here = new Map<OpenClaim, number>()
  for (const { deliveryId, openClaim } of deliveries)
    if (openClaim.open.has(deliveryId)) here.set(openClaim, (here.get(openClaim) ?? 0) + 1)
  return [...here].filter(([{ open }, count]) => open.size === count).map(([{ claimId }]) => claimId)
}

/** To be told when that is written. */
export function settle(
  deliveries: readonly { readonly deliveryId: string; readonly openClaim: OpenClaim }[],
): void {
  for (const { deliveryId, openClaim } of deliveries) openClaim.open.delete(deliveryId)
}

/** Locks the leases of these claims, an array. */
export const held = (claimIds: string): string => `
  held as materialized (
    select claim_id, organization_id from delivery_leases where claim_id = any(${claimIds}::uuid[]) for key share
  )`

/** Of what is written together: the claims, each once. */
export const claimIdsOf = (claims: readonly { readonly claimId: string }[]): string[] => [
  ...new Set(claims.map(({ claimId }) => claimId)),
]

/** Lays a lease over the deliveries in `taken`: those of each organization together. */
export const leased = (taken: string, claimId: string, endsAt: string): string => `
  leased as (
    insert into delivery_leases (claim_id, organization_id, ends_at, delivery_ids, created_ats)
    select ${claimId}::uuid, organization_id, ${endsAt}, array_agg(id), array_agg(created_at)
      from ${taken} group by organization_id
  )`

/**
 * Back into the queue, from updated rows of the log; those that no attempt follows have no `due_at`. One that is there
 * already is due already.
 */
export const queued = (from: string): string => `
  insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at, is_first, is_retry,
    losses)
  select organization_id, endpoint_id, epoch, due_at, id, created_at, attempt_number = 0,
         status = 'waiting_for_retry', claim_count
    from ${from} where due_at is not null
      on conflict do nothing`

/** What `queued` wants to know of them. */
export const QUEUED =
  'd.organization_id, d.endpoint_id, d.epoch, d.due_at, d.id, d.created_at, d.attempt_number, d.status, d.claim_count'
