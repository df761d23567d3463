import type { Adapter, AdapterPayload } from 'oidc-provider'
import { statement } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { entryOfService, insertEntry } from '../../journal/audit.ts'
import type { Parts } from '../../operation.ts'
import { endApp } from '../connected-app-record.ts'
import { AGES, type Kept, timed } from './kept.ts'
import { Provider } from './library.ts'
import { resourceOf } from './resource.ts'

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
    const { user_id: accountId, client_id: clientId, scopes } = row
    return {
      ...timed(row, id),
      kind: 'Grant',
      accountId,
      clientId,
      openid: { scope: 'offline_access' },
      resources: { [resourceOf(this.#parts.config)]: scopes.join(' ') },
    }
  }

  /** Whatever ends a grant in the library ends the app: a code or a token used twice, or one handed back. */
  async destroy(id: string): Promise<void> {
    const oidc = Provider.ctx?.oidc
    const isHandedBack = oidc?.route === 'revocation'
    const isRefresh = oidc?.params?.grant_type === 'refresh_token'
    await this.end(
      id,
      isHandedBack
        ? 'the app gave its access back'
        : isRefresh
          ? 'a refresh token was used twice'
          : 'an authorization code was used twice',
    )
  }

  /** Ends an app and all its tokens, for good before this returns. */
  async end(id: string, reason: string): Promise<void> {
    const { rows } = await this.#parts.database.gate.query(owner(id))
    const organizationId: string | undefined = rows[0]?.organization_id
    if (organizationId === undefined) return
    await transaction(this.#parts.database.tenant, organizationId, async (tx) => {
      const ended = await endApp(tx, id, SERVER.id)
      if (!ended) return
      const { now: time, name: title } = ended
      const subject = { type: 'connected_app', id, title }
      const changes = { revokedAt: { from: null, to: time } }
      const deed = { time, action: 'connected_app.revoke', subject, changes, reason }
      tx.write(insertEntry(...entryOfService(organizationId, SERVER, deed)))
    })
    this.#parts.log.info({ app: id, organizationId, reason }, 'a connected app was ended')
  }

  async upsert(): Promise<void> {
    throw new Error('a grant is written where a person grants it')
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}
}

const SERVER = { id: 'oauth', displayName: 'OAuth server' }

interface Granted extends Kept {
  readonly user_id: string
  readonly client_id: string
  readonly scopes: string[]
}

const find = statement(`
  select '{}'::jsonb as payload, ${AGES}, user_id, client_id, scopes
    from connected_apps where id = $1 and revoked_at is null and expires_at > clock_now()`)

const owner = statement('select organization_id from connected_apps where id = $1')
