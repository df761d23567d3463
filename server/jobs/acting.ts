import type { Needs } from '../../model/needs.ts'
import { ROLE_SCOPES, type Role, type Scope } from '../../model/scopes.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { rightsRefusal } from '../caller/rights.ts'
import { serviceCaller } from '../caller/service.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import type { StartedBy } from './job-kind.ts'

/**
 * Whom a job acts as: whoever started it, with the rights that they have at each piece, or the service. A session may
 * end meanwhile, its person goes on; a key or an app has to live, as what is done in its name is done by it.
 */

/** A caller, as the row of a job keeps them. */
export function startedBy(caller: Caller): StartedBy {
  const { userId, accountId, credential, channel, requestId, ip, userAgent, client, tool, granted } = caller
  const told = { userId, accountId, credential, channel, requestId, granted: [...granted] }
  return Object.fromEntries(
    Object.entries({ ...told, ip, userAgent, client, tool }).filter(([, value]) => value !== undefined),
  ) as unknown as StartedBy
}

/** How a job names who started it. */
export const starterOf = (by: StartedBy) => actorOf({ ...by, ...NOBODY } as unknown as Caller)
const NOBODY = { organizationId: '', features: {}, role: 'viewer' }

interface Standing {
  readonly role: Role
  readonly limitedView: Caller['limitedView']
  readonly features: Caller['features']
  readonly isActive: boolean
  readonly isLive: boolean
  /** Of an app, what it was granted by now. */
  readonly scopes: readonly Scope[] | null
}

/**
 * The person or program that a job acts as, as they stand now.
 * @throws {Refusal} `capability_required` or `insufficient_scope` where they may not go on with it
 */
export async function actingCaller(tx: Transaction, by: StartedBy, needs: readonly Needs[]): Promise<Caller> {
  const { first: _first, ...now } = by
  const { credential, userId } = now
  const [row] = await tx.readAsGate<Standing>(
    stand(tx.organizationId, userId, credential.type, credential.id),
  )
  if (!row?.isActive) throw stopped('whoever started it is no longer active in this organization')
  if (!row.isLive) throw stopped('the key or app that started it was revoked or has expired')
  const granted = by.granted as readonly Scope[]
  const caller: Caller = {
    ...now,
    organizationId: tx.organizationId,
    features: row.features,
    role: row.role,
    limitedView: row.limitedView,
    granted:
      credential.type === 'session'
        ? ROLE_SCOPES[row.role]
        : new Set(row.scopes ? granted.filter((scope) => row.scopes!.includes(scope)) : granted),
  }
  const refusal = needs.map((one) => rightsRefusal(one, caller)).find((one) => one !== null)
  if (refusal) throw stopped(`whoever started it may no longer do this. ${refusal.message}`)
  return caller
}

const stopped = (why: string) => new Refusal('conflict', `It was stopped: ${why}.`.replace(/\.\.$/, '.'))

/** @param by an operator who started it; null for the service itself, whom nobody asked */
export function callerOfService(
  organizationId: string,
  features: Caller['features'] | null,
  by: StartedBy | null,
): Caller {
  const service = { ...serviceCaller(organizationId, JOBS), features: features ?? {} }
  if (!by) return service
  const { granted: _granted, first: _first, ...told } = by
  return { ...service, ...told }
}

const JOBS = { id: 'service', displayName: 'Plumbline' }

/** Parameters: organization, user, type and id of the credential. */
const stand = statement(`
  select m.role, m.limited_view as "limitedView", o.features, a.scopes,
         m.status = 'active' and u.disabled_at is null and o.status = 'active' as "isActive",
         case $3::text
           when 'api_key' then k.id is not null and k.revoked_at is null
             and coalesce(k.expires_at > clock_now(), true)
           when 'oauth_token' then a.id is not null and a.revoked_at is null and a.expires_at > clock_now()
           else true end as "isLive"
    from members m
    join users u on u.id = m.account_id
    join organizations o on o.id = m.organization_id
    left join api_keys k on $3::text = 'api_key' and k.organization_id = m.organization_id and k.id = $4
    left join connected_apps a on $3::text = 'oauth_token' and a.organization_id = m.organization_id and a.id = $4
   where m.organization_id = $1 and m.user_id = $2`)
