import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCoverageDays } from '../server/frameworks/coverage-days.ts'
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
  const before = await call('planFrameworkGaps', { id, planId, addControls: true, preview: true })
  expect(before).toEqual({
    ...{ tasks: 2, controls: 2, left: 0 },
    requirements: ['A.1', 'A.2'].map((key, at) => ({
      ...{ id: asked[at], key, title: `Asks ${key}`, result: 'not_assessed' },
      ...{ task: `Meet ${key}: Asks ${key}`, control: true },
    })),
  })
  expect(await call('listTasks', { planId: [planId] })).toMatchObject({ data: [] })
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
  expect(await call('planFrameworkGaps', { id })).toMatchObject({ tasks: 0, controls: 0, left: 0 })
  await call('updateTask', { id: data[1]!.id, status: 'open' })
  await call('updateTask', { id: data[1]!.id, status: 'done' })
  await call('cancelCompliancePlan', { id: planId })
  expect(await refusal(call('planFrameworkGaps', { id, planId }))).toMatchObject({ status: 422 })
  expect(await call('planFrameworkGaps', { id })).toMatchObject({ tasks: 1, controls: 0, left: 0 })
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
        reviewedBy: 'Ada',
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
    reviewedBy: 'Ada',
  })
  expect(await call('listFrameworkMappings', { ...all, targetFrameworkId: from })).toMatchObject({ data: [] })
  expect(await call('listFrameworkMappings', { requirementId: targets[1] })).toMatchObject({
    data: [{ source: { key: 'F.1' } }, { source: { key: 'F.2' } }],
  })
})

const DAY = 86_400_000

test('each day of a framework that is followed is written once, and kept for three years', async () => {
  const { id, asked } = await framework('days', ['D.1', 'D.2'])
  const days = async (which: object = {}) =>
    (await call('listFrameworkCoverage', { id, ...which })).data as unknown as { day: string; met: number }[]
  const turn = () => Promise.all([writeCoverageDays(one.service), writeCoverageDays(one.service)])
  await turn()
  expect(await days()).toMatchObject([{ requirementsInScope: 2, met: 0, notAssessed: 2 }])
  await call('updateRequirement', { id: asked[0], result: 'compliant', resultReason: 'Seen.' })
  await turn()
  expect(await days()).toHaveLength(1)
  await one.moveClock(DAY)
  await turn()
  await one.moveClock(DAY)
  await call('updateRequirement', { id: asked[1], result: 'non_compliant', resultReason: 'Seen.' })
  await turn()
  const three = await days()
  expect(three).toMatchObject([{ met: 0 }, { met: 1, notMet: 0 }, { met: 1, notMet: 1, notAssessed: 0 }])
  expect(await days({ from: three[1]!.day, to: three[1]!.day })).toEqual([three[1]])
  await one.moveClock(3 * 366 * DAY)
  await turn()
  expect(await days({ from: three[0]!.day })).toHaveLength(1)
})

test('what one framework covers of another is told both ways, with what is left to do', async () => {
  const [here, there] = [await framework('here', ['H.1', 'H.2', 'H.3']), await framework('there', ['T.1'])]
  const map = (id: string, targetId: string, relationship: string) =>
    call('linkRequirement', { id, targetKind: 'mapping_target', targetId, relationship })
  const [whole, part, none] = here.asked as [string, string, string]
  const [theirs] = there.asked as [string]
  await map(theirs, whole, 'superset_of')
  await map(part, theirs, 'intersects')
  await map(none, theirs, 'no_relationship')
  const compare = (id: string, withId: string) => call('compareFrameworks', { id, withId })
  expect(await compare(here.id, there.id)).toMatchObject({
    families: [
      { key: 'H.1', whole: 1, part: 0 },
      { key: 'H.2', part: 1 },
      { key: 'H.3', none: 1 },
    ],
    requirements: [
      { key: 'H.1', coverage: 'whole', through: [{ key: 'T.1', relationship: 'superset_of' }] },
      { key: 'H.2', coverage: 'part', through: [{ key: 'T.1', isBackwards: true }] },
      { key: 'H.3', coverage: 'none', through: [] },
    ],
  })
  const back = await compare(there.id, here.id)
  expect(back).toMatchObject({
    requirements: [{ coverage: 'part', through: [{ key: 'H.1' }, { key: 'H.2' }] }],
  })
  expect(await refusal(compare(here.id, here.id))).toMatchObject({ status: 422 })
  const other = await one.organization()
  const foreign = one.call(other.admin, 'createFramework', { key: 'x', edition: '1', name: 'Theirs' })
  const { id } = (await foreign).body as Row
  expect(await refusal(compare(here.id, id))).toMatchObject({ status: 422 })
  expect(await refusal(compare(id, here.id))).toMatchObject({ status: 404 })
})
