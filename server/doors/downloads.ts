import type { FastifyInstance } from 'fastify'
import { Streamed } from '../bytes.ts'
import { call } from '../call.ts'
import { DOWNLOADS, followLink, invalidLink } from '../files/download-links.ts'
import { readSession } from '../identity/sessions.ts'
import type { Parts } from '../operation.ts'
import { sessionSecretOf } from './cookie.ts'
import { sendStream } from './streams.ts'

/**
 * Where links to bytes lead (files/download-links.ts). A link is its own credential, and the call that it was made for
 * is made again as whoever asked for it, by the same rights as ever.
 */
export function addDownloadRoutes(app: FastifyInstance, parts: Parts): void {
  app.route({
    method: 'GET',
    url: `/${DOWNLOADS}/:secret`,
    // HEAD would use the link up and show nothing for it.
    exposeHeadRoute: false,
    compress: false,
    handler: async (request, reply) => {
      const { secret } = request.params as { secret: string }
      if (!/^[\w-]{43}$/.test(secret)) throw invalidLink()
      const session = await readSession(parts, sessionSecretOf(request, parts.config), request)
      const { caller, operation, raw } = await followLink(parts, secret, session?.id ?? null)
      request.operation = operation.name
      const by = { ...caller, requestId: request.id, ip: request.ip }
      const { body } = await call(parts, by, operation, raw, { takesStream: true })
      if (!(body instanceof Streamed)) throw invalidLink()
      return sendStream(request, reply, body)
    },
  })
}
