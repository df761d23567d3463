import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'

/*
 * One change for a selection may give several records a value that only one can have. The database would refuse the
 * second when it is written; so that the plan tells it, each row keeps what it claims for its record.
 */

const CLAIM = 'claim '

/** What a change would give a record that no other can have, as a text; null where there is no such thing. */
export function claimOf({ unique }: Kind, before: Values, given: Values): string | null {
  for (const fields of [['externalId'], ...Object.values(unique)]) {
    if (!fields.some((field) => given[field] !== undefined)) continue
    const values = fields.map((field) => given[field] ?? (field in given ? null : before[field]) ?? null)
    if (!values.includes(null)) return `${CLAIM}${fields.join('+')} ${JSON.stringify(values)}`
  }
  return null
}

/** The field that a claim is about, or the first of several; null for a text that is no claim. */
export const fieldClaimed = (text: string): string | null =>
  text.startsWith(CLAIM) ? text.slice(CLAIM.length).split(/[+ ]/, 1)[0]! : null
