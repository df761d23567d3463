import { z } from 'zod'
import { DEFAULT_MATRIX, type RiskMatrix } from '../../model/risk-matrix.ts'
import {
  complaintsOf,
  type MatrixChange,
  matrixChanges,
  mergedMatrix,
} from '../../model/risk-matrix-change.ts'
import { IMPACTS, LEVELS, LIKELIHOODS } from '../../model/scales.ts'
import type { Transaction } from '../database/transaction.ts'
import { readCurrentMatrix } from '../records/current-risk-matrix.ts'
import type { Catalog, LibraryMapping, LibraryMatrix, LibraryParts, MappingSet } from './catalog.ts'
import { endsOf, findMapped, type MappedFramework, standingBetween, urnsAt } from './mapping-ends.ts'
import type { Fault } from './read-catalog.ts'

/*
 * What the mappings and the risk matrix of a library would come to here. Mappings need both of their frameworks. What is
 * mapped here already stays as it is, whichever way round it was mapped.
 */

const end = z.object({ key: z.string(), edition: z.string().nullable(), name: z.string().nullable() })

export const mappingPlan = z
  .object({
    name: z.string(),
    source: end,
    target: end,
    added: z.int(),
    standing: z
      .int()
      .describe(
        'Of two requirements that are mapped already, here or by a set above: these stay as they are',
      ),
    missing: z
      .int()
      .describe('That name a requirement which is not in its framework here: these are left out'),
    missingUrns: z.array(z.string()).describe('The first 20 of the URNs that are not here'),
  })
  .meta({ id: 'FrameworkImportMappings', title: 'What a set of mappings would come to' })

export const matrixPlan = z
  .object({
    name: z.string(),
    changes: z
      .array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() }))
      .describe('What of the risk matrix of the organization would change'),
  })
  .meta({ id: 'FrameworkImportMatrix', title: 'What the risk matrix of a library would come to' })

export interface PlannedParts {
  readonly mappings: z.output<typeof mappingPlan>[]
  readonly riskMatrix: z.output<typeof matrixPlan> | null
  readonly notes: readonly string[]
  readonly faults: readonly Fault[]
}

const URNS_AT_MOST = 20

/** @param catalog that the same file brings */
export async function planParts(
  tx: Transaction,
  { mappingSets, matrix, urns }: LibraryParts,
  catalog: Catalog | null,
): Promise<PlannedParts> {
  const notes: string[] = []
  const mappings: z.output<typeof mappingPlan>[] = []
  const unknown = new Set<string>()
  const own = catalog && { catalog, urns: new Set(urns.map(([, urn]) => urn)) }
  /** What is mapped by sets above, either way round: libraries often have each set in both directions. */
  const seen = new Set<string>()
  for (const set of mappingSets) {
    const found = await mappable(tx, set, own, seen)
    if ('unknown' in found) {
      for (const key of found.unknown) unknown.add(key)
      continue
    }
    mappings.push(found.plan)
  }
  const message = `Mappings are from or to ${[...unknown].join(' and ')}, which ${unknown.size === 1 ? 'is' : 'are'} not here. Import ${unknown.size === 1 ? 'that framework' : 'those frameworks'} first, then this file again.`
  const isAllUnknown = unknown.size > 0 && mappings.length === 0 && !catalog
  if (unknown.size > 0 && !isAllUnknown) notes.push(message)
  const current = matrix && ((await readCurrentMatrix(tx)) ?? DEFAULT_MATRIX)
  const after = matrix && mergedMatrix(current!, changeOf(matrix))
  const complaints = after ? complaintsOf(after) : []
  const changes =
    after && complaints.length === 0 ? matrixChanges(matrixPartsOf(current!), matrixPartsOf(after)) : {}
  return {
    mappings,
    riskMatrix: matrix && {
      name: matrix.name,
      changes: Object.entries(changes).map(([path, { from, to }]) => ({ path, from, to })),
    },
    notes,
    faults: [
      ...(isAllUnknown ? [{ place: '', message }] : []),
      ...complaints.map(({ path, message: about }) => ({
        place: '',
        message: `Risk matrix, ${path}: ${about}`,
      })),
    ],
  }
}

/** Without what an answer says of a matrix besides. */
const matrixPartsOf = ({ cells, appetite, likelihoods, impacts, levels }: RiskMatrix): RiskMatrix => ({
  ...{ cells, appetite, likelihoods, impacts, levels },
})

