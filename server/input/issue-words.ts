import type { z } from 'zod'
import { meantName } from '../nearest-name.ts'

/*
 * What is wrong with a value, in words of ours: first what was given, then what would be right, with an example.
 * The library that reads schemas has words of its own, for people who know it; none of them leaves the service. A
 * schema that says something of its own keeps that.
 *
 * A value is shown only where it stands for one of few or for a form that everybody knows: what was given in place
 * of another text may be a secret, and answers are kept.
 */

/** Where the value came from: a query is written by hand, in an encoding of its own. */
export type InputSource = 'query' | 'elsewhere'

type Issue = z.core.$ZodRawIssue

export function wordsFor(issue: Issue, source: InputSource): string {
  const { input } = issue
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue, source)
    case 'invalid_value':
      return ofValue((issue.values as unknown[]).map(String), input)
    case 'invalid_format':
      return ofForm(String(issue.format), input, source)
    case 'too_small':
      return tooSmall(issue, Number(issue.minimum), input)
    case 'too_big':
      return tooBig(issue, Number(issue.maximum), input)
    case 'not_multiple_of':
      return `${shown(input)} is no multiple of ${issue.divisor}: give one that is`
    default:
      return 'is not of a form that is known here: the documentation of the call shows one that is'
  }
}

interface Wanted {
  readonly what: string
  readonly example?: string
}

const WANTED: Record<string, Wanted> = {
  string: { what: 'text' },
  number: { what: 'a number', example: '12.5' },
  int: { what: 'a whole number', example: '12' },
  boolean: { what: 'true or false' },
  array: { what: 'a list', example: '["one"]' },
  object: { what: 'an object', example: '{"name": "value"}' },
  record: { what: 'an object', example: '{"name": "value"}' },
}

/** A whole number is a number to the library until it has seen one. */
const isWhole = ({ inst }: Issue): boolean =>
  (inst?._zod.def as { format?: string } | undefined)?.format === 'safeint'

function ofType(issue: Issue, source: InputSource): string {
  const { input } = issue
  const expected = isWhole(issue) ? 'int' : String((issue as { expected?: unknown }).expected)
  const { what, example } = ofForms(issue) ??
    WANTED[expected] ?? { what: 'what the documentation of the call shows' }
  const cure = example ? `give ${what}, such as ${unquoted(example, source)}` : `give ${what}`
  if (input === undefined) return `required: ${cure}`
  if (source === 'query' && Array.isArray(input)) return 'is given more than once: give it once'
  if (typeof input === 'string' && (expected === 'number' || expected === 'int' || expected === 'boolean'))
    return `${shown(input)} is not ${what}: give ${example ? `one such as ${example}` : what}`
  return `${kindOf(input)} was given: ${cure}`
}

interface Definition {
  readonly format?: string
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

/** Of a text that has a form, and of an object with the fields that it cannot do without. */
function ofForms({ inst }: Issue): Wanted | undefined {
  const { format = '', shape } = (inst?._zod.def ?? {}) as Definition
  if (!shape) return FORMS[format]
  const needed = Object.entries(shape).filter(([, { _zod }]) => _zod.optin !== 'optional')
  const example = needed.map(([name, { _zod }]) => `"${name}": ${exampleOf([...(_zod.values ?? [])][0])}`)
  return example.length > 0 ? { what: 'an object', example: `{${example.join(', ')}}` } : undefined
}

const exampleOf = (value: unknown): string => (value === undefined ? '…' : JSON.stringify(value))

const unquoted = (example: string, source: InputSource): string =>
  source === 'query' ? example.replaceAll('"', '') : example

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'number' && !Number.isFinite(input)) return 'a number that is too large'
  if (typeof input === 'number' && !Number.isInteger(input)) return `the fraction ${input}`
  if (typeof input === 'string') return 'text'
  return (
    { number: 'a number', boolean: 'true or false', object: 'an object' }[typeof input as string] ?? 'nothing'
  )
}

const VALUES_AT_MOST = 40

