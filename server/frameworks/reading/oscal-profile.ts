import { Buffer } from 'node:buffer'
import { jsonPlace } from '../../../model/json-names.ts'
import { Findings, quoted, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { modelOf, type OscalModel, parseDocument } from './oscal-document.ts'
import { findDocument } from './oscal-hrefs.ts'
import { modify } from './oscal-modify.ts'
import { Choice, type Fields, isUnselected, listOf, UNSELECTED } from './oscal-select.ts'
import { isObject, type Path } from './shape.ts'

/*
 * Resolves OSCAL profiles: imports what they select of catalogs and of other profiles, merges it, and modifies it. The
 * result is a catalog. Addresses are looked up among the given files and nowhere else, so that reading needs no network.
 */

/** A document among those that are given. */
export interface GivenDocument {
  /** Its file, with the folders that it has in an archive. */
  readonly name: string
  readonly model: OscalModel
  readonly value: Fields
}

/** @throws {Unreadable} for what cannot be resolved, such as an import of a catalog that is not among the files */
export function resolveProfile(
  root: GivenDocument,
  given: readonly GivenDocument[],
  findings: Findings,
): Fields {
  const resolver = new Resolver(given, findings)
  const catalog = resolver.catalogOf(root, [])
  const metadata = isObject(catalog.metadata) ? catalog.metadata : {}
  const links = listOf(metadata, 'links')
  const link = { rel: 'source-profile', href: addressOf(links, catalog) ?? root.name }
  return { ...catalog, metadata: { ...metadata, links: [...links, link] } }
}

function addressOf(links: readonly Fields[], catalog: Fields): string | undefined {
  const href = links.find(({ rel }) => rel === 'canonical')?.href
  if (typeof href !== 'string' || !href.startsWith('#')) return typeof href === 'string' ? href : undefined
  const resource = resourceOf(catalog, href.slice(1))
  return (
    resource &&
    listOf(resource, 'rlinks')
      .map((one) => one.href)
      .find((one) => typeof one === 'string')
  )
}

function resourceOf(document: Fields, uuid: string): Fields | undefined {
  const matter = document['back-matter']
  return isObject(matter) ? listOf(matter, 'resources').find((one) => one.uuid === uuid) : undefined
}

class Resolver {
  readonly #given: readonly GivenDocument[]
  readonly #findings: Findings
  readonly #resolved = new Map<GivenDocument, Fields>()

  constructor(given: readonly GivenDocument[], findings: Findings) {
    this.#given = given
    this.#findings = findings
  }

  /** The catalog that a document is or resolves to. @param chain the profiles that lead to it */
  catalogOf(document: GivenDocument, chain: readonly GivenDocument[]): Fields {
    const fields = document.value[document.model]
    if (!isObject(fields)) throw this.#unreadable(document, [], 'is no object: give one with its fields')
    if (document.model === 'catalog') return fields
    const before = this.#resolved.get(document)
    if (before) return before
    if (chain.includes(document))
      throw this.#unreadable(
        document,
        ['imports'],
        `leads round to itself (${[...chain.slice(chain.indexOf(document)), document].map(({ name }) => name).join(', ')}): leave one of these imports out`,
      )
    if (chain.length >= LIMITS.depth)
      throw this.#unreadable(document, ['imports'], `is imported by ${chain.length} profiles in each other`)
    const catalog = this.#resolve(document, fields, [...chain, document])
    this.#resolved.set(document, catalog)
    return catalog
  }

  #resolve(document: GivenDocument, profile: Fields, chain: readonly GivenDocument[]): Fields {
    const imports = listOf(profile, 'imports')
    if (imports.length === 0)
      throw this.#unreadable(
        document,
        ['imports'],
        'is missing: name the catalog that the profile selects from',
      )
    const merged = new Merged(isObject(profile.merge) ? profile.merge : {})
    for (const [index, one] of imports.entries()) {
      const source = this.#imported(document, profile, one, ['imports', index], chain)
      const choice = new Choice(one)
      merged.add(source, choice)
      const missing = choice.missing()
      if (missing.length > 0)
        this.#note(document, 'selects controls that are not in what it imports', missing)
      if (merged.controls > LIMITS.requirements)
        throw this.#unreadable(
          document,
          ['imports', index],
          `leads to more than ${LIMITS.requirements} controls`,
        )
    }
    const { catalog, dropped } = merged.finish()
    if (dropped.length > 0) this.#note(document, 'inserts these controls into no group', dropped)
    const missing = modify(catalog, isObject(profile.modify) ? profile.modify : {})
    if (missing.length > 0) this.#note(document, 'modifies what is not there', missing)
    const resources = [...merged.resources.values(), ...resourcesOf(profile)]
    return {
      ...catalog,
      ...{ uuid: profile.uuid, metadata: profile.metadata },
      ...(resources.length > 0 && { 'back-matter': { resources } }),
    }
  }

  #imported(
    from: GivenDocument,
    profile: Fields,
    one: Fields,
    path: Path,
    chain: readonly GivenDocument[],
  ): Fields {
    const { href } = one
    const at = [...path, 'href']
    if (typeof href !== 'string' || href === '')
      throw this.#unreadable(from, at, 'is missing: name the catalog or profile that is imported')
    const resource = href.startsWith('#') ? resourceOf(profile, href.slice(1)) : undefined
    if (href.startsWith('#') && !resource)
      throw this.#unreadable(from, at, `names ${quoted(href)}, which is no resource of the back matter`)
    const base64 = resource?.base64
    if (isObject(base64) && typeof base64.value === 'string')
      return this.catalogOf(this.#inline(from, href, base64.value), chain)
    const hrefs = resource ? listOf(resource, 'rlinks').flatMap((link) => textOf(link.href)) : [href]
    const found = findDocument(hrefs, from, this.#given)
    if (found.length > 1)
      throw this.#unreadable(
        from,
        at,
        `names ${whole(hrefs[0] ?? href)}, which may be any of ${someOf(found)}: leave all but one of these out`,
      )
    if (!found[0])
      throw this.#unreadable(
        from,
        at,
        `names ${(hrefs.length === 0 ? [href] : hrefs.slice(0, 3)).map(whole).join(' or ')}, which is not among the files: send the profile with it in one ZIP archive`,
      )
    if (found[0].model !== 'catalog' && found[0].model !== 'profile')
      throw this.#unreadable(from, at, `names ${found[0].name}, which is neither a catalog nor a profile`)
    return this.catalogOf(found[0], chain)
  }

  /** A document that is part of another one. */
  #inline(from: GivenDocument, href: string, text: string): GivenDocument {
    const findings = new Findings()
    const parsed = parseDocument(Buffer.from(text, 'base64'), findings)
    for (const { place, message } of findings.faults)
      this.#findings.fault(`${from.name}, resource ${href}${place === '' ? '' : `, ${place}`}`, message)
    const model = modelOf(parsed?.value)
    if (!model || !parsed || (model !== 'catalog' && model !== 'profile'))
      throw new Unreadable(`${from.name}, resource ${href}`, 'is neither a catalog nor a profile of OSCAL')
    return { name: `${from.name}${href}`, model, value: parsed.value as Fields }
  }

  #note({ name }: GivenDocument, what: string, ids: readonly string[]): void {
    const more = ids.length > 10 ? ` and ${ids.length - 10} more` : ''
    this.#findings.note(`${name} ${what}: ${ids.slice(0, 10).join(', ')}${more}.`)
  }

  #unreadable({ name, model }: GivenDocument, path: Path, message: string): Unreadable {
    return new Unreadable(
      `${this.#given.length > 1 ? `${name}, ` : ''}${jsonPlace([model, ...path])}`,
      message,
    )
  }
}

