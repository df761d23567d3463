import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../model/scopes.ts'
import type { AnyOperation } from '../server/operation.ts'
import { openToPrograms, operationsBy } from '../server/operations.ts'
import { coveredOperations, sample } from './support/coverage.ts'
import type { Door } from './support/door.ts'
import { faultsOf } from './support/faults.ts'
import { makePointedAt, makeUnder } from './support/makers.ts'
import { rowVersions } from './support/row-versions.ts'
import { formOf, requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { askBy, openWebAs, type Web } from './support/web.ts'

const operations = coveredOperations(operationsBy('credential'))

/* Whatever comes in: the service never fails of it, and after a 4xx nothing has changed. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
/** As the admin, for what only a person may do. */
let web: Web
const ids = new Map<string, string>()
/** What the input of each has to point at. */
const pointedAt = new Map<AnyOperation, Record<string, unknown>>()

const callable = openToPrograms(operations)
const collectionOf = ({ path }: AnyOperation) => path.split('/{', 1)[0]!

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization({ supplierRiskManagement: true })
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  web = await openWebAs(door, acme.admin)
  for (const path of new Set(operations.filter(({ path }) => path.includes('/{')).map(collectionOf)))
    ids.set(path, await makeUnder(one, acme.admin, path))
  for (const operation of operations)
    pointedAt.set(operation, await makePointedAt(one, acme.admin, operation))
})
afterAll(() => one.close())

function goodInput(operation: AnyOperation): Record<string, unknown> {
  const [, name] = /\{(\w+)\}/.exec(operation.path) ?? []
  const ofPath = name ? { [name]: ids.get(collectionOf(operation)) } : {}
  return sampleOf(operation, { ...pointedAt.get(operation), ...ofPath })
}

const ask = (operation: AnyOperation, input: Record<string, unknown>) =>
  askBy(door, key, web, operation, input)

const inQuery = ({ method, needs }: AnyOperation) =>
  !needs.person && (method === 'GET' || method === 'DELETE')
const inPath = ({ path }: AnyOperation) => new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))

/** Every record and signal there is stays as it was when it was last asked, or when the tests around began. */
function nothingMoves(): () => Promise<void> {
  const stateOf = () =>
    rowVersions(one.administrator, { but: ['audit_entries', 'api_key_usage', 'reference_counters'] })
  let before: Awaited<ReturnType<typeof stateOf>>
  beforeAll(async () => {
    before = await stateOf()
  })
  return async () => {
    const was = before
    before = await stateOf()
    expect(before).toEqual(was)
  }
}

/** The requests that wrote something, and what, as the audit log has it: no write is without its entry. The service writes too. */
const writesLogged = async () =>
  (
    await one.administrator.query<{ by: string; what: string }>(
      `select request_id::text as by, string_agg(distinct action, ', ') as what
       from audit_entries where outcome = 'success' and request_id is not null group by request_id`,
    )
  ).rows

/** Of one operation in a run. */
const FAULTS = 6

// What there is is read once for all operations of a path: that takes longer than to ask them.
describe('each input wrong in one place is refused, and nothing changes', () => {
  const webs = new Map<AnyOperation, Web>()
  // A session may make so many calls a minute, and there are more faults than that.
  beforeAll(async () => {
    for (const operation of operations)
      if (operation.needs.person) webs.set(operation, await openWebAs(door, acme.admin))
  })
  const stands = nothingMoves()

  test.each([...Map.groupBy(operations, collectionOf)])('%s', async (_, together) => {
    for (const operation of together) {
      web = webs.get(operation) ?? web
      const good = goodInput(operation)
      const faults = faultsOf(formOf(operation), good, inQuery(operation), inPath(operation))
      for (const { what, input } of sample(faults, FAULTS, operation.name)) {
        const { status, body } = await ask(operation, input)
        const told = `${operation.name}, ${what}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`
        expect([400, 422], told).toContain(status)
      }
    }
    await stands()
  })
})

