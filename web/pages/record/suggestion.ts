import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type AnyRecord, isSame } from '../../client/records.ts'

/**
 * What a record might be changed to once all that is under it is done with: as the last one says that came to the state
 * its kind names.
 * @param rows all that are under it
 * @returns null while something is still to be done, or where it says nothing new
 */
export function suggestionOf(
  { suggests, states: [machine] }: DescribedKind,
  rows: readonly AnyRecord[],
  parent: AnyRecord,
): Values | null {
  if (!suggests || !machine) return null
  const stateOf = (row: AnyRecord) => String(row[machine.field])
  if (!rows.every((row) => machine.next[stateOf(row)]?.length === 0)) return null
  const [last] = rows
    .filter((row) => stateOf(row) === suggests.from)
    .toSorted((one, other) => (one.updatedAt > other.updatedAt ? -1 : 1))
  if (!last) return null
  const values = Object.entries(suggests.fields).map(([field, from]) => [field, last[from] ?? null] as const)
  const isNew = values.some(([field, value]) => !isSame(value, parent[field]))
  return isNew && values.every(([, value]) => value !== null) ? Object.fromEntries(values) : null
}
