import type pg from 'pg'
import { type Query, statement } from '../../database/connect.ts'
import { parameterOf } from '../../database/parameter.ts'
import { FAILURES_AT_MOST } from '../limits.ts'
import type { ConnectionFailure, Outcome } from '../outcomes.ts'
import type { Claimed } from './claim.ts'
import { claimIdsOf, endedClaims, held, QUEUED, queued, settle } from './lease.ts'
import type { Verdict } from './schedule.ts'

/** How one attempt ended. */
export interface Result {
  readonly claim: Claimed
  /** Of the attempt: the claim's, or one more after a second try at once. */
  readonly number: number
  readonly outcome: Outcome
  readonly reason: ConnectionFailure | null
  readonly verdict: Verdict
  /** ISO 8601 by the database's clock; null where nothing was sent. */
  readonly sentAt: string
  readonly headers: Readonly<Record<string, string>>
  readonly statusCode: number | null
  readonly durationMs: number
  readonly responseBody: Buffer | null
  readonly responseTruncated: boolean
  /** On the monotonic clock (ms): the wait for the next attempt begins here. */
  readonly endedAt: number
}

/**
 * Writes what attempts came to: the log, the deliveries, and the fold of failures in a row, in one statement
 * for a whole batch.
 *
 * The attempt that delivers stays on the delivery, whose row is written anyway; the others have a table.
 *
 * A result counts for something only while its claim holds its lease; what comes later changes nothing anywhere.
 *
 * The fold takes the counted results of each endpoint in the order of completion. A success cuts them into
 * runs of failures; the first run goes on from the failures that already stand. The first run to reach ten
 * turns the endpoint off, and nothing after it matters; otherwise what remains is the last run. Only results
 * of the endpoint's current epoch take part, as its state tells it under lock: so what began before a turn of
 * the switch never counts after it. A success that follows a success writes nothing and locks nothing.
 *
 * States are locked in the order of their ids: two processes that fold the same endpoints must not wait for
 * each other in a circle.
 */
