import type { Values } from '../../model/complaint.ts'
import { isChild, parentKind } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { stateField } from '../../model/roles.ts'
import type { TransactionContext } from '../operation.ts'
import { changeRecords, lockRecords } from './change-many.ts'
import { changeRecord } from './change-record.ts'
import { readRecords } from './stored-record.ts'

/* What comes of records by time alone: the state that a deadline of their kind says (`lapses`). */

/** Of records that are about to lapse: those whose parents name one that stands, and so change with it. */
export interface Lapsing {
  readonly ids: readonly string[]
  readonly parents: readonly Values[]
}

/** Locks records, and the parents that change with them: these first, as whoever deletes or decides them does. */
export async function lockLapsing(
  context: TransactionContext,
  kind: Kind,
  ids: readonly string[],
): Promise<Lapsing> {
  const parents = await lockParents(context, kind, ids)
  const there = await lockRecords(context, kind, ids)
  return { ids: there.map(({ before }) => before.id as string), parents }
}

async function lockParents(
  context: TransactionContext,
  kind: Kind,
  ids: readonly string[],
): Promise<Values[]> {
  if (!isChild(kind) || kind.under.stands === undefined) return []
  const children = await readRecords(context, kind, ids)
  const above = new Set(children.flatMap((child) => (child[kind.under.field] as string | null) ?? []))
  const locked = await lockRecords(context, parentKind(kind), [...above])
  return locked.map(({ before }) => before)
}

/**
 * Leads records on to the state to which they lapse, each with its entry and signal; what stood by one of them in its
 * parent ends with it.
 * @returns the records as they are by then
 * @throws {Refusal} where the rules of the kind refuse one of them; then none lapses
 */
export async function lapseRecords(
  context: TransactionContext,
  kind: Kind,
  state: string,
  { ids, parents }: Lapsing,
): Promise<Values[]> {
  const lapsed = await changeRecords(context, kind, ids, { [stateField(kind)!]: state })
  if (!isChild(kind)) return lapsed
  for (const { id, [kind.under.field]: above } of lapsed) {
    const parent = parents.find((one) => one.id === above)
    if (parent) await endStanding(context, kind, id as string, parent)
  }
  return lapsed
}

/** Ends what a record stands for in its parent (`under.stands`), if it does: what follows is for the parent's rules to say. */
export async function endStanding(
  context: TransactionContext,
  kind: Kind,
  id: string,
  parent: Values,
): Promise<void> {
  const stands = kind.under?.stands
  if (!isChild(kind) || stands === undefined) return
  if ((parent[stands] as { id: string } | null)?.id !== id) return
  await changeRecord({ ...context, actsOn: undefined }, parentKind(kind), parent.id as string, {
    set: { [stands]: null },
  })
}
