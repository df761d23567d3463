import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { call } from '../call.ts'
import type { Caller } from '../caller/caller.ts'
import { networkOf } from '../caller/network-of.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { callerOfSession, type Session, signedOut } from '../caller/session.ts'
import type { Config } from '../config.ts'
import { readSession } from '../identity/sessions.ts'
import { noteLimited } from '../journal/denied.ts'
import type { AnyOperation, Browser, Parts } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { readJson } from './body.ts'
import { deviceSecretsOf, sessionSecretOf, setCookies } from './cookie.ts'
import { answer, idempotencyKeyOf } from './rest.ts'
import type { WebRateLimiter } from './web/rate-limiter.ts'

/**
 * The web app's own door: `POST /web/{name}` with the flat input as JSON, for every operation of the list. It takes
 * the cookie of a session and no other credential, as the doors for programs take no cookie: so nothing that a
 * browser sends by itself ever opens one of those.
 *
 * Every call, even one that only reads, must come from a page of ours: a browser says so in `Origin`, which
 * no page can forge, and the JSON content type is one that no form can send.
 */
export function addWebRoutes(
  app: FastifyInstance,
  parts: Parts,
  operations: readonly AnyOperation[],
  rateLimiter: WebRateLimiter,
): void {
  for (const operation of operations)
    app.post(`/web/${operation.name}`, { config: { operation: operation.name } }, async (request, reply) => {
      refuseCrossSite(request, parts.config)
      const browser = await browserOf(parts, request, operation)
      keepWithinRate(parts, rateLimiter, browser)
      const by = operation.by === 'credential' ? callerOf(browser) : browser
      const takesKey = operation.by === 'credential' && operation.writes !== false
      const once = takesKey ? idempotencyKeyOf(request) : undefined
      const input = await objectOf(request, operation.bodyAtMost)
      const answered = await call(parts, by, operation, input, once)
      if (answered.cookies) setCookies(reply, parts.config, answered.cookies)
      return answer(reply, answered)
    })
}

/** @throws {Refusal} `credential_missing` where the operation is not for anybody */
async function browserOf(parts: Parts, request: FastifyRequest, { by }: AnyOperation): Promise<Browser> {
  const session = await sessionOf(parts, request)
  if (!session && by !== 'anybody') throw signedOut()
  const requestContext = requestContextOf(request)
  if (by === 'credential') return { requestContext, session }
  return { requestContext: { ...requestContext, devices: deviceSecretsOf(request, parts.config) }, session }
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

/**
 * Asserts that a call comes from a page of ours.
 * @throws {Refusal} `cross_site`; `unsupported_media_type` for what a form could send
 */
export function refuseCrossSite({ headers }: FastifyRequest, { publicUrl }: Config): void {
  const site = headers['sec-fetch-site']
  if (headers.origin !== publicUrl || (site !== undefined && site !== 'same-origin'))
    throw new Refusal('cross_site', `Only pages of ${publicUrl} may call this: open the web app there.`)
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new Refusal('unsupported_media_type', 'Send the input as JSON: Content-Type: application/json.')
}

/** Who is signed in in the browser that asks, or null. */
export function sessionOf(parts: Parts, request: FastifyRequest): Promise<Session | null> {
  return readSession(parts, sessionSecretOf(request, parts.config), request)
}

/** How a call of the web app came. */
export function requestContextOf(request: FastifyRequest): RequestContext {
  const userAgent = request.headers['user-agent']
  return {
    channel: 'ui',
    requestId: request.id,
    ip: request.ip,
    ...(userAgent ? { userAgent: userAgent.slice(0, 500) } : {}),
  }
}

/** The JSON object that a call of the web app sent. */
export async function objectOf(request: FastifyRequest, limit?: number): Promise<Record<string, unknown>> {
  const body = (await readJson(request.raw, limit)) ?? {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({ path: '(body)', message: 'send the input as a JSON object, such as {}' })
  return body as Record<string, unknown>
}

export const show = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
