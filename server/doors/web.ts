import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { call } from '../call.ts'
import type { Caller } from '../caller/caller.ts'
import { networkOf } from '../caller/network-of.ts'
import { callerOfSession, signedOut } from '../caller/session.ts'
import type { Config } from '../config.ts'
import { readSession } from '../identity/sessions.ts'
import { noteLimited } from '../journal/denied.ts'
import type { AnyOperation, Browser, Parts } from '../operation.ts'
import { deviceSecretsOf, providerSecretOf, sessionSecretOf, setCookies } from './cookie.ts'
import { addParameters, inputReader, namesInPath } from './input.ts'
import { objectOf, refuseCrossSite, requestContextOf } from './own-page.ts'
import { answer, idempotencyKeyOf } from './rest.ts'
import { pendingConsentOf } from './web/pending-consent.ts'
import type { WebRateLimiter } from './web/rate-limiter.ts'

/**
 * The web app's own door: `POST /web/{name}` with the flat input as JSON, for every operation of the list but those
 * of guests (guest.ts); those for browsers may have a path of their own. It takes the cookie of a session and no other credential, as the doors for
 * programs take no cookie: so nothing that a browser sends by itself ever opens one of those.
 *
 * Every call, even one that only reads, must come from a page of ours: a browser says so in `Origin`, which
 * no page can forge, and the JSON content type is one that no form can send. Only what answers with a redirect is
 * reached from elsewhere: its input is the query, as it came. What takes bytes has the rest of its input in the query.
 *
 * @param authorizationServer whose requests people are asked about
 */
export function addWebRoutes(
  app: FastifyInstance,
  parts: Parts,
  operations: readonly AnyOperation[],
  rateLimiter: WebRateLimiter,
  authorizationServer: () => Promise<Provider>,
): void {
  for (const operation of operations) {
    const read = readerOf(operation, parts.config)
    app.route({
      method: operation.by === 'credential' ? 'POST' : operation.method,
      url: webPathOf(operation).replace(/\{(\w+)\}/g, ':$1'),
      // HEAD would use up an answer and show nothing for it.
      exposeHeadRoute: false,
      config: { operation: operation.name, takesAnyQuery: operation.answers === 'redirect' },
      handler: async (request, reply) => {
        const input = read(request)
        const browser = await browserOf(parts, request, reply, operation, authorizationServer)
        keepWithinRate(parts, rateLimiter, browser)
        const by = operation.by === 'credential' ? callerOf(browser) : browser
        const takesKey = operation.by === 'credential' && operation.writes !== false && !operation.takes.types
        const idempotencyKey = takesKey ? idempotencyKeyOf(request) : undefined
        const answered = await call(parts, by, operation, await input(), { idempotencyKey })
        if (answered.cookies) setCookies(reply, parts.config, answered.cookies)
        return answer(reply, answered)
      },
    })
  }
}

/** Where the web app calls an operation. */
export const webPathOf = ({ by, name, path }: AnyOperation): string =>
  by === 'credential' ? `/web/${name}` : path

/** How the input is read; before anything of it is, that the request comes from where it may. */
function readerOf(operation: AnyOperation, config: Config) {
  const inPath = operation.by === 'credential' ? [] : namesInPath(operation.path)
  const readBytes = inputReader(operation, inPath)
  return (request: FastifyRequest): (() => Promise<Record<string, unknown>>) => {
    if (operation.answers === 'redirect') {
      const [, query = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
      return async () => ({ query })
    }
    refuseCrossSite(request, config, operation)
    if (operation.takes.types) return async () => readBytes(request)
    return async () => {
      const input = await objectOf(request, operation.takes.bytes)
      addParameters(inPath, request.params as Record<string, string>, input)
      return input
    }
  }
}

/** @throws {Refusal} `credential_missing` where the operation is not for anybody */
async function browserOf(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  { by }: AnyOperation,
  authorizationServer: () => Promise<Provider>,
): Promise<Browser> {
  const session = await readSession(parts, sessionSecretOf(request, parts.config), request)
  if (!session && by !== 'anybody') throw signedOut()
  const requestContext = requestContextOf(request)
  const pendingConsent = async (uid: string) =>
    pendingConsentOf(await authorizationServer(), uid, request.raw, reply.raw)
  if (by === 'credential') return { requestContext, session, pendingConsent }
  const devices = deviceSecretsOf(request, parts.config)
  const providerSecret = providerSecretOf(request, parts.config)
  return { requestContext: { ...requestContext, devices }, session, providerSecret, pendingConsent }
}

const callerOf = ({ session, requestContext }: Browser): Caller => callerOfSession(session!, requestContext)

function keepWithinRate(parts: Parts, rateLimiter: WebRateLimiter, browser: Browser): void {
  const { session, requestContext } = browser
  if (!session) {
    rateLimiter.ofAddress(requestContext.ip!)
    return
  }
  try {
    rateLimiter.ofSession(session.id)
  } catch (error) {
    noteLimited(parts, callerOf(browser), networkOf(requestContext.ip ?? 'none'))
    throw error
  }
}
