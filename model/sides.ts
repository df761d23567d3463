import type { Kind, Relation } from './kind.ts'

/*
 * A relation is said by one kind of a pair and seen by both. What is read of it here needs no more of a kind than its
 * name, so that the web app reads it of its index of kinds (described-kind.ts) as the server of the kinds.
 */

type Related = Pick<Kind, 'name'> & {
  readonly relations: Readonly<Record<string, Pick<Relation, 'roles'>>>
}

/** A relation as one of its two kinds sees it. */
export interface SideOf<K extends Related> {
  readonly relation: K['relations'][string]
  readonly kind: K
  readonly other: K
  /** Whether links are made and ended from here: by the kind that said the relation. */
  readonly writes: boolean
}

/** What records of a kind are linked with: the relations it says itself, and those that others say of it. */
export const sidesAmong = <K extends Related>(all: readonly K[], kind: K): readonly SideOf<K>[] =>
  all.flatMap((other) => [...seen(kind, other, true), ...seen(kind, other, false)])

function seen<K extends Related>(kind: K, other: K, writes: boolean): SideOf<K>[] {
  const [by, of] = writes ? [kind, other] : [other, kind]
  const relation: K['relations'][string] | undefined = by.relations[of.name] as K['relations'][string]
  return relation ? [{ relation, kind, other, writes }] : []
}

/** The column of a table of links that holds the id of a record of this kind. */
export const linkColumn = ({ name }: Pick<Kind, 'name'>): string => `${name}_id`

/** The filter by which a list shows only what is linked with a record of the other kind. */
export const linkFilter = ({ other }: { other: Pick<Kind, 'name'> }): string =>
  linkColumn(other).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

export const rolesOf = ({ roles = {} }: Pick<Relation, 'roles'>): readonly string[] => Object.keys(roles)

/** What a link is where nobody said; null where its relation has no roles. */
export const assumedRole = (relation: Pick<Relation, 'roles'>): string | null => rolesOf(relation)[0] ?? null
