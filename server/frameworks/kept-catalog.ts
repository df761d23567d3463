import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { parseInput } from '../input.ts'
import { type FieldError, Refusal } from '../refusal.ts'
import type { Catalog, CatalogRequirement } from './catalog.ts'
import type { Comparable } from './compare-editions.ts'
import type { Fault } from './read-catalog.ts'

/*
 * A catalog as it is kept: its framework and its requirements with the values that the kinds take. Whatever a file says
 * goes through the fields of the kinds, so nothing comes in by a file that a form would refuse.
 */

const { framework, requirement } = kinds

const FrameworkValues = z.object({
  key: framework.fields.key,
  edition: framework.fields.edition,
  name: framework.fields.name,
  shortName: framework.fields.shortName.optional(),
  publisher: framework.fields.publisher.optional(),
  description: framework.fields.description.optional(),
  locale: framework.fields.locale.optional(),
  jurisdiction: framework.fields.jurisdiction.optional(),
  category: framework.fields.category.optional(),
  license: framework.fields.license.optional(),
  levels: framework.fields.levels,
})

const RequirementValues = z.object({
  key: requirement.fields.key,
  sourceId: text('Id in the source', 100).optional(),
  title: requirement.fields.title,
  text: requirement.fields.text.optional(),
  guidance: requirement.fields.guidance.optional(),
  kind: requirement.fields.kind,
  assessable: requirement.fields.assessable,
  implementationGroups: requirement.fields.implementationGroups,
  weight: requirement.fields.weight,
  importance: requirement.fields.importance,
  typicalEvidence: requirement.fields.typicalEvidence.optional(),
  annotation: requirement.fields.annotation.optional(),
})

export type FrameworkValues = z.output<typeof FrameworkValues>
export type RequirementValues = z.output<typeof RequirementValues>

/** A requirement as it is kept, beneath what. */
export interface KeptRequirement {
  readonly values: RequirementValues
  readonly parentKey: string | null
  /** The key that its file gives it. */
  readonly readKey: string
  /** The key under which earlier versions of the service imported it, where that was another one. */
  readonly formerKey: string | null
}

export interface KeptCatalog {
  readonly framework: FrameworkValues
  /** In their order, a parent before its children. */
  readonly requirements: readonly KeptRequirement[]
}

const TITLE_AT_MOST = 500
/** So many are taken, and kept, at once. */
const STRETCH = 500

/** What is not said of a requirement is what the kind assumes; without a title its text begins with one. */
const valuesOf = ({ text, title, key, levels, ...rest }: CatalogRequirement): unknown => ({
  ...{ weight: requirement.defaults.weight, importance: requirement.defaults.importance },
  ...rest,
  ...{ key, text, implementationGroups: levels },
  title: title ?? text?.split('\n', 1)[0]?.slice(0, TITLE_AT_MOST).toWellFormed() ?? key,
})

/**
 * The catalog with the values of the kinds, or what of it they do not take. There may be many thousands, so that calls of
 * others get their turn in between.
 */
export async function keptFormOf(
  catalog: Catalog,
): Promise<KeptCatalog | { readonly faults: readonly Fault[] }> {
  const faults: Fault[] = []
  const taken = <T>(schema: z.ZodObject & z.ZodType<T>, value: unknown, place: string): T | null => {
    const read = schema.safeParse(value)
    if (read.success) return read.data
    faults.push(...complaintsOf(schema, value).map((message) => ({ place, message })))
    return null
  }
  const levels = catalog.levels.map((level) => ({ ...level, key: level.key.normalize('NFC') }))
  const framework = taken(FrameworkValues, { ...catalog, levels }, '')
  const requirements: KeptRequirement[] = []
  for (const [at, one] of catalog.requirements.entries()) {
    if (at % STRETCH === STRETCH - 1) await setImmediate()
    const values = taken(RequirementValues, valuesOf(one), one.place)
    requirements.push({
      values: values!,
      parentKey: one.parentKey?.normalize('NFC').trim() ?? null,
      readKey: one.key.normalize('NFC').trim(),
      formerKey: one.formerKey ?? null,
    })
  }
  return faults.length > 0 ? { faults } : { framework: framework!, requirements }
}

/** What is wrong with it, in the words of forms. */
function complaintsOf(input: z.ZodObject, value: unknown): readonly string[] {
  try {
    parseInput({ input }, value)
    return []
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused
    return ((refused.members.errors ?? []) as FieldError[]).map(({ path, message }) => `${path}: ${message}`)
  }
}

/**
 * The requirements of a file under the keys that they have in an edition that is here. An edition that was imported under
 * keys of an earlier rule is found again by these, so that the same file still says the same.
 */
export function underStandingKeys(
  requirements: readonly KeptRequirement[],
  standing: ReadonlySet<string>,
): readonly KeptRequirement[] {
  const keys = new Set(requirements.map(({ values }) => values.key))
  const formers = new Map<string, number>()
  for (const { formerKey } of requirements)
    if (formerKey !== null) formers.set(formerKey, (formers.get(formerKey) ?? 0) + 1)
  const renamed = new Map(
    requirements.flatMap(({ values: { key }, formerKey }) =>
      formerKey !== null &&
      formers.get(formerKey) === 1 &&
      standing.has(formerKey) &&
      !standing.has(key) &&
      !keys.has(formerKey)
        ? [[key, formerKey] as const]
        : [],
    ),
  )
  if (renamed.size === 0) return requirements
  return requirements.map(({ values, parentKey, ...rest }) => ({
    ...rest,
    values: { ...values, key: renamed.get(values.key) ?? values.key },
    parentKey: parentKey === null ? null : (renamed.get(parentKey) ?? parentKey),
  }))
}

/** As two editions are compared. */
export const comparableOf = ({
  values,
  parentKey,
}: Pick<KeptRequirement, 'values' | 'parentKey'>): Comparable => {
  const { implementationGroups, ...rest } = values
  return {
    ...(rest as Omit<Comparable, 'levels'>),
    levels: implementationGroups,
    ...(parentKey !== null && { parentKey }),
  }
}

/** Keeps the requirements that were read from a file, in place of those from before. */
export function keepRequirements(
  tx: Transaction,
  importId: string,
  requirements: readonly CatalogRequirement[],
): void {
  tx.write(forget(tx.organizationId, importId))
  for (let from = 0; from < requirements.length; from += STRETCH) {
    const some = JSON.stringify(requirements.slice(from, from + STRETCH))
    tx.write(keep(tx.organizationId, importId, from, some))
  }
}

export async function readRequirements(tx: Transaction, importId: string): Promise<CatalogRequirement[]> {
  const rows = await tx.read<{ requirements: string }>(read(tx.organizationId, importId))
  return rows.flatMap((row) => JSON.parse(row.requirements) as CatalogRequirement[])
}

const forget = statement(
  'delete from framework_import_stretches where organization_id = $1 and import_id = $2',
)
const keep = statement(
  'insert into framework_import_stretches (organization_id, import_id, number, requirements) values ($1, $2, $3, $4)',
)
const read = statement(`
  select requirements from framework_import_stretches where organization_id = $1 and import_id = $2 order by number`)
