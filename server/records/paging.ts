import { Buffer } from 'node:buffer'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isStorable } from '../input.ts'
import { Refusal } from '../refusal.ts'

/**
 * Lists by keyset: a page begins behind the last row of the one before, so it stays right while rows are
 * added, and the thousandth page costs what the first does. The cursor holds just the columns of the
 * ORDER BY; it is opaque to callers and says nothing they have not seen.
 */
export const PAGE = {
  limit: z.int().min(1).max(200).default(50).meta({ title: 'Page size' }).describe('How many rows at most'),
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .meta({ title: 'Cursor' })
    .describe('`nextCursor` of the page before'),
} as const

/** The answer of a list, named after what its rows are; a page that has more needs the name of its own. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z
    .object({ data: z.array(item), nextCursor: z.string().nullable() })
    .meta({ id: `${z.globalRegistry.get(item)?.id}Page` })

export interface Order {
  /** As the caller writes it: `-updatedAt`. */
  readonly sort: string
  readonly column: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly descending: boolean
  /** Rows without a value stand last. Where there are none, an index can give the order. */
  readonly nullable?: boolean
}

/** Where a page ended: what its last row is sorted by, and its id. */
export interface Position {
  readonly value: string | number | null
  readonly id: string
}

/** `order by` of a page; ids break ties. */
export function orderBy({ column, id, descending, nullable }: Order): RawBuilder<unknown> {
  const way = descending ? sql`desc` : sql`asc`
  return sql`order by ${column} ${way} ${nullable ? sql`nulls last` : sql``}, ${id} ${way}`
}

/** What stands behind a place, in the same order. */
export function behind({ column, id, descending, nullable }: Order, place: Position): RawBuilder<unknown> {
  const sign = descending ? sql`<` : sql`>`
  if (place.value === null) return sql`(${column} is null and ${id} ${sign} ${place.id})`
  const further = sql`(${column}, ${id}) ${sign} (${place.value}, ${place.id})`
  return nullable ? sql`(${further} or ${column} is null)` : further
}

/**
 * @param value what the column of the order holds; a time is not a word, and PostgreSQL would stumble on it
 * @throws {Refusal} `malformed_request` for a cursor that this list did not give
 */
export function readCursor(
  cursor: string | undefined,
  sort: string,
  value: z.ZodType<Position['value']> = CURSOR_VALUES.timestamptz,
): Position | null {
  if (cursor === undefined) return null
  const parsed = z.tuple([z.literal(sort), value, storable]).safeParse(decode(cursor))
  const place = parsed.success ? { value: parsed.data[1], id: parsed.data[2] } : null
  // Buffer takes characters that are no base64 and reads on, so a place has many spellings: only ours is taken.
  if (!place || writeCursor(sort, place) !== cursor)
    throw new Refusal('malformed_request', 'The cursor is not one of this list: start again without it.')
  return place
}

const storable = z.string().refine(isStorable)

/** PostgreSQL counts no year 0. */
function hasYear(text: string): boolean {
  return !text.startsWith('0000')
}

/** What a cursor may hold of a column, by how the column is stored. */
export const CURSOR_VALUES = {
  timestamptz: z.iso.datetime().refine(hasYear).nullable(),
  date: z.iso.date().refine(hasYear).nullable(),
  text: storable.nullable(),
  integer: z.int().min(-2_147_483_648).max(2_147_483_647).nullable(),
  'double precision': z.number().nullable(),
} as const

export function writeCursor(sort: string, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/**
 * A page of rows that were asked for with one more than the limit.
 * @param placeOf where in the order a row stands
 */
export function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  sort: string,
  item: (row: Row) => Item,
  placeOf: (row: Row) => Position,
): { data: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(item),
    nextCursor: rows.length > limit && last ? writeCursor(sort, placeOf(last)) : null,
  }
}
