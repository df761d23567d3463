import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/access/caller.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startWebhookTest, type TestDelivery, verified, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let answer: (path: string) => number | Promise<number> = () => 200

// Nothing is sent but by hand: the process serves calls, as one with ROLE=api does.
beforeAll(async () => {
  one = await startWebhookTest({ environment: { ROLE: 'api' } })
  receiver = await startReceiver({ behaviour: async ({ path }) => ({ status: await answer(path) }) })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

const test_ = async (caller: Caller, id: string) =>
  (await one.call(caller, 'testWebhookEndpoint', { id })).body as TestDelivery
const redeliver = async (caller: Caller, id: string) =>
  (await one.call(caller, 'redeliverWebhookDelivery', { id })).body as TestDelivery
const turn = (caller: Caller, id: string, enabled: boolean) =>
  one.call(caller, 'updateWebhookEndpoint', { id, enabled })

async function endpointThat(status: number, more: object = {}) {
  const { admin } = await one.organization()
  answer = () => status
  return { admin, endpoint: await one.endpoint(admin, `${receiver.url}/`, more) }
}

describe('a test', () => {
  test('is sent whatever the endpoint subscribes to, waited for, and answered with', async () => {
    const { admin, endpoint } = await endpointThat(200, { signalTypes: [] })
    const delivery = await test_(admin, endpoint.id)
    expect(delivery).toMatchObject({
      type: 'webhook.test',
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      attempts: [{ number: 1, outcome: 'success', counted: true }],
    })
    const request = receiver.requests.at(-1)!
    expect(request.headers['webhook-id']).toBe(delivery.id)
    expect(verified(endpoint.secret, request)).toStrictEqual({
      id: delivery.signalId,
      type: 'webhook.test',
      time: delivery.createdAt,
      organizationId: admin.organizationId,
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      data: { message: expect.any(String) },
    })
  })

  test('that fails is tried again like any other, and counts', async () => {
    const { admin, endpoint } = await endpointThat(500)
    expect(await test_(admin, endpoint.id)).toMatchObject({
      status: 'waiting_for_retry',
      attemptCount: 1,
      nextAttemptAt: expect.any(String),
      attempts: [{ outcome: 'receiver_error', counted: true }],
    })
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ consecutiveFailures: 1 })
  })

  test.each([
    [200, 'delivered'],
    [500, 'failed'],
  ])('to an endpoint that is off, answered %i: %s, once and uncounted', async (status, expected) => {
    const { admin, endpoint } = await endpointThat(status, { enabled: false })
    expect(await test_(admin, endpoint.id)).toMatchObject({
      status: expected,
      attemptCount: 0,
      nextAttemptAt: null,
      attempts: [{ counted: false }],
    })
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
      enabled: false,
      consecutiveFailures: 0,
    })
  })

  test('turns the endpoint off when it is the tenth failure in a row', async () => {
    const { admin, endpoint } = await endpointThat(404)
    for (let n = 0; n < 10; n += 1) await test_(admin, endpoint.id)
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
      enabled: false,
      disabledReason: 'failures',
      consecutiveFailures: 10,
    })
    expect((await one.deliveries(admin)).map(({ status }) => status)).toStrictEqual(
      new Array(10).fill('not_sent'),
    )
  })
})

describe('a redelivery', () => {
  test.each([
    // stands, then answered: what it is then, and whether the attempt counts
    ['delivered', 500, 'delivered'],
    ['delivered', 200, 'delivered'],
    ['failed', 200, 'delivered'],
    ['failed', 503, 'failed'],
    ['not_sent', 200, 'delivered'],
    ['not_sent', 503, 'failed'],
  ])('of one that is %s, answered %i: %s', async (stands, status, expected) => {
    for (const enabled of [true, false]) {
      const { admin, endpoint } = await endpointThat(stands === 'delivered' ? 200 : 500)
      const first = await test_(admin, endpoint.id)
      if (stands !== 'delivered') await turn(admin, endpoint.id, false)
      if (stands === 'failed') {
        // By hand to an endpoint that is off, it fails for good.
        await redeliver(admin, first.id)
      }
      expect(await one.delivery(admin, first.id)).toMatchObject({ status: stands })
      await turn(admin, endpoint.id, enabled)
      const before = await one.delivery(admin, first.id)
      answer = () => status
      const after = await redeliver(admin, first.id)
      expect(after).toMatchObject({
        id: first.id,
        status: expected,
        nextAttemptAt: null,
        attemptCount: before.attemptCount + (enabled ? 1 : 0),
        request: { body: before.request.body },
      })
      expect(after.attempts).toHaveLength(before.attempts.length + 1)
      expect(after.attempts[0]).toMatchObject({
        number: before.attempts.length + 1,
        counted: enabled,
        statusCode: status,
      })
      expect(receiver.requests.at(-1)!.headers['webhook-id']).toBe(first.id)
      if (enabled)
        expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
          consecutiveFailures: status === 200 ? 0 : 1,
        })
    }
  })

  test('of one that waits is refused', async () => {
    const { admin, endpoint } = await endpointThat(500)
    const { id } = await test_(admin, endpoint.id)
    await expect(redeliver(admin, id)).rejects.toMatchObject({ code: 'delivery_not_finished', status: 409 })
  })

  test('happens once, of many asked for at the same time', async () => {
    const { admin, endpoint } = await endpointThat(200)
    const { id } = await test_(admin, endpoint.id)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    answer = () => gate.then(() => 200)
    let refused = 0
    const asked = Array.from({ length: 8 }, () =>
      redeliver(admin, id).catch((error) => {
        refused += 1
        if (refused === 7) open()
        throw error
      }),
    )
    const reasons = (await Promise.allSettled(asked)).flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(reasons).toHaveLength(7)
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'delivery_not_finished' })
    expect((await one.delivery(admin, id)).attempts).toHaveLength(2)
  })

  test("is sent at the database's time, also by a process that has heard none before", async () => {
    const { admin, endpoint } = await endpointThat(200)
    await one.moveClock(-120_000)
    const { attempts, request } = await test_(admin, endpoint.id)
    const now = (await one.administrator.query('select clock_now() as now')).rows[0].now.getTime()
    expect(Math.abs(Date.parse(attempts[0]!.sentAt) - now)).toBeLessThan(10_000)
    expect(Number(request.headers['webhook-timestamp']) * 1_000).toBeLessThanOrEqual(now)
    await one.moveClock(120_000)
  })

  test('uses the address and the secret of now', async () => {
    const { admin, endpoint } = await endpointThat(500)
    const { id } = await test_(admin, endpoint.id)
    await turn(admin, endpoint.id, false)
    const { secret } = (await one.call(admin, 'rotateWebhookEndpointSecret', { id: endpoint.id })).body as {
      secret: string
    }
    await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, address: `${receiver.url}/moved` })
    await redeliver(admin, id)
    const request = receiver.requests.at(-1)!
    expect(request.path).toBe('/moved')
    verified(secret, request)
    expect(() => verified(endpoint.secret, request)).toThrow()
  })
})
