import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { linkedIds, sidesOf } from '../model/relations.ts'
import type { Schema } from '../server/doors/json-schemas.ts'
import { type OpenApi, openApiOf } from '../server/doors/openapi.ts'
import { openToPrograms, operationsBy } from '../server/operations.ts'
import { exampleJob, recordExamples } from './support/document-examples.ts'
import type { Door } from './support/door.ts'
import type { TestService } from './support/service.ts'
import { startWebhookTest } from './support/webhooks.ts'

const operations = operationsBy('credential')

let one: TestService
let door: Door
let recorded: Record<string, unknown>
let document: OpenApi
beforeAll(async () => {
  one = await startWebhookTest({ deliver: false, jobKinds: [exampleJob] })
  door = await one.listen()
  recorded = await recordExamples(one, door)
  document = openApiOf(operations, recorded)
})
afterAll(() => one.close())

const minified = () => JSON.stringify(document)

// What others build on changes only on purpose: `npm test -- test/openapi.test.ts -u` writes the files anew.
test('openapi.json is the document, with examples as the service gives them', async () => {
  const examples = JSON.stringify(recorded, null, 2)
  await expect(`${examples}\n`).toMatchFileSnapshot('../server/doors/openapi/examples.json')
  await expect(`${written(document)}\n`).toMatchFileSnapshot('../openapi.json')
  expect(JSON.parse(written(document))).toEqual(JSON.parse(minified()))
})

/**
 * How deep each part is opened, so that a call, a signal and a component are a line each: a change is read by lines.
 */
const OPENED: Record<string, number> = { paths: 2, webhooks: 1, components: 2 }

const written = (whole: OpenApi) => inLines(whole, (name) => (one) => opened(one, OPENED[name] ?? 0, '  '))

const opened = (value: unknown, deep: number, margin: string): string =>
  deep === 0
    ? JSON.stringify(value)
    : inLines(value as object, () => (one) => opened(one, deep - 1, `${margin}  `), margin)

function inLines(whole: object, write: (name: string) => (value: unknown) => string, margin = ''): string {
  const lines = Object.entries(whole).map(
    ([name, value]) => `${margin}  ${JSON.stringify(name)}: ${write(name)(value)}`,
  )
  return `{\n${lines.join(',\n')}\n${margin}}`
}

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(minified()))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
})

test('what is pointed at is there, and nothing stands there unused', () => {
  const used = new Set(
    [...minified().matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, of, name]) => `${of}/${name}`),
  )
  const there = Object.entries(document.components).flatMap(([of, all]) =>
    Object.keys(all).map((name) => `${of}/${name}`),
  )
  expect([...used].sort()).toEqual(there.filter((one) => !one.startsWith('securitySchemes')).sort())
})

const callable = openToPrograms(operations)

/** What a call of a kind costs, whatever the kind, and in all of its calls each of its fields, and what it is linked with. */
const OF_A_KIND = { call: 1_400, field: 480, side: 260 }
/** What any other call costs, or a signal; the common parts of the document are in it. */
const OF_OTHERS = 2_560

test('it grows with calls and fields, examples aside, and by no more for each than is known', () => {
  const ofKind = ({ path }: Kind) => callable.filter((one) => one.path.split('/')[2] === path)
  const ofKinds = everyKind.flatMap(ofKind).length
  const fields = everyKind.flatMap((kind) => [
    ...Object.keys(kind.fields),
    ...Object.keys(kind.derived),
    ...linkedIds(kind),
  ]).length
  const sides = everyKind.flatMap((kind) => sidesOf(kind)).length
  // The callback of an endpoint, which has all signals, is described as one call more.
  const others = callable.length - ofKinds + Object.keys(document.webhooks).length + 1
  const bare = JSON.stringify(document, (name, part) => (name === 'example' ? undefined : part))
  expect(Buffer.byteLength(bare)).toBeLessThan(
    OF_A_KIND.call * ofKinds + OF_A_KIND.field * fields + OF_A_KIND.side * sides + OF_OTHERS * others,
  )
})

/** What is answered as bytes has no schema. */
const BYTES = '*/*'

