/*
 * Where a text stops being JSON: what parses it says that only sometimes, and people who mend a file of 50,000 lines
 * have to know the line.
 */

type Awaited = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing'

/** @returns the place of the first letter that cannot be there; the length of the text, where its end is missing */
export function whereJsonBreaks(text: string): number {
  const open: ('{' | '[')[] = []
  let awaited: Awaited = 'value'
  const ended = (): Awaited => (open.length > 0 ? 'comma or end' : 'nothing')
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const letter = text[at]!
    const isValue: boolean = awaited === 'value' || awaited === 'value or end'
    if (letter === '"' && (isValue || awaited === 'name' || awaited === 'name or end')) {
      const end = endOfString(text, at)
      if (end < 0) return -end
      at = end
      awaited = isValue ? ended() : 'colon'
    } else if ((letter === '{' || letter === '[') && isValue) {
      open.push(letter)
      at += 1
      awaited = letter === '{' ? 'name or end' : 'value or end'
    } else if (isEnd(letter, awaited, open.at(-1))) {
      open.pop()
      at += 1
      awaited = ended()
    } else if (letter === ',' && awaited === 'comma or end') {
      at += 1
      awaited = open.at(-1) === '{' ? 'name' : 'value'
    } else if (letter === ':' && awaited === 'colon') {
      at += 1
      awaited = 'value'
    } else {
      const length = isValue ? lengthOfWord(text, at) : 0
      if (length === 0) return at
      at += length
      awaited = ended()
    }
  }
  return text.length
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text[at]!)) at += 1
  return at
}

const isEnd = (letter: string, awaited: Awaited, open: '{' | '[' | undefined): boolean =>
  letter === '}'
    ? open === '{' && (awaited === 'name or end' || awaited === 'comma or end')
    : letter === ']' && open === '[' && (awaited === 'value or end' || awaited === 'comma or end')

const ESCAPED = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Behind its closing mark; below zero, by where it breaks, for what is no text of JSON. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; ) {
    const letter = text[at]!
    if (letter === '"') return at + 1
    if (letter < ' ') return -at
    if (letter !== '\\') {
      at += 1
      continue
    }
    ESCAPED.lastIndex = at
    const escaped = ESCAPED.exec(text)
    if (!escaped) return -at
    at += escaped[0].length
  }
  return -text.length
}

const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y

function lengthOfWord(text: string, at: number): number {
  WORD.lastIndex = at
  return WORD.exec(text)?.[0].length ?? 0
}
