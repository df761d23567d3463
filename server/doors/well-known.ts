import type { FastifyInstance } from 'fastify'
import { RESOURCES, resourceMetadata, resourceOf } from '../oauth/resource.ts'
import type { Parts } from '../operation.ts'

/** Where a client learns who gives tokens for a resource (RFC 9728): before its path. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

export function addWellKnownRoutes(app: FastifyInstance, { config }: Parts): void {
  // A document names the very resource it was asked for, slash and all: clients refuse another (RFC 9728, 3.3).
  const resources = RESOURCES.flatMap((path) => [path, `${path}/`]).map(
    (path) => [path, `${config.publicUrl}${path}`] as const,
  )
  for (const [path, resource] of [['', resourceOf(config)] as const, ...resources]) {
    const document = JSON.stringify(resourceMetadata(config, resource))
    app.get(`${RESOURCE_METADATA}${path}`, async (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .send(document),
    )
  }
}
