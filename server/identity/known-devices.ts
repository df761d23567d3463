import { randomBytes } from 'node:crypto'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'

/**
 * Browsers in which a person has signed in before (the device cookies of OWASP's "Slow Down Online Guessing
 * Attacks"). A device proves nothing about who somebody is and lets nobody in: only, what is tried from it is
 * counted by itself, so that no stranger's attempts stand in the way of its person.
 *
 * A device is of one person. Where several sign in in one browser, its cookie holds a secret for each: none is
 * ever bound to a second person, so nobody can plant a secret of theirs to become a known device of somebody else.
 * A new password forgets all of them (endOthers in sessions.ts).
 */
export const DEVICE_DAYS = 180
const IN_ONE_BROWSER = 4
const OF_ONE_PERSON = 20

export const DEVICE_SECRET = /^[\w-]{43}$/

/**
 * Remembers the browser in which a session has just begun as its person's. What a sign-in provider vouches for is
 * nobody's own proof, and makes no device known: the admins of an organization say what its provider says.
 * @param session the secret of the session
 * @param devices the secrets that the browser sent, newest first
 * @returns those it keeps from now on; null where it becomes nobody's
 */
export async function rememberDevice(
  { database, keyring }: Parts,
  session: string,
  devices: readonly string[],
): Promise<string[] | null> {
  const { rows } = await database.gate.query<{ accountId: string }>(personOf(keyring.hashes(session)))
  const [person] = rows
  if (!person) return null
  const own = await findDevice({ keyring, database }, person.accountId, devices)
  if (own !== null) {
    await database.gate.query(prolong(keyring.hashes(own), keyring.hash(own), keyring.firstId))
    return [own, ...devices.filter((one) => one !== own)]
  }
  const secret = randomBytes(32).toString('base64url')
  await database.gate.query(insert(keyring.hash(secret), person.accountId, keyring.firstId))
  return [secret, ...devices].slice(0, IN_ONE_BROWSER)
}

/** The first of these secrets that is of a known device of this person, or null. */
export async function findDevice(
  { database, keyring }: Pick<Parts, 'database' | 'keyring'>,
  accountId: string,
  devices: readonly string[],
): Promise<string | null> {
  if (devices.length === 0) return null
  const hashes = devices.map((secret) => keyring.hashes(secret))
  const { rows } = await database.gate.query<{ hash: Buffer }>(find(accountId, hashes.flat()))
  const isKnown = (hash: Buffer) => rows.some((row) => row.hash.equals(hash))
  const index = hashes.findIndex((those) => those.some(isKnown))
  return devices[index] ?? null
}

const personOf = statement(
  'select user_id as "accountId" from sessions where secret_hash = any($1) and provider_id is null',
)

const find = statement(`
  select secret_hash as hash from known_devices
   where user_id = $1 and secret_hash = any($2) and expires_at > clock_now()`)

/** Under the first master key from now on. */
const prolong = statement(`
  update known_devices set expires_at = clock_now() + interval '${DEVICE_DAYS} days', secret_hash = $2, hashed_with = $3
   where secret_hash = any($1)`)

/** A person who never keeps a cookie does not fill the table. */
const insert = statement(`
  with former as (
    delete from known_devices
     where secret_hash in (select secret_hash from known_devices where user_id = $2
                            order by created_at desc offset ${OF_ONE_PERSON - 1}))
  insert into known_devices (secret_hash, user_id, hashed_with, created_at, expires_at)
  select $1, $2, $3, now, now + interval '${DEVICE_DAYS} days' from (select clock_now() as now) now`)
