import { CUSTOM_FIELDS } from '../../../model/custom-field.ts'
import { jsonPlace, repeatedNames } from '../../../model/json-names.ts'
import { type FoundCell, type FoundRow, Unreadable } from './found.ts'

/*
 * JSON as exports write it, and as programs do: a list of objects, alone or as a member of one. An object within a row
 * has a column for each of its members, by both of their names.
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
    const value: unknown = JSON.parse(text, LARGE.test(text) ? refuseEndless : undefined)
    for (const path of repeatedNames(text))
      throw new Unreadable(`${jsonPlace(path)} is there twice in the same object: leave one of them out.`)
    return value
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('It is not JSON in UTF-8: check it with a program that reads JSON.')
  }
}

/** What may be more than a number can be: it would be read as none. */
const LARGE = /\de\+?\d{3}|\d{300}/i

function refuseEndless(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Unreadable(`${name} has a number that is too large: write it as a text, or a smaller one.`)
  return value
}

function rowsIn(whole: unknown): object[] {
  const list = Array.isArray(whole)
    ? whole
    : ['records', 'data', 'rows'].map((name) => (whole as Record<string, unknown>)[name]).find(Array.isArray)
  if (!list?.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new Unreadable('Give a list of objects, or an object whose "records" is one.')
  return list
}

/** Whoever is pointed at stays whole: type and id say who that is. */
const isWhole = (value: object): boolean => 'refId' in value || 'displayName' in value

/** The members of a row, and of what is an object in it; what is an object in that stays whole. */
function* membersOf(row: object, before = ''): Generator<[string, FoundCell]> {
  for (const [name, value] of Object.entries(row)) {
    const path = `${before}${name}`
    if (value === null || value === '') continue
    // What these are, nobody may have said: there a number is another value than its text.
    const isOwn = before === `${CUSTOM_FIELDS}.` && typeof value !== 'string'
    if (typeof value !== 'object') yield [path, isOwn ? { json: value } : value]
    else if (Array.isArray(value) || isWhole(value) || before !== '') yield [path, { json: value }]
    else yield* membersOf(value, `${path}.`)
  }
}
