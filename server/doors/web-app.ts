import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { everyKind } from '../../model/kinds/index.ts'
import { PAGES, RECORD, REGISTER } from '../../model/pages.ts'
import { BUILT, OF_PROGRAMS } from '../../model/reserved-words.ts'
import type { Config } from '../config.ts'
import type { Parts } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type Asset, NONCE, readBuilt } from './web-app/built.ts'

/*
 * The web app's files: one page for every path of the app, one for guests, and their scripts and styles.
 *
 * The page is a template. Each answer has a nonce of its own, because the components write styles into the
 * page while it runs; a script comes from a file of ours or not at all, and what a script may turn into
 * markup is ruled by web/trusted-types.ts. The page holds nothing about anybody: who is signed in is asked by
 * a call (web.ts), so no copy of it says anything.
 *
 * Assets carry a hash in their names and never change; a name that was not built is a 404, wherever its dots
 * and slashes point.
 */

export const DIST = join(import.meta.dirname, '../../web/dist')

/** Every path that is a page. */
export const PATHS: readonly string[] = [
  ...Object.values(PAGES),
  ...everyKind.flatMap(({ page }) => [REGISTER, RECORD].map((path) => path.replace('$register', page))),
]

const FOREVER = 'public, max-age=31536000, immutable'

/** @param folder of the built app; where there is none, its pages say how to get it */
export function addWebAppRoutes(app: FastifyInstance, { config, log }: Parts, folder = DIST): void {
  const built = readBuilt(folder)
  if (!built) log.warn(NOT_BUILT)
  for (const path of PATHS)
    app.get(path.replace(/\$$/, '*').replaceAll('$', ':'), { compress: false }, (request, reply) => {
      const elsewhere = properPlace(request, config)
      if (elsewhere) return reply.redirect(elsewhere, 302)
      if (!built) throw new Refusal('not_found', NOT_BUILT)
      return show(reply, path === PAGES.guest ? built.guestPage : built.page)
    })
  app.answerMissing((request, reply) => {
    if (!built || !asksForPage(request)) return null
    const elsewhere = properPlace(request, config)
    return elsewhere ? reply.redirect(elsewhere, 302) : show(reply.code(404), built.page)
  })
  app.get(`/${BUILT}/:name`, { compress: false }, (request, reply) => {
    const { name } = request.params as { name: string }
    const asset = built?.assets.get(name)
    if (!asset) throw notFound()
    return send(request, reply, asset)
  })
}

/**
 * A person who mistyped an address is shown a page that says so; what only programs ask for is refused to all alike.
 */
const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/.test(headers.accept ?? '') &&
  !OF_PROGRAMS.includes(url.split(/[/?]/, 2)[1]!)

const NOT_BUILT =
  'The pages of the web app are not built: run "npm ci --ignore-scripts --include=dev" once, and start again with "npm start".'

/**
 * On loopback a browser may come by another name or address of this machine: cookies, passkeys and calls
 * belong to one origin, so it is sent there. Elsewhere a proxy decides which host leads here.
 */
function properPlace({ headers, url }: FastifyRequest, { publicUrl }: Config): string | null {
  const { protocol, host, port } = new URL(publicUrl)
  if (protocol === 'https:' || port === '0' || headers.host === host) return null
  return publicUrl + url
}

function show(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce),
      'cache-control': 'no-store',
    })
    .send(page.replaceAll(NONCE, nonce))
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.headers({ 'content-type': asset.type, 'cache-control': FOREVER, vary: 'accept-encoding' })
  for (const encoding of ['br', 'gzip'] as const) {
    const bytes = asset[encoding]
    if (bytes && accepts(accepted, encoding)) return reply.header('content-encoding', encoding).send(bytes)
  }
  return reply.send(asset.plain)
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part))
  })
