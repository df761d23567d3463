import { level } from './fields.ts'
import type { Kind, Relation, Shape } from './kind.ts'
import { everyKind } from './kinds/index.ts'
import { levelsOf } from './roles.ts'

/** A relation as one of its two kinds sees it. */
export interface Side {
  readonly relation: Relation
  readonly kind: Kind
  readonly other: Kind
  /** Whether links are made and ended from here: by the kind that said the relation. */
  readonly writes: boolean
}

const sides = new Map<Kind, readonly Side[]>()

/** What records of a kind are linked with: the relations it says itself, and those that others say of it. */
export function sidesOf(kind: Kind): readonly Side[] {
  const known = sides.get(kind)
  if (known) return known
  const made = everyKind.flatMap((other) => [
    ...seen(kind, other, kind.relations[other.name], true),
    ...seen(kind, other, other.relations[kind.name], false),
  ])
  sides.set(kind, made)
  return made
}

const seen = (kind: Kind, other: Kind, relation: Relation | undefined, writes: boolean): Side[] =>
  relation ? [{ relation, kind, other, writes }] : []

/** The column of a table of links that holds the id of a record of this kind. */
export const linkColumn = ({ name }: Kind): string => `${name}_id`

/** The filter by which a list shows only what is linked with a record of the other kind. */
export const linkFilter = ({ other }: Side): string =>
  linkColumn(other).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

export const rolesOf = ({ roles = {} }: Relation): readonly string[] => Object.keys(roles)

/** What a link is where nobody said; null where its relation has no roles. */
export const assumedRole = (relation: Relation): string | null => rolesOf(relation)[0] ?? null

/** The levels of a kind that follow from what its records are linked with, as fields. */
export const rollupFields = ({ rollups }: Kind): Shape =>
  Object.fromEntries(
    Object.entries(rollups).map(([field, { title, among }]) => {
      const levels = levelsOf(everyKind.find(({ name }) => name === among)!)
      return [field, level(title, levels as [string, ...string[]])]
    }),
  )
