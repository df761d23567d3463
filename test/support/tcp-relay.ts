import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between the service and its database on loopback, as an address that moves to another server does. */
export interface TcpRelay {
  readonly port: number
  /** Connections from now on lead there; `null`: they are refused. Those that stand stay. */
  lead(to: number | null): void
  /** Ends every connection that stands. */
  cut(): void
  /** Keeps every connection and passes nothing on, as a network that drops packets does; false: goes on. */
  stall(stalls: boolean): void
  close(): Promise<void>
}

/** @param to the port it leads to at first */
export async function startTcpRelay(to: number): Promise<TcpRelay> {
  let target: number | null = to
  let stalled = false
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (stalled) socket.pause()
  }
  const server = createServer((near) => {
    keep(near)
    if (target === null) {
      near.resetAndDestroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    keep(far)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    lead: (next) => {
      target = next
    },
    cut,
    stall: (stalls) => {
      stalled = stalls
      for (const socket of sockets) stalls ? socket.pause() : socket.resume()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
