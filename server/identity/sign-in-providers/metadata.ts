import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import type { Parts } from '../../operation.ts'
import { NotFetched } from '../../outbound/outbound.ts'

/**
 * What a provider says of itself (OpenID Connect Discovery 1.0), and the client that we are there.
 *
 * The issuer must be, byte by byte, the one that the organization named. Libraries make an exception for
 * issuers that stand for every customer of a large service: there anybody with an account anywhere could
 * come in as whoever they say they are. So there is none here.
 */
export type Metadata = Pick<oidc.ServerMetadata, (typeof OF_USE)[number]>

/** The rest is not kept: it could be anything, and of any size. */
const OF_USE = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
] as const

/** Why a provider cannot be used; the words complete "the provider …". */
export class Unusable extends Error {
  override name = 'Unusable'
}

const KEPT_MS = 5 * 60_000
const MOST_KEPT = 1_000
const kept = new LRUCache<string, Metadata>({ max: MOST_KEPT, ttl: KEPT_MS })

/**
 * The metadata of an issuer, not older than five minutes.
 * @param issuer as the provider writes it
 * @throws {Unusable | NotFetched}
 */
export async function metadataOf(parts: Parts, issuer: string): Promise<Metadata> {
  const known = kept.get(issuer)
  if (known) return known
  const metadata = await discover(parts, issuer)
  if (metadata.issuer !== issuer) throw new Unusable(`now calls itself ${metadata.issuer}`)
  kept.set(issuer, metadata)
  return metadata
}

/**
 * Asks a provider now.
 * @param issuer as somebody typed it; a slash more or less at the end is mended
 * @returns metadata whose `issuer` is what to keep
 * @throws {Unusable | NotFetched}
 */
export async function discover(parts: Parts, issuer: string): Promise<Metadata> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await parts.outbound.fetch(address, {
    headers: { accept: 'application/json' },
    atMost: 64 * 1024,
  })
  if (answer.status !== 200) throw new Unusable(`answers ${answer.status} at ${address}`)
  const metadata = (await answer.json().catch(() => null)) as Metadata | null
  if (typeof metadata?.issuer !== 'string') throw new Unusable(`has no OpenID configuration at ${address}`)
  if (metadata.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
    throw new Unusable(`calls itself ${metadata.issuer.slice(0, 200)}: give that as the issuer`)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!isHttps(metadata[name])) throw new Unusable(`has no ${name} with https`)
  return Object.fromEntries(OF_USE.map((name) => [name, metadata[name]])) as unknown as Metadata
}

export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  /** The database's clock, by which tokens are judged. */
  readonly now: string
}

/** The client that an organization registered, for one sign-in. */
export function clientAt(parts: Parts, metadata: Metadata, { clientId, clientSecret, now }: Client) {
  const skew = Math.round((Date.parse(now) - Date.now()) / 1000)
  const methods = metadata.token_endpoint_auth_methods_supported
  const authentication = methods?.includes('client_secret_post')
    ? oidc.ClientSecretPost(clientSecret)
    : oidc.ClientSecretBasic(clientSecret)
  const client = new oidc.Configuration(metadata, clientId, { [oidc.clockSkew]: skew }, authentication)
  client[oidc.customFetch] = (address, { method, headers, body }) =>
    parts.outbound.fetch(address, { method, headers, ...(body ? { body: body as string } : {}) })
  // TLS alone would do for a token that comes from the token endpoint; its signature is asked for all the same.
  oidc.enableNonRepudiationChecks(client)
  return client
}

/** The browser is sent there, so nothing but a plain https address will do. */
function isHttps(address: unknown): boolean {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/** What went wrong with a provider, in words for an admin; null where it was something else. */
export function troubleWith(error: unknown): string | null {
  if (error instanceof Unusable) return error.message
  if (!(error instanceof NotFetched)) return null
  return TROUBLES[error.why]
}

/** The first two are one, so that an issuer tells nothing of which names there are inside. */
const TROUBLES: Record<NotFetched['why'], string> = {
  not_public: 'cannot be reached at a public https address',
  unreachable: 'cannot be reached at a public https address',
  too_slow: 'does not answer in time',
  too_large: 'answers more than its configuration can be',
  too_many: 'could not be asked just now: try again',
}
