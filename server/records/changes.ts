import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import type { Changes } from '../journal/audit.ts'

/** What every write moves, and therefore says nothing. */
const MOVES_ALWAYS = new Set(['version', 'updatedAt', 'updatedBy'])

/**
 * Every public field that differs, as `{ from, to }`. A principal is told once, as `ownerId`, so that its
 * object does not stand beside it.
 */
export function changesBetween(kind: Kind, before: Values, after: Values): Changes {
  const skipped = new Set([...MOVES_ALWAYS, ...principalFields(kind), ...Object.keys(kind.readings)])
  const changes: Changes = {}
  for (const field of Object.keys(after)) {
    if (skipped.has(field) || isDeepStrictEqual(before[field] ?? null, after[field] ?? null)) continue
    changes[field] = { from: before[field] ?? null, to: after[field] ?? null }
  }
  return changes
}

/** Whether a change is one that endpoints are told of. */
export const isWatched = (kind: Kind, changes: Changes): boolean =>
  kind.watch.some((field) => field in changes)
