/**
 * Reads the answer to one request on a connection of HTTP/1.1 (RFC 9112), as it comes.
 *
 * Who answers may be anybody, and a connection is asked again after it has answered: what comes with one answer must not
 * be taken for the beginning of the next. So it reads strictly. Lines end with CR LF and names of fields hold what they
 * may; an answer that gives its length twice, or in two ways, is none; and with a byte more than the answer has, the
 * connection is not asked again. What its receiver forges so late that another request is on its way by then, nobody who
 * keeps connections of HTTP/1.1 can tell.
 *
 * Any number of 1xx answers may come before the final one, asked for or not (RFC 9110 §15.2). They are dropped, and
 * counted: a receiver that sends dozens is broken or unkind. 101 is refused: after it the connection would not be HTTP.
 */

/** Is told of the answer in the order that it comes. */
export interface AnswerListener {
  /** The head is whole. */
  began(statusCode: number): void
  /** Of the body, as it was sent, without the framing of chunks; a window on what was read, which is used again. */
  came(part: Buffer): void
  /**
   * It is whole. `keptForMs` says how long the receiver will keep the connection idle; `Infinity` where it does not
   * say, 0 where it may not be asked again.
   */
  ended(keptForMs: number): void
  /** It did not become whole. */
  broke(error: Error): void
}

/** What came is no answer of HTTP/1.1. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer'
}

const HEAD_BYTES_AT_MOST = 16_384
const INTERIM_AT_MOST = 64
/** Of the line that begins a chunk, with extensions. */
const CHUNK_LINE_BYTES_AT_MOST = 1_024
/** A connection is not used in the last moments for which its receiver says to keep it. */
const LET_GO_BEFORE_MS = 2_000

const CR_LF = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)
const LF = 0x0a
const CR = 0x0d

type State = 'head' | 'counted' | 'until close' | 'chunk line' | 'chunk' | 'chunk end' | 'trailers'

/** Of one connection: one answer after the other. */
export class AnswerReader {
  /** Whether a byte of the answer now awaited, interim or final, has come. */
  hasBegun = false
  #listener: AnswerListener | null = null
  #state: State = 'head'
  /** Of a head or a line that is not whole. */
  #held: Buffer | null = null
  #interim = 0
  /** Bytes that are to come, of the body or of a chunk; in trailers, that may. */
  #left = 0
  #keptForMs = 0
  /** Whether no interim answer so far keeps the connection from being used again. */
  #isKept = true

  /** Whether an answer is awaited, or coming. */
  get isAwaiting(): boolean {
    return this.#listener !== null
  }

  /** A request is being written: what is read next is the beginning of its answer. */
  await(listener: AnswerListener): void {
    this.#listener = listener
    this.#state = 'head'
    this.#held = null
    this.#interim = 0
    this.#isKept = true
    this.hasBegun = false
  }

  /** What came of the answer that is awaited. */
  read(came: Buffer): void {
    this.hasBegun = true
    let rest = came
    try {
      while (rest.length > 0 && this.isAwaiting) rest = this.#readFrom(rest)
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error
      this.#break(error)
    }
  }