export const flushResults = statement(`
  with clock as materialized (select clock_now() as now),
  result as materialized (
    select *, counted and outcome = 'success' as delivers from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::boolean[],
      $8::float8[], $9::timestamptz[], $10::text[], $11::int[], $12::int[], $13::bytea[], $14::boolean[], $15::text[],
      $16::text[])
      with ordinality as r (delivery_id, created_at, claim_id, number, outcome, status, counted,
        due_in_ms, sent_at, signature, status_code, duration_ms, response_body, response_truncated, reason,
        organization_id, place)
  ),
  ${held('$17')},
  over as (delete from delivery_leases where claim_id = any($18::uuid[])),
  finished as (
    update deliveries d
       set status = r.status, attempt_count = d.attempt_count + r.counted::int, attempt_number = r.number,
           claim_count = 0, claim_id = null, status_before = null,
           sent_at = case when r.delivers then r.sent_at end, signature = case when r.delivers then r.signature end,
           status_code = case when r.delivers then r.status_code end,
           duration_ms = case when r.delivers then r.duration_ms end,
           response_body = case when r.delivers then r.response_body end,
           response_truncated = case when r.delivers then r.response_truncated end,
           due_at = (select now from clock) + r.due_in_ms * interval '1 millisecond'
      from result r join held h on h.claim_id = r.claim_id and h.organization_id = r.organization_id
     where d.id = r.delivery_id and d.created_at = r.created_at
       and d.claim_id = r.claim_id
    returning r.delivery_id, r.number, r.outcome, r.counted, r.sent_at, r.signature, r.status_code, r.duration_ms,
      r.response_body, r.response_truncated, r.reason, r.delivers, r.place, d.claimed_at, d.claim_address, ${QUEUED}
  ),
  again as (${queued('finished')}
  ),
  logged as (
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, address,
      outcome, counted, sent_at, signature, status_code, duration_ms, response_body, response_truncated, reason)
    select organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, claim_address,
           outcome, counted, sent_at, signature, status_code, duration_ms, response_body, response_truncated,
           reason
      from finished where not delivers
        on conflict do nothing
  ),
  counted as materialized (
    select endpoint_id, epoch, place, outcome <> 'success' as failed,
           count(*) filter (where outcome = 'success') over (partition by endpoint_id, epoch order by place) as run,
           case when outcome <> 'success' then jsonb_build_object('deliveryId', delivery_id, 'number', number,
             'outcome', outcome, 'statusCode', status_code, 'at', (select now from clock)) end as failure
      from finished where counted
  ),
  concerned as materialized (
    select endpoint_id, bool_or(failed) as failed from counted group by endpoint_id
  ),
  standing as materialized (
    select s.endpoint_id, s.epoch, s.last_failures
      from concerned c join webhook_endpoint_states s on s.endpoint_id = c.endpoint_id
     where (c.failed or s.failures > 0) and s.tripped_epoch is distinct from s.epoch
     order by s.endpoint_id
       for update of s
  ),
  runs as materialized (
    select c.endpoint_id, c.run,
           (case c.run when 0 then (array_agg(s.last_failures))[1] else '[]' end)
             || coalesce(jsonb_agg(c.failure order by c.place) filter (where c.failed), '[]') as failures
      from standing s join counted c on c.endpoint_id = s.endpoint_id and c.epoch = s.epoch
     group by c.endpoint_id, c.run
  ),
  folded as (
    select endpoint_id,
           (array_agg(failures order by run)
             filter (where jsonb_array_length(failures) >= ${FAILURES_AT_MOST}))[1] as fatal,
           (array_agg(failures order by run desc))[1] as last
      from runs group by endpoint_id
  ),
  stated as (
    update webhook_endpoint_states s
       set last_failures = jsonb_path_query_array(coalesce(f.fatal, f.last), '$[0 to ${FAILURES_AT_MOST - 1}]'),
           failures = least(${FAILURES_AT_MOST}, jsonb_array_length(coalesce(f.fatal, f.last))),
           tripped_epoch = case when f.fatal is null then s.tripped_epoch else s.epoch end
      from folded f
     where s.endpoint_id = f.endpoint_id
    returning s.endpoint_id, f.fatal is not null as tripped
  )
  select (select count(*) from finished)::int as written,
         (select array_agg(endpoint_id) from stated where tripped) as tripped,
         (extract(epoch from (select now from clock)) * 1000)::float8 as now`)

export interface Flushed {
  /** Results that still held their claim. */
  readonly written: number
  /** Endpoints that this batch turned off. */
  readonly tripped: string[]
  readonly now: number
}

/** @param results in the order of completion */
export async function flush(pool: pg.Pool, results: readonly Result[]): Promise<Flushed> {
  const { rows } = await pool.query(flushOf(results))
  settle(results.map(({ claim }) => claim))
  const { written, tripped, now } = rows[0]
  return { written, tripped: tripped ?? [], now }
}

/** The statement that writes them. */
export function flushOf(results: readonly Result[]): Query {
  const claims = results.map(({ claim }) => claim)
  return flushResults(...columnsOf(results).map(parameterOf), claimIdsOf(claims), endedClaims(claims))
}

function columnsOf(results: readonly Result[]): unknown[] {
  const now = performance.now()
  return [
    results.map(({ claim }) => claim.deliveryId),
    results.map(({ claim }) => claim.createdAt),
    results.map(({ claim }) => claim.claimId),
    results.map(({ number }) => number),
    results.map(({ outcome }) => outcome),
    results.map(({ verdict }) => verdict.status),
    results.map(({ verdict }) => verdict.counted),
    results.map(({ verdict: { waitMs }, endedAt }) =>
      waitMs === null ? null : waitMs - Math.floor(now - endedAt),
    ),
    results.map(({ sentAt }) => sentAt),
    results.map(({ headers }) => headers['webhook-signature']),
    results.map(({ statusCode }) => statusCode),
    results.map(({ durationMs }) => durationMs),
    results.map(({ responseBody }) => responseBody),
    results.map(({ responseTruncated }) => responseTruncated),
    results.map(({ reason }) => reason),
    results.map(({ claim }) => claim.organizationId),
  ]
}
