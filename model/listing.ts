import {
  isOfIds,
  isPrincipal,
  isScale,
  LONGEST_LINE,
  longestOf,
  optionsOf,
  type Storage,
  storageOf,
  targetOf,
} from './fields.ts'
import { type FilterForm, NONE, NOT_SET, type Unset } from './filter-names.ts'
import { givenFields, type Kind, SERVICE_FIELDS, type Shape } from './kind.ts'
import { once } from './once.ts'
import { readingOf } from './readings.ts'

/*
 * What a list of a kind can be filtered and sorted by. It follows from the form of each field, so that the API and
 * the web app read the same, and no kind repeats it.
 */

export interface FilterField {
  readonly name: string
  readonly schema: Shape[string]
  readonly form: FilterForm
  /** The word that finds what is without a value; none where every record has one. */
  readonly unset: Unset | undefined
  /** Of what no table holds, the expression over the row `r` that it is read by. */
  readonly reading?: string
}

/** Fields of every record that lists can be sorted by. By updatedAt they are filtered as updatedSince. */
const { reference, source, version, createdAt, updatedAt } = SERVICE_FIELDS
const SORTED = { reference, source, version, createdAt, updatedAt } as const
const FILTERED = { source, createdAt } as const

const FORMS: Readonly<Partial<Record<Storage, FilterForm>>> = {
  boolean: 'values',
  'text[]': 'overlap',
  date: 'dates',
  timestamptz: 'dates',
  integer: 'numbers',
  'double precision': 'numbers',
}

/** Those that the kind names come first; a text is a filter only where the kind names it. */
export const filterFieldsOf = once((kind: Kind): readonly FilterField[] => {
  const fields: Shape = { ...givenFields(kind), ...kind.derived, ...readFields(kind), ...FILTERED }
  const names = new Set([...kind.filters, ...Object.keys(fields)])
  return [...names].flatMap((name) => {
    const schema = fields[name]!
    const storage = storageOf(schema)
    const isEnum = schema._zod.def.type === 'enum'
    const form = isEnum || (storage === 'text' && kind.filters.includes(name)) ? 'values' : formOf(schema)
    // Yes and no are no words beside which another could stand.
    const hasUnset = storage !== 'boolean' && isNullable(kind, name)
    const reading = readingOf(kind, name)
    return form
      ? [{ name, schema, form, unset: hasUnset ? unsetOf(schema) : undefined, ...(reading && { reading }) }]
      : []
  })
})

const formOf = (schema: Shape[string]): FilterForm | undefined =>
  isOfIds(schema) ? undefined : FORMS[storageOf(schema)]

/** What follows from other records when it is read, by name. */
const readFields = ({ readings }: Kind): Shape =>
  Object.fromEntries(Object.entries(readings).map(([name, { schema }]) => [name, schema]))

const unsetOf = (schema: Shape[string]): Unset => (optionsOf(schema).includes(NONE) ? NOT_SET : NONE)

/** A sort is the name of a field, with a minus before it for the other way. */
export const sortFieldsOf = once((kind: Kind): readonly string[] => {
  const fields: Shape = { ...givenFields(kind), ...kind.derived, ...SORTED }
  return Object.keys(fields).filter((name) => isSortable(fields[name]!))
})

/** Nobody looks for a place in long texts, and ids of other records have no order that says anything. */
function isSortable(schema: Shape[string]): boolean {
  if (isPrincipal(schema)) return true
  return (
    storageOf(schema) !== 'jsonb' &&
    !targetOf(schema) &&
    !isOfIds(schema) &&
    longestOf(schema) <= LONGEST_LINE
  )
}

/** The values of a field in the order of their weight; null where they have none. */
export const scaleOf = (schema: Shape[string]): readonly string[] | null =>
  isScale(schema) ? Object.values((schema._zod.def as { entries?: Record<string, string> }).entries!) : null

export const isNullable = (kind: Kind, name: string): boolean =>
  ![...Object.keys(SORTED), ...kind.required, ...Object.keys(kind.defaults)].includes(name)
