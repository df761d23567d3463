import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsToRead } from '../model/access.ts'
import { everyKind } from '../model/kinds/index.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { operations } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { makeUnder } from './support/makers.ts'
import { callTool, headersOf, rpc } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * What an agent does in a conversation, through a client that turns values into the types it reads, as common
 * editors do: what is cleared is cleared, what was read can be sent back, and answers are short.
 */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
const ajv = new Ajv({ coerceTypes: true, strict: false, validateFormats: false })
const schemas = new Map<string, Schema>()

/** However many there are: the first list leaves out whole modules when it grows too long. */
const EVERY_TOOL = { query: '?toolsets=all' }

interface Schema {
  properties?: Record<string, { type?: string | string[]; enum?: unknown[]; description?: string }>
}

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization({ supplierRiskManagement: true })
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  const { result } = await rpc(door, key, 'tools/list', {}, EVERY_TOOL)
  for (const { name, inputSchema } of result.tools) schemas.set(name, inputSchema)
})
afterAll(() => one.close())

/** Calls a tool with what the client makes of the input. */
async function coerced(name: string, input: Record<string, unknown>) {
  const sent = structuredClone(input)
  const isValid = ajv.validate(schemas.get(name)!, sent)
  expect([name, ajv.errorsText(), isValid]).toEqual([name, 'No errors', true])
  return callTool(door, key, name, sent)
}

const read = async (path: string) => (await door.send(key, 'GET', path)).body

const SAMPLES: Record<string, unknown> = {
  dueDate: '2027-01-31',
  reviewDate: '2027-01-31',
  nextTestDate: '2027-01-31',
  startDate: '2025-01-31',
  endDate: '2027-01-31',
  identifiedAt: '2026-01-31T00:00:00Z',
  country: 'AT',
  maturity: 2,
  quantification: { currency: 'EUR', lossMin: 1 },
  impactAreas: ['privacy'],
  labels: ['a'],
  reviewFrequency: 'annually',
  customFields: { kept: 1 },
}

describe.each([
  ['updateRisk', '/v1/risks', 'createRisk'],
  ['updatePersonnel', '/v1/personnel', 'createPersonnel'],
  ['updateControl', '/v1/controls', null],
])('%s', (update, path, create) => {
  /** A value for every field that can be cleared, except a person's user, which no program clears. */
  const valuesFor = (owner: string) => {
    const { properties = {} } = schemas.get(update)!
    const offered = schemas.get(create ?? update)!.properties!
    const operation = operations.find(({ name }) => name === update)!
    const { fieldRules, input } = operation
    const nullable = Object.entries(properties).filter(
      ([name]) =>
        name in input.shape &&
        input.shape[name]!.safeParse(null).success &&
        !fieldRules?.notCleared.includes(name) &&
        name !== 'userId',
    )
    return Object.fromEntries(
      nullable.map(([name, { type }]) => {
        const [choice] = offered[name]?.enum ?? []
        const likely = /likelihood/i.test(name) ? 'possible' : /impact$/i.test(name) ? 'major' : null
        if (name === 'owner') return [name, { type: 'personnel', refId: owner }]
        if (name === 'managerId') return [name, owner]
        if (name === 'dueDate' && path === '/v1/risks') return [name, '2027-01-31T00:00:00Z']
        return [name, SAMPLES[name] ?? choice ?? likely ?? (type === 'boolean' ? true : 'some words')]
      }),
    )
  }

  test('every clear arrives as a clear', async () => {
    const id = await makeUnder(one, acme.admin, path)
    const values = valuesFor(await makeUnder(one, acme.admin, '/v1/personnel'))
    expect(Object.keys(values).length).toBeGreaterThan(2)
    const set = await coerced(update, { id, ...values })
    expect(set.result?.isError, set.text).toBeFalsy()
    for (const name of Object.keys(values)) {
      const cleared = await callTool(door, key, update, { id, [name]: null })
      expect([name, cleared.result?.isError ?? false], cleared.text).toEqual([name, false])
      expect([name, cleared.result.structuredContent[name]]).toEqual([name, undefined])
    }
    const after = await read(`${path}/${id}`)
    for (const name of Object.keys(values))
      if (name !== 'customFields') expect([name, after[name] ?? null]).toEqual([name, null])
  })

  test('what was read can be sent back, and nothing moves', async () => {
    const id = await makeUnder(one, acme.admin, path)
    const before = await read(`${path}/${id}`)
    for (const record of [
      (await callTool(door, key, 'getRecord', { id })).result.structuredContent,
      (await callTool(door, key, listOf(path), { fields: ['all'], limit: 1 })).result.structuredContent
        .data[0],
    ]) {
      const back = await coerced(update, record)
      expect(back.result?.isError, back.text).toBeFalsy()
      expect(await read(`${path}/${id}`)).toEqual(before)
    }
  })
})