  /** Nothing more comes. @param inOrder whether the other side ended the connection: with some answers that is their end */
  close(error: Error, inOrder: boolean): void {
    if (inOrder && this.#state === 'until close') this.#end(null)
    else this.#break(error)
  }

  /** @returns what is left to read; nothing where all was taken, or held until more comes */
  #readFrom(bytes: Buffer): Buffer {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes)
      case 'counted':
        return this.#readCounted(bytes)
      case 'until close':
        this.#listener!.came(bytes)
        return NOTHING
      case 'chunk line':
        return this.#readLine(bytes, CHUNK_LINE_BYTES_AT_MOST, (line) => this.#beginChunk(line))
      case 'chunk':
        return this.#readChunk(bytes)
      case 'chunk end':
        return this.#readLine(bytes, 0, () => {
          this.#state = 'chunk line'
        })
      case 'trailers':
        return this.#readLine(bytes, this.#left, (line, rest) => {
          if (line === '') this.#end(rest)
          else this.#passOverTrailer(line)
        })
    }
  }

  #readHead(came: Buffer): Buffer {
    const known = this.#held?.length ?? 0
    const bytes = this.#with(came)
    const end = bytes.indexOf(HEAD_END, Math.max(0, known - HEAD_END.length))
    if ((end === -1 ? bytes.length : end) > HEAD_BYTES_AT_MOST) throw new InvalidAnswer('a head without end')
    if (end === -1) {
      if (!mayBeHead(bytes, known)) throw new InvalidAnswer('no head of HTTP/1.1')
      this.#held = bytes
      return NOTHING
    }
    const rest = bytes.subarray(end + HEAD_END.length)
    const head = readHead(bytes.toString('latin1', 0, end + CR_LF.length))
    if (head.statusCode >= 200) this.#begin(head, rest)
    else this.#passOver(head)
    return rest
  }

  #passOver({ statusCode, keptForMs }: Head): void {
    this.#interim += 1
    if (keptForMs === 0) this.#isKept = false
    if (statusCode === 101 || this.#interim > INTERIM_AT_MOST)
      throw new InvalidAnswer(`${statusCode}, and ${this.#interim - 1} interim answers before it`)
  }

  #begin({ statusCode, framing, keptForMs }: Head, rest: Buffer): void {
    this.#keptForMs = this.#isKept ? keptForMs : 0
    this.#listener!.began(statusCode)
    if (framing === 0) this.#end(rest)
    else if (framing === 'chunked') this.#state = 'chunk line'
    else if (framing === 'until close') this.#state = 'until close'
    else {
      this.#state = 'counted'
      this.#left = framing
    }
  }

  #readCounted(bytes: Buffer): Buffer {
    const rest = this.#pass(bytes)
    if (this.#left === 0) this.#end(rest)
    return rest
  }

  #readChunk(bytes: Buffer): Buffer {
    const rest = this.#pass(bytes)
    if (this.#left === 0) this.#state = 'chunk end'
    return rest
  }

  #pass(bytes: Buffer): Buffer {
    const length = Math.min(bytes.length, this.#left)
    this.#left -= length
    this.#listener!.came(bytes.subarray(0, length))
    return bytes.subarray(length)
  }

  #beginChunk(line: string): void {
    const size = CHUNK_SIZE.exec(line)
    if (!size) throw new InvalidAnswer('a chunk without its length')
    const length = Number.parseInt(size[1]!, 16)
    this.#state = length === 0 ? 'trailers' : 'chunk'
    this.#left = length === 0 ? HEAD_BYTES_AT_MOST : length
  }

  #passOverTrailer(line: string): void {
    this.#left -= line.length
    FIELD.lastIndex = 0
    if (!FIELD.test(`${line}\r\n`) || HEEDED.has(nameOf(line, 0)))
      throw new InvalidAnswer('a trailer that is none')
  }

  /** @param atMost bytes that it may have, without its end */
  #readLine(came: Buffer, atMost: number, take: (line: string, rest: Buffer) => void): Buffer {
    const bytes = this.#with(came)
    const end = bytes.indexOf(CR_LF)
    // Its last byte may be the CR of an end that has half come.
    if ((end === -1 ? bytes.length - 1 : end) > atMost) throw new InvalidAnswer('a line that is too long')
    if (end === -1) {
      this.#held = bytes
      return NOTHING
    }
    const rest = bytes.subarray(end + CR_LF.length)
    take(bytes.toString('latin1', 0, end), rest)
    return rest
  }

  #with(came: Buffer): Buffer {
    const held = this.#held
    this.#held = null
    return held ? Buffer.concat([held, came]) : came
  }

  /** @param rest what came behind it; null where the connection ended with it */
  #end(rest: Buffer | null): void {
    const listener = this.#listener!
    this.#listener = null
    listener.ended(rest?.length === 0 ? this.#keptForMs : 0)
  }

  #break(error: Error): void {
    const listener = this.#listener
    this.#listener = null
    listener?.broke(error)
  }
}

interface Head {
  readonly statusCode: number
  /** Bytes of the body, or how its end is told. */
  readonly framing: number | 'chunked' | 'until close'
  readonly keptForMs: number
}

/** Fields that say where the answer ends, and what becomes of the connection. */
const HEEDED = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive'])

