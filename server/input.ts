import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { refuseAlike } from '../model/custom-fields.ts'
import { IncomingBytes, refuseBytes } from './bytes.ts'
import { type InputSource, wordsFor } from './input/issue-words.ts'
import { meantName } from './nearest-name.ts'
import { type AnyOperation, TAKES_AT_MOST } from './operation.ts'
import {
  ERRORS_AT_MOST,
  type FieldError,
  invalid,
  invalidAmong,
  Refusal,
  versionMismatch,
} from './refusal.ts'

const LONGEST_NAME = 100

/**
 * The parsed input of an operation, or of whatever else names its input by a schema.
 * @param raw one flat object, whatever the door
 * @param source where its names and texts stood, for the words of what is wrong
 * @throws {Refusal} `validation_failed` with every field at fault, the nearest known name for an unknown one
 */
export function parseInput(
  operation: Pick<AnyOperation, 'input' | 'judgesEach' | 'bodyIs'> & Partial<Pick<AnyOperation, 'takes'>>,
  raw: unknown,
  source: InputSource = 'elsewhere',
): Record<string, unknown> {
  refuseUnstorable(withoutFaultyItems(operation, raw), '', operation.takes?.values)
  const parsed = operation.input.safeParse(raw, {
    error: (issue: z.core.$ZodRawIssue) => wordsFor(issue, source),
  })
  const { takes, bodyIs } = operation
  if (parsed.success) {
    if (takes?.types && bodyIs) refuseBytes({ ...takes, types: takes.types }, bodyIs, parsed.data[bodyIs])
    return parsed.data
  }
  const { issues }: { issues: z.core.$ZodIssue[] } = parsed.error
  const all = issues.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
    0,
  )
  const told = issues.slice(0, ERRORS_AT_MOST).flatMap((issue) => fieldErrors(issue, operation.input, source))
  throw invalidAmong(told, all)
}

/**
 * The parsed input below a name of another input.
 * @throws {Refusal} as `parseInput`, with where in all of the input each field at fault stands
 */
export function parseInputAt(
  name: string,
  input: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  try {
    return parseInput({ input }, given)
  } catch (error) {
    const errors = error instanceof Refusal && (error.members.errors as FieldError[] | undefined)
    throw errors
      ? invalid(...errors.map(({ path, message }) => ({ path: `${name}.${path}`, message })))
      : error
  }
}

/**
 * Refuses what no field could take: texts that PostgreSQL cannot hold, and values nested so deep or so wide
 * that walking them would cost us. Whoever walks an input before it is parsed asks this first.
 */
export function refuseUnstorable(raw: unknown, path = '', values = TAKES_AT_MOST.values): void {
  const unstorable = findUnstorable(raw, path, values)
  if (unstorable) throw invalid(unstorable)
}

/**
 * An input with what is wrong in place of each item that no field could take, where an operation judges its items one
 * by one, or one of its inputs by itself: so it can be walked, and the others stand for themselves.
 */
export function withoutFaultyItems({ judgesEach }: Pick<AnyOperation, 'judgesEach'>, raw: unknown): unknown {
  const judged = judgesEach && (raw as Readonly<Record<string, unknown>> | null)?.[judgesEach]
  if (!judgesEach || typeof judged !== 'object' || judged === null) return raw
  const walkable = (item: unknown) => findUnstorable(item, '') ?? item
  return { ...(raw as object), [judgesEach]: Array.isArray(judged) ? judged.map(walkable) : walkable(judged) }
}

/**
 * Refuses to move the fields that only the service sets: what was read can be sent back, anything else is refused.
 * Where the version that was read came along and is not the present one, that is said first: the rest differs because
 * of it.
 * @param ways what moves a field instead, for those that something else does
 * @throws {Refusal} `version_mismatch`; `validation_failed` naming those that would move
 */
