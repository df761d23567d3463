import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Side } from '../../model/relations.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { refuseArchived } from '../records/archived.ts'
import { archivedAmong } from '../records/archived-targets.ts'
import { countThere, linkNewRecords, type NewLinks } from '../records/bulk-links.ts'
import { refuseFull } from '../records/link-changes.ts'
import { type JudgedLink, judgeLink, judgeUnlink } from '../records/link-records.ts'
import { readLinkedIds } from '../records/linked-ids.ts'
import { rowRefusal } from '../records/row-refusal.ts'
import { Refusal } from '../refusal.ts'
import type { PreparedRow } from './prepare-rows.ts'
import type { Linked } from './undone-rows.ts'

/* What records are linked with by rows: judged with the row, and written with it or not at all. */

/**
 * Of each row that is to be added, why it cannot be linked with what it names; null where it can. Each counts the links
 * that those before it make.
 */
export async function refusalsOfLinks(
  tx: Transaction,
  all: readonly PreparedRow['links'][],
): Promise<(Refusal | null)[]> {
  const wanted = Map.groupBy(
    all.flatMap((links) => [...links].flatMap(([side, ids]) => ids.map((id) => ({ kind: side.other, id })))),
    ({ kind }) => kind,
  )
  const archived = await Promise.all(
    [...wanted].map(([kind, those]) => archivedAmong(tx, kind, [...new Set(those.map(({ id }) => id))])),
  )
  const found = new Map(archived.flatMap((rows) => [...rows]))
  const counts = await countsThere(tx, all)
  const refusalOf = (links: PreparedRow['links']): Refusal | null => {
    for (const [side, ids] of links)
      for (const id of ids)
        try {
          refuseArchived(side.other, { ...found.get(id) })
          refuseFull(side, 0, counts.get(side)?.get(id) ?? 0)
        } catch (error) {
          return inColumnOf(side, error as Refusal)
        }
    for (const [side, ids] of links) {
      const gained = counts.get(side)!
      for (const id of ids) gained.set(id, (gained.get(id) ?? 0) + 1)
    }
    return null
  }
  return all.map(refusalOf)
}

/** How many links what rows name has already, by the sides from which it is named. */
export async function countsThere(
  tx: Transaction,
  all: readonly PreparedRow['links'][],
): Promise<ReadonlyMap<Side, Map<string, number>>> {
  const sides = [...new Set(all.flatMap((links) => [...links.keys()]))]
  const idsOf = (side: Side) => all.flatMap((links) => links.get(side) ?? [])
  return new Map(
    await Promise.all(sides.map(async (side) => [side, await countThere(tx, side, idsOf(side))] as const)),
  )
}

/** Links what was added with what its rows name. */
export async function linkAdded(context: TransactionContext, added: readonly NewLinks[]): Promise<void> {
  for (const side of new Set(added.flatMap(({ links }) => [...links.keys()])))
    refuseUnlessMayLink(context, side)
  await linkNewRecords(context, added)
}

function refuseUnlessMayLink({ caller }: TransactionContext, side: Side): void {
  refuseUnlessAllowed(needsOf(side.kind, 'link')!, caller, {})
  if (side.relation.needs) refuseUnlessAllowed(side.relation.needs, caller, {})
}

/**
 * Judges the links of a record that its row names and that it has not, and the end of its others by each side.
 * @param unlinks what is taken back: a link that it ended says again what it said
 * @param judged is given each as it is let in, also where a later one is refused
 * @returns what would be linked and unlinked
 */
export async function judgeLinks(
  context: TransactionContext,
  id: string,
  links: PreparedRow['links'],
  unlinks: Linked | null,
  judged: (link: JudgedLink) => void,
): Promise<Linked> {
  const linked: Record<string, Linked[string]> = {}
  for (const [side, wanted] of links)
    try {
      refuseUnlessMayLink(context, side)
      const there = new Set(await readLinkedIds(context.tx, side, id))
      const pair = (targetId: string) => ({ id, targetKind: side.word, targetId })
      const ended: Record<string, Values> = {}
      for (const one of [...there].filter((each) => !wanted.includes(each)).toSorted()) {
        const link = await judgeUnlink(context, side.kind, pair(one))
        judged(link)
        ended[one] = link.answer
      }
      const added = wanted.filter((one) => !there.has(one)).toSorted()
      for (const one of added)
        judged(await judgeLink(context, side.kind, { ...unlinks?.[side.word]?.ended[one], ...pair(one) }))
      if (added.length + Object.keys(ended).length > 0) linked[side.word] = { added, ended }
    } catch (error) {
      throw inColumnOf(side, rowRefusal(error))
    }
  return linked
}

/** A link is refused by itself, and in a row stands in a column. */
const inColumnOf = ({ word }: Side, { code, message, members }: Refusal): Refusal =>
  new Refusal(code, message, { ...members, path: `links.${word}` })
