import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { pascal } from '../../model/calls.ts'
import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import { givenFields, type Kind, type Shape } from '../../model/kind.ts'
import { deadlineOf, ownerOf, principalColumns, principalId } from '../../model/roles.ts'
import { build } from '../database/build.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { asksBy, flagsOf } from './attention.ts'
import { CUSTOM_FILTERS, customConditions } from './custom-fields/filters.ts'
import { filterShape, filtersOf, isDue, isNobodys, isOpen } from './list/filters.ts'

/**
 * A register in numbers: how many there are of each choice, of each pair of choices that a kind crosses (a
 * risk's matrix), how many are due and how many have nobody. It takes the filters of the list, so that each
 * number can be opened as the list behind it.
 *
 * All of it is one pass over the records, and what is asked for decides what that costs: by each group that a
 * record falls into it is counted once more. So little is grouped by itself. Choices of few words are counted
 * together (status and category, say), and each is added up from there.
 */
export function summaryShape(kind: Kind): Record<string, z.ZodType> {
  return {
    ...filterShape(kind),
    [CUSTOM_FIELDS]: CUSTOM_FILTERS,
    counted: z
      .array(z.enum(['total', ...breakdownsOf(kind).map(({ name }) => name)]))
      .min(1)
      .max(50)
      .optional()
      .meta({ title: 'Counted' })
      .describe('Only these, beside the total: less is sooner there'),
  }
}

const count = z.int()
const value = z.string().nullable()
const counted = z
  .object({ value, count, name: z.string().optional().describe('Of an owner') })
  .meta({ id: 'ValueCount', title: 'How many have a value; null where it was not chosen' })
const crossed = z
  .object({ across: value, down: value, count })
  .meta({ id: 'PairCount', title: 'How many have two values; null where one was not chosen' })

/** @returns the schema of a kind's summary */
export function summarySchema(kind: Kind): z.ZodObject {
  const owner = ownerOf(kind)
  const pairs = Object.entries(kind.crossTabs ?? {}).map(
    ([name, [across, down]]) => `${name}: ${across} across, ${down} down`,
  )
  return z
    .object({
      total: count,
      ...(deadlineOf(kind)
        ? { due: z.object({ overdue: count, soon: count }).optional().describe('Of what is not done') }
        : {}),
      ...(owner ? { ownerless: count.optional().describe('What is not done and nobody owns') } : {}),
      ...(flagsOf(kind).length > 0
        ? {
            attention: z
              .record(z.string(), count)
              .optional()
              .describe(`With attention counted: how many ask for it by ${flagsOf(kind).join(', ')}`),
          }
        : {}),
      counts: z
        .record(z.string(), z.array(counted))
        .describe(
          `How many there are of each choice, by field${owner ? `; with ${principalId(owner)} counted, of each owner, the ${OWNERS_AT_MOST} that have most` : ''}`,
        ),
      ...(pairs.length > 0
        ? {
            crossed: z.record(z.string(), z.array(crossed)).optional().describe(pairs.join('; ')),
          }
        : {}),
    })
    .meta({ id: `${pascal(kind.name)}Summary`, title: `${kind.title} summary` })
}

