import type { Side } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/** The ids of all that a record is linked with by one side. */
export async function linkedIds(tx: Transaction, side: Side, id: string): Promise<string[]> {
  const read = reading.get(side) ?? statement(textOf(side))
  reading.set(side, read)
  return (await tx.read<{ id: string }>(read(tx.organizationId, id))).map((row) => row.id)
}

const reading = new Map<Side, ReturnType<typeof statement>>()

function textOf(side: Side): string {
  const { here, there } = linkColumns(side)
  return `select ${there} as id from ${side.relation.table} where organization_id = $1 and ${here} = $2`
}