const listOf = (path: string) =>
  ({ '/v1/risks': 'listRisks', '/v1/personnel': 'listPersonnel', '/v1/controls': 'listControls' })[path]!

test('a schema offers what the call takes of this credential, and no more', async () => {
  const fields = (name: string) => Object.keys(schemas.get(name)!.properties!)
  expect(fields('updateControl').sort()).toEqual(
    ['id', 'ifMatch', 'implementationStatus', 'notApplicableReason', 'owner', 'statusReason'].sort(),
  )
  expect(fields('listRisks')).toContain('controlId')
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const { result } = await rpc(door, secret, 'tools/list', {}, EVERY_TOOL)
  const narrow = Object.fromEntries(
    result.tools.map(({ name, inputSchema }: { name: string; inputSchema: Schema }) => [name, inputSchema]),
  )
  expect(narrow.listRisks.properties).not.toHaveProperty('controlId')
  const readable = everyKind
    .filter((kind) => needsToRead(kind).anyOf.includes('read:risks'))
    .map((kind) => kind.name)
  expect(narrow.summarizeRecords.properties!.type!.enum).toEqual(readable)
  expect(JSON.stringify(narrow.summarizeRecords)).not.toContain('controlId')
  const { title, status, description, category } = narrow.updateRisk.properties
  expect([title.type, description.type, category.type]).toEqual(['string', 'string', 'string'])
  expect(JSON.stringify(status)).not.toContain('accepted')
  expect(JSON.stringify(narrow.createRisk.properties.status)).not.toContain('accepted')
})

describe('answers', () => {
  const LONG = 'x'.repeat(19_000)

  beforeAll(async () => {
    const records = Array.from({ length: 60 }, (_, n) => ({
      title: `Of many ${n} ${'t'.repeat(180)}`,
      description: LONG,
      ...Object.fromEntries(
        ['threat', 'vulnerability', 'cause', 'consequence'].map((name) => [name, LONG.slice(0, 5_000)]),
      ),
      customFields: { list: [], none: { of: null } },
    }))
    for (const record of records) await one.call(acme.admin, 'createRisk', record)
  })

  const tokens = (reply: { result: { structuredContent: object } }) =>
    JSON.stringify(reply.result.structuredContent).length / 4

  test('a batch tells id, reference and version of each', async () => {
    const records = [{ title: 'In a batch', description: LONG.slice(0, 100) }, { title: '' }]
    const { data } = (await callTool(door, key, 'createRecordBatch', { type: 'risk', records })).result
      .structuredContent
    expect(Object.keys(data[0].record).sort()).toEqual(['id', 'reference', 'version'])
    expect(data[1]).toMatchObject({ index: 1, problem: { code: 'validation_failed' } })
  })

  test('a list has twenty rows of what tells them apart, and costs less than 6,000 tokens', async () => {
    const page = await callTool(door, key, 'listRisks', { q: 'Of many' })
    const { data, nextCursor } = page.result.structuredContent
    expect([data.length, typeof nextCursor]).toEqual([20, 'string'])
    expect(tokens(page)).toBeLessThan(6_000)
    for (const row of data) {
      expect(Object.keys(row)).toEqual(expect.arrayContaining(['id', 'reference', 'title', 'version']))
      expect(row).not.toHaveProperty('description')
      expect(JSON.stringify(row)).not.toContain('null')
    }
    const { body } = await door.send(key, 'GET', '/v1/risks?q=Of%20many')
    expect(body.data).toHaveLength(50)
    expect(body.data[0]).toHaveProperty('description')
  })

  test('fields are chosen, by names that there are', async () => {
    const chosen = await callTool(door, key, 'listRisks', { q: 'Of many', fields: ['title'], limit: 2 })
    for (const row of chosen.result.structuredContent.data)
      expect(Object.keys(row).sort()).toEqual(['id', 'title', 'version'])
    for (const fields of [['titel'], [], 'title', [1]]) {
      const reply = await callTool(door, key, 'listRisks', { fields })
      expect([fields, reply.problem?.errors?.[0].path]).toEqual([fields, 'fields'])
    }
    expect((await callTool(door, key, 'listRisks', { fields: ['titel'] })).text).toContain(
      'did you mean title',
    )
  })

  test('no answer is above 10,000 tokens, and its cursor reads on to the last row', async () => {
    const seen: string[] = []
    const input = { q: 'Of many', fields: ['all'], limit: 200 }
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor; pages++) {
      expect(pages).toBeLessThan(60)
      const page = await callTool(door, key, 'listRisks', { ...input, ...(cursor ? { cursor } : {}) })
      expect(tokens(page)).toBeLessThanOrEqual(10_000)
      const { data, nextCursor, note } = page.result.structuredContent
      if (nextCursor) expect(note).toContain('nextCursor')
      for (const { id } of data) seen.push(id)
      cursor = nextCursor
    }
    expect([seen.length, new Set(seen).size]).toEqual([60, 60])
    const whole = await callTool(door, key, 'getRecord', { id: seen[0] })
    expect(tokens(whole)).toBeLessThanOrEqual(10_000)
    expect(whole.text).toContain('getRecord with textFrom')
  })

  test('what is empty is left out, but not of what callers keep by names of their own', async () => {
    const { data } = (await callTool(door, key, 'listRisks', { q: 'Of many', limit: 1 })).result
      .structuredContent
    const risk = (await callTool(door, key, 'getRecord', { id: data[0].id })).result.structuredContent
    expect(Object.values(risk)).not.toContain(null)
    expect(risk).not.toHaveProperty('owner')
    expect(risk.customFields).toEqual({ list: [], none: { of: null } })
    expect((await callTool(door, key, 'listRisks', { q: 'no such' })).result.structuredContent).toEqual({
      data: [],
    })
  })
})

