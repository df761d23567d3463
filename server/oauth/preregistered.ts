import { randomBytes } from 'node:crypto'
import { type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { gateTransaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { openOauth } from './authorization-server.ts'
import { keepClient } from './client-store.ts'
import { endGrant } from './end-grant.ts'

/** Clients that an operator made: for programs that neither register themselves nor have an address for it. */
export interface NewClient {
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Whether it can keep a secret: a server can, what runs on the desk of a person cannot. */
  readonly confidential: boolean
}

/**
 * Makes a client; a secret is told here and never again.
 * @throws {Refusal} `validation_failed` for addresses that no client may have
 */
export async function createClient(
  parts: Parts,
  { name, redirectUris, confidential }: NewClient,
): Promise<{ clientId: string; clientSecret: string | null; redirectUris: readonly string[] }> {
  const clientId = newId('client')
  const clientSecret = confidential ? randomBytes(32).toString('base64url') : null
  const metadata = {
    client_id: clientId,
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    ...(clientSecret ? { client_secret: clientSecret } : {}),
  }
  const { Client } = openOauth(parts, async () => null) as unknown as { Client: Judging }
  await Client.validate(structuredClone(metadata)).catch(() => {
    throw invalid({
      path: 'redirectUris',
      message:
        'no client may have these: give https addresses, or http://127.0.0.1/callback for a program of this computer',
    })
  })
  await keepClient(parts, clientId, 'preregistered', metadata, null)
  return { clientId, clientSecret, redirectUris }
}

/** What the library judges metadata by; its types leave it out. */
interface Judging {
  validate(metadata: object): Promise<void>
}

/** The clients that operators made, the oldest first. */
export async function listClients({ database }: Parts): Promise<Row[]> {
  return (await database.gate.query(list())).rows
}

/**
 * Removes a client and ends what people granted to it, in every organization.
 * @throws {Refusal} `not_found`
 */
export async function deleteClient(parts: Parts, clientId: string): Promise<{ ended: number }> {
  const removed = await gateTransaction(parts.database.tenant, (tx) => tx.readAsGate(remove(clientId)))
  if (removed.length === 0)
    throw new Refusal('not_found', `There is no client ${clientId}: \`oauth-client list\` shows all of them.`)
  const { rows } = await parts.database.gate.query(liveApps(clientId))
  for (const { id } of rows) await endGrant(parts, id, 'its client was removed')
  return { ended: rows.length }
}

const list = statement(`
  select c.id as "clientId", c.metadata ->> 'client_name' as name, c.metadata -> 'redirect_uris' as "redirectUris",
         c.secret_sealed is not null as confidential, c.created_at as "createdAt",
         (select count(*)::int from connected_apps a where a.client_id = c.id and a.revoked_at is null) as apps
    from oauth_clients c where c.registration = 'preregistered' order by c.created_at, c.id`)

const remove = statement(
  "delete from oauth_clients where id = $1 and registration = 'preregistered' returning id",
)

const liveApps = statement('select id from connected_apps where client_id = $1 and revoked_at is null')
