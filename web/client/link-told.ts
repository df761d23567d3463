import type { Values } from '../../model/complaint.ts'
import type { Field } from '../../model/described-field.ts'
import { kindOf } from './journal.ts'
import { type Side, saidByLinks, sidesOf } from './kinds.ts'

/* What an entry of the journal tells of what a link says beside its ends. */

/** A part of what a link says: before the entry, and after it. */
export interface LinkPart {
  readonly field: Field
  readonly from: unknown
  readonly to: unknown
}

/** The side on which records of a kind are linked with what the entry calls by a word; none that is known no more. */
export function sideTold(type: string, word: string): Side | undefined {
  const kind = kindOf(type)
  return kind && sidesOf(kind).find((side) => side.word === word)
}

/** What a link says, in the order of its relation, as far as it was or is anything. */
export const partsTold = (side: Side | undefined, from: unknown, to: unknown): readonly LinkPart[] =>
  (side ? saidByLinks(side) : [])
    .map((field) => ({ field, from: partOf(from, field), to: partOf(to, field) }))
    .filter((part) => part.from !== null || part.to !== null)

/** Of a link that was there before and is still, what it says otherwise now; null of one that was made or ended. */
export function partsMoved(type: string, changes: Values | null): readonly LinkPart[] | null {
  const [[word, { from, to }] = ['', { from: null, to: null }]] = Object.entries(
    (changes ?? {}) as Record<string, { from: unknown; to: unknown }>,
  )
  if (from === null || to === null) return null
  return partsTold(sideTold(type, word), from, to).filter((part) => part.from !== part.to)
}

const partOf = (told: unknown, { name }: Field): unknown => (told as Values | null)?.[name] ?? null
