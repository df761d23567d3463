import type { FastifyInstance } from 'fastify'
import { resourceMetadata } from '../access/oauth/resource.ts'
import type { Parts } from '../operation.ts'

/** Where a client learns who gives tokens for the resource (RFC 9728); both say the same. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

export function addWellKnownRoutes(app: FastifyInstance, { config }: Parts): void {
  const document = JSON.stringify(resourceMetadata(config))
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/v1/mcp`])
    app.get(path, async (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .send(document),
    )
}
