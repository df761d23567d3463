import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/**
 * The turn of whoever changes a member of an organization, by the organization's own row: two admins who demote each
 * other at the same moment take turns, and the second is refused. Writers of records never ask for it, so they do not
 * queue behind it.
 */
export const lockMembers = (tx: Transaction): Promise<Row[]> => tx.read(lock(tx.organizationId))

/** Not FOR UPDATE: a new row that names the organization need not wait. */
const lock = statement('select from organizations where id = $1 for no key update')