describe('a refusal names the way out', () => {
  const wordsOf = async (name: string, input: object) =>
    (await callTool(door, key, name, input)).result.content[0].text as string

  test('a reference is no id, and which tool finds it', async () => {
    expect(await wordsOf('getRecord', { id: 'RSK-1' })).toContain(
      'RSK-1 is the reference of a risk, and no id: listRisks with reference ["RSK-1"] finds it.',
    )
    const id = await makeUnder(one, acme.admin, '/v1/risks')
    expect(await wordsOf('linkRecords', { id, targetKind: 'control', targetId: 'ctl-7' })).toContain(
      'listControls with reference ["CTL-7"]',
    )
    const owner = { type: 'personnel', refId: 'PER-3' }
    const refused = await wordsOf('updateRisk', { id, owner })
    expect(refused).toContain('listPersonnel with reference ["PER-3"]')
    expect(refused).toContain('listOwnershipPrincipals')
    expect(await wordsOf('getRecord', { id: 'risk_x' })).toContain('listRisks finds ids.')
  })

  test('a tool that was meant is near, and never a write for a read', async () => {
    const said = async (name: string) => (await callTool(door, key, name)).body.error.message as string
    expect(await said('getRiks')).toContain('did you mean getRecord with id risk_…?')
    expect(await said('getRecrd')).toContain('did you mean getRecord?')
    expect(await said('createRisks')).toContain('did you mean createRisk?')
    for (const name of ['searchRisk', 'readRisk', 'bulkDelete', 'risks', 'getLinkRisk', 'nkRisk'])
      expect(await said(name)).not.toMatch(/mean (?!get|list|summarize)/)
    for (const name of ['searchEverything', 'query', 'x']) expect(await said(name)).not.toContain('mean')
  })
})

test('a notification is answered 202, without a body', async () => {
  for (const era of ['legacy', 'modern'] as const)
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/no-such']) {
      const body = { jsonrpc: '2.0', method, params: {} }
      const headers = headersOf(method, undefined, { era })
      const reply = await door.send(key, 'POST', '/v1/mcp', { body, headers })
      expect([era, method, reply.status, reply.text]).toEqual([era, method, 202, ''])
    }
})
