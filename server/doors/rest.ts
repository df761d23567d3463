import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Streamed } from '../bytes.ts'
import { call } from '../call.ts'
import type { Answer, AnyOperation, Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { admitBearer } from './bearer.ts'
import { inputReader } from './input.ts'
import { sendStream } from './streams.ts'
import type { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'

/**
 * The REST door: a route for each operation by `credential`. It reads who is calling and what is given, hands
 * both to call(), and turns the answer into status, headers and JSON. It holds no rule of its own.
 */
export function addRestRoutes(
  app: FastifyInstance,
  parts: Parts,
  operations: readonly AnyOperation[],
  unknownCredentials: UnknownCredentialLimiter,
): void {
  for (const operation of operations) {
    const read = inputReader(operation)
    const takesStream = operation.answers === 'stream'
    app.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: operation.name },
      // What is compressed has no length, and no part of it can be asked for.
      ...(takesStream ? { compress: false } : {}),
      handler: async (request, reply) => {
        const { caller } = await admitBearer(parts, unknownCredentials, 'rest', request, reply)
        const idempotencyKey = operation.method === 'POST' ? idempotencyKeyOf(request) : undefined
        const asked = { idempotencyKey, takesStream }
        const answered = await call(parts, caller, operation, await read(request), asked)
        if (answered.body instanceof Streamed) return sendStream(request, reply, answered.body)
        return answer(reply, answered)
      },
    })
  }
}

/** @throws {Refusal} `malformed_request` for one of another form */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal(
    'malformed_request',
    'An Idempotency-Key is 1 to 255 printable ASCII characters: choose another.',
  )
}

/** An answer of call() as status, headers and JSON. */
export function answer(reply: FastifyReply, { status, body, location }: Answer): FastifyReply {
  reply.code(status)
  if (location) reply.header('location', location)
  if (body === null) return reply.send()
  const version = (body as { version?: unknown } | null)?.version
  if (typeof version === 'number') reply.header('etag', `"${version}"`)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}
