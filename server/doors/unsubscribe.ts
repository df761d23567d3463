import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readUnsubscribeToken, UNSUBSCRIBE, unsubscribe } from '../notices/unsubscribe.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'

/**
 * Where List-Unsubscribe of mails leads (notices/unsubscribe.ts). A mail program sends a POST when its button is pressed,
 * without cookies. A person who follows the address gets a page with one button that sends the same: programs that look
 * at every link of a mail send GET, and must change nothing.
 */
export function addUnsubscribeRoutes(
  app: FastifyInstance,
  parts: Parts,
  unknownCredentials: UnknownCredentialLimiter,
): void {
  const subscriptionOf = (request: FastifyRequest) => {
    try {
      return readUnsubscribeToken(parts, (request.params as { token: string }).token)
    } catch (error) {
      throw error instanceof Refusal ? unknownCredentials.judge(request.ip, error) : error
    }
  }
  const settings = `${parts.config.publicUrl}/account/notices`
  const url = `/${UNSUBSCRIBE}/:token`
  app.get(url, async (request, reply) => {
    subscriptionOf(request)
    return reply.type('text/html; charset=utf-8').send(
      page(
        'Turn off these mails?',
        `<p>You will get no more mail about this kind of notification. Your inbox in Plumbline keeps them.</p>
<form method="post"><button type="submit">Turn off these mails</button></form>`,
        settings,
      ),
    )
  })
  app.post(url, async (request, reply) => {
    await unsubscribe(parts, subscriptionOf(request))
    return reply
      .type('text/html; charset=utf-8')
      .send(
        page('These mails are turned off', '<p>You will find the notifications in your inbox.</p>', settings),
      )
  })
}

const page = (title: string, body: string, settings: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${title}</h1>
${body}
<p><a href="${settings}">Choose what is mailed, and when</a></p>
</body></html>
`
