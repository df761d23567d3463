import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedDatabaseFault } from './fault.ts'

/*
 * Where PostgreSQL listens. A socket beside the data, in a folder that only its user may enter, asks no trust of
 * anybody. Its whole path must fit into 104 bytes (108 on Linux, with the closing zero), and some shared file systems
 * have no sockets at all: then a fresh folder in the directory for temporary files does, made by us with a name nobody
 * could have prepared. Only where neither takes a socket, PostgreSQL listens on loopback.
 */

export interface SocketAddress {
  /** The folder of the socket, or 127.0.0.1. */
  readonly host: string
  readonly port: number
  /** The settings that make PostgreSQL listen there. */
  readonly settings: Readonly<Record<string, string>>
  /** Removes what was made for this run. */
  remove(): void
}

const PORT = 5432
const LONGEST_PATH = 103

/** Chooses and prepares the place. `own` gives a folder to the user who runs PostgreSQL. */
export async function choosePlace(
  home: string,
  own: (path: string) => void,
  way: 'socket' | 'loopback' = 'socket',
): Promise<SocketAddress> {
  if (way === 'socket') {
    const beside = join(home, 'socket')
    mkdirSync(beside, { recursive: true, mode: 0o700 })
    if (await takesSocket(beside)) return socketIn(beside, own, () => {})

    for (const parent of new Set([tmpdir(), '/tmp'])) {
      const fresh = freshFolder(parent)
      if (!fresh) continue
      const remove = () => rmSync(fresh, { recursive: true, force: true })
      if (await takesSocket(fresh)) return socketIn(fresh, own, remove)
      remove()
    }
  }
  const port = await freePort()
  return { host: '127.0.0.1', port, settings: onLoopback(port), remove: () => {} }
}

function socketIn(folder: string, own: (path: string) => void, remove: () => void): SocketAddress {
  own(folder)
  return {
    host: folder,
    port: PORT,
    settings: {
      listen_addresses: '',
      // A list of names: quoted, since a path may hold a comma or a space.
      unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
      port: String(PORT),
    },
    remove,
  }
}

function onLoopback(port: number): Record<string, string> {
  return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
}

function freshFolder(parent: string): string | null {
  try {
    return mkdtempSync(join(parent, 'plumbline-'))
  } catch {
    return null
  }
}

async function takesSocket(folder: string): Promise<boolean> {
  const path = join(folder, `.s.PGSQL.${PORT}`)
  if (Buffer.byteLength(path) > LONGEST_PATH) return false
  const trial = join(folder, '.trial')
  rmSync(trial, { force: true })
  return (await listen(trial)) !== null
}

async function freePort(): Promise<number> {
  const port = await listen({ host: '127.0.0.1', port: 0 })
  if (port === null)
    throw new EmbeddedDatabaseFault('Neither a Unix socket nor a port on 127.0.0.1 can be opened.')
  return port
}

/** Listens for a moment. Answers the port (0 for a socket), or null where that cannot be. */
function listen(where: string | { host: string; port: number }): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(where, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
