import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { jobKind, type Piece } from '../jobs/job-kind.ts'
import { changeRiskMatrix } from '../organization/risk-matrix.ts'
import { changeRecord } from '../records/change-record.ts'
import { createRecord, createRecords } from '../records/create-record.ts'
import { keepItemIds } from '../records/item-ids.ts'
import { linkRecords } from '../records/link-records.ts'
import { getRecord } from '../records/stored-record.ts'
import { Refusal } from '../refusal.ts'
import type { Catalog, LibraryParts } from './catalog.ts'
import {
  catalogOf,
  type FrameworkImport,
  findImport,
  forgetOldFiles,
  type ImportResult,
  keepResult,
  NEEDS,
  readParts,
} from './framework-import.ts'
import type { KeptRequirement } from './kept-catalog.ts'
import { mapWithLibrary } from './map-with-library.ts'
import { findMapped, storeUrns } from './mapping-ends.ts'
import { placesOf } from './places.ts'
import { type Compared, compare, isSame, OF_THE_FRAMEWORK } from './plan-import.ts'
import { changeOf, type ResolvedMapping, resolve } from './plan-parts.ts'
import type { StandingFramework } from './standing-framework.ts'

/*
 * Carries an import out. What is new comes in one transaction: either the framework is here with all its requirements, or
 * nothing is. Those of a depth are written together, as their children have to find them.
 *
 * A correction goes through what people answer meanwhile, so it holds few of their requirements, and none for long: piece
 * by piece, in the order of the file. One that was ended halfway is gone on with, or sent again.
 */

const Input = z.strictObject({ id: z.string(), asCorrection: z.boolean() })

/** Where it continues: with a correction, or with the mappings and the matrix of a library. */
type Place = Correcting | Linking

interface Correcting {
  readonly frameworkId: string
  /** How many requirements of the file are done, and the place of the last. */
  readonly from: number
  readonly placed: number
  readonly told: Told
}

interface Linking {
  readonly frameworkId: string | null
  readonly result: Told
  /** How many of the mappings of the library are done, and how many of these were added. */
  readonly done: number
  readonly mapped: number
}

type Told = Omit<ImportResult, 'mappings' | 'riskMatrixVersion'>

export const applyFrameworkImport = jobKind<typeof Input, Place>({
  name: 'applyFrameworkImport',
  title: 'Import a framework',
  isTold: true,
  input: Input,
  needs: NEEDS,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ job, input, step }) => {
    while (await step((piece) => apply(piece, job.id, input)));
    return undefined
  },
})

const framework = kinds.framework as unknown as Kind
const requirement = kinds.requirement as unknown as Kind

/** So many are written by one statement. */
const TOGETHER = 250

/**
 * What rules ask of each row is planned once for some hundred of them, as planning takes longer than asking, and for the
 * tables as they are by then: what was planned while they were empty would read all of them for each row.
 */
const forgetPlans = statement('discard plans')
const planOnce = statement("select set_config('plan_cache_mode', 'force_generic_plan', true)")

async function apply(
  piece: Piece<Place>,
  jobId: string,
  { id, asCorrection }: z.output<typeof Input>,
): Promise<Place | null> {
  const { tx, place } = piece
  const found = await findImport(piece, id, true)
  if (found.jobId !== jobId || found.stage !== 'applying') return null
  tx.write(planOnce())
  if (place && 'done' in place) return linkSome(piece, found, place)
  const [catalog, parts] = await Promise.all([catalogOf(piece, found), readParts(piece, id)])
  if (!catalog && parts) return linking(null, { outcome: 'unchanged', added: 0, changed: 0, kept: 0 })
  const compared = catalog && (await compare(tx, catalog))
  if (!compared || 'faults' in compared)
    throw new Refusal('conflict', compared?.faults[0]?.message ?? 'Its file is gone: send it again.')
  const { format, source: document } = catalog!
  const source: Source = {
    ...{ sourceFormat: format, sourceHash: found.hash },
    ...{ sourceUuid: document?.uuid ?? null, sourceHref: document?.href ?? null },
  }
  const next = place
    ? await correctSome(piece, compared, place)
    : await carryOut(piece, compared, source, asCorrection)
  if ('from' in next) return next
  const { frameworkId, result } = next
  if (parts) {
    // Behind the requirements, whose keys may be those of an earlier rule.
    tx.write(storeUrns(tx.organizationId, frameworkId, JSON.stringify(urnsOf(parts, compared))))
    return linking(frameworkId, result)
  }
  const mappings =
    found.library && result.outcome === 'created' ? await mapWithLibrary(piece, frameworkId, catalog!) : 0
  const told: ImportResult = { ...result, mappings }
  tx.write(keepResult(tx.organizationId, id, JSON.stringify(told), frameworkId))
  forgetOldFiles(tx)
  piece.progress(compared.catalog.requirements.length, compared.catalog.requirements.length)
  return null
}

const linking = (frameworkId: string | null, result: Told): Linking => ({
  ...{ frameworkId, result, done: 0, mapped: 0 },
})

