import { bareOf, type Form } from './samples.ts'

/*
 * From a form to inputs that do not fit it, each wrong in one place: what a careless or hostile caller may send,
 * for every operation there is and will be.
 */

export interface Fault {
  readonly what: string
  /** The same for the same fault in a field of the same form. */
  readonly shape: string
  readonly input: Record<string, unknown>
}

/** @param inQuery where everything is text, so nothing has a wrong type */
export function faultsOf(
  form: Form,
  good: Record<string, unknown>,
  inQuery: boolean,
  fixed: ReadonlySet<string>,
): Fault[] {
  const { properties = {}, required = [] } = form
  const missing = required
    .filter((name) => !fixed.has(name))
    .map((name) => {
      const { [name]: _, ...input } = good
      return { what: `${name} missing`, shape: 'missing', input }
    })
  const wrong = Object.entries(properties)
    .filter(([name]) => !fixed.has(name))
    .flatMap(([name, inner]) =>
      wrongValues(inner, inQuery).map(([why, value]) => ({
        what: `${name} ${why}`,
        shape: `${why}: ${withoutWords(inner)}`,
        input: { ...good, [name]: value },
      })),
    )
  const unknown = UNKNOWN.filter((name) => !(name in properties)).map((name) => ({
    what: `${name} unknown`,
    shape: `unknown ${name}`,
    input: Object.fromEntries([...Object.entries(good), [name, 'x']]),
  }))
  return [...missing, ...wrong, ...unknown]
}

const WORDS = ['title', 'description', 'refersTo']
const withoutWords = (form: Form): string =>
  JSON.stringify(form, (name, value) =>
    WORDS.includes(name) && typeof value === 'string' ? undefined : value,
  )

/** Names that are no field, but might reach a column, an object's insides, or another organization. */
const UNKNOWN = [
  'titel',
  'organization_id',
  'secret',
  'role',
  'reference_number',
  'password_hash',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id ',
  '',
  'ＩＤ',
]

type Wrong = [why: string, value: unknown]

function wrongValues(form: Form, inQuery: boolean): Wrong[] {
  const bare = bareOf(form)
  if (bare.type === undefined && !bare.enum) return []
  const values = [...wrongForm(bare), ...(inQuery ? [] : wrongType(bare))]
  return inQuery ? values.filter(([, value]) => String(value).isWellFormed()) : values
}

function wrongForm(bare: Form): Wrong[] {
  if (bare.enum)
    return [
      ['not of the list', 'no_such_value'],
      ['in another case', `${String(bare.enum[0]).toUpperCase()} `],
    ]
  if (bare.type === 'string') return wrongTexts(bare)
  if (bare.type === 'integer' || bare.type === 'number') return wrongNumbers(bare)
  if (bare.type === 'boolean') return [['a word', 'yes']]
  if (bare.type === 'array')
    return [
      ...(bare.maxItems
        ? ([['too many', Array(bare.maxItems + 1).fill(bare.items?.enum?.[0] ?? 'x')]] as Wrong[])
        : []),
      ...wrongForm(bareOf(bare.items ?? {})).map(([why, value]): Wrong => [`with an item ${why}`, [value]]),
    ]
  if (bare.type === 'object' && bare.properties)
    return [
      ['with a stranger', { stranger: 1 }],
      ...Object.entries(bare.properties).flatMap(([name, inner]) =>
        wrongForm(bareOf(inner)).map(([why, value]): Wrong => [`with ${name} ${why}`, { [name]: value }]),
      ),
    ]
  return []
}

function wrongTexts({ minLength = 0, maxLength, format, pattern }: Form): Wrong[] {
  return [
    ['with U+0000', 'a\u0000b'],
    ['with half a pair', 'a\ud800b'],
    ...(minLength > 0 ? ([['empty', '']] as Wrong[]) : []),
    ...(maxLength ? ([['a letter too long', 'x'.repeat(maxLength + 1)]] as Wrong[]) : []),
    // A password has any form; its format only tells what it is for.
    ...((format && format !== 'password') || pattern
      ? ([['out of form', '2026-13-45T99:99 no such form']] as Wrong[])
      : []),
    ...(format === 'date' || format === 'date-time'
      ? ([['a day that never was', '2026-02-30']] as Wrong[])
      : []),
  ]
}

function wrongNumbers({ type, minimum, maximum, exclusiveMinimum }: Form): Wrong[] {
  const least = minimum ?? exclusiveMinimum
  return [
    ['a word', 'many'],
    ...(type === 'integer'
      ? ([
          ['a fraction', 1.5],
          ['past all numbers', 2 ** 53],
        ] as Wrong[])
      : []),
    ...(least !== undefined ? ([['too small', least - 1]] as Wrong[]) : []),
    ...(maximum !== undefined && maximum < 2 ** 53 - 1 ? ([['too large', maximum + 1]] as Wrong[]) : []),
  ]
}

const OF_TYPE: Record<string, unknown> = {
  string: 'text',
  number: 7.5,
  boolean: true,
  array: ['text'],
  object: { a: 1 },
}

function wrongType(bare: Form): Wrong[] {
  const type = bare.type === 'integer' ? 'number' : (bare.type ?? 'string')
  return Object.entries(OF_TYPE)
    .filter(([other]) => other !== type && !(bare.enum && other === 'string'))
    .map(([other, value]): Wrong => [`a ${other}`, value])
}
