import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

// From what is missing of a framework to work, and what it is met by.

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Row = Readonly<Record<string, never>> & { readonly id: string }
const call = async (name: string, input: object) => {
  const { body } = await one.call(acme.admin, name, input)
  await settleResults(one.service)
  return body as Row
}
async function framework(key: string, keys: readonly string[]) {
  const { id } = await call('createFramework', { key, edition: '1', name: 'Our own' })
  const asked: string[] = []
  for (const key of keys)
    asked.push((await call('createRequirement', { frameworkId: id, key, title: `Asks ${key}` })).id)
  await call('activateFramework', { id })
  return { id, asked }
}

test('what is missing becomes tasks and controls, never twice', async () => {
  const { id, asked } = await framework('gaps', ['A.1', 'A.2', 'A.3'])
  await call('updateRequirement', {
    id: asked[2],
    applicability: 'not_applicable',
    justification: 'None here.',
  })
  const { id: planId } = await call('createCompliancePlan', { title: 'Our year' })
  const both = await Promise.all([
    one.call(acme.admin, 'planFrameworkGaps', { id, planId, addControls: true }),
    one.call(acme.admin, 'planFrameworkGaps', { id, planId, addControls: true }),
  ])
  expect(both.map(({ body }) => (body as Row).tasks).sort()).toEqual([0, 2])
  expect(await call('listTasks', { planId: [planId], sort: 'title' })).toMatchObject({
    data: [
      { title: 'Meet A.1: Asks A.1', status: 'suggested', requirementIds: [asked[0]] },
      { title: 'Meet A.2: Asks A.2', status: 'suggested', requirementIds: [asked[1]] },
    ],
  })
  expect(await call('listFrameworkControls', { id })).toMatchObject({
    data: [
      { code: 'A.1', implementationStatus: 'not_started', requirements: [{ key: 'A.1' }] },
      { code: 'A.2', implementationStatus: 'not_started', requirements: [{ key: 'A.2' }] },
    ],
  })
  expect(await call('getRequirement', { id: asked[0] })).toMatchObject({ result: 'non_compliant' })
  const history = await call('getRequirementHistory', { id: asked[0] })
  expect(JSON.stringify(history)).toContain('requirement.link')
  // A task that is done and did not do gives way to another.
  const { data } = (await call('listTasks', { planId: [planId], sort: 'title' })) as unknown as {
    data: Row[]
  }
  await call('updateTask', { id: data[0]!.id, status: 'dismissed', dismissReason: 'Not now.' })
  expect(await call('planFrameworkGaps', { id })).toEqual({ tasks: 0, controls: 0, left: 0 })
  await call('updateTask', { id: data[1]!.id, status: 'open' })
  await call('updateTask', { id: data[1]!.id, status: 'done' })
  await call('cancelCompliancePlan', { id: planId })
  expect(await refusal(call('planFrameworkGaps', { id, planId }))).toMatchObject({ status: 422 })
  expect(await call('planFrameworkGaps', { id })).toEqual({ tasks: 1, controls: 0, left: 0 })
})

test('mappings are listed by their ends, page by page', async () => {
  const [{ id: from, asked: sources }, { id: to, asked: targets }] = [
    await framework('from', ['F.1', 'F.2']),
    await framework('to', ['T.1', 'T.2']),
  ]
  for (const id of sources)
    for (const targetId of targets)
      await call('linkRequirement', {
        id,
        targetKind: 'mapping_target',
        targetId,
        relationship: 'equal',
        origin: 'own',
      })
  const all = { sourceFrameworkId: from, targetFrameworkId: to, limit: 3 }
  const first = (await call('listFrameworkMappings', all)) as unknown as { data: Row[]; nextCursor: string }
  const rest = (await call('listFrameworkMappings', { ...all, cursor: first.nextCursor })) as unknown as {
    data: Row[]
  }
  expect([first.data.length, rest.data.length]).toEqual([3, 1])
  expect(first.data[0]).toMatchObject({
    source: { key: 'F.1', frameworkId: from },
    target: { key: 'T.1', frameworkId: to },
    relationship: 'equal',
    origin: 'own',
  })
  expect(await call('listFrameworkMappings', { ...all, targetFrameworkId: from })).toMatchObject({ data: [] })
  expect(await call('listFrameworkMappings', { requirementId: targets[1] })).toMatchObject({
    data: [{ source: { key: 'F.1' } }, { source: { key: 'F.2' } }],
  })
})
