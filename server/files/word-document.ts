import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { attributesOf, type Finding, findElsewhere } from './word-part.ts'

/*
 * Whether an archive is a Word document (ECMA-376, parts 1 and 2): the list of its content types names a main part of that
 * type, and the part is there. And whether all that it shows is in it: its hash, which people approve and agree to, covers
 * no picture that a reader's program fetches elsewhere, and whoever holds that sees who reads it. The list at the end of the
 * archive, the parts that say what the document is made of and those that are text are read (word-part.ts), and no picture
 * or font is taken apart: what anybody sent costs no more however large it says to be.
 */

/** Its bytes, from one to another, both among them. */
export type OpenRange = (range: { from: number; to: number }) => AsyncIterable<Uint8Array>

const TYPES_PART = '[Content_Types].xml'
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const MACROS = /vbaProject|macroEnabled/i

const TYPES_BYTES_AT_MOST = 256 * 1024
const PARTS_AT_MOST = 2_000
/** What the document and each of its parts are made of, wherever they lie. */
const RELATIONS_PART = /(?:^|\/)_rels\/[^/]*\.rels$/
/** Of all of them together. */
const RELATIONS_BYTES_AT_MOST = 2 * 1024 * 1024
/** Of all that is text in it, which is more than people write. */
const TEXT_BYTES_AT_MOST = 64 * 1024 * 1024
/** At the end of it, which has the list of its parts. */
const TAIL_BYTES = 1024 * 1024
/** Before that, at most: the content types stand first, and all else is passed over. */
const RANGES_AT_MOST = 100
/** Asked for at once. */
const BLOCK_BYTES = 512 * 1024
/** Taken apart. Text packs well, but none of people's so well. */
const PLAIN_BYTES_AT_MOST = 256 * 1024 * 1024

/**
 * @param bytes how many it has
 * @returns null; or why it is none, as the end of a sentence that begins with its name, and says what to do
 */
export async function faultOfWordDocument(bytes: number, open: OpenRange): Promise<string | null> {
  const from = Math.max(0, bytes - TAIL_BYTES)
  const tail = await buffer(open({ from, to: bytes - 1 }))
  const reader = new RangeReader(open, tail, from)
  try {
    const archive = await yauzl.fromRandomAccessReaderPromise(reader, bytes, { autoClose: false })
    return await faultIn(archive)
  } catch {
    // What the store could not give is a fault of ours.
    if (reader.fault) throw reader.fault
    return NO_DOCUMENT
  }
}

async function faultIn(archive: ZipFile): Promise<string | null> {
  const parts = new Map<string, Entry>()
  let plain = 0
  for await (const entry of archive.eachEntry()) {
    if (parts.size >= PARTS_AT_MOST) return NO_DOCUMENT
    if (entry.isEncrypted()) return 'is protected by a password: save it without one'
    plain += entry.uncompressedSize
    const name = entry.fileName.toLowerCase()
    // Of two of one name, who knows which is shown.
    if (parts.has(name)) return NO_DOCUMENT
    parts.set(name, entry)
  }
  const types = parts.get(TYPES_PART.toLowerCase())
  if (!types || types.uncompressedSize > TYPES_BYTES_AT_MOST) return NO_DOCUMENT
  const text = (await buffer(await archive.openReadStreamPromise(types))).toString('utf8')
  if (MACROS.test(text) || [...parts.keys()].some((name) => name.endsWith('vbaproject.bin')))
    return HAS_MACROS
  const main = mainPartIn(text)
  if (main === null || !parts.has(main)) return NO_DOCUMENT
  if (plain > PLAIN_BYTES_AT_MOST) return TOO_LARGE
  const relations = new Relations()
  let sum = 0
  for (const [name, entry] of parts) {
    if (!RELATIONS_PART.test(name)) continue
    sum += entry.uncompressedSize
    if (sum > RELATIONS_BYTES_AT_MOST) return NO_DOCUMENT
    const fault = relations.read(name, await buffer(await archive.openReadStreamPromise(entry)))
    if (fault) return fault
  }
  sum = 0
  for (const [name, entry] of parts) {
    if (relations.isPassedOver(name)) continue
    const stream = await archive.openReadStreamPromise(entry)
    const { found, bytes } = await findElsewhere(stream, relations.linksOf(name), TEXT_BYTES_AT_MOST - sum)
    if (found) return foundFault(found)
    sum += bytes
    if (sum > TEXT_BYTES_AT_MOST) return TOO_LARGE
  }
  return null
}

