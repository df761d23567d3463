import { sql } from 'kysely'
import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { holds } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { behind, type Order, orderBy, page, pageOf, readCursor } from './paging.ts'

/** The signals that left for a record, and what became of them at each endpoint. */
const recordSignal = z
  .object({
    id: z.string(),
    type: z.string(),
    time: timestamp,
    deliveries: z
      .array(
        z.object({
          id: z.string(),
          endpointId: z.string(),
          status: z.enum(['pending', 'waiting_for_retry', 'delivered', 'failed', 'not_sent']),
          attemptCount: z.int(),
        }),
      )
      .nullable()
      .describe('Null without the right to read webhooks'),
    endpointsOff: z
      .int()
      .nullable()
      .describe('How many endpoints that subscribe to its type were off; null as deliveries'),
  })
  .meta({ id: 'RecordSignal', title: 'A signal that left for a record' })

export const recordSignalPage = pageOf(recordSignal)

const ORDER: Order = { sort: '-time', column: sql.ref('s.time'), id: sql.ref('s.id'), descending: true }

/**
 * @returns a page of signals, newest first; of a record that is gone, too
 * @throws {Refusal} `not_found` where there is no such record, and none ever raised one
 */
export async function recordSignals(
  { tx, caller }: TransactionContext,
  kind: Kind,
  input: { id: string; limit: number; cursor?: string | undefined },
): Promise<z.input<typeof recordSignalPage>> {
  const place = readCursor(input.cursor, ORDER.sort)
  const conditions = [
    sql`s.organization_id = ${tx.organizationId}`,
    sql`s.subject_id = ${input.id}`,
    sql`s.subject_type = ${kind.name}`,
    ...(place ? [behind(ORDER, place)] : []),
  ]
  const rows = await tx.read(
    build(sql`select s.id, s.type, s.time from signals s
      where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${input.limit + 1}`),
  )
  if (rows.length === 0 && !place) await refuseUnknown(tx, kind, input.id)
  const shown = rows.slice(0, input.limit)
  const known = holds(caller, 'read:webhooks') && shown.length > 0
  const asked = [shown.map(({ id }) => id), shown.map(({ time }) => time)] as const
  const [deliveries, off] = known
    ? await Promise.all([
        tx.read<Delivery>(deliveriesOf(tx.organizationId, ...asked)),
        tx.read<{ signalId: string; endpoints: number }>(
          endpointsOff(
            tx.organizationId,
            ...asked,
            shown.map(({ type }) => type),
          ),
        ),
      ])
    : [null, null]
  const bySignal = deliveries && Map.groupBy(deliveries, ({ signalId }) => signalId)
  return page(
    rows,
    input.limit,
    ORDER.sort,
    ({ id, type, time }: Row) => ({
      id: id as string,
      type: type as string,
      time: time as string,
      deliveries: bySignal && (bySignal.get(id as string) ?? []),
      endpointsOff: off && (off.find(({ signalId }) => signalId === id)?.endpoints ?? 0),
    }),
    (row) => ({ value: row.time as string, id: row.id as string }),
  )
}

async function refuseUnknown(tx: Transaction, kind: Kind, id: string): Promise<void> {
  const found = await tx.read(
    build(
      sql`select from ${sql.table(kind.table)} where organization_id = ${tx.organizationId} and id = ${id}`,
    ),
  )
  if (found.length === 0) throw notFound()
}

interface Delivery {
  signalId: string
  id: string
  endpointId: string
  status: 'pending'
  attemptCount: number
}

/** A delivery was made at its signal's time for an endpoint that is one of ten: so an index of the log finds it. */
const deliveriesOf = statement(`
  select d.signal_id as "signalId", d.id, d.endpoint_id as "endpointId", d.status, d.attempt_count as "attemptCount"
    from unnest($2::text[], $3::timestamptz[]) as s (id, time)
    join webhook_endpoints e on e.organization_id = $1 and e.deleted_at is null
    join deliveries d on d.organization_id = $1 and d.endpoint_id = e.id and d.created_at = s.time
     and d.signal_id = s.id
   order by d.id`)

/** Whether an endpoint was on is what its next change of that led on from, or else what it is. */
const endpointsOff = statement(`
  select s.id as "signalId", count(*)::int as endpoints
    from unnest($2::text[], $3::timestamptz[], $4::text[]) as s (id, time, type)
    join webhook_endpoints e on e.organization_id = $1 and e.deleted_at is null and e.created_at <= s.time
     and s.type = any(e.signal_types)
   where not coalesce((
     select (a.changes -> 'enabled' ->> 'from')::boolean from audit_entries a
      where a.organization_id = $1 and a.subject_id = e.id and a.outcome = 'success' and a.time > s.time
        and a.changes -> 'enabled' is not null
      order by a.time limit 1), e.enabled)
   group by s.id`)
