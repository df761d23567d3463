import type {
  Catalog,
  CatalogLevel,
  CatalogRequirement,
  Importance,
  LibraryMatrix,
  LibraryParts,
} from '../catalog.ts'
import { arrange } from './arrange.ts'
import { keysOf, type Node, type NodeKey } from './ca-keys.ts'
import { MAPPING_OBJECTS, mappingNotes, mappingSetsOf } from './ca-mappings.ts'
import { matrixNotes, matrixOf } from './ca-matrix.ts'
import { decode } from './decode.ts'
import { type Findings, type LibraryReading, quoted, readingOf, Unreadable } from './faults.ts'
import { counted, LeftOut, listed } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Item, isObject, Shape } from './shape.ts'

/*
 * Reads libraries as CISO Assistant publishes them, in YAML. The framework of a library becomes a catalog. Fields that
 * have no counterpart here are left out, and each of them is named in a note with the number of places it was left out of.
 */

const NEW_LINE = 10

export const readCaLibrary = (bytes: Uint8Array): LibraryReading =>
  readingOf((findings) => {
    if (bytes.length > LIMITS.yamlBytes)
      throw new Unreadable(
        '',
        `The file has more than ${LIMITS.yamlBytes / 1024 / 1024} MB: a library in YAML has less, so leave out what is no framework.`,
      )
    // Each line takes the library that reads YAML some memory and time, whatever is in it.
    if (bytes.reduce((lines, byte) => lines + Number(byte === NEW_LINE), 0) > LIMITS.yamlLines)
      throw new Unreadable(
        '',
        `The file has more than ${LIMITS.yamlLines} lines: a library in YAML has fewer, so leave out what is no framework.`,
      )
    const { value, placeOf } = parseYaml(decode(bytes), findings)
    return findings.isGood ? readLibrary(value, new Shape(findings, placeOf), findings) : findings.refused()
  })

export function readLibrary(value: unknown, shape: Shape, findings: Findings): LibraryReading {
  if (!isObject(value) || !isObject(value.objects))
    throw new Unreadable(
      '',
      'The file is no library of CISO Assistant: give a map with the urn, the version and the objects of one.',
    )
  const leftOut = new LeftOut()
  const library: Item = { fields: value, path: [] }
  const objects: Item = { fields: value.objects, path: ['objects'] }
  const mappingSets = mappingSetsOf(objects, shape, leftOut)
  const matrix = matrixIn(objects, shape, leftOut, findings)
  const framework = frameworkOf(objects, mappingSets.length > 0 || matrix !== null, shape)
  for (const [name, about] of Object.entries(value.objects))
    if (!READ.has(name) && !(Array.isArray(about) && about.length === 0))
      findings.note(objectsLeftOut(name, about))
  const urns = new Map<string, string>()
  const catalog = framework && catalogOf(library, framework, shape, leftOut, findings, urns)
  if (!framework) {
    leftOut.fields('library', value, new Set([...TAKEN.library, 'urn', 'name', 'ref_id', 'description']))
    tellLibrary(leftOut, findings)
  }
  for (const note of [...mappingNotes(leftOut), ...matrixNotes(leftOut)]) findings.note(note)
  leftOut.tell(findings)
  if (!findings.isGood || (framework && !catalog)) return findings.refused()
  const parts: LibraryParts = { mappingSets, matrix, urns: [...urns] }
  return { ...(catalog && { catalog }), parts, notes: findings.notes }
}

/** A matrix that does not fit is left out of a library that has a framework; any other library is refused for it. */
function matrixIn(objects: Item, shape: Shape, leftOut: LeftOut, findings: Findings): LibraryMatrix | null {
  try {
    return matrixOf(objects, shape, leftOut)
  } catch (error) {
    if (!(error instanceof Unreadable) || objects.fields.framework === undefined) throw error
    findings.note(error.message)
    return null
  }
}

const READ: ReadonlySet<string> = new Set(['framework', 'frameworks', 'risk_matrix', ...MAPPING_OBJECTS])

