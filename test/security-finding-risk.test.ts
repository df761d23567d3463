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

test('whoever deletes a risk sees first what depends on it, and may have it unlinked with it', async () => {
  const risk = await addRisk()
  const finding = await add({ linkedRiskId: risk })
  const asset = (await one.call(acme.admin, 'createAsset', { name: 'Gateway', type: 'server' })).body
  await one.call(acme.admin, 'linkRisk', { id: risk, targetKind: 'asset', targetId: (asset as Id).id })
  await one.call(acme.admin, 'createRiskTreatment', { riskId: risk, action: 'Patch it' })
  expect((await send('GET', `risks/${risk}/dependents`)).body.data).toEqual([
    { type: 'risk_treatment', as: 'riskId', count: 1, onDeletion: 'deleted' },
    { type: 'security_finding', as: 'linkedRiskId', count: 1, onDeletion: 'refused_unless_unlinked' },
    { type: 'asset', as: 'asset', count: 1, onDeletion: 'unlinked' },
  ])
  const kept = await one.call(acme.admin, 'deleteRisk', { id: risk }).catch((refusal) => refusal)
  expect(kept.message).toMatch(/1 security finding\).*force=unlink/)
  const before = await signalsOf(finding)
  await one.call(acme.admin, 'deleteRisk', { id: risk, force: 'unlink' })
  expect((await send('GET', `security-findings/${finding.id}`)).body).toMatchObject({
    linkedRiskId: null,
    version: 2,
  })
  expect(await signalsOf(finding)).toBe(before + 1)
  const [entry] = (await send('GET', `security-findings/${finding.id}/history`)).body.data
  expect(entry).toMatchObject({
    reason: 'The risk was deleted',
    changes: { linkedRiskId: { from: risk, to: null } },
  })
  expect((await send('GET', `risks/${risk}/dependents`)).status).toBe(404)
})

test('what its state does not let go keeps the risk, and nothing is unlinked', async () => {
  const risk = await acceptedRisk()
  const [loose, fast] = [await add({ linkedRiskId: risk }), await add({ linkedRiskId: risk })]
  await send('PATCH', `security-findings/${fast.id}`, { status: 'risk_accepted' })
  const kept = await one
    .call(acme.admin, 'deleteRisk', { id: risk, force: 'unlink' })
    .catch((refusal) => refusal)
  expect(kept).toMatchObject({ code: 'referenced', message: expect.stringContaining(fast.reference) })
  expect((await send('GET', `security-findings/${loose.id}`)).body.linkedRiskId).toBe(risk)
})

test('a vendor is the same of a finding, and who may not change findings unlinks none', async () => {
  const vendors = (await acme.key(['read:vendors', 'write:vendors'])).secret
  const at = (path: string) => `/v1/vendors${path}`
  const vendor = (await door.send(vendors, 'POST', at(''), { body: { name: 'Example Cloud' } })).body.id
  const finding = await add()
  const link = `security-findings/${finding.id}/links/vendor/${vendor}`
  expect((await send('PUT', link)).status).toBe(200)
  expect((await send('GET', `security-findings?vendorId=${vendor}`)).body.data).toMatchObject([
    { id: finding.id, vendorId: vendor },
  ])
  expect((await door.send(vendors, 'GET', at(`/${vendor}/links?type=security_finding`))).body).toMatchObject({
    counts: { security_finding: 1 },
    data: [],
  })
  const other = await one.organization()
  const theirs = (await one.call(other.admin, 'createVendor', { name: 'Theirs' })).body as Id
  expect((await send('PATCH', `security-findings/${finding.id}`, { vendorId: theirs.id })).status).toBe(422)
  const forced = await door.send(vendors, 'DELETE', at(`/${vendor}?force=unlink`))
  expect([forced.status, forced.body.code]).toEqual([403, 'insufficient_scope'])
  const both = (await acme.key(['write:vendors', 'write:risks'])).secret
  expect((await door.send(both, 'DELETE', at(`/${vendor}?force=unlink`))).status).toBe(204)
  expect((await send('GET', `security-findings/${finding.id}`)).body.vendorId).toBeNull()
})

test('a finding whose risk is accepted no longer is found, marked and counted as one to see to', async () => {
  const { admin, person } = await one.organization()
  const call = async (name: string, input: object = {}) => (await one.call(admin, name, input)).body as Values
  const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
  const risk = await call('createRisk', { title: 'Eavesdropping', ...rated })
  const approver = await person('editor')
  const { id } = await call('createRiskAcceptance', {
    ...{ riskId: risk.id, justification: 'Replaced in spring', expiresAt: '2100-01-01' },
    approver: { type: 'user', refId: approver.userId },
  })
  await one.call(approver, 'approveRiskAcceptance', { id })
  const finding = await call('createSecurityFinding', {
    ...{ title: 'Old TLS', severity: 'high', linkedRiskId: risk.id, status: 'risk_accepted' },
  })
  const seen = async () => ({
    findings: (await call('listSecurityFindings', { acceptanceEnded: [true] })).data,
    risks: (await call('listRisks', { acceptanceEnded: [true] })).data,
    counted: [
      (await call('summarizeSecurityFindings', { counted: ['attention'] })).attention,
      (await call('summarizeRisks', { counted: ['attention'] })).attention,
    ],
  })
  expect(await seen()).toEqual({
    findings: [],
    risks: [],
    counted: [
      { acceptanceEnded: 0, regressed: 0 },
      { acceptanceEnded: 0, untreated: 0 },
    ],
  })
  await call('revokeRiskAcceptance', { id, statusReason: 'It was used' })
  expect(await seen()).toMatchObject({
    findings: [{ id: finding.id, acceptanceEnded: true }],
    risks: [{ id: risk.id, status: 'assessed', acceptanceEnded: true }],
    counted: [{ acceptanceEnded: 1 }, { acceptanceEnded: 1 }],
  })
  // Whatever else is changed, it is still to be judged; led on, it is.
  expect(await call('updateRisk', { id: risk.id, title: 'Wiretap' })).toMatchObject({ acceptanceEnded: true })
  await call('updateSecurityFinding', { id: finding.id, status: 'open' })
  const treated = { status: 'in_treatment', treatmentStrategy: 'mitigate' }
  expect(await call('updateRisk', { id: risk.id, ...treated })).toMatchObject({ acceptanceEnded: null })
  expect(await call('updateRisk', { id: risk.id, status: 'assessed' })).toMatchObject({
    acceptanceEnded: null,
  })
  expect(await seen()).toMatchObject({ findings: [], risks: [] })
})

type Id = { readonly id: string }
// biome-ignore lint/suspicious/noExplicitAny: an answer of another form for each call
type Values = any

async function acceptedRisk(): Promise<string> {
  const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
  const risk = (await one.call(acme.admin, 'createRisk', { title: 'Eavesdropping', ...rated })).body as Id
  const approver = await acme.person('editor')
  const { body } = await one.call(acme.admin, 'createRiskAcceptance', {
    ...{ riskId: risk.id, justification: 'Replaced in spring', expiresAt: '2100-01-01' },
    approver: { type: 'user', refId: approver.userId },
  })
  await one.call(approver, 'approveRiskAcceptance', { id: (body as Id).id })
  return risk.id
}
