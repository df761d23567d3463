import type { Kind, Noun } from './kind.ts'
import { everyKind } from './kinds/index.ts'

/*
 * A field that points at one record of another kind is a link as well, where its kind says so (`linkFields`): records
 * at both ends list each other, and the paths of links set and clear the field. Unlike the links of a relation it is
 * part of the record: setting it is a change, with a version and what else follows from one.
 */

/** Such a field as records at one of its ends see it. */
export interface FieldLink {
  /** The kind that has the field. */
  readonly holder: Kind
  readonly field: string
  /** Whether it is seen from there, where it is set and cleared; else from what it points at. */
  readonly writes: boolean
  readonly kind: Kind
  readonly other: Kind
  /** What the record at the other end is, as paths and filters have it, and in a sentence. */
  readonly word: string
  readonly noun: Noun
}

const known = new Map<Kind, readonly FieldLink[]>()

/** The fields by which records of a kind are linked: its own, and those of others that point at it. */
export function fieldLinksOf(kind: Kind): readonly FieldLink[] {
  const made =
    known.get(kind) ??
    everyKind.flatMap((holder) =>
      Object.entries(holder.linkFields).flatMap(([name, field]): FieldLink[] => {
        const target = everyKind.find((one) => one.name === name)!
        const link = (other: Kind) => ({ holder, field, kind, other, word: other.name, noun: other.noun })
        return [
          ...(holder === kind ? [{ ...link(target), writes: true }] : []),
          ...(target === kind ? [{ ...link(holder), writes: false }] : []),
        ]
      }),
    )
  known.set(kind, made)
  return made
}
