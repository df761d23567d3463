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
import { isIndexed, orderOf } from './list/order.ts'
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
  const conditions = [...(await conditionsOf(context, kind, input)), ...(place ? [behind(order, place)] : [])]
  const where = sql`where ${sql.join(conditions, sql` and `)} ${orderBy(order)} limit ${limit + 1}`
  const rows = await tx.read(
    build(isIndexed(order) ? sql`${sql.raw(table.selectInList)} ${where}` : found(table, where)),
  )
  return page(rows, limit, order.sort, table.record, (row) => ({
    value: order.valueOf(row),
    id: row.id as string,
  }))
}

const conditionsOf = async (
  context: TransactionContext,
  kind: Kind,
  input: Values,
): Promise<RawBuilder<unknown>[]> => [
  sql`r.organization_id = ${context.tx.organizationId}`,
  ...ownConditions(kind, context.caller),
  ...filtersOf(kind, context.tx.organizationId, input),
  ...(await customConditions(context, kind, input)),
]

/** The ids of the records that a list finds, in its order and as many as are asked for. */
export async function findRecordIds(
  context: TransactionContext,
  kind: Kind,
  input: Values,
  atMost: number,
): Promise<string[]> {
  const order = orderOf(kind, input.sort as string)
  const where = sql.join(await conditionsOf(context, kind, input), sql` and `)
  const rows = await context.tx.read<{ id: string }>(
    build(sql`select r.id ${sql.raw(tableOf(kind).from)} where ${where} ${orderBy(order)} limit ${atMost}`),
  )
  return rows.map(({ id }) => id)
}

/** How many records a list finds. */
export async function countRecords(context: TransactionContext, kind: Kind, input: Values): Promise<number> {
  const where = sql.join(await conditionsOf(context, kind, input), sql` and `)
  const [row] = await context.tx.read<{ count: number }>(
    build(sql`select count(*)::int as count ${sql.raw(tableOf(kind).from)} where ${where}`),
  )
  return row!.count
}

/**
 * The page of an order that no index gives. All rows are sorted for it, and a row is wide: so its ids are found
 * first, and whole rows are read, and the names of their owners, for as many as are shown.
 */
function found({ from, selectInList }: Table, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`with found as materialized (
      select organization_id, id, row_number() over () as place
        from (select r.organization_id, r.id ${sql.raw(from)} ${where}) in_order)
    ${sql.raw(selectInList)} join found on found.organization_id = r.organization_id and found.id = r.id order by found.place`
}
