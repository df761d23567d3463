import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
const endpoints: string[] = []

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  for (const types of [['risk.created'], ['risk.created', 'risk.updated']]) {
    const { body } = await one.call(acme.admin, 'createWebhookEndpoint', {
      address: 'https://receiver.invalid/',
      signalTypes: types,
    })
    endpoints.push((body as { id: string }).id)
  }
})
afterAll(() => one.close())

interface Shown {
  id: string
  type: string
  time: string
  deliveries: { id: string; endpointId: string; status: string }[] | null
  endpointsOff: number | null
}

const make = async () => (await one.call(acme.admin, 'createRisk', { title: 'a' })).body as { id: string }

test('a record shows the signals that left for it, newest first, and their deliveries', async () => {
  const { id } = await make()
  await make()
  await one.call(acme.admin, 'updateRisk', { id, title: 'b' })
  await one.call(acme.admin, 'updateRisk', { id, threat: 'raises no signal' })
  const { data } = (await one.call(acme.admin, 'listRiskSignals', { id })).body as { data: Shown[] }
  expect(data.map(({ type }) => type)).toEqual(['risk.updated', 'risk.created'])
  expect(data.map(({ deliveries }) => deliveries?.map(({ endpointId }) => endpointId).sort())).toEqual([
    [endpoints[1]],
    [...endpoints].sort(),
  ])
  const delivery = data[0]!.deliveries![0]!
  const { body } = await one.call(acme.admin, 'getWebhookDelivery', { id: delivery.id })
  expect(body).toMatchObject({ signalId: data[0]!.id, status: 'pending' })
})

test('who may not read webhooks sees that signals left, and not where to', async () => {
  const { id } = await make()
  const editor = await acme.person('editor')
  const { data } = (await one.call(editor, 'listRiskSignals', { id })).body as { data: Shown[] }
  expect(data).toEqual([
    {
      id: expect.any(String),
      type: 'risk.created',
      time: expect.any(String),
      deliveries: null,
      endpointsOff: null,
    },
  ])
})

test('that an endpoint was off is told from that none subscribed, once it is on again too', async () => {
  const { admin } = await one.organization()
  const call = async (name: string, input: object) =>
    (await one.call(admin, name, input)).body as { id: string; data: Shown[] }
  const off = async (id: string) =>
    (await call('listRiskSignals', { id })).data.map((row) => [
      row.type,
      row.deliveries?.length,
      row.endpointsOff,
    ])
  const { id } = await call('createRisk', { title: 'Before there was any' })
  const endpoint = await call('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk.updated'],
  })
  await call('updateWebhookEndpoint', { id: endpoint.id, enabled: false })
  await call('updateRisk', { id, title: 'While it was off' })
  const told = [
    ['risk.updated', 0, 1],
    ['risk.created', 0, 0],
  ]
  expect(await off(id)).toEqual(told)
  await call('updateWebhookEndpoint', { id: endpoint.id, enabled: true })
  expect(await off(id)).toEqual(told)
  await call('updateRisk', { id, title: 'Once it was on' })
  expect(await off(id)).toEqual([['risk.updated', 1, 0], ...told])
})

test('another organization sees none of them', async () => {
  const { id } = await make()
  const stranger = (await one.organization()).admin
  await expect(one.call(stranger, 'listRiskSignals', { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a record that raised none has none, and one that is gone keeps its own', async () => {
  const { body: control } = await one.call(acme.admin, 'createControl', { code: 'A', title: 'a' })
  const { id: controlId } = control as { id: string }
  expect((await one.call(acme.admin, 'listControlSignals', { id: controlId })).body).toMatchObject({
    data: [],
  })
  const { id } = await make()
  await one.call(acme.admin, 'deleteRisk', { id })
  const { data } = (await one.call(acme.admin, 'listRiskSignals', { id })).body as { data: Shown[] }
  expect(data.map(({ type }) => type)).toEqual(['risk.deleted', 'risk.created'])
})

test('pages follow each other', async () => {
  const { id } = await make()
  for (let n = 0; n < 4; n++) await one.call(acme.admin, 'updateRisk', { id, title: `title ${n}` })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = (await one.call(acme.admin, 'listRiskSignals', { id, limit: 2, cursor }))
      .body as { data: Shown[]; nextCursor: string | null }
    seen.push(...data.map((row) => row.id))
    cursor = nextCursor ?? undefined
  } while (cursor)
  expect([seen.length, new Set(seen).size]).toEqual([5, 5])
})