/** Bodies that are strange as a whole. */
const deep = (count: number, open: string, close: string) => open.repeat(count) + close.repeat(count)
const BODIES: [string, string | Buffer, Record<string, string>?][] = [
  ['arrays nested 100,000 deep', `{"title":${deep(100_000, '[', ']')}}`],
  ['objects nested 40,000 deep', `{"title":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`],
  ['nested 33 deep in a free field', `{"title":"a","customFields":{"a":${deep(33, '[', ']')}}}`],
  ['20,000 parts', `{"title":"a","customFields":{"a":[${'1,'.repeat(20_000)}1]}}`],
  ['a number past all numbers', '{"title":"a","customFields":{"a":1e400}}'],
  ['a number past all numbers, below', '{"title":"a","quantification":{"currency":"EUR","lossMin":-1e400}}'],
  ['a number for a text', '{"title":1e309}'],
  ['the same name twice', '{"title":"a","title":7}'],
  ['__proto__ on top', '{"title":"a","__proto__":{"polluted":true}}'],
  ['__proto__ with space around it', '{"title":"a","customFields":{" __proto__ ":{"polluted":true}}}'],
  ['constructor on top', '{"title":"a","constructor":{"prototype":{"polluted":true}}}'],
  [
    '__proto__ in an owner',
    '{"title":"a","owner":{"type":"user","refId":"x","__proto__":{"polluted":true}}}',
  ],
  ['U+0000 escaped', '{"title":"a\\u0000"}'],
  ['U+0000 in a name', '{"title":"a","customFields":{"a\\u0000":1}}'],
  ['half a pair escaped', '{"title":"\\ud800"}'],
  ['the other half', '{"title":"a","customFields":{"a":"\\udfff"}}'],
  ['U+0000 as it is', Buffer.from('{"title":"a\0"}')],
  ['a byte order mark', '\uFEFF{"title":"a"}'],
  ['UTF-16', Buffer.from('{"title":"a"}', 'utf16le')],
  ['UTF-32', Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
  ['gzip said', gzipSync('{"title":"a"}'), { 'content-encoding': 'gzip' }],
  ['gzip unsaid', gzipSync('{"title":"a"}')],
  ['a bomb', gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' }],
  ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['only an opening', '{'],
  ['10,000 names', `{${Array.from({ length: 10_000 }, (_, n) => `"n${n}":1`).join(',')}}`],
  ['an empty name', '{"":1}'],
  ['a long name', `{"${'n'.repeat(100_000)}":1}`],
]

/** Of these, what one operation gets in a run. */
const BODIES_EACH = 3

describe('strange bodies', () => {
  const taking = callable.filter(({ method }) => method !== 'GET' && method !== 'DELETE')
  const toEach = new Map(
    taking.map((operation) => [operation, sample(BODIES, BODIES_EACH, operation.name).map(([what]) => what)]),
  )
  const stands = nothingMoves()

  test.each(BODIES)('%s', async (what, body, headers = {}) => {
    for (const operation of taking.filter((each) => toEach.get(each)!.includes(what)))
      for (const once of [
        {},
        operation.method === 'POST' ? { 'idempotency-key': `strange ${Math.random()}` } : {},
      ]) {
        const { path } = requestFor(operation, goodInput(operation))
        const reply = await door.send(key, operation.method, path, { body, headers: { ...headers, ...once } })
        expect([400, 415, 422], `${operation.name}: ${reply.status} ${reply.text.slice(0, 200)}`).toContain(
          reply.status,
        )
        expect(reply.text.length).toBeLessThan(250_000)
      }
    await one.administrator.query('delete from idempotency_answers')
    await stands()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('names like those of objects are names, where any name may be; the one that would be lost is refused', async () => {
    const customFields = JSON.parse('{"constructor":1,"prototype":[],"toString":"a"}')
    const made = await door.send(key, 'POST', '/v1/risks', { body: { title: 'a', customFields } })
    expect(made.status).toBe(201)
    const read = await door.send(key, 'GET', made.headers.location!)
    expect(read.text).toContain('"toString":"a"')
    const changed = await door.send(key, 'PATCH', made.headers.location!, {
      body: { customFields: JSON.parse('{"__proto__":1}') },
    })
    expect([changed.status, changed.body.errors[0].path]).toEqual([422, 'customFields.__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('text is kept as it came, in every script', async () => {
    const title = 'Ω≈ç 測試 \u202Eabc e\u0301 👩‍👩‍👧 \u2028 <script>'
    const made = await door.send(key, 'POST', '/v1/risks', { body: { title } })
    expect(made.body.title).toBe(title)
    expect((await door.send(key, 'GET', made.headers.location!)).body.title).toBe(title)
  })
})

test('anything at all, anywhere: never a fault of ours, never a change behind a refusal', async () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      null,
      '',
      0,
      -0,
      -1,
      1e308,
      2 ** 53,
      [],
      {},
      [[]],
      'null',
      '2026-02-29',
      '0000-00-00',
      'infinity',
      "' or 1=1 --",
      '%',
      '\\',
    ),
  )
  const request = fc.record({
    name: fc.constantFrom(...callable.filter(({ method }) => method !== 'DELETE').map(({ name }) => name)),
    fields: fc.array(fc.tuple(fc.nat(100), value), { maxLength: 4 }),
    strangers: fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 1 }),
    header: fc.constantFrom(
      'if-match',
      'idempotency-key',
      'accept',
      'accept-encoding',
      'user-agent',
      'x-forwarded-for',
      'expect-nothing',
    ),
    headerValue: fc.string({ maxLength: 40 }),
  })
  const before = new Set((await writesLogged()).map(({ by }) => by))
  const done = new Set<string>()
  await fc.assert(
    fc.asyncProperty(request, async ({ name, fields, strangers, header, headerValue }) => {
      const operation = callable.find((each) => each.name === name)!
      const names = Object.keys(formOf(operation).properties ?? {}).filter(
        (name) => !inPath(operation).has(name),
      )
      const chosen = fields.flatMap(([index, one]) =>
        names.length > 0 ? [[names[index % names.length]!, one]] : [],
      )
      const input = { ...goodInput(operation), ...Object.fromEntries(chosen), ...strangers }
      for (const name of inPath(operation)) input[name] = goodInput(operation)[name]
      const { path, body } = requestFor(operation, wellFormed(operation, input))
      const reply = await door.send(key, operation.method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { [header]: headerValue.replace(/[^\x20-\x7e]/g, '') },
      })
      expect(reply.status, `${operation.name} ${JSON.stringify(input).slice(0, 500)}`).toBeLessThan(500)
      if (reply.status < 300) done.add(reply.headers['request-id']!)
    }),
    { numRuns: 1200 },
  )
  expect((await writesLogged()).filter(({ by }) => !before.has(by) && !done.has(by))).toEqual([])
})

/** A query string cannot be written of half a pair; everything else goes as it is. */
function wellFormed(operation: AnyOperation, input: Record<string, unknown>): Record<string, unknown> {
  return inQuery(operation)
    ? JSON.parse(JSON.stringify(input).replace(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, ''))
    : input
}
