import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { type ChildRecord, lockChildren, refuseTooManyChildren } from './children.ts'
import { endingLinks } from './link-changes.ts'
import { countPointers } from './pointers.ts'
import { deletionOf } from './record-events.ts'
import { changeRecord, journal, lockRecord } from './store.ts'
import { tableOf } from './table.ts'

/** How a record is removed. */
export interface Removal {
  /** The version the caller read, where it sent one. */
  readonly ifMatch?: number | undefined
  /** `unlink`: also where other records are linked with it that would keep it. */
  readonly force?: 'unlink' | undefined
}

/**
 * Removes one record, and with it those that are under it and go with it, each with its own entry and signal.
 * @throws {Refusal} `not_found`, `version_mismatch`, and `referenced` where other records point here, or more are under
 *   it than go at once
 */
export async function deleteRecord(
  context: TransactionContext,
  kind: Kind,
  id: string,
  { ifMatch, force }: Removal = {},
): Promise<void> {
  const remove = await prepareRemoval(context, kind, id, { ifMatch, force })
  await remove()
}

/**
 * Reads, under their locks, a record and all that goes with it: the parent first and its children in the order of
 * their ids, so that two removals never wait for each other crosswise. Nothing is written before all of it is judged.
 * @returns what writes the removal: the children in that order, and then the record
 */
async function prepareRemoval(
  context: TransactionContext,
  kind: Kind,
  id: string,
  { ifMatch, force, reason }: Removal & { reason?: string },
): Promise<() => Promise<void>> {
  const { tx, caller } = context
  const table = tableOf(kind)
  const [{ before, time }, pointing, endLinks, children] = await Promise.all([
    lockRecord(context, table, id, ifMatch),
    countPointers(tx, kind, id),
    endingLinks(tx, kind, id, force === 'unlink'),
    lockChildren(tx, kind, id),
  ])
  refuseReferenced(kind, pointing)
  await refuseTooManyChildren(tx, kind, id, children)
  const because = { force, reason: `The ${kind.noun.one} was deleted` }
  const [going, staying] = [children.filter(goes), children.filter((child) => !goes(child))]
  const removals = await Promise.all(
    going.map((child) => prepareRemoval(context, child.kind, child.id, because)),
  )
  return async () => {
    for (const remove of removals) await remove()
    for (const child of staying)
      await changeRecord(context, child.kind, child.id, { set: { [child.kind.under.field]: null } })
    const linksEnd = endLinks(caller, time)
    if (linksEnd) tx.write(linksEnd)
    writeRemoval(context, kind, before, time, reason)
  }
}

/** Writes the end of a record that nothing points at any more, with all that stood in it. */
export function writeRemoval(
  context: TransactionContext,
  kind: Kind,
  before: Values,
  time: string,
  reason?: string,
): void {
  const { tx, caller } = context
  const { event, signal } = deletionOf(kind, before, time, reason)
  journal(context, tableOf(kind).remove([tx.organizationId, before.id], caller, event, signal))
}

const goes = ({ kind }: ChildRecord): boolean => kind.under.withParent === 'delete'

function refuseReferenced(kind: Kind, counts: Readonly<Record<string, number>>): void {
  const kinds = Object.entries(counts)
  if (kinds.length === 0) return
  const told = kinds.map(([name, count]) => `${count} ${name}`).join(', ')
  const instead = kind.insteadOfDeletion ? `, or ${kind.insteadOfDeletion}` : ''
  throw new Refusal('referenced', `Other records point here (${told}): change those first${instead}.`, {
    counts,
  })
}
