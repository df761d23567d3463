import type pg from 'pg'
import { type Query, type Row, statement } from '../../database/connect.ts'
import { SUSPECT_AFTER, type Taken } from '../../queue/queue.ts'

/**
 * A delivery that this process may send: leased for a minute, its attempt in the log as under way already.
 */
export interface Claimed {
  readonly organizationId: string
  readonly deliveryId: string
  /** Of the delivery; with it, only one week's partition is touched. */
  readonly createdAt: string
  readonly claimId: string
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
  readonly body: string
  /** By the database's clock, ms late when claimed. */
  readonly lateMs: number
}

/** Of a delivery that bears a claim: the attempt that is under way. */
export const OPEN_ATTEMPT = 'claim_id, attempt_number, claimed_at, claim_address'

/**
 * Into the log as interrupted: the attempts of senders that are gone.
 *
 * @param lost where their deliveries are, with the open attempts
 */
export const logInterrupted = (lost: string): string => `
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, address, outcome)
    select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, claim_address, 'interrupted'
      from ${lost} where claim_id is not null`

/** While only first attempts may go, how far to look for one behind retries that are due. */
const LOOK_AHEAD = 100

/**
 * Takes what is due of the endpoints named, as many of each as it has room for. The claim on a delivery is the
 * attempt that is under way, for the log too: so it stands before a request leaves.
 *
 * The lease is `due_at` moved forward, so claimed rows leave the head of the index by themselves. A row that
 * is due and still bears a claim was lost with its sender: that attempt goes into the log as `interrupted`.
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
    select d.*, lane.address, lane.secret_cipher, lane.secret_version
      from lane cross join lateral (
        select * from (
          select organization_id, id, endpoint_id, created_at, due_at, ${OPEN_ATTEMPT}
            from deliveries
           where endpoint_id = lane.id and epoch = lane.epoch and status in ('pending', 'waiting_for_retry')
             and due_at <= (select now from clock) and claims < ${SUSPECT_AFTER}
           order by due_at
           limit case when $5::boolean then ${LOOK_AHEAD} else lane.room end
             for update skip locked
        ) head
        where not $5::boolean or head.attempt_number = 0
        limit lane.room
      ) d
  ),
  ${claimed('$3', '$4')}`)

/**
 * The same for one suspect, whoever's it is.
 *
 * Parameters: claim id, lease in ms.
 */
export const claimSuspect = statement(`
  with clock as materialized (select clock_now() as now),
  due as materialized (
    select d.organization_id, d.id, d.endpoint_id, d.created_at, d.due_at, ${OPEN_ATTEMPT},
           e.address, e.secret_cipher, e.secret_version
      from deliveries d
      join webhook_endpoints e on e.id = d.endpoint_id and e.epoch = d.epoch
      left join webhook_endpoint_states s on s.endpoint_id = e.id
     where d.status in ('pending', 'waiting_for_retry') and d.claims >= ${SUSPECT_AFTER} and d.claim_id is null
       and d.due_at <= (select now from clock)
       and e.enabled and e.deleted_at is null and s.tripped_epoch is distinct from e.epoch
     order by d.due_at
     limit 1
       for update of d skip locked
  ),
  ${claimed('$1', '$2')}`)

/** Runs one of the two. */
export async function take(on: pg.Pool | pg.Client, query: Query, claimId: string): Promise<Taken<Claimed>> {
  const { rows } = await on.query(query)
  return { now: rows[0]?.now ?? 0, items: rows.map((row) => claimedOf(row, claimId)) }
}

function claimedOf(row: Row, claimId: string): Claimed {
  return {
    organizationId: row.organization_id,
    deliveryId: row.id,
    createdAt: row.created_at,
    claimId,
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
    body: row.body,
    lateMs: row.late_ms,
  } as Claimed
}

function claimed(claimId: string, lease: string): string {
  return `claimed as (
    update deliveries d
       set status = 'pending', due_at = (select now from clock) + ${lease}::int * interval '1 millisecond',
           claim_id = ${claimId}::uuid, claimed_at = (select now from clock), claim_address = due.address,
           claims = d.claims + 1, attempt_number = d.attempt_number + 1
      from due
     where d.id = due.id and d.created_at = due.created_at
    returning d.organization_id, d.id, d.created_at, d.endpoint_id, d.epoch, d.purpose, d.signal_id, d.body,
      d.attempt_number, d.attempt_count, d.status_before, due.due_at as was_due,
      due.address, due.secret_cipher, due.secret_version
  ),
  lost as (${logInterrupted('due')}
  )
  select c.organization_id, c.id, c.created_at, c.endpoint_id, c.epoch, c.purpose, c.attempt_number, c.attempt_count,
         c.status_before, c.address, c.secret_cipher, c.secret_version, coalesce(c.body, s.body) as body,
         (extract(epoch from (select now from clock)) * 1000)::float8 as now,
         (extract(epoch from (select now from clock) - c.was_due) * 1000)::float8 as late_ms
    from claimed c
    left join signals s
      on s.id = c.signal_id and s.created_at = c.created_at`
}
