import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { startTestService, type TestService } from './support/service.ts'

/* The starter set: taken and removed as any records are, and never what somebody has made their own. */

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

interface Item {
  title: string
  description: string
  isHere: boolean
}
interface Starter {
  risks: Item[]
  controls: Item[]
  untouched: number
}

const call = async <Answer>(as: Caller, name: string, input: object = {}): Promise<Answer> =>
  (await one.call(as, name, input)).body as Answer

interface Listed {
  data: { id: string; title: string; labels: string[]; reference: string; category: string }[]
}
const listed = (as: Caller, name: string) => call<Listed>(as, name, { limit: 200 })

test('twenty risks and thirty controls, each with a title of its own and two sentences', async () => {
  const { admin } = await one.organization()
  const { risks, controls } = await call<Starter>(admin, 'getStarterSet')
  expect([risks.length, controls.length]).toEqual([20, 30])
  const all = [...risks, ...controls]
  expect(new Set(all.map(({ title }) => title)).size).toBe(50)
  for (const { title, description } of all) expect(description.match(/[.](?= |$)/g), title).toHaveLength(2)
})

test('each is added once, with its label, its audit entry and its signal', async () => {
  const { admin } = await one.organization()
  await one.call(admin, 'createWebhookEndpoint', {
    address: 'https://93.184.215.14/hook',
    signalTypes: ['risk.created'],
  })
  const added = await Promise.all([1, 2].map(() => call(admin, 'addStarterSet')))
  expect(added).toContainEqual({ risks: 20, controls: 30 })
  expect(added).toContainEqual({ risks: 0, controls: 0 })
  const risks = await listed(admin, 'listRisks')
  expect(risks.data).toHaveLength(20)
  expect(risks.data.every(({ labels }) => labels.includes('starter'))).toBe(true)
  const entries = await call<{ data: unknown[] }>(admin, 'listAuditLog', {
    action: ['risk.create', 'control.create'],
    limit: 200,
  })
  expect(entries.data).toHaveLength(50)
  const sent = await call<{ data: unknown[] }>(admin, 'listWebhookDeliveries', { limit: 200 })
  expect(sent.data).toHaveLength(20)
})

test('what was changed or linked stays when the rest is removed, and is told', async () => {
  const { admin } = await one.organization()
  await one.call(admin, 'createRisk', { title: 'Of our own', labels: ['starter'] })
  await call(admin, 'addStarterSet')
  const [risks, controls] = [await listed(admin, 'listRisks'), await listed(admin, 'listControls')]
  const [changed, linked] = risks.data.filter(({ title }) => title !== 'Of our own')
  const control = controls.data[0]!
  await one.call(admin, 'updateRisk', { id: changed!.id, category: 'legal' })
  await one.call(admin, 'linkRisk', { id: linked!.id, targetKind: 'control', targetId: control.id })
  const { removed, kept } = await call<{ removed: number; kept: { reference: string }[] }>(
    admin,
    'removeStarterSet',
  )
  const stay = [changed, linked, control].map((one) => one!.reference)
  expect(removed).toBe(47)
  expect(kept.map(({ reference }) => reference).sort()).toEqual(stay.sort())
  const left = (await listed(admin, 'listRisks')).data.map(({ title }) => title)
  expect(left.sort()).toEqual(['Of our own', changed!.title, linked!.title].sort())
  expect(await call(admin, 'removeStarterSet')).toMatchObject({ removed: 0 })
})

test('a title that is not in the set is refused, and nothing is added', async () => {
  const { admin, person } = await one.organization()
  const input = { risks: [], controls: ['No such control'] }
  await expect(one.call(admin, 'addStarterSet', input)).rejects.toMatchObject({ code: 'validation_failed' })
  expect((await listed(admin, 'listControls')).data).toEqual([])
  await expect(one.call(await person('editor'), 'addStarterSet', {})).rejects.toMatchObject({
    code: 'capability_required',
  })
})

test('the first steps are done by what is there', async () => {
  const { admin, person } = await one.organization()
  const steps = async (as: Caller) => {
    const { steps } = await call<{ steps: { step: string; done: boolean }[] }>(as, 'getFirstSteps')
    return Object.fromEntries(steps.map(({ step, done }) => [step, done]))
  }
  const none = {
    risk: false,
    people: false,
    second_factor: false,
    api_key: false,
    webhook: false,
    mail: false,
  }
  expect(await steps(admin)).toEqual(none)
  await one.call(admin, 'createRisk', { title: 'The first' })
  const viewer = await person('viewer')
  expect(await steps(admin)).toEqual({ ...none, risk: true, people: true })
  expect(await steps(viewer)).toEqual({ second_factor: false })
})
