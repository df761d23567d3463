import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { itemPrefix } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { type FieldError, invalid } from '../refusal.ts'

/*
 * Some fields are lists of objects that other records will point at, such as the contacts of a vendor. Each has an id of
 * its own, which the service draws and which it keeps for as long as it stands in the list: through other values, and
 * through another order. Whoever sends a list back without ids, as a table has it that knows none, changes by it only
 * what is different.
 */

type Item = Values & { readonly id?: string }

const fieldsWithIds = once((kind: Kind): readonly (readonly [field: string, prefix: string])[] =>
  Object.entries(kind.fields).flatMap(([field, schema]) => {
    const prefix = itemPrefix(schema)
    return prefix ? [[field, prefix] as const] : []
  }),
)

/**
 * The values of a new record, with an id for each object of its lists.
 * @throws {Refusal} `validation_failed` for one that came with an id: nothing of a new record has one yet
 */
export function withItemIds(kind: Kind, values: Values): Values {
  const errors: FieldError[] = []
  const lists = listsIn(kind, values).map(([field, prefix, items]) => {
    errors.push(...unknownIn(field, items, new Set()))
    return [field, items.map((item) => numbered(item, prefix))]
  })
  if (errors.length > 0) throw invalid(...errors)
  return lists.length > 0 ? { ...values, ...Object.fromEntries(lists) } : values
}

/**
 * What a change gives, with the ids of what stands, and new ones for what is new.
 * @throws {Refusal} `validation_failed` for an id that is of nothing in this record, or twice in a list. One that once
 *   was in it may come back, so that a step can be undone.
 */
export async function keepItemIds(
  tx: Transaction,
  kind: Kind,
  before: Values,
  given: Values,
): Promise<Values> {
  const lists = listsIn(kind, given)
  if (lists.length === 0) return given
  const kept = await Promise.all(
    lists.map(async ([field, prefix, items]) => {
      const standing = (before[field] as Item[] | null) ?? []
      const known = new Set(standing.map(({ id }) => id))
      const unknown = unknownIn(field, items, known)
      if (unknown.length > 0) {
        const past = await tx.read<{ id: string }>(idsOfPast(tx.organizationId, before.id, field))
        const errors = unknownIn(field, items, new Set([...known, ...past.map(({ id }) => id)]))
        if (errors.length > 0) throw invalid(...errors)
      }
      return [field, identifiedBy(standing, items, prefix)] as const
    }),
  )
  return { ...given, ...Object.fromEntries(kept) }
}

const listsIn = (kind: Kind, values: Values): [field: string, prefix: string, items: readonly Item[]][] =>
  fieldsWithIds(kind).flatMap(([field, prefix]) =>
    Array.isArray(values[field]) ? [[field, prefix, values[field] as Item[]]] : [],
  )

/** What comes without an id is what stands there and is alike in all else, or it is new. */
function identifiedBy(standing: readonly Item[], items: readonly Item[], prefix: string): Item[] {
  const named = new Set(items.map(({ id }) => id))
  const left = standing.filter(({ id }) => !named.has(id))
  return items.map((item) => {
    if (item.id) return item
    const at = left.findIndex(({ id: _, ...rest }) => isDeepStrictEqual(rest, item))
    const [alike] = at < 0 ? [] : left.splice(at, 1)
    return alike ?? numbered(item, prefix)
  })
}

const numbered = (item: Item, prefix: string): Item => ({ id: newId(prefix), ...item })

function unknownIn(
  field: string,
  items: readonly Item[],
  known: ReadonlySet<string | undefined>,
): FieldError[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, index) => {
    if (id === undefined) return []
    const message = seen.has(id)
      ? 'stands in the list already: leave it out of what is new'
      : 'is of nothing in this list: leave it out, and the service gives one'
    const isWrong = seen.has(id) || !known.has(id)
    seen.add(id)
    return isWrong ? [{ path: `${field}.${index}.id`, message }] : []
  })
}

/** The ids that a list of a record once had, as its history tells. */
const idsOfPast = statement(`
  select distinct item->>'id' as id
    from audit_entries a cross join json_array_elements(
      case json_typeof(a.changes->$3->'from') when 'array' then a.changes->$3->'from' else '[]' end) item
   where a.organization_id = $1 and a.subject_id = $2 and a.outcome = 'success' and item->>'id' is not null`)
