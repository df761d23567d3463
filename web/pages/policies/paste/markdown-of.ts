import { attributeOf, partsOf } from './html-parts.ts'
import { asMarkdown, type Look, type Words } from './words-as-markdown.ts'

/*
 * What was copied elsewhere, from a word processor or a page, as Markdown: headings, lists, tables, quotations, links and
 * what is strong or emphasized. Everything else falls away, pictures too. Elements are a stack of what surrounds the
 * words, and a block is written where its words end: so no tag that is missing, wrong or deep does more than look odd.
 */

const BLOCKS = new Set(
  'p div section article header footer main aside address figure figcaption h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption tr td th hr form fieldset'.split(
    ' ',
  ),
)
const EMPTY = new Set('br hr img input meta link wbr col base area embed source track o:p'.split(' '))
/** What was struck out is not said any more: tracked changes come so, too. */
const STRUCK = new Set(['del', 's', 'strike'])
const DEEPEST = 100
const DEEPEST_LIST = 5
const COLUMNS_AT_MOST = 40

interface Element {
  readonly name: string
  readonly look: Look
  readonly isStruck?: boolean
  /** Of a heading. */
  readonly level?: number
  /** Of a list: the number of its next item. */
  next?: number
  /** Of an item: what stands before its first words. */
  mark?: string
  isMarked?: boolean
  /** Of an item of a word processor, which is a paragraph that says how deep it is. */
  readonly depth?: number
}

