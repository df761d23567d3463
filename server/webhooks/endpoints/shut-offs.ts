import { z } from 'zod'
import { type Row, statement } from '../../database/connect.ts'
import type { TransactionContext } from '../../operation.ts'
import { notFound } from '../../refusal.ts'
import { outcomes } from '../outcomes.ts'
import { shutOffIsKnown } from '../shut-off-notices.ts'

/**
 * Endpoints that failures turned off, as each admin is reminded of them: until they have looked at one, or it is
 * on again. What is off by its state and not yet by its row (dispatcher/turn-off.ts) follows within a moment.
 */

const instant = z.string().meta({ format: 'date-time' })

export const shutOffPage = z.object({
  data: z.array(
    z
      .object({
        endpointId: z.string(),
        address: z.string(),
        description: z.string().nullable(),
        disabledAt: instant,
        failures: z
          .array(z.object({ at: instant, statusCode: z.int().nullable(), meaning: z.string() }))
          .describe('The failed attempts in a row that turned it off, oldest first'),
        likelyCause: z.string().nullable().describe('Of the last of them'),
      })
      .meta({ id: 'WebhookShutOff', title: 'Webhook endpoint that failures turned off' }),
  ),
})

const unseen = statement(`
  select e.id, e.address, e.description, e.disabled_at, e.tripped_by
    from webhook_endpoints e
    left join webhook_shut_off_views v
      on v.organization_id = e.organization_id and v.endpoint_id = e.id and v.user_id = $2
   where e.organization_id = $1 and e.deleted_at is null and not e.enabled and e.disabled_reason = 'failures'
     and (v.disabled_at is null or v.disabled_at < e.disabled_at)
   order by e.disabled_at desc, e.id`)

/** Those that the caller has not looked at, the latest first. */
export async function listUnseenShutOffs({
  tx,
  caller,
}: TransactionContext): Promise<z.input<typeof shutOffPage>> {
  const rows = await tx.read(unseen(tx.organizationId, caller.userId))
  return { data: rows.map(shutOffOf) }
}

interface Failure {
  readonly at: string
  readonly outcome: keyof typeof outcomes
  readonly statusCode: number | null
}

function shutOffOf({ id, address, description, disabled_at, tripped_by }: Row) {
  const failures = (tripped_by ?? []) as Failure[]
  const last = failures.at(-1)
  return {
    endpointId: id as string,
    address: address as string,
    description: description as string | null,
    disabledAt: disabled_at as string,
    failures: failures.map(({ at, outcome, statusCode }) => ({
      at: new Date(at).toISOString(),
      statusCode,
      meaning: outcomes[outcome].meaning,
    })),
    likelyCause: last ? outcomes[last.outcome].likelyCause : null,
  }
}

const see = statement(`
  insert into webhook_shut_off_views (organization_id, user_id, endpoint_id, disabled_at)
  select organization_id, $2, id, disabled_at from webhook_endpoints
   where organization_id = $1 and id = $3 and deleted_at is null and disabled_at is not null
      on conflict (organization_id, user_id, endpoint_id) do update set disabled_at = excluded.disabled_at`)

const find = statement(
  'select id from webhook_endpoints where organization_id = $1 and id = $2 and deleted_at is null',
)

/** @throws {Refusal} `not_found` */
export async function acknowledgeShutOff({ tx, caller }: TransactionContext, { id }: { id: string }) {
  const [endpoint] = await tx.read(find(tx.organizationId, id))
  if (!endpoint) throw notFound()
  tx.write(see(tx.organizationId, caller.userId, id))
  shutOffIsKnown(tx, id, caller.userId)
  return null
}
