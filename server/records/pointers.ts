import { columnOf } from '../../model/column-names.ts'
import { isChild } from '../../model/family.ts'
import { targetOf } from '../../model/fields.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { once } from '../../model/once.ts'
import { principalColumns } from '../../model/roles.ts'
import { prepared, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/** A field of some kind whose value is the id of a record of another. */
export interface Pointer {
  readonly kind: Kind
  readonly field: string
  readonly column: string
}

/** The fields of all kinds that point at records of this one, but for those of records that would go with it. */
export function pointersTo(target: Kind): Pointer[] {
  const goesWithIt = ({ kind, field }: Pointer) =>
    isChild(kind) && field === kind.under.field && kind.under.withParent !== 'refuse'
  return [
    ...idPointersTo(target).filter((pointer) => !goesWithIt(pointer)),
    ...(target.name === 'personnel' ? everyKind.flatMap((kind) => principalPointers(kind, 'personnel')) : []),
  ]
}

/** Whether the record can do without a value there, so that it may be unlinked from what it points at. */
export const isClearable = ({ kind, field }: Pointer): boolean =>
  targetOf(kind.fields[field]!) !== undefined && !kind.required.includes(field) && field !== kind.under?.field

/** The fields of all kinds that hold the id of a record of this one, whatever becomes of theirs with it. */
export const idPointersTo = (target: Kind): Pointer[] =>
  everyKind.flatMap((kind) =>
    Object.keys(kind.fields)
      .filter((field) => targetOf(kind.fields[field]!) === target.idPrefix)
      .map((field) => ({ kind, field, column: columnOf(field) })),
  )

/** The fields of a kind that may point at a principal of this type. */
export const principalPointers = (kind: Kind, type: 'user' | 'personnel'): Pointer[] =>
  principalFields(kind).map((field) => ({ kind, field, column: principalColumns(field)[type] }))

/**
 * How many records of each kind point at one. Under that record's lock nothing can begin to point at it.
 * @param isUnlinked whether those that can do without it are left out
 * @param parent that goes, and takes this one with it: what is under it as well is left out
 * @returns the kinds with at least one
 */
export async function countPointers(
  tx: Transaction,
  kind: Kind,
  id: string,
  isUnlinked: boolean,
  parent?: string,
): Promise<{ kind: Kind; count: number }[]> {
  const count = isUnlinked ? countFixed(kind) : countAll(kind)
  if (!count) return []
  const rows = await tx.read<{ kind: string; count: number }>(count(tx.organizationId, id, parent ?? null))
  return rows.map((row) => ({
    kind: everyKind.find(({ name }) => name === row.kind)!,
    count: row.count,
  }))
}

const countAll = once((kind: Kind) => counting(kind, pointersTo(kind)))
const countFixed = once((kind: Kind) =>
  counting(
    kind,
    pointersTo(kind).filter((one) => !isClearable(one)),
  ),
)

function counting(target: Kind, pointers: readonly Pointer[]): ReturnType<typeof statement> | null {
  if (pointers.length === 0) return null
  const parts = pointers.map(
    ({ kind, column }) => `select '${kind.name}' as kind, id from ${kind.table}
       where organization_id = $1 and ${column} = $2 and id <> $2 ${kind === target && isChild(kind) ? `and ($3::text is null or ${columnOf(kind.under.field)} <> $3)` : 'and ($3::text is null or true)'}`,
  )
  return statement(
    `select kind, count(distinct id)::int as count from (${parts.join(' union all ')}) pointing group by kind order by kind`,
  )
}

/** A record that points at another, with the fields by which it does. */
export interface Pointing {
  readonly kind: Kind
  readonly id: string
  readonly fields: readonly string[]
}

/**
 * The records that point at one by some of the pointers, in the order of their ids.
 * @param atMost so many by each pointer, and one more where there are more
 */
export async function readPointing(
  tx: Transaction,
  pointers: readonly Pointer[],
  at: string,
  { besides, atMost }: { readonly besides: string; readonly atMost: number },
): Promise<Pointing[]> {
  const found = await Promise.all(
    pointers.map(async (pointer) => {
      const rows = await tx.read<{ id: string }>(
        pointing(pointer)(tx.organizationId, at, besides, atMost + 1),
      )
      return rows.map((row) => ({ kind: pointer.kind, id: row.id, field: pointer.field }))
    }),
  )
  const byRecord = Map.groupBy(found.flat(), (one) => one.id)
  return [...byRecord.values()]
    .map((all) => ({ kind: all[0]!.kind, id: all[0]!.id, fields: all.map(({ field }) => field) }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

const pointing = ({ kind, column }: Pointer) =>
  prepared(`select id from ${kind.table} where organization_id = $1 and ${column} = $2 and id <> $3
    order by id limit $4::int`)
