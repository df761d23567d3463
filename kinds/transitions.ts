import type { Complaint, Values } from './kind.ts'

/** From each state, the states that may follow. */
export type Transitions = Readonly<Record<string, readonly string[]>>

/**
 * The complaint about a change of `field` that the table does not allow; null where it stays, is new, or
 * is allowed.
 */
export function refuseTransition(
  table: Transitions,
  field: string,
  before: Values | null,
  after: Values,
): Complaint | null {
  const from = before?.[field]
  const to = after[field]
  if (typeof from !== 'string' || typeof to !== 'string' || from === to) return null
  const allowed = table[from] ?? []
  return allowed.includes(to) ? null : { transition: { path: field, from, to, allowed } }
}
