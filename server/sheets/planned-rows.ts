import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { type BulkRow, ROW_COLUMNS } from './bulk-row.ts'
import { WRITES } from './row-counts.ts'

/* The rows of a plan that are yet to be carried out, in the order in which they are: by turns, and by their numbers. */

/** Some of one turn, behind one of its numbers. */
export const plannedBehind = statement(`
  select ${ROW_COLUMNS} from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and turn = $3::int and number > $4::int and ${WRITES}
     and done is null
   order by number limit $5::int`)

export const allPlanned = statement(`
  select ${ROW_COLUMNS} from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and ${WRITES} and done is null
   order by turn, number limit $3::int`)

/** Rows in parts of a size, in none of which two turns meet. */
export function inTurns(rows: readonly BulkRow[], size: number): readonly BulkRow[][] {
  const parts: BulkRow[][] = []
  for (const row of rows) {
    const part = parts.at(-1)
    if (part && part.length < size && part[0]!.turn === row.turn) part.push(row)
    else parts.push([row])
  }
  return parts
}

/** The turn behind another that has rows; null where none has. */
export async function turnBehind(tx: Transaction, id: string, turn: number): Promise<number | null> {
  const [row] = await tx.read<{ turn: number | null }>(nextTurn(tx.organizationId, id, turn))
  return row!.turn
}

const nextTurn = statement(`
  select min(turn) as turn from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and turn > $3::int and ${WRITES} and done is null`)

export async function countPlanned(tx: Transaction, id: string): Promise<number> {
  const [row] = await tx.read<{ count: number }>(planned(tx.organizationId, id))
  return row!.count
}

const planned = statement(`
  select count(*)::int as count from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and ${WRITES} and done is null`)