function catalogOf(
  library: Item,
  framework: Item,
  shape: Shape,
  leftOut: LeftOut,
  findings: Findings,
  urns: Map<string, string>,
): Catalog | null {
  const defined = levelsOf(framework, shape, leftOut)
  const found = requirementsOf(framework, shape, leftOut, urns)
  const levels = withUndefined(defined, found, leftOut)
  const about = aboutOf(library, framework, shape, leftOut)
  const requirements = arrange(found, levels, findings)
  tellFields(library, framework, leftOut, findings)
  return about && { format: 'ca_library', ...about, levels, requirements }
}

/** @returns null where the library has none, and holds something else that is imported */
function frameworkOf(objects: Item, hasParts: boolean, shape: Shape): Item | null {
  const { framework } = objects.fields
  if (framework !== undefined) {
    const item = shape.object(framework, ['objects', 'framework'])
    if (item) return item
  }
  const all = shape.objects(objects, 'frameworks')
  if (all.length === 1) return all[0]!
  if (all.length === 0 && hasParts) return null
  throw new Unreadable(
    shape.placeOf(['objects']),
    all.length === 0
      ? `The library holds ${heldBy(objects.fields)} and no framework. Choose a library that has a framework, mappings or a risk matrix.`
      : `The library has ${all.length} frameworks: give each in a file of its own.`,
  )
}

/** What people call the objects of a library. */
const OBJECTS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  reference_controls: ['reference control', 'reference controls'],
  threats: ['threat', 'threats'],
  metric_definitions: ['metric definition', 'metric definitions'],
  requirement_mapping_set: ['mapping set', 'mapping sets'],
  requirement_mapping_sets: ['mapping set', 'mapping sets'],
  risk_matrix: ['risk matrix', 'risk matrices'],
  ttp_catalogs: ['catalog of attack techniques', 'catalogs of attack techniques'],
  tactics: ['tactic', 'tactics'],
  techniques: ['technique', 'techniques'],
  preset: ['preset', 'presets'],
}

const holding = (name: string, about: unknown): string => {
  const [one, many] = OBJECTS[name] ?? [`object in ${name}`, `objects in ${name}`]
  return counted(Array.isArray(about) ? about.length : 1, one, many)
}

const heldBy = (objects: Readonly<Record<string, unknown>>): string =>
  listed(Object.entries(objects).map(([name, about]) => holding(name, about))) || 'nothing'

const objectsLeftOut = (name: string, about: unknown): string =>
  `${name}: ${holding(name, about)} left out. Frameworks, mappings and risk matrices are imported.`

/** Fields of a library, its framework and a node that are taken, or that only say how these belong together. */
const TAKEN = {
  library: new Set(['objects', 'version', 'provider', 'locale', 'copyright']),
  framework: new Set([
    ...['urn', 'name', 'ref_id', 'description', 'implementation_groups_definition', 'requirement_nodes'],
  ]),
  level: new Set(['ref_id', 'name', 'description']),
  node: new Set([
    ...['urn', 'parent_urn', 'depth', 'ref_id', 'name', 'description', 'annotation', 'typical_evidence'],
    ...['assessable', 'implementation_groups', 'weight', 'importance', 'questions'],
  ]),
  question: new Set(['text', 'choices']),
  choice: new Set(['urn', 'value']),
} as const

const SCORES = ['min_score', 'max_score', 'scores_definition']

/** Adds a note for each field that is left out, with the number of places where the file has it. */
function tellFields(library: Item, framework: Item, leftOut: LeftOut, findings: Findings): void {
  // What the framework says as well is not lost.
  const same = ['ref_id', 'name', 'description'].filter(
    (name) => library.fields[name] === framework.fields[name],
  )
  leftOut.fields('library', library.fields, new Set([...TAKEN.library, ...same, 'urn']))
  leftOut.fields('framework', framework.fields, TAKEN.framework)
  tellLibrary(leftOut, findings)
  const ofFramework = [...leftOut.of('framework').keys()]
  const scores = ofFramework.filter((name) => SCORES.includes(name))
  const others = ofFramework.filter((name) => !SCORES.includes(name))
  if (scores.length > 0)
    findings.note(
      `Left out of the framework: ${listed(scores)}. Scores are percentages from 0 to 100 here, whatever the framework.`,
    )
  if (others.length > 0) findings.note(`Left out of the framework: ${listed(others)}.`)
  for (const [name, count] of leftOut.of('level'))
    findings.note(
      `${name} is left out of ${counted(count, 'implementation group', 'implementation groups')}.`,
    )
  for (const [name, count] of leftOut.of('node'))
    findings.note(`${name} is left out of ${counted(count, 'requirement', 'requirements')}.`)
  for (const [name, count] of leftOut.of('question'))
    findings.note(`${name} is left out of ${counted(count, 'question', 'questions')}.`)
  for (const [name, count] of leftOut.of('choice'))
    findings.note(`${name} is left out of ${counted(count, 'choice of a question', 'choices of questions')}.`)
}

