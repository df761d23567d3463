import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { ROLE_SCOPES, SCOPES } from '../model/scopes.ts'
import { newKeySecret, prefixOf } from '../server/caller/api-key-secret.ts'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import { openKeyring } from '../server/keyring/keyring.ts'

/** An organization with one admin and one key, made past the doors. */
export interface Organization {
  readonly id: string
  readonly userId: string
  readonly accountId: string
  /** What its key is sent as. */
  readonly secret: string
}

export async function makeOrganization(administrator: pg.Client, masterKey: string): Promise<Organization> {
  const made = {
    id: newId('org'),
    userId: newId('usr'),
    accountId: newId('acc'),
    secret: newKeySecret(),
  }
  const { id, userId, accountId, secret } = made
  const key = newId('key')
  const query = (text: string, ...values: unknown[]) => administrator.query(text, values)
  await query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Example Ltd', now(), now())`,
    id,
  )
  await query(
    'insert into users (id, email, created_at) values ($1, $2, now())',
    accountId,
    `${userId}@example.com`,
  )
  await query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     values ($1, $2, $3, 'Ada Example', 'admin', now(), now())`,
    id,
    userId,
    accountId,
  )
  await query(
    `insert into api_keys (organization_id, id, name, prefix, secret_hash, scopes, created_by, created_at)
     values ($1, $2, 'bench', $3, $4, $5, $6, now())`,
    id,
    key,
    prefixOf(secret),
    openKeyring(masterKey).hash(secret),
    Object.keys(SCOPES),
    userId,
  )
  await query('insert into api_key_usage (organization_id, key_id) values ($1, $2)', id, key)
  return made
}

/** An endpoint that is on and subscribed to what happens to risks. @returns its id */
export async function makeEndpoint(
  administrator: pg.Client,
  masterKey: string,
  organizationId: string,
  address: string,
): Promise<string> {
  const id = newId('whe')
  const cipher = openKeyring(masterKey).seal(randomBytes(32), 'endpointSecret', [organizationId, id])
  await administrator.query(
    `insert into webhook_endpoints
       (organization_id, id, address, signal_types, enabled, secret_cipher, created_at, updated_at)
     values ($1, $2, $3, '{risk.created,risk.updated,risk.deleted}', true, $4, now(), now())`,
    [organizationId, id, address, cipher],
  )
  await administrator.query(
    'insert into webhook_endpoint_states (organization_id, endpoint_id) values ($1, $2)',
    [organizationId, id],
  )
  return id
}

/** Organizations with one subscribed endpoint each, to which nothing is to be sent. */
export async function makeSubscribedOrganizations(
  administrator: pg.Client,
  masterKey: string,
  count: number,
): Promise<Organization[]> {
  const organizations: Organization[] = []
  for (let made = 0; made < count; made++) {
    const organization = await makeOrganization(administrator, masterKey)
    await makeEndpoint(administrator, masterKey, organization.id, 'https://receiver.example/')
    organizations.push(organization)
  }
  return organizations
}

/** A risk as a caller with some diligence creates it. */
export const sampleRisk = ({ userId }: Organization) => ({
  title: 'Unpatched gateway',
  description:
    'The gateway in the second data centre runs a version that gets no more security updates. '.repeat(2),
  status: 'identified',
  category: 'technical',
  likelihood: 'possible',
  impact: 'major',
  owner: { type: 'user', refId: userId },
})

/** Its admin, signed in. */
export const personOf = ({ id, userId, accountId }: Organization): Caller => ({
  organizationId: id,
  features: {},
  userId,
  accountId,
  role: 'admin',
  limitedView: null,
  credential: { type: 'session', id: 'ses_bench', name: 'Ada Example' },
  granted: new Set(ROLE_SCOPES.admin),
  channel: 'ui',
  requestId: 'req_bench',
  ip: '127.0.0.1',
})
