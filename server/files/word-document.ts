import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

/*
 * Whether an archive is a Word document (ECMA-376, parts 1 and 2): the list of its content types names a main part of that
 * type, and the part is there. And whether all that it shows is in it: its hash, which people approve and agree to, covers
 * no picture that a reader's program fetches elsewhere, and whoever holds that sees who reads it. The list at the end of the
 * archive, this one part and those that say what the document is made of are read, and nothing else is taken apart: what
 * anybody sent costs no more however large it says to be.
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
/** At the end of it, which has the list of its parts. */
const TAIL_BYTES = 1024 * 1024
/** Before that, at most: the content types stand first, and all else is passed over. */
const RANGES_AT_MOST = 100
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
  let relations = 0
  for (const [name, entry] of parts) {
    if (!RELATIONS_PART.test(name)) continue
    relations += entry.uncompressedSize
    if (relations > RELATIONS_BYTES_AT_MOST) return NO_DOCUMENT
    const fault = faultOfRelations(await buffer(await archive.openReadStreamPromise(entry)))
    if (fault) return fault
  }
  return null
}

/** Its attributes may have any sign but their quotation mark. */
const RELATION = /<(?:[^\s<>:/"'=]+:)?Relationship(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/g
/** Where a link leads somebody who follows it: nothing is fetched before. */
const LINK = /\/relationships\/hyperlink$/
const TEMPLATE = /\/relationships\/attachedTemplate$/
const OTHER_FORMAT = /\/aFChunk$/
/** On a disk or a share, as Word notes of any document where its template lay; with an at sign, a share is on the web. */
const OWN_PLACE = /^(?!.*@)(?:file:|[a-z]:|\\\\|\/|[^:]*$)/i

function faultOfRelations(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  // In another encoding, or with entities, the same would be said in words that nobody finds here.
  if (text.includes('\0') || /<!DOCTYPE/i.test(text)) return NO_DOCUMENT
  for (const [tag] of text.matchAll(RELATION)) {
    const type = attribute(tag, 'Type') ?? ''
    const isOutside = (attribute(tag, 'TargetMode') ?? 'Internal') !== 'Internal'
    if (type.includes('&')) return NO_DOCUMENT
    if (OTHER_FORMAT.test(type)) return HAS_OTHER_FORMAT
    if (!isOutside || LINK.test(type)) continue
    if (!TEMPLATE.test(type)) return SHOWS_ELSEWHERE
    if (!OWN_PLACE.test(attribute(tag, 'Target') ?? '')) return HAS_TEMPLATE
  }
  return null
}

/** The part whose content type is that of the text of a document. */
function mainPartIn(types: string): string | null {
  for (const [tag] of types.matchAll(/<(?:\w+:)?Override\b[^<>]{0,4096}>/g))
    if (attribute(tag, 'ContentType') === MAIN)
      return attribute(tag, 'PartName')?.replace(/^\//, '').toLowerCase() ?? null
  return null
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`).exec(tag)?.[2]

/** Reads of it what is asked for: nearly all of that is at its end, which is there already. */
class RangeReader extends yauzl.RandomAccessReader {
  fault: Error | null = null
  readonly #open: OpenRange
  readonly #tail: Buffer
  readonly #from: number
  #opened = 0

  constructor(open: OpenRange, tail: Buffer, from: number) {
    super()
    ;[this.#open, this.#tail, this.#from] = [open, tail, from]
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (start >= this.#from)
      return Readable.from([this.#tail.subarray(start - this.#from, end - this.#from)], { objectMode: false })
    this.#opened += 1
    if (this.#opened > RANGES_AT_MOST) throw new Error('its parts lie all over it')
    const stream = Readable.from(this.#open({ from: start, to: end - 1 }), { objectMode: false })
    stream.on('error', (error) => {
      this.fault = error
    })
    return stream
  }
}

const NO_DOCUMENT = 'is no Word document, whatever its name says: save it as .docx, or as a PDF'
const HAS_MACROS = 'has macros, which run where it is opened: save it as a .docx without them'
const SHOWS_ELSEWHERE =
  'shows what is not in it, such as linked pictures, which its hash would not cover: put them into it, or save it as a PDF'
const HAS_TEMPLATE =
  'fetches a template from the web when it is opened: choose another for it in Word, or save it as a PDF'
const HAS_OTHER_FORMAT = 'has a page of another format within it: open it in Word and save it again'
const TOO_LARGE = `has more than ${PLAIN_BYTES_AT_MOST / 1024 / 1024} MB once it is taken apart: make it smaller`
