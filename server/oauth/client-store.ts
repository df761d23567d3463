import type { Adapter, AdapterPayload } from 'oidc-provider'
import { networkOf } from '../caller/network-of.ts'
import { statement } from '../database/connect.ts'
import { gateTransaction } from '../database/transaction.ts'
import { isStorable } from '../input.ts'
import type { Parts } from '../operation.ts'
import { Provider } from './library.ts'
import { makeRoomForClients } from './registrations.ts'

/** Clients that are known by a row. A secret, where one has any, rests sealed. */
export class ClientStore implements Adapter {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The library writes only what registered itself just now. */
  async upsert(id: string, metadata: AdapterPayload): Promise<void> {
    const ip = Provider.ctx?.ip
    await keepClient(this.#parts, id, 'dynamic', metadata, ip ? networkOf(ip) : null)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    // An id may come from inside a header or an assertion, where no door sees it.
    if (!isStorable(id)) return undefined
    const { rows } = await this.#parts.database.gate.query(find(id))
    const row = rows[0] as { metadata: AdapterPayload; secret_sealed: Buffer | null } | undefined
    if (!row?.secret_sealed) return row?.metadata
    const secret = this.#parts.keyring.open(row.secret_sealed, 'oauthClientSecret', [id])
    return { ...row.metadata, client_secret: secret.toString() }
  }

  async destroy(id: string): Promise<void> {
    await gateTransaction(this.#parts.database.tenant, (tx) => tx.readAsGate(remove(id)))
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}
}

/** Writes a client; its secret apart, sealed. */
export async function keepClient(
  { database, keyring }: Parts,
  id: string,
  registration: 'dynamic' | 'preregistered',
  { client_secret: secret, ...metadata }: Record<string, unknown>,
  network: string | null,
): Promise<void> {
  const sealed =
    typeof secret === 'string' ? keyring.seal(Buffer.from(secret), 'oauthClientSecret', [id]) : null
  await gateTransaction(database.tenant, async (tx) => {
    await tx.readAsGate(insert(id, registration, JSON.stringify(metadata), sealed, network))
    if (registration === 'dynamic') await makeRoomForClients(tx, network)
  })
}

const insert = statement(`
  insert into oauth_clients (id, registration, metadata, secret_sealed, network, created_at)
  values ($1, $2, $3, $4, $5, clock_now())`)

const find = statement('select metadata, secret_sealed from oauth_clients where id = $1')

const remove = statement('delete from oauth_clients where id = $1')