/** The URNs of requirements by the keys that they are stored under. */
function urnsOf({ urns }: LibraryParts, { catalog }: Compared): readonly (readonly [string, string])[] {
  const stored = new Map(catalog.requirements.map(({ values, readKey }) => [readKey, values.key]))
  return urns.map(([key, urn]) => [stored.get(key.normalize('NFC').trim()) ?? key, urn])
}

/** Adds some of the mappings of a library; behind the last of them, its risk matrix becomes that of the organization. */
async function linkSome(
  piece: Piece<Place>,
  { id }: FrameworkImport,
  place: Linking,
): Promise<Linking | null> {
  const { tx } = piece
  const parts = await readParts(piece, id)
  if (!parts) throw new Refusal('conflict', 'Its file is gone: send it again.')
  const total = parts.mappingSets.reduce((sum, { mappings }) => sum + mappings.length, 0)
  const until = performance.now() + PIECE_MS
  let { done, mapped } = place
  let before = 0
  for (const set of parts.mappingSets) {
    const from = done - before
    before += set.mappings.length
    if (from >= set.mappings.length) continue
    const [source, target] = [await findMapped(tx, set.source), await findMapped(tx, set.target)]
    const resolved = source && target ? await resolve(tx, set, source, target) : []
    const places = new Map(resolved.map((one) => [one.mapping, one]))
    for (const mapping of set.mappings.slice(from)) {
      const one = places.get(mapping)
      if (one && !one.isStanding && (await linkOne(piece, one))) mapped += 1
      done += 1
      if (performance.now() > until) break
    }
    if (done < before) break
  }
  piece.progress(done, total)
  if (done < total) return { ...place, done, mapped }
  const version = parts.matrix
    ? await changeRiskMatrix(piece, changeOf(parts.matrix), { reason: `Imported: ${parts.matrix.name}` })
    : null
  const { result, frameworkId } = place
  const hasChanged = mapped > 0 || version !== null
  const outcome = frameworkId === null && hasChanged ? 'created' : result.outcome
  const matrixChange = version === null ? {} : { riskMatrixVersion: version }
  const told: ImportResult = { ...result, outcome, mappings: mapped, ...matrixChange }
  tx.write(keepResult(tx.organizationId, id, JSON.stringify(told), frameworkId))
  forgetOldFiles(tx)
  return null
}

/** @returns false where one of the two has all the mappings that it may have, which is reported as an error of the job */
async function linkOne(
  piece: Piece<Place>,
  { mapping, sourceId, targetId }: ResolvedMapping,
): Promise<boolean> {
  const { relationship, rationale, strength, note } = mapping
  const says = {
    ...{ relationship, origin: 'community' },
    ...(rationale !== undefined && { rationale }),
    ...(strength !== undefined && { strength }),
    ...(note !== undefined && { note }),
  }
  try {
    await linkRecords(piece, requirement, { id: sourceId, targetKind: 'mapping_target', targetId, ...says })
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    piece.error({ message: `${mapping.source} → ${mapping.target}: ${error.message}` })
    return false
  }
}

interface Source {
  readonly sourceFormat: Catalog['format']
  readonly sourceHash: string | null
  readonly sourceUuid: string | null
  readonly sourceHref: string | null
}

type Outcome = { frameworkId: string; result: Told }

async function carryOut(
  piece: Piece<Place>,
  compared: Compared,
  source: Source,
  asCorrection: boolean,
): Promise<Outcome | Correcting> {
  const { catalog, standing } = compared
  if (!standing) {
    const { id } = await createRecord(piece, framework, {
      set: { ...catalog.framework, ...source, kind: 'catalog' },
      source: 'import',
    })
    const added = await createAll(piece, id as string, compared)
    return { frameworkId: id as string, result: { outcome: 'created', added, changed: 0, kept: 0 } }
  }
  if (isSame(compared)) {
    // Of a file that says the same in other bytes, nothing is to be known here.
    const result = { outcome: 'unchanged' as const, added: 0, changed: 0, kept: 0 }
    return { frameworkId: standing.id, result }
  }
  if (!asCorrection)
    throw new Refusal(
      'conflict',
      'This edition is here by now and differs: look at the plan of another import of it.',
    )
  return correct(piece, standing, compared, source)
}

/** Adds the requirements that are not here yet. @returns how many */
async function createAll(
  piece: Piece<Place>,
  frameworkId: string,
  { catalog, requirements: standing }: Compared,
): Promise<number> {
  const ids = new Map(standing.map(({ id, values }) => [values.key, id]))
  const places = placesIn({ catalog, requirements: standing })
  const missing = catalog.requirements.filter(({ values }) => !ids.has(values.key))
  let done = 0
  for (const together of byDepth(catalog.requirements, missing))
    for (let from = 0; from < together.length; from += TOGETHER) {
      const some = together.slice(from, from + TOGETHER)
      piece.tx.write(forgetPlans())
      const made = await createRecords(
        piece,
        requirement,
        some.map(({ values, parentKey }) => ({
          set: {
            ...values,
            frameworkId,
            parentId: parentKey === null ? null : ids.get(parentKey)!,
            sortOrder: places.get(values.key)!,
          },
          source: 'import' as const,
        })),
      )
      for (const [index, one] of made.entries()) {
        const { key } = some[index]!.values
        if (one instanceof Refusal) throw new Refusal('conflict', `${key}: ${one.message}`)
        ids.set(key, one.id as string)
      }
      done += some.length
      piece.progress(done, missing.length)
    }
  return missing.length
}

