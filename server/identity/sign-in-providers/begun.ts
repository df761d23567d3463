import { createHash, randomBytes } from 'node:crypto'
import { statement } from '../../database/connect.ts'
import { gateTransaction } from '../../database/transaction.ts'
import type { Parts } from '../../operation.ts'

/**
 * A sign-in between its two halves: a browser was sent to a provider, and has to come back with what it was
 * given (RFC 6749 10.12, RFC 7636, OpenID Connect Core 3.1.2.1).
 *
 * The browser alone holds a secret, in a cookie for ten minutes. From it come the code verifier and the nonce,
 * so neither is kept anywhere; of the secret and of the state a keyed hash is kept. An answer counts once, and
 * only together with the cookie: an answer meant for one browser is worth nothing in another, which is what
 * stands against somebody who sends their own sign-in to a stranger.
 */
const MINUTES = 10

export interface NewBegun {
  readonly organizationId: string
  readonly providerId: string
  /** Of who links an identity; null where somebody signs in. */
  readonly sessionId: string | null
  readonly returnTo: string
}

export interface Begun extends NewBegun {
  /** The database's clock. */
  readonly now: string
  readonly codeVerifier: string
  readonly nonce: string
}

/** @returns the secret for the browser's cookie, and the state, verifier and nonce for the provider's address */
export async function begin(parts: Parts, { organizationId, providerId, sessionId, returnTo }: NewBegun) {
  const secret = randomBytes(32).toString('base64url')
  const state = randomBytes(32).toString('base64url')
  const [stateHash, browserHash] = [parts.keyring.hash(state), parts.keyring.hash(secret)]
  await parts.database.gate.query(
    insert(stateHash, browserHash, organizationId, providerId, sessionId, returnTo),
  )
  return { secret, state, ...derivedFrom(secret) }
}

/**
 * Takes up what a browser comes back with; the second time there is nothing.
 * @returns null for a state that is unknown, used, too old, or of another browser
 */
export async function takeBegun(
  parts: Parts,
  state: string | null,
  secret: string | undefined,
): Promise<Begun | null> {
  if (!state || !secret || !FORM.test(state) || !FORM.test(secret)) return null
  const hashes = [parts.keyring.hashes(state), parts.keyring.hashes(secret)]
  // Not by the gate's own pool: that it was used must not be forgotten.
  const [row] = await gateTransaction(parts.database.tenant, (tx) =>
    tx.readAsGate<Omit<Begun, 'codeVerifier' | 'nonce'>>(take(...hashes)),
  )
  return row ? { ...row, ...derivedFrom(secret) } : null
}

const FORM = /^[\w-]{43}$/

function derivedFrom(secret: string) {
  const derive = (what: string) => createHash('sha256').update(`${what} ${secret}`).digest('base64url')
  return { codeVerifier: derive('code verifier'), nonce: derive('nonce') }
}

const insert = statement(`
  insert into sign_ins_begun (state_hash, browser_hash, organization_id, provider_id, session_id, return_to,
    created_at, expires_at)
  select $1, $2, $3, $4, $5, $6, now, now + interval '${MINUTES} minutes' from (select clock_now() as now) now`)

const take = statement(`
  delete from sign_ins_begun
   where state_hash = any($1) and browser_hash = any($2) and expires_at > clock_now()
  returning organization_id as "organizationId", provider_id as "providerId", session_id as "sessionId",
            return_to as "returnTo", clock_now() as now`)
