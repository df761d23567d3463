import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { jobKind, type Piece } from '../jobs/job-kind.ts'
import type { TransactionContext } from '../operation.ts'
import { keepItemIds } from '../records/item-ids.ts'
import { changeRecord, createRecord, createRecords } from '../records/store.ts'
import { getRecord } from '../records/stored-record.ts'
import { Refusal } from '../refusal.ts'
import type { Catalog } from './catalog.ts'
import { catalogOf, findImport, type ImportResult, keepResult, NEEDS } from './framework-import.ts'
import type { KeptRequirement } from './kept-catalog.ts'
import { mapWithLibrary } from './map-with-library.ts'
import { placesOf } from './places.ts'
import { type Compared, compare } from './plan-import.ts'
import { readStanding, type StandingFramework } from './standing-framework.ts'

/*
 * Carries an import out, in one transaction: either the framework is here with all its requirements, or nothing is. Those
 * of a depth are written together, as their children have to find them.
 */

const Input = z.strictObject({ id: z.string(), asCorrection: z.boolean() })

export const applyFrameworkImport = jobKind<typeof Input, null>({
  name: 'applyFrameworkImport',
  title: 'Import a framework',
  isTold: true,
  input: Input,
  needs: NEEDS,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ job, input, step }) => {
    await step((piece) => apply(piece, job.id, input))
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
  piece: Piece<null>,
  jobId: string,
  { id, asCorrection }: z.output<typeof Input>,
): Promise<null> {
  const { tx } = piece
  const found = await findImport(piece, id, true)
  if (found.jobId !== jobId || found.stage !== 'applying') return null
  tx.write(planOnce())
  const catalog = await catalogOf(piece, found)
  const compared = catalog && (await compare(tx, catalog))
  if (!compared || 'faults' in compared)
    throw new Refusal('conflict', compared?.faults[0]?.message ?? 'Its file is gone: send it again.')
  const source = { sourceFormat: catalog!.format, sourceHash: found.hash }
  const { frameworkId, result } = await carryOut(piece, compared, source, asCorrection)
  const mappings =
    found.library && result.outcome === 'created' ? await mapWithLibrary(piece, frameworkId, catalog!) : 0
  const told: ImportResult = { ...result, mappings }
  tx.write(keepResult(tx.organizationId, id, JSON.stringify(told), frameworkId))
  piece.progress(compared.catalog.requirements.length, compared.catalog.requirements.length)
  return null
}

interface Source {
  readonly sourceFormat: Catalog['format']
  readonly sourceHash: string | null
}

type Outcome = { frameworkId: string; result: Omit<ImportResult, 'mappings'> }

async function carryOut(
  piece: Piece<null>,
  compared: Compared,
  source: Source,
  asCorrection: boolean,
): Promise<Outcome> {
  const { catalog, standing, difference } = compared
  if (!standing) {
    const { id } = await createRecord(piece, framework, {
      set: { ...catalog.framework, ...source, kind: 'catalog' },
      source: 'import',
    })
    const added = await createAll(piece, id as string, compared)
    return { frameworkId: id as string, result: { outcome: 'created', added, changed: 0, kept: 0 } }
  }
  const { added, removed, changed, moved } = difference
  if (added.length + removed.length + changed.length + moved.length === 0) {
    // Of a file that says the same in other bytes, nothing is to be known here.
    const result = { outcome: 'unchanged' as const, added: 0, changed: 0, kept: 0 }
    return { frameworkId: standing.id, result }
  }
  if (!asCorrection)
    throw new Refusal(
      'conflict',
      'This edition is here by now and differs: look at the plan of another import of it.',
    )
  return { frameworkId: standing.id, result: await correct(piece, standing, compared, source) }
}

/** Adds the requirements that are not here yet. @returns how many */
async function createAll(
  piece: Piece<null>,
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

/** What the edition says becomes what the file says; what was answered stays, also of what the file no longer has. */
async function correct(
  piece: Piece<null>,
  { id }: StandingFramework,
  compared: Compared,
  source: Source,
): Promise<Omit<ImportResult, 'mappings'>> {
  const { catalog, requirements: standing, difference } = compared
  const before = await getRecord(piece, framework, id)
  const values = await keepItemIds(piece.tx, framework, before, catalog.framework)
  await changeRecord(piece, framework, id, { set: { ...values, ...source }, reason: REASON })
  const added = await createAll(piece, id, compared)
  const here = new Map(standing.map((one) => [one.values.key, one]))
  const ids = await idsByKey(piece, id, standing, added > 0)
  const places = placesIn(compared)
  const touched = new Set([...difference.changed, ...difference.moved].map(({ key }) => key))
  for (const { values: wanted, parentKey } of catalog.requirements) {
    const one = here.get(wanted.key)
    const sortOrder = places.get(wanted.key)!
    if (!one || (!touched.has(wanted.key) && one.sortOrder === sortOrder)) continue
    const empty = Object.fromEntries(CLEARABLE.map((field) => [field, null]))
    const parentId = parentKey === null ? null : ids.get(parentKey)!
    const set: Values = { ...empty, ...wanted, parentId, sortOrder }
    await changeRecord(piece, requirement, one.id, { set, reason: REASON }).catch((error: unknown) => {
      throw error instanceof Refusal ? new Refusal('conflict', `${wanted.key}: ${error.message}`) : error
    })
  }
  return { outcome: 'corrected', added, changed: touched.size, kept: difference.removed.length }
}

const REASON = 'A correction was imported'

/** What a file may leave empty. */
const CLEARABLE = ['text', 'guidance', 'typicalEvidence', 'annotation'] as const

async function idsByKey(
  { tx }: TransactionContext,
  frameworkId: string,
  standing: Compared['requirements'],
  hasNew: boolean,
): Promise<ReadonlyMap<string, string>> {
  const all = hasNew ? await readStanding(tx, frameworkId) : standing
  return new Map(all.map(({ id, values }) => [values.key, id]))
}