function tellLibrary(leftOut: LeftOut, findings: Findings): void {
  const names = [...leftOut.of('library').keys()]
  if (names.length > 0) findings.note(`Left out of the library: ${listed(names)}.`)
}

function aboutOf(library: Item, framework: Item, shape: Shape, leftOut: LeftOut) {
  const key = shape.required(framework, 'urn', LIMITS.address)
  const name = shape.required(framework, 'name', LIMITS.name)
  const edition = shape.required(library, 'version', LIMITS.key)
  const shortName = shape.fitting(framework, 'ref_id', LIMITS.shortName, leftOut, false)
  const publisher = shape.fitting(library, 'provider', LIMITS.name, leftOut)
  const description =
    shape.fitting(framework, 'description', LIMITS.text, leftOut) ??
    shape.fitting(library, 'description', LIMITS.text, leftOut)
  const locale = shape.text(library, 'locale', LIMITS.key)
  const license = shape.fitting(library, 'copyright', LIMITS.license, leftOut)
  if (key === undefined || name === undefined || edition === undefined) return null
  return {
    ...{ key, name, edition },
    ...(shortName !== undefined && { shortName }),
    ...(publisher !== undefined && { publisher }),
    ...(description !== undefined && { description }),
    ...(locale !== undefined && { locale }),
    ...(license !== undefined && { license }),
  }
}

const levelsOf = (framework: Item, shape: Shape, leftOut: LeftOut): CatalogLevel[] =>
  shape.objects(framework, 'implementation_groups_definition').flatMap((level) => {
    const key = shape.required(level, 'ref_id', LIMITS.key)
    const title = shape.fitting(level, 'name', LIMITS.name, leftOut)
    const about = shape.fitting(level, 'description', LIMITS.aboutLevel, leftOut)
    leftOut.fields('level', level.fields, TAKEN.level)
    return key === undefined ? [] : [{ key, title: title ?? key, ...(about !== undefined && { about }) }]
  })

/**
 * The levels that are defined, and those that requirements name without a definition. These keep their key as title, so
 * that no requirement loses its group. Groups beyond the limit are left out.
 */
function withUndefined(
  defined: readonly CatalogLevel[],
  found: CatalogRequirement[],
  leftOut: LeftOut,
): CatalogLevel[] {
  const known = new Map(defined.map((level) => [level.key.normalize('NFC'), level]))
  const added = new Map<string, { readonly place: string; count: number }>()
  for (const { levels, place } of found)
    for (const level of levels) {
      const key = level.normalize('NFC')
      if (known.has(key)) continue
      const before = added.get(key)
      if (before) before.count += 1
      else added.set(key, { place, count: 1 })
    }
  const room = Math.max(0, LIMITS.levels - defined.length)
  const kept = [...added.keys()].slice(0, room)
  for (const [key, { place, count }] of added) {
    const names = `names the implementation group ${quoted(key)}`
    const where = `${names}, which the file does not define (${counted(count, 'requirement', 'requirements')}).`
    leftOut.other(
      place,
      kept.includes(key)
        ? `${where} It becomes a level with its key as title.`
        : `${where} It is left out: a framework has at most ${LIMITS.levels} levels.`,
    )
  }
  if (kept.length < added.size) {
    const all = new Set([...known.keys(), ...kept])
    for (const [index, one] of found.entries())
      found[index] = { ...one, levels: one.levels.filter((level) => all.has(level.normalize('NFC'))) }
  }
  return [...defined, ...kept.map((key) => ({ key, title: key }))]
}

