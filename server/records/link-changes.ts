import { recordAction } from '../../model/audit-actions.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { holdingSides, linkedIds, type Side, sidesOf } from '../../model/relations.ts'
import { nameColumn } from '../../model/roles.ts'
import { isBackOf } from '../../model/sides.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { type Query, type Row, statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { type AuditEvent, type AuditRow, entry, insertEntries } from '../journal/audit.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { refuseArchived } from './archived.ts'
import { attributesAfter } from './link-attributes.ts'
import { attributeValues, linkStatements } from './link-statements.ts'
import { referenceIn } from './reference.ts'

/*
 * What links have in common however they are made and ended: by themselves (link-records.ts), with new records, and with
 * the end of one.
 *
 * A link is a row of its own and moves neither record's `version` nor `updatedAt`: who links a control must not
 * be in the way of who edits the risk (412), and the signals of a record stay in the order of its versions.
 * Endpoints are told of no link: none of the watched fields is one. Both records have it in their histories.
 * Deleting a record locks its links in the order of their keys, table by table, as every other deletion does.
 */

/** Locks all that new records are to be linked with, in the order of their ids, before each reads its own. */
export function lockLinked(tx: Transaction, kind: Kind, all: readonly Values[]): void {
  const kindOf = new Map(
    linkedIds(kind).flatMap(([field, { other }]) =>
      all.flatMap((given) => ((given[field] ?? []) as string[]).map((id) => [id, other] as const)),
    ),
  )
  for (const id of [...kindOf.keys()].sort()) void tx.read(locking(kindOf.get(id)!)(tx.organizationId, id))
}

/** How many links each record gains by what is written together, by relation and id: none of them counts the others. */
export type Gained = Map<string, number>

/**
 * Reads, and locks, what a record is to be linked with as soon as it is there.
 * @param given its values, of which some list ids
 * @returns those lists as they will stand; what counts the links among those that are written with them; and what writes
 *   them behind the record. None of them leads round, as nothing is linked with it yet
 * @throws {Refusal} `validation_failed` for an id that is not here, `conflict` for what is archived; by `count`
 *   `link_limit_reached`
 */
export async function preparingLinks(
  { tx, caller }: TransactionContext,
  kind: Kind,
  given: Values,
  id: string,
) {
  const wanted = linkedIds(kind).map(([field, side]) => {
    const ids = [...new Set((given[field] ?? []) as string[])].sort()
    return { field, side, ids }
  })
  const found = await Promise.all(
    wanted.flatMap(({ field, side, ids }) =>
      ids.map(async (other, index) => {
        const [[row], [counted]] = await Promise.all([
          tx.read<Locked>(locking(side.other)(tx.organizationId, other)),
          tx.read<{ there: number }>(linkStatements(side).count(tx.organizationId, id, other)),
        ])
        if (!row)
          throw invalid({
            path: `${field}.${index}`,
            message: `no such ${side.other.noun.one} here: check the id`,
          })
        refuseArchived(side.other, row)
        return {
          side,
          count: counted!.there,
          there: told({ id: other, ...row }),
        }
      }),
    ),
  )
  return {
    lists: Object.fromEntries(wanted.map(({ field, ids }) => [field, ids])),
    count: (gained: Gained): void => {
      const keyOf = ({ side, there }: (typeof found)[number]) =>
        `${side.relation.name} ${side.word} ${there.id}`
      for (const one of found) refuseFull(one.side, 0, one.count + (gained.get(keyOf(one)) ?? 0))
      for (const one of found) gained.set(keyOf(one), (gained.get(keyOf(one)) ?? 0) + 1)
    },
    write: (here: Told, time: string): void => {
      for (const { side, there } of found) writeNew({ tx, caller }, side, here, there, time)
    },
  }
}

/**
 * Links records that the same transaction holds, one of which it has just made: neither can have such a link yet.
 * @param word what those there are to those here
 * @param time of the write
 */
export const linkNew = (
  context: Pick<TransactionContext, 'tx' | 'caller'>,
  kind: Kind,
  word: string,
  here: Told,
  there: Told,
  time: string,
): void => writeNew(context, sideTo(kind, word), here, there, time)

function writeNew(
  { tx, caller }: Pick<TransactionContext, 'tx' | 'caller'>,
  side: Side,
  here: Told,
  there: Told,
  time: string,
): void {
  const said = attributesAfter(side, null, {})
  const events = endsOf(side, here, there).map((end) => eventOf('link', time, end, null, said))
  const key = [tx.organizationId, here.id, there.id]
  const by = JSON.stringify(actorOf(caller))
  tx.write(linkStatements(side).put([...key, ...attributeValues(side, said), time, by], caller, events))
}

