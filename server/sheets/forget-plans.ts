import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/**
 * Has PostgreSQL plan anew what it does from here on. It keeps its plans with each connection, those of foreign keys too,
 * and makes no new ones as a table grows, until that is analyzed: whoever brings a register into an organization that is
 * empty would have all of a table read for each link, with a plan from when it had a page. To plan all statements of a
 * piece takes some milliseconds.
 */
export function forgetPlans(tx: Transaction): void {
  void tx.read(discard())
}

const discard = statement('discard plans')
