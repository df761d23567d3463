import type { Role, Scope } from '../../model/scopes.ts'
import {
  type Admission,
  type Counted,
  LimitReached,
  limitOf,
  UnknownCredential,
} from '../caller/admission.ts'
import { COUNT_CALL, HAS_ROOM, MS_TO_RESET } from '../caller/call-window.ts'
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
  const query = admit(hashOf(token), calls, windowMs, resourcesOf(parts.config))
  const { rows } = await parts.database.gate.query<Admitted>(query)
  const row = rows[0]
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

function refuseDead(row: Admitted, resource: string): void {
  if (row.foreign_audience)
    throw dead(`This access token is for something else: ask for one for ${resource}.`)
  if (row.revoked)
    throw dead('The access of this app was revoked: a member of the organization can connect it again.')
  if (row.expired) throw dead('This access token has expired: refresh it.')
  if (row.app_expired) throw dead('The access of this app has to be approved anew: connect it again.')
  if (!row.person_active)
    throw dead('The person who connected this app is no longer active here: somebody else can connect it.')
}

function callerOf(row: Admitted, requestContext: RequestContext): Caller {
  return {
    organizationId: row.organization_id,
    features: row.features,
    userId: row.user_id,
    accountId: row.account_id,
    role: row.role,
    credential: {
      type: 'oauth_token',
      id: row.id,
      name: row.name,
      clientId: row.client_id,
      expiresAt: row.expires_at,
    },
    // What the token was issued with, as far as the app still has it: a person may have taken it away since.
    granted: new Set(row.token_scopes.filter((scope) => row.app_scopes.includes(scope))),
    ...requestContext,
  }
}

interface Admitted extends Counted {
  id: string
  organization_id: string
  name: string
  client_id: string
  token_scopes: Scope[]
  app_scopes: Scope[]
  expires_at: string
  user_id: string
  account_id: string
  role: Role
  features: Record<string, boolean>
  foreign_audience: boolean
  revoked: boolean
  expired: boolean
  app_expired: boolean
  person_active: boolean
}

/**
 * $1 the hash of the token, $2 calls in a window, $3 the window in ms, $4 the audiences of which it must be for one.
 */
const admit = statement(`
  with credential as materialized (
    select a.id, a.organization_id, a.client_name as name, a.client_id, t.scopes as token_scopes,
           a.scopes as app_scopes, t.expires_at, a.user_id, m.account_id, m.role, o.features,
           (t.audience = any($4)) is not true as foreign_audience, a.revoked_at is not null as revoked,
           t.expires_at <= now.now as expired, a.expires_at <= now.now as app_expired,
           coalesce(m.status = 'active' and u.disabled_at is null and o.status = 'active', false) as person_active,
           u_.window_started_at, now.now
      from (select clock_now() as now) now
      cross join oauth_tokens t
      join connected_apps a on a.organization_id = t.organization_id and a.id = t.app_id
      join organizations o on o.id = a.organization_id
      join connected_app_usage u_ on u_.organization_id = a.organization_id and u_.app_id = a.id
      left join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
      left join users u on u.id = m.account_id
     where t.key_hash = $1 and t.kind = 'AccessToken'
  ),
  used as (
    update connected_app_usage s ${COUNT_CALL}
      from credential c
     where s.organization_id = c.organization_id and s.app_id = c.id
       and not c.foreign_audience and not c.revoked and not c.expired and not c.app_expired and c.person_active
       and ${HAS_ROOM}
    returning s.window_started_at, s.window_count
  )
  select c.id, c.organization_id, c.name, c.client_id, c.token_scopes, c.app_scopes, c.expires_at, c.user_id,
         c.account_id, c.role, c.features, c.foreign_audience, c.revoked, c.expired, c.app_expired, c.person_active,
         used.window_count is not null as admitted, coalesce(used.window_count, 0) as window_count, ${MS_TO_RESET}
    from credential c left join used on true`)
