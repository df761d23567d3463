import type { Block, Inline } from '../../../model/markdown.ts'

/*
 * What a text says, without the letters that mark it. What leads elsewhere says where, since that is part of what a text
 * says.
 */

/** Words in one look. */
export interface Run {
  readonly text: string
  /** The outermost first. */
  readonly marks: readonly Mark[]
}

export type Mark = 'strong' | 'emphasis' | 'code'

export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

export const runsOf = (blocks: readonly Block[]): Run[] => joined('\n', blocks.map(runsIn))

function runsIn(block: Block): Run[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return runsOfLine(block.inline)
    case 'list':
      return joined('\n', block.items.map(runsOf))
    case 'quote':
      return runsOf(block.blocks)
    case 'table': {
      const rows = [block.head, ...block.rows].map((row) =>
        joined(
          ' | ',
          row.map((cell) => runsOfLine(cell)),
        ),
      )
      return joined('\n', rows)
    }
    case 'code':
      return [{ text: block.text, marks: [] }]
    case 'rule':
      return []
  }
}

const joined = (between: string, parts: readonly (readonly Run[])[]): Run[] =>
  parts.flatMap((runs, at) => (at === 0 ? runs : [{ text: between, marks: [] }, ...runs]))

export const runsOfLine = (inline: readonly Inline[], marks: readonly Mark[] = []): Run[] =>
  inline.flatMap((part): Run[] => {
    switch (part.type) {
      case 'strong':
      case 'emphasis':
        return runsOfLine(part.inline, [...marks, part.type])
      case 'code':
        return [{ text: part.text, marks: [...marks, 'code'] }]
      case 'link':
        return [{ text: part.text === part.url ? part.url : `${part.text} (${part.url})`, marks }]
      case 'image':
        return [{ text: `${part.text} ${part.fileId}`, marks }]
      case 'mention':
        return [{ text: `@${part.name}`, marks }]
      default:
        return [{ text: part.text, marks }]
    }
  })
