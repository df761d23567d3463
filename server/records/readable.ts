import { needsToRead } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Needs } from '../../model/needs.ts'
import { sidesOf } from '../../model/relations.ts'
import { linkFilter } from '../../model/sides.ts'
import type { Caller } from '../caller/caller.ts'
import { may } from '../caller/rights.ts'

/*
 * What a record tells of records of another kind: the levels that follow from its links, and which records it is
 * linked with. Whoever may not read those is told none of it, neither by a field nor by what a filter lets through.
 */

/** Whether a caller may read the records of a kind. */
export const mayRead = (caller: Caller, kind: Kind): boolean => may(caller, needsToRead(kind))

/** The kinds whose records a caller may read. */
export const readableKinds = (caller: Caller): readonly Kind[] =>
  everyKind.filter((kind) => mayRead(caller, kind))

/** A record without the fields that tell of what this caller may not read. */
export function readableBy(caller: Caller, kind: Kind, record: Values): Values {
  const hidden = Object.entries(kind.rollups).flatMap(([field, { among }]) =>
    sidesOf(kind).some((side) => side.other.name === among && mayRead(caller, side.other)) ? [] : [field],
  )
  if (hidden.length === 0) return record
  return Object.fromEntries(Object.entries(record).filter(([field]) => !hidden.includes(field)))
}

/** What a filter by linked records needs: to read those. */
export const needsOfFilters = (kind: Kind, input: Values): Needs[] =>
  sidesOf(kind).flatMap((side) => (input[linkFilter(side)] === undefined ? [] : [needsToRead(side.other)]))
