import { BLANK, type Field } from './described-field.ts'
import type { FilterForm, Unset } from './filter-names.ts'
import type { Kind } from './kind.ts'
import { type KindRules, rulesOf } from './kind-rules.ts'
import type { Relation } from './relation.ts'
import type { InStates } from './states.ts'

/*
 * A kind as the web app has it, without its schemas: of every kind an entry of an index, and all that a list, a page
 * or a form needs to know as soon as one of them opens. Both are plain data that the build makes of the kinds
 * (describe-kind.ts), so that what loads first does not grow with their fields, and no browser loads zod.
 */

/** What of a kind is known before anything of it is opened: how it is called, where it stands, what may be done. */
export interface KindEntry
  extends Pick<
    Kind,
    | 'name'
    | 'plural'
    | 'noun'
    | 'title'
    | 'idPrefix'
    | 'referencePrefix'
    | 'path'
    | 'page'
    | 'access'
    | 'module'
    | 'named'
    | 'owners'
    | 'deadlines'
    | 'signals'
    | 'rollups'
    | 'linkFields'
    | 'leftTo'
  > {
  readonly under?: Pick<NonNullable<Kind['under']>, 'kind' | 'field' | 'path' | 'stands'>
  /** When its records wait for somebody; left out where they never do. */
  readonly waits?: Kind['waits']
  readonly isShownToOwners?: true
  readonly relations: readonly RelationEntry[]
  /** The flags that ask somebody to see to a record. */
  readonly attention?: readonly Flag[]
  /** The values of its terminal field with which something is left to do; none of a kind that is never done with. */
  readonly open?: { readonly field: string; readonly values: readonly string[] }
}

/** A flag, and the states in which it says something; any, where none are named. */
export interface Flag {
  readonly name: string
  readonly title: string
  readonly states: InStates
  /** The field that says why it is set, and what each of its values means. */
  readonly reason?: { readonly field: string; readonly meanings: Readonly<Record<string, string>> }
}

/** A relation that a kind says; what its links say stands with the kinds at both ends (`KindData.links`). */
export type RelationEntry = Pick<Relation, 'name' | 'from' | 'to' | 'called' | 'holds'> &
  Partial<Pick<Relation, 'defaults'>>

/** The rest of a kind that is data. What a field does not have is left out. */
export interface KindData
  extends Pick<
    Kind,
    | 'required'
    | 'defaults'
    | 'columns'
    | 'sections'
    | 'firstFields'
    | 'filters'
    | 'states'
    | 'ascending'
    | 'terminal'
    | 'crossTabs'
    | 'level'
    | 'uploads'
    | 'agesFrom'
    | 'ratings'
    | 'byMatrix'
    | 'example'
    | 'begunInPerson'
    | 'writableBy'
    | 'settled'
  > {
  /** What the form of a new one begins with: its fields, by those of the record that it is under. */
  readonly begins?: Readonly<Record<string, string>>
  readonly suggests?: NonNullable<NonNullable<Kind['under']>['suggests']>
  readonly fields: FieldData
  readonly derived: FieldData
  /** The levels of its rollups. */
  readonly rolledUp: FieldData
  /** Of each relation at one of whose ends it stands, what a link says beside its ends; left out where that is nothing. */
  readonly links: Readonly<Record<string, FieldData>>
  /** The relations that another kind says of it, by which its pages offer to link all the same. */
  readonly alsoLinks?: readonly string[]
  /** Fields whose values have a weight, from the least to the most. */
  readonly scales: readonly string[]
  readonly filterFields: readonly KindFilter[]
  readonly sortFields: readonly string[]
  /** Whether what follows from its values depends on what only the service knows. */
  readonly hasFacts?: true
}

/** What a list of the kind can be filtered by (listing.ts). */
export interface KindFilter {
  readonly name: string
  readonly form: FilterForm
  readonly unset?: Unset
}

/** Fields by name. */
export type FieldData = Readonly<Record<string, BareField>>
type BareField = Partial<Omit<Field, 'name' | 'parts'>> & { readonly parts?: FieldData }

export interface DescribedKind
  extends KindEntry,
    Omit<KindData, 'fields' | 'derived' | 'rolledUp' | 'links'>,
    KindRules {
  readonly fields: Readonly<Record<string, Field>>
  readonly derived: Readonly<Record<string, Field>>
  readonly rolledUp: Readonly<Record<string, Field>>
  readonly links: Readonly<Record<string, Readonly<Record<string, Field>>>>
  /** Names in customFields that the organization has defined, retired ones too. */
  readonly defined?: readonly string[]
}

/** A kind of its two parts, and of the rules that stand beside it. */
export const describedKind = (
  entry: KindEntry,
  data: KindData,
  rules: Partial<KindRules> = {},
): DescribedKind => ({
  ...entry,
  ...data,
  ...rulesOf(data, data.hasFacts ? {} : rules),
  fields: withMatrix(data, fieldsOfData(data.fields)),
  derived: withMatrix(data, fieldsOfData(data.derived)),
  rolledUp: fieldsOfData(data.rolledUp),
  links: Object.fromEntries(
    Object.entries(data.links).map(([relation, fields]) => [relation, fieldsOfData(fields)]),
  ),
})

/** Of each field that is a step or a level of the risk matrix, which. */
function withMatrix(
  { byMatrix, ratings = {} }: Pick<KindData, 'byMatrix' | 'ratings'>,
  fields: Record<string, Field>,
): Record<string, Field> {
  if (!byMatrix) return fields
  const pairs = Object.values(byMatrix.levels)
  const parts = new Map<string, Field['ofMatrix']>([
    ...pairs.map(({ likelihood }) => [likelihood, 'likelihoods'] as const),
    ...pairs.map(({ impact }) => [impact, 'impacts'] as const),
    ...Object.keys(byMatrix.levels).map((level) => [level, 'levels'] as const),
    ...Object.values(ratings).map(({ level }) => [level, 'levels'] as const),
  ])
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, ofMatrix: parts.get(name) }]),
  )
}

export const fieldsOfData = (data: FieldData): Record<string, Field> =>
  Object.fromEntries(
    Object.entries(data).map(([name, { parts = {}, ...field }]) => [
      name,
      { ...BLANK, ...field, name, parts: Object.values(fieldsOfData(parts)) },
    ]),
  )