// Each byte is matched in one way only, so that none of these takes longer than the text is long.
const STATUS_LINE = /HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/y
const FIELD = /[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n(?:[ \t][\t\x20-\x7e\x80-\xff]*\r\n)*/y
/** With extensions (RFC 9112 §7.1.1), of which nothing is heeded. */
const CHUNK_SIZE =
  /^([0-9a-f]{1,13})(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/i
const KEPT_SECONDS = /(?:^|[, \t])timeout=(\d{1,9})/i

/** @param text of a head, of which every line ends with CR LF */
function readHead(text: string): Head {
  STATUS_LINE.lastIndex = 0
  if (!STATUS_LINE.test(text)) throw new InvalidAnswer('no status line')
  const statusCode = Number(text.slice(9, 12))
  const heeded = readFields(text, STATUS_LINE.lastIndex)
  const announced = framingOf(heeded)
  const hasNoBody = statusCode < 200 || statusCode === 204 || statusCode === 304
  const framing = hasNoBody ? 0 : announced
  // A body that such an answer announces may follow all the same, and would be read as the next answer.
  const mayFollow =
    hasNoBody && (heeded.has('content-length') || heeded.has('transfer-encoding')) && announced !== 0
  const isKept = framing !== 'until close' && !mayFollow && mayBeKept(text[7] === '1', heeded)
  return { statusCode, framing, keptForMs: isKept ? keptForMs(heeded) : 0 }
}

/** Those that are heeded, by name: the lines of one field as one list. */
function readFields(text: string, from: number): ReadonlyMap<string, string> {
  const heeded = new Map<string, string>()
  let at = from
  while (at < text.length) {
    FIELD.lastIndex = at
    if (!FIELD.test(text)) throw new InvalidAnswer('a field that is none')
    const end = FIELD.lastIndex - CR_LF.length
    const name = nameOf(text, at)
    if (HEEDED.has(name)) {
      const value = text.slice(at + name.length + 1, end)
      // One that goes on in a further line (obs-fold, RFC 9112 §5.2) is read in more ways than one.
      if (value.includes('\r')) throw new InvalidAnswer(`${name} in several lines`)
      const before = heeded.get(name)
      const found = trimmed(value).toLowerCase()
      heeded.set(name, before === undefined ? found : `${before},${found}`)
    }
    at = FIELD.lastIndex
  }
  return heeded
}

/** Of the field that begins there. */
const nameOf = (text: string, at: number): string => text.slice(at, text.indexOf(':', at)).toLowerCase()

/** Without the space and tab around it. Other white space is part of the value (RFC 9110 §5.6.3). */
function trimmed(value: string): string {
  let [from, to] = [0, value.length]
  while (from < to && isPadding(value[from])) from += 1
  while (to > from && isPadding(value[to - 1])) to -= 1
  return value.slice(from, to)
}

const isPadding = (sign: string | undefined): boolean => sign === ' ' || sign === '\t'

const listOf = (value: string | undefined): string[] => value?.split(',').map(trimmed) ?? []

/** RFC 9112 §6.3; where it allows for repair, there is none. */
function framingOf(heeded: ReadonlyMap<string, string>): Head['framing'] {
  const length = heeded.get('content-length')
  const codings = listOf(heeded.get('transfer-encoding'))
  if (codings.length > 0) {
    if (length !== undefined) throw new InvalidAnswer('two lengths')
    if (codings.includes('')) throw new InvalidAnswer('a coding without a name')
    const chunked = codings.indexOf('chunked')
    if (chunked === codings.length - 1) return 'chunked'
    if (chunked !== -1) throw new InvalidAnswer('chunks that are coded again')
    return 'until close'
  }
  if (length === undefined) return 'until close'
  if (!/^\d{1,15}$/.test(length)) throw new InvalidAnswer('a length that is none')
  return Number(length)
}

function mayBeKept(isVersion11: boolean, heeded: ReadonlyMap<string, string>): boolean {
  const options = listOf(heeded.get('connection'))
  if (options.includes('close')) return false
  // What of HTTP/1.0 comes in chunks has been through something that does not know them.
  return isVersion11 || (options.includes('keep-alive') && !heeded.has('transfer-encoding'))
}

function keptForMs(heeded: ReadonlyMap<string, string>): number {
  const seconds = KEPT_SECONDS.exec(heeded.get('keep-alive') ?? '')?.[1]
  return seconds === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(0, Number(seconds) * 1_000 - LET_GO_BEFORE_MS)
}

/**
 * Whether what came so far may be the beginning of a head: for the rest of what is none nobody waits.
 * @param known bytes of it that were asked about before
 */
function mayBeHead(bytes: Buffer, known: number): boolean {
  for (let at = bytes.indexOf(LF, known); at !== -1; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) return false
  const lineEnd = bytes.indexOf(CR_LF)
  if (lineEnd === -1) return 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))
  STATUS_LINE.lastIndex = 0
  return lineEnd < known - 1 || STATUS_LINE.test(bytes.toString('latin1', 0, lineEnd + CR_LF.length))
}
