import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * A connection pooler in transaction mode, as small as one can be: whoever connects gets a server's connection when they
 * send something, and keep it until their transaction is over. Passwords are not asked for.
 */
export interface TransactionPooler {
  readonly port: number
  close(): Promise<void>
}

export interface PoolerOptions {
  /** What becomes of `options`: refused, as PgBouncer does, dropped, as it does when told to, or passed on. */
  readonly startupOptions: 'refused' | 'dropped' | 'passed'
}

interface Server {
  readonly socket: Socket
  readonly options: string
  client: Socket | null
  /** Answers that are still to come, one for each Sync or simple query. */
  awaited: number
}

const QUERY = 0x51
const SYNC = 0x53
const READY_FOR_QUERY = 0x5a
const IDLE = 0x49

/** @param url of the login that everybody is */
export async function startTransactionPooler(
  url: string,
  { startupOptions }: PoolerOptions,
): Promise<TransactionPooler> {
  const servers: Server[] = []
  const clients = new Set<Socket>()

  async function openServer(options: string): Promise<Server> {
    const opened = new pg.Client({ connectionString: url, options })
    opened.on('error', () => {})
    await opened.connect()
    const socket = (opened as unknown as { connection: { stream: Socket } }).connection.stream
    // It is logged in; what follows passes as it is.
    socket.removeAllListeners('data')
    const server: Server = { socket, options, client: null, awaited: 0 }
    const split = splitter((type, message) => {
      server.client?.write(message)
      if (type !== READY_FOR_QUERY) return
      server.awaited -= 1
      if (server.awaited > 0 || message[5] !== IDLE) return
      server.client = null
    })
    socket.on('data', split)
    servers.push(server)
    return server
  }

  function pass(server: Server, client: Socket, message: Buffer): void {
    server.client = client
    if (message[0] === QUERY || message[0] === SYNC) server.awaited += 1
    server.socket.write(message)
  }

  async function send(client: Socket, options: string, message: Buffer): Promise<void> {
    const own = servers.find((server) => server.client === client)
    const server =
      own ??
      servers.findLast((one) => one.client === null && one.options === options) ??
      (await openServer(options))
    pass(server, client, message)
  }

  const listener = createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.once('data', (startup) => {
      const given = /\0options\0([^\0]*)\0/.exec(startup.toString('latin1'))?.[1] ?? ''
      if (given !== '' && startupOptions === 'refused') {
        const text = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0'
        client.end(messageOf('E', Buffer.from(text)))
        return
      }
      const options = startupOptions === 'passed' ? given : ''
      let sent = Promise.resolve()
      const split = splitter((_, message) => {
        // Terminate: the server's connection stays.
        if (message[0] === 0x58) client.end()
        else sent = sent.then(() => send(client, options, message))
      })
      client.on('data', split)
      client.write(
        Buffer.concat([
          messageOf('R', Buffer.alloc(4)),
          messageOf('K', Buffer.from([0x7f, 0, 0, 1, 0, 0, 0, 1])),
          messageOf('Z', Buffer.from('I')),
        ]),
      )
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    close: async () => {
      for (const client of clients) client.destroy()
      listener.close()
      for (const { socket } of servers) socket.destroy()
    },
  }
}

function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Cuts a stream into messages, each with its head. */
function splitter(take: (type: number, message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      take(rest[0]!, rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}
