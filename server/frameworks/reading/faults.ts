import type { Catalog, LibraryParts } from '../catalog.ts'
import { LIMITS } from './limits.ts'

/** What is wrong in a file, where, and what would be right. */
export interface Fault {
  /** A path of JSON, a line and column, a row and column. Empty where it is about the whole file. */
  readonly place: string
  readonly message: string
}

/** What reading a file comes to: a catalog with what was left out of it, or all that is wrong with the file. */
export type Reading =
  | { readonly catalog: Catalog; readonly parts?: LibraryParts; readonly notes: readonly string[] }
  | Refused

/** What reading a library comes to, which may hold no framework, and mappings or a risk matrix in place of one. */
export type LibraryReading = Reading | { readonly parts: LibraryParts; readonly notes: readonly string[] }

export interface Refused {
  readonly faults: readonly Fault[]
  readonly more: number
}

/** What is found on the way through a file: all of it is told at once. */
export class Findings {
  readonly faults: Fault[] = []
  #more = 0
  readonly #notes = new Set<string>()

  fault(place: string, message: string): void {
    const fault = { place: storable(place), message: storable(message) }
    const isTold = this.faults.some((one) => one.place === fault.place && one.message === fault.message)
    if (isTold) return
    if (this.faults.length < LIMITS.faults) this.faults.push(fault)
    else this.#more += 1
  }

  /** Something that is left out of what is taken. */
  note(note: string): void {
    if (this.#notes.size < LIMITS.faults) this.#notes.add(storable(note))
  }

  get isGood(): boolean {
    return this.faults.length === 0
  }

  get notes(): readonly string[] {
    return [...this.#notes]
  }

  reading(catalog: Catalog | null): Reading {
    return catalog && this.isGood ? { catalog, notes: this.notes } : this.refused()
  }

  refused(): Refused {
    return { faults: inOrderOfFile(this.faults), more: this.#more }
  }
}

/** What was found in several walks over a file, as somebody meets it who goes through the file once. */
function inOrderOfFile(faults: readonly Fault[]): readonly Fault[] {
  const words = new Map<string, number>()
  const partsOf = (place: string): readonly number[] =>
    (place.match(/\d+|\D+/g) ?? []).map((part) => {
      if (/^\d/.test(part)) return Number(part)
      // Columns stand in the order of their letters; all other words as they were come upon first.
      const [, column] = /^, column ([A-Z]{1,3})$/.exec(part) ?? []
      if (column) return [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
      if (!words.has(part)) words.set(part, words.size)
      return words.get(part)!
    })
  return faults
    .map((fault) => ({ fault, parts: partsOf(fault.place) }))
    .sort((one, other) => compare(one.parts, other.parts))
    .map(({ fault }) => fault)
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index])
  return at === -1 ? one.length - other.length : other[at] === undefined ? 1 : one[at]! - other[at]!
}

/** What a file says is told in its own words, some of which nothing can store. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Ends the reading at once: what follows would make no sense. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly place: string

  constructor(place: string, message: string) {
    super(message)
    this.place = place
  }
}

/** Reads what is found in a file; what ends the reading is told with all that was found before. */
export const reading = (read: (findings: Findings) => Catalog | null): Reading =>
  readingOf((findings) => findings.reading(read(findings)))

/** The same for what may come to something else than a catalog. */
export function readingOf<Found>(read: (findings: Findings) => Found): Found | Refused {
  const findings = new Findings()
  try {
    return read(findings)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    findings.fault(error.place, error.message)
    return findings.refused()
  }
}

/** What somebody wrote, short enough to be told. */
export const quoted = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).toWellFormed()
  return `“${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}”`
}
