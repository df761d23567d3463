import { capital } from '../../model/capital.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import type { Side } from '../../model/relations.ts'
import { withArticle } from '../../model/roles.ts'
import { linkColumns } from '../../model/sides.ts'
import { actorOf } from '../caller/caller.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { refuseArchived } from './archived.ts'
import { type LinkLetIn, linksLetIn } from './let-in.ts'
import { attributesAfter } from './link-attributes.ts'
import {
  endsOf,
  eventOf,
  type Locked,
  locking,
  refuseFull,
  rowOf,
  sideTo,
  type Told,
  told,
  wordIn,
} from './link-changes.ts'
import { attributeValues, linkStatements } from './link-statements.ts'

/*
 * Two records are linked and unlinked: first judged, then written, so that a row of many is written whole or not at all.
 *
 * While a link is made, both records are locked, in the order of their ids whatever their kinds. So two who link
 * crosswise never wait for each other, what the limit counts stands still, and a record that is just being
 * deleted is either still there or gone. Where links must not lead round, those who make one take turns besides, after
 * their locks: of two that together would close a circle, the second looks once the first is there. Those of one
 * transaction reckon with what it has let in (let-in.ts). Ending a link locks the link alone.
 */

/** Two records, and what the other is to the one: the word of a side. */
export interface Pair {
  readonly id: string
  readonly targetKind: string
  readonly targetId: string
}

/** A link that may be made, or ended, as it is to be written. */
export interface JudgedLink {
  /** Of one that ends, what it said. */
  readonly answer: Values
  /** Nothing, where it says nothing new. */
  readonly write: () => void
  /** In place of that: others are judged as if it had not been asked for. */
  readonly forget: () => void
}

/**
 * Links two records, or changes what their link says; where that says nothing new, nothing is written.
 * @param attributes what is absent stays, or is assumed of a new link; null clears
 * @throws {Refusal} `not_found` where either record is not here, `conflict` where one is archived, `link_limit_reached`,
 *   `cycle`, `validation_failed`
 */
export async function linkRecords(context: TransactionContext, kind: Kind, pair: Pair & Values) {
  const { answer, write } = await judgeLink(context, kind, pair)
  write()
  return answer
}

/** @throws {Refusal} `not_found` where the two are not linked, or not here; `conflict` where one is archived */
export async function unlinkRecords(context: TransactionContext, kind: Kind, pair: Pair): Promise<void> {
  const { write } = await judgeUnlink(context, kind, pair)
  write()
}

/** Judges a link, which stands once it is written. @throws as `linkRecords` does */
export async function judgeLink(
  { tx, caller }: TransactionContext,
  kind: Kind,
  { id, targetKind, targetId, ...attributes }: Pair & Values,
): Promise<JudgedLink> {
  const side = sideTo(kind, targetKind)
  const { find, count, put, takeTurn, climb } = linkStatements(side)
  const key = [tx.organizationId, id, targetId]
  const { isAcyclic, name } = side.relation
  const letIn = beginLink(tx, side, id, targetId, true)
  try {
    const [[here, there], , [stands], [counted], [round]] = await Promise.all([
      lockBoth(tx, [kind, id], [side.other, targetId]),
      isAcyclic ? tx.read(takeTurn(`${tx.organizationId} ${name}`)) : [],
      tx.read<Link>(find(...key)),
      tx.read<{ here: number; there: number; time: string }>(count(...key)),
      isAcyclic ? tx.read<{ steps: number }>(climb(...key, ...letIn.chains)) : [],
    ])
    if (!here || !there) throw notFound()
    refuseArchived(kind, here)
    refuseArchived(side.other, there)
    const before = stands?.attributes ?? null
    const after = attributesAfter(side, before, attributes)
    const answer = { type: side.other.name, ...wordIn(side), id: targetId, role: null, ...after }
    if (stands) letIn.end()
    if (stands && Object.keys(after).every((field) => after[field] === stands.attributes[field]))
      return {
        answer: { ...answer, linkedAt: stands.linked_at, linkedBy: stands.linked_by },
        write: () => {},
        forget: () => {},
      }

    const { here: ours, there: theirs, time } = counted!
    if (!stands) refuseFull(side, ours + letIn.more.here, theirs + letIn.more.there)
    if (!stands && (round || id === targetId)) throw leadingRound(side, round?.steps ?? 0)
    const events = endsOf(side, told(here), told(there)).map((end) =>
      eventOf('link', time, end, before, after),
    )
    const by = stands?.linked_by ?? actorOf(caller)
    return {
      answer: { ...answer, linkedAt: stands?.linked_at ?? time, linkedBy: by },
      write: () => {
        letIn.end()
        tx.write(put([...key, ...attributeValues(side, after), time, JSON.stringify(by)], caller, events))
      },
      forget: letIn.end,
    }
  } catch (error) {
    letIn.end()
    throw error
  }
}

