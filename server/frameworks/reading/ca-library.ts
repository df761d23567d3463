import type { Catalog, CatalogLevel, CatalogRequirement, Importance } from '../catalog.ts'
import { arrange } from './arrange.ts'
import { decode } from './decode.ts'
import { type Findings, quoted, type Reading, reading, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Item, isObject, Shape } from './shape.ts'

/*
 * Libraries as CISO Assistant publishes them, in YAML: of all that stands in one, the framework is taken. Its nodes are
 * named by URNs; people know them by their `ref_id`, which is their key here where no other node has it.
 */

export const readCaLibrary = (bytes: Uint8Array): Reading =>
  reading((findings) => {
    if (bytes.length > LIMITS.yamlBytes)
      throw new Unreadable(
        '',
        `The file has more than ${LIMITS.yamlBytes / 1024 / 1024} MB: a library in YAML has less, so leave out what is no framework.`,
      )
    const { value, placeOf } = parseYaml(decode(bytes), findings)
    return findings.isGood ? readLibrary(value, new Shape(findings, placeOf), findings) : null
  })

function readLibrary(value: unknown, shape: Shape, findings: Findings): Catalog | null {
  if (!isObject(value) || !isObject(value.objects))
    throw new Unreadable(
      '',
      'The file is no library of CISO Assistant: give a map with the urn, the version and the objects of one.',
    )
  const library: Item = { fields: value, path: [] }
  const objects: Item = { fields: value.objects, path: ['objects'] }
  const framework = frameworkOf(objects, shape)
  for (const name of Object.keys(value.objects))
    if (name !== 'framework' && name !== 'frameworks')
      findings.note(`${name} is left out: of a library the framework alone is taken.`)
  if (framework.fields.scores_definition !== undefined)
    findings.note('scores_definition is left out: scores are from 0 to 100 here, whatever the framework is.')
  const levels = levelsOf(framework, shape)
  const found = requirementsOf(framework, shape)
  const about = aboutOf(library, framework, shape)
  const requirements = arrange(found, levels, findings)
  return about && { format: 'ca_library', ...about, levels, requirements }
}

function frameworkOf(objects: Item, shape: Shape): Item {
  const { framework } = objects.fields
  if (framework !== undefined) {
    const item = shape.object(framework, ['objects', 'framework'])
    if (item) return item
  }
  const all = shape.objects(objects, 'frameworks')
  if (all.length === 1) return all[0]!
  throw new Unreadable(
    shape.placeOf(['objects']),
    all.length === 0
      ? 'The library has no framework: give one that has.'
      : `The library has ${all.length} frameworks: give each in a file of its own.`,
  )
}

function aboutOf(library: Item, framework: Item, shape: Shape) {
  const key = shape.required(framework, 'urn', LIMITS.address)
  const name = shape.required(framework, 'name', LIMITS.name)
  const edition = shape.required(library, 'version', LIMITS.key)
  const shortName = shape.text(framework, 'ref_id', LIMITS.shortName)
  const publisher = shape.text(library, 'provider', LIMITS.name)
  const description = shape.text(framework, 'description') ?? shape.text(library, 'description')
  const locale = shape.text(library, 'locale', LIMITS.key)
  const license = shape.text(library, 'copyright')
  const day = shape.text(library, 'publication_date', LIMITS.key)
  if (day !== undefined && !/^\d{4}-\d\d-\d\d/.test(day))
    shape.fault(['publication_date'], 'is no day: give it as 2026-01-31')
  if (key === undefined || name === undefined || edition === undefined) return null
  return {
    ...{ key, name, edition },
    ...(shortName !== undefined && { shortName }),
    ...(publisher !== undefined && { publisher }),
    ...(description !== undefined && { description }),
    ...(locale !== undefined && { locale }),
    ...(license !== undefined && { license }),
    ...(day !== undefined && { sourceDate: day.slice(0, 10) }),
  }
}

