import type { Adapter, AdapterPayload } from 'oidc-provider'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { endGrant } from './end-grant.ts'
import { agesOf, type Kept, timed } from './kept.ts'
import { Provider } from './library.ts'
import { resourcesOf } from './resource.ts'

/**
 * The library's grants: to us, the connected apps that are live. Its grant id is the id of the app. It never
 * writes one: what a person grants is written where they grant it (consent.ts), with its audit entry.
 */
export class GrantStore implements Adapter {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.#parts.database.gate.query<Granted>(find(id))
    const [row] = rows
    if (!row) return undefined
    const { account_id: accountId, client_id: clientId, scopes } = row
    return {
      ...timed(row, id),
      kind: 'Grant',
      accountId,
      clientId,
      openid: { scope: 'offline_access' },
      resources: Object.fromEntries(
        resourcesOf(this.#parts.config).map((resource) => [resource, scopes.join(' ')]),
      ),
    }
  }

  /** Whatever ends a grant in the library ends the app: a code or a token used twice, or one handed back. */
  async destroy(id: string): Promise<void> {
    const oidc = Provider.ctx?.oidc
    const isHandedBack = oidc?.route === 'revocation'
    const isRefresh = oidc?.params?.grant_type === 'refresh_token'
    await endGrant(
      this.#parts,
      id,
      isHandedBack
        ? 'the app gave its access back'
        : isRefresh
          ? 'a refresh token was used twice'
          : 'an authorization code was used twice',
    )
  }

  async upsert(): Promise<void> {
    throw new Error('a grant is written where a person grants it')
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}
}

interface Granted extends Kept {
  readonly account_id: string
  readonly client_id: string
  readonly scopes: string[]
}

const find = statement(`
  select '{}'::jsonb as payload, ${agesOf('a')}, m.account_id, a.client_id, a.scopes
    from connected_apps a
    join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
   where a.id = $1 and a.revoked_at is null and a.expires_at > clock_now()`)
