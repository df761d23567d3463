import type { IncomingMessage } from 'node:http'
import { free } from './freed.ts'

/**
 * The body of a request in blocks that are filled again and again: while one is worked on the other fills, and what
 * comes then waits in the line.
 *
 * Each chunk of a body that Node gives away, of 64 KB at most, is memory of its own. Left to the garbage collector, each
 * 32 MB of chunks set off a collection of the whole heap, which was two thirds of the processor time of an upload. So a
 * chunk is copied as it comes, and its memory is given back at once.
 */
const BLOCK = 512 * 1024
/** So many are kept for the next body. */
const SPARE_AT_MOST = 8
const spare: Buffer[] = []

/**
 * @returns blocks, each of which is worth something until the next is asked for
 * @throws what ends the body before its time
 */
export async function* bodyBlocks(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  const body = new Body(raw)
  try {
    for (let block = await body.next(); block; block = await body.next()) yield block
  } finally {
    body.close()
  }
}

class Body {
  readonly #raw: IncomingMessage
  readonly #blocks: readonly Buffer[] = [newBlock(), newBlock()]
  readonly #free: Buffer[] = [...this.#blocks]
  #filling: Buffer | null = null
  #filled = 0
  /** Filled as far as they reach, the first first. */
  readonly #ready: Buffer[] = []
  /** What whoever reads works on. */
  #lent: Buffer | null = null
  /** What came when no block was free, and how much of it is taken. */
  #over: { readonly chunk: Buffer; readonly at: number } | null = null
  #isOver = false
  #fault: Error | null = null
  #wake: (() => void) | null = null

  constructor(raw: IncomingMessage) {
    this.#raw = raw
    raw.on('data', this.#take).on('end', this.#end).on('error', this.#fail).on('close', this.#leave)
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#lent) this.#free.push(wholeOf(this.#lent))
    this.#lent = null
    if (this.#over) {
      const { chunk, at } = this.#over
      this.#over = null
      this.#put(chunk, at)
      if (!this.#over) this.#raw.resume()
    }
    while (this.#ready.length === 0) {
      if (this.#fault) throw this.#fault
      if (this.#isOver) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    this.#lent = this.#ready.shift()!
    return this.#lent
  }

  /** What still comes is read and dropped: an unread body would cost the answer. */
  close(): void {
    this.#raw.off('data', this.#take).off('end', this.#end).off('close', this.#leave).resume()
    spare.push(...this.#blocks.slice(0, SPARE_AT_MOST - spare.length))
  }

  readonly #take = (chunk: Buffer): void => this.#put(chunk, 0)

  #put(chunk: Buffer, from: number): void {
    for (let at = from; at < chunk.length; ) {
      this.#filling ??= this.#free.pop() ?? null
      if (!this.#filling) {
        this.#over = { chunk, at }
        this.#raw.pause()
        return
      }
      const taken = chunk.copy(this.#filling, this.#filled, at)
      this.#filled += taken
      at += taken
      if (this.#filled === this.#filling.length) this.#hand()
    }
    free(chunk)
  }

  #hand(): void {
    if (this.#filling && this.#filled > 0) this.#ready.push(this.#filling.subarray(0, this.#filled))
    this.#filling = null
    this.#filled = 0
    this.#tell()
  }

  #tell(): void {
    this.#wake?.()
    this.#wake = null
  }

  readonly #end = (): void => {
    this.#isOver = true
    this.#hand()
  }

  readonly #fail = (error: Error): void => {
    this.#fault ??= error
    this.#tell()
  }

  readonly #leave = (): void => {
    if (!this.#isOver) this.#fail(new Error('the line broke'))
  }
}

const newBlock = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK)

const wholeOf = ({ buffer }: Buffer): Buffer => Buffer.from(buffer as ArrayBuffer)
