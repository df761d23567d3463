import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { pascal } from '../../kinds/calls.ts'
import { columnOf, givenFields, type Kind, type Shape, type Values } from '../../kinds/kind.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { filtersOf, isDue, listShape } from './list.ts'

/**
 * A register in numbers: how many there are of each choice, of each pair of choices that a kind crosses (a
 * risk's matrix), how many are due and how many have nobody. It takes the filters of the list, so that each
 * number can be opened as the list behind it.
 */
export function summaryShape(kind: Kind): Record<string, z.ZodType> {
  const { limit: _limit, cursor: _cursor, sort: _sort, ...filters } = listShape(kind)
  return filters
}

const count = z.int()

/** @returns the schema of a kind's summary */
export function summarySchema(kind: Kind): z.ZodObject {
  const value = z.string().nullable().describe('Null where it was not chosen')
  const pairs = Object.entries(kind.crossed ?? {}).map(
    ([name, [across, down]]) => `${name}: ${across} across, ${down} down`,
  )
  return z
    .object({
      total: count,
      ...('dueDate' in kind.fields
        ? { due: z.object({ overdue: count, soon: count }).describe('Of what is not done') }
        : {}),
      ...('owner' in kind.fields ? { ownerless: count.describe('Of what is not done') } : {}),
      counts: z
        .record(z.string(), z.array(z.object({ value, count })))
        .describe(`How many there are of each choice, by ${countedOf(kind).join(', ')}`),
      ...(pairs.length > 0
        ? {
            crossed: z
              .record(z.string(), z.array(z.object({ across: value, down: value, count })))
              .describe(pairs.join('; ')),
          }
        : {}),
    })
    .meta({ id: `${pascal(kind.name)}Summary`, title: `${kind.title} summary` })
}

/** Counts what the filters let through. */
export async function summarize({ tx }: TransactionContext, kind: Kind, input: Values): Promise<Values> {
  const counted = countedOf(kind)
  const crossed = Object.entries(kind.crossed ?? {})
  const sets = [...counted.map((field) => [field]), ...crossed.map(([, pair]) => [...pair])]
  const conditions = [sql`r.organization_id = ${tx.organizationId}`, ...filtersOf(kind, input)]
  const where = sql`from ${sql.table(kind.table)} r where ${sql.join(conditions, sql` and `)}`
  const [groups, [whole = {}]] = await Promise.all([
    tx.read(build(sql`${groupedBy(sets)} ${where} group by grouping sets (${sql.join(sets.map(columns))})`)),
    tx.read(build(sql`select ${sql.join(totals(kind))} ${where}`)),
  ])
  const of = (index: number) => groups.filter((row) => row.set === index)
  return {
    total: whole.total,
    ...('dueDate' in kind.fields ? { due: { overdue: whole.overdue, soon: whole.soon } } : {}),
    ...('owner' in kind.fields ? { ownerless: whole.ownerless } : {}),
    counts: Object.fromEntries(
      counted.map((field, index) => [
        field,
        of(index).map((row) => ({ value: row[columnOf(field)], count: row.count })),
      ]),
    ),
    ...(crossed.length > 0
      ? {
          crossed: Object.fromEntries(
            crossed.map(([name, pair], index) => [name, of(counted.length + index).map(cellOf(pair))]),
          ),
        }
      : {}),
  }
}

const cellOf =
  ([across, down]: readonly [string, string]) =>
  (row: Row) => ({ across: row[columnOf(across)], down: row[columnOf(down)], count: row.count })

const columns = (set: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(set.map((field) => sql.ref(`r.${columnOf(field)}`)))})`

/** Which of the sets a row is of, what it is of, and how many. */
function groupedBy(sets: readonly string[][]): RawBuilder<unknown> {
  const fields = [...new Set(sets.flat())]
  const refs = fields.map((field) => sql.ref(`r.${columnOf(field)}`))
  const masks = sets.map((set, index) => {
    const bits = fields.map((field) => (set.includes(field) ? '0' : '1')).join('')
    return sql`when ${sql.lit(Number.parseInt(bits, 2))} then ${sql.lit(index)}`
  })
  return sql`select case grouping(${sql.join(refs)}) ${sql.join(masks, sql` `)} end as set,
    ${sql.join(refs)}, count(*) as count`
}

function totals(kind: Kind): RawBuilder<unknown>[] {
  const { settled } = kind
  const open = settled ? sql`${sql.ref(`r.${columnOf(settled.field)}`)} <> all(${settled.values})` : sql`true`
  return [
    sql`count(*) as total`,
    ...('dueDate' in kind.fields
      ? [
          sql`count(*) filter (where ${isDue(kind, 'overdue')}) as overdue`,
          sql`count(*) filter (where ${isDue(kind, 'soon')}) as soon`,
        ]
      : []),
    ...('owner' in kind.fields
      ? [
          sql`count(*) filter (where num_nonnulls(r.owner_user_id, r.owner_personnel_id) = 0 and ${open}) as ownerless`,
        ]
      : []),
  ]
}

/** The fields that hold one of a few words, of those that a list can be filtered by. */
function countedOf(kind: Kind): string[] {
  const fields: Shape = { ...givenFields(kind), ...kind.derived }
  return kind.filters.filter((field) => fields[field]?._zod.def.type === 'enum')
}
