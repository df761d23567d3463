import { level, optionsOf } from './fields.ts'
import type { Kind, Shape } from './kind.ts'
import { everyKind } from './kinds/index.ts'
import { type SideOf, sidesAmong } from './sides.ts'

export type Side = SideOf<Kind>

const sides = new Map<Kind, readonly Side[]>()

/** What records of a kind are linked with, by any kind there is. */
export function sidesOf(kind: Kind): readonly Side[] {
  const known = sides.get(kind)
  if (known) return known
  const made = sidesAmong(everyKind, kind)
  sides.set(kind, made)
  return made
}

/** The fields of a kind that list the ids of what its records are linked with, each with the side that they follow. */
export const linkedIds = (kind: Kind): readonly (readonly [field: string, side: Side])[] =>
  sidesOf(kind).flatMap((side) => {
    const { ids, idsBack } = side.relation
    const field = side.writes ? ids : idsBack
    return field ? [[field, side] as const] : []
  })

/** The words of the sides by which a record of a kind is held: it stays while it is linked so. */
export const holdingSides = (kind: Kind): readonly Side[] =>
  sidesOf(kind).filter(({ relation, writes }) => relation.holds && !writes)

/** The levels of how grave a record is, from the least; none of a kind that says no level. */
export const levelsOf = ({ level, fields, derived }: Kind): readonly string[] =>
  level === undefined ? [] : optionsOf({ ...fields, ...derived }[level]!)

/** The levels of a kind that follow from what its records are linked with, as fields. */
export const rollupFields = ({ rollups }: Kind): Shape =>
  Object.fromEntries(
    Object.entries(rollups).map(([field, { title, among }]) => {
      const levels = levelsOf(everyKind.find(({ name }) => name === among)!)
      return [field, level(title, levels as [string, ...string[]])]
    }),
  )
