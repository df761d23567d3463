import { readEntities } from '../../model/xml-entities.ts'

/*
 * What a part of a Word document would show or run that is not in it (ECMA-376, part 1, 17.16, and part 4 for VML): a field
 * whose instruction names something else, a picture with an address of its own, a link that is used as anything else.
 *
 * A part is read as a row of tags and words, as it comes: programs forgive much, so what encloses a tag or which namespace
 * its prefix stands for does not count, and whatever could be taken for one of these is.
 */

/** The name of what was found, and what it does. */
export interface Finding {
  readonly what: string
  readonly does: 'shows' | 'runs'
}

/** Nobody's program writes so, and programs differ in what they read of it. */
export class UnreadablePart extends Error {}

const NAMES_ANOTHER =
  /^\s*(INCLUDEPICTURE|INCLUDETEXT|INCLUDE|IMPORT|DDEAUTO|DDE|LINK|DATABASE|RD)(?![\p{L}\p{N}_])/iu
/** Found however they are broken up, also where some of what stands between is passed over when it is opened. */
const BROKEN_UP = ['INCLUDEPICTURE', 'INCLUDETEXT', 'DDEAUTO', 'DDE'] as const
const KEYWORDS = [...BROKEN_UP, 'IMPORT', 'LINK', 'DATABASE', 'RD']
/** Stands in an instruction for a field within it. */
const INNER = '\uFFFC'

