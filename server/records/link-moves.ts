import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import type { Caller } from '../caller/caller.ts'
import type { Row } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { entry, insertEntries } from '../journal/audit.ts'
import { Refusal } from '../refusal.ts'
import { backOf, eventOf, rowOf } from './link-changes.ts'
import { linkStatements } from './link-statements.ts'

/** The links of one side that a record leaves to another. */
export interface LinksOf {
  readonly side: Side
  /** Each with both of its records, as `lockAll` of link-statements.ts reads it. */
  readonly rows: readonly Row[]
  /** Of these, the ids of what the other is linked with already, or is itself. */
  readonly known: ReadonlySet<string>
}

/** Reads, and locks, the links of a record, and which of them another has too. */
export const lockLinks = (tx: Transaction, kind: Kind, from: string, to: string): Promise<LinksOf[]> =>
  Promise.all(
    sidesOf(kind).map(async (side) => {
      const { lockAll } = linkStatements(side)
      const [rows, theirs] = await Promise.all(
        [from, to].map((id) => tx.read(lockAll(tx.organizationId, id))),
      )
      refuseTooMany(side, rows!, theirs!, to)
      return { side, rows: rows!, known: new Set([to, ...theirs!.map(thereOf)]) }
    }),
  )

/**
 * Leaves the links of one record to another, which keeps its own as they are. What is at the other ends is told in its
 * history that it is linked with the other now, or, where it was already, with that alone.
 * @param reason for those entries
 */
export function moveLinks(
  tx: Transaction,
  caller: Caller,
  all: readonly LinksOf[],
  { from, to, time, reason }: { from: string; to: Told; time: string; reason: string },
): void {
  for (const { side, rows, known } of all) {
    if (rows.length === 0) continue
    const { move, endAll } = linkStatements(side)
    tx.write(move(tx.organizationId, from, to.id))
    tx.write(endAll(tx.organizationId, from))
    const { word } = backOf(side)
    const events = rows.flatMap((row) => {
      const attributes = row.attributes as Values
      const ends = eventOf(
        'unlink',
        time,
        [rowOf('there', row), side.other, rowOf('here', row), word],
        attributes,
        null,
      )
      if (thereOf(row) === to.id) return []
      if (known.has(thereOf(row))) return { ...ends, reason }
      const moved = eventOf('link', time, [rowOf('there', row), side.other, to, word], null, attributes)
      const change = { from: ends.changes![word]!.from, to: moved.changes![word]!.to }
      return { ...moved, changes: { [word]: change }, reason }
    })
    if (events.length > 0) tx.write(insertEntries(events.map((event) => entry(caller, event))))
  }
}

type Told = Parameters<typeof eventOf>[2][0]

export const thereOf = (row: Row): string => String(row.there_id)

function refuseTooMany(side: Side, rows: readonly Row[], theirs: readonly Row[], to: string): void {
  const { relation, kind, noun } = side
  const all = new Set([...rows, ...theirs].map(thereOf).filter((id) => id !== to))
  if (all.size <= relation.atMost) return
  throw new Refusal(
    'link_limit_reached',
    `Together they are linked with ${all.size} ${noun.many}, and one ${kind.noun.one} may be with ${relation.atMost}: unlink some of them first.`,
  )
}
