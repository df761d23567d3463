import { type MentionPart, partsOf } from './mentions.ts'

/*
 * The Markdown of comments and of policies, read into plain data: headings, paragraphs, lists, tables, quotations, code,
 * and in them what is strong, emphasized, code, a link, a picture or a mention. What is none of that is text, HTML too:
 * nothing here ever becomes markup, so there is nothing to be made clean. A picture is one of our own files, and no
 * address. Each pass goes over the text once, and nothing is nested without end.
 */

export type Block =
  | { readonly type: 'paragraph'; readonly inline: readonly Inline[] }
  | { readonly type: 'heading'; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly type: 'list'
      readonly isOrdered: boolean
      /** The number of its first item. */
      readonly start: number
      readonly items: readonly (readonly Block[])[]
    }
  | { readonly type: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'rule' }

export type Cell = readonly Inline[]

export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly inline: readonly Inline[] }
  | { readonly type: 'link'; readonly text: string; readonly url: string }
  | {
      readonly type: 'image'
      readonly text: string
      readonly fileId: string
      /** Of its bytes, where the text says it. */
      readonly sha256?: string
    }
  | ({ readonly type: 'mention' } & MentionPart)

const FENCE = /^ {0,3}`{3,}(.*)$/s
/** What a fence says besides is of no text: in which language the code is. */
const LANGUAGE =
  /^(?:bash|c|console|cpp|cs|css|diff|go|html|ini|java|javascript|js|json|kotlin|markdown|md|php|plaintext|powershell|py|python|rb|ruby|rust|sh|shell|sql|swift|text|toml|ts|tsx|typescript|txt|xml|yaml|yml)?$/i
// Each takes what follows whole: what could be taken in several ways is tried in all of them.
const ITEM = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]))(?: (.*)|$)$/s
const QUOTE = /^ {0,3}> ?(.*)$/s
const HEADING = /^ {0,3}(#{1,6}) (.*)$/s

/** Lists and quotations within each other beyond that are text. */
const DEEPEST = 6

export const readMarkdown = (text: string): Block[] => blocksOf(linesOf(text), 0)

export const linesOf = (text: string): string[] => text.split(/\r\n?|[\n\u2028\u2029]/)

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const [block, next] = blockAt(lines, at, depth)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

/** The block that begins in a line, if one does, and the line behind it. */
function blockAt(lines: readonly string[], at: number, depth: number): [Block | null, number] {
  const line = lines[at]!
  if (line.trim() === '') return [null, at + 1]
  if (FENCE.test(line)) return codeAt(lines, at)
  if (isRule(line)) return [{ type: 'rule' }, at + 1]
  const heading = HEADING.exec(line)
  if (heading) {
    const [, marks, text] = heading
    return [{ type: 'heading', level: marks!.length, inline: inlineOf(withoutClosing(text!)) }, at + 1]
  }
  if (depth < DEEPEST) {
    if (ITEM.test(line)) return listAt(lines, at, depth)
    if (QUOTE.test(line)) return quoteAt(lines, at, depth)
  }
  const table = tableAt(lines, at)
  return table ? [tableOf(table), table.end] : paragraphAt(lines, at, depth)
}

export const beginsCode = (line: string): boolean => FENCE.test(line)

/** A fence with words behind it is code. */
export const endsCode = (line: string): boolean => FENCE.exec(line)?.[1]?.trim() === ''

/** Words behind the fence that are no language are shown with the code, so that nobody agrees to what nobody sees. */
function codeAt(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at + 1, (line) => !endsCode(line))
  const said = FENCE.exec(lines[at]!)![1]!.trim()
  const code = [...(LANGUAGE.test(said) ? [] : [said]), ...lines.slice(at + 1, end)]
  return [{ type: 'code', text: code.join('\n') }, end + 1]
}

function quoteAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  const end = endOf(lines, at, (line) => QUOTE.test(line))
  const inner = lines.slice(at, end).map((line) => QUOTE.exec(line)![1]!)
  return [{ type: 'quote', blocks: blocksOf(inner, depth + 1) }, end]
}

/** Items of one sort that follow each other, each with what is indented beneath it. */
function listAt(lines: readonly string[], from: number, depth: number): [Block, number] {
  const [, , number] = ITEM.exec(lines[from]!)!
  const isOrdered = number !== undefined
  const items: Block[][] = []
  let at = from
  while (at < lines.length) {
    const item = ITEM.exec(lines[at]!)
    if (!item || (item[2] !== undefined) !== isOrdered || isRule(lines[at]!)) break
    const end = itemEnd(lines, at, indentOf(item[1]!) + 1)
    const indent = item[1]!.length + 1
    const inner = [item[3] ?? '', ...lines.slice(at + 1, end).map((line) => dedented(line, indent))]
    items.push(blocksOf(inner, depth + 1))
    at = end
    // Items may stand apart.
    const next = endOf(lines, at, (line) => line.trim() === '')
    if (next < lines.length && ITEM.test(lines[next]!)) at = next
  }
  return [{ type: 'list', isOrdered, start: Number(number ?? 1), items }, at]
}

/** Where an item ends: what is further in than its mark is its own, and words that go on in the next line. */
function itemEnd(lines: readonly string[], from: number, least: number): number {
  let end = from + 1
  let isApart = false
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.trim() === '') {
      isApart = true
      continue
    }
    const isInside = indentOf(line) >= Math.max(least, 2)
    if (!isInside && (isApart || !isWords(line))) break
    end = at + 1
    if (isInside) isApart = false
  }
  return end
}

const indentOf = (line: string): number => line.length - line.trimStart().length

const dedented = (line: string, most: number): string => line.slice(Math.min(indentOf(line), most))

/** A table as it is written: what stands in its cells, and the line behind it. */
interface WrittenTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly end: number
}

/** What has more is no table that anybody could read. */
const COLUMNS_AT_MOST = 100

/** A row, a row of dashes beneath it, and the rows behind those; null where no table begins in that line. */
export function tableAt(lines: readonly string[], at: number): WrittenTable | null {
  if (!lines[at]!.includes('|') || at + 1 >= lines.length) return null
  const head = cellsOf(lines[at]!)
  const marks = lines[at + 1]!.includes('-') ? cellsOf(lines[at + 1]!) : []
  if (
    head.length === 0 ||
    head.length > COLUMNS_AT_MOST ||
    marks.length !== head.length ||
    !marks.every((mark) => /^:?-+:?$/.test(mark))
  )
    return null
  const end = endOf(lines, at + 2, (line) => line.trim() !== '' && line.includes('|'))
  return { head, rows: lines.slice(at + 2, end).map((line) => fitted(cellsOf(line))), end }
}

/** What is more than a table has columns stands in the last one. */
const fitted = (cells: string[]): string[] =>
  cells.length <= COLUMNS_AT_MOST
    ? cells
    : [...cells.slice(0, COLUMNS_AT_MOST - 1), cells.slice(COLUMNS_AT_MOST - 1).join(' | ')]

/**
 * Each row has the cells that it was written with, and the head as many as the longest: what stands there is seen. Who
 * draws it fills the rows up: filled up here, a text of short rows beneath a long head would be many times as large as it
 * is.
 */
function tableOf({ head, rows }: WrittenTable): Block {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), head.length)
  return {
    type: 'table',
    head: Array.from({ length: columns }, (_, at) => readCell(head[at] ?? '')),
    rows: rows.map((cells) => cells.map(readCell)),
  }
}

/** What a cell says. */
export const readCell = (cell: string): Cell => inlineOf(cell)

/** What stands between strokes, but for those behind a backslash. */
export function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const row = line.trim()
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at += 1) {
    const letter = row[at]!
    if (letter === '\\' && at + 1 < row.length) {
      cell += letter + row[at + 1]!
      at += 1
    } else if (letter === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += letter
  }
  return row.endsWith('|') && cell === '' ? cells : [...cells, cell.trim()]
}

function paragraphAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  const end = endOf(lines, at + 1, (line) => isWords(line) || (depth >= DEEPEST && line.trim() !== ''))
  const words = lines.slice(at, end).map((line) => line.trim())
  return [{ type: 'paragraph', inline: inlineOf(words.join('\n')) }, end]
}

/** The first line from there on that is not so. */
function endOf(lines: readonly string[], from: number, is: (line: string) => boolean): number {
  let at = from
  while (at < lines.length && is(lines[at]!)) at += 1
  return at
}

/** A heading may end as it began. */
function withoutClosing(heading: string): string {
  let end = heading.trimEnd().length
  while (heading[end - 1] === '#') end -= 1
  return heading.slice(0, end).trim()
}

/** Three or more of one mark, and nothing else. */
function isRule(line: string): boolean {
  const marks = line.trim()
  if (marks.length < 3 || indentOf(line) > 3) return false
  const [first] = marks
  return (first === '-' || first === '*' || first === '_') && marks === first.repeat(marks.length)
}

const isWords = (line: string): boolean =>
  line.trim() !== '' && !isRule(line) && ![FENCE, ITEM, QUOTE, HEADING].some((other) => other.test(line))

/** What begins one of them: a letter as it stands, code, a picture, a link with words, an address, strong, emphasized. */
const MARK =
  /\\([!-/:-@[-`{-~])|`([^`\n]{1,2000})`|!\[([^\][\n]{0,500})\]\((fil_[0-9a-z]{26})(?: "SHA-256 ([0-9a-f]{64})")?\)|\[([^\][\n]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000})\)|(https?:\/\/[^\s<>]{1,2000}[^\s<>.,;:!?'")\]])|\*\*(?=\S)([^*\n]{1,2000})\*\*|(?<![\p{L}\p{N}*_])[*_](?=\S)([^*_\n]{1,2000})[*_](?![\p{L}\p{N}*_])/gu

const inlineOf = (text: string): Inline[] =>
  partsOf(text).flatMap((part) =>
    typeof part === 'string' ? joined(markedIn(part, 0)) : [{ type: 'mention', ...part } as const],
  )

/** Letters that were meant as they stand are part of the words around them. */
function joined(parts: readonly Inline[]): Inline[] {
  const all: Inline[] = []
  let words = ''
  const flush = () => {
    if (words !== '') all.push({ type: 'text', text: words })
    words = ''
  }
  for (const part of parts)
    if (part.type === 'text') words += part.text
    else {
      flush()
      all.push(part)
    }
  flush()
  return all
}

function markedIn(text: string, depth: number): Inline[] {
  if (depth > 2) return [{ type: 'text', text }]
  const found: Inline[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) found.push({ type: 'text', text: text.slice(from, match.index) })
    found.push(partOf(match, depth))
    from = match.index + match[0].length
  }
  if (from < text.length) found.push({ type: 'text', text: text.slice(from) })
  return found
}

function partOf(match: RegExpMatchArray, depth: number): Inline {
  const [, letter, code, alt, fileId, sha256, label, url, address, strong, emphasis] = match
  if (letter !== undefined) return { type: 'text', text: letter }
  if (code !== undefined) return { type: 'code', text: code }
  if (fileId !== undefined)
    return { type: 'image', text: alt!, fileId, ...(sha256 === undefined ? {} : { sha256 }) }
  if (url !== undefined) return { type: 'link', text: label!, url }
  if (address !== undefined) return { type: 'link', text: address, url: address }
  if (strong !== undefined) return { type: 'strong', inline: joined(markedIn(strong, depth + 1)) }
  return { type: 'emphasis', inline: joined(markedIn(emphasis!, depth + 1)) }
}
