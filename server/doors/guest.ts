import type { FastifyInstance } from 'fastify'
import { Streamed } from '../bytes.ts'
import { call } from '../call.ts'
import { guestOf, readGuest, whyGone } from '../guests/guest-session.ts'
import type { AnyOperation, Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { guestSecretOf } from './cookie.ts'
import { objectOf, refuseCrossSite, requestContextOf } from './own-page.ts'
import { answer } from './rest.ts'
import { sendStream } from './streams.ts'
import type { WebRateLimiter } from './web/rate-limiter.ts'

/**
 * The door for guests: `POST /guest/{name}` with the input as JSON, for the operations by `guest` and no other. It takes the
 * cookie of a guest's session and no other credential, and that cookie goes nowhere else: a member who is a guest as well
 * is one here and the other at the web app's door. As there, only a page of ours may call.
 */
export function addGuestRoutes(
  app: FastifyInstance,
  parts: Parts,
  operations: readonly AnyOperation[],
  rateLimiter: WebRateLimiter,
): void {
  for (const operation of operations)
    app.route({
      method: 'POST',
      url: operation.path,
      config: { operation: operation.name },
      // What is compressed has no length.
      ...(operation.answers === 'stream' ? { compress: false } : {}),
      handler: async (request, reply) => {
        refuseCrossSite(request, parts.config, operation)
        const secret = guestSecretOf(request, parts.config)
        const guest = await readGuest(parts, secret, requestContextOf(request))
        if (!guest) {
          rateLimiter.ofAddress(request.ip)
          throw (await whyGone(parts, secret)) ?? gone()
        }
        rateLimiter.ofSession(guestOf(guest).sessionId)
        const input = await objectOf(request, operation.takes.bytes)
        const answered = await call(parts, guest, operation, input, { takesStream: true })
        // Its bytes come with the cookie of the pass alone: there is no link that could be handed on.
        if (answered.body instanceof Streamed) return sendStream(request, reply, answered.body)
        return answer(reply, answered)
      },
    })
}

/** Alike for no cookie, one that never was, and one where nobody came for long. */
const gone = (): Refusal =>
  new Refusal('credential_missing', 'Nobody is here by a guest pass, or not any more: open the link again.')
