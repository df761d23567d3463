import type pg from 'pg'
import { type Query, type Row, statement } from '../../database/connect.ts'
import { SUSPECT_AFTER, type Taken } from '../../queue/queue.ts'
import { leased, type OpenClaim } from './lease.ts'
import { SignalBodies } from './signal-bodies.ts'

/**
 * A delivery that this process may send: leased for a minute, its attempt in the log as under way already.
 */
export interface Claimed {
  readonly organizationId: string
  readonly deliveryId: string
  /** Of the delivery; with it, only one week's partition is touched. */
  readonly createdAt: string
  readonly claimId: string
  readonly openClaim: OpenClaim
  readonly endpointId: string
  readonly epoch: number
  readonly purpose: 'signal' | 'test' | 'workflow'
  /** Of this attempt, in the order of the log. */
  readonly number: number
  /** Counted attempts before this one. */
  readonly attemptCount: number
  /** Sent by hand: one attempt outside of the schedule. */
  readonly statusBefore: 'delivered' | 'failed' | 'not_sent' | null
  /** The endpoint is off, which only a send by hand may disregard; then nothing counts. */
  readonly off: boolean
  readonly address: string
  readonly secretCipher: Buffer
  readonly secretVersion: number
  /** In UTF-8; one for all the endpoints that a signal goes to. */
  readonly body: Buffer
  /** By the database's clock, ms late when claimed. */
  readonly lateMs: number
}

/** While only first attempts may go, how far to look for one behind retries that are due. */
const LOOK_AHEAD = 100

/**
 * Takes what is due of the endpoints named, as many of each as it has room for: out of the queue and under a lease.
 * The claim on a delivery is the attempt that is under way, for the log too: so it stands before a request leaves.
 *
 * Parameters: endpoints, rooms, claim id, lease in ms, first attempts only.
 */
export const claimDue = statement(`
  with clock as materialized (select clock_now() as now),
  lane as materialized (
    select e.id, e.epoch, e.address, e.secret_cipher, e.secret_version, w.room
      from unnest($1::text[], $2::int[]) as w (endpoint_id, room)
      join webhook_endpoints e on e.id = w.endpoint_id
      left join webhook_endpoint_states s on s.endpoint_id = e.id
     where e.enabled and e.deleted_at is null and s.tripped_epoch is distinct from e.epoch
  ),
  due as materialized (
    select q.*, lane.address, lane.secret_cipher, lane.secret_version
      from lane cross join lateral (
        select * from (
          select ctid as place, organization_id, delivery_id, endpoint_id, created_at, due_at, is_first
            from delivery_queue
           where endpoint_id = lane.id and epoch = lane.epoch
             and due_at <= (select now from clock) and losses < ${SUSPECT_AFTER}
           order by due_at
           limit case when $5::boolean then ${LOOK_AHEAD} else lane.room end
             for update skip locked
        ) head
        where not $5::boolean or is_first
        limit lane.room
      ) q
  ),
  ${claimed('$3', '$4')}`)

/** Suspects `q` that are due and may be sent, to endpoints `e`: what waits in vain is nobody's turn. */
export const dueSuspects = (now: string): string => `
  delivery_queue q join webhook_endpoints e on e.id = q.endpoint_id and e.epoch = q.epoch
    left join webhook_endpoint_states s on s.endpoint_id = e.id
   where q.losses >= ${SUSPECT_AFTER} and q.due_at <= ${now}
     and e.enabled and e.deleted_at is null and s.tripped_epoch is distinct from e.epoch`

/**
 * The same for one suspect, whoever's it is.
 *
 * Parameters: claim id, lease in ms.
 */
export const claimSuspect = statement(`
  with clock as materialized (select clock_now() as now),
  due as materialized (
    select q.ctid as place, q.organization_id, q.delivery_id, q.endpoint_id, q.created_at, q.due_at,
           e.address, e.secret_cipher, e.secret_version
      from ${dueSuspects('(select now from clock)')}
     order by q.due_at limit 1 for update of q skip locked
  ),
  ${claimed('$1', '$2')}`)

/** Runs one of the two. */
export async function take(
  on: pg.Pool | pg.Client,
  query: Query,
  claimId: string,
  bodies: SignalBodies = new SignalBodies(),
): Promise<Taken<Claimed>> {
  const { rows } = await on.query(query)
  const openClaim = { claimId, open: new Set(rows.map((row) => row.id as string)) }
  const found = await bodies.of(on, rows)
  return {
    now: rows[0]?.now ?? 0,
    items: rows.map((row) =>
      claimedOf(row, openClaim, row.body === null ? found.get(row.signal_id)! : Buffer.from(row.body)),
    ),
  }
}

function claimedOf(row: Row, openClaim: OpenClaim, body: Buffer): Claimed {
  return {
    organizationId: row.organization_id,
    deliveryId: row.id,
    createdAt: row.created_at,
    claimId: openClaim.claimId,
    openClaim,
    endpointId: row.endpoint_id,
    epoch: row.epoch,
    purpose: row.purpose,
    number: row.attempt_number,
    attemptCount: row.attempt_count,
    statusBefore: row.status_before,
    off: false,
    address: row.address,
    secretCipher: row.secret_cipher,
    secretVersion: row.secret_version,
    body,
    lateMs: row.late_ms,
  } as Claimed
}

function claimed(claimId: string, lease: string): string {
  const endsAt = `(select now from clock) + ${lease}::int * interval '1 millisecond'`
  return `taken as (
    delete from delivery_queue q using due where q.ctid = due.place returning due.*
  ),
  claimed as (
    update deliveries d
       set status = 'pending', due_at = ${endsAt}, claim_id = ${claimId}::uuid, claimed_at = (select now from clock),
           claim_address = t.address, claim_count = d.claim_count + 1, attempt_number = d.attempt_number + 1
      from taken t
     where d.id = t.delivery_id and d.created_at = t.created_at
       and d.claim_id is null and d.status in ('pending', 'waiting_for_retry')
    returning d.organization_id, d.id, d.created_at, d.endpoint_id, d.epoch, d.purpose, d.signal_id, d.body,
      d.attempt_number, d.attempt_count, d.status_before, t.due_at as was_due,
      t.address, t.secret_cipher, t.secret_version
  ),
  ${leased('claimed', claimId, endsAt)}
  select organization_id, id, created_at, endpoint_id, epoch, purpose, attempt_number, attempt_count, status_before,
         address, secret_cipher, secret_version, signal_id, body,
         (extract(epoch from (select now from clock)) * 1000)::float8 as now,
         (extract(epoch from (select now from clock) - was_due) * 1000)::float8 as late_ms
    from claimed`
}
