import type { KoaContextWithOIDC, Provider as OauthServer } from 'oidc-provider'
import { SCOPES } from '../../model/scopes.ts'
import type { Config } from '../config.ts'
import { isAway } from '../database/errors.ts'
import type { Parts } from '../operation.ts'
import { configurationFor, forgetPerson } from './configuration.ts'
import type { CurrentSession } from './current-session.ts'
import { keepErrorsHere } from './error-answers.ts'
import { Provider } from './library.ts'
import { RefreshChain } from './refresh-chain.ts'
import { canonicalResource, FIRST_SCOPES, isScope } from './resource.ts'
import { DISCOVERY, ROUTES } from './routes.ts'

/**
 * The authorization server: OAuth 2.1 for programs that people let in.
 *
 * oidc-provider speaks the protocol; it is certified, and nothing of the protocol is ours. What is ours is where
 * it keeps things (oauth/storage.ts), what it may do (oauth/configuration.ts), and whom it asks: a person in
 * the web app, on a page of their own (consent.ts). Tokens are opaque: what one is worth is decided at each call
 * from the app it belongs to and the role of its person (admission.ts), so nothing that was issued has to be
 * called back.
 *
 * The middleware here bends requests of clients as they are towards what the library takes.
 */
export function openOauth(parts: Parts, currentSession: CurrentSession): OauthServer {
  const { config, log } = parts
  const chain = new RefreshChain(parts)
  const provider = new Provider(config.publicUrl, configurationFor(parts, currentSession, chain))
  chain.give(provider)
  // Scheme, host and address are what the door says (doors/oauth.ts), never what a client does.
  provider.proxy = true
  // What fails is told below, in the log and not on standard error.
  provider.silent = true
  const withoutDatabase = new WeakSet<object>()
  provider.on('server_error', (ctx, err) => {
    if (isAway(err)) withoutDatabase.add(ctx)
    log.error({ err }, 'the OAuth server failed')
  })
  provider.on('authorization.success', (ctx) => forgetPerson(ctx))
  provider.use(async (ctx, next) => {
    if (ctx.path === ROUTES.authorization) askForSomething(ctx as KoaContextWithOIDC, config)
    try {
      await next()
    } catch (err) {
      if (isAway(err)) withoutDatabase.add(ctx)
      // Left to the framework below, the answer would lose its headers.
      log.error({ err }, 'the OAuth server failed')
      ctx.status = 500
      ctx.body = { error: 'server_error', error_description: 'This is a fault of the service.' }
    }
    if (withoutDatabase.has(ctx)) comeAgain(ctx)
    if ((DISCOVERY as readonly string[]).includes(ctx.path)) tellWhatWeDo(ctx as KoaContextWithOIDC)
  })
  keepErrorsHere(provider, parts, currentSession)
  return provider
}

/** As every other door says it: no fault that one has to report, and good in a moment. */
function comeAgain(ctx: Pick<KoaContextWithOIDC, 'status' | 'body' | 'set'>): void {
  ctx.status = 503
  ctx.set('retry-after', '2')
  if (typeof ctx.body === 'object')
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'The database cannot be reached just now: try again in a moment.',
    }
}

/** What OpenID Connect adds to a request. We make no ID tokens; the library would refuse these without. */
const OF_OPENID = ['nonce', 'max_age', 'acr_values', 'claims', 'claims_locales', 'id_token_hint']

/**
 * A request that names no scope of ours would be refused as one that wants nothing. Clients that know no better
 * send none, or those of OpenID Connect: they get the first scopes offered. The resource is named as we write it.
 */
function askForSomething(ctx: KoaContextWithOIDC, config: Config): void {
  const { scope = '', ...query } = ctx.query
  if (query.resource !== undefined)
    query.resource = [query.resource].flat().map((one) => canonicalResource(config, one))
  if (Array.isArray(scope)) return
  const words = scope.split(' ').filter((word) => word !== '' && word !== 'openid')
  const asked = words.some(isScope) ? words : [...FIRST_SCOPES, ...words]
  for (const name of OF_OPENID) delete query[name]
  ctx.query = { ...query, scope: asked.join(' ') }
}

/** The library tells of what it could do; clients look for the scopes of the resource, and believe the rest. */
function tellWhatWeDo(ctx: KoaContextWithOIDC): void {
  const metadata = ctx.body as Record<string, unknown> | undefined
  if (!metadata) return
  metadata.scopes_supported = [...Object.keys(SCOPES), 'offline_access']
  metadata.response_modes_supported = ['query']
  // RFC 8414 takes client_secret_basic where nothing is said; ours are mostly public and have no secret.
  metadata.revocation_endpoint_auth_methods_supported = metadata.token_endpoint_auth_methods_supported
  metadata.revocation_endpoint_auth_signing_alg_values_supported =
    metadata.token_endpoint_auth_signing_alg_values_supported
}
