import type { Transaction } from '../database/transaction.ts'

/*
 * What a transaction has let in and not written yet: changes that are judged together, and those of a rehearsal
 * (rehearsal.ts), which never are. Each may be right by itself and close a circle with another, or be one link too many
 * beside it, so whoever judges one adds it here as it asks the database, and reckons with those that were here before.
 */

/** Where a field of records will point, by their ids; null where it points nowhere any more. */
export const pointersLetIn = (tx: Transaction, kind: string, field: string): Map<string, string | null> =>
  letIn(pointers, tx, `${kind} ${field}`, () => new Map<string, string | null>())

/** A link that is made, or ended, by the columns of its relation. */
export interface LinkLetIn {
  readonly ends: Readonly<Record<string, string>>
  readonly isMade: boolean
}

/** The links of a relation; whoever writes one takes it away as the statement leaves. */
export const linksLetIn = (tx: Transaction, relation: string): Set<LinkLetIn> =>
  letIn(links, tx, relation, () => new Set<LinkLetIn>())

type ByName<Kept> = WeakMap<Transaction, Map<string, Kept>>

const pointers: ByName<Map<string, string | null>> = new WeakMap()
const links: ByName<Set<LinkLetIn>> = new WeakMap()

function letIn<Kept>(all: ByName<Kept>, tx: Transaction, name: string, begin: () => Kept): Kept {
  const byName = all.get(tx) ?? new Map<string, Kept>()
  all.set(tx, byName)
  const kept = byName.get(name) ?? begin()
  byName.set(name, kept)
  return kept
}
