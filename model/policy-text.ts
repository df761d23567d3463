/*
 * The text of a policy names some things that it does not say itself, and that are others in each organization or at
 * each version: `{{organization.name}}`. They are filled when a version is submitted, once for all who read it, so that
 * what is approved, published and acknowledged is one text with one hash.
 *
 * The scanner is our own and goes over the text once. What stands between braces is a name of the list or nothing: there
 * are no expressions, so a text cannot reach anything else.
 */

/** Signs of a text: about 200 printed pages. */
export const TEXT_AT_MOST = 600_000

export const PLACEHOLDERS = [
  'organization.name',
  'policy.owner',
  'policy.approver',
  'policy.effectiveDate',
  'policy.versionLabel',
] as const

export type Placeholder = (typeof PLACEHOLDERS)[number]
export type PlaceholderValues = Readonly<Record<Placeholder, string | null>>

/** A part of a text: words as they stand, or a name between braces. */
type Part = { readonly words: string } | { readonly name: string }

const LONGEST_NAME = 100

/** Whether the text is taken apart there: a backslash says that the braces are meant as they stand. */
const isOpening = (text: string, at: number): boolean => text[at - 1] !== '\\'

/** Code, in lines of its own between fences or within a line: what it says is shown to the letter. */
const CODE =
  /^[ >]*```[^\n]*(?:\n(?![ >]*`{3,}[^\S\n]*$)[^\n]*)*(?:\n[ >]*`{3,}[^\S\n]*$)?|`[^`\n]{1,2000}`/gm

/** The parts of a text in their order. Braces that are not closed in their line are words, and so are those in code. */
function partsOf(text: string): Part[] {
  const parts: Part[] = []
  const code = text.matchAll(CODE)
  let { value: shown } = code.next()
  let done = 0
  let from = text.indexOf('{{')
  while (from >= 0) {
    while (shown && shown.index + shown[0].length <= from) shown = code.next().value
    const to = text.slice(from + 2, from + 2 + LONGEST_NAME + 2).search(/\}\}|\n/)
    const end = from + 2 + to
    const isCode = shown !== undefined && shown.index < from
    const isName = to >= 0 && text[end] === '}' && !isCode && isOpening(text, from)
    if (isName) {
      parts.push({ words: text.slice(done, from) }, { name: text.slice(from + 2, end).trim() })
      done = end + 2
    }
    from = text.indexOf('{{', isName ? done : from + 2)
  }
  return [...parts, { words: text.slice(done) }]
}

const isKnown = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name)

const namesIn = (text: string): string[] => [
  ...new Set(partsOf(text).flatMap((part) => ('name' in part ? [part.name] : []))),
]

/** The placeholders of a text that nobody knows. */
export const unknownIn = (text: string): string[] => namesIn(text).filter((name) => !isKnown(name))

/** The placeholders of a text, each once. */
export const placeholdersIn = (text: string): Placeholder[] => namesIn(text).filter(isKnown)

/** Several people, as a text names them; nothing, where there are none. */
export const namesInText = (names: readonly string[]): string | null =>
  names.length === 0 ? null : [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')

/** A text with its placeholders filled; what has no value stays as it is written. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  partsOf(text)
    .map((part, at, parts) => {
      if ('words' in part) return part.words
      const value = isKnown(part.name) ? values[part.name] : null
      if (value === null) return `{{${part.name}}}`
      return asWords(value) + (NUMBER.test(value) && isPoint(parts[at + 1]) ? '\\' : '')
    })
    .join('')

/** A number before a point begins a list, whichever of the two a name is: then the point is told from a mark. */
const NUMBER = /^\s*\d+\s*$/
const isPoint = (next: Part | undefined): boolean =>
  next !== undefined && 'words' in next && /^[.)]/.test(next.words)

/**
 * What somebody is called says nothing in Markdown: no name makes a link, a heading, a list or a table of the text around
 * it. Dashes, points and colons are marks in some places alone, and only there they are told from words.
 */
const asWords = (value: string): string =>
  value
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>~|#!{}&]|:(?=\/\/)|^ ?[-+=:]|(?<=^ ?\d{0,9})[.)](?= |$)/g, (mark) =>
      mark.replace(/\S/, '\\$&'),
    )
