import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { refuseDeletion, refuseUnwritable } from './change-rules.ts'
import { CHILDREN_AT_MOST, type ChildRecord, lockChildren, refuseTooManyChildren } from './children.ts'
import { readFacts } from './facts.ts'
import { journal, journalMany } from './journalled-write.ts'
import { endingLinks } from './link-changes.ts'
import { countPointers, isClearable, type Pointing, pointersTo, readPointing } from './pointers.ts'
import { deletionOf } from './record-events.ts'
import { getRecord, lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/** How a record is removed. */
export interface Removal {
  /** The version the caller read, where it sent one. */
  readonly ifMatch?: IfMatch | undefined
  /** `unlink`: also where other records are linked with it, or name it and can do without, that would keep it. */
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
  await writePrepared(context, [await prepareRemoval(context, kind, id, { ifMatch, force })])
}

/**
 * Removes some of what is under a record and goes with it, ahead of the record, where that is more than goes at once.
 * @param children whoever else is under it and stays points at none of them
 * @throws {Refusal} as `deleteRecord`, of the record itself too
 */
export async function deleteUnder(
  context: TransactionContext,
  kind: Kind,
  id: string,
  children: readonly ChildRecord[],
): Promise<void> {
  await refuseUnlessDeletable(context, kind, id)
  const reason = reasonOf(kind)
  const removals = await Promise.all(
    children.map((child) => prepareRemoval(context, child.kind, child.id, { reason, parent: id })),
  )
  await writePrepared(context, removals)
}

/** @throws {Refusal} what would keep a record from being deleted, but for how much is under it */
export async function refuseUnlessDeletable(
  context: TransactionContext,
  kind: Kind,
  id: string,
): Promise<void> {
  const [{ before }, facts, pointing] = await Promise.all([
    lockRecord(context, tableOf(kind), id),
    kind.rules?.refuseDeletion ? readFacts(context, kind, { id }, {}) : null,
    countPointers(context.tx, kind, id, false),
  ])
  if (facts) refuseDeletion(kind, before, facts)
  refuseReferenced(kind, pointing)
}

const reasonOf = ({ noun }: Kind): string => `The ${noun.one} was deleted`

/** The end of a record that nothing points at any more, with all that stood in it. */
interface End {
  readonly kind: Kind
  readonly before: Values
  readonly time: string
  readonly reason?: string | undefined
}

/** A removal that is judged. */
interface Prepared extends End {
  /** Writes what goes, or lets go, before the record does. */
  readonly ahead: () => Promise<void>
}

async function writePrepared(context: TransactionContext, removals: readonly Prepared[]): Promise<void> {
  for (const { ahead } of removals) await ahead()
  writeEnds(context, removals)
}

/**
 * Reads, under their locks, a record and all that goes with it: the parent first and its children in the order of
 * their ids, so that two removals never wait for each other crosswise. Nothing is written before all of it is judged.
 * @returns what is to be written: the children in that order, and then the record
 */
async function prepareRemoval(
  context: TransactionContext,
  kind: Kind,
  id: string,
  { ifMatch, force, reason, parent }: Removal & { reason?: string; parent?: string },
): Promise<Prepared> {
  const { tx, caller } = context
  const table = tableOf(kind)
  const isForced = force === 'unlink'
  const [{ before, time }, facts, pointing, unlinked, endLinks, children] = await Promise.all([
    lockRecord(context, table, id, ifMatch),
    kind.rules?.refuseDeletion && !parent ? readFacts(context, kind, { id }, {}) : null,
    countPointers(tx, kind, id, isForced, parent),
    isForced ? readUnlinked(tx, kind, id, parent) : [],
    endingLinks(tx, kind, id, isForced),
    lockChildren(tx, kind, id),
  ])
  if (facts) refuseDeletion(kind, before, facts)
  refuseReferenced(kind, pointing)
  await refuseTooManyChildren(tx, kind, id, children)
  refuseUnlinking(context, kind, unlinked)
  const because = { force, reason: reasonOf(kind), parent: id }
  const [going, staying] = [children.filter(goes), children.filter((child) => !goes(child))]
  const removals = await Promise.all(
    going.map((child) => prepareRemoval(context, child.kind, child.id, because)),
  )
  const ahead = async () => {
    for (const one of unlinked) await unlink(context, one, because.reason)
    await writePrepared(context, removals)
    for (const child of staying)
      await changeRecord(context, child.kind, child.id, {
        set: { [child.kind.under.field]: null },
        lets: 'archived',
      })
    const linksEnd = endLinks(caller, time)
    if (linksEnd) tx.write(linksEnd)
  }
  return { kind, before, time, reason, ahead }
}

/** Writes ends of records: of a kind those of many in one statement, whatever their number. */
export function writeEnds(context: TransactionContext, all: readonly End[]): void {
  const { tx, caller } = context
  for (const [kind, ends] of Map.groupBy(all, (one) => one.kind)) {
    const table = tableOf(kind)
    const events = ends.map(({ before, time, reason }) => deletionOf(kind, before, time, reason))
    const ids = ends.map(({ before }) => before.id as string)
    const [first] = events
    if (events.length === 1)
      journal(context, table.remove([tx.organizationId, ids[0]], caller, first!.event, first!.signal))
    else journalMany(context, table.removeMany(JSON.stringify(ids), caller, events))
  }
}

const goes = ({ kind }: ChildRecord): boolean => kind.under.withParent === 'delete'

/** What points at a record and can do without: it is unlinked where the deletion says so. */
const readUnlinked = (tx: Transaction, kind: Kind, id: string, parent?: string): Promise<Pointing[]> =>
  readPointing(
    tx,
    // What points at it and goes with it as well is let go by going.
    pointersTo(kind).filter((one) => isClearable(one) && !(parent && one.kind === kind)),
    id,
    { besides: id, atMost: CHILDREN_AT_MOST },
  )

/**
 * @throws {Refusal} `referenced` for more than are unlinked at once; that of the rights, or `field_not_permitted`, where the
 *   caller may not change what is unlinked
 */
function refuseUnlinking({ caller }: TransactionContext, kind: Kind, unlinked: readonly Pointing[]): void {
  for (const one of unlinked) {
    const needs = needsOf(one.kind, 'update')
    if (needs) refuseUnlessAllowed(needs, caller, {})
    refuseUnwritable(one.kind, caller, one.fields)
  }
  if (unlinked.length <= CHILDREN_AT_MOST) return
  throw new Refusal(
    'referenced',
    `More than ${CHILDREN_AT_MOST} records name the ${kind.noun.one}, which is all that are unlinked at once: change some of them first.`,
  )
}

/** @throws {Refusal} `referenced`, where its state asks for what it names */
async function unlink(
  context: TransactionContext,
  { kind, id, fields }: Pointing,
  reason: string,
): Promise<void> {
  const set = Object.fromEntries(fields.map((field) => [field, null]))
  try {
    await changeRecord({ ...context, actsOn: undefined }, kind, id, { set, reason, lets: 'archived' })
  } catch (refused) {
    if (!(refused instanceof Refusal) || refused.code !== 'validation_failed') throw refused
    const { reference } = await getRecord(context, kind, id)
    throw new Refusal(
      'referenced',
      `${reference} cannot do without it (${fields.join(', ')}) in its state: change that first.`,
      { counts: { [kind.name]: 1 } },
    )
  }
}

function refuseReferenced(
  kind: Kind,
  pointing: readonly { readonly kind: Kind; readonly count: number }[],
): void {
  if (pointing.length === 0) return
  const told = pointing.map(({ kind: { noun }, count }) => `${count} ${inNumber(noun, count)}`)
  const unlink = pointing.every((one) =>
    pointersTo(kind)
      .filter((p) => p.kind === one.kind)
      .every(isClearable),
  )
    ? ', or delete it with force=unlink to have that done'
    : ''
  const instead = kind.insteadOfDeletion ? `${unlink ? ';' : ','} or ${kind.insteadOfDeletion}` : ''
  throw new Refusal(
    'referenced',
    `Other records point here (${told.join(', ')}): change those first${unlink}${instead}.`,
    { counts: Object.fromEntries(pointing.map(({ kind: { name }, count }) => [name, count])) },
  )
}
