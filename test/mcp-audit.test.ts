import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { AUDIT_COLUMNS, entry } from '../server/journal/audit.ts'
import { settleDenied } from '../server/journal/denied.ts'
import type { Door } from './support/door.ts'
import { callTool, rpc } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* The audit log tells which program called which tool. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['write:risks', 'read:risks'])).secret
})
afterAll(() => one.close())

const entriesOf = async (subjectId: string) =>
  ((await one.call(acme.admin, 'listAuditLog', { subjectId: [subjectId] })).body as { data: object[] }).data

test('an entry names the program as it names itself, and the tool', async () => {
  const client = { name: 'an agent', version: '1.2' }
  const made = await callTool(door, key, 'createRisk', { title: 'By a tool' }, { client })
  const { id } = made.result.structuredContent
  const told = { channel: 'mcp', client: 'an agent 1.2', tool: 'createRisk', action: 'risk.create' }
  expect(await entriesOf(id)).toMatchObject([told])
  const { data } = (await callTool(door, key, 'getRecordHistory', { id })).result.structuredContent
  expect(data).toMatchObject([told])
})

test('a program of the era before is named by its User-Agent; other doors name none', async () => {
  const asked = { era: 'legacy', headers: { 'user-agent': 'old-agent/3' } } as const
  const made = await callTool(door, key, 'createRisk', { title: 'By an old tool' }, asked)
  const { id } = made.result.structuredContent
  await door.send(key, 'PATCH', `/v1/risks/${id}`, { body: { title: 'By REST' } })
  expect(await entriesOf(id)).toMatchObject([
    { channel: 'rest', client: null, tool: null },
    { channel: 'mcp', client: 'old-agent/3', tool: 'createRisk', userAgent: 'old-agent/3' },
  ])
})

test('a name cannot break the log', async () => {
  const client = { name: `a\u0007\n\u202Eb${'x'.repeat(5_000)}`, version: '\u200B' }
  const made = await callTool(door, key, 'createRisk', { title: 'Named strangely' }, { client })
  const [told] = await entriesOf(made.result.structuredContent.id)
  expect(told).toMatchObject({ client: expect.stringMatching(/^a bx{197}$/) })
  const nul = await rpc(door, key, 'tools/list', {}, { client: { name: 'a\0', version: '1' } })
  expect([nul.status, nul.problem.code]).toEqual([422, 'validation_failed'])
})

test('a refused call is in it with its tool', async () => {
  const { secret, id } = await acme.key(['read:controls'])
  expect((await callTool(door, secret, 'createRisk', { title: 'No' })).status).toBe(403)
  await settleDenied()
  const { body } = await one.call(acme.admin, 'listAuditLog', { actorId: [id] })
  expect((body as { data: object[] }).data).toMatchObject([
    { action: 'createRisk', outcome: 'denied', reason: 'insufficient_scope', tool: 'createRisk' },
  ])
})

test('the hash of an entry covers both, and is as it was where there are none', () => {
  const event = {
    time: '2026-05-17T10:00:00.000Z',
    action: recordAction(kinds.risk, 'create'),
    subject: { type: 'risk', id: 'r' },
  }
  const place = AUDIT_COLUMNS.indexOf('client')
  const sumOf = (values: unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex')
  const plain = entry(acme.admin, event)
  expect((plain.at(-1) as Buffer).toString('hex')).toBe(sumOf(plain.slice(0, place)))
  const byTool = entry({ ...acme.admin, client: 'an agent', tool: 'createRisk' }, event)
  expect((byTool.at(-1) as Buffer).toString('hex')).toBe(sumOf(byTool.slice(0, -1)))
  const byOther = [...byTool.slice(0, place), 'another', 'createRisk']
  expect((byTool.at(-1) as Buffer).toString('hex')).not.toBe(sumOf(byOther))
})
