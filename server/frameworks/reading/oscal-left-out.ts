import type { Findings } from './faults.ts'
import { LIMITS } from './limits.ts'
import { type Item, isObject } from './shape.ts'

/*
 * Counts what a catalog says and an import does not store, so that nothing is dropped without a note. What is read is
 * listed here; every other field is counted by its name.
 */

type Fields = Item['fields']

const READ = {
  catalog: ['uuid', 'metadata', 'params', 'groups', 'controls', 'props', 'links', 'back-matter'],
  metadata: ['title', 'version', 'published', 'last-modified', 'oscal-version', 'language', 'remarks'],
  groups: ['id', 'title', 'params', 'props', 'links', 'parts', 'groups', 'controls'],
  controls: ['id', 'title', 'params', 'props', 'links', 'parts', 'controls'],
  parts: ['id', 'name', 'title', 'props', 'prose', 'parts', 'links'],
  params: ['id', 'label', 'usage', 'constraints', 'guidelines', 'values', 'select', 'props', 'links'],
} as const

type Holder = keyof typeof READ

/** Props that are read, wherever they are. */
export const LEVEL_PROPS: readonly string[] = ['baseline', 'implementation-group', 'maturity-level']
const READ_PROPS = new Set(['label', 'sort-id', 'status', ...LEVEL_PROPS])
const READ_PROPS_OF_PARTS = new Set(['label', 'method'])
export const READ_RELS: readonly string[] = [
  'required',
  'related',
  'reference',
  'incorporated-into',
  'moved-to',
]
const READ_RELS_OF_METADATA = new Set([
  'license',
  'copyright',
  'canonical',
  'source-profile',
  'resolution-source',
])

export function noteLeftOut(catalog: Item, findings: Findings): void {
  const counts = { props: new Counts(), links: new Counts(), fields: new Counts(), metadata: new Counts() }
  const waiting: { fields: Fields; holder: Holder; depth: number }[] = [
    { fields: catalog.fields, holder: 'catalog', depth: 0 },
  ]
  const { metadata, 'back-matter': matter } = catalog.fields
  if (isObject(metadata)) countMetadata(metadata, counts)
  while (waiting.length > 0) {
    const { fields, holder, depth } = waiting.pop()!
    if (depth > LIMITS.depth * 2) continue
    const isOfParts = holder === 'parts'
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'props') {
        const read = isOfParts ? READ_PROPS_OF_PARTS : READ_PROPS
        for (const { name: prop, remarks } of objectsOf(value)) {
          if (holder === 'params' || holder === 'catalog' || !read.has(prop as string)) counts.props.add(prop)
          else if (remarks !== undefined) counts.fields.add('remarks of props')
        }
      } else if (name === 'links') {
        const isRead = (rel: unknown) =>
          holder !== 'params' && holder !== 'catalog' && READ_RELS.includes(rel as string)
        // Of parts only those at the top have links that are read; deeper ones lead to parts.
        for (const { rel } of objectsOf(value)) if (!isRead(rel)) counts.links.add(rel ?? 'no rel')
      } else if (!(READ[holder] as readonly string[]).includes(name))
        counts.fields.add(`${name} of ${holder}`)
      else if (name === 'constraints')
        for (const { tests } of objectsOf(value))
          if (tests !== undefined) counts.fields.add('tests of constraints')
      if (name === 'groups' || name === 'controls' || name === 'parts' || name === 'params')
        for (const one of objectsOf(value).toReversed())
          waiting.push({ fields: one, holder: name, depth: depth + 1 })
    }
  }
  counts.props.note('props', findings)
  counts.links.note('links', findings)
  counts.fields.note('fields', findings)
  counts.metadata.note('fields of the metadata', findings)
  const resources = isObject(matter) ? objectsOf(matter.resources).length : 0
  if (resources > 0)
    findings.note(
      `${resources} resources of the back matter: only titles are taken, where a control refers to one.`,
    )
}

function countMetadata(metadata: Fields, counts: { links: Counts; metadata: Counts }): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (name === 'links') {
      for (const { rel } of objectsOf(value))
        if (!READ_RELS_OF_METADATA.has(rel as string)) counts.links.add(rel ?? 'no rel')
    } else if (name === 'document-ids') counts.metadata.add(name, objectsOf(value).length - 1)
    else if (!(READ.metadata as readonly string[]).includes(name))
      counts.metadata.add(name, Array.isArray(value) ? value.length : 1)
  }
}

const objectsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

const NAMED = 12

class Counts {
  readonly #by = new Map<string, number>()

  add(name: unknown, many = 1): void {
    const key = String(name).slice(0, 60)
    if (many > 0) this.#by.set(key, (this.#by.get(key) ?? 0) + many)
  }

  note(what: string, findings: Findings): void {
    if (this.#by.size === 0) return
    const most = [...this.#by].toSorted((one, other) => other[1] - one[1])
    const named = most.slice(0, NAMED).map(([name, many]) => `${name} (${many})`)
    const rest = most.slice(NAMED).reduce((sum, [, many]) => sum + many, 0)
    const more = rest > 0 ? ` and ${rest} with ${most.length - NAMED} other names` : ''
    findings.note(`Left out, ${what}: ${named.join(', ')}${more}.`)
  }
}
