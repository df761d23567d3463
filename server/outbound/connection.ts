import type { TLSSocket } from 'node:tls'
import { type AnswerListener, AnswerReader } from './answer-reader.ts'
import type { GuardedConnector } from './connector.ts'

export interface ConnectionOptions {
  readonly connector: GuardedConnector
  /** It can be asked nothing any more. */
  readonly lost: (connection: Connection) => void
}

/** How the opening of a connection ended; `late` where nothing had come of it in time. */
export type Opened = 'opened' | 'late' | Error

/** The other side ended the connection in order. */
export class ConnectionClosed extends Error {
  override name = 'ConnectionClosed'
}

/**
 * One connection to one origin: HTTP/1.1, one request at a time. It is opened first, and asked then.
 *
 * It is written by hand because one request is all that it has to know: a POST with a body that is there already. A
 * client of everything that HTTP is takes twice the processor for that, and was most of what a delivery costs.
 */
export class Connection {
  readonly origin: string
  /** Whether it has been idle or has answered: if it ends at once, that is no fault of the receiver. */
  isKept = false
  /** Answered a moment ago: what more the other side says, or that it leaves, may have come and not be read yet. */
  isResting = false
  /** Both on the monotonic clock (ms): since when it is there, and until when it may wait for a request. */
  connectedAt = 0
  keptUntil = Number.POSITIVE_INFINITY
  readonly #options: ConnectionOptions
  readonly #reader = new AnswerReader()
  #dialing: { cancel(): void } | null = null
  #deadline: NodeJS.Timeout | null = null
  #socket: TLSSocket | null = null
  /** Why nothing can be asked any more. */
  #over: Error | null = null

  constructor(origin: string, options: ConnectionOptions) {
    this.origin = origin
    this.#options = options
  }

  /** Whether it can be asked. */
  get isOpen(): boolean {
    return this.#over === null && this.#socket?.writable === true
  }

  /** Whether a byte of the answer now awaited, or of the last, has come. */
  get hasBegunToAnswer(): boolean {
    return this.#reader.hasBegun
  }

  /** Dials, and tells once how that ended, unless it is destroyed before. */
  open(withinMs: number, ended: (how: Opened) => void): void {
    const end = (how: Opened): void => {
      if (this.#deadline) clearTimeout(this.#deadline)
      ended(how)
    }
    this.#deadline = setTimeout(() => {
      this.#dialing?.cancel()
      end('late')
    }, withinMs)
    const { protocol, host } = new URL(this.origin)
    this.#dialing = this.#options.connector.dial({ protocol, host }, (error, socket) => {
      if (error) return end(error)
      this.connectedAt = performance.now()
      this.#use(socket)
      end('opened')
    })
  }

  /**
   * Asks, when nothing else is asked.
   * @param head request line and fields, with the empty line behind them
   * @param listener is told of the answer, or that none comes
   */
  send(head: string, body: Buffer, listener: AnswerListener): void {
    this.#reader.await(listener)
    const socket = this.#socket!
    if (!this.isOpen) {
      // Not before whoever asks has finished asking.
      queueMicrotask(() => this.#closeReader(this.#over ?? new ConnectionClosed('closed')))
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
  }

  /** Ends it at once, in whatever state it is; nobody is told. */
  destroy(): void {
    if (this.#deadline) clearTimeout(this.#deadline)
    this.#dialing?.cancel()
    this.#socket?.destroy()
  }

  #use(socket: TLSSocket): void {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      if (this.#reader.isAwaiting) this.#reader.read(bytes)
      else this.#end(new Error('the other side speaks unasked'))
    })
    socket.on('end', () => this.#end(new ConnectionClosed('closed by the other side')))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new ConnectionClosed('closed')))
  }

  #end(why: Error): void {
    if (this.#over) return
    this.#over = why
    if (this.#reader.isAwaiting) this.#closeReader(why)
    this.#options.lost(this)
  }

  #closeReader(why: Error): void {
    this.#reader.close(why, why instanceof ConnectionClosed)
  }
}
