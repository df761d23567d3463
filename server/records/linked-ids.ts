import type { Side } from '../../model/relations.ts'
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