function requirementsOf(
  framework: Item,
  shape: Shape,
  leftOut: LeftOut,
  urns: Map<string, string>,
): CatalogRequirement[] {
  const nodes = shape.objects(framework, 'requirement_nodes').flatMap((item): Node[] => {
    const urn = shape.required(item, 'urn', LIMITS.text)
    const parent = shape.text(item, 'parent_urn')
    const depth = shape.number(item, 'depth', 1, Number.MAX_SAFE_INTEGER)
    if (parent === undefined && depth !== undefined && depth > 1)
      shape.fault(
        [...item.path, 'parent_urn'],
        `is missing, though the depth is ${depth}: name the node above it`,
      )
    const ref = shape.fitting(item, 'ref_id', LIMITS.requirementKey, leftOut, false)?.normalize('NFC')
    return urn === undefined ? [] : [{ item, urn, parent, ref }]
  })
  const keys = keysOf(nodes, shape, leftOut)
  for (const [urn, { key }] of keys) urns.set(key, urn)
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.map((node) => requirementOf(node, keys, parents.has(node.urn), shape, leftOut))
}

const IMPORTANCES: Readonly<Record<string, Importance>> = {
  mandatory: 'mandatory',
  recommended: 'recommended',
  nice_to_have: 'optional',
  optional: 'optional',
  undefined: 'optional',
}

function requirementOf(
  { item, urn, parent, ref }: Node,
  keys: ReadonlyMap<string, NodeKey>,
  hasChildren: boolean,
  shape: Shape,
  leftOut: LeftOut,
): CatalogRequirement {
  leftOut.fields('node', item.fields, TAKEN.node)
  const assessable = shape.flag(item, 'assessable') ?? false
  const questions = questionsOf(item, shape, leftOut)
  const title = shape.fitting(item, 'name', LIMITS.title, leftOut)
  // What people have to answer is never cut. A glossary below a heading may be.
  const text = assessable
    ? shape.text(item, 'description')
    : shape.fitting(item, 'description', LIMITS.text, leftOut)
  const annotation = shape.fitting(item, 'annotation', LIMITS.text, leftOut)
  const typicalEvidence = shape.fitting(item, 'typical_evidence', LIMITS.typicalEvidence, leftOut)
  const weight = shape.number(item, 'weight', 0, 1_000)
  const importance = shape.choice(item, 'importance', IMPORTANCES)
  const { key, formerKey } = keys.get(urn)!
  if (ref !== undefined && ref !== key)
    leftOut.other(
      shape.placeOf([...item.path, 'ref_id']),
      'ref_id is shared by several requirements, and left out of these: their keys are the ends of their URNs.',
    )
  const parentKey = parent === undefined ? undefined : (keys.get(parent)?.key ?? parent)
  return {
    key,
    ...(formerKey !== undefined && { formerKey }),
    ...(parentKey !== undefined && { parentKey }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(questions !== undefined && { guidance: questions }),
    kind: assessable ? (questions ? 'question' : 'requirement') : hasChildren ? 'group' : 'statement',
    assessable,
    levels: [...new Set(shape.texts(item, 'implementation_groups', LIMITS.key))],
    ...(weight !== undefined && { weight }),
    ...(importance !== undefined && { importance }),
    ...(typicalEvidence !== undefined && { typicalEvidence }),
    ...(annotation !== undefined && { annotation }),
    place: shape.placeOf(item.path),
  }
}

/** What is asked of a node, with what can be answered. */
function questionsOf(node: Item, shape: Shape, leftOut: LeftOut): string | undefined {
  const { questions } = node.fields
  if (!isObject(questions)) return undefined
  const lines = Object.entries(questions).flatMap(([urn, one]) => {
    const question = shape.object(one, [...node.path, 'questions', urn])
    const text = question && shape.text(question, 'text')
    if (!text) return []
    leftOut.fields('question', question.fields, TAKEN.question)
    const choices = shape.objects(question, 'choices').flatMap((choice) => {
      leftOut.fields('choice', choice.fields, TAKEN.choice)
      return shape.text(choice, 'value') ?? []
    })
    return [`${text}${choices.length > 0 ? ` (${choices.join('; ')})` : ''}`]
  })
  return lines.length === 0
    ? undefined
    : shape.taken(lines.join('\n'), [...node.path, 'questions'], LIMITS.text)
}
