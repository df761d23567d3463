import type { FastifyInstance } from 'fastify'
import { readSession } from '../identity/sessions.ts'
import type { Parts } from '../operation.ts'
import { operationsBy } from '../operations.ts'
import { addCalendarRoutes } from './calendars.ts'
import { secretIn } from './cookie.ts'
import { addDocsRoutes } from './docs.ts'
import { addDownloadRoutes } from './downloads.ts'
import { addGuestRoutes } from './guest.ts'
import { addHealthRoutes, type Readiness } from './health.ts'
import { openHttp } from './http.ts'
import { addMcpRoutes } from './mcp.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { addOauthRoutes } from './oauth.ts'
import { once } from './once.ts'
import { addRestRoutes } from './rest.ts'
import { assertServable } from './servable.ts'
import { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'
import { addUnsubscribeRoutes } from './unsubscribe.ts'
import { WebRateLimiter } from './web/rate-limiter.ts'
import { addWebRoutes } from './web.ts'
import { addWebAppRoutes } from './web-app.ts'
import { addWellKnownRoutes } from './well-known.ts'

/** Every door of one process, on one HTTP server that does not listen yet. A worker has only its health. */
export async function openDoors(
  parts: Parts,
  readiness: Readiness = { draining: false },
  metrics: Metrics = openMetrics(parts),
): Promise<FastifyInstance> {
  assertServable(parts.operations)
  const app = await openHttp(parts, metrics)
  addHealthRoutes(app, parts, readiness)
  if (parts.config.role === 'worker') return app
  const forCallers = operationsBy('credential', parts.operations)
  addDocsRoutes(app, parts, forCallers)
  const unknownCredentials = new UnknownCredentialLimiter()
  addRestRoutes(app, parts, forCallers, unknownCredentials)
  addMcpRoutes(app, parts, forCallers, unknownCredentials)
  const authorizationServer = openedWhenAsked(parts)
  const rateLimiter = new WebRateLimiter()
  const ofMembers = parts.operations.filter(({ by }) => by !== 'guest')
  addWebRoutes(app, parts, ofMembers, rateLimiter, authorizationServer)
  addGuestRoutes(app, parts, operationsBy('guest', parts.operations), rateLimiter)
  addDownloadRoutes(app, parts)
  addCalendarRoutes(app, parts, unknownCredentials)
  addUnsubscribeRoutes(app, parts, unknownCredentials)
  addWellKnownRoutes(app, parts)
  addOauthRoutes(app, parts, authorizationServer)
  addWebAppRoutes(app, parts)
  app.refuseOtherMethods()
  return app
}

/** The authorization server. Its library is large, and loaded when somebody first asks for it. */
const openedWhenAsked = (parts: Parts) =>
  once(async () => {
    const { openOauth } = await import('../oauth/authorization-server.ts')
    return openOauth(parts, ({ headers }) => readSession(parts, secretIn(headers.cookie, parts.config)))
  })
