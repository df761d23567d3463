/**
 * A receiver of deliveries on loopback: https under an authority of our own, answering as it is told, remembering
 * every request. For behaviours no HTTP server would show, `raw` gives the socket itself, after TLS.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { type Authority, createAuthority } from '../../client/receiver/authority.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came, in order. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

export interface ReceiverOptions {
  /** What to answer, after the request was read; default 200 without a body. */
  readonly behaviour?: (request: ReceivedRequest, nth: number) => Answer | Promise<Answer>
  /** Instead of HTTP: the socket after TLS, for each connection. */
  readonly raw?: (socket: TLSSocket) => void
  /** Instead of TLS: the socket as accepted. */
  readonly bare?: (socket: Socket) => void
  readonly tls?: TlsOptions
  /** The names its certificate holds. */
  readonly names?: readonly string[]
  readonly certificateDays?: number
  readonly authority?: Authority
  readonly host?: string
  readonly keepAliveMs?: number
}

export interface Receiver {
  /** `https://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** PEM of the authority its certificate is from. */
  readonly ca: string
  readonly requests: readonly ReceivedRequest[]
  /** Connections accepted so far (TCP). */
  readonly connections: number
  close(): Promise<void>
}

let shared: Promise<Authority> | null = null

/** One authority for a test file: making keys is slow, and senders trust one PEM. */
export function testAuthority(): Promise<Authority> {
  shared ??= createAuthority()
  return shared
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const {
    behaviour = () => ({ status: 200 }),
    host = '127.0.0.1',
    names = ['127.0.0.1', 'localhost'],
  } = options
  const authority = options.authority ?? (await testAuthority())
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const http: Server = createServer(
    { keepAliveTimeout: options.keepAliveMs ?? 60_000 },
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const received: ReceivedRequest = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(received)
      const answer: Answer = await behaviour(received, requests.length)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    },
  )
  const certificate = await authority.issue(names, options.certificateDays)
  const server = createTlsServer({ ...certificate, ...options.tls }, (socket) => {
    socket.on('error', () => {})
    if (options.raw) options.raw(socket)
    else http.emit('connection', socket)
  })
  if (options.bare) {
    const bare = options.bare
    server.removeAllListeners('connection').on('connection', bare)
  }
  server.prependListener('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    ca: authority.certificate,
    requests,
    get connections() {
      return connections
    },
    async close() {
      http.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