const placesIn = ({ catalog, requirements }: Pick<Compared, 'catalog' | 'requirements'>) =>
  placesOf(
    catalog.requirements.map(({ values }) => values.key),
    new Map(requirements.map(({ values, sortOrder }) => [values.key, sortOrder ?? 0])),
  )

/** Those of them that are wanted, from the top down. */
function byDepth(
  all: readonly KeptRequirement[],
  wanted: readonly KeptRequirement[],
): readonly (readonly KeptRequirement[])[] {
  const depths = new Map<string | null, number>([[null, -1]])
  for (const { values, parentKey } of all) depths.set(values.key, depths.get(parentKey)! + 1)
  const levels: KeptRequirement[][] = []
  for (const one of wanted) {
    const depth = depths.get(one.values.key)!
    levels[depth] ??= []
    levels[depth].push(one)
  }
  return levels.filter((level) => level !== undefined)
}

/**
 * Begins a correction: what the edition says of itself becomes what the file says, and what is missing is added. What was
 * answered stays, also of what the file no longer has.
 */
async function correct(
  piece: Piece<Place>,
  { id }: StandingFramework,
  compared: Compared,
  source: Source,
): Promise<Correcting> {
  const { catalog, difference } = compared
  const before = await getRecord(piece, framework, id)
  const values = await keepItemIds(piece.tx, framework, before, { ...OF_THE_FRAMEWORK, ...catalog.framework })
  await changeRecord(piece, framework, id, { set: { ...values, ...source }, reason: REASON })
  const added = await createAll(piece, id, compared)
  const changed = new Set([...difference.changed, ...difference.moved].map(({ key }) => key)).size
  const told = { outcome: 'corrected' as const, added, changed, kept: difference.removed.length }
  return { frameworkId: id, from: 0, placed: -1, told }
}

/** So long requirements are held at a time. */
const PIECE_MS = 300

/** Texts and places of some requirements become those of the file. */
async function correctSome(
  piece: Piece<Place>,
  { catalog, requirements: standing, difference }: Compared,
  place: Correcting,
): Promise<Outcome | Correcting> {
  const all = catalog.requirements
  const rest = all.slice(place.from)
  if (rest.length === 0) return deepen(piece, place)
  const here = new Map(standing.map((one) => [one.values.key, one]))
  const places = placesOf(
    rest.map(({ values }) => values.key),
    new Map(standing.map(({ values, sortOrder }) => [values.key, sortOrder ?? 0])),
    place.placed,
  )
  const touched = new Set([...difference.changed, ...difference.moved].map(({ key }) => key))
  const until = performance.now() + PIECE_MS
  let { from, placed } = place
  for (const { values: wanted, parentKey } of rest) {
    const one = here.get(wanted.key)!
    const sortOrder = places.get(wanted.key)!
    if (touched.has(wanted.key) || one.sortOrder !== sortOrder) {
      const empty = Object.fromEntries(CLEARABLE.map((field) => [field, null]))
      const parentId = parentKey === null ? null : here.get(parentKey)!.id
      await changeText(piece, one.id, wanted.key, { ...empty, ...wanted, parentId, sortOrder })
    }
    from += 1
    placed = sortOrder
    if (performance.now() > until) break
  }
  piece.progress(from, all.length)
  return { ...place, from, placed }
}

/** What stands beneath something that has moved is as deep as it now is: from the top down, some at a time. */
async function deepen(piece: Piece<Place>, place: Correcting): Promise<Outcome | Correcting> {
  const { frameworkId, told } = place
  const wrong = await piece.tx.read<{ id: string; key: string }>(
    findDepths(piece.tx.organizationId, frameworkId, TOGETHER),
  )
  if (wrong.length === 0) return { frameworkId, result: told }
  const until = performance.now() + PIECE_MS
  for (const { id, key } of wrong) {
    await changeText(piece, id, key, {})
    if (performance.now() > until) break
  }
  return place
}

const changeText = (piece: Piece<Place>, id: string, key: string, set: Values) =>
  changeRecord(piece, requirement, id, { set, reason: REASON }).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal('conflict', `${key}: ${error.message}`) : error
  })

const REASON = 'A correction was imported'

/** What a file may leave empty. */
const CLEARABLE = ['sourceId', 'text', 'guidance', 'typicalEvidence', 'annotation'] as const

/** Those that are less or more deep than they say, from the top down. */
const findDepths = statement(`
  with recursive tree as (
    select id, 0 as depth from requirements where organization_id = $1 and framework_id = $2 and parent_id is null
    union all
    select q.id, tree.depth + 1 from tree join requirements q on q.organization_id = $1 and q.parent_id = tree.id)
  select q.id, q.key
    from tree join requirements q on q.organization_id = $1 and q.id = tree.id
   where coalesce(q.depth, 0) <> tree.depth
   order by tree.depth, q.id limit $3::int`)
