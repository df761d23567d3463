import type { Findings } from './faults.ts'

/*
 * Counts what a reader leaves out of a file or shortens, and turns that into notes for the import plan: one note for each
 * field, with the number of places and the first of them, however large the file is.
 */

export class LeftOut {
  readonly #fields = new Map<string, Map<string, number>>()
  readonly #shortened = new Map<string, { place: string; letters: number; kept: number; count: number }>()
  readonly #other = new Map<string, { place: string; count: number }>()

  /** Counts the fields of an object that the reader does not take. */
  fields(owner: string, fields: Readonly<Record<string, unknown>>, taken: ReadonlySet<string>): void {
    for (const [name, value] of Object.entries(fields))
      if (!taken.has(name) && !isEmpty(value)) this.field(owner, name)
  }

  /** Counts one field that is left out of an object. */
  field(owner: string, name: string): void {
    const counts = this.#fields.get(owner) ?? new Map<string, number>()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#fields.set(owner, counts)
  }

  /** Counts the fields that an owner had left out, by name. */
  of(owner: string): ReadonlyMap<string, number> {
    return this.#fields.get(owner) ?? new Map()
  }

  /** A text that is longer than the product stores. @param kept how many letters of it are stored; 0 leaves it out */
  shortened(place: string, name: string, letters: number, kept: number): void {
    const before = this.#shortened.get(name)
    if (before) before.count += 1
    else this.#shortened.set(name, { place, letters, kept, count: 1 })
  }

  /** Something else, said once for all places where it applies. */
  other(place: string, message: string): void {
    const before = this.#other.get(message)
    if (before) before.count += 1
    else this.#other.set(message, { place, count: 1 })
  }

  /** Adds what was shortened, and the other messages, to the notes. */
  tell(findings: Findings): void {
    for (const [name, { place, letters, kept, count }] of this.#shortened)
      findings.note(
        `${at(place)}${name} has ${letters} letters and is ${kept === 0 ? 'left out' : `shortened to ${kept}`}.${more(count)}`,
      )
    for (const [message, { place, count }] of this.#other)
      findings.note(`${at(place)}${message}${more(count)}`)
  }
}

const at = (place: string): string => (place === '' ? '' : `${place}: `)

const more = (count: number): string =>
  count === 1 ? '' : ` The same applies to ${count - 1} more ${count === 2 ? 'place' : 'places'}.`

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Names in a sentence: “a, b and c”. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
