/**
 * Kept connections, by origin.
 *
 * A new TLS connection costs as much CPU as twenty deliveries over a kept one, so keeping them is the first thing
 * that makes the engine fast. Three things are known of each: whether it has answered before (its sudden end is then no
 * fault of the receiver), how old it is (a name that moved must be followed), and how long the receiver will keep it.
 *
 * A request is not bound to the connection that is opened for it: it goes with whichever is free first, that one or a
 * kept one that was given back meanwhile; and the one that comes too late is kept. For a busy receiver takes a new
 * connection only now and then (Node: one at each turn of its loop), while those it has are answered at once: bound to
 * their own, the last of a hundred would time out behind thousands that were served.
 */
import { Connection } from './connection.ts'
import type { GuardedConnector } from './connector.ts'

export interface ConnectionLimits {
  /** Connections at one time, idle ones too. Idle ones make room. */
  readonly maxSockets: number
  /** How long one may take to be opened. */
  readonly openedWithinMs: number
  /** How long an idle one is kept at most: below the 60 seconds after which common balancers close. */
  readonly keepAliveMs: number
  /** After this age it takes no more requests, so that a DNS change is followed. */
  readonly maxAgeMs: number
}

/**
 * Connections that are being opened to one origin at a time. A receiver that comes back to thousands of deliveries
 * would otherwise meet hundreds of handshakes in one moment from each process: more than its queue of new connections
 * holds (128 to 511, mostly), and those that fall out of it wait for seconds until the network tries again.
 */
export const OPENING_AT_ONCE = 16

/**
 * After so long the opening of a connection does not count as one of these. Behind one name may be many machines, of
 * which one accepts and never speaks: what is lost to that one must not keep the others from being asked.
 */
const OPENED_SOON_MS = 2_000

/** How often at least those that have been idle for too long are let go. */
const LET_GO_EVERY_MS = 1_000

/** A request that waits for its connection; told once by one of the two, unless it leaves before. */
export interface Request {
  /** Of no use to it is one that was kept. */
  readonly fresh: boolean
  go(connection: Connection): void
  failed(error: Error): void
}

/** All that may exist are in use. */
export class NoneFree extends Error {
  override name = 'NoneFree'
}

interface Line {
  readonly waiting: Set<Request>
  opening: number
  /** Of these, for longer than is usual. */
  slow: number
}

export class Connections {
  readonly #connector: GuardedConnector
  readonly #limits: ConnectionLimits
  /** By origin, the one used last at the end: a few stay warm, the others run out. */
  readonly #idleOf = new Map<string, Connection[]>()
  /** All idle ones, the one idle longest first. */
  readonly #idle = new Set<Connection>()
  readonly #all = new Set<Connection>()
  /** By origin: who waits, whoever came first at the front. */
  readonly #lines = new Map<string, Line>()
  #timer: NodeJS.Timeout | null = null
  #resting: Connection[] = []
  #turn: NodeJS.Immediate | null = null

  constructor(connector: GuardedConnector, limits: ConnectionLimits) {
    this.#connector = connector
    this.#limits = limits
  }

  get idle(): number {
    return this.#idle.size
  }

  /** Gives the request a connection to the origin, at once where one is kept. */
  request(origin: string, request: Request): void {
    const kept = request.fresh ? null : this.#kept(origin)
    if (kept) {
      request.go(kept)
      return
    }
    const line = this.#lines.get(origin) ?? { waiting: new Set(), opening: 0, slow: 0 }
    this.#lines.set(origin, line)
    line.waiting.add(request)
    this.#openFor(origin, line)
  }

  /** It does not wait any more. */
  leave(origin: string, request: Request): void {
    const line = this.#lines.get(origin)
    line?.waiting.delete(request)
    if (line) this.#forget(origin, line)
  }

  /**
   * After a whole answer. It is asked again when all that came with the answer has been read: an end, or an answer more
   * than was asked for, which would answer the next request else.
   * @param keptForMs that its receiver will keep it; 0 where it may not be asked again
   */
  giveBack(connection: Connection, keptForMs: number): void {
    if (keptForMs === 0 || !connection.isOpen) {
      this.discard(connection)
      return
    }
    connection.isResting = true
    this.#resting.push(connection)
    this.#turn ??= setImmediate(this.#wake)
    this.#keep(connection, keptForMs)
  }

