import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { CALENDARS, invalidCalendar, readCalendar } from '../deadlines/calendar-feeds.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'

/**
 * Where calendar programs read what is due (deadlines/calendar-feeds.ts): the address is the credential. Most of their
 * readings find nothing new, and are told so by the tag of what they have.
 */
export function addCalendarRoutes(
  app: FastifyInstance,
  parts: Parts,
  unknownCredentials: UnknownCredentialLimiter,
): void {
  app.get(`/${CALENDARS}/:file`, async (request, reply) => {
    const { file } = request.params as { file: string }
    const [, secret] = /^([\w-]{43})\.ics$/.exec(file) ?? []
    if (!secret) throw unknownCredentials.judge(request.ip, invalidCalendar())
    const calendar = await readCalendar(parts, secret).catch((error) => {
      throw error instanceof Refusal ? unknownCredentials.judge(request.ip, error) : error
    })
    const tag = `"${createHash('sha256').update(calendar).digest('base64url')}"`
    void reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply
      .header('content-type', 'text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="plumbline.ics"')
      .send(calendar)
  })
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim())) ?? false
