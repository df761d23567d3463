import type { Shape } from './fields.ts'
import type { Needs } from './needs.ts'
import type { Noun } from './noun.ts'

/**
 * A relation: what records of one kind are linked with, many to many; those of another kind, or of the same. Pure data
 * as a kind is, said by the kind whose right it takes to link (`from`) and read from both of its ends (sides.ts): a
 * pair of kinds may have several.
 */
export interface Relation {
  /** snake_case, and no other relation has it. */
  readonly name: string
  /** The kinds at its ends, by name. */
  readonly from: string
  readonly to: string
  /**
   * What the records at each end are to those at the other, as in "the parents of an asset": the word of paths, filters
   * and histories. What their kinds are called, where absent; of a relation from a kind to itself it is said.
   */
  readonly called?: { readonly from: Noun; readonly to: Noun }
  /** What it takes to link by it, besides the right of its kind to link. */
  readonly needs?: Needs
  /** Where the links are kept. */
  readonly table: string
  /** What a link says beside its ends: its attributes, sent as the body that makes it. */
  readonly fields: Shape
  readonly defaults: Readonly<Record<string, unknown>>
  /** Of one record by this relation. More would make each reading of it long, and nobody could look at them. */
  readonly atMost: number
  /** Of a kind with itself: links never lead round to where they began. */
  readonly isAcyclic: boolean
  /** The field of records of `from` that lists the ids at the other end: answers have it, and creation takes it once. */
  readonly ids?: string
  /** The same of records of `to`; to give it takes the right of `from` to link. */
  readonly idsBack?: string
  /** Whether a record of `to` that is linked by it stays, unless its deletion says to unlink. */
  readonly holds?: true
  /** Whether pages offer to link from the end of `to` as well; it takes the right of `from` there too. */
  readonly atBothEnds?: true
}

export const LINKS_AT_MOST = 500

type Described = Omit<Relation, 'fields' | 'defaults' | 'atMost' | 'isAcyclic'> &
  Partial<Pick<Relation, 'fields' | 'defaults' | 'atMost' | 'isAcyclic'>>

export const relation = (described: Described): Relation => ({
  fields: {},
  defaults: {},
  atMost: LINKS_AT_MOST,
  isAcyclic: false,
  ...described,
})
