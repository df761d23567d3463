import { networkOf } from '../caller/network-of.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/** Registrations that nobody has agreed to yet, which one network may make in an hour. */
const FROM_ONE = 20
/**
 * How many that are older may stand of one network though nobody has agreed to them; and of all, whatever their age.
 */
const UNUSED_OF_ONE = 10
const UNUSED_OF_ALL = 10_000

/**
 * Limits how fast one network may register clients: anybody may register, and each one is a row.
 * @throws {Refusal} `rate_limited`
 */
export async function refuseTooManyClients({ database }: Parts, ip: string): Promise<void> {
  const { rows } = await database.gate.query(count(networkOf(ip)))
  const { here } = rows[0] as { here: number }
  if (here < FROM_ONE) return
  throw new Refusal(
    'rate_limited',
    'Too many apps were registered from this network lately: wait an hour, or use one that is registered already.',
    { retryAfter: 3_600 },
  )
}

/**
 * Makes room after a registration, so that nobody's registrations shut the door to others. Clients that nobody has
 * agreed to go, the oldest first: those of a network that has kept too many for an hour, and where all together are too
 * many, those of the place that has the most. A place is wider than a network (a /48, or 256 IPv4 addresses), since
 * whoever floods from many networks mostly has them side by side. Who has registered one client and is on the way to
 * agree to it is the last to lose it.
 */
export async function makeRoomForClients(tx: Transaction, network: string | null): Promise<void> {
  await tx.readAsGate(removeOldestOf(network))
  const [row] = await tx.readAsGate<{ unused: number }>(countUnused())
  if ((row?.unused ?? 0) > UNUSED_OF_ALL) await tx.readAsGate(removeOldestOfMost())
}

const UNUSED = "registration = 'dynamic' and last_authorized_at is null"

const count = statement(`
  select count(*)::int as here from oauth_clients
   where ${UNUSED} and network = $1 and created_at > clock_now() - interval '1 hour'`)

const removeOldestOf = statement(`
  delete from oauth_clients where id in (
    select id from oauth_clients where ${UNUSED} and network is not distinct from $1
       and created_at <= clock_now() - interval '1 hour'
     order by created_at desc, id desc offset ${UNUSED_OF_ONE})`)

const countUnused = statement(`select count(*)::int as unused from oauth_clients where ${UNUSED}`)

/** By more than is needed, so that a flood pays for this once in a while. */
const removeOldestOfMost = statement(`
  delete from oauth_clients where id in (
    select id from (
      select id, created_at, count(*) over (
               partition by regexp_replace(network, '([.][0-9]+|:[0-9a-f]+::/64)$', '')) as beside
        from oauth_clients where ${UNUSED}) unused
     order by beside desc, created_at, id limit ${UNUSED_OF_ALL / 100})`)

/**
 * Removes clients that registered themselves a day ago and that nobody ever agreed to. One with an app that is
 * live is never among them.
 */
export const removeUnusedClients = statement(`
  delete from oauth_clients c
   where registration = 'dynamic' and last_authorized_at is null
     and created_at <= clock_now() - interval '24 hours'
     and not exists (select from connected_apps a where a.client_id = c.id and a.revoked_at is null)`)
