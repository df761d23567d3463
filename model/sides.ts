import { camel } from './calls.ts'
import type { Kind, Noun } from './kind.ts'
import type { Relation } from './relation.ts'

/*
 * A relation is said by one kind and seen from both of its ends. What is read of it here needs no more of a kind than
 * what it is called, so that the web app reads it of its index of kinds (described-kind.ts) as the server of the kinds.
 */

type Ends = Pick<Relation, 'name' | 'from' | 'to' | 'called'>
type Related = Pick<Kind, 'name' | 'noun'> & { readonly relations: readonly Ends[] }

/** A relation as the records at one of its ends see it. */
export interface SideOf<K extends Related> {
  readonly relation: K['relations'][number]
  readonly kind: K
  readonly other: K
  /** Whether links are made and ended from here: by the kind that said the relation. */
  readonly writes: boolean
  /** What the records at the other end are to one here. */
  readonly noun: Noun
  /** The same as paths, filters and histories have it: `control`, `parent`. */
  readonly word: string
}

/** What records of a kind are linked with: by the relations it says itself, and by those that others say of it. */
export const sidesAmong = <K extends Related>(all: readonly K[], kind: K): readonly SideOf<K>[] =>
  all.flatMap((other) => [
    ...kind.relations.flatMap((relation) =>
      relation.to === other.name ? sideOf(relation, kind, other, true) : [],
    ),
    ...other.relations.flatMap((relation) =>
      relation.to === kind.name ? sideOf(relation, kind, other, false) : [],
    ),
  ])

function sideOf<K extends Related>(relation: Ends, kind: K, other: K, writes: boolean): SideOf<K> {
  const end = writes ? 'to' : 'from'
  const noun = relation.called?.[end] ?? other.noun
  return { relation, kind, other, writes, noun, word: wordOf(relation, end) }
}

const wordOf = ({ called, ...ends }: Ends, end: 'from' | 'to'): string =>
  called ? called[end].one.replaceAll(' ', '_') : ends[end]

/** The columns of a table of links that hold the id of the record here, and of that at the other end. */
export function linkColumns({ relation, writes }: { relation: Ends; writes: boolean }) {
  const [from, to] = [`${wordOf(relation, 'from')}_id`, `${wordOf(relation, 'to')}_id`]
  return writes ? { here: from, there: to } : { here: to, there: from }
}

/** The filter by which a list shows only what is linked with a record at the other end. */
export const linkFilter = ({ word }: { word: string }): string => camel(`${word}_id`)

/** The same relation as it is seen from the other end. */
export const isBackOf = (side: Pick<SideOf<Related>, 'relation' | 'writes'>) => {
  return (one: Pick<SideOf<Related>, 'relation' | 'writes'>): boolean =>
    one.relation === side.relation && one.writes !== side.writes
}
