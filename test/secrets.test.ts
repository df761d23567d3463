import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import { withoutSecrets } from '../server/log.ts'
import { operationsBy } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

const operations = operationsBy('credential')

/* Secrets, and words that only a caller knows, go through everything there is; afterwards they are nowhere. */

let one: TestService
let door: Door
let acme: TestOrganization
const log: string[] = []

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen({}, (line) => log.push(line))
  acme = await one.organization()
})
afterAll(() => one.close())

const CANARY = 'canary-7f3a91'

test('no secret and no word of a body is in the log, in the audit log, or in a later answer', async () => {
  const { secret } = await acme.key(Object.keys(SCOPES) as Scope[])
  const unknown = `comply_${CANARY.replaceAll('-', '0').padEnd(32, 'x')}`
  const answers: string[] = []
  const ask = async (...request: Parameters<Door['send']>) => {
    const { text, headers } = await door.send(...request)
    answers.push(text, JSON.stringify(headers))
  }
  for (const operation of operations) {
    const { path, body } = requestFor(operation, sampleOf(operation, pathIds(operation.path)))
    const sent = body === undefined ? {} : { body }
    for (const credential of [secret, unknown, `${secret}x`, null])
      await ask(credential, operation.method, path, sent)
    await ask(secret, operation.method, path, { body: `{"${CANARY}": ` })
    await ask(secret, operation.method, `${path}?q=${CANARY}%zz`, {})
    await ask(secret, operation.method, path, { body: { title: [CANARY], name: CANARY } })
  }
  await ask(null, 'GET', `/v1/${secret}?key=${secret}`, { headers: { cookie: secret, 'x-api-key': secret } })
  await ask(secret, 'GET', '/v1/risks/%zz', { headers: { 'user-agent': CANARY } })

  const audit = await one.administrator.query(
    'select coalesce(json_agg(a), $1)::text as text from audit_entries a',
    ['[]'],
  )
  const hidden = [
    secret,
    secret.slice(16),
    unknown,
    one.masterKey,
    one.masterKey.split(':')[1]!,
    passwordOf(one.database.url),
  ]
  for (const one of hidden) {
    expect(log.join('')).not.toContain(one)
    expect(audit.rows[0].text).not.toContain(one)
    expect(answers.join('')).not.toContain(one)
  }
  expect(log.join('')).not.toContain(CANARY)
  expect(log.length).toBeGreaterThan(operations.length)
})

test('a fault of ours is logged with what it was, and without what it was about', async () => {
  const { secret } = await acme.key(['write:risks'])
  await one.administrator.query(`alter table risks add constraint odd check (title not like '${CANARY}%')`)
  log.length = 0
  const reply = await door.send(secret, 'POST', '/v1/risks', { body: { title: `${CANARY} title` } })
  expect([reply.status, reply.body.code]).toEqual([500, 'internal'])
  const [fault] = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  expect(fault).toMatchObject({ requestId: reply.body.requestId, err: { code: '23514', constraint: 'odd' } })
  expect(log.join('')).not.toContain(CANARY)
  expect(reply.text).not.toContain('odd')
})

test('a request is one line of named fields', async () => {
  const { id, secret } = await acme.key(['read:risks'])
  log.length = 0
  const { headers } = await door.send(secret, 'GET', `/v1/risks?q=${CANARY}`)
  await expect.poll(() => log.length).toBe(1)
  expect(JSON.parse(log[0]!)).toEqual({
    level: 'info',
    time: expect.any(String),
    requestId: headers['request-id'],
    ip: '127.0.0.1',
    method: 'GET',
    route: '/v1/risks',
    operation: 'listRisks',
    status: 200,
    durationMs: expect.any(Number),
    organizationId: acme.id,
    credentialId: id,
    msg: 'request',
  })
})

test('a call of an MCP tool names the tool, and the code where it was refused in an answer of 200', async () => {
  const { secret } = await acme.key(['read:risks'])
  log.length = 0
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'getRecord', arguments: { id: 'risk_x' } },
  }
  const headers = { accept: 'application/json, text/event-stream' }
  expect((await door.send(secret, 'POST', '/v1/mcp', { body, headers })).status).toBe(200)
  await expect.poll(() => log.length).toBe(1)
  expect(JSON.parse(log[0]!)).toMatchObject({
    route: '/v1/mcp',
    operation: 'getRisk',
    tool: 'getRecord',
    status: 200,
    code: 'not_found',
  })
  const metrics = openMetrics(one.service)
  metrics.answered({
    route: '/v1/mcp',
    method: 'POST',
    status: 200,
    milliseconds: 1,
    tool: 'getRecord',
    refused: 'not_found',
  })
  expect(await metrics.registry.metrics()).toContain(
    'plumbline_mcp_tool_calls_total{tool="getRecord",outcome="not_found"} 1',
  )
})

test('metrics name routes, and nobody', async () => {
  const metrics = openMetrics(one.service)
  metrics.answered({
    route: '/v1/risks/:id',
    method: 'GET',
    operation: 'getRisk',
    status: 200,
    milliseconds: 12,
  })
  const text = await metrics.registry.metrics()
  expect(text).toContain(
    'plumbline_http_requests_total{route="/v1/risks/:id",method="GET",operation="getRisk",status="200"} 1',
  )
  expect(text).toContain('plumbline_database_connections{pool="tenant",state="busy"}')
  expect(text).not.toMatch(/org_|key_|comply_/)
})

test('what looks like a secret is cut from the words of an error', () => {
  expect(withoutSecrets('at postgresql://me:pass@host/db with comply_abc and whsec_a+b/c=')).toBe(
    'at postgresql://…@host/db with comply_… and whsec_…',
  )
})

const pathIds = (path: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 'none_x']))
const passwordOf = (url: string) =>
  decodeURIComponent(/\/\/[^:/]*:([^@]*)@/.exec(url)?.[1] ?? 'no password at all')
