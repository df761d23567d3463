import { randomUUID } from 'node:crypto'
import { METHODS, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify'
import { readableForwardedFor } from '../caller/network-of.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { enterUnit } from '../unit-of-work.ts'
import type { Metrics } from './metrics.ts'
import { Paths } from './paths.ts'
import { asRefusal, challengeOf, problemOf } from './problem.ts'
import { addressFault } from './query.ts'

/*
 * What all doors share: one HTTP server, strict in what it reads, that gives every answer a request id and
 * its security headers, every refusal its problem object, and every request one line in the log.
 *
 * Bodies are left unread here: a door reads them once it knows who is calling. The log is an allow-list of
 * named fields; no body or query ever comes near it, and of headers only what TRUSTED_PROXIES let a proxy say of the
 * address that a request came from.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route does, by its name in the list; for the log. */
    operation?: string
    /** It reads the query itself, as it came: what cannot be read is no reason to refuse it at the gate. */
    takesAnyQuery?: boolean
  }
  interface FastifyRequest {
    /** The same, where it stands in the message. */
    operation: string | null
    /** The MCP tool that was called; for the log and the metrics. */
    tool: string | null
    /** The code with which it was refused; for the log. */
    refused: string | null
  }
  interface FastifyInstance {
    /**
     * Notes what was thrown, and gives the answer its status and headers.
     * @returns what there is to say, which a door puts in its own words
     */
    answerRefusal(request: FastifyRequest, reply: FastifyReply, error: unknown): Refusal
    /** To be called once all routes are there: a path that is written out takes its own methods and no others. */
    refuseOtherMethods(): void
    /** To be answered otherwise than by a refusal, where nothing is at a path; null: it is refused after all. */
    answerMissing(answer: MissingAnswer): void
  }
}

/** A browser that goes to another page closes what it still waits for; nothing is wrong with us then. */
const hasLeft = (error: unknown) => (error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE'

type MissingAnswer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null

/** A request has this long to arrive whole: enough for a slow line, too short to hold a connection with. */
const REQUEST_TIMEOUT = 30_000
const HEADERS_TIMEOUT = 10_000
/** Longer than the minute that proxies keep a connection, so that none sends into a closing one. */
const KEEP_ALIVE_TIMEOUT = 72_000
const SILENCE_TIMEOUT = 120_000

export async function openHttp(parts: Parts, metrics: Metrics): Promise<FastifyInstance> {
  const { config, log } = parts
  const securityHeaders = headersFor(config.publicUrl)
  const paths = new Paths()

  const answerRefusal = (request: FastifyRequest, reply: FastifyReply, error: unknown): Refusal => {
    const refusal = asRefusal(error)
    if (hasLeft(error)) log.info({ requestId: request.id }, 'the caller went before the answer was written')
    else if (error instanceof Refusal && refusal.code === 'unavailable')
      log.warn({ requestId: request.id, route: request.routeOptions?.url }, refusal.message)
    else if (refusal.status >= 500)
      log.error({ err: error, requestId: request.id, route: request.routeOptions?.url }, refusal.title)
    metrics.refused(refusal)
    request.refused = refusal.code
    const challenge = challengeOf(refusal, config.publicUrl, request.url.split('?', 1)[0]!)
    if (challenge) reply.header('www-authenticate', challenge)
    const retryAfter = refusal.members.retryAfter ?? (refusal.status === 503 ? 2 : undefined)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    if (refusal.members.close) reply.header('connection', 'close')
    reply.code(refusal.status)
    return refusal
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = answerRefusal(request, reply, error)
    return reply
      .header('content-type', 'application/problem+json')
      .send(JSON.stringify(problemOf(refusal, request.id, config.publicUrl)))
  }

  const app = fastify<Server>({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionTimeout: SILENCE_TIMEOUT,
    // What still comes on an open connection while we close is answered; the database closes last.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, querystringParser: () => ({}) },
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 5_000,
      insecureHTTPParser: false,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, config.publicUrl, paths),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders, 'request-id': request.id })
      void refuse(request as unknown as FastifyRequest, reply as unknown as FastifyReply, error)
    },
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('admission', null)
  app.decorateRequest('operation', null)
  app.decorateRequest('tool', null)
  app.decorateRequest('refused', null)
  app.decorate('answerRefusal', answerRefusal)
  let areRoutesThere = false
  app.addHook('onRoute', ({ method, url }) => {
    if (!areRoutesThere) paths.add(method, url)
  })
  app.decorate('refuseOtherMethods', () => {
    areRoutesThere = true
    for (const { url, methods } of paths.shadowing())
      app.route({ method: methods, url, handler: (request, reply) => refuseMethod(request.url, reply) })
  })
  app.addHook('onRequest', (request, reply, done) => {
    const fail = (error: Error) => {
      if (reply.sent || reply.raw.headersSent) reply.raw.destroy()
      else void refuse(request, reply, error)
    }
    enterUnit('request', request.id, fail, done)
  })
  app.addHook('onRequest', (request, reply, done) => {
    readForwardedFor(request)
    reply.headers(securityHeaders).header('request-id', request.id)
    const { url = '' } = request.raw
    const judged = request.routeOptions.config.takesAnyQuery ? url.split('?', 1)[0] : url
    done(oddityOf(request) ?? addressFault(judged, request.params) ?? undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { admission } = request
    const route = request.routeOptions.url ?? 'none'
    const operation = request.operation ?? request.routeOptions.config.operation
    const [tool, refused] = [request.tool ?? undefined, request.refused ?? undefined]
    const { method, id: requestId } = request
    const { statusCode: status, elapsedTime: milliseconds } = reply
    metrics.answered({ route, method, operation, status, milliseconds, tool, refused })
    log.info(
      {
        requestId,
        ip: request.ip,
        method,
        route,
        operation,
        tool,
        status,
        code: refused,
        durationMs: Math.round(milliseconds * 10) / 10,
        organizationId: admission?.caller.organizationId,
        credentialId: admission?.caller.credential.id,
      },
      'request',
    )
    done()
  })
  endConnectionsOnClosing(app)
  app.setErrorHandler((error, request, reply) => {
    // No route takes QUERY, whose type of content the framework asks for before it has looked for a route.
    const isQuery = (error as { code?: string }).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    return refuse(request, reply, isQuery ? otherMethod(request.url, reply) : error)
  })
  const otherMethod = (url: string, reply: FastifyReply): Refusal => {
    const { refusal, allow } = paths.refuse(url)
    if (allow) reply.header('allow', allow)
    return refusal
  }
  const refuseMethod = (url: string, reply: FastifyReply) => {
    throw otherMethod(url, reply)
  }
  let missing: MissingAnswer = () => null
  app.decorate('answerMissing', (answer) => {
    missing = answer
  })
  app.setNotFoundHandler(
    (request, reply) =>
      (paths.methodsAt(request.url).length === 0 ? missing(request, reply) : null) ??
      refuseMethod(request.url, reply),
  )
  await app.register(compress, { threshold: 2048, encodings: ['br', 'gzip'], globalDecompression: false })
  return app
}

