import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { newId } from '../server/database/ids.ts'
import { parseInput } from '../server/input.ts'
import type { AnyOperation } from '../server/operation.ts'
import { operations } from '../server/operations.ts'
import { type FieldError, Refusal } from '../server/refusal.ts'
import { faultsOf } from './support/faults.ts'
import { formOf, sampleOf } from './support/samples.ts'

/* Promise: what is refused is told in words of ours: where, what was given, and what would be right. */

const ROOT = join(import.meta.dirname, '..')

/** How the library that reads schemas speaks. */
const OF_A_LIBRARY =
  /\b(invalid|expected|received|unrecognized|must match|pattern|string|integer|boolean|array|NaN|undefined|zod)\b/i
/** What a cure looks like. */
const CURE =
  /: (give|write|send|leave|make|take|choose|mend|say|type|did you mean|no more|the documentation)|[;:] (did you mean|known are) |, and a record has at most/

function errorsOf(input: AnyOperation['input'], raw: unknown, place: 'query' | 'elsewhere'): FieldError[] {
  try {
    parseInput({ input }, raw, place)
  } catch (error) {
    if (error instanceof Refusal) {
      const errors = error.members.errors as FieldError[]
      expect(error.message, 'the whole, for who is shown no members').toMatch(/[.?]$/)
      expect(error.message).not.toMatch(/[.?]{2}$/)
      if (errors.length <= 10) for (const { path } of errors) expect(error.message).toContain(path)
      return errors
    }
    throw error
  }
  return [] // what the form alone does not refuse
}

test.each(operations.map((one) => [one.name, one] as const))('%s', (_, operation) => {
  const isQuery = operation.method === 'GET' || operation.method === 'DELETE'
  const faults = faultsOf(formOf(operation), sampleOf(operation), isQuery, new Set())
  expect(faults.length).toBeGreaterThan(0)
  for (const { what, input } of faults)
    for (const { path, message } of errorsOf(operation.input, input, isQuery ? 'query' : 'elsewhere')) {
      // What there is to choose from is called as it is called.
      const told = message.replaceAll(/"[^"]*"|(?<=give one of ).*/g, '')
      expect.soft(told, `${what} → ${path}: ${message}`).not.toMatch(OF_A_LIBRARY)
      expect.soft(message, `${what} → ${path}`).toMatch(CURE)
      if (!('' in input)) expect.soft(path).not.toBe('')
    }
})

describe('for example', () => {
  const of = (name: string) => operations.find((operation) => operation.name === name)!.input
  const told = (name: string, input: object, place: 'query' | 'elsewhere' = 'elsewhere') =>
    errorsOf(of(name), input, place).map(({ path, message }) => `${path}: ${message}`)

  test('a body', () => {
    expect(
      told('createRisk', { title: 7, likelihood: 'posible', reviewDate: '31.12.2026', titel: 'x' }),
    ).toEqual([
      'title: a number was given: give text',
      'likelihood: there is no "posible" here: did you mean possible? Else give one of rare, unlikely, possible, likely, almost_certain',
      'reviewDate: "31.12.2026" is not a day: give one such as 2026-05-17',
      'titel: no such field; did you mean title?',
    ])
    expect(told('createRisk', { title: 'x'.repeat(201) })).toEqual([
      'title: has 201 characters: give at most 200 characters',
    ])
    expect(told('createRiskAcceptance', { riskId: newId('risk'), justification: 'So' })).toEqual([
      'approver: required: give an object, such as {"type": "user", "refId": …}',
      'expiresAt: required: give an instant with its offset, such as 2026-05-17T10:00:00Z',
    ])
  })

  test.each([
    ['Tecnical', 'technical'],
    ['THIRD PARTY', 'third_party'],
    ['continiuty', 'continuity'],
    ['party', 'third_party'],
    ['xx', null],
    ['z', null],
    ['editorial', null],
  ])('of the category "%s" is meant %s', (category, meant) => {
    const [message] = told('createRisk', { title: 'x', category })
    expect(/did you mean (\w+)\?/.exec(message!)?.[1] ?? null).toBe(meant)
  })

  test('what is meant begins as it was written, or is but a slip away', () => {
    const [auditor] = told('createUser', { email: 'a@a.test', name: 'A', role: 'auditor' })
    expect(auditor).toBe('role: there is no "auditor" here: give one of admin, editor, viewer')
    expect(told('rejectRiskAcceptance', { id: newId('rac'), statusReason: 'No', reason: 'No' })).toEqual([
      'reason: no such field; did you mean statusReason?',
    ])
  })

  test('a query', () => {
    const list = (input: object) => told('listRisks', input, 'query')
    expect(list({ limit: 'many' })).toEqual(['limit: "many" is not a whole number: give one such as 12'])
    expect(list({ limit: 201 })).toEqual(['limit: 201 is too large: give 200 or less'])
    expect(list({ limmit: 5 })).toEqual(['limmit: no such parameter; did you mean limit?'])
    expect(list({ updatedSince: '2026-05-17T10:00:00 02:00' })).toEqual([
      'updatedSince: "2026-05-17T10:00:00 02:00" has lost the + of its offset, which means a space in a query: write 2026-05-17T10:00:00%2B02:00, or the same instant with Z',
    ])
    expect(list({ updatedSince: '17.05.2026' })).toEqual([
      'updatedSince: "17.05.2026" is not an instant with its offset: give one such as 2026-05-17T10:00:00Z, or 2026-05-17T12:00:00%2B02:00, or a day alone',
    ])
  })
})

describe('in the code', () => {
  const said = globSync('{server,kinds,client}/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    refusalsIn(readFileSync(join(ROOT, file), 'utf8')).map((text) => [file, text] as const),
  )

  test('every refusal is found', () => expect(said.length).toBeGreaterThan(110))

  test.each(said)('%s: %s', (_, text) => {
    expect(text, 'a sentence that ends').toMatch(/[.…]$/)
    expect(text).not.toMatch(/!|\b(zod|undici|postgres|fastify|oidc|constraint|ECONN\w+|null value)\b/i)
    expect(text.replaceAll(/`[^`]*`|…/g, ''), 'no names of our code').not.toMatch(/\b\w+_\w+\b|\w\(\)/)
  })
})

interface Node {
  type: string
  [part: string]: unknown
}

/**
 * What each `new Refusal(code, detail)` of a file says, as far as it is written there; what is put in is an ellipsis.
 */
function refusalsIn(source: string): string[] {
  const found: string[] = []
  const walk = (node: Node): void => {
    const [, detail] = (node.arguments as Node[] | undefined) ?? []
    if (node.type === 'NewExpression' && (node.callee as Node).name === 'Refusal' && detail)
      found.push(...textsOf(detail))
    for (const part of Object.values(node))
      for (const inner of Array.isArray(part) ? part : [part])
        if (typeof (inner as Node | null)?.type === 'string') walk(inner as Node)
  }
  walk(parseSync('file.ts', source).program as unknown as Node)
  return found
}

function textsOf(node: Node): string[] {
  if (node.type === 'Literal') return [String(node.value)]
  if (node.type === 'TemplateLiteral')
    return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')]
  if (node.type === 'ConditionalExpression')
    return [...textsOf(node.consequent as Node), ...textsOf(node.alternate as Node)]
  return []
}
