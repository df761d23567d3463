import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { call } from '../call.ts'
import type { Caller } from '../caller/caller.ts'
import { networkOf } from '../caller/network-of.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { callerOfSession, type Session } from '../caller/session.ts'
import type { Config } from '../config.ts'
import type { AnySessionAct } from '../identity/sessions/session-act.ts'
import { readSession } from '../identity/sessions.ts'
import { rememberDevice } from '../identity/sign-in/known-devices.ts'
import { parseInput } from '../input.ts'
import { noteLimited } from '../journal/denied.ts'
import type { AnyOperation, Parts } from '../operation.ts'
import { projectedBy } from '../output.ts'
import { invalid, Refusal } from '../refusal.ts'
import { sessionActs } from '../session-acts.ts'
import { readJson } from './body.ts'
import {
  deviceSecretsOf,
  sessionSecretOf,
  setDeviceCookie,
  setProviderCookie,
  setSessionCookie,
} from './cookie.ts'
import { answer, idempotencyKeyOf } from './rest.ts'
import type { WebRateLimiter } from './web/rate-limiter.ts'

/**
 * The web app's own door: `POST /web/{name}` with the flat input as JSON, for every operation of the list and
 * every session act. It takes the cookie of a session and no other credential, as the doors for programs
 * take no cookie: so nothing that a browser sends by itself ever opens one of those.
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
    app.post(`/web/${operation.name}`, named(operation), async (request, reply) => {
      refuseCrossSite(request, parts.config)
      const session = await sessionOf(parts, request)
      if (!session) throw signedOut()
      const caller = callerOfSession(session, requestContextOf(request))
      keepWithinRate(parts, rateLimiter, caller)
      const once = operation.writes === false ? undefined : idempotencyKeyOf(request)
      const input = await objectOf(request, operation.bodyAtMost)
      return answer(reply, await call(parts, caller, operation, input, once))
    })
  for (const act of Object.values(sessionActs) as AnySessionAct[])
    app.post(`/web/${act.name}`, named(act), async (request, reply) => {
      refuseCrossSite(request, parts.config)
      const session = await sessionOf(parts, request)
      if (!session && act.asks === 'session') throw signedOut()
      if (session) rateLimiter.ofSession(session.id)
      else rateLimiter.ofAddress(request.ip)
      const input = parseInput(act, await objectOf(request))
      const devices = deviceSecretsOf(request, parts.config)
      const requestContext = { ...requestContextOf(request), devices }
      const outcome = await act.run({ parts, requestContext, session: session! }, input)
      if (outcome.cookie !== undefined) setSessionCookie(reply, parts.config, outcome.cookie)
      if (outcome.cookie)
        setDeviceCookie(reply, parts.config, await rememberDevice(parts, outcome.cookie, devices))
      if (outcome.providerCookie) setProviderCookie(reply, parts.config, outcome.providerCookie)
      return show(reply, projectedBy(act.output)(outcome.body))
    })
}

const named = ({ name }: { readonly name: string }) => ({ config: { operation: name } })

function keepWithinRate(parts: Parts, rateLimiter: WebRateLimiter, caller: Caller): void {
  try {
    rateLimiter.ofSession(caller.credential.id)
  } catch (error) {
    noteLimited(parts, caller, networkOf(caller.ip ?? 'none'))
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

export const signedOut = (): Refusal =>
  new Refusal('credential_missing', 'Nobody is signed in here, or not any more: sign in.')

/** The JSON object that a call of the web app sent. */
export async function objectOf(request: FastifyRequest, limit?: number): Promise<Record<string, unknown>> {
  const body = (await readJson(request.raw, limit)) ?? {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({ path: '(body)', message: 'send the input as a JSON object, such as {}' })
  return body as Record<string, unknown>
}

export const show = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
