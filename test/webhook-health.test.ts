import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillDeliveries } from './support/backlog.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let status = 200

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({ behaviour: async () => ({ status }) })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

interface Health {
  hours: {
    start: string
    deliveries: number
    delivered: number
    attempts: number
    succeeded: number
    outcomes: Record<string, number>
    medianMs: number | null
  }[]
  successRate: number | null
  failures: { deliveryId: string; number: number; outcome: string; statusCode: number; meaning: string }[]
}

type Admin = Parameters<WebhookTest['risk']>[0]
const health = async (admin: Admin, id: string) =>
  (await one.call(admin, 'getWebhookEndpointHealth', { id })).body as Health
const settled = (admin: Admin, count: number) =>
  until(async () => {
    const rows = await one.deliveries(admin)
    return rows.length === count && rows.every((row) => row.status !== 'pending')
  })

test('an endpoint that was never asked for anything has a quiet day', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  const { hours, successRate, failures } = await health(admin, endpoint.id)
  expect([hours.length, successRate, failures]).toEqual([24, null, []])
  expect(new Set(hours.map((hour) => hour.attempts))).toEqual(new Set([0]))
})

test('it shows what came of the deliveries, in the hour they were made', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  status = 200
  for (let n = 0; n < 3; n++) await one.risk(admin)
  await settled(admin, 3)
  status = 500
  await one.risk(admin)
  await settled(admin, 4)
  const { hours, successRate, failures } = await health(admin, endpoint.id)
  expect(hours.at(-1)).toMatchObject({ deliveries: 4, delivered: 3, attempts: 4, succeeded: 3 })
  expect(hours.at(-1)?.medianMs).toEqual(expect.any(Number))
  expect(successRate).toBe(0.75)
  expect(failures).toEqual([
    expect.objectContaining({ number: 1, outcome: 'receiver_error', statusCode: 500 }),
  ])
})

test('it counts all of an hour, however many, and how each attempt ended', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/', { enabled: false })
  await fillDeliveries(one, admin.organizationId, endpoint.id, 450)
  await one.administrator.query(
    `insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, outcome, counted, duration_ms)
     select organization_id, id, n, endpoint_id, created_at, clock_now(), case n when 1 then 'timeout' else 'success' end, true, 20
       from deliveries, generate_series(1, 2) n where endpoint_id = $1`,
    [endpoint.id],
  )
  const { hours, successRate } = await health(admin, endpoint.id)
  const sum = (count: (hour: Health['hours'][number]) => number) =>
    hours.reduce((all, hour) => all + count(hour), 0)
  expect([sum((hour) => hour.deliveries), sum((hour) => hour.attempts), successRate]).toEqual([450, 900, 0.5])
  expect(sum(({ outcomes }) => outcomes.timeout ?? 0)).toBe(450)
  expect(sum(({ outcomes }) => outcomes.success ?? 0)).toBe(450)
})

test('of one that went off, it shows the ten attempts that did it, until it is on again', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  status = 401
  for (let n = 0; n < 12; n++) await one.risk(admin)
  await until(async () => !(await one.readEndpoint(admin, endpoint.id)).enabled)
  await one.service.webhooks.sweep()
  const { failures } = await health(admin, endpoint.id)
  expect(failures).toHaveLength(10)
  expect(failures[0]).toMatchObject({
    outcome: 'refused',
    statusCode: 401,
    meaning: expect.stringContaining('refused'),
  })
  const { body } = await one.call(admin, 'getWebhookDelivery', { id: failures[0]!.deliveryId })
  expect(body).toMatchObject({ endpointId: endpoint.id })
  await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, enabled: true })
  expect((await health(admin, endpoint.id)).failures).toEqual([])
})
