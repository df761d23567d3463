import { z } from 'zod'
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from '../../model/scopes.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { unknownName } from '../input.ts'
import { beginningOf, notFound } from '../refusal.ts'

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]
export const STATES = ['active', 'revoked', 'expired'] as const
export const scopeName = z.enum(SCOPE_NAMES, { error: ({ input }) => unknownScope(input) })

/** A key as its row in the settings shows it: never the secret, always what is left of its rights. */
export const KEY_FIELDS = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first 16 characters of the secret'),
  scopes: z.array(scopeName),
  state: z.enum(STATES),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z
    .object({ id: z.string(), displayName: z.string(), active: z.boolean() })
    .describe('The person it acts as; while they are not active it does not validate'),
  effectiveScopes: z.array(scopeName).describe('What the role of that person leaves of the scopes just now'),
  revokedAt: z.string().nullable(),
}

export const apiKey = z.object(KEY_FIELDS).meta({ id: 'ApiKey', title: 'API key' })

function unknownScope(input: unknown): string {
  return typeof input === 'string'
    ? unknownName(input, SCOPE_NAMES).replace('no such field', `${beginningOf(input)} is no scope`)
    : 'is not the name of a scope: give one such as read:risks'
}

export type KeyRow = Row & {
  id: string
  createdAt: string
  scopes: Scope[]
  creatorId: string
  creatorName: string
  creatorActive: boolean
  creatorRole: Role
}

/** @throws {Refusal} `not_found` */
export async function readApiKey(tx: Transaction, id: string): Promise<z.input<typeof apiKey>> {
  const [row] = await tx.read(select(tx.organizationId, id))
  if (!row) throw notFound()
  return apiKeyOf(row as KeyRow)
}

export function apiKeyOf({
  creatorId,
  creatorName,
  creatorActive,
  creatorRole,
  ...row
}: KeyRow): z.input<typeof apiKey> {
  const validates = creatorActive && row.state === 'active'
  return {
    ...row,
    createdBy: { id: creatorId, displayName: creatorName, active: creatorActive },
    effectiveScopes: validates ? row.scopes.filter((scope) => ROLE_SCOPES[creatorRole].has(scope)) : [],
  } as z.input<typeof apiKey>
}

export const STATE = `case when k.revoked_at is not null then 'revoked'
  when k.expires_at <= clock_now() then 'expired' else 'active' end`

export const SELECT = `
  select k.id, k.name, k.prefix, k.scopes, ${STATE} as state, k.expires_at as "expiresAt",
         s.last_used_at as "lastUsedAt", k.created_at as "createdAt", k.revoked_at as "revokedAt",
         m.user_id as "creatorId", m.name as "creatorName", m.role as "creatorRole",
         m.status = 'active' and u.disabled_at is null as "creatorActive"
    from api_keys k
    join api_key_usage s on s.organization_id = k.organization_id and s.key_id = k.id
    join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
    join users u on u.id = m.account_id`

const select = statement(`${SELECT} where k.organization_id = $1 and k.id = $2`)
