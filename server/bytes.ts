import { z } from 'zod'
import { invalid, Refusal, tooLarge } from './refusal.ts'

/**
 * Bytes that a call brings, and bytes that it answers: neither is ever whole in memory. What comes is read by the
 * operation itself, once its caller may do it and the rest of the input is valid: so what is refused for its size or
 * its type costs nobody the bytes.
 */
export class IncomingBytes {
  /** As the caller says, without parameters. */
  readonly type: string
  /** As the caller says; null where they come without saying how many. */
  readonly length: number | null
  readonly #source: AsyncIterable<Uint8Array>

  constructor(type: string, length: number | null, source: AsyncIterable<Uint8Array>) {
    this.type = type
    this.length = length
    this.#source = source
  }

  /**
   * All of them, as they come: what it gives is worth something until the next is asked for.
   * @param most a further one is refused
   * @throws {Refusal} `malformed_request` where they end before their time, `body_too_large`
   */
  async *read(most: number): AsyncGenerator<Uint8Array> {
    let length = 0
    try {
      for await (const chunk of this.#source) {
        length += chunk.length
        if (length > most) throw tooLarge(most)
        yield chunk
      }
    } catch (error) {
      throw error instanceof Refusal ? error : endedEarly()
    }
    if (this.length !== null && length < this.length) throw endedEarly()
  }

  /**
   * All of them at once, of what is small.
   * @throws {Refusal} as `read`
   */
  async whole(most: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.read(most)) pieces.push(Buffer.from(piece))
    return Buffer.concat(pieces)
  }
}

/** The input that the bytes of a call are, under the name that its `bodyIs` says. */
export const incomingBytes = z.instanceof(IncomingBytes).meta({ title: 'Content' })

/** What a call may be sent as bytes. */
export interface TakenBytes {
  /** Media types, without parameters. */
  readonly types: readonly string[]
  readonly bytes: number
}

/**
 * Refuses bytes by what is said of them, before one of them is read.
 * @throws {Refusal} `validation_failed` where none come, `unsupported_media_type`, `body_too_large`
 */
export function refuseBytes(taken: TakenBytes, name: string, given: unknown): void {
  if (!(given instanceof IncomingBytes))
    throw invalid({ path: name, message: 'is the body of the request: send the bytes themselves' })
  if (!taken.types.includes(given.type))
    throw new Refusal(
      'unsupported_media_type',
      `Send the bytes as they are, with Content-Type: ${taken.types.join(' or ')}.`,
    )
  if (given.length !== null && given.length > taken.bytes) throw tooLarge(taken.bytes)
}

/** A part of some bytes: from the first to the last of them, both counted from 0. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * An answer that is bytes: what they are, and how to get them. They are opened by whoever sends them on, once the call
 * is over, so a link can be made of an answer without a byte being read.
 */
export class Streamed {
  /** The name under which they are kept by who saves them. */
  readonly name: string
  readonly type: string
  /** Null where nobody knows before the end; then no part of them can be asked for. */
  readonly bytes: number | null
  readonly open: (range?: ByteRange) => AsyncIterable<Uint8Array>
  /** Whether nobody else looks at a chunk once it was given: then whoever has sent it frees its memory. */
  readonly mayFree: boolean

  constructor(told: Pick<Streamed, 'name' | 'type' | 'bytes' | 'open'> & { mayFree?: boolean }) {
    this.name = told.name
    this.type = told.type
    this.bytes = told.bytes
    this.open = told.open
    this.mayFree = told.mayFree ?? false
  }
}

/** What is answered in place of bytes: where they can be had, once. */
export const downloadLink = z
  .object({
    url: z
      .string()
      .meta({ format: 'uri' })
      .describe('Gives the bytes to whoever asks first, without a credential'),
    expiresAt: z.string().meta({ format: 'date-time' }),
    name: z.string().describe('The name of the file'),
    type: z.string().describe('Its media type'),
    bytes: z.int().nullable().describe('How many there are; null where nobody knows before the end'),
  })
  .meta({ id: 'DownloadLink', title: 'A link to bytes' })

/** The output of what answers bytes: `run` gives them, and a caller who gets no stream is told of a link. */
export const streamed = downloadLink as unknown as z.ZodType<z.output<typeof downloadLink>, Streamed>

const endedEarly = () =>
  new Refusal('malformed_request', 'The body ended too early: send all that Content-Length says.')