/**
 * What was under way when the end began is answered as the last of its connection; else the server would wait for the
 * caller to go. What a library answers by itself says nothing of that, so its connection is cut once it is idle.
 */
function endConnectionsOnClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    const cutting = setInterval(() => app.server.closeIdleConnections(), 100)
    app.server.once('close', () => clearInterval(cutting))
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Before anybody asks where the request came from: the framework hands on what a proxy wrote letter by letter. */
function readForwardedFor({ raw: { headers } }: FastifyRequest): void {
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined) return
  const readable = readableForwardedFor(String(forwarded))
  if (readable === '') delete headers['x-forwarded-for']
  else headers['x-forwarded-for'] = readable
}

/**
 * What Node's parser lets pass, but two servers in a row could understand differently: a host or a credential
 * that is not one, and HTTP from before there were headers. Such a connection ends.
 */
function oddityOf({ raw }: FastifyRequest): Refusal | null {
  let hosts = 0
  let credentials = 0
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index]!.toLowerCase()
    if (name === 'host') hosts++
    else if (name === 'authorization') credentials++
  }
  if (
    raw.httpVersionMajor === 1 &&
    credentials <= 1 &&
    (hosts === 1 || (hosts === 0 && raw.httpVersionMinor === 0))
  )
    return null
  return new Refusal('malformed_request', 'Send HTTP/1.1, with one Host and at most one Authorization.', {
    close: true,
  })
}

function headersFor(publicUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  }
}

const UNREADABLE: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are larger than 16 KB: send fewer.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took too long to arrive: send it faster.' },
}

/** The line that a request begins with (RFC 9112): its method, and the path that is asked for. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*) HTTP\/1\.[01]\r?\n/

/**
 * What is not HTTP, or of a method that Node does not know, is answered by hand, and its connection ends: nothing
 * behind it can be trusted.
 */
function answerUnreadable(error: ConnectionError, socket: Socket, publicUrl: string, paths: Paths): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const { refusal, allow, status = refusal.status } = refusalOfUnreadable(error, paths)
  const body = JSON.stringify({ ...problemOf(refusal, requestId, publicUrl), status })
  const headers = {
    ...headersFor(publicUrl),
    ...(allow ? { allow } : {}),
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function refusalOfUnreadable(
  { code, rawPacket }: ConnectionError,
  paths: Paths,
): { refusal: Refusal; allow?: string; status?: number } {
  // A Buffer, whatever its type says; it may begin with an earlier request, whose method is a known one.
  const packet = rawPacket as unknown as Buffer | undefined
  const [, method = '', url] = REQUEST_LINE.exec(packet?.toString('latin1') ?? '') ?? []
  if (code === 'HPE_INVALID_METHOD' && url && !METHODS.includes(method)) return paths.refuse(url)
  const known = UNREADABLE[code]
  if (!known)
    return { refusal: new Refusal('malformed_request', 'This is not an HTTP/1.1 request: send one.') }
  return { refusal: new Refusal('malformed_request', known.detail), status: known.status }
}
