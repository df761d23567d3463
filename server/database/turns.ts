import { statement } from './connect.ts'

/**
 * Takes turns with whoever names the same: waits until the transaction of the one before is over, and holds the turn
 * until its own is. The one parameter is the name, in which the organization stands.
 */
export const takeTurn = statement('select pg_advisory_xact_lock(hashtextextended($1, 0))')
