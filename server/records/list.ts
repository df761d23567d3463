import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { moment, storageOf, text, words } from '../../kinds/fields.ts'
import {
  columnOf,
  givenFields,
  type Kind,
  SERVICE_FIELDS,
  type Shape,
  type Values,
} from '../../kinds/kind.ts'
import { linkColumn, linkFilter, type Side, sidesOf } from '../../kinds/relations.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { behind, CURSOR_VALUES, type Order, orderBy, PAGE, page, readCursor } from './paging.ts'
import { type Table, tableOf } from './table.ts'

/** What the list of a kind takes: page, search, order, and a filter for each field the kind names. */
export function listShape(kind: Kind): Record<string, z.ZodType> {
  const fields: Shape = { ...givenFields(kind), ...kind.derived }
  const sorts = kind.sorts.flatMap((sort) => [sort, `-${sort}`])
  return {
    ...PAGE,
    q: text('Search')
      .optional()
      .describe(`In ${kind.search.join(', ')} and reference`),
    sort: z
      .enum(sorts as [string, ...string[]])
      .default('-createdAt')
      .meta({ title: 'Order' })
      .describe('By this field; with a minus, highest or newest first'),
    updatedSince: moment().optional().describe('Changed at or after; overlap by a minute'),
    externalId: repeated(words(200)).describe('In the caller’s own system'),
    reference: repeated(z.string().min(1).max(40)).describe(`As in ${kind.referencePrefix}-12`),
    ...('owner' in kind.fields
      ? {
          ownerId: repeated(z.string().min(1).max(100)).describe('A user or a personnel record'),
          owned: z.boolean().optional().describe('Whether it has an owner'),
        }
      : {}),
    ...('dueDate' in kind.fields
      ? { due: repeated(z.enum(DUE)).describe(`soon: within ${SOON_DAYS} days; done is neither`) }
      : {}),
    ...Object.fromEntries(
      sidesOf(kind).map((side) => [
        linkFilter(side),
        repeated(z.string().min(1).max(100)).describe(
          `Linked with the ${side.other.title.toLowerCase()}; needs read:${side.other.scope}`,
        ),
      ]),
    ),
    ...Object.fromEntries(kind.filters.map((field) => [field, repeated(fields[field] as z.ZodType)])),
  }
}

/** How near a date is, of what is not done. */
const DUE = ['overdue', 'soon', 'later', 'none'] as const
const SOON_DAYS = 7

const repeated = (schema: z.ZodType) => z.array(schema).min(1).max(50).optional()

/** @returns a page of records, in the order asked for */
export async function listRecords(
  { tx }: TransactionContext,
  kind: Kind,
  input: Values,
): Promise<{ data: Values[]; nextCursor: string | null }> {
  const table = tableOf(kind)
  const order = orderOf(kind, input.sort as string)
  const limit = input.limit as number
  const place = readCursor(input.cursor as string | undefined, order.sort, sortedValue(kind, order.sort))
  const conditions = [
    sql`r.organization_id = ${tx.organizationId}`,
    ...filtersOf(kind, input),
    ...(place ? [behind(order, place)] : []),
  ]
  const where = sql`where ${sql.join(conditions, sql` and `)} ${orderBy(order)} limit ${limit + 1}`
  const rows = await tx.read(
    build(isIndexed(order) ? sql`${sql.raw(table.select)} ${where}` : found(table, order, where)),
  )
  const column = columnOf(order.sort.replace('-', ''))
  return page(rows, limit, order.sort, table.record, (row: Row) => ({
    value: row[column] as string | number | null,
    id: row.id as string,
  }))
}

/** Every kind's table has indexes in these two orders (migrations/0003), and no others: each costs every write. */
const isIndexed = ({ sort }: Order): boolean => ['createdAt', 'updatedAt'].includes(sort.replace('-', ''))

/**
 * The page of an order that no index gives. All rows are sorted for it, and a row is wide: so its ids are found
 * first, and whole rows are read, and the names of their owners, for as many as are shown.
 */
function found({ kind, select }: Table, order: Order, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`with found as materialized (select r.organization_id, r.id from ${sql.table(kind.table)} r ${where})
    ${sql.raw(select)} where (r.organization_id, r.id) in (select organization_id, id from found) ${orderBy(order)}`
}