const someOf = (found: readonly GivenDocument[]): string =>
  `${found
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ')}${found.length > 5 ? ` and ${found.length - 5} more` : ''}`

/** An address in full, so that people find the file. */
const whole = (href: string): string => `“${href.slice(0, 300)}”`

const textOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : [])

function resourcesOf(document: Fields): Fields[] {
  const matter = document['back-matter']
  return isObject(matter) ? listOf(matter, 'resources') : []
}

/** What several imports come to, merged as a profile says. */
class Merged {
  controls = 0
  readonly resources = new Map<unknown, Fields>()
  readonly #merge: Fields
  readonly #params: Fields[] = []
  readonly #whole: Tree = { groups: [], controls: [] }
  readonly #byId = new Map<string, Fields>()

  constructor(merge: Fields) {
    this.#merge = merge
  }

  get #isAsIs(): boolean {
    return this.#merge['as-is'] === true || this.#merge['as-is'] === 'true'
  }

  add(source: Fields, choice: Choice): void {
    const chosen = choice.of(source)
    this.#params.push(...listOf(source, 'params'))
    for (const one of resourcesOf(source))
      if (!this.resources.has(one.uuid)) this.resources.set(one.uuid, one)
    const tree = this.#isAsIs ? chosen : { groups: [], controls: this.#flattened(chosen) }
    this.#whole.controls.push(...this.#combined(tree.controls))
    this.#unite(this.#whole.groups, tree.groups)
  }

  finish(): { catalog: Record<string, unknown>; dropped: string[] } {
    const { custom } = this.#merge
    const params = [...new Map(this.#params.map((one) => [one.id, one])).values()]
    const catalog = { ...(params.length > 0 && { params }) }
    if (!isObject(custom)) return { catalog: { ...catalog, ...this.#whole }, dropped: [] }
    const inserted = new Set<unknown>()
    const built = customOf(custom, this.#whole.controls, inserted)
    const dropped = [...this.#byId].flatMap(([id, one]) =>
      inserted.has(id) || isUnselected(one) ? [] : [id],
    )
    return { catalog: { ...catalog, ...built }, dropped }
  }

  /** All controls without groups; parameters of groups become those of the catalog. */
  #flattened({ groups, controls }: Tree): Fields[] {
    return [
      ...controls,
      ...groups.flatMap((group) => {
        this.#params.push(...listOf(group, 'params'))
        return this.#flattened(treeOf(group))
      }),
    ]
  }

  /** Groups with one id, or without ids and with one title, become one group. */
  #unite(groups: Fields[], more: readonly Fields[]): void {
    const named = new Map(groups.map((group) => [nameOf(group), group]))
    for (const group of more) {
      const { groups: inner, controls } = treeOf(group)
      const same = named.get(nameOf(group)) as Record<string, unknown> | undefined
      const target: Record<string, unknown> = same ?? { ...group, groups: [], controls: [] }
      const kept = this.#combined(controls)
      ;(target.controls as Fields[]).push(...kept)
      this.#unite(target.groups as Fields[], inner)
      if (same) continue
      named.set(nameOf(group), target)
      groups.push(target)
    }
  }

  /** Controls that are imported more than once: kept, or one of them as the profile says. */
  #combined(controls: readonly Fields[]): Fields[] {
    const method = isObject(this.#merge.combine) ? this.#merge.combine.method : undefined
    return controls.flatMap((control) => {
      this.controls += 1
      const copy: Record<string, unknown> = { ...control, controls: [] }
      const id = control.id as string
      const first = this.#byId.get(id) as Record<string, unknown> | undefined
      if (!first) this.#byId.set(id, copy)
      const inner = this.#combined(listOf(control, 'controls'))
      copy.controls = inner
      if (!first) return [copy]
      const isHeading = isUnselected(first) || isUnselected(copy)
      if (!isUnselected(copy)) delete (first as Record<symbol, unknown>)[UNSELECTED]
      const isSame = isHeading || JSON.stringify(own(first)) === JSON.stringify(own(copy))
      if (method !== 'use-first' && method !== 'merge' && !isSame) return [copy]
      if (method === 'merge') mergeInto(first, copy)
      first.controls = [...listOf(first, 'controls'), ...inner]
      return []
    })
  }
}

const nameOf = ({ id, title }: Fields): string => JSON.stringify(id === undefined ? [title] : id)

const own = ({ controls: _, ...rest }: Fields) => rest

/** Of lists, what the first has not; of other fields, those that it has not. */
function mergeInto(first: Record<string, unknown>, other: Fields): void {
  for (const [name, value] of Object.entries(other)) {
    if (name === 'controls') continue
    const mine = first[name]
    if (mine === undefined) first[name] = value
    else if (Array.isArray(mine) && Array.isArray(value)) {
      const known = new Set(
        mine.map((one) => (isObject(one) && one.id !== undefined ? one.id : JSON.stringify(one))),
      )
      const added = value.filter(
        (one) => !known.has(isObject(one) && one.id !== undefined ? one.id : JSON.stringify(one)),
      )
      first[name] = [...mine, ...added]
    }
  }
}

interface Tree {
  readonly groups: Fields[]
  readonly controls: Fields[]
}

const treeOf = (fields: Fields): Tree => ({
  groups: listOf(fields, 'groups'),
  controls: listOf(fields, 'controls'),
})

/**
 * The groups that a profile defines itself, with the controls that it inserts. A control brings those below it, except the
 * ones that are inserted by their own id.
 */
function customOf(custom: Fields, pool: readonly Fields[], inserted: Set<unknown>): Tree {
  const all = flat(pool)
  const holders = holdersIn(custom)
  const choices = new Map(
    holders.flatMap((holder) =>
      listOf(holder, 'insert-controls').map((one) => [one, new Choice(one)] as const),
    ),
  )
  const named = [...choices.values()].filter(({ isAll }) => !isAll)
  const own = new Set(all.filter((control) => named.some((choice) => choice.match(control) !== undefined)))
  const withoutOwn = (control: Fields): Fields => ({
    ...control,
    controls: listOf(control, 'controls')
      .filter((one) => !own.has(one))
      .map(withoutOwn),
  })
  const chosen = (choice: Choice): Fields[] => {
    if (choice.isAll) return choice.of({ controls: pool }).controls
    const below = new Set<Fields>()
    return all.flatMap((control) => {
      const match = below.has(control) || isUnselected(control) ? undefined : choice.match(control)
      if (match === 'with children') for (const one of flat(listOf(control, 'controls'))) below.add(one)
      return match === undefined ? [] : [match === 'alone' ? withoutOwn(control) : control]
    })
  }
  const built = (holder: Fields): Tree => {
    const controls = listOf(holder, 'insert-controls').flatMap((one) =>
      ordered(chosen(choices.get(one)!), one),
    )
    for (const one of flat(controls)) inserted.add(one.id)
    const groups = listOf(holder, 'groups').map((group) => {
      const { 'insert-controls': _, ...rest } = group
      return { ...rest, ...built(group) }
    })
    return { groups, controls }
  }
  return built(custom)
}

const flat = (controls: readonly Fields[]): Fields[] =>
  controls.flatMap((one) => [one, ...flat(listOf(one, 'controls'))])

/** The parts of a custom structure that insert controls: itself and its groups. */
function holdersIn(custom: Fields, depth = 0): Fields[] {
  if (depth > LIMITS.depth)
    throw new Unreadable('', `The groups of the profile are more than ${LIMITS.depth} deep.`)
  return [custom, ...listOf(custom, 'groups').flatMap((group) => holdersIn(group, depth + 1))]
}

function ordered(controls: Fields[], { order }: Fields): Fields[] {
  if (order !== 'ascending' && order !== 'descending') return controls
  const sorted = controls.toSorted((one, other) => ((one.id as string) < (other.id as string) ? -1 : 1))
  return order === 'ascending' ? sorted : sorted.reverse()
}
