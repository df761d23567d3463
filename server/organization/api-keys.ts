import { sql } from 'kysely'
import { z } from 'zod'
import { line, until } from '../../model/fields.ts'
import { FORM_SCOPES, type Scope } from '../../model/scopes.ts'
import { newKeySecret, prefixOf } from '../caller/api-key-secret.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { type Database, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { lockedRow } from '../database/locked-row.ts'
import { audit } from '../journal/audit.ts'
import { capability, confirmed, operation } from '../operation.ts'
import { endOfDay } from '../records/ends-of-days.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { invalid, Refusal } from '../refusal.ts'
import {
  apiKey,
  apiKeyOf,
  KEY_FIELDS,
  type KeyRow,
  readApiKey,
  SCOPE_NAMES,
  SELECT,
  STATE,
  STATES,
  scopeName,
} from './api-key-record.ts'
import { holdMember } from './member-credentials.ts'

const ORDER: Order = {
  sort: '-createdAt',
  column: sql.ref('k.created_at'),
  id: sql.ref('k.id'),
  descending: true,
}

export const listApiKeys = operation({
  name: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  needs: capability('settings.manage'),
  writes: false,
  title: 'List API keys',
  description: 'Revoked keys stay in the list; expired ones leave it 30 days after their expiry.',
  input: z.strictObject({ ...PAGE, state: z.array(z.enum(STATES)).min(1).optional() }),
  output: pageOf(apiKey),
  run: async ({ tx }, { limit, cursor, state }) => {
    const place = readCursor(cursor, ORDER.sort)
    const conditions = [
      sql`k.organization_id = ${tx.organizationId}`,
      ...(state ? [sql`${sql.raw(STATE)} = any(${state})`] : []),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read<KeyRow>(
      build(
        sql`${sql.raw(SELECT)} where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`,
      ),
    )
    return page(rows, limit, ORDER.sort, apiKeyOf, (row) => ({ value: row.createdAt, id: row.id }))
  },
})

export const createApiKey = operation({
  name: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: 'Create an API key',
  description:
    'It acts as the admin who creates it, within its scopes. The secret is in this answer and nowhere else.',
  input: z.strictObject({
    name: line('Name', 100),
    scopes: z
      .array(scopeName)
      .min(1, 'choose at least one scope: a key without any can do nothing')
      .max(SCOPE_NAMES.length)
      .meta({ title: 'Scopes' }),
    expiresAt: until('Expires').nullable().optional(),
  }),
  output: z.object({ ...KEY_FIELDS, secret: z.string().nullable() }).meta({ id: 'NewApiKey' }),
  location: (key) => `/v1/api-keys/${key.id}`,
  secret: 'secret',
  run: async ({ tx, caller, parts }, { name, scopes: chosen, expiresAt }) => {
    refuseMixed(caller, chosen)
    await holdMember(tx, caller)
    const now = await tx.now
    const expiry = expiresAt ? await endOfDay(tx, expiresAt) : null
    if (expiry !== null && expiry <= now)
      throw invalid({
        path: 'expiresAt',
        message: 'must be in the future: leave it out for a key without end',
      })
    const secret = newKeySecret()
    const scopes = SCOPE_NAMES.filter((scope) => chosen.includes(scope))
    const id = newId('key')
    const prefix = prefixOf(secret)
    tx.write(
      insert(
        tx.organizationId,
        id,
        name,
        prefix,
        parts.keyring.hash(secret),
        parts.keyring.firstId,
        scopes,
        caller.userId,
        expiry,
        now,
      ),
    )
    tx.write(insertUsage(tx.organizationId, id))
    audit(tx, caller, {
      time: now,
      action: 'api_key.create',
      subject: { type: 'api_key', id, title: name },
      changes: {
        prefix: { from: null, to: prefix },
        scopes: { from: null, to: scopes },
        expiresAt: { from: null, to: expiry },
      },
    })
    return { ...(await readApiKey(tx, id)), secret }
  },
})

export const revokeApiKey = operation({
  name: 'revokeApiKey',
  method: 'POST',
  path: '/v1/api-keys/{id}/revoke',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: 'Revoke an API key',
  description: 'Every client that uses it loses access with its next call. There is no way back.',
  input: z.strictObject({ id: z.string().min(1).max(100).meta({ title: 'Id' }) }),
  output: apiKey,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const rows = await tx.read(lock(tx.organizationId, id))
    const { before, time } = lockedRow<{ name: string; revoked: boolean }>(rows)
    if (!before.revoked) {
      tx.write(revoke(tx.organizationId, id, time, actingUserOf(caller) ?? actorOf(caller).id))
      audit(tx, caller, {
        time,
        action: 'api_key.revoke',
        subject: { type: 'api_key', id, title: before.name },
        changes: { revokedAt: { from: null, to: time } },
      })
    }
    return readApiKey(tx, id)
  },
})

/**
 * The key form offers 23 scopes and the webhook settings the other two, so that nobody hands out what the
 * signals of every kind carry along with something else by a slip. The command line may mix them.
 */
function refuseMixed(caller: Caller, scopes: readonly Scope[]): void {
  if (caller.channel === 'cli') return
  const ofForm = scopes.filter((scope) => scope in FORM_SCOPES)
  if (ofForm.length > 0 && ofForm.length < scopes.length)
    throw invalid({
      path: 'scopes',
      message: 'webhook scopes stand alone: create a webhook-management key for them',
    })
}

const insert = statement(`
  insert into api_keys (organization_id, id, name, prefix, secret_hash, hashed_with, scopes, created_by,
    expires_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

const insertUsage = statement('insert into api_key_usage (organization_id, key_id) values ($1, $2)')

const lock = statement(`
  select clock_now() as write_time, name, revoked_at is not null as revoked
    from api_keys where organization_id = $1 and id = $2 for update`)

const revoke = statement(
  'update api_keys set revoked_at = $3, revoked_by = $4 where organization_id = $1 and id = $2',
)

/**
 * For the command line, where a key is named by its id alone.
 * @throws {Refusal} `not_found`
 */
export async function organizationOfKey(database: Database, id: string): Promise<string> {
  const { rows } = await database.gate.query(ownerOf(id))
  if (!rows[0])
    throw new Refusal('not_found', `There is no key ${id}: \`key list\` shows those of an organization.`)
  return rows[0].organization_id
}

const ownerOf = statement('select organization_id from api_keys where id = $1')
