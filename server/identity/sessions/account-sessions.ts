import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import { audit } from '../../journal/audit.ts'
import { nothing, type OwnContext, operation, own } from '../../operation.ts'
import { notFound } from '../../refusal.ts'

/**
 * A person's own sessions, in whichever of their organizations. Who came in through the sign-in of an
 * organization sees those of that sign-in: it vouches for nothing elsewhere.
 */
const session = z
  .object({
    id: z.string(),
    current: z.boolean().describe('The one that asks'),
    organization: z.object({ id: z.string(), name: z.string() }),
    method: z.enum(['password', 'passkey', 'provider', 'link']),
    secondFactor: z.enum(['totp', 'recovery_code', 'passkey']).nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.string(),
    lastSeenAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'Session', title: 'Session' })

export const listSessions = operation({
  name: 'listSessions',
  method: 'GET',
  path: '/v1/account/sessions',
  needs: own(),
  writes: 'own',
  title: 'List your sessions',
  input: z.strictObject({}),
  output: z.object({ data: z.array(session), nextCursor: z.null() }),
  run: async ({ caller, parts }) => {
    const { rows } = await parts.database.gate.query(mine(caller.accountId, providerOf(caller)))
    const data = rows.map((row) => ({ ...row, current: row.id === caller.credential.id }))
    return { data: data as z.output<typeof session>[], nextCursor: null }
  },
})

export const revokeSession = operation({
  name: 'revokeSession',
  method: 'DELETE',
  path: '/v1/account/sessions/{id}',
  needs: own(),
  writes: true,
  title: 'End one of your sessions',
  description: 'It ends at once, on every process. Keys and connected apps are not touched.',
  input: z.strictObject({ id: z.string().min(1).max(100) }),
  output: nothing,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const rows = await tx.readAsGate(end(id, caller.accountId, providerOf(caller)))
    if (rows.length === 0) throw notFound()
    audit(tx, caller, { time: await tx.now, action: 'session.revoke', subject: { type: 'session', id } })
    return null
  },
})

const providerOf = ({ credential }: OwnContext['caller']): string | null =>
  (credential.type === 'session' && credential.providerId) || null

const mine = statement(`
  select s.id, json_build_object('id', o.id, 'name', o.name) as organization, s.method,
         s.second_factor as "secondFactor", s.ip, s.user_agent as "userAgent", s.created_at as "createdAt",
         s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from sessions s join organizations o on o.id = s.organization_id
   where s.user_id = $1 and ($2::text is null or s.provider_id = $2) and s.expires_at > clock_now()
     and s.last_seen_at > clock_now() - interval '24 hours'
   order by s.last_seen_at desc, s.id`)

const end = statement(
  'delete from sessions where id = $1 and user_id = $2 and ($3::text is null or provider_id = $3) returning id',
)
