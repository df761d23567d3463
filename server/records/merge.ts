import { recordAction } from '../../model/audit-actions.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { sidesOf } from '../../model/relations.ts'
import { single } from '../../model/roles.ts'
import { linkColumns } from '../../model/sides.ts'
import { prepared, statement } from '../database/connect.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { refuseArchived } from './archived.ts'
import { changeRecord } from './change-record.ts'
import { stepsBetween } from './circles.ts'
import { leadOn, takeTurnToMerge } from './external-id-aliases.ts'
import { lockLinks, moveLinks } from './link-moves.ts'
import { filledFrom, freeUnique } from './merge-fields.ts'
import { idPointersTo, type Pointing, readPointing } from './pointers.ts'
import { subjectOf } from './record-events.ts'
import { writeEnds } from './removal.ts'
import { getRecord, lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/*
 * Two records that are about the same thing become one. The one that is kept takes over whatever points at the other:
 * fields of records of any kind, found by what the kinds say of their fields, and links of every relation. What it has no
 * value for it takes from the other (merge-fields.ts), and then that one is gone; an external id that it does not take
 * leads to it (external-id-aliases.ts). All of it is one transaction, in which
 * each record that changes has one entry: those that pointed, what was linked, the kept one, and the other, whose entry
 * has all that stood in it.
 *
 * Nothing may begin to point at what is about to go. So all records concerned are looked for first, then locked in the
 * order of their ids, as links and deletions lock theirs, and then read again; what points at a record by a foreign key
 * holds it by a lock that the one on the record to go does not let in. Merges of one kind take turns, so that two that
 * share records, or name each other, never wait for one another.
 */

/** That are moved at once: each is a record of its own that is told of, and others wait meanwhile. */
export const MOVED_AT_MOST = 1_000

export interface Merge {
  /** The record that stays. */
  readonly id: string
  /** The record that is gone afterwards. */
  readonly from: string
  /** The versions that the caller read, where it sent them. */
  readonly ifMatch?: IfMatch | undefined
  readonly fromVersion?: number | undefined
}

/** What a merge would do. */
export interface MergePlan {
  readonly kept: Values
  readonly gone: Values
  /** How many records of each kind point at the one that goes. */
  readonly pointing: readonly { readonly kind: string; readonly count: number }[]
  /** With how many of each kind it is linked, and how many of these the kept one is linked with already. */
  readonly linked: readonly { readonly relation: string; readonly count: number; readonly known: number }[]
  /** The fields of the kept one that take a value, or more of them, from the other. */
  readonly filled: readonly string[]
}

/**
 * What a merge would do, as things stand; nothing is written.
 * @throws {Refusal} `not_found`, `validation_failed` for a record with itself
 */
export async function planMerge(
  context: TransactionContext,
  kind: Kind,
  { id, from }: Merge,
): Promise<MergePlan> {
  const { tx } = context
  refuseItself(id, from)
  const [kept, gone, pointing, linked] = await Promise.all([
    getRecord(context, kind, id),
    getRecord(context, kind, from),
    pointingAt(tx, kind, from, id),
    linkedWith(tx, kind, from, id),
  ])
  const byKind = Object.groupBy(pointing, (one) => one.kind.name)
  return {
    kept,
    gone,
    pointing: Object.entries(byKind).map(([name, all]) => ({ kind: name, count: all!.length })),
    linked: linked.flatMap(({ side, ids, known }) =>
      ids.length > 0 ? [{ relation: side.word, count: ids.length, known }] : [],
    ),
    filled: Object.keys(await filledFrom(tx, kind, kept, gone)),
  }
}

/**
 * Merges one record into another.
 * @returns the one that is kept
 * @throws {Refusal} `not_found`, `version_mismatch`, `validation_failed` for a record with itself, `conflict` where one of
 *   them is archived, `referenced` where more
 *   is to be moved than goes at once, `link_limit_reached`, `cycle` where a third record stands between them
 */
export async function mergeRecords(
  context: TransactionContext,
  kind: Kind,
  { id, from, ifMatch, fromVersion }: Merge,
): Promise<Values> {
  const { tx, caller } = context
  refuseItself(id, from)
  await lockAll(context, kind, id, from)
  const table = tableOf(kind)
  const [kept, gone, pointing, links] = await Promise.all([
    lockRecord(context, table, id, ifMatch),
    lockRecord(context, table, from, fromVersion),
    pointingAt(tx, kind, from, id),
    lockLinks(tx, kind, from, id),
  ])
  for (const { before } of [kept, gone]) refuseArchived(kind, before)
  await refuseBetween(tx, kind, kept.before, gone.before)
  const filled = await filledFrom(tx, kind, kept.before, gone.before)
  const [one, other] = [kept.before, gone.before].map((record) => subjectOf(kind, record))
  const reason = `${other!.reference} was merged into ${one!.reference}`

  await Promise.all(
    pointing.map((record) =>
      changeRecord(context, record.kind, record.id, {
        set: Object.fromEntries(record.fields.map((field) => [field, id])),
        reason,
        lets: 'archived',
      }),
    ),
  )
  const to = { id, reference: one!.reference!, title: one!.title! }
  moveLinks(tx, caller, links, { from, to, time: kept.time, reason })
  freeUnique(tx, kind, from, filled)
  const because = `${other!.reference} ${other!.title} was merged into it`
  if (Object.keys(filled).length === 0)
    audit(tx, caller, {
      time: kept.time,
      action: recordAction(kind, 'update'),
      subject: one!,
      reason: because,
    })
  const after = await changeRecord(context, kind, id, { set: filled, reason: because })
  const { externalId } = gone.before
  // What was said about it is about the one that stays; what somebody says now waits, and finds it gone.
  await tx.read(holdKnown(tx.organizationId, from))
  tx.write(moveComments(tx.organizationId, from, id))
  leadOn(tx, kind, from, id, externalId === after.externalId ? null : externalId)
  writeEnds(context, [{ kind, before: gone.before, time: gone.time, reason }])
  return after
}

const holdKnown = statement('select from known_records where organization_id = $1 and id = $2 for update')

const moveComments = statement(
  'update comments set record_id = $3 where organization_id = $1 and record_id = $2',
)

function refuseItself(id: string, from: string): void {
  if (id === from) throw invalid({ path: 'from', message: 'is the record itself: give the other one' })
}

/** The records that point at the one that goes, but for the one that is kept. */
const pointingAt = (tx: Transaction, kind: Kind, from: string, id: string): Promise<Pointing[]> =>
  readPointing(tx, idPointersTo(kind), from, { besides: id, atMost: MOVED_AT_MOST })

/** With what a record is linked, and how much of that another is linked with, too. */
const linkedWith = (tx: Transaction, kind: Kind, from: string, id: string) =>
  Promise.all(
    sidesOf(kind).map(async (side) => {
      const { here, there } = linkColumns(side)
      const find = prepared(
        `select ${there} as id, exists (select from ${side.relation.table} k where k.organization_id = $1
            and k.${here} = $3 and k.${there} = l.${there}) as known
           from ${side.relation.table} l where organization_id = $1 and ${here} = $2 and ${there} <> $3`,
      )
      const rows = await tx.read<{ id: string; known: boolean }>(find(tx.organizationId, from, id))
      return { side, ids: rows.map((row) => row.id), known: rows.filter(({ known }) => known).length }
    }),
  )

/** Locks both, whatever points at the one that goes and whatever it is linked with, in the order of their ids. */
async function lockAll({ tx }: TransactionContext, kind: Kind, id: string, from: string): Promise<void> {
  const [, pointing, linked] = await Promise.all([
    takeTurnToMerge(tx, kind),
    pointingAt(tx, kind, from, id),
    linkedWith(tx, kind, from, id),
  ])
  refuseTooMany(kind, pointing, linked)
  const all = [
    { kind, ids: [id, from] },
    ...pointing.map((one) => ({ kind: one.kind, ids: [one.id] })),
    ...linked.map(({ side, ids }) => ({ kind: side.other, ids })),
  ]
  const inOrder = everyKind.toSorted((one, other) => (`${one.idPrefix}_` < `${other.idPrefix}_` ? -1 : 1))
  for (const { table, name } of inOrder) {
    const ids = all.flatMap((one) => (one.kind.name === name ? one.ids : []))
    if (ids.length === 0) continue
    const lock = `select from ${table} where organization_id = $1 and id = any($2) order by id for no key update`
    void tx.read(prepared(lock)(tx.organizationId, ids))
  }
  const hold = `select from ${kind.table} where organization_id = $1 and id = $2 for update`
  await tx.read(prepared(hold)(tx.organizationId, from))
}

function refuseTooMany(
  kind: Kind,
  pointing: readonly Pointing[],
  linked: Awaited<ReturnType<typeof linkedWith>>,
): void {
  const counted = [
    ...pointing.map((one) => one.kind.name),
    ...linked.flatMap(({ side, ids }) => ids.map(() => side.word)),
  ]
  if (counted.length <= MOVED_AT_MOST) return
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(counted, (word) => word)).map(([word, all]) => [word, all!.length]),
  )
  const told = Object.entries(counts).map(([word, count]) => `${count} ${word}`)
  throw new Refusal(
    'referenced',
    `${told.join(', ')} would be moved with ${single(kind.noun)}, and ${MOVED_AT_MOST} are at most: change some of those first.`,
    { counts },
  )
}

/** Where a third record leads from the kept one to the other, it would stand above and below the same. */
async function refuseBetween(tx: Transaction, kind: Kind, kept: Values, gone: Values): Promise<void> {
  for (const field of kind.acyclic) {
    const above = kept[field]
    if (typeof above !== 'string' || above === gone.id) continue
    if ((await stepsBetween(tx, kind, field, above, gone.id as string)) === null) continue
    throw new Refusal(
      'cycle',
      `${kept.reference} is below ${gone.reference} by way of another ${kind.noun.one}, which would then be above and below the same: change ${field} of one of them first, or merge the other way round.`,
    )
  }
}
