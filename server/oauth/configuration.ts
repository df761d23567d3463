import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { SCOPES } from '../../model/scopes.ts'
import { newId } from '../database/ids.ts'
import type { Parts } from '../operation.ts'
import { clientFetches } from './budget.ts'
import { GRANT_TYPES, RESPONSE_TYPES, tidyMetadata } from './client-metadata.ts'
import type { CurrentSession } from './current-session.ts'
import { showError } from './error-answers.ts'
import { GRANT_DAYS } from './grant-days.ts'
import { cookieKeys, signingKeys } from './keys.ts'
import { errors, interactionPolicy, Provider } from './library.ts'
import type { RefreshChain } from './refresh-chain.ts'
import { isScope, resourceOf, resourcesOf } from './resource.ts'
import { consentPath, ROUTES } from './routes.ts'
import { isMember, isPerson, storageFor } from './storage.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DOCUMENT_AT_MOST = 5 * 1024
const KEYS_AT_MOST = 64 * 1024

/** The settings of oidc-provider; everything that is not said here and could be asked for is off. */
export function configurationFor(
  parts: Parts,
  currentSession: CurrentSession,
  chain: RefreshChain,
): Configuration {
  const { config, keyring, database } = parts
  const resources = resourcesOf(config)
  const fetches = clientFetches()
  const isSecure = config.publicUrl.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const
  const named = (name: string) => `${isSecure ? '__Secure-' : ''}plumbline_${name}`
  return {
    adapter: storageFor(parts),
    jwks: { keys: signingKeys(keyring) },
    cookies: {
      keys: cookieKeys(keyring),
      names: { session: named('oauth'), interaction: named('consent'), resume: named('resume') },
      long: { ...cookie, path: '/oauth' },
      short: cookie,
    },
    routes: ROUTES,
    responseTypes: [...RESPONSE_TYPES],
    scopes: ['offline_access'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      grant_types: [...GRANT_TYPES],
      id_token_signed_response_alg: 'ES256',
      response_types: [...RESPONSE_TYPES],
      token_endpoint_auth_method: 'client_secret_basic',
    },
    // The library calls this once for each of these names and takes what it leaves of the metadata.
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _name, _value, metadata) => tidyMetadata(metadata),
    },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      RefreshToken: 30 * DAY,
      Grant: GRANT_DAYS * DAY,
      Interaction: HOUR,
      Session: HOUR,
      IdToken: HOUR,
    },
    rotateRefreshToken: async (ctx) => {
      await chain.prepare(ctx, String(ctx.oidc.params?.refresh_token))
      return true
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // A client that ends any of its tokens ends what it was granted: nothing of it lives on unseen.
    revokeGrantPolicy: () => true,
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) ?? false,
    findAccount: async (_ctx, sub, token) => {
      const grantId = token && 'grantId' in token ? token.grantId : undefined
      const { rowCount } = await database.gate.query(grantId ? isMember(grantId, sub) : isPerson(sub))
      return rowCount ? { accountId: sub, claims: async () => ({ sub }) } : undefined
    },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId
      return id ? oidc.provider.Grant.find(id) : undefined
    },
    interactions: {
      policy: policyOf(currentSession),
      url: (_ctx, interaction) => consentPath(interaction.uid),
    },
    renderError: showError,
    // What a client says of itself and its keys: anybody may name an address, so each fetch is paid for.
    fetch: async (address, init) => {
      if (!fetches.spend(Provider.ctx?.ip ?? '')) throw new Error('too much is fetched for this address')
      return parts.outbound.fetch(String(address), {
        headers: Object.fromEntries(new Headers(init?.headers)),
        atMost: KEYS_AT_MOST,
        withinMs: 5_000,
      })
    },
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_AT_MOST, jwks_uri: KEYS_AT_MOST },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      // What a token is bound to would have to be asked at every call, and no client of agents sends it.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, idFactory: () => newId('client'), issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        // Asked with several, the library issues for one: both names open the same doors.
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? resourceOf(config),
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, indicator) => {
          if (!resources.includes(indicator)) throw new errors.InvalidTarget()
          refuseUnknownScopes(String(ctx.oidc.params?.scope ?? ''))
          return {
            scope: Object.keys(SCOPES).join(' '),
            audience: indicator,
            accessTokenFormat: 'opaque',
            accessTokenTTL: HOUR,
          }
        },
      },
    },
  }
}

/** Of OpenID Connect: clients send these to whoever they talk to. They mean nothing here and do no harm. */
const OF_OPENID = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/** @throws `invalid_scope`: the library would drop the word and say nothing */
function refuseUnknownScopes(asked: string): void {
  const unknown = asked.split(' ').find((word) => word !== '' && !isScope(word) && !OF_OPENID.has(word))
  if (unknown !== undefined) throw new errors.InvalidScope('there is no such scope', unknown)
}

/**
 * When a person has to be asked: always. The library could remember who signed in and what they agreed to, but
 * that memory would not end with our session, and a client that anybody can register deserves no silent yes
 * (security.md, T7). So each request needs an answer of its own, given by who is signed in to the web app
 * when it is given, and still is when the code is made.
 */
function policyOf(currentSession: CurrentSession) {
  const { Prompt, Check } = interactionPolicy
  const isSomebodyElse = async (ctx: KoaContextWithOIDC) => {
    const session = await currentSession(ctx.req)
    const approver = ctx.oidc.result?.login?.accountId
    if (approver !== undefined && approver === session?.accountId) return Check.NO_NEED_TO_PROMPT
    forgetPerson(ctx)
    return Check.REQUEST_PROMPT
  }
  const isUnanswered = ({ oidc }: KoaContextWithOIDC) => !oidc.result?.consent
  return [
    new Prompt(
      { name: 'login', requestable: false },
      new Check('no_session', 'a person has to sign in', 'login_required', isSomebodyElse),
    ),
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('unanswered', 'a person has to agree', 'consent_required', isUnanswered),
    ),
  ]
}

/** Takes the person out of the library's own session, which is to know nobody between two requests. */
export function forgetPerson({ oidc }: KoaContextWithOIDC): void {
  const session = oidc.session as Partial<Record<string, unknown>> | undefined
  if (session) for (const name of ['accountId', 'authorizations', 'loginTs']) delete session[name]
}
