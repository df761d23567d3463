import { placeholdersIn, unknownIn } from '../../../../model/policy-text.ts'

/* Words that stand together, as Markdown that says the same and nothing else. */

export interface Look {
  readonly isStrong?: boolean
  readonly isEmphasized?: boolean
  readonly isCode?: boolean
  readonly url?: string
}

export interface Words {
  readonly text: string
  readonly look: Look
}

/** Controls, and marks that nobody sees: in what is pasted they are by mistake, or worse. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** @returns lines, of which there are several where breaks stand between them */
export function asMarkdown(all: readonly Words[]): string[] {
  const lines: string[] = []
  for (const line of inLines(joined(all))) {
    const text = lineOf(line)
    if (text !== '') lines.push(withoutMark(text))
  }
  return lines
}

const alike = (one: Look, other: Look): boolean =>
  one.isStrong === other.isStrong &&
  one.isEmphasized === other.isEmphasized &&
  one.isCode === other.isCode &&
  one.url === other.url

/** What looks the same is one. */
function joined(all: readonly Words[]): Words[] {
  const found: { text: string[]; look: Look }[] = []
  for (const { text, look } of all) {
    const last = found.at(-1)
    // What is between words looks like those before it.
    if (last && (alike(last.look, look) || (text.trim() === '' && !last.look.url))) last.text.push(text)
    else found.push({ text: [text], look })
  }
  return found.map(({ text, look }) => ({ text: text.join('').toWellFormed().replace(UNSEEN, ''), look }))
}

function inLines(all: readonly Words[]): Words[][] {
  const lines: Words[][] = [[]]
  for (const { text, look } of all)
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      lines.at(-1)!.push({ text: piece, look })
    }
  return lines
}

function lineOf(all: readonly Words[]): string {
  let line = ''
  for (const [at, { text, look }] of all.entries()) {
    const words = text.replace(/[\s\u00a0]+/g, ' ')
    const inner = words.trim()
    const isLed = words.startsWith(' ') && line !== '' && !line.endsWith(' ')
    if (isLed) line += ' '
    if (inner === '') continue
    const after = words.endsWith(' ') ? ' ' : (all[at + 1]?.text ?? ' ')
    line += marked(inner, look, line.at(-1) ?? ' ', after)
    if (words.endsWith(' ')) line += ' '
  }
  return line.trim()
}

const LONGEST_LABEL = 500
const LONGEST_MARKED = 1_900

function marked(text: string, look: Look, before: string, after: string): string {
  if (look.url !== undefined) return linked(text, look.url)
  if (look.isCode && !text.includes('`') && text.length < LONGEST_MARKED) return `\`${text}\``
  const plain = escaped(text)
  if (text.length > LONGEST_MARKED || plain.includes('*')) return plain
  // Within a word no mark is one.
  const isApart = !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)
  const isEmphasized = look.isEmphasized && !plain.includes('_') && (isApart || look.isStrong)
  const words = isEmphasized ? `_${plain}_` : plain
  return look.isStrong && !before.endsWith('*') ? `**${words}**` : words
}

function linked(text: string, url: string): string {
  if (text === url) return url
  const label = text.replaceAll('[', '(').replaceAll(']', ')')
  return label.length > LONGEST_LABEL ? escaped(text) : `[${label.replaceAll('\\', '\\\\')}](${url})`
}

const ADDRESS = /https?:\/\/[^\s<>]+/g

/** What would be Markdown is words; addresses are what they are in both. */
function escaped(text: string): string {
  let done = ''
  let at = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    done += escapedWords(text.slice(at, index)) + address.replace(/[\\`*[\]|{}]/g, encodeURIComponent)
    at = index + address.length
  }
  return done + escapedWords(text.slice(at))
}

const escapedWords = (text: string): string =>
  text
    .replace(/[\\`*[\]|]/g, (sign) => `\\${sign}`)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\{\{[^{}\n]{0,100}\}\}|\{+/g, (braces) =>
      placeholdersIn(braces).length > 0 && unknownIn(braces).length === 0
        ? braces
        : braces.replaceAll('{', '\\{'),
    )

/** What would be the mark of a heading, an item, a quotation or a rule is words. */
const withoutMark = (line: string): string =>
  line
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|-{3,}$|_{3,}$)/, (mark) => `\\${mark}`)
    .replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2')
