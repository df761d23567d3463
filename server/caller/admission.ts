import type { LimitedView } from '../../model/limited-view.ts'
import type { Role, Scope } from '../../model/scopes.ts'
import type { Config } from '../config.ts'
import { statement } from '../database/connect.ts'
import { type KeyringParts, keepUnderFirstKey } from '../keyring/credential-hashes.ts'
import { Refusal } from '../refusal.ts'
import { isKeySecret } from './api-key-secret.ts'
import type { CallCounter, Counted } from './call-counter.ts'
import { COUNT_CALLS, FITTING, HAS_ROOM, MS_TO_RESET, TIME_OF_CALL } from './call-window.ts'
import type { Caller } from './caller.ts'
import type { RequestContext } from './request-context.ts'

/**
 * From an API key to a caller: authentication, the count of its window and its last use, in one statement.
 *
 * The statement commits alone and without waiting for the disk. It reads the key at the moment of the call,
 * so a revocation acts on the next call of every process; there is no cache that could outlive it. The
 * count is one row update, exact across processes; a call over the limit writes nothing. Where nothing was
 * updated, a second statement says why.
 */
export interface Admission {
  readonly caller: Caller
  readonly limit: RateLimitState
}

/** For the RateLimit headers of the answer. */
export interface RateLimitState {
  readonly calls: number
  readonly windowSeconds: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** What is asked of the service to admit a credential. */
export interface AdmissionParts extends KeyringParts {
  readonly config: Pick<Config, 'rateLimit'>
  readonly callCounter: CallCounter
}

/**
 * @param secret what was sent as Bearer
 * @throws {Refusal} `credential_invalid`; `key_revoked`, `key_expired`, `key_creator_inactive` to one who
 *   holds the whole secret; `rate_limited` with `retryAfter` seconds, and then `limit` for the headers
 */
export async function admitKey(
  parts: AdmissionParts,
  secret: string,
  requestContext: RequestContext,
): Promise<Admission> {
  if (!isKeySecret(secret)) throw unknownKey()
  const { calls, windowMs } = parts.config.rateLimit
  const hashes = parts.keyring.hashes(secret)
  const row = await parts.callCounter.count<Found>(secret, {
    count: (together) => count(hashes, calls, windowMs, together),
    look: (waiting) => look(hashes, calls, windowMs, waiting),
  })
  if (!row) throw unknownKey()
  refuseDead(row)
  const limit = limitOf(row, calls, windowMs)
  const caller = callerOf(row, requestContext)
  if (!row.admitted) throw new LimitReached(limit, caller)
  await keepUnderFirstKey(parts, 'apiKey', secret, row.key.hashedWith)
  return { caller, limit }
}

/** Nobody here ever had this credential, or not lately: so it may be a guess, unlike one that is over. */
export class UnknownCredential extends Refusal {
  constructor(detail: string) {
    super('credential_invalid', detail)
  }
}

const unknownKey = () => new UnknownCredential('This key is not known here: check that it was copied whole.')

/** Whoever uses a key may be nobody here. */
const ASK_ADMIN = 'ask an admin of the organization for a new one, which they create in Developer → API keys.'

function refuseDead(row: Found): void {
  if (row.revoked)
    throw new Refusal('key_revoked', `This key was revoked and opens nothing any more: ${ASK_ADMIN}`)
  if (row.expired) throw new Refusal('key_expired', `This key has expired: ${ASK_ADMIN}`)
  if (!row.creator_active)
    throw new Refusal(
      'key_creator_inactive',
      `The person who created this key is no longer active here: ${ASK_ADMIN}`,
    )
}

/** What a credential has left of its window, of the row that its statement answered with. */
export function limitOf(row: Counted<object>, calls: number, windowMs: number): RateLimitState {
  return {
    calls,
    windowSeconds: Math.round(windowMs / 1000),
    remaining: row.admitted ? calls - row.window_count : 0,
    resetSeconds: Math.max(1, Math.ceil(row.reset_ms / 1000)),
  }
}

/** A credential that has used its window up, and whose it is. */
export class LimitReached extends Refusal {
  readonly caller: Caller

  constructor(limit: RateLimitState, caller: Caller) {
    const { calls, windowSeconds, resetSeconds } = limit
    const detail = `This credential has made its ${calls} calls in ${windowSeconds} seconds: wait ${resetSeconds} seconds.`
    super('rate_limited', detail, { retryAfter: resetSeconds, limit })
    this.caller = caller
  }
}

function callerOf({ key, expires_at }: Found, requestContext: RequestContext): Caller {
  const { organizationId, features, createdBy, accountId, role, limitedView, id, name, prefix, scopes } = key
  return {
    organizationId,
    features,
    userId: createdBy,
    accountId,
    role,
    limitedView,
    credential: { type: 'api_key', id, name, prefix, expiresAt: expires_at },
    granted: new Set(scopes),
    ...requestContext,
  }
}

interface Found {
  key: {
    id: string
    organizationId: string
    name: string
    prefix: string
    scopes: Scope[]
    createdBy: string
    hashedWith: string | null
    accountId: string
    role: Role
    limitedView: LimitedView | null
    features: Record<string, boolean>
  }
  expires_at: string | null
  revoked: boolean
  expired: boolean
  creator_active: boolean
}

/**
 * $1 the hashes under which the key may be stored. What only describes it is one value: each column costs in every
 * join above it and in the driver. `offset 0` keeps it one, as the planner would take it apart again.
 */
const FOUND = `(
    select ${TIME_OF_CALL}, k.organization_id, k.id, k.expires_at,
           k.revoked_at is not null as revoked,
           coalesce(k.expires_at <= n.now, false) as expired,
           coalesce(m.status = 'active' and u.disabled_at is null and o.status = 'active', false) as creator_active,
           json_build_object('id', k.id, 'organizationId', k.organization_id, 'name', k.name, 'prefix', k.prefix,
             'scopes', k.scopes, 'createdBy', k.created_by, 'hashedWith', k.hashed_with,
             'accountId', m.account_id, 'role', m.role, 'limitedView', m.limited_view,
             'features', o.features) as key
      from (select clock_now() as now) n
      cross join api_keys k
      join organizations o on o.id = k.organization_id
      left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
      left join users u on u.id = m.account_id
     where k.secret_hash = any($1)
    offset 0
  ) c`
const IS_LIVE = 'not c.revoked and not c.expired and c.creator_active'
const ANSWER = `c.key, c.expires_at, c.revoked, c.expired, c.creator_active, ${MS_TO_RESET}`

/** $2 to $4: see call-window.ts. */
const count = statement(`
  update api_key_usage s ${COUNT_CALLS}
    from ${FOUND}
   where s.organization_id = c.organization_id and s.key_id = c.id and ${IS_LIVE} and ${HAS_ROOM}
  returning ${ANSWER}, s.window_count`)

/** The same without counting. */
const look = statement(`
  select ${ANSWER}, case when ${IS_LIVE} then ${FITTING} else 0 end as fitting
    from ${FOUND}
    join api_key_usage s on s.organization_id = c.organization_id and s.key_id = c.id`)
