import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'

/*
 * The client that loads the service. It shares two cores with what it measures, so it is as thin as can be:
 * requests are bytes made beforehand, and of an answer it reads the status and where it ends.
 */

export interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** One kept connection; one request at a time. */
export class Connection {
  #socket: Socket
  #held: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<Answer> | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the service closed the connection')))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  send(request: Buffer): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error('the service has closed the connection'))
    this.#waiting = Promise.withResolvers<Answer>()
    this.#socket.write(request)
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const head = held.indexOf('\r\n\r\n')
    const end = head === -1 ? Number.POSITIVE_INFINITY : head + 4 + lengthOf(held.toString('latin1', 0, head))
    if (held.length < end) {
      this.#held = held
      return
    }
    this.#held = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve({ status: Number(held.toString('latin1', 9, 12)), body: held.subarray(head + 4, end) })
  }
}

function lengthOf(head: string): number {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (!found) throw new Error(`an answer without a length:\n${head}`)
  return Number(found[1])
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  secret: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const content = text && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${secret}\r\n${further.join('')}${content}\r\n${text}`,
  )
}

/** The bytes of a call of the web app, as a page of the service sends it. @param session what its cookie holds */
export function webRequestBytes(port: number, path: string, session: string, input: unknown): Buffer {
  const text = JSON.stringify(input)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\norigin: http://localhost:${port}\r\ncookie: plumbline=${session}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/**
 * Sends on each connection again and again what belongs to it, for a while.
 * @returns answers a second
 * @throws {Error} with the first answer that has not the status expected
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  { milliseconds, status }: { milliseconds: number; status: number },
): Promise<number> {
  const connections = await Promise.all(requests.map(() => Connection.open(port)))
  try {
    return await rateOf(milliseconds, requests.length, async (index) => {
      const answer = await connections[index]!.send(requests[index]!)
      if (answer.status !== status)
        throw new Error(`${answer.status}: ${answer.body.toString().slice(0, 500)}`)
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** How often a second something is done, by so many at a time. */
export async function rateOf(
  milliseconds: number,
  atATime: number,
  once: (index: number) => Promise<unknown>,
): Promise<number> {
  let done = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atATime }, async (_, index) => {
      while (performance.now() - start < milliseconds) {
        await once(index)
        done += 1
      }
    }),
  )
  return (done / (performance.now() - start)) * 1000
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until the service says that it is ready. */
export async function readiness(port: number, child: Child): Promise<void> {
  const request = Buffer.from('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  for (;;) {
    if (child.process.exitCode !== null) throw new Error(`the service did not start:\n${child.log()}`)
    const connection = await Connection.open(port).catch(() => null)
    const answer = await connection?.send(request).catch(() => null)
    connection?.close()
    if (answer?.status === 200) return
    await sleep(10)
  }
}