/** Counts what the filters let through. */
export async function summarize(context: TransactionContext, kind: Kind, input: Values): Promise<Values> {
  const { tx } = context
  const wanted = input.counted as string[] | undefined
  const asked = breakdownsOf(kind).filter(({ name, isOnRequest }) => wanted?.includes(name) ?? !isOnRequest)
  const sets = setsOf(asked)
  const conditions = [
    sql`r.organization_id = ${tx.organizationId}`,
    ...filtersOf(kind, tx.organizationId, input),
    ...(await customConditions(context, kind, input)),
  ]
  const where = sql`from ${sql.table(kind.table)} r where ${sql.join(conditions, sql` and `)}`
  const rows = await tx.read<Group>(build(grouped(kind, tx.organizationId, sets, where)))
  const tally = (name: string) => {
    const one = asked.find((breakdown) => breakdown.name === name)
    return one && tallied(one, sets, rows)
  }
  const owner = principalId(ownerOf(kind) ?? '')
  const [due, ownerless, owners] = [tally('due'), tally('ownerless'), tally(owner)]
  const attention = tally('attention')
  const countOf = (groups: readonly Tallied[], value: unknown) =>
    groups.find(({ values }) => values[0] === value)?.count ?? 0
  const pairs = Object.keys(kind.crossTabs ?? {}).flatMap((name) => {
    const cells = tally(name)
    return cells ? [[name, cells.map(({ values: [across, down], count }) => ({ across, down, count }))]] : []
  })
  return {
    total: rows.filter((row) => row.set === 0).reduce((sum, row) => sum + row.count, 0),
    ...(due ? { due: { overdue: countTrue(due, 0), soon: countTrue(due, 1) } } : {}),
    ...(ownerless ? { ownerless: countOf(ownerless, true) } : {}),
    ...(attention ? { attention: flagged(kind, attention) } : {}),
    counts: Object.fromEntries([
      ...countedOf(kind).flatMap((field) => {
        const choices = tally(field)
        return choices ? [[field, choices.map(({ values: [value], count }) => ({ value, count }))]] : []
      }),
      ...(owners ? [[owner, await named(tx, owners)]] : []),
    ]),
    ...(pairs.length > 0 ? { crossed: Object.fromEntries(pairs) } : {}),
  }
}

const flagged = (kind: Kind, groups: readonly Tallied[]): Values =>
  Object.fromEntries(flagsOf(kind).map((flag, at) => [flag, countTrue(groups, at)]))

const countTrue = (groups: readonly Tallied[], at: number): number =>
  groups.reduce((sum, { values, count }) => sum + (values[at] === true ? count : 0), 0)

/** Owners are as many as there are people; no more than these are told of. */
const OWNERS_AT_MOST = 200

async function named(tx: Transaction, owners: readonly Tallied[]) {
  const most = owners.toSorted((a, b) => b.count - a.count).slice(0, OWNERS_AT_MOST)
  const ids = most.flatMap(({ values: [id] }) => (typeof id === 'string' ? [id] : []))
  const rows = await tx.read<{ id: string; name: string }>(NAMES(tx.organizationId, ids))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return most.map(({ values: [value], count }) => {
    const name = names.get(value as string)
    return { value, count, ...(name ? { name } : {}) }
  })
}

const NAMES = statement(
  `select user_id as id, name from members where organization_id = $1 and user_id = any($2)
   union all select id, full_name from personnel where organization_id = $1 and id = any($2)`,
)

/** Something that records are counted by, and how many groups that can make. */
interface Breakdown {
  readonly name: string
  readonly by: readonly string[]
  readonly groups: number
  /** Not counted where nothing is said. */
  readonly isOnRequest?: true
}

function breakdownsOf(kind: Kind): Breakdown[] {
  const owner = ownerOf(kind)
  const fields: Shape = { ...givenFields(kind), ...kind.derived }
  const choices = (field: string) => optionsOf(fields[field]!) + 1
  return [
    ...Object.entries(kind.crossTabs ?? {}).map(([name, by]) => ({
      name,
      by,
      groups: choices(by[0]) * choices(by[1]),
    })),
    ...countedOf(kind).map((field) => ({ name: field, by: [field], groups: choices(field) })),
    ...(deadlineOf(kind) ? [{ name: 'due', by: [DUE.overdue, DUE.soon], groups: 4 }] : []),
    ...(flagsOf(kind).length > 0
      ? [{ name: 'attention', by: flagsOf(kind).map(asking), groups: 3, isOnRequest: true as const }]
      : []),
    ...(owner
      ? [
          { name: 'ownerless', by: ['ownerless'], groups: 2 },
          {
            name: principalId(owner),
            by: [principalId(owner)],
            groups: GROUPS_AT_MOST,
            isOnRequest: true as const,
          },
        ]
      : []),
  ]
}

