import type { LimitedView } from '../../model/limited-view.ts'
import type { Role, Scope } from '../../model/scopes.ts'
import { type Admission, LimitReached, limitOf, UnknownCredential } from '../caller/admission.ts'
import { COUNT_CALLS, FITTING, HAS_ROOM, MS_TO_RESET, TIME_OF_CALL } from '../caller/call-window.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { hashOf } from './kept.ts'
import { resourceOf, resourcesOf } from './resource.ts'

/**
 * From an access token to a caller, in one statement as for a key: the token by its hash, the app it belongs to,
 * what the person who agreed is in the organization at this moment, the count of the app's window, its last use.
 * The window is the app's, so a refresh opens no new one. Nothing is remembered between two calls.
 */

/**
 * @param token what was sent as Bearer
 * @throws {Refusal} `credential_invalid` with what to do about it; `rate_limited`
 */
export async function admitToken(
  parts: Parts,
  token: string,
  requestContext: RequestContext,
): Promise<Admission> {
  if (!/^[\w-]{43}$/.test(token)) throw unknownToken()
  const { calls, windowMs } = parts.config.rateLimit
  const hash = hashOf(token)
  const audiences = resourcesOf(parts.config)
  const row = await parts.callCounter.count<Found>(token, {
    count: (together) => count(hash, calls, windowMs, together, audiences),
    look: (waiting) => look(hash, calls, windowMs, waiting, audiences),
  })
  if (!row) throw unknownToken()
  refuseDead(row, resourceOf(parts.config))
  const limit = limitOf(row, calls, windowMs)
  const caller = callerOf(row, requestContext)
  if (!row.admitted) throw new LimitReached(limit, caller)
  return { caller, limit }
}

const unknownToken = () =>
  new UnknownCredential(
    'This access token is not known here, or not any more: refresh it, or connect the app again.',
  )

const dead = (detail: string) => new Refusal('credential_invalid', detail)

function refuseDead(row: Found, resource: string): void {
  if (row.foreign_audience)
    throw dead(`This access token is for something else: ask for one for ${resource}.`)
  if (row.revoked)
    throw dead('The access of this app was revoked: a member of the organization can connect it again.')
  if (row.expired) throw dead('This access token has expired: refresh it.')
  if (row.app_expired) throw dead('The access of this app has to be approved anew: connect it again.')
  if (!row.person_active)
    throw dead('The person who connected this app is no longer active here: somebody else can connect it.')
}

function callerOf({ app, expires_at }: Found, requestContext: RequestContext): Caller {
  const { organizationId, features, userId, accountId, role, limitedView, id, name, clientId } = app
  return {
    organizationId,
    features,
    userId,
    accountId,
    role,
    limitedView,
    credential: { type: 'oauth_token', id, name, clientId, expiresAt: expires_at },
    // What the token was issued with, as far as the app still has it: a person may have taken it away since.
    granted: new Set(app.tokenScopes.filter((scope) => app.appScopes.includes(scope))),
    ...requestContext,
  }
}

interface Found {
  app: {
    id: string
    organizationId: string
    name: string
    clientId: string
    tokenScopes: Scope[]
    appScopes: Scope[]
    userId: string
    accountId: string
    role: Role
    limitedView: LimitedView | null
    features: Record<string, boolean>
  }
  expires_at: string
  foreign_audience: boolean
  revoked: boolean
  expired: boolean
  app_expired: boolean
  person_active: boolean
}

/**
 * $1 the hash of the token, $5 the audiences of which it must be for one. What only describes it is one value, as
 * of a key.
 */
const FOUND = `(
    select ${TIME_OF_CALL}, a.organization_id, a.id, t.expires_at,
           (t.audience = any($5)) is not true as foreign_audience, a.revoked_at is not null as revoked,
           t.expires_at <= n.now as expired, a.expires_at <= n.now as app_expired,
           coalesce(m.status = 'active' and u.disabled_at is null and o.status = 'active', false) as person_active,
           json_build_object('id', a.id, 'organizationId', a.organization_id, 'name', a.client_name,
             'clientId', a.client_id, 'tokenScopes', t.scopes, 'appScopes', a.scopes, 'userId', a.user_id,
             'accountId', m.account_id, 'role', m.role,
             'limitedView', m.limited_view, 'features', o.features) as app
      from (select clock_now() as now) n
      cross join oauth_tokens t
      join connected_apps a on a.organization_id = t.organization_id and a.id = t.app_id
      join organizations o on o.id = a.organization_id
      left join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
      left join users u on u.id = m.account_id
     where t.key_hash = $1 and t.kind = 'AccessToken'
    offset 0
  ) c`
const IS_LIVE =
  'not c.foreign_audience and not c.revoked and not c.expired and not c.app_expired and c.person_active'
const ANSWER = `
         c.app, c.expires_at, c.foreign_audience, c.revoked, c.expired, c.app_expired, c.person_active,
         ${MS_TO_RESET}`

/** $2 to $4: see call-window.ts. */
const count = statement(`
  update connected_app_usage s ${COUNT_CALLS}
    from ${FOUND}
   where s.organization_id = c.organization_id and s.app_id = c.id and ${IS_LIVE} and ${HAS_ROOM}
  returning ${ANSWER}, s.window_count`)

/** The same without counting. */
const look = statement(`
  select ${ANSWER}, case when ${IS_LIVE} then ${FITTING} else 0 end as fitting
    from ${FOUND}
    join connected_app_usage s on s.organization_id = c.organization_id and s.app_id = c.id`)
