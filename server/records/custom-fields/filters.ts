import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Values } from '../../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../../model/custom-field.ts'
import { endsOf, NONE } from '../../../model/filter-names.ts'
import type { Kind } from '../../../model/kind.ts'
import { ANY_PLAN, BITMAPS_ALONE } from '../../database/bitmaps.ts'
import { build } from '../../database/build.ts'
import type { Query } from '../../database/connect.ts'
import { parseInput } from '../../input.ts'
import type { TransactionContext } from '../../operation.ts'
import { shapesOf } from '../list/filters.ts'
import { type Definition, definitionsOf, filterSchema } from './definitions.ts'

/*
 * Lists filtered by custom fields. Which there are differs from one organization to the next, so the schema of a list
 * knows only that there are some, and what is asked is judged here, by the definitions.
 *
 * A value that is asked for by itself is found through an index over all of them. The tenant could not use it
 * (migrations/0056), so the gate looks first, for the ids alone: where they are few, the list reads just these. Where
 * they are many, the list comes upon them by itself, in its own order. What lies between two ends, and what has no
 * value, is found as in any other field: by looking at each row.
 */

/** What a list takes, beside its other filters. */
export const CUSTOM_FILTERS = z
  .record(z.string().max(120), z.unknown())
  .optional()
  .meta({ title: 'Custom fields' })
  .describe(
    'By custom fields that are defined, such as name: value; also name.min and name.max, name.from and name.to; none: not set. listCustomFields has the names',
  )

/** So few are read by their ids. */
const FEW = 1_000

/**
 * The conditions of what a list asks of custom fields, for the kind's table as `r`.
 * @throws {Refusal} `validation_failed` for a name that is not defined, with the nearest, and for a value that does not fit
 */
export async function customConditions(
  { tx, caller }: Pick<TransactionContext, 'tx' | 'caller'>,
  kind: Kind,
  input: Values,
): Promise<RawBuilder<unknown>[]> {
  const asked = input[CUSTOM_FIELDS] as Values | undefined
  if (!asked || Object.keys(asked).length === 0) return []
  const definitions = await definitionsOf(tx, kind)
  const source = caller.channel === 'rest' ? 'query' : 'elsewhere'
  const wanted = wantedOf(definitions, asked, source)
  const exact = definitions.flatMap((one) => isOneOf(one, wanted) ?? [])
  const others = definitions.flatMap((one) => conditionOf(one, wanted) ?? [])
  if (exact.length === 0) return others
  tx.write(BITMAPS_ALONE)
  const found = await tx.readAsGate<{ id: string }>(findExactly(kind, exact))
  tx.write(ANY_PLAN)
  const ids = found.map(({ id }) => id)
  return [...(ids.length > FEW ? [] : [sql`r.id = any(${ids})`]), ...exact, ...others]
}

/** The ids of what has these values, one more than are few. */
export const findExactly = ({ table }: Kind, exact: readonly RawBuilder<unknown>[]): Query =>
  build(sql`select r.id from ${sql.table(table)} r
    where r.organization_id = current_organization() and r.custom_fields is not null
      and ${sql.join(exact, sql` and `)} limit ${FEW + 1}`)

/** What is asked, each by the name of its filter. */
function wantedOf(definitions: readonly Definition[], asked: Values, source: 'query' | 'elsewhere'): Values {
  const shapes = Object.fromEntries(
    definitions.flatMap((one) => shapesOf({ name: one.name, ...filterSchema(one), unset: NONE })),
  )
  const parsed = parseInput(
    { input: z.strictObject({ [CUSTOM_FIELDS]: z.strictObject(shapes) }) },
    {
      [CUSTOM_FIELDS]: Object.fromEntries(
        Object.entries(asked).map(([name, value]) => [name, takenFor(definitions, name, value)]),
      ),
    },
    source,
  )
  return parsed[CUSTOM_FIELDS] as Values
}

/** From the texts of a query to what is compared: one value where one is taken, and a list where there may be several. */
function takenFor(definitions: readonly Definition[], name: string, value: unknown): unknown {
  const [base, end] = name.split('.')
  const type = definitions.find((one) => one.name === base)?.type
  const each = [value].flat().map((one) => {
    if (typeof one !== 'string') return one
    if (type === 'number' && NUMBER.test(one)) return Number(one)
    return type === 'boolean' && (one === 'true' || one === 'false') ? one === 'true' : one
  })
  return end !== undefined && each.length === 1 ? each[0] : each
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

/** That a record has one of the values, where nothing else is asked of the field. */
function isOneOf({ name, type }: Definition, wanted: Values): RawBuilder<unknown> | null {
  const values = wanted[name] as unknown[] | undefined
  if (!values || values.includes(NONE) || isBetween(type)) return null
  return hasOneOf(name, type, values)
}

function hasOneOf(name: string, type: Definition['type'], values: readonly unknown[]): RawBuilder<unknown> {
  const parts = values.map((value) => JSON.stringify({ [name]: type === 'choices' ? [value] : value }))
  return sql`r.custom_fields @> any(${parts}::jsonb[])`
}

const isBetween = (type: Definition['type']): boolean => type === 'number' || type === 'date'

/** What is asked beside the exact values: what lies between two ends, and what has none. */
function conditionOf(definition: Definition, wanted: Values): RawBuilder<unknown> | null {
  const { name, type } = definition
  const values = wanted[name] as unknown[] | undefined
  const isUnset = values?.includes(NONE)
  const any = [
    ...(isUnset ? [sql`coalesce(r.custom_fields -> ${name}::text, '[]') = '[]'`] : []),
    ...(isUnset && !isBetween(type) && values!.length > 1
      ? [
          hasOneOf(
            name,
            type,
            values!.filter((value) => value !== NONE),
          ),
        ]
      : []),
    ...(isBetween(type) ? between(definition, wanted) : []),
  ]
  return any.length > 0 ? sql`(${sql.join(any, sql` or `)})` : null
}

/** A value from before the name was defined is of any type, and none of those lies between two of this one. */
function between(definition: Definition, wanted: Values): RawBuilder<unknown>[] {
  const { name, type } = definition
  const [from, to] = endsOf({ name, ...filterSchema(definition) }).map((end) => wanted[end])
  const value = sql`r.custom_fields -> ${name}::text`
  const text = sql`r.custom_fields ->> ${name}::text`
  const compared =
    type === 'number'
      ? sql`case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`
      : sql`case when ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then (${text}) collate "C" end`
  const of = sql.raw(type === 'number' ? 'numeric' : 'text')
  const ends = [
    ...(from === undefined ? [] : [sql`${compared} >= ${from}::${of}`]),
    ...(to === undefined ? [] : [sql`${compared} <= ${to}::${of}`]),
  ]
  return ends.length > 0 ? [sql`(${sql.join(ends, sql` and `)})`] : []
}
