import type { Role, Scope } from '../../model/scopes.ts'
import type { Config } from '../config.ts'
import { statement } from '../database/connect.ts'
import { type KeyringParts, keepUnderFirstKey } from '../keyring/credential-hashes.ts'
import { Refusal } from '../refusal.ts'
import { isKeySecret } from './api-key-secret.ts'
import { COUNT_CALL, HAS_ROOM, MS_TO_RESET } from './call-window.ts'
import type { Caller } from './caller.ts'
import type { RequestContext } from './request-context.ts'

/**
 * From an API key to a caller: authentication, the count of its window and its last use, in one statement.
 *
 * The statement commits alone and without waiting for the disk. It reads the key at the moment of the call,
 * so a revocation acts on the next call of every process; there is no cache that could outlive it. The
 * count is one row update, exact across processes; a call over the limit writes nothing.
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
  const { rows } = await parts.database.gate.query<Admitted>(admit(hashes, calls, windowMs))
  const row = rows[0]
  if (!row) throw unknownKey()
  refuseDead(row)
  const limit = limitOf(row, calls, windowMs)
  const caller = callerOf(row, requestContext)
  if (!row.admitted) throw new LimitReached(limit, caller)
  await keepUnderFirstKey(parts, 'apiKey', secret, row.hashed_with)
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

function refuseDead(row: Admitted): void {
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
export function limitOf(row: Counted, calls: number, windowMs: number): RateLimitState {
  return {
    calls,
    windowSeconds: Math.round(windowMs / 1000),
    remaining: row.admitted ? Math.max(0, calls - row.window_count) : 0,
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

function callerOf(row: Admitted, requestContext: RequestContext): Caller {
  return {
    organizationId: row.organization_id,
    features: row.features,
    userId: row.created_by,
    accountId: row.account_id,
    role: row.role,
    credential: {
      type: 'api_key',
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      expiresAt: row.expires_at,
    },
    granted: new Set(row.scopes),
    ...requestContext,
  }
}

export interface Counted {
  admitted: boolean
  window_count: number
  reset_ms: number
}

interface Admitted extends Counted {
  id: string
  organization_id: string
  name: string
  prefix: string
  scopes: Scope[]
  expires_at: string | null
  created_by: string
  account_id: string
  role: Role
  features: Record<string, boolean>
  revoked: boolean
  expired: boolean
  creator_active: boolean
  hashed_with: string | null
}

/** $1 the hashes under which the key may be stored, $2 calls in a window, $3 the window in ms. */
const admit = statement(`
  with credential as materialized (
    select k.id, k.organization_id, k.name, k.prefix, k.scopes, k.expires_at, k.created_by, m.account_id, m.role,
           o.features, k.hashed_with,
           k.revoked_at is not null as revoked,
           coalesce(k.expires_at <= now.now, false) as expired,
           coalesce(m.status = 'active' and u.disabled_at is null and o.status = 'active', false) as creator_active,
           u_.window_started_at, now.now
      from (select clock_now() as now) now
      cross join api_keys k
      join organizations o on o.id = k.organization_id
      join api_key_usage u_ on u_.organization_id = k.organization_id and u_.key_id = k.id
      left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
      left join users u on u.id = m.account_id
     where k.secret_hash = any($1)
  ),
  used as (
    update api_key_usage s ${COUNT_CALL}
      from credential c
     where s.organization_id = c.organization_id and s.key_id = c.id
       and not c.revoked and not c.expired and c.creator_active
       and ${HAS_ROOM}
    returning s.window_started_at, s.window_count
  )
  select c.id, c.organization_id, c.name, c.prefix, c.scopes, c.expires_at, c.created_by, c.account_id, c.role,
         c.features, c.revoked, c.expired, c.creator_active, c.hashed_with, used.window_count is not null as admitted,
         coalesce(used.window_count, 0) as window_count, ${MS_TO_RESET}
    from credential c left join used on true`)
