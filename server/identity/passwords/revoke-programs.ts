import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'
import { type AuditEvent, type AuditRow, insertEntry } from '../../journal/audit.ts'

/**
 * What else ends with an old password, for who fears that somebody had it: it may have let in an app or made a key,
 * and those live on without a session. Left to the person, since a key that they made may run in production.
 */
export const ALSO_ENDED = {
  endApps: z
    .boolean()
    .optional()
    .describe('Connected apps of the person end too, in all their organizations'),
  endKeys: z
    .boolean()
    .optional()
    .describe('API keys that they created are revoked, in all their organizations'),
}

interface Program {
  readonly type: 'api_key' | 'connected_app'
  readonly organizationId: string
  /** The id that the person has there. */
  readonly userId: string
  readonly id: string
  readonly title: string
  readonly time: string
}

/**
 * @param accountId of the person, in whichever organization
 * @param log the row of an entry in the audit log of one organization, where the person has this id
 */
export async function revokePrograms(
  tx: Transaction,
  accountId: string,
  { endApps = false, endKeys = false }: { endApps?: boolean | undefined; endKeys?: boolean | undefined },
  log: (member: Pick<Program, 'organizationId' | 'userId'>, event: AuditEvent) => AuditRow,
): Promise<void> {
  const apps = endApps ? await tx.readAsGate<Program>(revokeApps(accountId)) : []
  const keys = endKeys ? await tx.readAsGate<Program>(revokeKeys(accountId)) : []
  for (const { organizationId, userId, type, id, title, time } of [...apps, ...keys]) {
    const changes = { revokedAt: { from: null, to: time } }
    const event: AuditEvent = {
      time,
      action: `${type}.revoke`,
      subject: { type, id, title },
      changes,
      reason: REASON,
    }
    tx.writeAsGate(insertEntry(...log({ organizationId, userId }, event)))
  }
}

const REASON = 'with a new password'

const revokeApps = statement(`
  update connected_apps a set revoked_at = now.now, revoked_by = a.user_id
    from members m cross join (select clock_now() as now) now
   where m.account_id = $1 and a.organization_id = m.organization_id and a.user_id = m.user_id
     and a.revoked_at is null
  returning 'connected_app' as type, a.organization_id as "organizationId", a.user_id as "userId", a.id,
            a.client_name as title, a.revoked_at as time`)

const revokeKeys = statement(`
  update api_keys k set revoked_at = now.now, revoked_by = k.created_by
    from members m cross join (select clock_now() as now) now
   where m.account_id = $1 and k.organization_id = m.organization_id and k.created_by = m.user_id
     and k.revoked_at is null
  returning 'api_key' as type, k.organization_id as "organizationId", k.created_by as "userId", k.id, k.name as title,
            k.revoked_at as time`)
