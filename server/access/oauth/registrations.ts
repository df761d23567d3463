import { statement } from '../../database/connect.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { networkOf } from '../network-of.ts'

/** Registrations that one network may make in an hour, and how many of all may stand that nobody agreed to yet. */
const FROM_ONE = 30
const UNUSED = 10_000

/**
 * Holds how many clients may register themselves: anybody may, and each one is a row.
 * @throws {Refusal} `rate_limited`
 */
export async function refuseTooManyClients({ database }: Parts, ip: string): Promise<void> {
  const { rows } = await database.gate.query(count(networkOf(ip)))
  const { here, unused } = rows[0] as { here: number; unused: number }
  if (here < FROM_ONE && unused < UNUSED) return
  throw new Refusal(
    'rate_limited',
    'Too many apps were registered lately: wait an hour, or use one that is registered already.',
    { retryAfter: 3_600 },
  )
}

const count = statement(`
  select count(*) filter (where network = $1 and created_at > clock_now() - interval '1 hour')::int as here,
         count(*) filter (where last_authorized_at is null)::int as unused
    from oauth_clients
   where registration = 'dynamic'
     and (last_authorized_at is null or created_at > clock_now() - interval '1 hour')`)

/**
 * Removes clients that registered themselves a day ago and that nobody ever agreed to. One with an app that is
 * live is never among them.
 */
export const removeUnusedClients = statement(`
  delete from oauth_clients c
   where registration = 'dynamic' and last_authorized_at is null
     and created_at <= clock_now() - interval '24 hours'
     and not exists (select from connected_apps a where a.client_id = c.id and a.revoked_at is null)`)
