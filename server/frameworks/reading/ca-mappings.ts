import type { LibraryMapping, MappingSet, Rationale, Relationship } from '../catalog.ts'
import { quoted } from './faults.ts'
import { counted, type LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { type Item, isObject, type Shape } from './shape.ts'

/*
 * Mapping sets of a CISO Assistant library: how the requirements of one framework relate to those of another, each named
 * by its URN. Whether these are here is found out when the import is planned.
 */

const RELATIONSHIPS: Readonly<Record<string, Relationship>> = {
  equal: 'equal',
  subset: 'subset_of',
  superset: 'superset_of',
  intersect: 'intersects',
  not_related: 'no_relationship',
}

const RATIONALES: ReadonlySet<string> = new Set<Rationale>(['syntactic', 'semantic', 'functional'])

const TAKEN = {
  set: new Set(['urn', 'name', 'source_framework_urn', 'target_framework_urn', 'requirement_mappings']),
  mapping: new Set([
    ...['source_requirement_urn', 'target_requirement_urn', 'relationship', 'rationale'],
    ...['strength_of_relationship', 'annotation'],
  ]),
} as const

export const MAPPING_OBJECTS = ['requirement_mapping_sets', 'requirement_mapping_set'] as const

export function mappingSetsOf(objects: Item, shape: Shape, leftOut: LeftOut): MappingSet[] {
  const items = MAPPING_OBJECTS.flatMap((name) => {
    const one = objects.fields[name]
    // Older libraries have one set in place of a list.
    return isObject(one) ? [{ fields: one, path: ['objects', name] }] : shape.objects(objects, name)
  })
  const sets = items.flatMap((item) => mappingSet(item, shape, leftOut) ?? [])
  const count = sets.reduce((sum, { mappings }) => sum + mappings.length, 0)
  if (count > LIMITS.mappings)
    shape.fault(
      ['objects'],
      `has ${count} mappings: import at most ${LIMITS.mappings} from one file, and the others from another`,
    )
  return sets
}

function mappingSet(item: Item, shape: Shape, leftOut: LeftOut): MappingSet | null {
  leftOut.fields('mapping set', item.fields, TAKEN.set)
  const source = shape.required(item, 'source_framework_urn', LIMITS.address)
  const target = shape.required(item, 'target_framework_urn', LIMITS.address)
  const name = shape.fitting(item, 'name', LIMITS.name, leftOut)
  const mappings = new Map<string, LibraryMapping>()
  for (const one of shape.objects(item, 'requirement_mappings')) {
    leftOut.fields('mapping', one.fields, TAKEN.mapping)
    const mapping = mappingOf(one, shape, leftOut)
    if (!mapping) continue
    const ends = `${mapping.source} ${mapping.target}`
    if (!mappings.has(ends)) mappings.set(ends, mapping)
    else
      leftOut.other(
        shape.placeOf(one.path),
        'maps two requirements that are mapped above. The first of these mappings is taken.',
      )
  }
  if (source === undefined || target === undefined) return null
  return { name: name ?? `${source} → ${target}`, source, target, mappings: [...mappings.values()] }
}

function mappingOf(item: Item, shape: Shape, leftOut: LeftOut): LibraryMapping | null {
  const source = shape.required(item, 'source_requirement_urn', LIMITS.text)
  const target = shape.required(item, 'target_requirement_urn', LIMITS.text)
  const relationship = shape.choice(item, 'relationship', RELATIONSHIPS) ?? 'intersects'
  const strength = strengthOf(item, shape, leftOut)
  const said = shape.text(item, 'rationale')
  const isRationale = said !== undefined && RATIONALES.has(said)
  // Some libraries explain the mapping where others name one of the three rationales.
  const note = [isRationale ? undefined : said, shape.text(item, 'annotation')]
    .filter((text) => text !== undefined)
    .join('\n')
  if (note.length > LIMITS.mappingNote)
    leftOut.shortened(shape.placeOf(item.path), 'annotation', note.length, LIMITS.mappingNote)
  if (source === undefined || target === undefined) return null
  return {
    ...{ source, target, relationship },
    ...(isRationale && { rationale: said as Rationale }),
    ...(strength !== undefined && { strength }),
    ...(note !== '' && { note: note.slice(0, LIMITS.mappingNote).toWellFormed() }),
  }
}

function strengthOf(item: Item, shape: Shape, leftOut: LeftOut): number | undefined {
  const value = item.fields.strength_of_relationship
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10) return value
  leftOut.other(
    shape.placeOf([...item.path, 'strength_of_relationship']),
    `is ${quoted(value)}, and left out: a strength is a whole number from 0 to 10.`,
  )
  return undefined
}

/** Notes on what is left out of mapping sets. */
export const mappingNotes = (leftOut: LeftOut): string[] => [
  ...[...leftOut.of('mapping set')].map(
    ([name, count]) => `${name} is left out of ${counted(count, 'mapping set', 'mapping sets')}.`,
  ),
  ...[...leftOut.of('mapping')].map(
    ([name, count]) => `${name} is left out of ${counted(count, 'mapping', 'mappings')}.`,
  ),
]
