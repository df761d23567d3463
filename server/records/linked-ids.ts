import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import type { Needs } from '../../model/needs.ts'
import { linkedIds, type Side } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/** The ids of all that a record is linked with by one side. */
export async function readLinkedIds(tx: Transaction, side: Side, id: string): Promise<string[]> {
  return (await tx.read<{ id: string }>(read(side)(tx.organizationId, id))).map((row) => row.id)
}

const read = statementOf((side: Side) => {
  const { here, there } = linkColumns(side)
  return `select ${there} as id from ${side.relation.table} where organization_id = $1 and ${here} = $2`
})

/**
 * What somebody needs besides who adds a record and lists what it is to be linked with: what its relation asks for, and
 * where the links are the other kind's to make, the right of that.
 * @returns null of a kind where nothing of that is asked
 */
export function needsOfIdsGiven(kind: Kind): ((given: Values) => Needs[]) | null {
  const asking = linkedIds(kind).flatMap(([field, { relation, writes, other }]) => {
    const needs = [relation.needs, writes ? undefined : needsOf(other, 'link')].filter(
      (one) => one !== undefined,
    )
    return needs.length > 0 ? [[field, needs] as const] : []
  })
  return asking.length === 0
    ? null
    : (given) => asking.flatMap(([field, needs]) => (isListed(given?.[field]) ? needs : []))
}

const isListed = (ids: unknown): boolean => Array.isArray(ids) && ids.length > 0
