import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import type { Kind } from '../../model/kind.ts'
import { sortFieldsOf } from '../../model/listing.ts'
import { once } from '../../model/once.ts'
import { build } from '../database/build.ts'
import { parseInputAt } from '../input.ts'
import type { TransactionContext } from '../operation.ts'
import { CUSTOM_FILTERS, customConditions } from './custom-fields/filters.ts'
import { filterShape, filtersOf } from './list/filters.ts'
import { indexOf, orderOf, type RecordOrder } from './list/order.ts'
import { ownConditions } from './own-records.ts'
import { behind, orderBy, PAGE, page, readCursor } from './paging.ts'
import { type Table, tableOf } from './table.ts'

/** What the list of a kind takes: page, order, and the filters that follow from its fields. */
export const listShape = once((kind: Kind): Record<string, z.ZodType> => {
  const sorts = sortFieldsOf(kind).flatMap((sort) => [sort, `-${sort}`])
  return {
    ...PAGE,
    sort: z
      .enum(sorts as [string, ...string[]])
      .default('-createdAt')
      .meta({ title: 'Order' })
      .describe('By this field; with a minus, highest or newest first'),
    ...filterShape(kind),
    [CUSTOM_FIELDS]: CUSTOM_FILTERS,
  }
})

/**
 * The filters of a list with its order, where they are an input named `filters`.
 * @throws {Refusal} `validation_failed` with where in that input it stands
 */
export function parseFilters(kind: Kind, filters: Values): Values {
  const { limit, cursor, ...shape } = listShape(kind)
  return parseInputAt('filters', z.strictObject(shape), filters)
}

/** @returns a page of records, in the order asked for */
export async function listRecords(
  context: TransactionContext,
  kind: Kind,
  input: Values,
): Promise<{ data: Values[]; nextCursor: string | null }> {
  const { tx } = context
  const table = tableOf(kind)
  const order = orderOf(kind, input.sort as string)
  const limit = input.limit as number
  const place = readCursor(input.cursor as string | undefined, order.sort, order.cursor)
  const conditions = await conditionsOf(context, kind, input)
  const within = [ofOrganization(context), ...(place ? [behind(order, place)] : [])]
  const wanted = { table, order, within, where: [...within, ...conditions], limit: limit + 1 }
  const rows = await tx.read(build(statementOf(wanted)))
  return page(rows, limit, order.sort, table.record, (row) => ({
    value: order.valueOf(row),
    id: row.id as string,
  }))
}

const ofOrganization = ({ tx }: TransactionContext) => sql`r.organization_id = ${tx.organizationId}`

const conditionsOf = async (
  context: TransactionContext,
  kind: Kind,
  input: Values,
): Promise<RawBuilder<unknown>[]> => [
  ...ownConditions(kind, context.caller),
  ...filtersOf(kind, context.tx.organizationId, input),
  ...(await customConditions(context, kind, input)),
]

interface Wanted {
  readonly table: Table
  readonly order: RecordOrder
  /** The rows of the organization that the page may begin with. */
  readonly within: readonly RawBuilder<unknown>[]
  readonly where: readonly RawBuilder<unknown>[]
  readonly limit: number
}

function statementOf(wanted: Wanted): RawBuilder<unknown> {
  const { table, order, where, limit } = wanted
  const inOrder = sql`where ${sql.join(where, sql` and `)} ${orderBy(order)} limit ${limit}`
  switch (indexOf(table.kind, order.sort)) {
    case 'time':
      return sql`${sql.raw(table.selectInList)} ${inOrder}`
    case 'field':
      return foundByIndex(wanted)
    default:
      return found(table, inOrder)
  }
}

/** The ids of the records that a list finds, in its order and as many as are asked for. */
export async function findRecordIds(
  context: TransactionContext,
  kind: Kind,
  input: Values,
  atMost: number,
): Promise<string[]> {
  const order = orderOf(kind, input.sort as string)
  const where = sql.join([ofOrganization(context), ...(await conditionsOf(context, kind, input))], sql` and `)
  const rows = await context.tx.read<{ id: string }>(
    build(sql`select r.id ${sql.raw(tableOf(kind).from)} where ${where} ${orderBy(order)} limit ${atMost}`),
  )
  return rows.map(({ id }) => id)
}

/** How many records a list finds. */
export async function countRecords(context: TransactionContext, kind: Kind, input: Values): Promise<number> {
  const where = sql.join([ofOrganization(context), ...(await conditionsOf(context, kind, input))], sql` and `)
  const [row] = await context.tx.read<{ count: number }>(
    build(sql`select count(*)::int as count ${sql.raw(tableOf(kind).from)} where ${where}`),
  )
  return row!.count
}

/**
 * The page of an order that no index gives. All rows are sorted for it, and a row is wide. So its ids are found first,
 * and whole rows and the names of their owners are read only for the rows of the page.
 */
const found = ({ from, selectInList }: Table, inOrder: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`with found as materialized (
      select organization_id, id, row_number() over () as place
        from (select r.organization_id, r.id ${sql.raw(from)} ${inOrder}) in_order)
    ${rowsFound(selectInList)}`

const rowsFound = (selectInList: string): RawBuilder<unknown> =>
  sql`${sql.raw(selectInList)} join found on found.organization_id = r.organization_id and found.id = r.id order by found.place`

/**
 * The page of an order that an index gives. The first rows in that order are searched, and nearly always fill the page.
 * Only where they do not, all rows are searched. PostgreSQL cannot make that choice: it does not know how rare a word is,
 * and to fetch all rows in the order of an index takes several times as long as to scan them.
 */
function foundByIndex({ table, order, within, where, limit }: Wanted): RawBuilder<unknown> {
  const { from, selectInList, kind } = table
  const conditions = sql.join(where, sql` and `)
  const isFull = sql`(select count(*) from near) >= ${limit}`
  return sql`with near as materialized (
      select organization_id, id, row_number() over () as place from (
        select r.organization_id, r.id
          from (select r.* from ${sql.table(kind.table)} r where ${sql.join(within, sql` and `)} ${orderBy(order)} limit ${FIRST_ROWS}) r
         where ${conditions} ${orderBy(order)} limit ${limit}) in_order),
    matching as materialized (
      select r.organization_id, r.id, ${order.column} as value ${sql.raw(from)} where ${conditions} and not ${isFull}),
    found as materialized (
      select * from near where ${isFull}
      union all
      select organization_id, id, row_number() over () from (
        select r.* from matching r ${orderBy({ ...order, column: sql`r.value` })} limit ${limit}) in_order)
    ${rowsFound(selectInList)}`
}

/** Enough for a page of 200 where one row of ten matches. */
const FIRST_ROWS = 2_500