/** Judges the end of a link, which is over once that is written. @throws as `unlinkRecords` does */
export async function judgeUnlink(
  { tx, caller }: TransactionContext,
  kind: Kind,
  { id, targetKind, targetId }: Pair,
): Promise<JudgedLink> {
  const side = sideTo(kind, targetKind)
  const { lock, end } = linkStatements(side)
  const letIn = beginLink(tx, side, id, targetId, false)
  try {
    const [stands] = await tx.read(lock(tx.organizationId, id, targetId))
    if (!stands) throw notFound()
    refuseArchived(kind, { reference: stands.here_reference, archivedAt: stands.here_archived })
    refuseArchived(side.other, { reference: stands.there_reference, archivedAt: stands.there_archived })
    const events = endsOf(side, rowOf('here', stands), rowOf('there', stands)).map((one) =>
      eventOf('unlink', stands.time as string, one, stands.attributes as Values, null),
    )
    return {
      answer: stands.attributes as Values,
      write: () => {
        letIn.end()
        tx.write(end([tx.organizationId, id, targetId], caller, events))
      },
      forget: letIn.end,
    }
  } catch (error) {
    letIn.end()
    throw error
  }
}

/** Adds a link to what the transaction lets in, until it is written or refused; and what was let in before it. */
function beginLink(tx: Transaction, side: Side, id: string, targetId: string, isMade: boolean) {
  const { here, there } = linkColumns(side)
  const all = linksLetIn(tx, side.relation.name)
  const before = [...all]
  const own: LinkLetIn = { ends: { [here]: id, [there]: targetId }, isMade }
  all.add(own)
  const gained = (column: string, end: string) =>
    before.reduce((sum, one) => sum + (one.ends[column] === end ? (one.isMade ? 1 : -1) : 0), 0)
  const chainsOf = (made: boolean) => {
    const those = before.filter((one) => one.isMade === made)
    return [those.map(({ ends }) => ends[here]), those.map(({ ends }) => ends[there])]
  }
  return {
    /** How many links more than are written each of the two has. */
    more: { here: gained(here, id), there: gained(there, targetId) },
    /** Those that are made, then those that are ended, as their statement takes them. */
    chains: [...chainsOf(true), ...chainsOf(false)],
    end: () => {
      all.delete(own)
    },
  }
}

interface Link {
  readonly attributes: Values
  readonly linked_at: unknown
  readonly linked_by: unknown
}

function leadingRound({ kind, noun }: Side, steps: number): Refusal {
  const { one } = kind.noun
  if (steps === 0)
    return new Refusal(
      'cycle',
      `${capital(withArticle(kind.noun))} is no ${noun.one} of its own: give another.`,
    )
  return new Refusal(
    'cycle',
    `That would lead back to this ${one} after ${steps} ${steps === 1 ? 'link' : 'links'}: give another, or unlink one on the way first.`,
  )
}

type Reached = readonly [kind: Kind, id: string]

/** Locks two records in the order of their ids. @returns what they are called in the order given, where they are here */
async function lockBoth(
  tx: Transaction,
  one: Reached,
  other: Reached,
): Promise<((Told & Locked) | undefined)[]> {
  const lock = async ([kind, id]: Reached) => {
    const [row] = await tx.read<Locked>(locking(kind)(tx.organizationId, id))
    return row && { id, ...row }
  }
  if (one[1] < other[1]) return Promise.all([lock(one), lock(other)])
  return (await Promise.all([lock(other), lock(one)])).toReversed()
}
