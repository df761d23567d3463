import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { callTool, headersOf, messageOf, rpc } from './support/mcp.ts'
import { startTestService, type TestService } from './support/service.ts'

/* What clients, proxies and models send that the specification does not have them send. */

let one: TestService
let door: Door
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  key = (await (await one.organization()).key(['read:risks', 'write:risks', 'read:vendors', 'write:vendors']))
    .secret
})
afterAll(() => one.close())

const JSON_TYPE = /^application\/json/
const STREAM = /^text\/event-stream/

test.each([
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/*;q=0.9', JSON_TYPE],
  ['text/html', JSON_TYPE],
  ['', JSON_TYPE],
  ['text/event-stream', STREAM],
  ['application/json, text/event-stream', null],
] as const)('Accept: %s is answered', async (accept, type) => {
  for (const era of ['modern', 'legacy'] as const) {
    const reply = await rpc(door, key, 'tools/list', {}, { era, headers: { accept } })
    expect([era, reply.status]).toEqual([era, 200])
    expect(reply.result.tools.length).toBeGreaterThan(5)
    if (type) expect([era, reply.headers['content-type']]).toEqual([era, expect.stringMatching(type)])
  }
})

test('a slash behind the address changes nothing', async () => {
  const sent = await door.send(key, 'POST', '/v1/mcp/?readonly=1', {
    body: messageOf('tools/list', {}),
    headers: headersOf('tools/list'),
  })
  expect(sent.status).toBe(200)
  const got = await door.send(key, 'GET', '/v1/mcp/')
  expect([got.status, got.headers.allow]).toEqual([405, 'POST'])
})

test('lists, objects, numbers and booleans are taken as JSON texts', async () => {
  const { result } = await callTool(door, key, 'createRisk', {
    title: '["a title"]',
    labels: '["one", "two"]',
    quantification: '{"currency":"EUR","lossMin":"1000.5"}',
    customFields: '{"a":"1"}',
  })
  const { id } = result.structuredContent
  const { body: risk } = await door.send(key, 'GET', `/v1/risks/${id}`)
  expect(risk).toMatchObject({
    title: '["a title"]',
    labels: ['one', 'two'],
    quantification: { currency: 'EUR', lossMin: 1000.5 },
    customFields: { a: '1' },
  })
  const list = await callTool(door, key, 'listRisks', {
    limit: '1',
    status: '["identified"]',
    fields: '["title"]',
  })
  expect(list.result.structuredContent.data).toHaveLength(1)
  const sum = await callTool(door, key, 'summarizeRecords', {
    type: 'risk',
    filters: '{"status":"[\\"closed\\"]"}',
  })
  expect(sum.result.structuredContent.total ?? 0).toBe(0)
  const batch = await callTool(door, key, 'createRecordBatch', {
    type: 'risk',
    records: '[{"title":"of a text","labels":["x"]}]',
  })
  expect(batch.result.structuredContent.data[0].record.id).toMatch(/^risk_/)
})

test('a text stays one where texts are taken, and what is no JSON of the type is refused', async () => {
  const made = await callTool(door, key, 'createRisk', { title: '5', description: 'true' })
  const { body } = await door.send(key, 'GET', `/v1/risks/${made.result.structuredContent.id}`)
  expect(body).toMatchObject({ title: '5', description: 'true' })
  for (const labels of ['one, two', '{"a":1}', '["a"', '5']) {
    const reply = await callTool(door, key, 'createRisk', { title: 'x', labels })
    expect([reply.result.isError, reply.problem.errors[0].path]).toEqual([true, 'labels'])
  }
})

test('REST takes no JSON in a text', async () => {
  const { status } = await door.send(key, 'POST', '/v1/risks', { body: { title: 'x', labels: '["a"]' } })
  expect(status).toBe(422)
})
