import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { readConfig } from '../../server/config.ts'
import { openDoors } from '../../server/doors/doors.ts'
import { openLog } from '../../server/log.ts'
import { buildService, type Service } from '../../server/service.ts'
import { holdPromise, operationAt } from './promised.ts'

/** The service as a client meets it: an address, and answers. */
export interface Door {
  readonly port: number
  readonly base: string
  readonly service: Service
  /** @param secret a key's, or null for none */
  send(secret: string | null, method: string, path: string, sent?: Sent): Promise<Reply>
  close(): Promise<void>
}

export interface Sent {
  /** Sent as JSON; text and bytes as they are. */
  body?: unknown
  headers?: Record<string, string | string[]>
}

export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  /** The parsed JSON; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any
}

/** @param port a free one, unless its address is told to others before it is open */
export async function openDoor(
  service: Service,
  close: () => Promise<void> = async () => {},
  port = 0,
): Promise<Door> {
  const app = await openDoors(service)
  await app.listen({ host: '127.0.0.1', port })
  const { port: opened } = app.server.address() as AddressInfo
  const base = `http://127.0.0.1:${opened}`
  const dispatcher = new Agent({ connections: 32, pipelining: 1 })
  return {
    port: opened,
    base,
    service,
    send: async (secret, method, path, { body, headers = {} } = {}) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      const {
        statusCode,
        headers: answered,
        body: stream,
      } = await request(base + path, {
        dispatcher,
        method: method as 'GET',
        headers: {
          ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
          ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : isRaw ? (body as string | Uint8Array) : JSON.stringify(body),
      })
      const text = plain(Buffer.from(await stream.arrayBuffer()), answered['content-encoding'])
      const isJson = /json/.test(String(answered['content-type'] ?? ''))
      const parsed = isJson && text ? JSON.parse(text) : null
      const operation = operationAt(method, path)
      if (operation && operation.answers !== 'stream') holdPromise(operation, statusCode, parsed)
      return { status: statusCode, headers: answered as Record<string, string>, text, body: parsed }
    },
    close: async () => {
      await dispatcher.destroy()
      // Browsers connect ahead of what they ask, and such a connection counts as busy for a minute.
      const cutting = setInterval(() => app.server.closeAllConnections(), 50)
      await app.close().finally(() => clearInterval(cutting))
      await close()
    },
  }
}

/** What was sent, for callers that asked for it compressed. */
function plain(bytes: Buffer, encoding: unknown): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

/** A service of its own on the same database, as a second process would be. */
export async function openOtherDoor(
  databaseUrl: string,
  masterKey: string,
  environment: Record<string, string>,
  logTo?: (line: string) => void,
): Promise<Door> {
  const config = readConfig(logTo ? { ...environment, LOG_LEVEL: 'debug' } : environment)
  const log = logTo ? openLog(config.logLevel, { write: logTo }) : pino({ level: 'silent' })
  const service = buildService(config, databaseUrl, masterKey, log)
  if (config.smtpUrl) await service.jobs.start()
  return openDoor(service, () => service.close())
}
