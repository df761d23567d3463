import type { Kind } from '../../model/kind.ts'
import { keptDeadlines } from './kept-deadlines.ts'
import { knownRecord } from './known-records.ts'

/** What the statement that writes a record of a kind writes with it, over `written`: its rows as they are by then. */
export interface Alongside {
  /** The end of `written`. */
  readonly returning: string
  readonly insert: readonly string[]
  /** Of a change by which deadlines may begin, move or end, and of any other, which does not look at them. */
  readonly update: (movesDeadlines: boolean) => readonly string[]
  readonly remove: readonly string[]
}

export function alongside(kind: Kind): Alongside {
  const known = knownRecord(kind)
  const deadlines = keptDeadlines(kind)
  return {
    returning: `returning ${[...new Set([...known.columns, ...deadlines.columns])].join(', ')}`,
    insert: [known.insert, ...deadlines.insert],
    update: (movesDeadlines) => (movesDeadlines ? [known.update, ...deadlines.update] : [known.update]),
    remove: [known.remove],
  }
}
