import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyOperation, Parts } from '../operation.ts'
import { openToPrograms } from '../operations.ts'
import { type Code, Refusal } from '../refusal.ts'
import { admitBearer } from './bearer.ts'
import { readJson } from './body.ts'
import { BOTH_FORMS, inAcceptedForm } from './mcp/accepted.ts'
import type { Exchange, Serve } from './mcp/exchange.ts'
import { refuseForeign } from './mcp/gate.ts'
import { clientName, readMessage } from './mcp/message.ts'
import { toolsOf } from './mcp/tools.ts'
import { readView, toolsetOf } from './mcp/toolsets.ts'
import { once } from './once.ts'
import { problemOf } from './problem.ts'
import { readQuery } from './query.ts'
import type { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'

/*
 * The MCP door: `POST /v1/mcp`, where every operation that REST offers to programs is reached by one tool: of the same
 * name, or one for all kinds (mcp/tools.ts). It holds no rule of its own: the same admission and the same limit as REST
 * (one HTTP request is one call), the same call(), the same answers. The protocol is its library's (mcp/server.ts).
 *
 * What is ours on this path answers as JSON-RPC errors, beside the HTTP status and headers that REST would give: a
 * client that meets another body takes us for a server of an older protocol and falls back to that.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once its body was JSON; the id of the message, where it has one. */
    rpc: { readonly id: string | number | null } | null
  }
}

const PATH = '/v1/mcp'

/** @param serve what answers instead of the tools, once a message has passed the gate */
export function addMcpRoutes(
  app: FastifyInstance,
  parts: Parts,
  operations: readonly AnyOperation[],
  unknownCredentials: UnknownCredentialLimiter,
  serve?: Serve,
): void {
  const callable = openToPrograms(operations)
  const toolsets = [...new Set(callable.map(toolsetOf))]
  const bodyAtMost = Math.max(...callable.map(({ takes }) => takes.bytes))
  // The library of the protocol is large, and the tools take long to make: both wait for the first agent that comes.
  const answerer = once(async () => {
    if (serve) return serve
    const { serveTools } = await import('./mcp/server.ts')
    return serveTools(parts, operations, toolsOf(operations))
  })

  app.register(
    async (scope) => {
      scope.decorateRequest('rpc', null)
      scope.setErrorHandler((error, request, reply) => refuse(app, parts, request, reply, error))
      scope.setNotFoundHandler((request, reply) => {
        if (![PATH, `${PATH}/`].includes(request.url.split('?', 1)[0]!))
          throw new Refusal('not_found', `The tools are at ${PATH}.`)
        reply.header('allow', 'POST')
        throw new Refusal('method_not_allowed', 'This path takes POST: each message is a request of its own.')
      })
      scope.post('/', { prefixTrailingSlash: 'both' }, async (request, reply) => {
        refuseForeign(request, parts.config)
        const { caller } = await admitBearer(parts, unknownCredentials, 'mcp', request, reply)
        const view = readView(readQuery(request.raw.url ?? ''), toolsets)
        const body = await readJson(request.raw, bodyAtMost)
        request.rpc = { id: null }
        const message = readMessage(body)
        request.rpc = message
        const client = message.client ?? clientName(caller.userAgent ?? '')
        const ended: { error: unknown }[] = []
        const exchange: Exchange = {
          caller: client === null ? caller : { ...caller, client },
          view,
          input: message.input,
          named: (operation, tool) => {
            request.operation = operation
            request.tool = tool
          },
          refused: ({ code }) => {
            request.refused = code
          },
          end: (error) => ended.push({ error }),
        }
        const answerTo = await answerer()
        const whole = await answerTo(webRequestOf(request, parts.config.publicUrl), message.body, exchange)
        if (ended[0]) throw ended[0].error
        const answer = inAcceptedForm(whole, request.headers.accept)
        // Null would be written out as JSON.
        return reply
          .code(answer.status)
          .headers(answer.headers)
          .send(answer.body ?? undefined)
      })
    },
    { prefix: PATH },
  )
}

/** What the protocol library looks at: the message itself it is given parsed. */
function webRequestOf({ raw }: FastifyRequest, publicUrl: string): Request {
  // The library insists on both forms; mcp/accepted.ts gives the answer the form that the client takes.
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: BOTH_FORMS }
  for (const [name, value] of Object.entries(raw.headers))
    if (typeof value === 'string' && name.startsWith('mcp-')) headers[name] = value
  return new Request(`${publicUrl}${PATH}`, { method: 'POST', headers })
}

/** Of JSON-RPC 2.0, 5.1; what has no number there gets the first that is for servers to give. */
function numberOf(code: Code, isParsed: boolean): number {
  if (code === 'malformed_request') return isParsed ? -32600 : -32700
  if (code === 'validation_failed') return -32602
  return code === 'internal' ? -32603 : -32000
}

/** `data` is the problem as REST tells it. */
function refuse(
  app: FastifyInstance,
  { config }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const refusal = app.answerRefusal(request, reply, error)
  const { code, message } = refusal
  const number = numberOf(code, request.rpc !== null)
  const data = problemOf(refusal, request.id, config.publicUrl)
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({ jsonrpc: '2.0', id: request.rpc?.id ?? null, error: { code: number, message, data } }),
    )
}
