import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'
import type { GuardedConnector } from './connector.ts'
import { InterimAnswers } from './interim-answers.ts'
import { undici } from './undici.ts'

export interface ConnectionOptions {
  readonly connector: GuardedConnector
  readonly keepAliveMs: number
  /** Its socket is gone. Told at any time after it was opened, and more than once. */
  readonly lost: (connection: Connection) => void
}

/** How the opening of a connection ended; `late` where nothing had come of it in time. */
export type Opened = 'opened' | 'late' | Error

/** One connection to one origin: HTTP/1.1, one request at a time. It is opened first, and asked then. */
export class Connection {
  readonly origin: string
  readonly client: Client
  /** Whether it has been idle or has answered: if it ends at once, that is no fault of the receiver. */
  isKept = false
  connectedAt = 0
  interim: InterimAnswers | null = null
  readonly #options: ConnectionOptions
  #dialing: { cancel(): void } | null = null
  #deadline: NodeJS.Timeout | null = null
  /** Opened, and not in use yet. */
  #socket: TLSSocket | null = null
  #used: TLSSocket | null = null

  constructor(origin: string, options: ConnectionOptions) {
    this.origin = origin
    this.#options = options
    this.client = new (undici().Client)(origin, {
      // undici dials again by itself when an idle socket ended just before a request was written to it.
      connect: (target, callback) => {
        const opened = this.#socket
        this.#socket = null
        // undici does not expect to be answered before it has finished asking.
        if (opened && !opened.destroyed) {
          queueMicrotask(() => callback(null, this.#inUse(opened)))
          return
        }
        this.#dialing = options.connector.dial(target, (error, socket) => {
          if (error) return callback(error, null)
          this.isKept = false
          this.connectedAt = performance.now()
          callback(null, this.#inUse(socket))
        })
      },
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: options.keepAliveMs,
      keepAliveMaxTimeout: options.keepAliveMs,
      maxHeaderSize: 16_384,
      // The attempt's own deadline covers both; undici's restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.client.on('disconnect', () => options.lost(this))
  }

  /**
   * Whether TLS has taken all that was asked on it, and it copies what it takes. An answer may come before that, but not
   * before a request that waits for the one before it to be written.
   */
  get isTaken(): boolean {
    // Not documented: were it gone, nothing would be known to be taken.
    const waiting = (this.#used as { writableBuffer?: readonly unknown[] } | null)?.writableBuffer
    return waiting?.length === 0
  }

  /** Dials, and tells once how that ended, unless it is destroyed before. */
  open(withinMs: number, ended: (how: Opened) => void): void {
    const { hostname, host, port } = new URL(this.origin)
    const end = (how: Opened): void => {
      if (this.#deadline) clearTimeout(this.#deadline)
      ended(how)
    }
    this.#deadline = setTimeout(() => {
      this.#dialing?.cancel()
      end('late')
    }, withinMs)
    this.#dialing = this.#options.connector.dial(
      { protocol: 'https:', hostname, host, port },
      (error, socket) => {
        if (error) return end(error)
        this.#socket = socket
        this.connectedAt = performance.now()
        socket.once('close', () => this.#options.lost(this))
        end('opened')
      },
    )
  }

  /** Ends it at once, in whatever state it is. */
  destroy(): void {
    if (this.#deadline) clearTimeout(this.#deadline)
    this.#dialing?.cancel()
    this.#socket?.destroy()
    this.client.destroy().catch(() => {})
  }

  #inUse(socket: TLSSocket): TLSSocket {
    this.interim = new InterimAnswers(socket)
    this.#used = socket
    return socket
  }
}
