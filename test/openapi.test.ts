import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApiOf } from '../server/doors/openapi.ts'
import { operations } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'

const document = openApiOf(operations)

// What others build on changes only on purpose: `npm test -- test/openapi.test.ts -u` writes the file anew.
test('openapi.json is the document', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../openapi.json')
})

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
})

test('what is pointed at is there, and nothing stands there unused', () => {
  const text = JSON.stringify(document)
  const used = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, of, name]) => `${of}/${name}`),
  )
  const there = Object.entries(document.components).flatMap(([of, all]) =>
    Object.keys(all).map((name) => `${of}/${name}`),
  )
  expect([...used].sort()).toEqual(there.filter((one) => !one.startsWith('securitySchemes')).sort())
})

describe('it says of every operation what the door does', () => {
  const callable = operations.filter(({ needs }) => !needs.person)
  test.each(callable.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described?.operationId).toBe(name)
    expect(described?.['x-required-scopes']).toEqual(operation.needs.anyOf)
    expect(Object.keys(described?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '401', '422', '429', '500', '503']),
    )
    const { schema, example } = described?.requestBody?.content['application/json'] ?? {}
    const takes = schema?.$ref ?? Object.keys(schema?.properties ?? {}).length > 0
    expect(example !== undefined, 'a body comes with an example').toBe(Boolean(takes))
    if (operation.example) expect(operation.input.safeParse(operation.example).error).toBeUndefined()
  })

  test('and of none that only a person may do', () => {
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((each) => each.operationId),
    )
    expect(described.sort()).toEqual(callable.map(({ name }) => name).sort())
  })
})

describe('it is served', () => {
  let one: TestService
  let door: Door
  beforeAll(async () => {
    one = await startTestService()
    door = await one.listen()
  })
  afterAll(() => one.close())

  test('without a credential, as JSON', async () => {
    const { status, headers, body } = await door.send(null, 'GET', '/v1/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual(JSON.parse(JSON.stringify(document)))
  })
})
