import type { AdapterFactory } from 'oidc-provider'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { ClientStore } from './client-store.ts'
import { GrantStore } from './grant-store.ts'
import { StateStore } from './state-store.ts'
import { TokenStore } from './token-store.ts'

/**
 * Where oidc-provider keeps its models.
 *
 * Three rules hold for all of them. A row is found by the SHA-256 of the id that the library knows; the id
 * itself, which is the token or the cookie, stands in no column. Time is the database's: a row that is over is
 * not found, and the library is told its age and what is left of it on the clock of this process, whatever
 * that clock says. And what is not asked of us by the configuration (device codes, pushed requests) has no
 * place to be kept.
 */
export function storageFor(parts: Parts): AdapterFactory {
  return (model) => {
    if (model === 'Client') return new ClientStore(parts)
    if (model === 'Grant') return new GrantStore(parts)
    if (model === 'AccessToken' || model === 'RefreshToken' || model === 'AuthorizationCode')
      return new TokenStore(parts, model)
    if (model === 'Session' || model === 'Interaction' || model === 'ReplayDetection')
      return new StateStore(parts, model)
    throw new Error(`${model} is kept nowhere: its feature is off`)
  }
}

/** Whether a person may still be acted for; $1 their id. */
export const isPerson = statement('select from users where id = $1 and disabled_at is null')

/** The same within the organization of an app; $1 its id, $2 the person's. Whether it was revoked is not asked. */
export const isMember = statement(`
  select from connected_apps a
    join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
    join users u on u.id = m.account_id
    join organizations o on o.id = a.organization_id
   where a.id = $1 and m.account_id = $2 and m.status = 'active' and u.disabled_at is null and o.status = 'active'`)
