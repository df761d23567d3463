import { LIMITS } from './limits.ts'
import { type Item, isObject, type Shape } from './shape.ts'

/*
 * Reads what a control says in addition to its text: that it is withdrawn and where it went, related controls, documents
 * that it refers to, its parameters, and what assessors determine. Ids become the words that people know: keys of
 * controls, and titles of the back matter.
 */

export interface Words {
  /** Keys of controls, by their ids. */
  readonly controls: ReadonlyMap<string, string>
  /** Titles of what stands in the back matter, by their ids. */
  readonly resources: ReadonlyMap<string, string>
}

export function wordsOf(catalog: Item, controls: Words['controls'], shape: Shape): Words {
  const resources = new Map<string, string>()
  const matter = catalog.fields['back-matter']
  if (isObject(matter))
    for (const one of shape.objects(
      { fields: matter, path: [...catalog.path, 'back-matter'] },
      'resources',
    )) {
      const citation = isObject(one.fields.citation)
        ? shape.text({ fields: one.fields.citation, path: [...one.path, 'citation'] }, 'text')
        : undefined
      const title = shape.text(one, 'title') ?? citation
      if (typeof one.fields.uuid === 'string' && title !== undefined) resources.set(one.fields.uuid, title)
    }
  return { controls, resources }
}

const SECTIONS: readonly (readonly [rel: string, title: string])[] = [
  ['required', 'Requires'],
  ['related', 'Related'],
  ['reference', 'References'],
]

interface Beside {
  readonly isWithdrawn: boolean
  readonly objectives?: string | undefined
  readonly parameters?: string | undefined
  readonly related: readonly Item[]
}

export function annotationOf(
  control: Item,
  { isWithdrawn, objectives, parameters, related }: Beside,
  words: Words,
  shape: Shape,
): string | undefined {
  const links = [...shape.objects(control, 'links'), ...related].map((link) => ({
    rel: link.fields.rel,
    text: wordOf(link, words, shape),
  }))
  const of = (rel: string) => [
    ...new Set(links.flatMap((link) => (link.rel === rel && link.text !== undefined ? [link.text] : []))),
  ]
  const went = [
    ...of('incorporated-into').map((one) => `incorporated into ${one}`),
    ...of('moved-to').map((one) => `moved to ${one}`),
  ]
  const sections = [
    isWithdrawn && (went.length > 0 ? `Withdrawn: ${went.join(', ')}` : 'Withdrawn'),
    ...SECTIONS.map(([rel, title]) => of(rel).length > 0 && `${title}: ${of(rel).join(', ')}`),
    parameters !== undefined && parameters,
    objectives !== undefined && `Assessors determine:\n${objectives}`,
  ].filter((section) => section !== false)
  return sections.length === 0
    ? undefined
    : shape.shortened(sections.join('\n\n'), control, LIMITS.text, 'annotation')
}

/** What a link leads to, as people call it; where nobody calls it anything, as the file does. */
function wordOf(link: Item, { controls, resources }: Words, shape: Shape): string | undefined {
  const href = shape.required(link, 'href', LIMITS.text)
  if (href === undefined) return undefined
  const id = href.startsWith('#') ? href.slice(1) : href
  return controls.get(id) ?? resources.get(id) ?? shape.text(link, 'text', LIMITS.title) ?? id
}
