import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import type { Changes } from '../journal/audit.ts'

/** What every write moves, and therefore says nothing. */
const MOVES_ALWAYS = new Set(['version', 'updatedAt', 'updatedBy'])

/**
 * Every public field that differs, as `{ from, to }`; none where no field differs that is stored. A principal is one
 * change, `ownerId`, without its object.
 */
export function changesBetween(kind: Kind, before: Values, after: Values): Changes {
  const skipped = new Set([...MOVES_ALWAYS, ...principalFields(kind)])
  const moved = Object.keys(after).filter(
    (field) => !skipped.has(field) && !isDeepStrictEqual(before[field] ?? null, after[field] ?? null),
  )
  // What is read from other tables may differ though nothing was written.
  if (moved.every((field) => field in kind.readings)) return {}
  return Object.fromEntries(
    moved.map((field) => [
      field,
      { from: toldValue(kind, field, before[field]), to: toldValue(kind, field, after[field]) },
    ]),
  )
}

/** Of a text that lists leave out, how many letters an entry keeps as they are. */
const LETTERS_AT_MOST = 2_000

/**
 * A value as an entry tells it. A text that lists leave out stands in its record, and is told by its hash where it is
 * long: with each change of it twice, the entries of a book that is edited often would be more than anybody can be sent.
 */
export function toldValue(kind: Kind, field: string, value: unknown): unknown {
  if (!kind.inFull?.includes(field) || typeof value !== 'string' || value.length <= LETTERS_AT_MOST)
    return value ?? null
  return `${value.length} letters, SHA-256 ${createHash('sha256').update(value, 'utf8').digest('hex')}`
}

/** Whether a change is one that endpoints are told of. */
export const isWatched = (kind: Kind, changes: Changes): boolean =>
  kind.watch.some((field) => field in changes)
