import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Scope } from '../../model/scopes.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { newId } from '../../server/database/ids.ts'

/** An app that this person let in, without the way that leads there; @returns its id. */
export async function connectApp(
  administrator: pg.Client,
  { organizationId, userId }: Caller,
  scopes: readonly Scope[] = ['read:risks'],
): Promise<string> {
  const id = newId('app')
  await administrator.query(
    `insert into connected_apps (organization_id, id, user_id, client_id, client_name, redirect_host, registration,
       scopes, created_at, approved_at, expires_at)
     select $1, $2, $3, $4, 'Test app', '127.0.0.1', 'dynamic', $5, now, now, now + interval '1 year'
       from (select clock_now() as now) now`,
    [organizationId, id, userId, newId('client'), scopes],
  )
  await administrator.query('insert into connected_app_usage (organization_id, app_id) values ($1, $2)', [
    organizationId,
    id,
  ])
  return id
}

/** A token of an app, as if it had been issued just now; @returns what its client would hold. */
export async function issueToken(
  administrator: pg.Client,
  appId: string,
  { scopes = ['read:risks'], audience }: { scopes?: readonly Scope[]; audience: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await administrator.query(
    `insert into oauth_tokens (key_hash, kind, organization_id, app_id, user_id, client_id, scopes, audience, payload,
       created_at, expires_at)
     select $1, 'AccessToken', organization_id, id, user_id, client_id, $3, $4, '{}', clock_now(),
            clock_now() + interval '1 hour'
       from connected_apps where id = $2`,
    [createHash('sha256').update(token).digest(), appId, scopes, audience],
  )
  return token
}
