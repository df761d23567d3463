import { z } from 'zod'
import { LIMITED_VIEWS } from '../../model/limited-view.ts'
import { type Capability, ROLE_CAPABILITIES, SCOPES, type Scope } from '../../model/scopes.ts'
import { actingUserOf, holds, isCapable, isPerson } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, ownOf } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'

const scopes = z.array(z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]]))

/** How a client tests itself: what its credential is, where it reaches, and what it may do just now. */
export const getMe = operation({
  name: 'getMe',
  method: 'GET',
  path: '/v1/me',
  needs: ownOf({ anyOf: [] }),
  writes: false,
  title: 'Read what this credential is and may do',
  input: z.strictObject({}),
  output: z
    .object({
      type: z.enum(['api_key', 'oauth_token', 'session', 'operator']),
      id: z.string(),
      name: z.string(),
      prefix: z.string().nullable().describe('The first characters of a key, as its row shows them'),
      expiresAt: timestamp.nullable(),
      organization: z.object({ id: z.string(), name: z.string() }),
      actsAs: z
        .object({ userId: z.string(), name: z.string() })
        .nullable()
        .describe('The person whose role caps what the credential may do'),
      role: z.enum(['admin', 'editor', 'viewer']),
      limitedView: z
        .enum(LIMITED_VIEWS)
        .nullable()
        .describe('Where the person sees or writes less than the role allows'),
      scopes: scopes.describe('As granted'),
      effectiveScopes: scopes.describe('Granted, and allowed by the role as it is now'),
      capabilities: z.array(z.string()),
      rateLimit: z.object({ calls: z.int(), windowSeconds: z.int() }).nullable(),
    })
    .meta({ id: 'Me', title: 'A credential' }),
  run: async ({ tx, caller, parts }) => {
    const [row] = await tx.read<{ organization: string; person: string | null }>(
      names(caller.organizationId, caller.userId),
    )
    const { credential } = caller
    // Its needs keep guests out, who are no credential of anybody's here.
    if (credential.type === 'guest') throw notFound()
    const userId = actingUserOf(caller)
    const { calls, windowMs } = parts.config.rateLimit
    return {
      type: credential.type,
      id: credential.id,
      name: credential.name,
      prefix: credential.type === 'api_key' ? credential.prefix : null,
      expiresAt: 'expiresAt' in credential ? credential.expiresAt : null,
      organization: { id: caller.organizationId, name: row?.organization ?? '' },
      actsAs: userId === null ? null : { userId, name: row?.person ?? '' },
      role: caller.role,
      limitedView: caller.limitedView,
      scopes: [...caller.granted],
      effectiveScopes: [...caller.granted].filter((scope) => holds(caller, scope)),
      capabilities: [...ROLE_CAPABILITIES[caller.role]].filter((one: Capability) => isCapable(caller, one)),
      rateLimit: isPerson(caller) ? null : { calls, windowSeconds: Math.round(windowMs / 1000) },
    }
  },
})

const names = statement(`
  select o.name as organization, m.name as person
    from organizations o left join members m on m.organization_id = o.id and m.user_id = $2
   where o.id = $1`)