const LINKS: ReadonlySet<string> = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver'])
const INSTRUCTION: ReadonlySet<string> = new Set(['instrText', 'delInstrText'])
const PICTURES: ReadonlySet<string> = new Set(['imagedata', 'image', 'feImage', 'fill', 'stroke'])
/** Of a picture, what is in the part itself, or in the mail that it was taken from. */
const WITHIN = /^(?:data:|cid:|#|$)/i

/** Longer than any tag but one with a picture in it. */
const TAG_AT_MOST = 16 * 1024 * 1024

/**
 * @param chunks what the part says; of one that is no XML only its beginning is read
 * @param links the ids by which it may link somewhere, and do nothing else
 * @param bytesAtMost so much of it is read, and a little more
 * @returns what was found first, and how much was read; of what is no XML, nothing
 * @throws {UnreadablePart}
 */
export async function findElsewhere(
  chunks: AsyncIterable<Uint8Array>,
  links: ReadonlySet<string>,
  bytesAtMost: number,
): Promise<{ found: Finding | null; bytes: number }> {
  const decoder = new TextDecoder()
  const part = new Part(links)
  let pieces: string[] = []
  let [length, wanted, bytes] = [0, 1, 0]
  const readOn = () => {
    const text = pieces.join('')
    const left = text.slice(part.read(text))
    if (left.length > TAG_AT_MOST) throw new UnreadablePart()
    ;[pieces, length] = [[left], left.length]
  }
  for await (const chunk of chunks) {
    const more = decoder.decode(chunk, { stream: true })
    if (bytes === 0) {
      if (/^\s*$/.test(more)) continue
      // In two bytes for each sign, it is read as well, and not here.
      if (!/^[\s\0\uFFFD]*</.test(more)) return { found: null, bytes }
    }
    if (more.includes('\0')) throw new UnreadablePart()
    bytes += chunk.length
    if (bytes > bytesAtMost) break
    pieces.push(more)
    length += more.length
    if (length < wanted) continue
    readOn()
    if (part.found) break
    // What is left of a long tag is looked at again only once there is twice as much of it.
    wanted = 2 * length
  }
  readOn()
  const found = part.found ?? part.end()
  if (!found && bytes <= bytesAtMost && pieces[0]!.startsWith('<')) throw new UnreadablePart()
  return { found, bytes }
}

class Part {
  found: Finding | null = null
  readonly #links: ReadonlySet<string>
  /** The instructions of the fields that are open, the outermost first. */
  readonly #fields: string[] = []
  readonly #begun = BROKEN_UP.map((word) => ({ word, lengths: new Set([0]) }))
  #instruction: string | null = null

  constructor(links: ReadonlySet<string>) {
    this.#links = links
  }

  /** @returns how much of it was read: the rest is the beginning of something */
  read(text: string): number {
    let at = 0
    while (at < text.length && !this.found) {
      if (text[at] !== '<') {
        const next = text.indexOf('<', at)
        // Of an instruction, the end may be the half of an entity.
        if (next < 0) return this.#instruction === null ? text.length : at
        if (this.#instruction !== null) this.#instruction += readEntities(text.slice(at, next))
        at = next
        continue
      }
      const end = endOf(text, at)
      if (end === null) return at
      if (text.startsWith('<![CDATA[', at)) {
        if (this.#instruction !== null) this.#instruction += text.slice(at + 9, end - 3)
      } else if (text[at + 1] === '?') refuseEncoding(text.slice(at, end))
      else if (text[at + 1] !== '!') this.#tag(text.slice(at, end))
      at = end
    }
    return at
  }

  /** What is still open once all is read. */
  end(): Finding | null {
    for (const field of this.#fields) this.found ??= findingIn(field)
    return this.found
  }

  #tag(tag: string): void {
    const isEnd = tag[1] === '/'
    const name = /^<\/?(?:[^\s<>/:]*:)?([^\s<>/]*)/.exec(tag)![1]!
    if (INSTRUCTION.has(name)) this.#bound(isEnd || tag.endsWith('/>'))
    if (isEnd) return
    if (name === 'fldSimple') this.#simple(attributeIn(tag, 'instr'))
    else if (name === 'fldChar') this.#turn(attributeIn(tag, 'fldCharType'))
    else this.found ??= findingOf(name, tag)
    if (this.#links.size > 0 && !LINKS.has(name) && this.#isMisused(tag))
      this.found ??= shows(`a link in place of another thing (${name})`)
  }

  /** An instruction begins or ends: one after the other, as they stand in no other. */
  #bound(isEnd: boolean): void {
    if (this.#instruction) this.#add(this.#instruction)
    this.#instruction = isEnd ? null : ''
  }

  #add(piece: string): void {
    if (this.#fields.length > 0) this.#fields[this.#fields.length - 1] += piece
    else this.found ??= findingIn(piece)
    this.#follow(piece)
  }

  #simple(instruction: string): void {
    this.found ??= findingIn(instruction)
    this.#follow(instruction)
  }

  #turn(type: string): void {
    if (type === 'begin') {
      if (this.#fields.length > 0) this.#fields[this.#fields.length - 1] += INNER
      this.#fields.push('')
    } else if (type === 'end') this.found ??= findingIn(this.#fields.pop() ?? '')
  }

  /** Looks whether pieces, some of which may be passed over, come to a word that names something else. */
  #follow(piece: string): void {
    const upper = piece.toUpperCase()
    for (const { word, lengths } of this.#begun)
      for (const length of [...lengths]) {
        const left = word.slice(length)
        const said = length === 0 ? upper.trimStart() : upper
        if (said.startsWith(left) && /^(?:$|[\s"\\])/.test(said.slice(left.length)))
          this.found ??= fieldFound(word)
        else if (said !== '' && left.startsWith(said)) lengths.add(length + said.length)
      }
  }

  #isMisused(tag: string): boolean {
    for (const [name, value] of attributesOf(tag))
      if (/:(?:id|embed|link|pict|href)$/.test(name) && this.#links.has(value)) return true
    return false
  }
}

/** The end of what begins there; null where it is not there yet. */
function endOf(text: string, from: number): number | null {
  const behind = (mark: string, at: number) => {
    const found = text.indexOf(mark, at)
    return found < 0 ? null : found + mark.length
  }
  if (text.startsWith('<!--', from)) return behind('-->', from + 4)
  if (text.startsWith('<![CDATA[', from)) return behind(']]>', from + 9)
  if (text.startsWith('<?', from)) return behind('?>', from + 2)
  if (text.startsWith('<!', from)) {
    // Entities of its own would say the same in words that nobody finds here.
    if (/^<!(?!-?$|\[[CDAT]{0,5}$)./.test(text.slice(from, from + 9))) throw new UnreadablePart()
    return null
  }
  const mark = /["'>]/g
  mark.lastIndex = from
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '>') return found.index + 1
    const close = text.indexOf(found[0], found.index + 1)
    if (close < 0) return null
    mark.lastIndex = close + 1
  }
  return null
}

function refuseEncoding(instruction: string): void {
  const encoding = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)/.exec(instruction)?.[1]
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) throw new UnreadablePart()
}

function findingIn(instruction: string): Finding | null {
  const named = NAMES_ANOTHER.exec(instruction)?.[1]
  if (named) return fieldFound(named.toUpperCase())
  const [before] = instruction.trimStart().toUpperCase().split(INNER)
  const isMadeUp = instruction.includes(INNER) && KEYWORDS.some((word) => word.startsWith(before!))
  return isMadeUp ? shows('a field that another one names') : null
}

const fieldFound = (word: string): Finding => ({
  what: `the field ${word}`,
  does: word.startsWith('DDE') ? 'runs' : 'shows',
})

const shows = (what: string): Finding => ({ what, does: 'shows' })

function findingOf(name: string, tag: string): Finding | null {
  if (name === 'mailMerge') return shows('a mail merge')
  if (name === 'webVideoPr') return shows('a video of the web')
  if (name === 'blip') return attributeIn(tag, 'link') === '' ? null : shows('a linked picture')
  if (name === 'OLEObject')
    return attributeIn(tag, 'Type').toLowerCase() === 'link' ? shows('a linked object') : null
  if (!PICTURES.has(name)) return null
  for (const [attribute, value] of attributesOf(tag))
    if (/^(?:[^:]*:)?(?:src|href|althref)$/.test(attribute) && !WITHIN.test(value.trim()))
      return shows(`a picture that lies elsewhere (${name})`)
  return null
}

/** Whatever prefix stands before its name; empty where it is not there. */
function attributeIn(tag: string, wanted: string): string {
  for (const [name, value] of attributesOf(tag))
    if (name === wanted || name.endsWith(`:${wanted}`)) return value
  return ''
}

/** The attributes of a tag, each with its value: one after the other, as a value may look like another attribute. */
export function* attributesOf(tag: string): Generator<[name: string, value: string]> {
  const mark = /=\s*(["'])/g
  let end = 0
  for (let found = mark.exec(tag); found; found = mark.exec(tag)) {
    const close = tag.indexOf(found[1]!, mark.lastIndex)
    if (close < 0) return
    const before = tag.slice(Math.max(end, found.index - NAME_AT_MOST), found.index)
    yield [/[^\s<"'/]*$/.exec(before.trimEnd())![0], readEntities(tag.slice(mark.lastIndex, close))]
    mark.lastIndex = end = close + 1
  }
}

/** With what stands between it and its value. */
const NAME_AT_MOST = 200
