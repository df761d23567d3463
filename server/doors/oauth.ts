import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Budget } from '../oauth/budget.ts'
import { refuseTooManyClients } from '../oauth/registrations.ts'
import { DISCOVERY, ROUTES } from '../oauth/routes.ts'
import type { Parts } from '../operation.ts'
import { Refusal, tooLarge } from '../refusal.ts'
import { readBytes } from './body.ts'
import { bodyFault, readAgain, withCanonicalResource } from './oauth/body.ts'
import { once } from './once.ts'

/** Anybody may send a request, and each is kept for an hour: so they are short, and few of one network. */
const REQUEST_AT_MOST = 8 * 1024
const REQUESTS_A_MINUTE = 150

/** A registration is a name and a few addresses. */
const REGISTRATION_AT_MOST = 16 * 1024

/** What the library would take at most. */
const FORM_AT_MOST = 56 * 1024

/**
 * The authorization server's paths. The library reads requests and writes answers by itself; before it does, the
 * request is told what it is on the outside (a Host header decides nothing), and the answer gets the headers
 * that all answers have.
 */
export function addOauthRoutes(app: FastifyInstance, parts: Parts, provider: () => Promise<Provider>): void {
  const { publicUrl } = parts.config
  const { protocol, host } = new URL(publicUrl)
  const responder = once(async () => (await provider()).callback())
  const handOver = async (
    request: FastifyRequest,
    reply: FastifyReply,
    raw: IncomingMessage = request.raw,
  ): Promise<void> => {
    const respond = await responder()
    const { headers } = request.raw
    headers['x-forwarded-proto'] = protocol.slice(0, -1)
    headers['x-forwarded-host'] = host
    headers['x-forwarded-for'] = request.ip
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value) reply.raw.setHeader(name, value)
    reply.hijack()
    void respond(raw, reply.raw)
  }
  /** Bodies are looked at before the library reads them, as those of all doors. */
  const handOverRead = async (
    request: FastifyRequest,
    reply: FastifyReply,
    limit: number,
  ): Promise<unknown> => {
    if (request.method !== 'POST') return handOver(request, reply)
    const bytes = await readBytes(request.raw, limit)
    const type = request.headers['content-type']
    const fault = bodyFault(type, bytes)
    if (fault === null)
      return handOver(
        request,
        reply,
        readAgain(request.raw, withCanonicalResource(type, bytes, parts.config)),
      )
    return reply.code(400).send({ error: 'invalid_request', error_description: fault })
  }

  const requests = new Budget(REQUESTS_A_MINUTE, Number.POSITIVE_INFINITY)
  app.get(ROUTES.authorization, async (request, reply) => {
    if (request.url.length > REQUEST_AT_MOST)
      throw new Refusal('malformed_request', 'The request of the app is too long: it has to send less.')
    if (!requests.spend(request.ip)) throw tooMany(requests.wait)
    return handOver(request, reply)
  })
  app.get(`${ROUTES.authorization}/:uid`, async (request, reply) => handOver(request, reply))

  app.post(ROUTES.registration, async (request, reply) => {
    if (Number(request.headers['content-length'] ?? Number.NaN) > REGISTRATION_AT_MOST)
      throw tooLarge(REGISTRATION_AT_MOST)
    reply.header('access-control-allow-origin', '*')
    await refuseTooManyClients(parts, request.ip)
    return handOverRead(request, reply, REGISTRATION_AT_MOST)
  })
  app.options(ROUTES.registration, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', 'content-type, mcp-protocol-version')
      .header('access-control-max-age', '3600')
      .code(204)
      .send(),
  )

  for (const path of [ROUTES.token, ROUTES.revocation])
    app.route({
      method: ['POST', 'OPTIONS'],
      url: path,
      handler: async (request, reply) => handOverRead(request, reply, FORM_AT_MOST),
    })
  for (const path of [ROUTES.jwks, ...DISCOVERY])
    app.route({
      method: ['GET', 'OPTIONS'],
      url: path,
      handler: async (request, reply) => handOver(request, reply),
    })
}

const tooMany = (retryAfter: number): Refusal =>
  new Refusal('rate_limited', `Too many apps asked from this address: wait ${retryAfter} seconds.`, {
    retryAfter,
  })
