import { type Block, type Inline, readMarkdown } from '../../model/markdown.ts'
import type { Block as PaperBlock, Run } from '../documents/document.ts'

/* Markdown as blocks of a document. A picture has lines of its own; within a cell it is told by what it is called. */

/** The place of a file among the pictures of the document; none where it has no such picture. */
type PlaceOf = (fileId: string) => number | undefined

export const markdownOnPaper = (markdown: string, placeOf: PlaceOf = () => undefined): PaperBlock[] =>
  readMarkdown(markdown).flatMap((block) => onPaper(block, 0, placeOf))

/** @param depth how many lists it is within */
function onPaper(block: Block, depth: number, placeOf: PlaceOf): PaperBlock[] {
  const within = depth > 0 ? { depth } : {}
  switch (block.type) {
    case 'heading':
      return [{ form: 'heading', level: Math.min(block.level, 3) as 1 | 2 | 3, text: textOf(block.inline) }]
    case 'paragraph':
      return paragraphsOf(block.inline, within, placeOf)
    case 'code':
      return [{ form: 'paragraph', text: [{ text: block.text, isCode: true }], ...within }]
    case 'quote':
      return block.blocks.flatMap((one) => onPaper(one, depth, placeOf)).map((one) => marked(one, '›'))
    case 'list':
      return block.items.flatMap((item, at) => itemOnPaper(item, markOf(block, at), depth, placeOf))
    case 'table':
      return [
        {
          form: 'table',
          columns: block.head.map((cell) => ({ title: textOf(cell), share: 1 })),
          rows: block.rows.map((cells) => ({ cells: cells.map((cell) => runsOf(cell)) })),
        },
      ]
    case 'rule':
      return []
  }
}

/** What is beneath the first words of an item stands as far in as they do. */
function itemOnPaper(item: readonly Block[], mark: string, depth: number, placeOf: PlaceOf): PaperBlock[] {
  const [first, ...others] = item
  const within = depth > 0 ? { depth } : {}
  const beneath = others.flatMap((one) => onPaper(one, depth + 1, placeOf))
  const begins = first?.type === 'paragraph' ? onPaper(first, depth + 1, placeOf) : []
  const [words, ...further] = begins
  if (words?.form === 'paragraph')
    return [{ form: 'paragraph', text: words.text, mark, ...within }, ...further, ...beneath]
  const alone: PaperBlock = { form: 'paragraph', text: '', mark, ...within }
  return [alone, ...(first ? onPaper(first, depth + 1, placeOf) : []), ...beneath]
}

/** The words of a paragraph, and between them its pictures. */
function paragraphsOf(
  inline: readonly Inline[],
  within: { readonly depth?: number },
  placeOf: PlaceOf,
): PaperBlock[] {
  const blocks: PaperBlock[] = []
  let words: Inline[] = []
  const flush = () => {
    const text = runsOf(words)
    if (text.some((run) => run.text.trim() !== '')) blocks.push({ form: 'paragraph', text, ...within })
    words = []
  }
  for (const part of inline) {
    const picture = part.type === 'image' ? placeOf(part.fileId) : undefined
    if (part.type !== 'image' || picture === undefined) words.push(part)
    else {
      flush()
      blocks.push({ form: 'figure', picture, text: part.text, ...within })
    }
  }
  flush()
  return blocks
}

const markOf = ({ isOrdered, start }: Extract<Block, { type: 'list' }>, at: number): string =>
  isOrdered ? `${start + at}.` : '•'

const marked = (block: PaperBlock, mark: string): PaperBlock =>
  block.form === 'paragraph' && block.mark === undefined ? { ...block, mark } : block

const textOf = (inline: readonly Inline[]): string =>
  runsOf(inline)
    .map(({ text }) => text)
    .join('')

type Look = Omit<Run, 'text'>

const runsOf = (inline: readonly Inline[], look: Look = {}): Run[] =>
  inline.flatMap((part) => runsIn(part, look))

function runsIn(part: Inline, look: Look): Run[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...look }]
    case 'code':
      return [{ text: part.text, ...look, isCode: true }]
    case 'strong':
      return runsOf(part.inline, { ...look, isBold: true })
    case 'emphasis':
      return runsOf(part.inline, { ...look, isItalic: true })
    case 'link':
      return [{ text: part.text, ...look, url: part.url }]
    case 'image':
      return [{ text: `[${part.text}]`, ...look }]
    case 'mention':
      return [{ text: part.name, ...look }]
  }
}
