import { isRow, type ReadChange } from './as-read.ts'
import type { ReadRow, ReadTable } from './tables-as-read.ts'

/** A change, or what is unchanged between two of them. */
export interface Part {
  readonly at: number
  readonly some: readonly ReadChange[]
  /** The table that it stands in. */
  readonly table: ReadTable | null
}

/** Changes one by one, and what is unchanged between them in runs. A table in which nothing changed is of such a run. */
export function foldedIn(changes: readonly ReadChange[]): Part[] {
  const parts: (Part & { some: ReadChange[] })[] = []
  changes.forEach((change, at) => {
    const table = isRow(change) && change.table.isChanged ? change.table : null
    const last = parts.at(-1)
    const before = last?.some[0]
    const isNext = change.type === 'same' && before?.type === 'same' && last!.table === table
    // The head stays above what is unchanged in its table.
    if (isNext && !(table && isHead(before))) last!.some.push(change)
    else parts.push({ at, some: [change], table })
  })
  return parts
}

/** What is unchanged, one by one. */
export const unfolded = (some: readonly ReadChange[]): Part[] =>
  some.map((change, at) => ({ at, some: [change], table: isRow(change) ? change.table : null }))

export const isHead = (change: ReadChange): change is ReadRow => isRow(change) && change.isHead

/** Parts that stand in one table, or one that stands alone. */
export function* piecesOf(parts: readonly Part[]): Generator<readonly [Part, ...Part[]]> {
  for (let at = 0; at < parts.length; ) {
    const first = parts[at]!
    let end = at + 1
    while (first.table && parts[end]?.table === first.table) end += 1
    yield [first, ...parts.slice(at + 1, end)]
    at = end
  }
}