export function refuseMoved(
  fields: readonly string[],
  before: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
  ways: Readonly<Record<string, string>> = {},
): void {
  const { version } = input
  if (fields.includes('version') && Number.isInteger(version) && version !== before.version)
    throw versionMismatch(before.version as number)
  const errors = fields
    .filter((field) => input[field] !== undefined && !isDeepStrictEqual(input[field], before[field]))
    .map((path) => ({
      path,
      message: `${ways[path] ?? 'set by the service'}: leave it out, or send what stands`,
    }))
  if (errors.length > 0) throw invalid(...errors)
}

function fieldErrors(issue: z.core.$ZodIssue, schema: z.ZodObject, source: InputSource): FieldError[] {
  const whole = issue.path.map((name) => String(name).slice(0, LONGEST_NAME))
  // A parameter that is given more than once has one name for all.
  const path = source === 'query' ? whole.filter((part) => !/^\d+$/.test(part)) : whole
  if (issue.code !== 'unrecognized_keys')
    return [{ path: path.join('.') || '(input)', message: issue.message }]
  const what = source === 'query' ? 'parameter' : 'field'
  const known = knownKeys(schema, issue.path)
  // All that are known are told once: each time anew, they would be most of the answer.
  let areTold = false
  return issue.keys.slice(0, ERRORS_AT_MOST).map((key) => {
    const name = key.slice(0, LONGEST_NAME)
    const isNear = meantName(name, known) !== null
    const message = areTold && !isNear ? `no such ${what}: leave it out` : unknownName(name, known, what)
    areTold ||= !isNear
    return { path: [...path, name].join('.'), message }
  })
}

/** What to say of a name nobody knows: the nearest one, so that a typo never passes silently. */
export function unknownName(name: string, known: readonly string[], what = 'field'): string {
  const nearest = meantName(name, known)
  return nearest === null
    ? `no such ${what}; known are ${known.join(', ') || 'none'}`
    : `no such ${what}; did you mean ${nearest}?`
}

function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum && path.length === 0)
    return Object.keys(inner.keyType.enum)
  if (!(inner instanceof z.ZodObject)) return []
  const [first, ...rest] = path
  const next = first === undefined ? null : inner.shape[String(first)]
  return next ? knownKeys(next, rest) : Object.keys(inner.shape)
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : schema
}

/** Whether PostgreSQL can hold a text. */
export const isStorable = (text: string): boolean => judgeText(text, '') === null

/** How deep a value may nest; checked without recursion limits. */
const DEEPEST = 32

/** PostgreSQL text holds neither U+0000 nor half a surrogate pair; the first such place, or null. */
function findUnstorable(value: unknown, path: string, most = TAKES_AT_MOST.values): FieldError | null {
  let seen = 0
  const walk = (part: unknown, at: string, depth: number): FieldError | null => {
    if (++seen > most)
      return { path: at || '(input)', message: `has more than ${most} parts: send less at a time` }
    if (typeof part === 'string') return judgeText(part, at)
    if (typeof part !== 'object' || part === null || part instanceof IncomingBytes) return null
    // Once parsed they would be one, and nobody could tell.
    const alike = at === 'customFields' ? refuseAlike(part) : null
    if (alike) return alike
    if (depth > DEEPEST) return { path: at, message: `is nested deeper than ${DEEPEST}: make it flatter` }
    for (const [key, inner] of Object.entries(part)) {
      const place = at ? `${at}.${key}` : key
      const found = judgeName(key, place) ?? judgeText(key, place) ?? walk(inner, place, depth + 1)
      if (found) return found
    }
    return null
  }
  return walk(value, path, 0)
}

/** JavaScript keeps no value under this name, so it would be lost without a word; some names are trimmed later. */
const judgeName = (name: string, path: string): FieldError | null =>
  name.trim() === '__proto__' ? { path, message: 'is no name that can be kept: choose another' } : null

function judgeText(text: string, path: string): FieldError | null {
  if (text.includes('\u0000'))
    return { path: path.replaceAll('\u0000', ''), message: 'U+0000 cannot be stored: leave it out' }
  if (!text.isWellFormed())
    return {
      path: path.toWellFormed(),
      message: 'half a surrogate pair is not a character: send whole characters',
    }
  return null
}