function ofValue(values: readonly string[], input: unknown): string {
  const cure = cureOf(values)
  if (input === undefined) return `required: ${cure}`
  if (typeof input !== 'string') return `${kindOf(input)} was given: ${cure}`
  const nearest = meantName(input, values)
  const hint = nearest !== null && values.length > 1 ? `did you mean ${nearest}? Else ` : ''
  return `there is no ${shown(input)} here: ${hint}${cure}`
}

function cureOf(values: readonly string[]): string {
  const known = new Set(values)
  const plain = values.filter((value) => !(value.startsWith('-') && known.has(value.slice(1))))
  const told = plain.slice(0, VALUES_AT_MOST).join(', ')
  const more = plain.length > VALUES_AT_MOST ? `, and ${plain.length - VALUES_AT_MOST} more` : ''
  const turned = plain.length < values.length ? ', or one with a minus before it for the other way round' : ''
  return `give ${values.length === 1 ? '' : 'one of '}${told}${more}${turned}`
}

const FORMS: Record<string, Wanted> = {
  email: { what: 'an e-mail address', example: 'ada@example.com' },
  date: { what: 'a day', example: '2026-05-17' },
  datetime: { what: 'an instant with its offset', example: '2026-05-17T10:00:00Z' },
  url: { what: 'an address', example: 'https://example.com/path' },
  uuid: { what: 'a UUID', example: '01890a5d-ac96-774b-bcce-b302099a8057' },
}

/** What a `+` becomes in a query where nobody has encoded it. */
const LOST_OFFSET = /^(\d{4}-\d{2}-\d{2}T[\d:.]+) (\d{2}:?\d{2})$/

function ofForm(format: string, input: unknown, source: InputSource): string {
  const form = FORMS[format]
  if (!form) return 'has another form than it should: the documentation of the call has an example'
  const [, time, offset] = (format === 'datetime' && LOST_OFFSET.exec(String(input))) || []
  if (time && source === 'query')
    return `${shown(input)} has lost the + of its offset, which means a space in a query: write ${time}%2B${offset}, or the same instant with Z`
  const twoOffsets = format === 'datetime' ? ', or 2026-05-17T12:00:00+02:00, or a day alone' : ''
  const encoded = source === 'query' ? twoOffsets.replace('+', '%2B') : twoOffsets
  return `${shown(input)} is not ${form.what}: give one such as ${form.example}${encoded}`
}

const countOf = (input: unknown): number | undefined =>
  (input as { length?: number; size?: number } | null)?.length

const many = (count: number, one: string): string => `${count} ${count === 1 ? one : ONE_OR_MORE[one]}`
const ONE_OR_MORE: Record<string, string> = { character: 'characters', entry: 'entries' }

function tooSmall({ origin, inclusive }: Issue, minimum: number, input: unknown): string {
  if (origin === 'string' || origin === 'array') {
    const unit = origin === 'string' ? 'character' : 'entry'
    const count = countOf(input) ?? 0
    return `${count === 0 ? 'is empty' : `has ${many(count, unit)}`}: give at least ${many(minimum, unit)}`
  }
  if (minimum <= Number.MIN_SAFE_INTEGER) return OUT_OF_RANGE
  return `${shown(input)} is too small: give ${inclusive === false ? `more than ${minimum}` : `${minimum} or more`}`
}

function tooBig({ origin, inclusive }: Issue, maximum: number, input: unknown): string {
  if (origin === 'string' || origin === 'array') {
    const unit = origin === 'string' ? 'character' : 'entry'
    return `has ${many(countOf(input) ?? 0, unit)}: give at most ${many(maximum, unit)}`
  }
  if (maximum >= Number.MAX_SAFE_INTEGER) return OUT_OF_RANGE
  return `${shown(input)} is too large: give ${inclusive === false ? `less than ${maximum}` : `${maximum} or less`}`
}

const OUT_OF_RANGE = 'is out of range: give a number nearer to 0'

const SHOWN_AT_MOST = 60

function shown(input: unknown): string {
  const text = typeof input === 'string' ? input : String(input)
  const cut = text.length > SHOWN_AT_MOST ? `${text.slice(0, SHOWN_AT_MOST).toWellFormed()}…` : text
  return typeof input === 'string' ? JSON.stringify(cut) : cut
}
