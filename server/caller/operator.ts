import { randomUUID } from 'node:crypto'
import type { LimitedView } from '../../model/limited-view.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import { type Database, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'
import type { RequestContext } from './request-context.ts'

/**
 * A person at the command line of the service, with the rights their role has now: the caller that a
 * session of theirs would make.
 * @throws {Refusal} `credential_invalid` unless the e-mail is of an active user of the organization
 */
export async function sessionOf(database: Database, organizationId: string, email: string): Promise<Caller> {
  const { rows } = await database.gate.query(member(organizationId, email))
  const row = rows[0] as MemberRow | undefined
  if (!row)
    throw new Refusal(
      'credential_invalid',
      `${email} is no user of this organization: \`user add\` makes them one.`,
    )
  if (!row.active)
    throw new Refusal(
      'credential_invalid',
      `${email} is not active in this organization: they have yet to accept their invitation, or an admin has to enable them again.`,
    )
  return {
    organizationId,
    features: row.features,
    userId: row.user_id,
    accountId: row.account_id,
    role: row.role,
    limitedView: row.limited_view,
    credential: { type: 'session', id: newId('ses'), name: row.name },
    granted: ROLE_SCOPES[row.role],
    channel: 'cli',
    requestId: randomUUID(),
  }
}

/**
 * Whoever may run the command line on this machine, where a command names nobody. It may do what an admin
 * may, since it holds the database anyway; the audit log says that it was no user of the organization.
 */
export function operator(organizationId: string, features: Caller['features'] = {}): Caller {
  return { ...nobodyYet(organizationId, features), channel: 'cli' }
}

/** Whoever has the link of the first start, until the organization that they make has them as its admin. */
export function holderOfSetUpLink(
  organizationId: string,
  { devices: _devices, ...requestContext }: RequestContext,
): Caller {
  const credential = { type: 'operator', id: 'set_up', name: 'Set-up link' } as const
  return { ...nobodyYet(organizationId), ...requestContext, credential }
}

function nobodyYet(organizationId: string, features: Caller['features'] = {}): Omit<Caller, 'channel'> {
  return {
    organizationId,
    features,
    userId: 'operator',
    accountId: 'operator',
    role: 'admin',
    limitedView: null,
    credential: { type: 'operator', id: 'operator', name: 'Command line' },
    granted: ROLE_SCOPES.admin,
    requestId: randomUUID(),
  }
}

interface MemberRow {
  user_id: string
  account_id: string
  name: string
  role: Role
  limited_view: LimitedView | null
  active: boolean
  features: Record<string, boolean>
}

const member = statement(`
  select m.user_id, m.account_id, m.name, m.role, m.limited_view, o.features,
         m.status = 'active' and u.disabled_at is null and o.status = 'active' as active
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and lower(u.email) = lower($2) and m.status <> 'removed'`)
