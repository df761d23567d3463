/**
 * Takes 1xx answers out of what a socket reads.
 *
 * RFC 9110 §15.2 wants a client to read any number of 1xx answers before the final one, asked for or not. undici
 * passes most of them on but ends the connection at a 100 it did not ask for, and would parse a flood of them for as
 * long as a receiver likes. So they are dropped before its parser, and counted: a receiver that sends dozens is
 * broken or unkind. 101 is left to undici, which refuses it: after it the connection would not be HTTP any more.
 */
import type { TLSSocket } from 'node:tls'

const mostInterim = 64
const longestInterim = 16_384
const statusLineStart = 'HTTP/1.1 1xx'.length
const one = 0x31

export class InterimAnswers {
  /** Whether a byte of the answer now awaited, interim or final, has come. */
  answering = false
  readonly #socket: TLSSocket
  #awaiting = false
  #held: Buffer | null = null
  #dropped = 0

  constructor(socket: TLSSocket) {
    this.#socket = socket
    const read = socket.read
    socket.read = (size?: number): Buffer | null => {
      for (;;) {
        const chunk: Buffer | null = read.call(socket, size)
        if (chunk === null || !this.#awaiting) return chunk
        // Null from here means "dropped or held", not "no more to read".
        const rest = this.#withoutInterim(chunk)
        if (rest !== null) return rest
      }
    }
  }

  /** A request is being written: what is read next is the beginning of its answer. */
  await(): void {
    this.answering = false
    this.#awaiting = true
    this.#held = null
    this.#dropped = 0
  }

  #withoutInterim(chunk: Buffer): Buffer | null {
    this.answering = true
    let rest = this.#held ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = null
    while (rest.length > 0) {
      if (!mayBeInterim(rest)) {
        this.#awaiting = false
        return rest
      }
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1 && rest.length > longestInterim) return this.#giveUp('an endless 1xx answer')
      if (end === -1) {
        this.#held = rest
        return null
      }
      this.#dropped += 1
      if (this.#dropped > mostInterim) return this.#giveUp(`more than ${mostInterim} 1xx answers`)
      rest = rest.subarray(end + 4)
    }
    return null
  }

  #giveUp(what: string): null {
    this.#socket.destroy(new InvalidInterimAnswer(what))
    return null
  }
}

class InvalidInterimAnswer extends Error {
  override name = 'InvalidInterimAnswer'
}

function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length < statusLineStart) return 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))
  return bytes[9] === one && /^HTTP\/1\.[01] 1(?!01)\d\d$/.test(bytes.toString('latin1', 0, statusLineStart))
}
