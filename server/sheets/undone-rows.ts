import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { linkedIds, type Side, sidesOf } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement, statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { countDependents } from '../records/dependents.ts'
import { backOf } from '../records/link-changes.ts'
import { readLinkedIds } from '../records/linked-ids.ts'
import { deleteRecord } from '../records/removal.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { Refusal } from '../refusal.ts'

/*
 * What a row of an import has come to is taken back: a record that it added goes, unless somebody has done anything with
 * it since; and what it has linked is unlinked, whatever others have linked besides.
 */

/** What a row has linked and unlinked, by the words of the sides. */
export type Linked = Readonly<
  Record<
    string,
    {
      readonly added: readonly string[]
      /** By the ids at their other ends, what each link said. */
      readonly ended: Readonly<Record<string, Values>>
    }
  >
>

/** What a new record was linked with by the row that added it; null where that is nothing. */
export function linkedAnew(
  kind: Kind,
  given: Values,
  links: ReadonlyMap<Side, readonly string[]>,
): Linked | null {
  const fields = linkedIds(kind).map(([field, side]) => [side, (given[field] ?? []) as string[]] as const)
  const all = [...links, ...fields].filter(([, ids]) => ids.length > 0)
  return all.length === 0
    ? null
    : Object.fromEntries(all.map(([{ word }, ids]) => [word, { added: [...new Set(ids)], ended: {} }]))
}

/** What a record is to be linked with once that is taken back. */
export async function linksBefore(
  { tx }: TransactionContext,
  kind: Kind,
  id: string,
  linked: Linked,
): Promise<ReadonlyMap<Side, readonly string[]>> {
  const sides = sidesOf(kind).filter(({ word }) => linked[word])
  return new Map(
    await Promise.all(
      sides.map(async (side) => {
        const { added, ended } = linked[side.word]!
        const there = await readLinkedIds(tx, side, id)
        const left = there.filter((one) => !added.includes(one))
        return [side, [...new Set([...left, ...Object.keys(ended)])]] as const
      }),
    ),
  )
}

/**
 * Deletes a record that an import added.
 * @param linked what its row has linked it with
 * @param rehearsed the change that is to delete it, while it is planned: what that deletes or unlinks before is there yet
 * @throws {Refusal} that of the rights; `version_mismatch` and `conflict` where anybody has done something with it since,
 *   and what its deletion is refused for
 */
export async function deleteUntouched(
  context: TransactionContext,
  kind: Kind,
  { id, version }: { readonly id: string; readonly version: number },
  linked: Linked | null,
  rehearsed: string | null,
): Promise<void> {
  const { tx, caller } = context
  const needs = needsOf(kind, 'delete')
  if (!needs) throw new Refusal('conflict', `No ${kind.noun.one} is deleted, so it stays.`)
  refuseUnlessAllowed(needs, caller, { id })
  // While it is locked nobody links it, nor puts anything under it.
  await lockRecord(context, tableOf(kind), id, version)
  const [{ data }, going, [told]] = await Promise.all([
    countDependents(context, kind, id),
    rehearsed === null ? new Map<string, number>() : countGoing(tx, kind, id, rehearsed),
    tx.read<{ count: number }>(countComments(tx.organizationId, id)),
  ])
  const since = data.find(({ as, count }) => count > (linked?.[as]?.added.length ?? 0) + (going.get(as) ?? 0))
  if (since)
    throw new Refusal('conflict', 'Something was linked with it, or put under it, in the meantime: it stays.')
  if (told!.count > 0)
    throw new Refusal(
      'conflict',
      `It has ${told!.count} ${inNumber(COMMENT, told!.count)} in the meantime: it stays.`,
    )
  // Held by what goes before it, it would be refused for that.
  if (going.size === 0) await deleteRecord(context, kind, id, { ifMatch: version })
}

/** By the words of the sides, with how many of its own kind a record is linked that the same change deletes or unlinks. */
async function countGoing(
  tx: Transaction,
  kind: Kind,
  id: string,
  rehearsed: string,
): Promise<ReadonlyMap<string, number>> {
  const counted = await Promise.all(
    sidesOf(kind)
      .filter(({ other }) => other === kind)
      .map(async (side) => {
        const [row] = await tx.read<{ count: number }>(goingToo(side)(tx.organizationId, id, rehearsed))
        return [side.word, row!.count] as const
      }),
  )
  return new Map(counted.filter(([, count]) => count > 0))
}

const goingToo = statementOf((side: Side) => {
  const { here, there } = linkColumns(side)
  return `
    select count(*)::int as count from ${side.relation.table} l
      join bulk_change_rows r on r.organization_id = l.organization_id and r.bulk_change_id = $3
                             and r.record_id = l.${there} and r.planned is distinct from 'error'
                             and (r.deletes or r.unlinks->'${backOf(side).word}'->'added' ? $2)
     where l.organization_id = $1 and l.${here} = $2`
})

const COMMENT = { one: 'comment', many: 'comments' }

const countComments = statement(
  'select count(*)::int as count from comments where organization_id = $1 and record_id = $2',
)