/** Whether a text of Markdown is more than words within a line, so that none may stand before it there. */
export const isOfBlocks = (markdown: string): boolean =>
  /\n\n|^(?:#{1,6} |- |\d+\. |\| |> |```|---$)/m.test(markdown)

/** What a text had that is not said any more: struck-through words, or the paragraphs of a cell, which are one line here. */
export type Lost = 'struck' | 'cellLines'

export const markdownOf = (html: string): string => readHtml(html).text

/** The same, with what it left out. */
export function readHtml(html: string): { text: string; lost: readonly Lost[] } {
  const writer = new Writer()
  for (const part of partsOf(html)) {
    if (part.type === 'words') writer.say(part.text)
    else if (part.type === 'open') writer.open(part.name, part.attributes)
    else if (part.type === 'close') writer.close(part.name)
    else writer.mark(part.type === 'mark_begins')
  }
  return { text: writer.end(), lost: [...writer.lost] }
}

class Writer {
  readonly lost = new Set<Lost>()
  readonly #stack: Element[] = []
  #words: Words[] = []
  readonly #blocks: { text: string; isItem: boolean }[] = []
  /** The table that is open, by its rows; what is open within it is words. */
  #rows: string[][] | null = null
  #tables = 0
  /** Which cell of the last row is open. */
  #cell = 0
  /** For how many rows more each column is taken by a cell above. */
  #spans: number[] = []
  /** The mark of an item of a word processor, while it is read. */
  #mark: string | null = null
  #isMark = false
  /** The marks of its items that surround the next one. */
  #marks: { text: string; number: number }[] = []

  say(text: string): void {
    if (this.#stack.some(({ isStruck }) => isStruck)) {
      if (text.trim() !== '') this.lost.add('struck')
      return
    }
    if (this.#isMark) this.#mark = (this.#mark ?? '') + text
    else {
      const isCode = this.#stack.some(({ name }) => name === 'pre')
      this.#words.push({ text: isCode ? text : text.replace(/[^\S\ufeff]+/g, ' '), look: this.#look })
    }
  }

  mark(begins: boolean): void {
    if (begins) this.#mark = ''
    this.#isMark = begins
  }

  open(name: string, attributes: string): void {
    if (name === 'br') this.#words.push({ text: '\n', look: this.#look })
    if (BLOCKS.has(name)) this.#flush()
    if (name === 'hr' && this.#tables === 0) this.#add('---', false)
    if (name === 'table') {
      this.#tables += 1
      if (this.#tables === 1) [this.#rows, this.#spans] = [[], []]
    }
    if (this.#tables === 1 && name === 'tr') this.#rows!.push([])
    if (this.#tables === 1 && (name === 'td' || name === 'th')) this.#openCell(attributes)
    if (name === 'li') this.#closeTo('li', ['ul', 'ol'])
    if (EMPTY.has(name) || this.#stack.length >= DEEPEST) return
    this.#stack.push({ ...this.#element(name, attributes), isStruck: isStruck(name, attributes) })
  }

  /** Columns that a cell above takes stay empty, so that what follows stands in its own. */
  #openCell(attributes: string): void {
    if (this.#rows!.length === 0) this.#rows!.push([])
    const row = this.#rows!.at(-1)!
    for (; (this.#spans[row.length] ?? 0) > 0 && row.length < COLUMNS_AT_MOST; row.push(''))
      this.#spans[row.length]! -= 1
    this.#cell = row.length
    const [columns, rows] = [spanOf(attributes, 'colspan'), spanOf(attributes, 'rowspan')]
    for (let at = 0; at < columns && row.length < COLUMNS_AT_MOST; at += 1) {
      this.#spans[row.length] = rows - 1
      row.push('')
    }
  }

  close(name: string): void {
    if (BLOCKS.has(name)) this.#flush()
    if (name === 'table' && this.#tables > 0) {
      this.#tables -= 1
      if (this.#tables === 0) this.#endTable()
    }
    this.#closeTo(name, name === 'li' ? ['ul', 'ol'] : [])
  }

  end(): string {
    this.#flush()
    if (this.#tables > 0) this.#endTable()
    return this.#blocks
      .map(({ text, isItem }, at) =>
        at === 0 ? text : (isItem && this.#blocks[at - 1]!.isItem ? '\n' : '\n\n') + text,
      )
      .join('')
  }

  get #look(): Look {
    return this.#stack.at(-1)?.look ?? {}
  }

  #closeTo(name: string, within: readonly string[]): void {
    const at = this.#stack.findLastIndex((one) => one.name === name || within.includes(one.name))
    if (at >= 0 && this.#stack[at]!.name === name) this.#stack.splice(at)
  }

  #element(name: string, attributes: string): Element {
    const look = lookOf(name, attributes, this.#look)
    if (/^h[1-6]$/.test(name)) return { name, look: withoutStrong(look), level: Number(name[1]) }
    if (name === 'ul') return { name, look }
    if (name === 'ol')
      return { name, look, next: Number.parseInt(attributeOf(attributes, 'start') ?? '1', 10) || 1 }
    if (name === 'li') {
      const list = this.#stack.findLast((one) => one.name === 'ul' || one.name === 'ol')
      const depth = this.#stack.filter((one) => one.name === 'li').length
      if (depth >= DEEPEST_LIST) return { name, look }
      if (list?.next === undefined) return { name, look, mark: '- ' }
      list.next += 1
      return { name, look, mark: `${Math.min(Math.max(list.next - 1, 0), 999_999)}. ` }
    }
    if (name === 'p') return { name, look, ...paragraphOf(attributes) }
    return { name, look }
  }

  /** Writes what was said since the last block. */
  #flush(): void {
    const words = this.#words
    this.#words = []
    if (words.every(({ text }) => text.trim() === '')) return
    if (this.#rows) {
      const lines = asMarkdown(words)
      const cell = lines.join(' ')
      const row = this.#rows.at(-1)
      if (lines.length > 1 || (row?.[this.#cell] && cell)) this.lost.add('cellLines')
      if (row && row.length > this.#cell) row[this.#cell] = [row[this.#cell], cell].filter(Boolean).join(' ')
      return
    }
    if (this.#stack.some(({ name }) => name === 'pre')) {
      this.#addCode(words)
      return
    }
    const lines = asMarkdown(words)
    if (lines.length === 0) return
    const block = this.#stack.findLast(({ level, depth }) => level !== undefined || depth !== undefined)
    if (block?.level !== undefined) this.#add(`${'#'.repeat(block.level)} ${lines.join(' ')}`, false)
    else if (block?.depth !== undefined) this.#addItem(lines, block.depth)
    else this.#add(lines.join('  \n'), false)
  }

  #addCode(words: readonly Words[]): void {
    const text = words
      .map((one) => one.text)
      .join('')
      .replace(/^\n|\n$/g, '')
    this.#add(`\`\`\`\n${text.replaceAll('```', "'''")}\n\`\`\``, false)
  }

  /** An item of a word processor. */
  #addItem(lines: readonly string[], depth: number): void {
    const told = (this.#mark ?? '').trim()
    this.#mark = null
    const level = Math.min(depth, this.#marks.length + 1, DEEPEST_LIST)
    const before = this.#marks[level - 1]
    const isOrdered = /^\(?[\p{L}\p{N}]{1,6}[.)]/u.test(told) && told !== 'o'
    const number = before?.text.startsWith('-') === false ? before.number + 1 : Number.parseInt(told, 10) || 1
    const text = isOrdered ? `${number}. ` : '- '
    const inner = this.#marks
      .slice(0, level - 1)
      .map((one) => ' '.repeat(one.text.length))
      .join('')
    this.#marks = [...this.#marks.slice(0, level - 1), { text, number }]
    const rest = inner + ' '.repeat(text.length)
    this.#blocks.push({
      text: lines.map((line, at) => (at === 0 ? inner + text : rest) + line).join('  \n'),
      isItem: true,
    })
  }

  /** Each line stands behind what its block is in: quotations, and items, of which the first line has the mark. */
  #add(text: string, isRow: boolean): void {
    this.#marks = []
    this.#mark = null
    let [first, others, isItem] = ['', '', false]
    for (const element of this.#stack) {
      if (element.name === 'blockquote' && first.length < 20) {
        first += '> '
        others += '> '
      }
      if (element.mark === undefined) continue
      const blank = ' '.repeat(element.mark.length)
      first += element.isMarked ? blank : element.mark
      others += blank
      isItem ||= !element.isMarked
      element.isMarked = true
    }
    const lines = text.split('\n').map((line, at) => (at === 0 ? first : others) + line)
    this.#blocks.push({ text: lines.join('\n'), isItem: isItem && !isRow })
  }

  /** Of one column it only puts things in their places. */
  #endTable(): void {
    const rows = (this.#rows ?? [])
      .map((row) => row.slice(0, COLUMNS_AT_MOST))
      .filter((row) => row.some(Boolean))
    this.#rows = null
    this.#tables = 0
    const columns = Math.max(0, ...rows.map(({ length }) => length))
    if (columns < 2 || rows.length < 2) {
      for (const text of rows.flat().filter(Boolean)) this.#add(text, true)
      return
    }
    const written = rows.map(
      (row) => `| ${Array.from({ length: columns }, (_, at) => row[at] ?? '').join(' | ')} |`,
    )
    const rule = `| ${Array.from({ length: columns }, () => '---').join(' | ')} |`
    this.#add([written[0], rule, ...written.slice(1)].join('\n'), true)
  }
}

const SPAN_AT_MOST = 1_000

const spanOf = (attributes: string, name: 'colspan' | 'rowspan'): number =>
  Math.min(Math.max(Number.parseInt(attributeOf(attributes, name) ?? '1', 10) || 1, 1), SPAN_AT_MOST)

const isStruck = (name: string, attributes: string): boolean =>
  STRUCK.has(name) ||
  /text-decoration(?:-line)?:[^;]*line-through/i.test(attributeOf(attributes, 'style') ?? '')

const withoutStrong = (look: Look): Look => ({ ...look, isStrong: false })

/** A paragraph of a word processor may be a heading or an item. */
function paragraphOf(attributes: string): { level?: number; depth?: number } {
  const [style, named] = [attributeOf(attributes, 'style') ?? '', attributeOf(attributes, 'class') ?? '']
  const item = /mso-list:\s*l\d+ level(\d)/i.exec(style)
  if (item) return { depth: Number(item[1]) }
  const heading = /mso-outline-level:\s*([1-6])/i.exec(style)
  if (heading) return { level: Number(heading[1]) }
  return /^MsoTitle\b/.test(named) ? { level: 1 } : {}
}

function lookOf(name: string, attributes: string, above: Look): Look {
  if (BLOCKS.has(name) && name !== 'th' && !/style/i.test(attributes)) return above
  const style = attributeOf(attributes, 'style') ?? ''
  const weight = /font-weight:\s*(\w+)/i.exec(style)?.[1]
  const slant = /font-style:\s*(\w+)/i.exec(style)?.[1]
  const look: { -readonly [Key in keyof Look]: Look[Key] } = { ...above }
  if (name === 'b' || name === 'strong') look.isStrong = true
  if (name === 'i' || name === 'em' || name === 'cite') look.isEmphasized = true
  if (weight) look.isStrong = weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  if (slant) look.isEmphasized = slant === 'italic' || slant === 'oblique'
  if (name === 'code' || name === 'tt' || name === 'kbd' || name === 'samp') look.isCode = true
  const url = name === 'a' ? addressOf(attributeOf(attributes, 'href')) : null
  if (url) look.url = url
  return look
}

const LONGEST_ADDRESS = 2_000

/** An address of the web, with no sign that ends it in Markdown. */
function addressOf(href: string | null): string | null {
  if (href === null || !/^https?:\/\//i.test(href.trim()) || !URL.canParse(href.trim())) return null
  const url = new URL(href.trim()).href.replace(
    /[()<>\s*`\\[\]|{}]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return url.length > LONGEST_ADDRESS ? null : url
}