  discard(connection: Connection): void {
    this.#leaveIdle(connection)
    this.#all.delete(connection)
    connection.destroy()
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#turn) clearImmediate(this.#turn)
    for (const connection of this.#all) this.discard(connection)
  }

  #kept(origin: string): Connection | null {
    const kept = this.#idleOf.get(origin)
    while (kept) {
      const connection = kept.findLast(({ isResting }) => !isResting)
      if (!connection) break
      this.#leaveIdle(connection)
      if (!this.#isOld(connection)) return connection
      this.discard(connection)
    }
    return null
  }

  /** A turn of the loop later: those that are there still serve whoever waits. */
  readonly #wake = (): void => {
    this.#turn = null
    const rested = this.#resting
    this.#resting = []
    for (const connection of rested) {
      connection.isResting = false
      const line = this.#lines.get(connection.origin)
      const next = line && firstNotFresh(line.waiting)
      if (next && this.#idle.has(connection) && !this.#isOld(connection)) {
        this.#leaveIdle(connection)
        line.waiting.delete(next)
        next.go(connection)
      }
    }
    for (const origin of new Set(rested.map(({ origin }) => origin))) {
      const line = this.#lines.get(origin)
      if (line) this.#openFor(origin, line)
    }
  }

  /** Opens as many as wait, as far as it may, but for those that a connection will serve that rests. */
  #openFor(origin: string, line: Line): void {
    const resting = this.#idleOf.get(origin)?.filter(({ isResting }) => isResting).length ?? 0
    const wantsMore = () =>
      line.opening + resting < line.waiting.size &&
      line.opening - line.slow < OPENING_AT_ONCE &&
      this.#makeRoom()
    while (wantsMore()) this.#open(origin, line)
    if (line.opening + resting === 0)
      for (const request of [...line.waiting]) {
        line.waiting.delete(request)
        request.failed(new NoneFree(`all ${this.#limits.maxSockets} are in use`))
      }
    this.#forget(origin, line)
  }

  #open(origin: string, line: Line): void {
    const { openedWithinMs } = this.#limits
    const lost = (connection: Connection) => {
      if (this.#idle.has(connection)) this.discard(connection)
    }
    const connection = new Connection(origin, { connector: this.#connector, lost })
    this.#all.add(connection)
    line.opening += 1
    let isSlow = false
    const soon = setTimeout(() => {
      isSlow = true
      line.slow += 1
      this.#openFor(origin, line)
    }, OPENED_SOON_MS).unref()
    connection.open(openedWithinMs, (how) => {
      clearTimeout(soon)
      line.opening -= 1
      if (isSlow) line.slow -= 1
      // Whoever asked for one that is late has left by now; who came since has time left, and another is opened.
      const [first] = how === 'late' ? [] : line.waiting
      if (first) line.waiting.delete(first)
      if (how !== 'opened') this.discard(connection)
      if (how instanceof Error) first?.failed(how)
      else if (first) first.go(connection)
      else if (how === 'opened') this.#keep(connection)
      this.#openFor(origin, line)
    })
  }

  #makeRoom(): boolean {
    if (this.#all.size < this.#limits.maxSockets) return true
    const [longestIdle] = this.#idle
    if (!longestIdle) return false
    this.discard(longestIdle)
    return true
  }

  #keep(connection: Connection, keptForMs = this.#limits.keepAliveMs): void {
    connection.isKept = true
    connection.keptUntil = performance.now() + Math.min(keptForMs, this.#limits.keepAliveMs)
    this.#idle.add(connection)
    const kept = this.#idleOf.get(connection.origin)
    if (kept) kept.push(connection)
    else this.#idleOf.set(connection.origin, [connection])
    this.#letGoSoon()
  }

  #isOld({ connectedAt, keptUntil }: Connection): boolean {
    const now = performance.now()
    return now - connectedAt >= this.#limits.maxAgeMs || now >= keptUntil
  }

  /** One timer for all: what is old by now is not used, whether it has been let go or not. */
  #letGoSoon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        for (const connection of this.#idle) if (this.#isOld(connection)) this.discard(connection)
        if (this.#idle.size > 0) this.#letGoSoon()
      },
      Math.min(this.#limits.keepAliveMs, LET_GO_EVERY_MS),
    ).unref()
  }

  #forget(origin: string, line: Line): void {
    if (line.waiting.size === 0 && line.opening === 0 && this.#lines.get(origin) === line)
      this.#lines.delete(origin)
  }

  #leaveIdle(connection: Connection): void {
    if (!this.#idle.delete(connection)) return
    const kept = this.#idleOf.get(connection.origin)!
    if (kept.at(-1) === connection) kept.pop()
    else kept.splice(kept.indexOf(connection), 1)
    if (kept.length === 0) this.#idleOf.delete(connection.origin)
  }
}

function firstNotFresh(waiting: Iterable<Request>): Request | undefined {
  for (const request of waiting) if (!request.fresh) return request
  return undefined
}
