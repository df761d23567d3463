import { type RawBuilder, sql } from 'kysely'
import { build } from '../database/build.ts'
import { type Row, statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { page, readCursor } from '../records/paging.ts'
import { notFound } from '../refusal.ts'
import {
  attemptOf,
  DELIVERY_COLUMNS,
  DELIVERY_TABLES,
  type DeliveryDetail,
  type DeliveryStatus,
  deliveryOf,
  WAITS_IN_VAIN,
} from './delivery-record.ts'

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

/** The delivery log, newest first. */
export async function listDeliveries({ tx }: TransactionContext, input: Filters) {
  const place = readCursor(input.cursor, ORDER)
  const { endpointId, status, type, createdAfter, createdBefore } = input
  const conditions: RawBuilder<unknown>[] = [sql`d.organization_id = ${tx.organizationId}`]
  // One value is compared with `=`: then its index gives the order as well.
  if (endpointId) conditions.push(among(sql`d.endpoint_id`, endpointId))
  if (type) conditions.push(among(sql`d.type`, type))
  if (status) conditions.push(hasStatus(status))
  if (createdAfter) conditions.push(sql`d.created_at >= ${createdAfter}::timestamptz`)
  if (createdBefore) conditions.push(sql`d.created_at < ${createdBefore}::timestamptz`)
  if (place) conditions.push(sql`(d.created_at, d.id) < (${place.value}::timestamptz, ${place.id})`)
  const rows = await tx.read(
    build(sql`select ${sql.raw(DELIVERY_COLUMNS)} from ${sql.raw(DELIVERY_TABLES)}
      where ${sql.join(conditions, sql` and `)} order by d.created_at desc, d.id desc limit ${input.limit + 1}`),
  )
  return page(rows, input.limit, ORDER, deliveryOf, placeOf)
}

const placeOf = (row: Row) => ({ value: row.created_at as string, id: row.id as string })

const among = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

/** The status as readers see it, said so that the index on the stored one still serves. */
function hasStatus(wanted: readonly DeliveryStatus[]): RawBuilder<unknown> {
  const stored = wanted.filter((status) => status !== 'not_sent')
  const inVain = sql.raw(WAITS_IN_VAIN)
  const parts: RawBuilder<unknown>[] = []
  if (stored.length > 0) parts.push(sql`(${among(sql`d.status`, stored)} and not ${inVain})`)
  if (wanted.includes('not_sent')) parts.push(sql`d.status = 'not_sent'`, inVain)
  return sql`(${sql.join(parts, sql` or `)})`
}

const find = statement(`
  select ${DELIVERY_COLUMNS}, e.address as endpoint_address, coalesce(d.body, g.body) as body
    from ${DELIVERY_TABLES}
    left join signals g on g.organization_id = d.organization_id and g.id = d.signal_id and g.created_at = d.created_at
   where d.organization_id = $1 and d.id = $2`)

const findAttempts = statement(`
  select a.* from attempts a where a.organization_id = $1 and a.delivery_id = $2 order by a.number desc`)

/** @throws {Refusal} `not_found`, also for a delivery of an endpoint that was deleted */
export async function getDelivery({ tx }: TransactionContext, deliveryId: string): Promise<DeliveryDetail> {
  const [[row], logged] = await Promise.all([
    tx.read(find(tx.organizationId, deliveryId)),
    tx.read(findAttempts(tx.organizationId, deliveryId)),
  ])
  if (!row) throw notFound()
  const attempts = logged.map(attemptOf)
  const last = attempts.find((attempt) => attempt.headers !== null)
  return {
    ...deliveryOf(row),
    request: {
      method: 'POST',
      address: last?.address ?? (row.endpoint_address as string),
      headers: last?.headers ?? {},
      body: row.body as string,
    },
    attempts,
  }
}
