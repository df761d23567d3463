import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Catalog } from './catalog.ts'
import { compareEditions, type EditionsCompared, isSameEdition } from './compare-editions.ts'
import { comparableOf, type KeptCatalog, keptFormOf, underStandingKeys } from './kept-catalog.ts'
import { mappingPlan, matrixPlan, planParts } from './plan-parts.ts'
import { COLUMN_NAMES, type Fault, LIMITS, type LibraryReading } from './read-catalog.ts'
import {
  findEdition,
  readStanding,
  type StandingFramework,
  type StandingRequirement,
} from './standing-framework.ts'

/*
 * What a catalog would come to here. An edition that is not here is added; one that is here as the catalog has it stays;
 * one that differs is told by its keys, and becomes what the catalog says only where an admin takes that for a correction.
 */

const AT_MOST = 200

const fault = z.object({
  place: z
    .string()
    .describe('In the file: a path, a line and column, or a row; empty where it is about all of it'),
  message: z.string().describe('What is wrong, and what would be right'),
})

/** How a table was read. */
const table = z
  .object({
    sheets: z.array(z.string()).describe('Of a workbook; none of any other file'),
    sheet: z.string().nullable(),
    headRow: z.int().describe('The row with the names of the columns'),
    top: z.array(z.object({ row: z.int(), text: z.string() })).describe('The rows that may be it'),
    columns: z.array(
      z.object({
        title: z.string(),
        field: z.enum(COLUMN_NAMES).nullable().describe('What it is taken for; null where it is left out'),
        samples: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'FrameworkTable', title: 'A table of requirements' })

const listed = (what: string) =>
  z.array(z.string()).describe(`Keys of requirements ${what}; the first ${AT_MOST}`)

export const importPlan = z
  .object({
    outcome: z
      .enum(['new', 'unchanged', 'different', 'refused'])
      .describe(
        'new: it would be added; unchanged: it is here already; different: it is here and says something else; refused: faults tell why',
      ),
    framework: z.object({ key: z.string(), edition: z.string(), name: z.string() }).nullable(),
    frameworkFields: z
      .array(z.string())
      .default([])
      .describe('What the file says otherwise of the framework itself'),
    counts: z
      .object({
        requirements: z.int(),
        assessable: z.int(),
        byDepth: z.array(z.int()).describe('Of requirements at the top, beneath these, and so on'),
        byLevel: z.array(z.object({ key: z.string(), title: z.string(), requirements: z.int() })),
      })
      .nullable(),
    added: z.int(),
    removed: z.int(),
    changed: z.int(),
    moved: z.int(),
    addedKeys: listed('that are not here yet'),
    removedKeys: listed('that are here and not in the file'),
    changedKeys: z.array(z.object({ key: z.string(), fields: z.array(z.string()) })),
    movedKeys: z.array(z.object({ key: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    notes: z.array(z.string()).describe('What of the file is left out'),
    faults: z.array(fault).describe(`What is wrong with the file; the first ${LIMITS.faults}`),
    moreFaults: z.int().describe('How many there are besides'),
    mappings: z.array(mappingPlan).default([]).describe('Of a library: what its sets of mappings would add'),
    riskMatrix: matrixPlan
      .nullable()
      .default(null)
      .describe('Of a library: what its risk matrix would change of that of the organization'),
    table: table
      .nullable()
      .default(null)
      .describe(
        'Of a table: how it was read. To correct it, start an import with headRow, columns or sheet and send the file again',
      ),
  })
  .meta({ id: 'FrameworkImportPlan', title: 'What an import of a framework would come to' })

export type ImportPlan = z.output<typeof importPlan>

/** What an import finds, for whoever carries it out. */
export interface Compared {
  readonly catalog: KeptCatalog
  readonly standing: StandingFramework | null
  readonly requirements: readonly StandingRequirement[]
  readonly difference: EditionsCompared
  /** What differs of the framework itself. */
  readonly fields: readonly string[]
}

/** Whether an edition that is here says what the file says. */
export const isSame = ({ difference, fields }: Pick<Compared, 'difference' | 'fields'>): boolean =>
  isSameEdition(difference) && fields.length === 0

const NOTHING: Omit<ImportPlan, 'outcome'> = {
  frameworkFields: [],
  ...{ framework: null, counts: null, added: 0, removed: 0, changed: 0, moved: 0 },
  ...{ addedKeys: [], removedKeys: [], changedKeys: [], movedKeys: [], notes: [], faults: [], moreFaults: 0 },
  ...{ table: null, mappings: [], riskMatrix: null },
}

const NOTHING_READ: ImportPlan = { ...NOTHING, outcome: 'refused' }

/** What was read, held against what is here. */
export async function planOf(tx: Transaction, reading: LibraryReading): Promise<ImportPlan> {
  if ('faults' in reading)
    return { ...NOTHING, outcome: 'refused', faults: [...reading.faults], moreFaults: reading.more }
  const catalog = 'catalog' in reading ? reading.catalog : null
  const plan = catalog ? await planCatalog(tx, { catalog, notes: reading.notes }) : null
  const parts = reading.parts ? await planParts(tx, reading.parts, catalog) : null
  if (!parts || plan?.outcome === 'refused') return plan ?? NOTHING_READ
  const { mappings, riskMatrix, notes, faults } = parts
  if (!plan && faults.length > 0)
    return { ...NOTHING, outcome: 'refused', faults: [...faults], moreFaults: 0 }
  const adds = mappings.some(({ added }) => added > 0) || (riskMatrix?.changes.length ?? 0) > 0
  return {
    ...(plan ?? { ...NOTHING, outcome: adds ? 'new' : 'unchanged', notes: [...reading.notes] }),
    ...{ mappings, riskMatrix },
    notes: [
      ...(plan?.notes ?? reading.notes),
      ...notes,
      ...(plan ? faults.map(({ message }) => message) : []),
    ],
  }
}

async function planCatalog(
  tx: Transaction,
  reading: { readonly catalog: Catalog; readonly notes: readonly string[] },
): Promise<ImportPlan> {
  const compared = await compare(tx, reading.catalog)
  if ('faults' in compared) {
    const faults = compared.faults.slice(0, LIMITS.faults)
    return { ...NOTHING, outcome: 'refused', faults, moreFaults: compared.faults.length - faults.length }
  }
  const { catalog, standing, difference, fields } = compared
  const { added, removed, changed, moved } = difference
  const { key, edition, name } = catalog.framework
  return {
    outcome: standing ? (isSame(compared) ? 'unchanged' : 'different') : 'new',
    framework: { key, edition, name },
    frameworkFields: [...fields],
    counts: countsOf(catalog),
    ...{ added: added.length, removed: removed.length, changed: changed.length, moved: moved.length },
    addedKeys: standing ? added.slice(0, AT_MOST) : [],
    removedKeys: removed.slice(0, AT_MOST),
    changedKeys: changed.slice(0, AT_MOST).map((one) => ({ key: one.key, fields: [...one.fields] })),
    movedKeys: moved.slice(0, AT_MOST).map((one) => ({ ...one })),
    notes: [...reading.notes],
    ...{ faults: [], moreFaults: 0, table: null, mappings: [], riskMatrix: null },
  }
}

/** The catalog with the values of the kinds, beside what is here; or why it cannot be kept. */
export async function compare(
  tx: Transaction,
  catalog: Catalog,
): Promise<Compared | Extract<Awaited<ReturnType<typeof keptFormOf>>, { faults: unknown }>> {
  const read = await keptFormOf(catalog)
  if ('faults' in read) return read
  const { key, edition } = read.framework
  const standing = await findEdition(tx, key, edition)
  if (standing?.kind === 'custom') {
    const message = `A framework of your own is called ${key} in edition ${edition}: give another key or edition.`
    return { faults: [{ place: '', message }] }
  }
  const requirements = standing ? await readStanding(tx, standing.id) : []
  const standingKeys = new Set(requirements.map(({ values }) => values.key))
  const kept = { ...read, requirements: underStandingKeys(read.requirements, standingKeys) }
  const difference = compareEditions(requirements.map(comparableOf), kept.requirements.map(comparableOf))
  const fields = standing ? differingFields(standing, kept) : []
  const faults = standing ? answersInTheWay(standing, requirements, kept) : []
  return faults.length > 0 ? { faults } : { catalog: kept, standing, requirements, difference, fields }
}

/** What an edition says of itself, where a file may say nothing; what it is then. */
export const OF_THE_FRAMEWORK: Readonly<Record<string, unknown>> = {
  ...{ shortName: null, publisher: null, description: null, locale: null, jurisdiction: null, license: null },
  category: kinds.framework.defaults.category,
}

function differingFields({ values }: StandingFramework, { framework }: KeptCatalog): string[] {
  const said: Values = { ...OF_THE_FRAMEWORK, ...framework }
  const levelsOf = (levels: unknown) =>
    JSON.stringify(
      ((levels ?? []) as KeptCatalog['framework']['levels']).map(({ key, title, about }) => [
        ...[key, title, about ?? null],
      ]),
    )
  const fields = ['name', ...Object.keys(OF_THE_FRAMEWORK)].filter((field) => said[field] !== values[field])
  return levelsOf(said.levels) === levelsOf(values.levels) ? fields : [...fields, 'levels']
}

/** What was answered here that would make no sense with what the file says. */
function answersInTheWay(
  { implementationGroup: aimedAt }: StandingFramework,
  requirements: readonly StandingRequirement[],
  { framework, requirements: wanted }: KeptCatalog,
): Fault[] {
  const pinned = new Set(requirements.flatMap((one) => (one.resultPinned ? [one.values.key] : [])))
  const headings = wanted.filter(({ values }) => !values.assessable && pinned.has(values.key))
  const faults = headings.map(({ values: { key } }) => ({
    place: '',
    message: `${key} is a heading in the file, and has a pinned result here: let that follow again first (resultPinned: false).`,
  }))
  if (aimedAt === null || framework.levels.some(({ key }) => key === aimedAt)) return faults
  const message = `The level ${aimedAt}, which is aimed at here, is none of the file: aim at another first (implementationGroup).`
  return [{ place: '', message }, ...faults]
}

function countsOf({ framework, requirements }: KeptCatalog): ImportPlan['counts'] {
  const depths = new Map<string | null, number>([[null, -1]])
  const byDepth: number[] = []
  for (const { values, parentKey } of requirements) {
    const depth = depths.get(parentKey)! + 1
    depths.set(values.key, depth)
    byDepth[depth] = (byDepth[depth] ?? 0) + 1
  }
  return {
    requirements: requirements.length,
    assessable: requirements.filter(({ values }) => values.assessable).length,
    byDepth,
    byLevel: framework.levels.map(({ key, title }) => ({
      ...{ key, title },
      requirements: requirements.filter(({ values }) => values.implementationGroups.includes(key)).length,
    })),
  }
}
