import { type MentionPart, partsOf } from '../../model/mentions.ts'

/*
 * The Markdown of comments, read into plain data: paragraphs, lists, quotations, code, and in them what is strong,
 * emphasized, code, a link or a mention. What is none of that is text, HTML too: nothing here ever becomes markup, so
 * there is nothing to be made clean. Each pass goes over the text once, and nothing is nested without end.
 */

export type Block =
  | { readonly type: 'paragraph' | 'heading' | 'quote'; readonly inline: readonly Inline[] }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly type: 'code'; readonly text: string }

export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly inline: readonly Inline[] }
  | { readonly type: 'link'; readonly text: string; readonly url: string }
  | ({ readonly type: 'mention' } & MentionPart)

const FENCE = /^ {0,3}```/
// Each takes what follows whole: what could be taken in several ways is tried in all of them.
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) (.*)$/s
const QUOTE = /^ {0,3}> ?(.*)$/s
const HEADING = /^ {0,3}#{1,6} (.*)$/s

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/)
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    const rest = (of: RegExp): string[] => {
      const from = at
      while (at < lines.length && of.test(lines[at]!)) at += 1
      return lines.slice(from, at).map((one) => of.exec(one)![1]!.trim())
    }
    if (line.trim() === '') at += 1
    else if (FENCE.test(line)) {
      const end = lines.findIndex((one, place) => place > at && FENCE.test(one))
      const last = end < 0 ? lines.length : end
      blocks.push({ type: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last + 1
    } else if (ITEM.test(line)) {
      const isOrdered = /^ {0,3}\d/.test(line)
      blocks.push({ type: 'list', isOrdered, items: rest(ITEM).map((item) => inlineOf(item)) })
    } else if (QUOTE.test(line)) blocks.push({ type: 'quote', inline: inlineOf(rest(QUOTE).join('\n')) })
    else if (HEADING.test(line)) {
      blocks.push({ type: 'heading', inline: inlineOf(withoutClosing(HEADING.exec(line)![1]!)) })
      at += 1
    } else {
      const from = at
      while (at < lines.length && isPlain(lines[at]!)) at += 1
      blocks.push({ type: 'paragraph', inline: inlineOf(lines.slice(from, at).join('\n')) })
    }
  }
  return blocks
}

/** A heading may end as it began. */
function withoutClosing(heading: string): string {
  let end = heading.trimEnd().length
  while (heading[end - 1] === '#') end -= 1
  return heading.slice(0, end).trim()
}

const isPlain = (line: string): boolean =>
  line.trim() !== '' && ![FENCE, ITEM, QUOTE, HEADING].some((other) => other.test(line))

/** What begins one of them: code, a link with words, an address, strong, emphasized. */
const MARK =
  /`([^`\n]{1,2000})`|\[([^\][\n]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000})\)|(https?:\/\/[^\s<>]{1,2000}[^\s<>.,;:!?'")\]])|\*\*(?=\S)([^*\n]{1,2000})\*\*|(?<![\p{L}\p{N}*_])[*_](?=\S)([^*_\n]{1,2000})[*_](?![\p{L}\p{N}*_])/gu

const inlineOf = (text: string): Inline[] =>
  partsOf(text).flatMap((part) =>
    typeof part === 'string' ? markedIn(part, 0) : [{ type: 'mention', ...part } as const],
  )

function markedIn(text: string, depth: number): Inline[] {
  if (depth > 2) return [{ type: 'text', text }]
  const found: Inline[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) found.push({ type: 'text', text: text.slice(from, match.index) })
    const [whole, code, label, url, address, strong, emphasis] = match
    if (code !== undefined) found.push({ type: 'code', text: code })
    else if (url !== undefined) found.push({ type: 'link', text: label!, url })
    else if (address !== undefined) found.push({ type: 'link', text: address, url: address })
    else if (strong !== undefined) found.push({ type: 'strong', inline: markedIn(strong, depth + 1) })
    else found.push({ type: 'emphasis', inline: markedIn(emphasis!, depth + 1) })
    from = match.index + whole.length
  }
  if (from < text.length) found.push({ type: 'text', text: text.slice(from) })
  return found
}
