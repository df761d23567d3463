/*
 * What static site generators and compliance tools write above a Markdown text: fields in YAML between lines of `---`, of
 * which the first is often left out, or in TOML between lines of `+++`.
 */

export interface FrontMatter {
  /** The title that a field gives; empty where the field is there and says nothing. */
  readonly title: string | null
  /** All other fields, as they are called. */
  readonly otherKeys: readonly string[]
  /** How long it is in the text. */
  readonly length: number
}

const LETTERS_AT_MOST = 20_000
const YAML = /^---[ \t]*\n(?:([\s\S]*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)/
const TOML = /^\+\+\+[ \t]*\n(?:([\s\S]*?)\n)??\+\+\+[ \t]*(?:\n|$)/
/** Fields up to a line of dashes, without a line of dashes before them. */
const UNOPENED =
  /^(?=[A-Za-z][\w-]*:(?:[ \t]|\n))((?:(?:[A-Za-z][\w-]*:(?:[ \t].*)?|[ \t].*|- .*|#.*|)\n)+)---[ \t]*(?:\n|$)/

/** Fields that say what a document is called, the best one first. */
const TITLES = [
  'title',
  'name',
  'document_title',
  'document-title',
  'documenttitle',
  'policy_name',
  'policy-name',
  'subject',
]
/** One line of dashes under one line of text is a heading, unless the line is a field that is written so. */
const ALONE =
  /^(?:title|name|version|owner|author|date|approved|status|layout|id|slug|description|tags|labels):/i

export async function frontMatterOf(text: string): Promise<FrontMatter | null> {
  const head = text.slice(0, LETTERS_AT_MOST)
  const toml = TOML.exec(head)
  if (toml) return read(toml, (await import('smol-toml')).parse)
  const yaml = YAML.exec(head)
  const found = yaml ?? unopened(head)
  if (!found) return null
  const { parse } = await import('yaml')
  const fields = read(found, (source) => parse(source, { logLevel: 'error' }))
  // A rule, and another one below: no line between them is a field.
  return yaml && fields.title === null && fields.otherKeys.length === 0 && (found[1] ?? '').trim() !== ''
    ? null
    : fields
}

function unopened(head: string): RegExpExecArray | null {
  const found = UNOPENED.exec(head)
  const isHeading = found && found[1]!.trim().split('\n').length === 1 && !ALONE.test(found[1]!)
  return isHeading ? null : found
}

function read(
  { 0: whole, 1: source = '' }: RegExpExecArray,
  parse: (source: string) => unknown,
): FrontMatter {
  const fields = fieldsIn(source, parse)
  const titles = TITLES.flatMap((name) => fields.filter(([key]) => key.toLowerCase() === name))
  const [said] = titles
  return {
    title: said === undefined ? null : textOf(said[1]),
    otherKeys: fields.map(([key]) => key).filter((key) => key !== said?.[0]),
    length: whole.length,
  }
}

/** Its fields; by their lines, where it is not quite what it claims to be. */
function fieldsIn(
  source: string,
  parse: (source: string) => unknown,
): readonly (readonly [string, unknown])[] {
  try {
    const parsed = parse(source)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return Object.entries(parsed)
  } catch {
    // Templates and tabs make it invalid, and its lines still say what it has.
  }
  return [...source.matchAll(/^([A-Za-z][\w-]*)[ \t]*[:=](?:[ \t]+["']?(.*?)["']?)?[ \t]*$/gm)].map(
    ([, key, value = '']) => [key!, value],
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
