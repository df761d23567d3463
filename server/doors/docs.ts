import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AnyOperation, Parts } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { guide } from './docs/guide.ts'
import { POLICY, page, titleOf } from './docs/page.ts'
import { subjectPage } from './docs/subject.ts'
import { openApiOf } from './openapi.ts'

/**
 * The description of the API, for programs at `/v1/openapi.json` and for people at `/docs`: both readings of
 * the list of operations, both without a credential, both made once. The pages are plain HTML with a style
 * of their own; they run no script and fetch nothing.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { config }: Parts,
  operations: readonly AnyOperation[],
): void {
  const document = openApiOf(operations)
  const json = JSON.stringify(document)
  const base = config.publicUrl
  const pages = new Map<string, string>()
  const once = (name: string, make: () => string): string => {
    const made = pages.get(name) ?? make()
    pages.set(name, made)
    return made
  }

  app.get('/v1/openapi.json', (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
      .send(json),
  )
  app.get('/docs', (_request, reply) =>
    show(
      reply,
      once('', () => page(document, null, 'Plumbline API', guide(document, base))),
    ),
  )
  app.get('/docs/:subject', (request, reply) => {
    const { subject } = request.params as { subject: string }
    if (!document.tags.some(({ name }) => name === subject)) throw notFound()
    const title = `${titleOf(subject)} · Plumbline API`
    return show(
      reply,
      once(subject, () => page(document, subject, title, subjectPage(document, subject, base))),
    )
  })
}

const show = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
    })
    .send(text)