/** Columns for whether it is due so: it may be both, by two of its dates. */
const DUE = { overdue: 'due overdue', soon: 'due soon' } as const

/** A column for whether a flag asks for attention, which is not all that it is counted by. */
const asking = (flag: string): string => `attention ${flag}`

const optionsOf = (schema: Shape[string]): number =>
  Object.keys((schema._zod.def as { entries?: object }).entries ?? {}).length

/** As many groups are made quickly, and read. */
const GROUPS_AT_MOST = 800

/** What is counted together: never fewer than one set, which may be of nothing. */
function setsOf(asked: readonly Breakdown[]): string[][] {
  const sets: { by: Set<string>; groups: number }[] = []
  for (const { by, groups } of asked) {
    if (sets.some((set) => by.every((one) => set.by.has(one)))) continue
    const room = sets.find((set) => set.groups * groups <= GROUPS_AT_MOST)
    if (room) {
      for (const one of by) room.by.add(one)
      room.groups *= groups
    } else sets.push({ by: new Set(by), groups })
  }
  return sets.length > 0 ? sets.map(({ by }) => [...by]) : [[]]
}

/** A row of the statement: of which set, the values of its columns, and how many have them. */
type Group = Row & { readonly set: number; readonly count: number }

function grouped(
  kind: Kind,
  organizationId: string,
  sets: readonly string[][],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const columns = [...new Set(sets.flat())]
  if (columns.length === 0) return sql`select 0 as set, count(*) as count ${where}`
  const refs = columns.map((column) => sql.ref(column))
  const masks = sets.map((set, index) => {
    const bits = columns.map((column) => (set.includes(column) ? '0' : '1')).join('')
    return sql`when ${sql.lit(Number.parseInt(bits, 2))} then ${sql.lit(index)}`
  })
  const selected = columns.map(
    (column) => sql`${expressionOf(kind, organizationId, column)} as ${sql.ref(column)}`,
  )
  const by = sets.map((set) => sql`(${sql.join(set.map((column) => sql.ref(column)))})`)
  return sql`select case grouping(${sql.join(refs)}) ${sql.join(masks, sql` `)} end as set,
      ${sql.join(refs)}, count(*) as count
    from (select ${sql.join(selected)} ${where}) counted group by grouping sets (${sql.join(by)})`
}

function expressionOf(kind: Kind, organizationId: string, column: string): RawBuilder<unknown> {
  const owner = ownerOf(kind)
  if (column === DUE.overdue || column === DUE.soon)
    return isDue(kind, organizationId, column === DUE.soon ? 'soon' : 'overdue')
  if (owner && column === 'ownerless') return sql`(${isNobodys(owner)} and ${isOpen(kind)})`
  const flag = flagsOf(kind).find((one) => asking(one) === column)
  if (flag !== undefined) return asksBy(kind, flag)
  if (!owner || column !== principalId(owner)) return sql.ref(`r.${columnOf(column)}`)
  const { user, personnel } = principalColumns(owner)
  return sql`coalesce(${sql.ref(`r.${user}`)}, ${sql.ref(`r.${personnel}`)})`
}

interface Tallied {
  readonly values: readonly unknown[]
  readonly count: number
}

/** Adds up the groups of whichever set has the columns. */
function tallied({ by }: Breakdown, sets: readonly string[][], rows: readonly Group[]): Tallied[] {
  const set = sets.findIndex((columns) => by.every((one) => columns.includes(one)))
  const found = new Map<string, { values: unknown[]; count: number }>()
  for (const row of rows) {
    if (row.set !== set) continue
    const values = by.map((one) => row[one])
    const key = JSON.stringify(values)
    const known = found.get(key)
    if (known) known.count += row.count
    else found.set(key, { values, count: row.count })
  }
  return [...found.values()]
}

/** The fields that hold one of a few words, of those that a list can be filtered by. */
function countedOf(kind: Kind): string[] {
  const fields: Shape = { ...givenFields(kind), ...kind.derived }
  return kind.filters.filter((field) => fields[field]?._zod.def.type === 'enum')
}
