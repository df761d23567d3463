import type { Block, Inline } from '../../../model/markdown.ts'

/* What a text says, without its marks. What leads elsewhere says where, since that is part of what a text says. */

export const textOf = (blocks: readonly Block[]): string => blocks.map(wordsOf).join('\n')

function wordsOf(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return lineOf(block.inline)
    case 'list':
      return block.items.map(textOf).join('\n')
    case 'quote':
      return textOf(block.blocks)
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(lineOf).join(' | ')).join('\n')
    case 'code':
      return block.text
    case 'rule':
      return ''
  }
}

export const lineOf = (inline: readonly Inline[]): string =>
  inline
    .map((part) => {
      switch (part.type) {
        case 'strong':
        case 'emphasis':
          return lineOf(part.inline)
        case 'link':
          return part.text === part.url ? part.url : `${part.text} (${part.url})`
        case 'image':
          return `${part.text} ${part.fileId}`
        case 'mention':
          return `@${part.name}`
        default:
          return part.text
      }
    })
    .join('')
