import { type RawBuilder, sql } from 'kysely'
import { build } from '../../database/build.ts'
import { type Row, statement } from '../../database/connect.ts'
import type { TransactionContext } from '../../operation.ts'
import { page, readCursor } from '../../records/paging.ts'
import { recordNames } from '../../records/record-names.ts'
import { notFound } from '../../refusal.ts'
import {
  attemptOf,
  DELIVERY_COLUMNS,
  DELIVERY_TABLES,
  type DeliveryDetail,
  type DeliveryStatus,
  deliveryOf,
  deliveryRowOf,
  LOST_BY_HAND,
  subjectOf,
  WAITS_IN_VAIN,
} from '../delivery-record.ts'
import { ENDPOINT_TABLES } from '../endpoint-record.ts'

const ORDER = '-createdAt'

interface Filters {
  limit: number
  cursor?: string | undefined
  endpointId?: string[] | undefined
  status?: DeliveryStatus[] | undefined
  type?: string[] | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/**
 * The delivery log, newest first. A page is merged from as many rows of each endpoint, of which there are ten at
 * most: so one index serves with and without that filter, and what a deleted endpoint left is never walked over.
 */
export async function listDeliveries(context: TransactionContext, input: Filters) {
  const { tx } = context
  const place = readCursor(input.cursor, ORDER)
  const { endpointId, status, type, createdAfter, createdBefore } = input
  const of: RawBuilder<unknown>[] = [sql`e.organization_id = ${tx.organizationId}`, sql`e.deleted_at is null`]
  if (endpointId) of.push(among(sql`e.id`, endpointId))
  const filters = (createdAt: string, id: string): RawBuilder<unknown>[] => {
    const [at, of] = [sql.raw(createdAt), sql.raw(id)]
    return [
      sql`d.organization_id = ${tx.organizationId}`,
      sql`d.endpoint_id = e.id`,
      ...(type ? [among(sql`d.type`, type)] : []),
      ...(status ? [hasStatus(status)] : []),
      ...(createdAfter ? [sql`${at} >= ${createdAfter}::timestamptz`] : []),
      ...(createdBefore ? [sql`${at} < ${createdBefore}::timestamptz`] : []),
      ...(place ? [sql`(${at}, ${of}) < (${place.value}::timestamptz, ${place.id})`] : []),
    ]
  }
  const newest = sql`order by d.created_at desc, d.id desc limit ${input.limit + 1}`
  const rowsOf = ({ from, where, createdAt, id }: Source) => sql`
    (select ${sql.raw(DELIVERY_COLUMNS)}, ${sql.raw(ROW_COLUMNS)} from ${from}
      where ${sql.join([...(where ? [where] : []), ...filters(createdAt, id)], sql` and `)}
      order by ${sql.raw(createdAt)} desc, ${sql.raw(id)} desc limit ${input.limit + 1})`
  const found = sourcesOf(status).map(rowsOf)
  if (isNotSentApart(status))
    found.push(sql`(select d.* from ${OVER} cross join lateral
      (${sql.join([rowsOf(inVain(false)), rowsOf(inVain(true))], sql` union all `)}) d)`)
  tx.write(readInOrder())
  const rows = await tx.read(
    build(sql`with page as materialized (
        select d.* from ${sql.raw(ENDPOINT_TABLES)}
          cross join lateral (${sql.join(found, sql` union all `)}) d
          where ${sql.join(of, sql` and `)} ${newest}
      )
      ${sql.raw(WITH_SUBJECT_AND_LAST)} ${newest}`),
  )
  const names = await recordNames(
    context,
    rows.map(subjectOf).filter((subject) => subject !== null),
  )
  return page(rows, input.limit, ORDER, (row) => deliveryRowOf(row, names), placeOf)
}

/**
 * Rows of one endpoint in the order of the log, and the columns that an index has in that order. What is not told by
 * the index is looked at row by row, so every source is narrow: however many wait in vain, a page reads its own rows.
 */
interface Source {
  readonly from: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
  readonly createdAt: string
  readonly id: string
}

const LOG: Source = { from: sql`deliveries d`, createdAt: 'd.created_at', id: 'd.id' }

/** Rows of the log by those of another table, which name them: looked up one by one, and no more of them than needed. */
const named = (
  table: RawBuilder<unknown>,
  by: string,
): RawBuilder<unknown> => sql`${table} cross join lateral (
  select * from deliveries
   where organization_id = ${sql.raw(by)}.organization_id and id = ${sql.raw(by)}.delivery_id
     and created_at = ${sql.raw(by)}.created_at limit 1) d`

const QUEUE = named(sql`delivery_queue q`, 'q')
const IN_QUEUE = { createdAt: 'q.created_at', id: 'q.delivery_id' }
const OF_ENDPOINT = sql`q.organization_id = e.organization_id and q.endpoint_id = e.id`

/** What will be sent. */
const waiting = (isRetry: boolean): Source => ({
  from: QUEUE,
  where: sql`${OF_ENDPOINT} and q.epoch = e.epoch and q.is_retry = ${sql.lit(isRetry)}
    and e.enabled and s.tripped_epoch is distinct from e.epoch and d.claim_id is null`,
  ...IN_QUEUE,
})

/** What will not, of one epoch. */
const inVain = (isRetry: boolean): Source => ({
  from: QUEUE,
  where: sql`${OF_ENDPOINT} and q.epoch = over.epoch and q.is_retry = ${sql.lit(isRetry)} and d.claim_id is null`,
  ...IN_QUEUE,
})

/** Epochs of an endpoint that are over, from the first of which something waits yet. */
const OVER = sql`generate_series(
  (select min(q.epoch) from delivery_queue q where ${OF_ENDPOINT}),
  case when e.enabled and s.tripped_epoch is distinct from e.epoch then e.epoch - 1 else e.epoch end) as over (epoch)`

const UNDER_WAY: Source = {
  from: named(
    sql`(select organization_id, claim_id, unnest(delivery_ids) as delivery_id, unnest(created_ats) as created_at
           from delivery_leases) l`,
    'l',
  ),
  // The lease stays until the last of its deliveries has ended.
  where: sql`l.organization_id = e.organization_id and d.claim_id = l.claim_id`,
  createdAt: 'd.created_at',
  id: 'd.id',
}

/**
 * Where deliveries of these statuses are. Few are found where they are kept apart: walking the log for the one that
 * failed, or for the none that wait, would read all of it.
 */
function sourcesOf(wanted: readonly DeliveryStatus[] | undefined): readonly Source[] {
  if (!wanted || wanted.includes('delivered')) return [LOG]
  return [
    ...(wanted.includes('pending') ? [waiting(false)] : []),
    ...(wanted.includes('waiting_for_retry') ? [waiting(true)] : []),
    UNDER_WAY,
    ...wanted
      .filter((status) => status === 'failed' || status === 'not_sent')
      .map((status) => ({ ...LOG, where: sql`d.unsuccessful = ${status}` })),
  ]
}

/** Those that wait in vain are asked for, and found in the queue. */
const isNotSentApart = (wanted: readonly DeliveryStatus[] | undefined): boolean =>
  wanted?.includes('not_sent') === true && !wanted.includes('delivered')

/**
 * Before a page is asked for: an index that has its order is read, however few rows the planner takes an endpoint to
 * have. It cannot know that an endpoint has but one organization, so it takes them to be a handful and sorts them.
 */
const readInOrder = statement("select set_config('enable_sort', 'off', true)")

const ROW_COLUMNS = 'd.organization_id, d.purpose, d.claim_id, d.claimed_at'

/** Looked up for the rows of one page only. The attempt under way stands on its delivery. */
const WITH_SUBJECT_AND_LAST = `
  select d.*, g.subject_type, g.subject_id,
         case when d.claim_id is null then coalesce(a.sent_at, a.claimed_at) else d.claimed_at end as last_at,
         case when d.claim_id is null then a.outcome end as last_outcome,
         case when d.claim_id is null then a.status_code end as last_status_code,
         case when d.claim_id is null then a.duration_ms end as last_duration_ms
    from page d
    left join lateral (
      select subject_type, subject_id from signals
       where organization_id = d.organization_id and id = d.signal_id and created_at = d.created_at limit 1
    ) g on true
    left join lateral (
      select sent_at, claimed_at, outcome, status_code, duration_ms from ended_attempts
       where organization_id = d.organization_id and delivery_id = d.id and created_at = d.created_at
       order by number desc limit 1
    ) a on true`

const placeOf = (row: Row) => ({ value: row.created_at as string, id: row.id as string })

const among = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

/** The status as readers see it, said so that the index on the stored one still serves. */
function hasStatus(wanted: readonly DeliveryStatus[]): RawBuilder<unknown> {
  const stored = wanted.filter((status) => status !== 'not_sent')
  const [inVain, lost] = [sql.raw(WAITS_IN_VAIN), sql.raw(LOST_BY_HAND)]
  const parts: RawBuilder<unknown>[] = [sql`(${among(sql`d.status_before`, wanted)} and ${lost})`]
  if (stored.length > 0) parts.push(sql`(${among(sql`d.status`, stored)} and not ${inVain} and not ${lost})`)
  if (wanted.includes('not_sent')) parts.push(sql`d.status = 'not_sent'`, inVain)
  return sql`(${sql.join(parts, sql` or `)})`
}

const find = statement(`
  select ${DELIVERY_COLUMNS}, e.address as endpoint_address, coalesce(d.body, g.body) as body
    from ${DELIVERY_TABLES}
    left join signals g on g.organization_id = d.organization_id and g.id = d.signal_id and g.created_at = d.created_at
   where d.organization_id = $1 and d.id = $2`)

const OF_ATTEMPTS = `number, claimed_at, sent_at, outcome, reason, counted, address, headers, signature, status_code,
    duration_ms, response_body, response_truncated`

/** Those that ended, and the one that is under way: it stands on the delivery. */
const findAttempts = statement(`
  select ${OF_ATTEMPTS} from ended_attempts where organization_id = $1 and delivery_id = $2
  union all
  select attempt_number, claimed_at, null, null, null, false, claim_address, null, null, null, null, null, false
    from deliveries where organization_id = $1 and id = $2 and claim_id is not null
   order by number desc`)

/** @throws {Refusal} `not_found`, also for a delivery of an endpoint that was deleted */
export async function getDelivery({ tx }: TransactionContext, deliveryId: string): Promise<DeliveryDetail> {
  const [[row], logged] = await Promise.all([
    tx.read(find(tx.organizationId, deliveryId)),
    tx.read(findAttempts(tx.organizationId, deliveryId)),
  ])
  if (!row) throw notFound()
  const body = row.body as string
  const attempts = logged.map((attempt) => attemptOf(attempt, { id: deliveryId, body }))
  const last = attempts.find((attempt) => attempt.headers !== null)
  return {
    ...deliveryOf(row),
    request: {
      method: 'POST',
      address: last?.address ?? (row.endpoint_address as string),
      headers: last?.headers ?? {},
      body,
    },
    attempts,
  }
}
