import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

test('the sample of the contract is a valid body and yields a high risk', async () => {
  const { body: bo } = await one.call(acme.admin, 'createPersonnel', {
    fullName: 'Bo Lind',
    workEmail: 'bo@example.com',
  })
  const { status, body } = await one.call(acme.admin, 'createRisk', {
    title: 'Unpatched gateway',
    description: 'The edge gateway runs a release without fixes.',
    status: 'identified',
    category: 'technical',
    likelihood: 'possible',
    impact: 'major',
    owner: { type: 'personnel', refId: (bo as { id: string }).id },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    reference: 'RSK-1',
    riskLevel: 'high',
    riskScore: 12,
    version: 1,
    owner: { displayName: 'Bo Lind', active: true },
  })
})
