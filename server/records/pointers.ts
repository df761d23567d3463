import { columnOf } from '../../model/column-names.ts'
import { isChild } from '../../model/family.ts'
import { targetOf } from '../../model/fields.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { principalColumns } from '../../model/roles.ts'
import { statement } from '../database/connect.ts'
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

const statements = new Map<Kind, ReturnType<typeof statement> | null>()

/**
 * How many records of each kind point at one. Under that record's lock nothing can begin to point at it.
 * @returns the kinds with at least one
 */
export async function countPointers(
  tx: Transaction,
  kind: Kind,
  id: string,
): Promise<Record<string, number>> {
  let count = statements.get(kind)
  if (count === undefined) {
    count = counting(kind)
    statements.set(kind, count)
  }
  if (!count) return {}
  const rows = await tx.read<{ kind: string; count: number }>(count(tx.organizationId, id))
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]))
}

function counting(kind: Kind): ReturnType<typeof statement> | null {
  const pointers = pointersTo(kind)
  if (pointers.length === 0) return null
  const parts = pointers.map(
    (pointer) => `select '${pointer.kind.name}' as kind, id from ${pointer.kind.table}
       where organization_id = $1 and ${pointer.column} = $2 and id <> $2`,
  )
  return statement(
    `select kind, count(distinct id)::int as count from (${parts.join(' union all ')}) pointing group by kind order by kind`,
  )
}
