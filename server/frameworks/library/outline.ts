import type { Catalog, CatalogRequirement } from '../catalog.ts'

/*
 * The frameworks that the service brings along are written as outlines: a line for each requirement with its key, a
 * stroke and its title, indented beneath what it belongs to. What has others beneath it is a group. A line that begins
 * with `~` is not assessed: it says what words mean, or asks something of somebody else. What stands in brackets at the
 * end of a line are the levels that it belongs to, and so does what stands beneath it.
 *
 * Identifiers, titles and dates are cited as they were published. The body text of a standard belongs to its publisher
 * and is imported by organizations that hold a copy.
 */

export interface Outline extends Pick<Catalog, 'key' | 'edition' | 'name' | 'shortName' | 'publisher'> {
  readonly category: NonNullable<Catalog['category']>
  readonly jurisdiction?: string
  /** Of the edition, as it was published. */
  readonly sourceDate: string
  /** What identifiers, dates and order were taken from. */
  readonly source: string
  readonly levels?: Catalog['levels']
  readonly outline: string
}

const OUTLINE_ONLY =
  'Identifiers and titles of the requirements. The text of the requirements is not included: import it if you hold a copy.'

/** The catalog of an outline. */
export function catalogOf({ outline, source, levels = [], ...about }: Outline): Catalog {
  return {
    ...about,
    format: 'builtin',
    locale: 'en',
    description: `${OUTLINE_ONLY} Source: ${source}.`,
    license: 'Identifiers and titles are cited. The text belongs to its publisher and is not included.',
    levels,
    requirements: requirementsOf(outline),
  }
}

const LINE = /^( *)(~?) ?([^|]+?) \| (.+?)(?: \[([\w, ]+)\])?$/

function requirementsOf(outline: string): CatalogRequirement[] {
  const above: { key: string; levels: readonly string[] }[] = []
  const lines = outline.split('\n').filter((line) => line.trim() !== '')
  const found = lines.map((line) => {
    const [, indent, mark, key, title, named] = LINE.exec(line)!
    const depth = indent!.length / 2
    const parent = above[depth - 1]
    const levels = named ? named.split(', ') : (parent?.levels ?? [])
    above.length = depth
    above.push({ key: key!, levels })
    return { key: key!, title: title!, parentKey: parent?.key, levels, isAsked: mark === '' }
  })
  const parents = new Set(found.map(({ parentKey }) => parentKey))
  return found.map(({ parentKey, isAsked, ...rest }) => {
    const isGroup = parents.has(rest.key)
    return {
      ...rest,
      ...(parentKey !== undefined && { parentKey }),
      kind: isGroup ? 'group' : isAsked ? 'requirement' : 'statement',
      assessable: !isGroup && isAsked,
      place: rest.key,
    }
  })
}
