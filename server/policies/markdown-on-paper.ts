import { type Block, type Inline, readMarkdown } from '../../model/markdown.ts'
import type { Block as PaperBlock } from '../documents/document.ts'

/*
 * Markdown as blocks of a document, which are text to the letter: what stands out by its letters alone on a page (strong,
 * emphasized) is plain, a link is told with its address, and a picture by what it is called.
 */

export const markdownOnPaper = (markdown: string): PaperBlock[] => readMarkdown(markdown).flatMap(onPaper)

function onPaper(block: Block): PaperBlock[] {
  switch (block.type) {
    case 'heading':
      return [{ form: 'heading', level: Math.min(block.level, 3) as 1 | 2 | 3, text: textOf(block.inline) }]
    case 'paragraph':
      return [{ form: 'paragraph', text: textOf(block.inline) }]
    case 'code':
      return [{ form: 'paragraph', text: block.text }]
    case 'quote':
      return block.blocks.flatMap(onPaper).map((one) => marked(one, '›'))
    case 'list':
      return block.items.flatMap((item, at) => itemOnPaper(item, markOf(block, at)))
    case 'table':
      return [
        {
          form: 'table',
          columns: block.head.map((cell) => ({ title: textOf(cell), share: 1 })),
          rows: block.rows.map((cells) => ({ cells: cells.map(textOf) })),
        },
      ]
    case 'rule':
      return []
  }
}

/** What is beneath an item says so by its own marks. */
function itemOnPaper(item: readonly Block[], mark: string): PaperBlock[] {
  const [first, ...others] = item.flatMap(onPaper)
  if (!first) return [{ form: 'paragraph', text: '', mark }]
  return first.form === 'paragraph' && first.mark === undefined
    ? [{ ...first, mark }, ...others]
    : [{ form: 'paragraph', text: '', mark }, first, ...others]
}

const markOf = ({ isOrdered, start }: Extract<Block, { type: 'list' }>, at: number): string =>
  isOrdered ? `${start + at}.` : '•'

const marked = (block: PaperBlock, mark: string): PaperBlock =>
  block.form === 'paragraph' && block.mark === undefined ? { ...block, mark } : block

const textOf = (inline: readonly Inline[]): string => inline.map(wordsOf).join('')

function wordsOf(part: Inline): string {
  switch (part.type) {
    case 'text':
    case 'code':
      return part.text
    case 'strong':
    case 'emphasis':
      return textOf(part.inline)
    case 'link':
      return part.text === part.url ? part.url : `${part.text} (${part.url})`
    case 'image':
      return `[${part.text}]`
    case 'break':
      return '\n'
    case 'mention':
      return part.name
  }
}
