import { type Findings, quoted } from './faults.ts'
import type { LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'

/*
 * What stands at a place of a file, held against what should: a fault names the place, what is there, and what would be
 * right. What is wrong is left out and the reading goes on, so that all faults are told at once.
 */

export type Path = readonly (string | number)[]

/** An object of a file, with where it stands. */
export interface Item {
  readonly fields: Readonly<Record<string, unknown>>
  readonly path: Path
}

export class Shape {
  readonly findings: Findings
  /** The place of a path, as people look it up. */
  readonly placeOf: (path: Path) => string

  constructor(findings: Findings, placeOf: (path: Path) => string) {
    this.findings = findings
    this.placeOf = placeOf
  }

  fault(path: Path, message: string): void {
    this.findings.fault(this.placeOf(path), message)
  }

  /** null where it is none, which is a fault. */
  object(value: unknown, path: Path): Item | null {
    if (isObject(value)) return { fields: value, path }
    this.fault(path, `is ${nameOf(value)}: give an object with its fields`)
    return null
  }

  /** The objects of a list; none where there is no list. */
  objects({ fields, path }: Item, name: string): Item[] {
    const value = fields[name]
    if (value === undefined || value === null) return []
    const at = [...path, name]
    if (!Array.isArray(value)) {
      this.fault(at, `is ${nameOf(value)}: give a list of objects`)
      return []
    }
    return value.flatMap((one, index) => this.object(one, [...at, index]) ?? [])
  }

  /** A text without white space around it; undefined where there is none, or none that can be taken. */
  text(item: Item, name: string, longest: number = LIMITS.text): string | undefined {
    const value = item.fields[name]
    if (value === undefined || value === null) return undefined
    const at = [...item.path, name]
    if (typeof value === 'string') return this.taken(value, at, longest)
    if (typeof value === 'number') return this.taken(String(value), at, longest)
    this.fault(at, `is ${nameOf(value)}: give a text`)
    return undefined
  }

  /**
   * A text that may be longer than the product stores. It is then shortened, or left out, and counted as that.
   * @param mayBeCut false for a name or a key, which says nothing once it is cut
   */
  fitting(item: Item, name: string, longest: number, leftOut: LeftOut, mayBeCut = true): string | undefined {
    const text = this.text(item, name, Number.MAX_SAFE_INTEGER)
    if (text === undefined || text.length <= longest) return text
    leftOut.shortened(this.placeOf([...item.path, name]), name, text.length, mayBeCut ? longest : 0)
    return mayBeCut ? text.slice(0, longest).toWellFormed().trimEnd() : undefined
  }

  /** A text that has to be there. */
  required(item: Item, name: string, longest: number): string | undefined {
    const text = this.text(item, name, longest)
    const value = item.fields[name]
    if (text === undefined && (value === undefined || value === null || isBlank(value)))
      this.fault([...item.path, name], `is missing: give a text of up to ${longest} letters`)
    return text
  }

  taken(value: string, path: Path, longest: number): string | undefined {
    const text = value.trim()
    const fault = faultOfText(text, longest)
    if (fault) this.fault(path, fault)
    return fault || text === '' ? undefined : text
  }

  /** A text without white space around it, cut at the end of a line where it is too long, which is a note. */
  shortened(value: string, { fields, path }: Item, longest: number, what: string): string | undefined {
    const text = value.trim()
    if (text.length <= longest) return this.taken(text, path, longest)
    const room = longest - 1
    const end = text.lastIndexOf('\n', room)
    const cut = text.slice(0, end > room / 2 ? end : room).toWellFormed()
    const name = typeof fields.title === 'string' ? fields.title : this.placeOf(path)
    this.findings.note(
      `The ${what} of ${quoted(name)} has ${text.length} letters: the first ${cut.length} are taken.`,
    )
    return this.taken(`${cut.trimEnd()}…`, path, longest)
  }

  flag(item: Item, name: string): boolean | undefined {
    const value = item.fields[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'boolean') return value
    this.fault([...item.path, name], `is ${quoted(value)}: give true or false`)
    return undefined
  }

  number(item: Item, name: string, min: number, max: number): number | undefined {
    const value = item.fields[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number' && value >= min && value <= max) return value
    this.fault([...item.path, name], `is ${quoted(value)}: give a number from ${min} to ${max}`)
    return undefined
  }

  choice<Choice extends string>(
    item: Item,
    name: string,
    choices: Readonly<Record<string, Choice>>,
  ): Choice | undefined {
    const value = item.fields[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string' && Object.hasOwn(choices, value)) return choices[value]
    this.fault([...item.path, name], `is ${quoted(value)}: give one of ${Object.keys(choices).join(', ')}`)
    return undefined
  }

  /** The texts of a list. */
  texts({ fields, path }: Item, name: string, longest: number): string[] {
    const value = fields[name]
    if (value === undefined || value === null) return []
    const at = [...path, name]
    if (!Array.isArray(value)) {
      this.fault(at, `is ${nameOf(value)}: give a list of texts`)
      return []
    }
    return value.flatMap((one, index) => {
      if (typeof one === 'string' || typeof one === 'number')
        return this.taken(String(one), [...at, index], longest) ?? []
      this.fault([...at, index], `is ${nameOf(one)}: give a text`)
      return []
    })
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

const nameOf = (value: unknown): string =>
  value === null || value === undefined
    ? 'nothing'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : typeof value === 'boolean'
          ? String(value)
          : `${typeof value === 'number' ? 'the number' : 'the text'} ${quoted(value)}`

/** What keeps a text from being kept. */
export function faultOfText(text: string, longest: number): string | null {
  if (text.length > longest)
    return `has ${text.length} letters: shorten it to ${longest}, or give it in parts`
  if (text.includes('\u0000')) return 'has a letter U+0000, which nothing can store: remove it'
  return text.isWellFormed() ? null : 'has half a letter of two halves: write whole letters'
}
