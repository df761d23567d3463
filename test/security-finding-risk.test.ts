/**
 * Promise: the risk of a finding is a field and a link at once: set and cleared at either place, listed at both ends.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../server/database/ids.ts'
import type { Door } from './support/door.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'read:assets', 'read:controls'])).secret
})
afterAll(() => one.close())

const send = (method: string, path: string, body?: object) => door.send(key, method, `/v1/${path}`, { body })
const addRisk = async (): Promise<string> => (await send('POST', 'risks', { title: 'Eavesdropping' })).body.id
const add = async (more: object = {}) =>
  (await send('POST', 'security-findings', { title: 'Old TLS', severity: 'high', ...more })).body
const linkOf = (finding: { id: string }, risk: string) => `security-findings/${finding.id}/links/risk/${risk}`
const signalsOf = async ({ id }: { id: string }) =>
  (await send('GET', `security-findings/${id}/signals`)).body.data.length

test('the path of the link sets the field, with a version and the signal of a change', async () => {
  const [first, second] = [await addRisk(), await addRisk()]
  const finding = await add()
  const put = await send('PUT', linkOf(finding, first))
  expect([put.status, put.body]).toMatchObject([200, { type: 'risk', id: first, role: null }])
  const read = async () => (await send('GET', `security-findings/${finding.id}`)).body
  expect(await read()).toMatchObject({ linkedRiskId: first, version: 2, updatedAt: put.body.linkedAt })
  const before = await signalsOf(finding)
  expect((await send('PUT', linkOf(finding, first))).body).toEqual(put.body)
  expect(await read()).toMatchObject({ version: 2 })
  expect(await signalsOf(finding)).toBe(before)

  expect((await send('PUT', linkOf(finding, second))).status).toBe(200)
  expect(await read()).toMatchObject({ linkedRiskId: second, version: 3 })
  expect(await signalsOf(finding)).toBe(before + 1)
  expect((await send('DELETE', linkOf(finding, first))).status).toBe(404)
  expect((await send('DELETE', linkOf(finding, second))).status).toBe(204)
  expect(await read()).toMatchObject({ linkedRiskId: null, version: 4 })
  const [entry] = (await send('GET', `security-findings/${finding.id}/history`)).body.data
  expect(entry).toMatchObject({
    action: 'security_finding.update',
    changes: { linkedRiskId: { from: second, to: null } },
  })
})

test('a risk lists the findings that name it, and they the risk', async () => {
  const risk = await addRisk()
  const [finding, other] = [
    await add({ linkedRiskId: risk }),
    await add({ severity: 'low', linkedRiskId: risk }),
  ]
  const there = (await send('GET', `risks/${risk}/links?type=security_finding`)).body
  expect(there.counts).toMatchObject({ security_finding: 2 })
  expect(there.data).toMatchObject([
    { type: 'security_finding', id: other.id, reference: other.reference, state: 'open', level: 'low' },
    { type: 'security_finding', id: finding.id, title: 'Old TLS', level: 'high', role: null },
  ])
  const here = (await send('GET', `security-findings/${finding.id}/links`)).body
  expect(here).toMatchObject({
    counts: { risk: 1, asset: 0, control: 0 },
    data: [{ type: 'risk', id: risk }],
  })
  expect((await send('GET', `security-findings?linkedRiskId=${risk}`)).body.data).toHaveLength(2)
  const { body } = await callTool(door, key, 'listRecordLinks', { id: risk })
  expect(body.result.isError ?? false).toBe(false)
})

test('it is made and ended by the finding, with what is here', async () => {
  const [risk, finding] = [await addRisk(), await add()]
  const turned = await send('PUT', `risks/${risk}/links/security_finding/${finding.id}`)
  expect([turned.status, turned.body.errors[0].path]).toEqual([422, 'targetKind'])
  expect(turned.body.errors[0].message).toMatch(/targetKind risk/)
  expect((await send('PUT', linkOf(finding, newId('risk')))).status).toBe(404)
  expect((await send('PUT', linkOf({ id: newId('fnd') }, risk))).status).toBe(404)
  const reader = (await acme.key(['read:risks'])).secret
  const denied = await door.send(reader, 'PUT', `/v1/${linkOf(finding, risk)}`)
  expect(denied.body.code).toBe('insufficient_scope')
  const { body } = await callTool(door, key, 'linkRecords', {
    id: finding.id,
    targetKind: 'risk',
    targetId: risk,
  })
  expect(body.result.isError ?? false).toBe(false)
  expect((await send('GET', `security-findings/${finding.id}`)).body.linkedRiskId).toBe(risk)
})

test('the risk of a finding stays until the finding names another', async () => {
  const risk = await addRisk()
  const finding = await add({ linkedRiskId: risk })
  const kept = await one.call(acme.admin, 'deleteRisk', { id: risk }).catch((refusal) => refusal)
  expect(kept).toMatchObject({ code: 'referenced', members: { counts: { security_finding: 1 } } })
  await send('DELETE', linkOf(finding, risk))
  await one.call(acme.admin, 'deleteRisk', { id: risk })
})

test('its assets and controls are linked with it, whose right it takes', async () => {
  const asset = (await one.call(acme.admin, 'createAsset', { name: 'Gateway', type: 'server' })).body as {
    id: string
  }
  const finding = await add()
  expect((await send('PUT', `security-findings/${finding.id}/links/asset/${asset.id}`)).status).toBe(200)
  expect((await send('GET', `assets/${asset.id}/links`)).body.data).toMatchObject([
    { type: 'security_finding', id: finding.id, level: 'high' },
  ])
  expect((await send('GET', `security-findings?assetId=${asset.id}`)).body.data).toHaveLength(1)
  expect((await send('GET', `security-findings/${finding.id}`)).body.version).toBe(1)
})
