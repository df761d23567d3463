/**
 * Promise: findings and treatments name what they are about as they are added, answers list it, and whoever names
 * evidence has the right to link it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../model/kinds/index.ts'
import type { Scope } from '../model/scopes.ts'
import type { Door } from './support/door.ts'
import { makeOfKind } from './support/makers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
const ids: Record<'asset' | 'control' | 'requirement' | 'evidence' | 'risk', string> = {} as never
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  for (const name of ['asset', 'control', 'requirement', 'evidence', 'risk'] as const)
    ids[name] = await makeOfKind(one, acme.admin, kinds[name] as never)
})
afterAll(() => one.close())

const send = async (scopes: Scope[], method: string, path: string, body?: object) =>
  door.send((await acme.key(scopes)).secret, method as 'POST', path, body ? { body } : {})
const RISKS: Scope[] = ['read:risks', 'write:risks']

test('a finding lists the assets, controls and requirements it is about, and is found by each', async () => {
  const about = { assetIds: [ids.asset], controlIds: [ids.control], requirementIds: [ids.requirement] }
  const made = await send(RISKS, 'POST', '/v1/security-findings', {
    title: 'Weak',
    severity: 'low',
    ...about,
  })
  expect([made.status, made.body]).toMatchObject([201, about])
  const { body } = await send(RISKS, 'GET', `/v1/security-findings/${made.body.id}`)
  expect(body).toMatchObject(about)
  for (const filter of ['assetId', 'controlId', 'requirementId'] as const) {
    const found = await send(
      [...RISKS, 'read:assets', 'read:controls', 'read:frameworks'],
      'GET',
      `/v1/security-findings?${filter}=${about[`${filter}s`][0]}`,
    )
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id])
  }
  const there = await one.call(acme.admin, 'listRequirementLinks', { id: ids.requirement })
  expect(there.body).toMatchObject({ counts: { security_finding: 1 } })
})

test('a risk is linked with a requirement, and both histories say so', async () => {
  const path = `/v1/risks/${ids.risk}/links/requirement/${ids.requirement}`
  expect((await send(RISKS, 'PUT', path)).status).toBe(200)
  const { body } = await one.call(acme.admin, 'getRequirementHistory', { id: ids.requirement })
  expect((body as { data: object[] }).data[0]).toMatchObject({ changes: { risk: { to: { id: ids.risk } } } })
  expect((await send(RISKS, 'DELETE', path)).status).toBe(204)
})

test('a treatment lists its controls and its evidence; to name evidence takes the right to link it', async () => {
  const given = { action: 'Patch it', controlIds: [ids.control], evidenceIds: [ids.evidence] }
  const path = `/v1/risks/${ids.risk}/treatments`
  const refused = await send(RISKS, 'POST', path, given)
  expect([refused.status, refused.body.code, refused.body.required]).toEqual([
    403,
    'insufficient_scope',
    ['write:evidence'],
  ])
  const batch = await send(RISKS, 'POST', '/v1/risk-treatments/batch', {
    records: [{ riskId: ids.risk, ...given }],
  })
  expect(batch.status).toBe(403)
  const both: Scope[] = [...RISKS, 'write:evidence']
  const made = await send(both, 'POST', path, given)
  expect([made.status, made.body]).toMatchObject([201, given])
  const links = await one.call(acme.admin, 'listEvidenceLinks', { id: ids.evidence })
  expect((links.body as { data: object[] }).data).toEqual([
    expect.objectContaining({ type: 'risk_treatment', id: made.body.id, coverage: 'full' }),
  ])
  const moved = await send(RISKS, 'PATCH', `/v1/risk-treatments/${made.body.id}`, { evidenceIds: [] })
  expect(moved.body.errors).toEqual([
    {
      path: 'evidenceIds',
      message:
        'follows from its links: make and end them (linkEvidence, unlinkEvidence, targetKind risk_treatment): leave it out, or send what stands',
    },
  ])
  const back = await send(RISKS, 'PATCH', `/v1/risk-treatments/${made.body.id}`, {
    ...made.body,
    action: 'Patch it today',
  })
  expect([back.status, back.body]).toMatchObject([200, { ...given, action: 'Patch it today' }])
})
