import type { Kind, Values } from '../../kinds/kind.ts'

/** The states that may follow the one a record is in. */
export const nextStates = ({ states }: Kind, record: Values): readonly string[] =>
  states?.next[String(record[states.field])] ?? []

/**
 * What a kind wants to know before it takes a change, by its own rule; the service asks the same again.
 * @returns the fields to ask for, and why; null where it takes the change
 */
export function wantedBefore(
  kind: Kind,
  before: Values,
  change: Values,
): { fields: readonly string[]; message: string } | null {
  const after = { ...before, ...change }
  const complaint = kind.refuse(before, { ...after, ...kind.derive(after) }, new Set(Object.keys(change)))
  if (!complaint || !('path' in complaint)) return null
  const { path, message } = complaint
  return { fields: Object.values(kind.crossed ?? {}).find((pair) => pair.includes(path)) ?? [path], message }
}
