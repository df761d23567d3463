/**
 * Kept connections, by origin.
 *
 * A new TLS connection costs as much CPU as twenty deliveries over a kept one, so keeping them is the first thing
 * that makes the engine fast. Each is one undici `Client` (one socket, HTTP/1.1, one request at a time). undici's own
 * `Pool` would keep them as well, but three things must be known that it does not tell: whether a request went out on
 * a connection that had answered before (its sudden end is then no fault of the receiver), how old the connection is
 * (a name that moved must be followed), and how to get one that is new.
 */
import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'
import type { GuardedConnector } from './connector.ts'
import { InterimAnswers } from './interim-answers.ts'
import { undici } from './undici.ts'

export interface ConnectionLimits {
  /** Connections at one time, idle ones too. Idle ones make room. */
  readonly maxSockets: number
  /** How long an idle one is kept: below the 60 seconds after which common balancers close. */
  readonly keepAliveMs: number
  /** After this age it takes no more requests, so that a DNS change is followed. */
  readonly maxAgeMs: number
}

export class Connection {
  readonly origin: string
  readonly client: Client
  /** Answers its present socket has given. */
  answers = 0
  connectedAt = 0
  interim: InterimAnswers | null = null
  #dialing: { cancel(): void } | null = null

  constructor(origin: string, connector: GuardedConnector, keepAliveMs: number) {
    this.origin = origin
    this.client = new (undici().Client)(origin, {
      connect: (target, callback) => {
        this.#dialing = connector.dial(target, (error, socket) => {
          if (error) return callback(error, null)
          this.#connected(socket)
          callback(null, socket)
        })
      },
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: 16_384,
      // The attempt's own deadline covers both; undici's restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** Ends it at once, in whatever state it is. */
  destroy(): void {
    this.#dialing?.cancel()
    this.client.destroy().catch(() => {})
  }

  /** undici dials again by itself when an idle socket ended just before a request was written to it. */
  #connected(socket: TLSSocket): void {
    this.answers = 0
    this.connectedAt = performance.now()
    this.interim = new InterimAnswers(socket)
  }
}

export class Connections {
  readonly #connector: GuardedConnector
  readonly #limits: ConnectionLimits
  /** By origin, the one used last at the end: a few stay warm, the others run out. */
  readonly #idleOf = new Map<string, Connection[]>()
  /** All idle ones, the one idle longest first. */
  readonly #idle = new Set<Connection>()
  readonly #all = new Set<Connection>()

  constructor(connector: GuardedConnector, limits: ConnectionLimits) {
    this.#connector = connector
    this.#limits = limits
  }

  get idle(): number {
    return this.#idle.size
  }

  /** A connection to the origin, kept or, with `fresh`, new; `null` when all that may exist are in use. */
  take(origin: string, fresh: boolean): Connection | null {
    const kept = fresh ? undefined : this.#idleOf.get(origin)
    while (kept && kept.length > 0) {
      const connection = kept.at(-1)!
      this.#leaveIdle(connection)
      if (performance.now() - connection.connectedAt < this.#limits.maxAgeMs) return connection
      this.discard(connection)
    }
    if (this.#all.size >= this.#limits.maxSockets) {
      const [longestIdle] = this.#idle
      if (!longestIdle) return null
      this.discard(longestIdle)
    }
    const connection = new Connection(origin, this.#connector, this.#limits.keepAliveMs)
    this.#all.add(connection)
    connection.client.on('disconnect', () => {
      if (this.#idle.has(connection)) this.discard(connection)
    })
    return connection
  }

  /** After a whole answer. If the receiver closes it now, undici says so by `disconnect`. */
  giveBack(connection: Connection): void {
    connection.answers += 1
    this.#idle.add(connection)
    const kept = this.#idleOf.get(connection.origin)
    if (kept) kept.push(connection)
    else this.#idleOf.set(connection.origin, [connection])
  }

  discard(connection: Connection): void {
    this.#leaveIdle(connection)
    this.#all.delete(connection)
    connection.destroy()
  }

  close(): void {
    for (const connection of this.#all) this.discard(connection)
  }

  #leaveIdle(connection: Connection): void {
    if (!this.#idle.delete(connection)) return
    const kept = this.#idleOf.get(connection.origin)!
    if (kept.at(-1) === connection) kept.pop()
    else kept.splice(kept.indexOf(connection), 1)
    if (kept.length === 0) this.#idleOf.delete(connection.origin)
  }
}
