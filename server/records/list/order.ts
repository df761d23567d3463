import { sql } from 'kysely'
import type { z } from 'zod'
import { columnOf } from '../../../model/column-names.ts'
import { isPrincipal, storageOf } from '../../../model/fields.ts'
import { givenFields, type Kind, SERVICE_FIELDS, type Shape } from '../../../model/kind.ts'
import { isNullable, scaleOf } from '../../../model/listing.ts'
import type { Row } from '../../database/connect.ts'
import { naturally } from '../../database/natural-order.ts'
import { CURSOR_VALUES, type Order, type Position } from '../paging.ts'
import { shownAs } from '../table.ts'

/** The order of a list of records by one of their fields. */
export interface RecordOrder extends Order {
  /** What a cursor may hold of it. */
  readonly cursor: z.ZodType<Position['value']>
  /** What a cursor holds of a row, by which PostgreSQL finds its place again. */
  valueOf(row: Row): Position['value']
}

/** As much of a list's values as it is sorted by; a cursor has room for no more. */
const SORTED_LENGTH = 100

/** @param sort the name of a field, with a minus before it for the other way */
export function orderOf(kind: Kind, sort: string): RecordOrder {
  const named = sort.replace('-', '')
  const name = named === 'reference' ? (kind.referencedBy ?? named) : named
  const fields: Shape = { ...givenFields(kind), ...kind.derived, ...SERVICE_FIELDS }
  return {
    sort,
    id: sql.ref('r.id'),
    descending: sort.startsWith('-'),
    nullable: isNullable(kind, name),
    ...by(name, fields[name]!),
  }
}

function by(name: string, schema: Shape[string]): Pick<RecordOrder, 'column' | 'cursor' | 'valueOf'> {
  const column = name === 'reference' ? 'reference_number' : columnOf(name)
  const stored = sql.ref(`r.${column}`)
  const value = (row: Row) => row[column] as Position['value']
  const weights = scaleOf(schema)
  if (weights)
    return {
      column: sql`array_position(array[${sql.join(weights.map((one) => sql.lit(one)))}], ${stored})`,
      cursor: CURSOR_VALUES.integer,
      valueOf: (row) => (row[column] === null ? null : weights.indexOf(row[column] as string) + 1),
    }
  if (name === 'reference') return { column: stored, cursor: CURSOR_VALUES.integer, valueOf: value }
  if (isPrincipal(schema))
    return {
      column: naturally(sql`coalesce(${sql.ref(`${column}_u.name`)}, ${sql.ref(`${column}_p.full_name`)})`),
      cursor: CURSOR_VALUES.text,
      valueOf: (row) => row[shownAs(column).name] as string | null,
    }
  const storage = storageOf(schema)
  switch (storage) {
    case 'boolean':
      return {
        column: sql`${stored}::int`,
        cursor: CURSOR_VALUES.integer,
        valueOf: (row) => (row[column] === null ? null : Number(row[column])),
      }
    case 'text[]':
      return {
        column: naturally(sql`nullif(left(array_to_string(${stored}, ', '), ${sql.lit(SORTED_LENGTH)}), '')`),
        cursor: CURSOR_VALUES.text,
        valueOf: (row) => {
          const joined = ((row[column] as string[] | null) ?? []).join(', ')
          return [...joined].slice(0, SORTED_LENGTH).join('') || null
        },
      }
    case 'text':
      return { column: naturally(stored), cursor: CURSOR_VALUES.text, valueOf: value }
    default:
      return { column: stored, cursor: CURSOR_VALUES[storage as keyof typeof CURSOR_VALUES], valueOf: value }
  }
}

/**
 * The index that gives an order. Each table has one for each of its two times, and for the sorts that its kind names; no
 * others, since each costs every write.
 */
export function indexOf(kind: Kind, sort: string): 'time' | 'field' | null {
  if (['createdAt', 'updatedAt'].includes(sort.replace('-', ''))) return 'time'
  return kind.indexedSorts.includes(sort) ? 'field' : null
}
