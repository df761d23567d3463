import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AnyOperation, Parts } from '../operation.ts'
import { agentsPage } from './docs/agents.ts'
import { apiKeysPage } from './docs/api-keys.ts'
import { guidePage } from './docs/guide.ts'
import { type Navigation, POLICY, pageAround } from './docs/page.ts'
import { receivingWebhooksPage } from './docs/receiving-webhooks.ts'
import { entriesOf, QUERY_AT_MOST, resultsPage, search } from './docs/search.ts'
import { subjectPage } from './docs/subject.ts'
import { lazily } from './lazily.ts'
import { openApiOf, tagsOf } from './openapi.ts'
import { readQuery } from './query.ts'

/**
 * The description of the API, for programs at `/v1/openapi.json` and for people at `/docs`: readings of the list of
 * operations, of the signal types and of the settings, without a credential. Each is made when somebody first asks for
 * it, and kept. The pages are plain HTML with a style of their own, and say everything without the little script that
 * they have.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { config }: Parts,
  operations: readonly AnyOperation[],
): void {
  const document = lazily(() => openApiOf(operations))
  const json = lazily(() => JSON.stringify(document()))
  const navigation: Navigation = {
    guide: guidePage(document, config),
    topics: [receivingWebhooksPage(document, config), apiKeysPage(config), agentsPage(config)],
    calls: tagsOf(operations).map((tag) => subjectPage(document, tag, config.publicUrl)),
  }
  const pages = [navigation.guide, ...navigation.topics, ...navigation.calls]
  const entries = lazily(() => entriesOf(document(), pages))

  app.get('/v1/openapi.json', (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
      .send(json()),
  )
  for (const page of pages) {
    const made = lazily(() => pageAround(navigation, page, page.content()))
    app.get(page.path, (_request, reply) => show(reply, made()))
  }
  const found = (url: string) => {
    const query = (readQuery(url).get('q')?.at(-1) ?? '').slice(0, QUERY_AT_MOST)
    return { query, results: search(entries(), query) }
  }
  app.get('/docs/find', (request, reply) => {
    const { query, results } = found(request.raw.url ?? '')
    const content = resultsPage(query, results)
    return show(
      reply,
      pageAround(navigation, { path: '/docs/find', title: `Search: ${query}` }, content, query),
    )
  })
  app.get('/docs/find.json', (request, reply) =>
    reply.header('cache-control', 'no-cache').send({
      data: found(request.raw.url ?? '').results.map(({ title, hint, href }) => ({ title, hint, href })),
    }),
  )
}

const show = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
    })
    .send(text)
