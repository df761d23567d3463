import type { FastifyInstance } from 'fastify'
import { CALLBACK_PATH } from '../../model/callback-path.ts'
import { finishProviderSignIn } from '../identity/sign-in-providers/finish.ts'
import type { Parts } from '../operation.ts'
import { providerSecretOf, setCookies } from './cookie.ts'
import type { WebRateLimiter } from './web/rate-limiter.ts'
import { requestContextOf, sessionOf } from './web.ts'

/**
 * Where sign-in providers send browsers back to. It is the one place that a browser reaches from another site
 * and that may begin a session; that it was this browser which set out is shown by a cookie of its own, and
 * not by `Origin`, which no such request carries.
 */
export function addSignInProviderRoute(
  app: FastifyInstance,
  parts: Parts,
  rateLimiter: WebRateLimiter,
): void {
  // Without HEAD, which would use up an answer and show nothing for it.
  app.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    rateLimiter.ofAddress(request.ip)
    const [, query = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
    const finished = await finishProviderSignIn(parts, requestContextOf(request), {
      answer: new URLSearchParams(query),
      secret: providerSecretOf(request, parts.config),
      session: await sessionOf(parts, request),
    })
    const session = finished.cookie
    setCookies(reply, parts.config, { provider: null, ...(session ? { session } : {}) })
    return reply
      .code(303)
      .header('location', parts.config.publicUrl + finished.to)
      .send()
  })
}
