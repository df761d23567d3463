import { jsonPlace } from '../../../model/json-names.ts'
import type { Catalog, CatalogLevel, CatalogRequirement } from '../catalog.ts'
import { arrange } from './arrange.ts'
import { type Findings, quoted, type Reading, reading, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { annotationOf, type Words, wordsOf } from './oscal-annotation.ts'
import { modelOf, OSCAL_MODELS, type Parsed, parseDocument } from './oscal-document.ts'
import { type Keys, keysOf } from './oscal-keys.ts'
import { LEVEL_PROPS, noteLeftOut } from './oscal-left-out.ts'
import { type Params, parametersOf, paramsOf } from './oscal-params.ts'
import { proseOf, readParts } from './oscal-parts.ts'
import { type GivenDocument, resolveProfile } from './oscal-profile.ts'
import { isUnselected } from './oscal-select.ts'
import { type Item, isObject, type Path, Shape } from './shape.ts'
import { slug } from './slug.ts'

/*
 * Reads catalogs of OSCAL 1.x, and profiles that are resolved into one. Groups and controls keep their nesting, with
 * enhancements below their control. A control's statement is its text, with parameters as printed editions show them; what
 * assessors determine and examine is its annotation and its typical evidence.
 */

/** Reads one document, in JSON, YAML or XML. */
export const readOscal = (bytes: Uint8Array): Reading =>
  reading((findings) => {
    const parsed = parseDocument(bytes, findings)
    return parsed && readOscalDocument(parsed, findings)
  })

/** Reads a document without others: a catalog, or a profile with the catalog in its back matter. */
export function readOscalDocument({ value, placeOf }: Parsed, findings: Findings): Catalog | null {
  const model = modelOf(value)
  if (!model || !isObject(value))
    throw new Unreadable('', 'The file is no OSCAL catalog or profile: give a document that is one.')
  return readGiven({ name: 'The profile', model, value }, [], placeOf, findings)
}

/**
 * Reads one of the given documents.
 * @param given all of them, of which a profile imports others
 * @param placeOf the places of a catalog; those of a profile start with the id of a control
 */
export function readGiven(
  document: GivenDocument,
  given: readonly GivenDocument[],
  placeOf: (path: Path) => string,
  findings: Findings,
): Catalog | null {
  const { name, model, value } = document
  if (model === 'catalog')
    return readCatalog(
      { fields: value.catalog as never, path: ['catalog'] },
      new Shape(findings, placeOf),
      findings,
    )
  if (model !== 'profile')
    throw new Unreadable(
      given.length > 1 ? name : '',
      `The file is ${OSCAL_MODELS[model]}: give a catalog, or a profile with its catalogs, which is resolved here.`,
    )
  const catalog = resolveProfile(document, given.length === 0 ? [document] : given, findings)
  if (!findings.isGood) return null
  return readCatalog(
    { fields: catalog, path: ['catalog'] },
    new Shape(findings, placeInResolved(catalog)),
    findings,
  )
}

/** A resolved catalog is in no file: its places start with the innermost control or part that has an id. */
const placeInResolved =
  (catalog: Item['fields']) =>
  (path: Path): string => {
    let at: unknown = { catalog }
    let [id, from] = ['', 0]
    for (const [index, step] of path.entries()) {
      at = isObject(at) || Array.isArray(at) ? (at as Record<string | number, unknown>)[step] : undefined
      if (isObject(at) && typeof at.id === 'string') [id, from] = [at.id.slice(0, LIMITS.key), index + 1]
    }
    const rest = jsonPlace(path.slice(from))
    return id === '' ? `resolved ${rest}` : rest === '' ? id : `${id}, ${rest}`
  }

function readCatalog(catalog: Item, shape: Shape, findings: Findings): Catalog | null {
  if (!isObject(catalog.fields)) throw new Unreadable('catalog', 'is no object: give one with its fields')
  const metadata = shape.object(catalog.fields.metadata, ['catalog', 'metadata'])
  const about = metadata && aboutOf(metadata, shape)
  if (metadata) noteVersion(metadata, findings)
  const keys = keysOf(catalog, shape)
  const walk: Walk = {
    shape,
    findings,
    keys,
    params: paramsOf(catalog, shape),
    words: wordsOf(catalog, keys.ofControls, shape),
    baseline: metadata && baselineOf(metadata, shape),
    levels: new Map(),
    found: [],
    headings: [],
  }
  if (walk.baseline) walk.levels.set(walk.baseline.key, walk.baseline)
  walkControls(catalog, undefined, 1, walk)
  walkGroups(catalog, undefined, 1, walk)
  const levels = [...walk.levels.values()]
  const requirements = arrange(walk.found, levels, findings)
  const { headings } = walk
  if (headings.length > 0)
    findings.note(
      `The profile selects enhancements without their controls, which become headings: ${headings.slice(0, 10).join(', ')}${headings.length > 10 ? ` and ${headings.length - 10} more` : ''}.`,
    )
  noteLeftOut(catalog, findings)
  const source = sourceOf(catalog, metadata, shape)
  return about && { format: 'oscal', ...about, ...(source && { source }), levels, requirements }
}

/** Versions 1.x are compatible with each other. Another major version may mean something else by the same names. */
function noteVersion({ fields }: Item, findings: Findings): void {
  const version = fields['oscal-version']
  if (typeof version === 'string' && /^v?1(\.|$)/.test(version)) return
  findings.note(
    version === undefined
      ? 'The file has no oscal-version: it is read as OSCAL 1.'
      : `The file is in OSCAL ${quoted(version)}: it is read as OSCAL 1.`,
  )
}

interface Walk {
  readonly shape: Shape
  readonly findings: Findings
  readonly keys: Keys
  readonly params: Params
  readonly words: Words
  /** That a resolved profile is of: all its controls are. */
  readonly baseline: CatalogLevel | null
  readonly levels: Map<string, CatalogLevel>
  readonly found: CatalogRequirement[]
  /** Controls that a profile does not select, with selected ones below them. */
  readonly headings: string[]
}

function walkGroups(parent: Item, parentKey: string | undefined, depth: number, walk: Walk): void {
  const { shape, params, words } = walk
  for (const group of shape.objects(parent, 'groups')) {
    if (isTooDeep(group, depth, walk)) return
    const id = shape.text(group, 'id', LIMITS.key)
    const title = shape.required(group, 'title', LIMITS.title)
    const key = keyOf(group, walk)
    if (key === undefined) continue
    const { text, guidance, evidence, objectives, related } = readParts(group, params, shape, true)
    const parameters = parametersOf(group, params, shape)
    const annotation = annotationOf(
      group,
      { isWithdrawn: false, objectives, parameters, related },
      words,
      shape,
    )
    walk.found.push({
      key,
      ...(id !== undefined && { sourceId: id }),
      ...(parentKey !== undefined && { parentKey }),
      ...(title !== undefined && { title: proseOf(title, group.path, params, shape) }),
      ...(text !== undefined && { text }),
      ...(guidance !== undefined && { guidance }),
      ...{ kind: 'group', assessable: false, levels: [] },
      ...(evidence !== undefined && { typicalEvidence: evidence }),
      ...(annotation !== undefined && { annotation }),
      place: shape.placeOf(group.path),
    })
    walkControls(group, key, depth + 1, walk)
    walkGroups(group, key, depth + 1, walk)
  }
}

/** The key that was chosen for a group or control; one that is too long is a fault where it is written. */
function keyOf(item: Item, { keys, shape }: Walk): string | undefined {
  const key = keys.of.get(item.fields)
  const isLabel = key !== undefined && key !== item.fields.id
  if (!isLabel || key.length <= LIMITS.key) return key
  for (const prop of shape.objects(item, 'props'))
    if (prop.fields.name === 'label') shape.text(prop, 'value', LIMITS.key)
  return undefined
}

function walkControls(parent: Item, parentKey: string | undefined, depth: number, walk: Walk): void {
  const { shape, params, words } = walk
  for (const control of bySortId(shape.objects(parent, 'controls'), shape)) {
    if (isTooDeep(control, depth, walk)) return
    const id = shape.required(control, 'id', LIMITS.key)
    const title = shape.required(control, 'title', LIMITS.title)
    const key = keyOf(control, walk)
    if (id === undefined || key === undefined) continue
    const { text, guidance, evidence, objectives, related } = readParts(control, params, shape)
    const isWithdrawn = propsOf(control, shape).some(
      ({ name, value }) => name === 'status' && value.toLowerCase() === 'withdrawn',
    )
    const isHeading = isUnselected(control.fields)
    if (isHeading) walk.headings.push(key)
    const parameters = parametersOf(control, params, shape)
    const annotation = annotationOf(control, { isWithdrawn, objectives, parameters, related }, words, shape)
    walk.found.push({
      key,
      sourceId: id,
      ...(parentKey !== undefined && { parentKey }),
      ...(title !== undefined && { title: proseOf(title, control.path, params, shape) }),
      ...(text !== undefined && { text }),
      ...(guidance !== undefined && { guidance }),
      ...(isHeading
        ? { kind: 'group' as const, assessable: false }
        : { kind: 'requirement' as const, assessable: !isWithdrawn }),
      levels: isWithdrawn || isHeading ? [] : levelsOf(control, walk),
      ...(evidence !== undefined && { typicalEvidence: evidence }),
      ...(annotation !== undefined && { annotation }),
      place: shape.placeOf(control.path),
    })
    walkControls(control, key, depth + 1, walk)
  }
}

function isTooDeep({ path }: Item, depth: number, { shape }: Walk): boolean {
  if (depth <= LIMITS.depth) return false
  shape.fault(
    path,
    `stands ${depth} deep: at most ${LIMITS.depth} stand beneath each other, so place it higher`,
  )
  return true
}

/** In the order that the catalog says by `sort-id`, where all of them have one; else as they stand. */
function bySortId(controls: Item[], shape: Shape): Item[] {
  const sorted = controls.map((control) => ({
    control,
    id: propsOf(control, shape).find(({ name }) => name === 'sort-id')?.value,
  }))
  if (!sorted.every(({ id }) => id !== undefined)) return controls
  return sorted.toSorted((a, b) => (a.id! < b.id! ? -1 : a.id! > b.id! ? 1 : 0)).map(({ control }) => control)
}

function levelsOf(control: Item, { shape, baseline, levels }: Walk): string[] {
  const said = propsOf(control, shape).flatMap(({ name, value }) => {
    if (!LEVEL_PROPS.includes(name)) return []
    if (!levels.has(value))
      levels.set(value, { key: value, title: `${name === 'baseline' ? 'Baseline' : 'Level'} ${value}` })
    return [value]
  })
  return [...new Set([...(baseline ? [baseline.key] : []), ...said])]
}

const BASELINE = /\b(low|moderate|high|privacy)\b[^.]{0,20}\bbaseline\b/i

/** Links of a resolved profile to the profile: of OSCAL 1.0 and of 1.1. */
const RESOLVED = ['source-profile', 'resolution-source']

function profileOf(metadata: Item, shape: Shape): Item | undefined {
  const links = shape.objects(metadata, 'links')
  const prop = shape.objects(metadata, 'props').find(({ fields }) => RESOLVED.includes(fields.name as string))
  return (
    links.find(({ fields }) => RESOLVED.includes(fields.rel as string)) ??
    (prop && { fields: { href: prop.fields.value }, path: prop.path })
  )
}

/** The level that a resolved profile selects: the baseline in its title, else the profile itself. */
function baselineOf(metadata: Item, shape: Shape): CatalogLevel | null {
  if (!profileOf(metadata, shape)) return null
  const title = shape.text(metadata, 'title', LIMITS.title)
  if (title === undefined) return null
  const named = BASELINE.exec(title)?.[1]?.toLowerCase()
  return {
    key: named ?? slug(title),
    title:
      named === undefined
        ? title.slice(0, LIMITS.name).toWellFormed()
        : `${named.charAt(0).toUpperCase()}${named.slice(1)} baseline`,
    about: `What the profile selects: ${title}`,
  }
}

const propsOf = (item: Item, shape: Shape): { name: string; value: string }[] =>
  shape.objects(item, 'props').flatMap((prop) => {
    const { name, value } = prop.fields
    if (typeof name !== 'string' || typeof value !== 'string') return []
    const taken = shape.text(prop, 'value')
    return taken === undefined ? [] : [{ name, value: taken }]
  })

/** What the edition of the catalog is called apart, so that two editions have one key. */
const EDITION = /\b(?:revision|rev\.?|version|release|edition)\s*\d[\w.+-]*/gi

function aboutOf(metadata: Item, shape: Shape) {
  const name = shape.required(metadata, 'title', LIMITS.name)
  const edition = shape.required(metadata, 'version', LIMITS.key)
  const [documentId] = shape.objects(metadata, 'document-ids')
  const identifier = documentId && shape.text(documentId, 'identifier', LIMITS.address)
  const day = shape.text(metadata, 'published') ?? shape.text(metadata, 'last-modified')
  if (day !== undefined && !/^\d{4}-\d\d-\d\d/.test(day))
    shape.fault(
      [...metadata.path, metadata.fields.published === undefined ? 'last-modified' : 'published'],
      `is ${quoted(day)}: give a moment as 2026-01-31T12:00:00Z`,
    )
  if (name === undefined || edition === undefined) return null
  const publisher = publisherOf(metadata, shape)
  const language = shape.text(metadata, 'language', LIMITS.key)
  const license = shape
    .objects(metadata, 'links')
    .find(({ fields }) => fields.rel === 'license' || fields.rel === 'copyright')
  const href = license && shape.text(license, 'href', LIMITS.text)
  const profile = profileOf(metadata, shape)
  const from = profile && shape.text(profile, 'href', LIMITS.text)
  const said = [
    shape.text(metadata, 'remarks'),
    from === undefined ? undefined : `Resolved from the profile ${from}.`,
  ]
  const all = said.filter((one) => one !== undefined).join('\n\n')
  const description = shape.shortened(all, metadata, LIMITS.text, 'description')
  return {
    key: identifier ?? `urn:oscal:${slug(name.split(':')[0]!.replace(EDITION, ' '))}`,
    ...{ edition, name },
    ...(publisher !== undefined && { publisher }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { locale: language }),
    ...(href !== undefined && { license: href }),
    ...(day !== undefined && { sourceDate: day.slice(0, 10) }),
  }
}

/** What exports name the document by: its UUID, and the address of it or of the profile that it is resolved from. */
function sourceOf(catalog: Item, metadata: Item | null, shape: Shape): Catalog['source'] | undefined {
  const uuid = shape.text(catalog, 'uuid', LIMITS.key)
  const canonical =
    metadata &&
    (shape.objects(metadata, 'links').find(({ fields }) => fields.rel === 'canonical') ??
      profileOf(metadata, shape))
  const href = canonical && addressOf(canonical, catalog, shape)
  return uuid === undefined && !href
    ? undefined
    : { ...(uuid !== undefined && { uuid }), ...(href && { href }) }
}

const ADDRESS = /^https?:\/\/[^\s<>"{}|\\^`]+$/

/** An absolute address, also where a link names a resource of the back matter. */
function addressOf(link: Item, catalog: Item, shape: Shape): string | undefined {
  const href = shape.text(link, 'href', LIMITS.text) ?? ''
  const matter = catalog.fields['back-matter']
  const resource =
    href.startsWith('#') && isObject(matter)
      ? shape
          .objects({ fields: matter, path: [...catalog.path, 'back-matter'] }, 'resources')
          .find(({ fields }) => fields.uuid === href.slice(1))
      : undefined
  const all = resource ? shape.objects(resource, 'rlinks').map(({ fields }) => fields.href) : [href]
  return all.find((one): one is string => typeof one === 'string' && one.length <= 2_000 && ADDRESS.test(one))
}

/** The first organization that has it published or made. */
function publisherOf(metadata: Item, shape: Shape): string | undefined {
  const parties = shape.objects(metadata, 'parties')
  for (const role of ['publisher', 'creator', 'prepared-by'])
    for (const { fields } of shape.objects(metadata, 'responsible-parties')) {
      const ids =
        fields['role-id'] === role && Array.isArray(fields['party-uuids']) ? fields['party-uuids'] : []
      const party = parties.find((one) => ids.includes(one.fields.uuid))
      if (party) return shape.text(party, 'name', LIMITS.name)
    }
  return undefined
}
