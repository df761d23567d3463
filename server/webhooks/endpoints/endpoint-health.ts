import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import type { TransactionContext } from '../../operation.ts'
import { timestamp } from '../../output.ts'
import { getEndpoint } from '../endpoint-record.ts'
import { type Outcome, outcomes } from '../outcomes.ts'

/**
 * How an endpoint does: its last day by the hour, and the failures in a row that count towards its end, or
 * have made it.
 *
 * All of the day is counted, by the database: through the index of the log to the deliveries of the endpoint, and
 * from each to its attempts.
 */
const HOURS = 24

export const endpointHealth = z
  .object({
    hours: z
      .array(
        z.object({
          start: timestamp,
          deliveries: z.int().describe('Made in this hour'),
          delivered: z.int().describe('Of those, taken by the receiver'),
          attempts: z.int().describe('Their attempts that had an end'),
          succeeded: z.int(),
          outcomes: z.record(z.string(), z.int()).describe('Attempts by how they ended'),
          medianMs: z.int().nullable().describe('Of the attempts that had an answer'),
          slowMs: z.int().nullable().describe('95 of 100 were faster'),
        }),
      )
      .describe('The last 24 hours, oldest first'),
    successRate: z.number().nullable().describe('Succeeded attempts of all, from 0 to 1'),
    failures: z
      .array(
        z.object({
          deliveryId: z.string(),
          number: z.int(),
          at: timestamp,
          outcome: z.enum(Object.keys(outcomes) as [Outcome, ...Outcome[]]),
          statusCode: z.int().nullable(),
          meaning: z.string(),
          likelyCause: z.string(),
        }),
      )
      .describe('The failed attempts in a row up to now; of one that went off for them, the ten that did it'),
  })
  .meta({ id: 'WebhookEndpointHealth', title: 'How a webhook endpoint does' })

/** @throws {Refusal} `not_found` */
export async function readHealth(
  context: TransactionContext,
  { id }: { id: string },
): Promise<z.input<typeof endpointHealth>> {
  const { tx } = context
  await getEndpoint(context, id)
  const [hours, [state]] = await Promise.all([
    tx.read<Hour>(lastDay(tx.organizationId, id)),
    tx.read<{ failures: Failure[] }>(failuresOf(tx.organizationId, id)),
  ])
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0)
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0)
  return {
    hours,
    successRate: attempts === 0 ? null : succeeded / attempts,
    failures: (state?.failures ?? []).map(toldInWords),
  }
}

function toldInWords({ deliveryId, number, at, outcome, statusCode }: Failure) {
  const { meaning, likelyCause } = outcomes[outcome]
  return { deliveryId, number, at: new Date(at).toISOString(), outcome, statusCode, meaning, likelyCause }
}

interface Hour {
  start: string
  deliveries: number
  delivered: number
  attempts: number
  succeeded: number
  outcomes: Record<string, number>
  medianMs: number | null
  slowMs: number | null
}

interface Failure {
  deliveryId: string
  number: number
  at: string
  outcome: Outcome
  statusCode: number | null
}

const lastDay = statement(`
  with h as (
    select date_trunc('hour', clock_now()) - n * interval '1 hour' as start from generate_series(0, ${HOURS - 1}) n
  ),
  made as materialized (
    select date_trunc('hour', d.created_at) as start, d.id, d.created_at, d.status from deliveries d
     where d.organization_id = $1 and d.endpoint_id = $2 and d.created_at >= (select min(start) from h)
  ),
  attempted as materialized (
    select m.start, a.outcome, a.duration_ms from made m
      join ended_attempts a on a.organization_id = $1 and a.delivery_id = m.id and a.created_at = m.created_at
  ),
  counted as (
    select start, outcome, count(*)::int as count from attempted group by start, outcome
  )
  select h.start, coalesce(d.deliveries, 0)::int as deliveries, coalesce(d.delivered, 0)::int as delivered,
         coalesce(a.attempts, 0)::int as attempts, coalesce(a.succeeded, 0)::int as succeeded,
         coalesce((select json_object_agg(c.outcome, c.count) from counted c where c.start = h.start), '{}') as outcomes,
         a.median as "medianMs", a.slow as "slowMs"
    from h
    left join (
      select start, count(*) as deliveries, count(*) filter (where status = 'delivered') as delivered
        from made group by start
    ) d on d.start = h.start
    left join (
      select start, count(*) as attempts, count(*) filter (where outcome = 'success') as succeeded,
             percentile_cont(0.5) within group (order by duration_ms)::int as median,
             percentile_cont(0.95) within group (order by duration_ms)::int as slow
        from attempted group by start
    ) a on a.start = h.start
   order by h.start`)

const failuresOf = statement(`
  select case when not e.enabled and e.disabled_reason = 'failures' then e.tripped_by
              else s.last_failures end as failures
    from webhook_endpoints e join webhook_endpoint_states s on s.endpoint_id = e.id
   where e.organization_id = $1 and e.id = $2`)