/**
 * Reads, and locks, the links of a record that is being deleted.
 * @param isForced whether what holds the record is unlinked with the rest
 * @returns what writes their end into the histories of both; the rows go with the record
 * @throws {Refusal} `referenced` where others hold it
 */
export async function endingLinks(
  tx: Transaction,
  kind: Kind,
  id: string,
  isForced: boolean,
): Promise<LinksEnd> {
  // In the order of the tables for each deletion, so that two of them cannot wait for each other.
  const sides = sidesOf(kind).toSorted((one, other) => (one.relation.table < other.relation.table ? -1 : 1))
  const all = await Promise.all(
    sides.map((side) => tx.read(linkStatements(side).lockAll(tx.organizationId, id))),
  )
  if (!isForced)
    refuseHeld(
      kind,
      sides.map((side, index) => ({ side, count: all[index]!.length })),
    )
  return (caller, time) => {
    const reason = `The ${kind.noun.one} was deleted`
    const events = all.flatMap((rows, index) =>
      rows.flatMap((row) =>
        endsOf(sides[index]!, rowOf('here', row), rowOf('there', row)).map((end) => ({
          ...eventOf('unlink', time, end, row.attributes as Values, null),
          reason,
        })),
      ),
    )
    const entries: AuditRow[] = events.map((event) => entry(caller, event))
    return entries.length > 0 ? insertEntries(entries) : null
  }
}

function refuseHeld(kind: Kind, counted: readonly { side: Side; count: number }[]): void {
  const holding = counted.filter(({ side, count }) => holdingSides(kind).includes(side) && count > 0)
  if (holding.length === 0) return
  const told = holding.map(({ side, count }) => `${count} ${inNumber(side.noun, count)}`)
  throw new Refusal(
    'referenced',
    `It is linked with ${told.join(' and ')}: unlink them first, or delete it with force=unlink to have that done.`,
    { counts: Object.fromEntries(holding.map(({ side, count }) => [side.word, count])) },
  )
}

export type LinksEnd = (caller: Caller, time: string) => Query | null

/** The side by which a kind links what that word says. */
export function sideTo(kind: Kind, target: string): Side {
  return sidesOf(kind).find(({ word, writes }) => writes && word === target)!
}

/** The word of a side in an answer, where the kind of the other record does not say it already. */
export const wordIn = ({ word, other }: Side) => (word === other.name ? {} : { relation: word })

export const backOf = (side: Side): Side => sidesOf(side.other).find(isBackOf(side))!

/** @throws {Refusal} `link_limit_reached` where one of two has all the links that it may have */
export function refuseFull(side: Side, here: number, there: number): void {
  const { atMost } = side.relation
  if (here < atMost && there < atMost) return
  const [{ one }, { many }] =
    here >= atMost ? [side.kind.noun, side.noun] : [side.other.noun, backOf(side).noun]
  throw new Refusal(
    'link_limit_reached',
    `The ${one} is linked with ${atMost} ${many}, which is all it may be: unlink one that matters less, or split the ${one}.`,
  )
}

export interface Told {
  readonly id: string
  readonly reference: string
  readonly title: string
}

type End = readonly [subject: Told, subjectKind: Kind, linked: Told, word: string]

/** A link as each of its records tells it. */
export const endsOf = (side: Side, here: Told, there: Told): readonly End[] => [
  [here, side.kind, there, side.word],
  [there, side.other, here, backOf(side).word],
]

export function eventOf(
  verb: 'link' | 'unlink',
  time: string,
  [subject, kind, linked, word]: End,
  from: Values | null,
  to: Values | null,
): AuditEvent {
  const said = (attributes: Values | null) => attributes && { ...linked, role: null, ...attributes }
  return {
    time,
    action: recordAction(kind, verb),
    subject: { type: kind.name, ...subject },
    changes: { [word]: { from: said(from), to: said(to) } },
  }
}

/** One of the two records of a row that tells both. */
export const rowOf = (which: 'here' | 'there', row: Row): Told => ({
  id: String(row[`${which}_id`]),
  reference: String(row[`${which}_reference`]),
  title: String(row[`${which}_called`]),
})

/** What its links tell of a record. */
export const told = ({ id, reference, title }: Told): Told => ({ id, reference, title })

/** A record as whoever links it holds it. */
export interface Locked extends Values {
  readonly reference: string
  readonly title: string
  readonly archivedAt: string | null
}

export const locking = statementOf(
  (
    kind: Kind,
  ) => `select ${referenceIn(kind)} as reference, ${nameColumn(kind)} as title, archived_at as "archivedAt"
     from ${kind.table}
    where organization_id = $1 and id = $2 for no key update`,
)
