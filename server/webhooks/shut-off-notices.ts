import { serviceCaller } from '../caller/service.ts'
import type { Task } from '../clock/clock.ts'
import { tryPart } from '../clock/losses.ts'
import { statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { ADMINS, answerAt, type NewNotice, tell } from '../journal/tell.ts'
import type { Parts } from '../operation.ts'
import { outcomes } from './outcomes.ts'

/*
 * Tells the admins which of their webhook endpoints were turned off by failures.
 *
 * That they are to be told stands on the endpoint, written with the turn-off itself; so they are told also where the
 * process ends before, and once, since what tells them takes it off again.
 */

export async function tellOfShutOffs(parts: Parts): Promise<void> {
  const { database } = parts
  const { rows } = await database.engine.query<{ organizationId: string }>(findDue())
  for (const { organizationId } of rows)
    await tryPart(parts, 'notices of webhook endpoints that went off', organizationId, () =>
      transaction(database.tenant, organizationId, async (tx) => {
        const off = await tx.read<Off>(take(organizationId))
        tell(tx, serviceCaller(organizationId, WEBHOOKS), off.map(noticeOf))
      }),
    )
}

/** What time alone does for webhook endpoints. */
export const webhookTasks: readonly Task[] = [
  { name: 'notices of webhook endpoints that went off', everyMinutes: 1, runApart: tellOfShutOffs },
]

/** Who has looked at an endpoint that went off, or turned it on again, need not be told of it any more. */
export const shutOffIsKnown = (tx: Transaction, endpointId: string, userId: string | null): void =>
  answerAt(tx, pageOf(endpointId), userId)

const WEBHOOKS = { id: 'webhooks', displayName: 'Webhook deliveries' }

interface Off {
  readonly id: string
  readonly address: string
  readonly trippedBy: { readonly outcome: keyof typeof outcomes }[] | null
}

function noticeOf({ id, address, trippedBy }: Off): NewNotice {
  const { origin, pathname } = new URL(address)
  const last = trippedBy?.at(-1)
  return {
    kind: 'endpoint_off',
    who: ADMINS,
    facts: {
      // What stands behind the path is a secret, mostly.
      address: `${origin}${pathname}`,
      ...(last ? { why: outcomes[last.outcome].meaning } : {}),
      page: pageOf(id),
    },
  }
}

const pageOf = (endpointId: string) => `/settings/webhooks/${endpointId}`

const findDue = statement(`
  select distinct organization_id as "organizationId" from webhook_endpoints
   where shut_off_notice_due_at <= clock_now()`)

/** Of which one has been turned on again meanwhile nobody is told. */
const take = statement(`
  with due as (
    update webhook_endpoints set shut_off_notice_due_at = null
     where organization_id = $1 and shut_off_notice_due_at <= clock_now() returning *)
  select id, address, tripped_by as "trippedBy" from due
   where not enabled and disabled_reason = 'failures' and deleted_at is null order by id`)