const levelsOf = (framework: Item, shape: Shape): CatalogLevel[] =>
  shape.objects(framework, 'implementation_groups_definition').flatMap((level) => {
    const key = shape.required(level, 'ref_id', LIMITS.key)
    const title = shape.text(level, 'name', LIMITS.name)
    const about = shape.text(level, 'description')
    return key === undefined ? [] : [{ key, title: title ?? key, ...(about !== undefined && { about }) }]
  })

interface Node {
  readonly item: Item
  readonly urn: string
  readonly parent: string | undefined
  readonly ref: string | undefined
}

function requirementsOf(framework: Item, shape: Shape): CatalogRequirement[] {
  const nodes = shape.objects(framework, 'requirement_nodes').flatMap((item): Node[] => {
    const urn = shape.required(item, 'urn', LIMITS.text)
    const parent = shape.text(item, 'parent_urn')
    const depth = shape.number(item, 'depth', 1, Number.MAX_SAFE_INTEGER)
    if (parent === undefined && depth !== undefined && depth > 1)
      shape.fault(
        [...item.path, 'parent_urn'],
        `is missing, though the depth is ${depth}: name the node above it`,
      )
    return urn === undefined ? [] : [{ item, urn, parent, ref: shape.text(item, 'ref_id', LIMITS.key) }]
  })
  const keys = keysOf(nodes, shape)
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.map((node) => requirementOf(node, keys, parents.has(node.urn), shape))
}

/** By their URNs: what people call a node, or the end of its URN where nobody does, or others are called the same. */
function keysOf(nodes: readonly Node[], shape: Shape): ReadonlyMap<string, string> {
  const calledSo = new Map<string, number>()
  for (const { ref } of nodes) if (ref !== undefined) calledSo.set(ref, (calledSo.get(ref) ?? 0) + 1)
  const keys = new Map<string, string>()
  for (const { item, urn, ref } of nodes) {
    if (keys.has(urn)) {
      shape.fault([...item.path, 'urn'], `is ${quoted(urn)}, as another node’s: give each a URN of its own`)
      continue
    }
    const end = urn.slice(urn.lastIndexOf(':') + 1)
    keys.set(urn, ref !== undefined && calledSo.get(ref) === 1 ? ref : end)
  }
  return keys
}

const IMPORTANCES: Readonly<Record<string, Importance>> = {
  mandatory: 'mandatory',
  recommended: 'recommended',
  nice_to_have: 'optional',
  optional: 'optional',
  undefined: 'optional',
}

function requirementOf(
  { item, urn, parent }: Node,
  keys: ReadonlyMap<string, string>,
  hasChildren: boolean,
  shape: Shape,
): CatalogRequirement {
  const assessable = shape.flag(item, 'assessable') ?? false
  const questions = questionsOf(item, shape)
  const title = shape.text(item, 'name', LIMITS.title)
  const text = shape.text(item, 'description')
  const annotation = shape.text(item, 'annotation')
  const typicalEvidence = shape.text(item, 'typical_evidence')
  const weight = shape.number(item, 'weight', 0, 1_000)
  const importance = shape.choice(item, 'importance', IMPORTANCES)
  const parentKey = parent === undefined ? undefined : (keys.get(parent) ?? parent)
  return {
    key: keys.get(urn)!,
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
function questionsOf(node: Item, shape: Shape): string | undefined {
  const { questions } = node.fields
  if (!isObject(questions)) return undefined
  const lines = Object.entries(questions).flatMap(([urn, one]) => {
    const question = shape.object(one, [...node.path, 'questions', urn])
    const text = question && shape.text(question, 'text')
    if (!text) return []
    const choices = shape.objects(question, 'choices').flatMap((choice) => shape.text(choice, 'value') ?? [])
    return [`${text}${choices.length > 0 ? ` (${choices.join('; ')})` : ''}`]
  })
  return lines.length === 0
    ? undefined
    : shape.taken(lines.join('\n'), [...node.path, 'questions'], LIMITS.text)
}
