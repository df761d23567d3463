import type { Adapter, AdapterPayload } from 'oidc-provider'
import { statement } from '../database/connect.ts'
import { gateTransaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { endGrant } from './end-grant.ts'
import { agesOf, hashOf, type Kept, timed } from './kept.ts'
import { errors } from './library.ts'

/**
 * Authorization codes, access tokens and refresh tokens. Each names the app it belongs to and can never outlive
 * it: whoever reads one looks at the app first.
 *
 * The library looks whether a code was used and marks it so in two steps, so two requests at the same moment
 * would both find it unused. Here the mark is one statement, and who comes second ends the app.
 *
 * Hosts of agents refresh from several places at once and lose an answer now and then. So a refresh token that
 * was used counts as unused for another 30 seconds, for the same client, and gives what it gave the first time
 * (refresh-chain.ts); after that, using it again ends the app with all its tokens.
 */
const GRACE_SECONDS = 30

export class TokenStore implements Adapter {
  readonly #parts: Parts
  readonly #kind: string

  constructor(parts: Parts, kind: 'AccessToken' | 'RefreshToken' | 'AuthorizationCode') {
    this.#parts = parts
    this.#kind = kind
  }

  async upsert(id: string, { jti: _, ...payload }: AdapterPayload, expiresIn = 0): Promise<void> {
    const scopes = payload.scope?.split(' ') ?? []
    const audience = typeof payload.aud === 'string' ? payload.aud : null
    const rows = await this.#write(
      insert(hashOf(id), this.#kind, payload.grantId, scopes, audience, JSON.stringify(payload), expiresIn),
    )
    if (rows.length === 0) throw new errors.InvalidGrant('grant not found')
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const query = find(hashOf(id), this.#kind, this.#kind === 'RefreshToken' ? GRACE_SECONDS : 0)
    const { rows } = await this.#parts.database.gate.query<Kept & { consumed: boolean }>(query)
    const [row] = rows
    return row && { ...timed(row, id), ...(row.consumed ? { consumed: true } : {}) }
  }

  /** @throws {errors.InvalidGrant} where the code was used by somebody else since it was found */
  async consume(id: string): Promise<void> {
    const [row] = await this.#write<{ app_id: string; again: boolean }>(consume(hashOf(id), this.#kind))
    if (!row) throw new errors.InvalidGrant('not found')
    if (!row.again) return
    if (this.#kind === 'RefreshToken') {
      this.#parts.log.info({ app: row.app_id }, 'a refresh token was used again within its grace')
      return
    }
    await endGrant(this.#parts, row.app_id, 'an authorization code was used twice')
    throw new errors.InvalidGrant('authorization code already consumed')
  }

  async destroy(id: string): Promise<void> {
    await this.#write(remove(hashOf(id), this.#kind))
  }

  /** Nothing: with its tokens the library always ends the grant, which removes them all at once. */
  async revokeByGrantId(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  /** Waits for the disk: a crash may not bring back a code or a token that was used. */
  #write<R>(query: ReturnType<typeof remove>): Promise<R[]> {
    return gateTransaction(this.#parts.database.tenant, (tx) => tx.readAsGate<R>(query))
  }
}

/**
 * Also for an app that was revoked meanwhile: the token is then worth nothing, and its client hears of it. A refresh
 * token that is there already is the successor of one that is used again: it stays as it is.
 */
const insert = statement(`
  insert into oauth_tokens as t (key_hash, kind, organization_id, app_id, user_id, client_id, scopes, audience, payload,
    created_at, expires_at)
  select $1, $2, a.organization_id, a.id, a.user_id, a.client_id, $4, $5, $6, now.now,
         now.now + $7::float8 * interval '1 second'
    from (select clock_now() as now) now cross join connected_apps a
   where a.id = $3
  on conflict (key_hash) do update set key_hash = excluded.key_hash
   where t.kind = 'RefreshToken' and t.app_id = excluded.app_id
  returning app_id`)

const find = statement(`
  select payload, ${agesOf('oauth_tokens')}, coalesce(consumed_at + $3::float8 * interval '1 second' <= clock_now(), false) as consumed
    from oauth_tokens where key_hash = $1 and kind = $2 and expires_at > clock_now()`)

const consume = statement(`
  update oauth_tokens t set consumed_at = coalesce(t.consumed_at, clock_now())
    from (select consumed_at from oauth_tokens where key_hash = $1 and kind = $2 for update) before
   where t.key_hash = $1
  returning t.app_id, before.consumed_at is not null as again`)

const remove = statement('delete from oauth_tokens where key_hash = $1 and kind = $2')
