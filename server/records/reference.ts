import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'

/*
 * What people call a record by: a number of its kind, as RSK-12, or a field of its own where the kind says so
 * (`referencedBy`), as the key that a requirement is printed with.
 */

/** From the values of a record and the number that was drawn for it. */
export const referenceOf = (kind: Kind, values: Values, number: number): string =>
  kind.referencedBy ? String(values[kind.referencedBy]) : numbered(kind, number)

/** The reference of this number. */
export const numbered = ({ referencePrefix }: Kind, number: number): string => `${referencePrefix}-${number}`

/** As an expression over the columns of its row; `row` is the name of that with a dot, where it has one. */
export const referenceIn = (kind: Kind, row = ''): string =>
  kind.referencedBy
    ? `${row}${columnOf(kind.referencedBy)}`
    : `'${kind.referencePrefix}-' || ${row}reference_number`

/** Whether a row has one of those that stand in a parameter, as a condition; and what the parameter is for words that may be some. */
export const isReferred = (kind: Kind, place: string): string =>
  kind.referencedBy
    ? `${columnOf(kind.referencedBy)} = any(${place}::text[])`
    : `reference_number = any(${place}::int[])`

export const referred = (kind: Kind, words: readonly string[]): readonly (string | number)[] =>
  kind.referencedBy ? words : words.flatMap((word) => numberIn(kind, word) ?? [])

/** The reference that a word is, or begins with where the name stands behind it. */
export function referenceSaid(kind: Kind, word: string): string | null {
  if (kind.referencedBy) return word.trim()
  const number = numberIn(kind, word)
  return number === null ? null : numbered(kind, number)
}

function numberIn({ referencePrefix }: Kind, word: string): number | null {
  const [, number] = new RegExp(`^${referencePrefix}-(\\d{1,9})(?:\\s|$)`, 'i').exec(word.trim()) ?? []
  return number === undefined ? null : Number(number)
}

/** One, for whoever reads how they look. */
export const exampleReference = (kind: Kind): string => (kind.referencedBy ? 'A.5.1' : numbered(kind, 12))
