import { z } from 'zod'
import { ROLE_SCOPES, type Role, type Scope } from '../../model/scopes.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { SCOPE_NAMES } from '../organization/api-key-record.ts'
import { notFound } from '../refusal.ts'

export const APP_STATES = ['active', 'revoked', 'expired'] as const
const scopes = z.array(z.enum(SCOPE_NAMES))

/** A connected app as its row shows it: who let which program in, for what, and what is left of that. */
export const connectedApp = z
  .object({
    id: z.string(),
    name: z.string().describe('As the program calls itself; nobody has checked it'),
    uri: z.string().nullable(),
    clientId: z.string(),
    redirectHost: z.string().describe('Where its person was sent back to: who got the access'),
    registration: z.enum(['dynamic', 'metadata', 'preregistered']),
    scopes,
    effectiveScopes: scopes.describe('What the role of that person leaves of the scopes just now'),
    state: z.enum(APP_STATES),
    approvedBy: z.object({ id: z.string(), displayName: z.string(), active: z.boolean() }),
    createdAt: z.string(),
    approvedAt: z.string().describe('When the person last agreed to what stands here'),
    expiresAt: z.string().describe('When it has to be approved anew'),
    lastUsedAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  })
  .meta({ id: 'ConnectedApp', title: 'Connected app' })

export type AppRow = Row & {
  id: string
  createdAt: string
  scopes: Scope[]
  state: (typeof APP_STATES)[number]
  personId: string
  personName: string
  personActive: boolean
  personRole: Role
}

export function appOf({
  personId,
  personName,
  personActive,
  personRole,
  ...row
}: AppRow): z.input<typeof connectedApp> {
  const isLive = personActive && row.state === 'active'
  return {
    ...row,
    approvedBy: { id: personId, displayName: personName, active: personActive },
    effectiveScopes: isLive ? row.scopes.filter((scope) => ROLE_SCOPES[personRole].has(scope)) : [],
  } as z.input<typeof connectedApp>
}

/** @throws {Refusal} `not_found` */
export async function readApp(tx: Transaction, id: string): Promise<z.input<typeof connectedApp>> {
  const [row] = await tx.read<AppRow>(select(tx.organizationId, id))
  if (!row) throw notFound()
  return appOf(row)
}

/**
 * Ends a live app, and with it all its tokens, on the next call of every process: whoever reads a token looks at
 * the row of its app. One that is being issued at this moment is dead when it arrives.
 * @returns null where it had ended already
 */
export async function endApp(
  tx: Transaction,
  id: string,
  by: string,
): Promise<{ now: string; name: string } | null> {
  const [ended] = await tx.read<{ now: string; name: string }>(revoke(tx.organizationId, id, by))
  return ended ?? null
}

export const APP_STATE = `case when a.revoked_at is not null then 'revoked'
  when a.expires_at <= clock_now() then 'expired' else 'active' end`

export const SELECT_APPS = `
  select a.id, a.client_name as name, a.client_uri as uri, a.client_id as "clientId",
         a.redirect_host as "redirectHost", a.registration, a.scopes, ${APP_STATE} as state,
         a.created_at as "createdAt", a.approved_at as "approvedAt", a.expires_at as "expiresAt",
         s.last_used_at as "lastUsedAt", a.revoked_at as "revokedAt", m.user_id as "personId",
         m.name as "personName", m.role as "personRole",
         m.status = 'active' and u.disabled_at is null as "personActive"
    from connected_apps a
    join connected_app_usage s on s.organization_id = a.organization_id and s.app_id = a.id
    join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
    join users u on u.id = m.account_id`

const select = statement(`${SELECT_APPS} where a.organization_id = $1 and a.id = $2`)

const revoke = statement(`
  update connected_apps a set revoked_at = now.now, revoked_by = $3
    from (select clock_now() as now) now
   where a.organization_id = $1 and a.id = $2 and a.revoked_at is null
  returning a.revoked_at as now, a.client_name as name`)