describe('clients can be generated from it', () => {
  const calls = () => Object.values(document.paths).flatMap((path) => Object.values(path))
  const schemas = () => document.components.schemas
  const within = (name: string, known = new Set<string>()): Set<string> => {
    for (const [, inner] of JSON.stringify(schemas()[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (known.has(inner!)) continue
      known.add(inner!)
      within(inner!, known)
    }
    return known
  }

  test('each body and each answer has a schema with a name', () => {
    const bodies = [...calls(), ...Object.values(document.webhooks).map(({ post }) => post)].flatMap(
      ({ requestBody }) => (requestBody ? [requestBody.content['application/json']?.schema] : []),
    )
    const answers = Object.values(document.components.responses).flatMap(({ content = {} }) =>
      Object.entries(content).flatMap(([type, { schema }]) => (type === BYTES ? [] : [schema])),
    )
    for (const schema of [...bodies, ...answers]) expect(Object.keys(schema)).toEqual(['$ref'])
    expect(Object.keys(schemas())).toEqual(
      expect.arrayContaining([
        'Risk',
        'RiskCreation',
        'RiskUpdate',
        'RiskPage',
        'Problem',
        'RiskCreatedSignal',
      ]),
    )
  })

  test('no schema contains itself, and none has a title, which generators take for its name', () => {
    for (const name of Object.keys(schemas())) expect(within(name), name).not.toContain(name)
    const titled = ({ properties = {}, items, anyOf = [], allOf = [], ...schema }: Schema): boolean =>
      'title' in schema ||
      [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...allOf].some(titled)
    expect(Object.keys(schemas()).filter((name) => titled(schemas()[name]!))).toEqual([])
  })

  test('what is sent is closed, and what is answered takes new fields', () => {
    const sent = new Set(
      calls().flatMap(({ requestBody }) => {
        const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
        return name ? [name, ...within(name)] : []
      }),
    )
    for (const [name, schema] of Object.entries(schemas()))
      if (schema.properties)
        expect([name, schema.additionalProperties === false]).toEqual([name, sent.has(name)])
  })

  test('codes and outcomes are known words of an open text', () => {
    for (const name of ['ProblemCode', 'WebhookOutcome', 'ConnectionFailure', 'HistoryOutcome'])
      expect(schemas()[name], name).toEqual({
        type: 'string',
        description: 'More words may come',
        'x-extensible-enum': expect.any(Array),
      })
  })

  test('each answer and each signal has an example, and examples are what their schema says', () => {
    const ajv = new Ajv2020({
      strict: false,
      formats: { 'date-time': /^\d{4}-.+Z$/, date: true, email: true, uuid: true, uri: true },
    })
    ajv.addSchema(JSON.parse(minified()), 'document')
    const hold = ({ $ref }: Schema, example: unknown) => {
      const isValid = ajv.validate({ $ref: `document${$ref}` }, example)
      expect([$ref, isValid, ajv.errors]).toEqual([$ref, true, null])
    }
    for (const { requestBody } of calls()) {
      const { schema, example } = requestBody?.content['application/json'] ?? {}
      if (schema) hold(schema, example)
    }
    const shown = [
      ...Object.values(document.components.responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, told]) => (type === BYTES ? [] : [told])),
      ),
      ...Object.values(document.webhooks).map(({ post }) => post.requestBody.content['application/json']),
    ]
    for (const { schema, example } of shown) hold(schema, example)
  })

  test('each call is there: without a credential it is refused for that', async () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods)) {
        const { status } = await door.send(null, method.toUpperCase(), path.replace(/\{\w+\}/g, 'one'))
        expect([method, path, status]).toEqual([method, path, 401])
      }
  })
})

test('a secret and a delivery of the examples verify together', () => {
  const { secret } = recorded.WebhookEndpointWithSecret as { secret: string }
  const { request } = recorded.WebhookDeliveryDetail as {
    request: { headers: Record<string, string>; body: string }
  }
  const sentAt = Number(request.headers['webhook-timestamp']) * 1_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(sentAt)
  onTestFinished(() => clock.mockRestore())
  expect(new Webhook(secret).verify(request.body, request.headers)).toEqual(recorded.WebhookTestSignal)
})

describe('it says of every operation what the door does', () => {
  test.each(callable.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described?.operationId).toBe(name)
    expect(described?.['x-required-scopes']).toEqual(operation.needs.anyOf)
    expect(described?.responses.default).toEqual({ $ref: '#/components/responses/Problem' })
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
  test('without a credential, as JSON', async () => {
    const { status, headers, body } = await door.send(null, 'GET', '/v1/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual(JSON.parse(JSON.stringify(openApiOf(operations))))
  })
})