function sortedValue(kind: Kind, sort: string) {
  const field = { ...givenFields(kind), ...kind.derived, ...SERVICE_FIELDS }[sort.replace('-', '')]
  return CURSOR_VALUES[storageOf(field!) as keyof typeof CURSOR_VALUES]
}

function orderOf(kind: Kind, sort: string): Order {
  const field = sort.replace('-', '')
  const always = ['createdAt', 'updatedAt', ...kind.required, ...Object.keys(kind.defaults)].includes(field)
  const descending = sort.startsWith('-')
  return {
    sort,
    column: sql.ref(`r.${columnOf(field)}`),
    id: sql.ref('r.id'),
    descending,
    nullable: !always,
  }
}

/** The conditions of a list's filters, for the kind's table as `r`. */
export function filtersOf(kind: Kind, input: Values): RawBuilder<unknown>[] {
  const conditions = kind.filters.flatMap((field) => {
    const wanted = input[field] as unknown[] | undefined
    return wanted ? [sql`${sql.ref(`r.${columnOf(field)}`)} = any(${wanted})`] : []
  })
  for (const side of sidesOf(kind)) {
    const linked = input[linkFilter(side)] as string[] | undefined
    if (linked) conditions.push(isLinked(side, linked))
  }
  const { q, updatedSince, externalId, reference, ownerId, owned, due } = input as Record<string, never>
  if (updatedSince) conditions.push(sql`r.updated_at >= ${updatedSince}::timestamptz`)
  if (externalId) conditions.push(sql`r.external_id = any(${externalId})`)
  if (reference) conditions.push(sql`r.reference_number = any(${numbersOf(kind, reference)})`)
  if (ownerId)
    conditions.push(sql`(r.owner_user_id = any(${ownerId}) or r.owner_personnel_id = any(${ownerId}))`)
  if (owned !== undefined)
    conditions.push(sql`(num_nonnulls(r.owner_user_id, r.owner_personnel_id) = 1) = ${owned}`)
  if (due)
    conditions.push(
      sql`(${sql.join(
        (due as Due[]).map((one) => isDue(kind, one)),
        sql` or `,
      )})`,
    )
  if (q) conditions.push(matches(kind, q))
  return conditions
}

const isLinked = ({ relation, kind, other }: Side, ids: readonly string[]): RawBuilder<unknown> =>
  sql`exists (select from ${sql.table(relation.table)} l
    where l.organization_id = r.organization_id and ${sql.ref(`l.${linkColumn(kind)}`)} = r.id
      and ${sql.ref(`l.${linkColumn(other)}`)} = any(${ids}))`

export type Due = (typeof DUE)[number]

/** Whether a record is due as said; a day is over when the next one has begun, in UTC. */
export function isDue({ fields, settled }: Kind, due: Due): RawBuilder<unknown> {
  if (due === 'none') return sql`r.due_date is null`
  const open = settled ? sql`${sql.ref(`r.${columnOf(settled.field)}`)} <> all(${settled.values})` : sql`true`
  const isDay = storageOf(fields.dueDate!) === 'date'
  const now = isDay ? sql`((select clock_now()) at time zone 'UTC')::date` : sql`(select clock_now())`
  const soon = isDay ? sql`${now} + ${SOON_DAYS}::int` : sql`${now} + ${SOON_DAYS}::int * interval '1 day'`
  const between = {
    overdue: sql`r.due_date < ${now}`,
    soon: sql`r.due_date >= ${now} and r.due_date < ${soon}`,
    later: sql`r.due_date >= ${soon}`,
  }[due]
  return sql`(${between} and ${open})`
}

const numbersOf = (kind: Kind, references: readonly string[]): number[] =>
  references.map((reference) => {
    const [prefix, number] = reference.split('-')
    return prefix?.toUpperCase() === kind.referencePrefix && /^\d{1,9}$/.test(number ?? '')
      ? Number(number)
      : -1
  })

function matches(kind: Kind, q: string): RawBuilder<unknown> {
  const pattern = `%${q.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  // Nothing but plain letters can match plain letters, and of those alone a case is quickly told.
  const plain = /^[ -~]*$/.test(q) ? sql`collate "C"` : sql``
  const texts = kind.search.map((field) => sql`${sql.ref(`r.${columnOf(field)}`)} ${plain} ilike ${pattern}`)
  const [number] = numbersOf(kind, [q])
  return sql`(${sql.join([...texts, sql`r.reference_number = ${number}`], sql` or `)})`
}
