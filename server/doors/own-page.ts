import type { FastifyRequest } from 'fastify'
import type { RequestContext } from '../caller/request-context.ts'
import type { Config } from '../config.ts'
import type { AnyOperation } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { readJson } from './body.ts'

/* What the doors for browsers ask of every call: that a page of ours makes it, and JSON that is an object. */

/**
 * Asserts that a call comes from a page of ours.
 * @throws {Refusal} `cross_site`; `unsupported_media_type` for what a form could send
 */
export function refuseCrossSite(
  { headers }: FastifyRequest,
  { publicUrl }: Config,
  { takes }: AnyOperation,
): void {
  const site = headers['sec-fetch-site']
  if (headers.origin !== publicUrl || (site !== undefined && site !== 'same-origin'))
    throw new Refusal('cross_site', `Only pages of ${publicUrl} may call this: open the web app there.`)
  const type = headers['content-type'] ?? ''
  if (takes.types ? OF_FORMS.test(type) || type === '' : !/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal(
      'unsupported_media_type',
      `Send the input with Content-Type: ${takes.types?.join(' or ') ?? 'application/json'}.`,
    )
}

/** What a form of another site can send, and a page of it without being asked first. */
const OF_FORMS = /^\s*(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i

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