/** Its attributes may have any sign but their quotation mark. */
const RELATION = /<(?:[^\s<>:/"'=]+:)?Relationship(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/g
/** Where a link leads somebody who follows it: nothing is fetched before. */
const LINK = /\/relationships\/hyperlink$/
const TEMPLATE = /\/relationships\/attachedTemplate$/
const OTHER_FORMAT = /\/aFChunk$/
/** What another program is started for, or runs in the reader's. */
const OBJECT = /\/(?:oleObject|control|activeXControlBinary|ctrlProp)$/i
/** Shown as it is, or nowhere: no text that programs read anything out of. */
const PASSED_OVER = /\/(?:image|font|package|thumbnail|hdphoto|media|video|audio|customXml)$/i
/** On a disk or a share, as Word notes of any document where its template lay; with an at sign, a share is on the web. */
const OWN_PLACE = /^(?!.*@)(?:file:|[a-z]:|\\\\|\/|[^:]*$)/i
/** An address or a share: nowhere in a document, whatever is said of it. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i

/** What the parts of a document have of each other, and where they lead. */
class Relations {
  readonly #links = new Map<string, ReadonlySet<string>>()
  readonly #passedOver = new Set<string>()
  readonly #read = new Set<string>()

  /** The ids by which a part may link somewhere. */
  linksOf = (part: string): ReadonlySet<string> => this.#links.get(part) ?? new Set()

  isPassedOver = (part: string): boolean =>
    this.#passedOver.has(part) && !this.#read.has(part) && !part.endsWith('.svg')

  /** @returns why the document is refused for them */
  read(name: string, bytes: Buffer): string | null {
    const text = bytes.toString('utf8')
    // In another encoding, or with entities, the same would be said in words that nobody finds here.
    if (text.includes('\0') || /<!DOCTYPE/i.test(text)) return NO_DOCUMENT
    const from = name.replace(/_rels\/([^/]*)\.rels$/, '$1')
    const links = new Set<string>()
    this.#links.set(from, links)
    for (const [tag] of text.matchAll(RELATION)) {
      const said = new Map(attributesOf(tag))
      const type = said.get('Type') ?? ''
      const target = (said.get('Target') ?? '').replace(/[\p{Cc}\s]/gu, '')
      const isOutside = (said.get('TargetMode') ?? 'Internal') !== 'Internal' || ELSEWHERE.test(target)
      if (/Type\s*=\s*(?:"[^"]*&|'[^']*&)/.test(tag)) return NO_DOCUMENT
      if (OTHER_FORMAT.test(type)) return HAS_OTHER_FORMAT
      if (LINK.test(type)) links.add(said.get('Id') ?? '-')
      else if (!isOutside) {
        if (OBJECT.test(type)) return hasObject(wordOf(type))
        const part = partIn(posix.dirname(from), target)
        ;(PASSED_OVER.test(type) ? this.#passedOver : this.#read).add(part)
      } else if (!TEMPLATE.test(type))
        return showsElsewhere(`a relationship “${wordOf(type)}” to another place`)
      else if (!OWN_PLACE.test(target)) return HAS_TEMPLATE
    }
    return null
  }
}

/** What stands at the end of a type, as far as it is a word. */
const wordOf = (type: string): string => /[a-z]{1,40}$/i.exec(type)?.[0] ?? '?'

/** The name of a part that another one names, as it stands in the list. */
function partIn(folder: string, target: string): string {
  const path = target.replace(/[?#].*$/, '').replaceAll('\\', '/')
  return posix
    .join('/', path.startsWith('/') ? '' : folder, unescaped(path))
    .slice(1)
    .toLowerCase()
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The part whose content type is that of the text of a document. */
function mainPartIn(types: string): string | null {
  for (const [tag] of types.matchAll(/<(?:\w+:)?Override\b[^<>]{0,4096}>/g))
    if (attribute(tag, 'ContentType') === MAIN)
      return attribute(tag, 'PartName')?.replace(/^\//, '').toLowerCase() ?? null
  return null
}

const attribute = (tag: string, wanted: string): string | undefined =>
  attributesOf(tag).find(([name]) => name === wanted)?.[1]

/** Its parts lie all over it. */
class Scattered extends Error {}

/** Reads of it what is asked for, and what lies behind that: the list at its end is there already, and its texts lie together. */
class RangeReader extends yauzl.RandomAccessReader {
  fault: Error | null = null
  readonly #open: OpenRange
  readonly #tail: Buffer
  readonly #from: number
  #opened = 0
  #block = { from: 0, bytes: Buffer.alloc(0) }

  constructor(open: OpenRange, tail: Buffer, from: number) {
    super()
    ;[this.#open, this.#tail, this.#from] = [open, tail, from]
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (start >= this.#from)
      return Readable.from([this.#tail.subarray(start - this.#from, end - this.#from)], { objectMode: false })
    const isLong = end - start > BLOCK_BYTES
    const parts = isLong ? this.#ask(start, end) : this.#fromBlock(start, end)
    const stream = Readable.from(parts, { objectMode: false })
    stream.on('error', (error) => {
      if (!(error instanceof Scattered)) this.fault = error
    })
    return stream
  }

  #ask(start: number, end: number): AsyncIterable<Uint8Array> {
    this.#opened += 1
    if (this.#opened > RANGES_AT_MOST) throw new Scattered()
    return this.#open({ from: start, to: end - 1 })
  }

  async *#fromBlock(start: number, end: number): AsyncGenerator<Uint8Array> {
    const { from, bytes } = this.#block
    if (start < from || end > from + bytes.length) {
      const upTo = Math.max(end, Math.min(start + BLOCK_BYTES, this.#from))
      this.#block = { from: start, bytes: await buffer(this.#ask(start, upTo)) }
    }
    yield this.#block.bytes.subarray(start - this.#block.from, end - this.#block.from)
  }
}

const NO_DOCUMENT = 'is no Word document, whatever its name says: save it as .docx, or as a PDF'
const HAS_MACROS = 'has macros, which run where it is opened: save it as a .docx without them'
const showsElsewhere = (what: string): string =>
  `shows what is not in it: it has ${what}, which its hash would not cover. Take that out or put it into the document, or save it as a PDF`
const runsElsewhere = (what: string): string =>
  `has ${what}, which has another program run where it is opened: take that out, or save it as a PDF`
const foundFault = ({ does, what }: Finding): string =>
  does === 'runs' ? runsElsewhere(what) : showsElsewhere(what)
const hasObject = (what: string): string => runsElsewhere(`an object of another program (${what})`)
const HAS_TEMPLATE =
  'fetches a template from the web when it is opened: choose another for it in Word, or save it as a PDF'
const HAS_OTHER_FORMAT = 'has a page of another format within it: open it in Word and save it again'
const TOO_LARGE = `has more than ${PLAIN_BYTES_AT_MOST / 1024 / 1024} MB once it is taken apart, or more than ${TEXT_BYTES_AT_MOST / 1024 / 1024} MB of text: make it smaller`
