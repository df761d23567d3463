import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import type { Scope } from '../../model/scopes.ts'
import { linkFilter } from '../../model/sides.ts'
import { type Caller, holds } from '../caller/caller.ts'
import type { Needs } from '../caller/needs.ts'
import { scope } from '../operation.ts'

/*
 * What a record tells of records of another kind: the levels that follow from its links, and which records it is
 * linked with. Whoever may not read those is told none of it, neither by a field nor by what a filter lets through.
 */

const readScope = ({ other }: Side): Scope => `read:${other.scope}` as Scope

/** Whether a caller may read the records at the other end. */
export const mayRead = (caller: Caller, side: Side): boolean => holds(caller, readScope(side))

/** A record without the fields that tell of what this caller may not read. */
export function readableBy(caller: Caller, kind: Kind, record: Values): Values {
  const hidden = Object.entries(kind.rollups).flatMap(([field, { among }]) =>
    sidesOf(kind).some((side) => side.other.name === among && mayRead(caller, side)) ? [] : [field],
  )
  if (hidden.length === 0) return record
  return Object.fromEntries(Object.entries(record).filter(([field]) => !hidden.includes(field)))
}

/** What a filter by linked records needs: to read those. */
export const needsOfFilters = (kind: Kind, input: Values): Needs[] =>
  sidesOf(kind).flatMap((side) => (input[linkFilter(side)] === undefined ? [] : [scope(readScope(side))]))
