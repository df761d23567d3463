import { type Block, type Inline, readMarkdown } from '../../model/markdown.ts'
import type { Block as PaperBlock, Run } from '../documents/document.ts'

/* Markdown as blocks of a document. A picture is told by what it is called. */

export const markdownOnPaper = (markdown: string): PaperBlock[] =>
  readMarkdown(markdown).flatMap((block) => onPaper(block, 0))

/** @param depth how many lists it is within */
function onPaper(block: Block, depth: number): PaperBlock[] {
  const within = depth > 0 ? { depth } : {}
  switch (block.type) {
    case 'heading':
      return [{ form: 'heading', level: Math.min(block.level, 3) as 1 | 2 | 3, text: textOf(block.inline) }]
    case 'paragraph':
      return [{ form: 'paragraph', text: runsOf(block.inline), ...within }]
    case 'code':
      return [{ form: 'paragraph', text: [{ text: block.text, isCode: true }], ...within }]
    case 'quote':
      return block.blocks.flatMap((one) => onPaper(one, depth)).map((one) => marked(one, '›'))
    case 'list':
      return block.items.flatMap((item, at) => itemOnPaper(item, markOf(block, at), depth))
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
function itemOnPaper(item: readonly Block[], mark: string, depth: number): PaperBlock[] {
  const [first, ...others] = item
  const within = depth > 0 ? { depth } : {}
  const beneath = others.flatMap((one) => onPaper(one, depth + 1))
  if (first?.type === 'paragraph')
    return [{ form: 'paragraph', text: runsOf(first.inline), mark, ...within }, ...beneath]
  const alone: PaperBlock = { form: 'paragraph', text: '', mark, ...within }
  return [alone, ...(first ? onPaper(first, depth + 1) : []), ...beneath]
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
    case 'break':
      return [{ text: '\n', ...look }]
    case 'mention':
      return [{ text: part.name, ...look }]
  }
}
