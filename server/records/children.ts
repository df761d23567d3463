import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { type Child, childKinds, isChild, parentKind } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { single } from '../../model/roles.ts'
import { prepared } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { isStorable } from '../input.ts'
import { notFound, Refusal } from '../refusal.ts'
import { refuseArchived } from './archived.ts'
import { referenceIn } from './reference.ts'

/*
 * Records that are under another one, their parent, and what becomes of them with it.
 *
 * Whoever adds a child holds its parent by a lock that others who add may share, and whoever deletes or changes the
 * parent may not: so the children that a deletion finds under the parent's lock are all there are and will be, and a
 * parent that is just being deleted is still there, or gone before the child.
 */

/** That go with their parent at once: each is a record of its own that is told of, and others wait meanwhile. */
export const CHILDREN_AT_MOST = 1_000

export interface ChildRecord {
  readonly kind: Child
  readonly id: string
}

/** The parent that a record of the kind is to have; none of a kind that is under no other, or where none is named. */
export function parentIn(kind: Kind, values: Values): { kind: Kind; id: string } | null {
  const id = isChild(kind) ? values[kind.under.field] : null
  return isChild(kind) && typeof id === 'string' ? { kind: parentKind(kind), id } : null
}

/**
 * Keeps a record from being deleted and archived until the transaction ends.
 * @throws {Refusal} `not_found`; `conflict` where it is archived
 */
export async function holdThere(tx: Transaction, kind: Kind, id: string): Promise<void> {
  const hold = prepared(
    `select ${referenceIn(kind)} as reference, archived_at as "archivedAt" from ${kind.table}
      where organization_id = $1 and id = $2 for share`,
  )
  const [row] = await tx.read<Values>(hold(tx.organizationId, id))
  if (!row) throw notFound()
  refuseArchived(kind, row)
}

/**
 * Keeps the parents that records are to have from being deleted until the transaction ends, in the order of their ids.
 * Whoever then locks children does so as a deletion does: the parent first. One that is not here is no matter yet.
 */
export async function holdParents(tx: Transaction, kind: Kind, records: readonly unknown[]): Promise<void> {
  if (!isChild(kind)) return
  const ids = records.flatMap((one) => parentIn(kind, (one ?? {}) as Values)?.id ?? [])
  const hold = prepared(
    `select from ${parentKind(kind).table} where organization_id = $1 and id = any($2) order by id for share`,
  )
  await tx.read(hold(tx.organizationId, ids.filter(isStorable)))
}

/** Locks what is under a record and does not keep it from being deleted, one more than may go, in the order of ids. */
export async function lockChildren(tx: Transaction, kind: Kind, id: string): Promise<ChildRecord[]> {
  const found = await Promise.all(
    childKinds(kind).map(async (child) => {
      const { table, under } = child
      if (under.withParent === 'refuse') return []
      const lock = prepared(
        `select id from ${table} where organization_id = $1 and ${columnOf(under.field)} = $2
          order by id limit ${CHILDREN_AT_MOST + 1} for no key update`,
      )
      const rows = await tx.read<{ id: string }>(lock(tx.organizationId, id))
      return rows.map((row) => ({ kind: child, id: row.id }))
    }),
  )
  return found.flat().sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** The records under one that stood before a change of it (`under.stands`), and stand no longer. */
export function noLongerStanding(kind: Kind, before: Values, after: Values): ChildRecord[] {
  return childKinds(kind).flatMap((child) => {
    const { stands } = child.under
    if (stands === undefined) return []
    const [was, is] = [before[stands], after[stands]] as ({ id: string } | null | undefined)[]
    return was && was.id !== is?.id ? [{ kind: child, id: was.id }] : []
  })
}

/** @throws {Refusal} `referenced`, with how many there are of each kind */
export async function refuseTooManyChildren(
  tx: Transaction,
  kind: Kind,
  id: string,
  children: readonly ChildRecord[],
): Promise<void> {
  if (children.length <= CHILDREN_AT_MOST) return
  const counted = await Promise.all(
    [...new Set(children.map((child) => child.kind))].map(async ({ name, noun, table, under }) => {
      const count = prepared(
        `select count(*)::int as count from ${table} where organization_id = $1 and ${columnOf(under.field)} = $2`,
      )
      const [row] = await tx.read<{ count: number }>(count(tx.organizationId, id))
      return { name, noun, count: row!.count }
    }),
  )
  const told = counted.map(({ noun, count }) => `${count} ${inNumber(noun, count)}`).join(' and ')
  const instead = kind.insteadOfDeletion ? `, or ${kind.insteadOfDeletion}` : ''
  const way = kind.deletedWholeBy
    ? `${kind.deletedWholeBy} deletes it with all of them`
    : `delete some of them first${instead}`
  throw new Refusal(
    'referenced',
    `${told} are under ${single(kind.noun)}, and ${CHILDREN_AT_MOST} go with it at most: ${way}.`,
    { counts: Object.fromEntries(counted.map(({ name, count }) => [name, count])) },
  )
}
