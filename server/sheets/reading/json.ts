import { CUSTOM_FIELDS } from '../../../model/custom-field.ts'
import { isExact } from '../../../model/exact-number.ts'
import { jsonPlace, repeatedNames } from '../../../model/json-names.ts'
import { type FoundCell, type FoundRow, LIMITS, Unreadable } from './found.ts'

/*
 * JSON as exports write it, and as programs do: a list of objects, alone or as a member of one. An object within a row
 * has a column for each of its members, by both of their names. A number of more digits than one keeps is the text that
 * stands there, in a field by itself; what it is in a custom field or a list, nobody could say.
 */

export function* readJson(bytes: Buffer): Generator<FoundRow> {
  const rows = rowsIn(parsed(bytes))
  const flat = rows.map((row) => new Map(membersOf(row)))
  const head = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  yield [0, head]
  for (const [index, row] of flat.entries()) yield [index + 1, head.map((name) => row.get(name) ?? null)]
}

function parsed(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text, LONG.test(text) ? (keepLong as Reviver) : undefined)
    for (const path of repeatedNames(text))
      throw new Unreadable(`${jsonPlace(path)} is there twice in the same object: leave one of them out.`)
    return value
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('It is not JSON in UTF-8: check it with a program that reads JSON.')
  }
}

/** What may be more than a number can be, or have more digits than one keeps. */
const LONG = /[\d.]{16}|\de[+-]?\d{3}/i

/** A number as it is written, which no number is. */
class LongNumber {
  readonly written: string

  constructor(written: string) {
    this.written = written
  }
}

/** What JSON.parse calls; that it tells what is written, its type does not say. */
type Reviver = (name: string, value: unknown) => unknown

function keepLong(name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value
  if (!Number.isFinite(value))
    throw new Unreadable(`${name} has a number that is too large: write it as a text, or a smaller one.`)
  return isExact(source, value) ? value : new LongNumber(source)
}

/**
 * What lies deeper than may be is refused for that, by whoever reads the cells.
 * @throws {Unreadable} where a number within is longer than is kept
 */
function refuseLong(path: string, value: unknown, depth = 0): void {
  if (value instanceof LongNumber)
    throw new Unreadable(
      `${path} has a number of more digits than are kept, ${value.written}: write it as a text, or a shorter one.`,
    )
  if (typeof value !== 'object' || value === null || depth > LIMITS.depth) return
  for (const [name, inner] of Object.entries(value)) refuseLong(`${path}.${name}`, inner, depth + 1)
}

function rowsIn(whole: unknown): object[] {
  const list = Array.isArray(whole)
    ? whole
    : ['records', 'data', 'rows'].map((name) => (whole as Record<string, unknown>)[name]).find(Array.isArray)
  if (!list?.every((row) => isObject(row)))
    throw new Unreadable('Give a list of objects, or an object whose "records" is one.')
  return list
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber)

/** Whoever is pointed at stays whole: type and id say who that is. */
const isWhole = (value: object): boolean => 'refId' in value || 'displayName' in value

/** The members of a row, and of what is an object in it; what is an object in that stays whole. */
function* membersOf(row: object, before = ''): Generator<[string, FoundCell]> {
  for (const [name, value] of Object.entries(row)) {
    const path = `${before}${name}`
    if (value === null || value === '') continue
    // What these are, nobody may have said: there a number is another value than its text.
    const isOwn = before === `${CUSTOM_FIELDS}.` && typeof value !== 'string'
    if (value instanceof LongNumber && !isOwn) {
      yield [path, value.written]
      continue
    }
    if (typeof value !== 'object') yield [path, isOwn ? { json: value } : value]
    else if (Array.isArray(value) || isWhole(value) || before !== '') {
      refuseLong(path, value)
      yield [path, { json: value }]
    } else yield* membersOf(value, `${path}.`)
  }
}
