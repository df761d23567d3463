import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import { type AuditEvent, entryOfService, insertEntry } from '../journal/audit.ts'
import type { Parts } from '../operation.ts'
import { endApp } from './connected-app-record.ts'

/** Ends a connected app with nobody asking for it, for good before this returns; the audit log says why. */
export async function endGrant({ database, log }: Parts, id: string, reason: string): Promise<void> {
  const { rows } = await database.gate.query(owner(id))
  const organizationId: string | undefined = rows[0]?.organization_id
  if (organizationId === undefined) return
  await transaction(database.tenant, organizationId, async (tx) => {
    const ended = await endApp(tx, id, SERVER.id)
    if (!ended) return
    const { now: time, name: title } = ended
    const subject = { type: 'connected_app', id, title }
    const changes = { revokedAt: { from: null, to: time } }
    const event: AuditEvent = { time, action: 'connected_app.revoke', subject, changes, reason }
    tx.write(insertEntry(...entryOfService(organizationId, SERVER, event)))
  })
  log.info({ app: id, organizationId, reason }, 'a connected app was ended')
}

const SERVER = { id: 'oauth', displayName: 'OAuth server' }

const owner = statement('select organization_id from connected_apps where id = $1')
