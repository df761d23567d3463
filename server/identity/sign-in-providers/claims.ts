import * as oidc from 'openid-client'
import { z } from 'zod'
import { CALLBACK_PATH } from '../../../model/callback-path.ts'
import { statement } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import type { Parts } from '../../operation.ts'
import { NotFetched } from '../../outbound/outbound.ts'
import type { Begun } from './begun.ts'
import { clientAt, metadataOf } from './metadata.ts'
import { Stopped } from './stopped.ts'

/** What a provider says of who came, once every check held. */
export interface Claims {
  /** What the provider calls the person: never used for anybody else, and the only name that links. */
  readonly subject: string
  /** Null where it says none, or one that it has not verified. */
  readonly email: string | null
}

/**
 * Redeems what a browser brought back, and reads the token.
 *
 * Checked are the issuer in the answer (RFC 9207) and the state; the token's signature under a key of the
 * provider, its issuer, its audience and authorized party, that it has not expired, and the nonce.
 *
 * @throws {Stopped}
 */
export async function readClaims(parts: Parts, begun: Begun, answer: URLSearchParams): Promise<Claims> {
  const registered = await readRegistered(parts, begun)
  try {
    const metadata = await metadataOf(parts, registered.issuer)
    const client = clientAt(parts, metadata, { ...registered, now: begun.now })
    const tokens = await oidc.authorizationCodeGrant(
      client,
      new URL(`${parts.config.publicUrl}${CALLBACK_PATH}?${answer}`),
      {
        expectedState: answer.get('state')!,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.codeVerifier,
        idTokenExpected: true,
      },
    )
    const token = tokens.claims()!
    if (token.azp !== undefined && token.azp !== registered.clientId)
      throw new Error('a token of another client')
    if (!SUBJECT.test(token.sub)) throw new Error('a sub that is no name of anybody')
    const person: Record<string, unknown> =
      token.email === undefined && metadata.userinfo_endpoint !== undefined
        ? await oidc.fetchUserInfo(client, tokens.access_token, token.sub)
        : token
    return { subject: token.sub, email: emailIn(person) }
  } catch (error) {
    const stopped = stoppedBy(error)
    if (stopped.code !== 'cancelled')
      parts.log.warn({ err: error, providerId: begun.providerId }, 'a sign-in provider failed')
    throw stopped
  }
}

/** OpenID Connect Core 2; an empty one would be everybody's. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const email = z.email().max(254)

/** Some providers write booleans as text. One that says nothing is asked for the domain's proof all the same. */
function emailIn({ email: given, email_verified }: Record<string, unknown>): string | null {
  if (email_verified === false || email_verified === 'false') return null
  return email.safeParse(given).data ?? null
}

function stoppedBy(error: unknown): Stopped {
  if (error instanceof oidc.AuthorizationResponseError) return new Stopped('cancelled')
  if (fetchTrouble(error)) return new Stopped('provider_unreachable')
  return new Stopped('provider_failed')
}

/** The library wraps what its fetch throws. */
const fetchTrouble = (error: unknown): boolean =>
  error instanceof NotFetched || (error instanceof Error && error.cause instanceof NotFetched)

interface Registered {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

async function readRegistered(parts: Parts, { organizationId, providerId }: Begun): Promise<Registered> {
  const [row] = await transaction(parts.database.tenant, organizationId, (tx) =>
    tx.read<Omit<Registered, 'clientSecret'> & { cipher: Buffer }>(find(organizationId, providerId)),
  )
  if (!row) throw new Stopped('provider_off')
  const { cipher, ...registered } = row
  const secret = parts.keyring.open(cipher, 'providerClientSecret', [organizationId, providerId])
  return { ...registered, clientSecret: secret.toString('utf8') }
}

const find = statement(`
  select p.issuer, p.client_id as "clientId", p.client_secret_cipher as cipher
    from sign_in_providers p join organizations o on o.id = p.organization_id
   where p.organization_id = $1 and p.id = $2 and p.enabled and o.status = 'active'`)