async function mappable(
  tx: Transaction,
  set: MappingSet,
  own: { readonly catalog: Catalog; readonly urns: ReadonlySet<string> } | null,
  seen: Set<string>,
): Promise<{ plan: z.output<typeof mappingPlan> } | { unknown: readonly string[] }> {
  const isOwn = (key: string) => own?.catalog.key === key
  const [source, target] = await Promise.all([findMapped(tx, set.source), findMapped(tx, set.target)])
  const unknown = [
    ...(source || isOwn(set.source) ? [] : [set.source]),
    ...(target || isOwn(set.target) ? [] : [set.target]),
  ]
  if (unknown.length > 0) return { unknown }
  const resolved = source && target ? await resolve(tx, set, source, target) : null
  // Of a framework that the same file brings, no requirement has a mapping yet.
  const sides = await Promise.all(
    (['source', 'target'] as const).map(async (side) => {
      if (isOwn(set[side])) return (urn: string) => own!.urns.has(urn)
      const ends = await endsOf(tx, (side === 'source' ? source : target)!, urnsAt(set, side))
      return (urn: string) => ends(urn) !== undefined
    }),
  )
  const here = new Set(
    resolved?.flatMap(({ isStanding, mapping }) =>
      isStanding ? [`${mapping.source} ${mapping.target}`] : [],
    ),
  )
  const missing = new Set<string>()
  let [added, standing, left] = [0, 0, 0]
  for (const { source: from, target: to } of set.mappings) {
    const absent = [...(sides[0]!(from) ? [] : [from]), ...(sides[1]!(to) ? [] : [to])]
    for (const urn of absent) missing.add(urn)
    if (absent.length > 0) left += 1
    else if (here.has(`${from} ${to}`) || seen.has(`${from} ${to}`)) standing += 1
    else added += 1
    if (absent.length === 0) seen.add(`${from} ${to}`).add(`${to} ${from}`)
  }
  const ended = (key: string, found: MappedFramework | null) => {
    const about = isOwn(key) ? own!.catalog : found
    return { key, edition: about?.edition ?? null, name: about?.name ?? null }
  }
  return {
    plan: {
      name: set.name,
      source: ended(set.source, source),
      target: ended(set.target, target),
      ...{ added, standing, missing: left },
      missingUrns: [...missing].slice(0, URNS_AT_MOST),
    },
  }
}

export interface ResolvedMapping {
  readonly mapping: LibraryMapping
  readonly sourceId: string
  readonly targetId: string
  readonly isStanding: boolean
}

/** The mappings of a set whose requirements are both here. */
export async function resolve(
  tx: Transaction,
  set: MappingSet,
  source: MappedFramework,
  target: MappedFramework,
): Promise<ResolvedMapping[]> {
  const [from, to, standing] = await Promise.all([
    endsOf(tx, source, urnsAt(set, 'source')),
    endsOf(tx, target, urnsAt(set, 'target')),
    standingBetween(tx, source, target),
  ])
  const pairs = new Set(
    standing.flatMap((one) => [`${one.source} ${one.target}`, `${one.target} ${one.source}`]),
  )
  return set.mappings.flatMap((mapping) => {
    const [sourceId, targetId] = [from(mapping.source), to(mapping.target)]
    if (sourceId === undefined || targetId === undefined || sourceId === targetId) return []
    return [{ mapping, sourceId, targetId, isStanding: pairs.has(`${sourceId} ${targetId}`) }]
  })
}

/** A matrix of a library as a change of that of the organization. Scores stay: a library has none. */
export function changeOf({ likelihoods, impacts, levels, grid }: LibraryMatrix): MatrixChange {
  const named = <Key extends string, Value>(keys: readonly Key[], values: readonly Value[]) =>
    Object.fromEntries(values.map((value, at) => [keys[at], value])) as Partial<Record<Key, Value>>
  return {
    likelihoods: named(LIKELIHOODS, likelihoods),
    impacts: named(IMPACTS, impacts),
    levels: named(LEVELS, levels),
    cells: named(
      LIKELIHOODS,
      grid.map((row) =>
        named(
          IMPACTS,
          row.map((level) => ({ level: LEVELS[level]! })),
        ),
      ),
    ),
  }
}
