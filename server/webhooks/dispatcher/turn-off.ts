import type pg from 'pg'
import { type Query, statement } from '../../database/connect.ts'
import { AUDIT_COLUMNS, entryOfService } from '../../journal/audit.ts'

/**
 * Writes down that ten failures in a row have turned an endpoint off. Claims and readers know it already, by
 * its state; this makes the configuration say so, keeps the ten, tells the audit log, and makes it due that the
 * admins are told (webhooks/shut-off-notices.ts), once.
 *
 * Parameters: endpoint, then the audit entry.
 */
export const turnOff = statement(`
  with turned as (
    update webhook_endpoints e
       set enabled = false, disabled_reason = 'failures', disabled_at = $4::timestamptz, updated_at = $4::timestamptz,
           shut_off_notice_due_at = $4::timestamptz,
           tripped_by = s.last_failures, version = e.version + 1
      from webhook_endpoint_states s
     where e.id = $1 and s.endpoint_id = e.id and e.enabled and s.tripped_epoch = e.epoch and e.deleted_at is null
    returning e.id
  )
  insert into audit_entries (${AUDIT_COLUMNS.join(', ')})
  select ${AUDIT_COLUMNS.map((_, index) => `$${index + 2}`).join(', ')}
   where exists (select from turned)`)

const find = statement(`
  select e.organization_id, e.address, clock_now() as now from webhook_endpoints e
    join webhook_endpoint_states s on s.endpoint_id = e.id
   where e.id = $1 and e.enabled and s.tripped_epoch = e.epoch and e.deleted_at is null`)

/** Endpoints whose last process ended between the two steps; asked at the start. */
export const findUnturned = statement(`
  select s.endpoint_id from webhook_endpoint_states s join webhook_endpoints e on e.id = s.endpoint_id
   where s.tripped_epoch = e.epoch and e.enabled and e.deleted_at is null`)

/** @returns whose it is, where this call turned it off; null where that was done before */
export async function turnOffTripped(
  pool: pg.Pool,
  endpointId: string,
): Promise<{ organizationId: string; address: string } | null> {
  const [row] = (await pool.query(find(endpointId))).rows
  if (!row) return null
  const { organization_id: organizationId, address, now } = row
  const done: Query = turnOff(
    endpointId,
    ...entryOfService(
      organizationId,
      { id: 'webhooks', displayName: 'Webhook deliveries' },
      {
        time: now,
        action: 'webhook_endpoint.update',
        subject: { type: 'webhook_endpoint', id: endpointId, title: address },
        changes: { enabled: { from: true, to: false }, disabledReason: { from: null, to: 'failures' } },
        reason: 'ten failed attempts in a row',
      },
    ),
  )
  return (await pool.query(done)).rowCount === 1 ? { organizationId, address } : null
}
