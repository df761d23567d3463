/* What the buttons of the editor do to a text and to what is selected in it: pure, so that a table tests it. */

/** A text, and what is selected in it. */
export interface Edit {
  readonly text: string
  readonly from: number
  readonly to: number
}

export type Tool =
  | { readonly name: 'heading' | 'subheading' | 'bold' | 'italic' | 'list' | 'numbered' | 'link' | 'table' }
  | { readonly name: 'insert'; readonly text: string }

const TABLE = '| Column | Column |\n| --- | --- |\n| Cell | Cell |'

export function applied(edit: Edit, tool: Tool): Edit {
  switch (tool.name) {
    case 'bold':
      return around(edit, '**')
    case 'italic':
      return around(edit, '*')
    case 'heading':
      return eachLine(edit, () => '## ', OF_HEADING)
    case 'subheading':
      return eachLine(edit, () => '### ', OF_HEADING)
    case 'list':
      return eachLine(edit, () => '- ')
    case 'numbered':
      return eachLine(edit, (at) => `${at + 1}. `)
    case 'link':
      return linked(edit)
    case 'table':
      return ownLines(edit, TABLE)
    case 'insert':
      return replaced(edit, tool.text)
  }
}

/** What is selected between two marks, or taken out of them where it stands between them already. */
function around({ text, from, to }: Edit, mark: string): Edit {
  const length = mark.length
  if (text.slice(from - length, from) === mark && text.slice(to, to + length) === mark)
    return {
      text: text.slice(0, from - length) + text.slice(from, to) + text.slice(to + length),
      from: from - length,
      to: to - length,
    }
  const inner = text.slice(from, to)
  return {
    text: text.slice(0, from) + mark + inner + mark + text.slice(to),
    from: from + length,
    to: to + length,
  }
}

const OF_HEADING = /^#{1,6} /

/**
 * Each selected line begins with a mark; where all of them do so already, none does.
 * @param instead what the mark takes the place of
 */
function eachLine({ text, from, to }: Edit, markOf: (at: number) => string, instead = /^/): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const after = text.indexOf('\n', to)
  const end = after < 0 ? text.length : after
  const lines = text.slice(start, end).split('\n')
  const isMarked = lines.every((line, at) => line.startsWith(markOf(at)))
  const changed = lines
    .map((line, at) => (isMarked ? line.slice(markOf(at).length) : markOf(at) + line.replace(instead, '')))
    .join('\n')
  return { text: text.slice(0, start) + changed + text.slice(end), from: start, to: start + changed.length }
}

const ADDRESS = 'https://'

/** What is selected leads to an address, which is to be written. */
function linked({ text, from, to }: Edit): Edit {
  const words = text.slice(from, to) || 'text'
  const start = from + words.length + 3
  return {
    text: `${text.slice(0, from)}[${words}](${ADDRESS})${text.slice(to)}`,
    from: start,
    to: start + ADDRESS.length,
  }
}

function ownLines({ text, to }: Edit, block: string): Edit {
  const before = to === 0 || text.slice(0, to).endsWith('\n\n') ? '' : text[to - 1] === '\n' ? '\n' : '\n\n'
  const after = text.slice(to).startsWith('\n') ? '\n' : '\n\n'
  const start = to + before.length
  return {
    text: text.slice(0, to) + before + block + after + text.slice(to),
    from: start,
    to: start + block.length,
  }
}

const replaced = ({ text, from, to }: Edit, words: string): Edit => ({
  text: text.slice(0, from) + words + text.slice(to),
  from: from + words.length,
  to: from + words.length,
})

/** What a key stands for: Ctrl or Cmd with B or I, and nothing else. */
export function toolOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): Tool | null {
  if (ctrlKey === metaKey || altKey || shiftKey) return null
  const name = { b: 'bold', i: 'italic' } as const
  return key in name ? { name: name[key as keyof typeof name] } : null
}

interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}
