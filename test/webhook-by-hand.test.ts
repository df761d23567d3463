import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
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
  const { admin, key } = await one.organization()
  answer = () => status
  return { admin, key, endpoint: await one.endpoint(admin, `${receiver.url}/`, more) }
}

describe('a test', () => {
  test('is sent whatever the endpoint subscribes to, waited for, and answered with', async () => {
    const { admin, endpoint } = await endpointThat(200, { signalTypes: ['control.updated'] })
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

describe('sends of an organization under way', () => {
  const tooMany = {
    code: 'rate_limited',
    message: expect.stringMatching(/^5 tests and redeliveries .* wait .* \d+ seconds at most\.$/),
    members: { retryAfter: expect.any(Number) },
  }

  test('are five at most, over all processes: the next is refused at once and leaves nothing', async () => {
    const { admin, key, endpoint } = await endpointThat(200)
    const finished = await test_(admin, endpoint.id)
    const { admin: neighbour, endpoint: theirs } = await endpointThat(200)
    const other = await one.listen({ ROLE: 'api' })
    const { secret } = await key(['read:webhooks', 'write:webhooks'])
    const there = (path: string) => other.send(secret, 'POST', path)

    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    answer = (path) => (path === '/held' ? gate.then(() => 200) : 200)
    await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, address: `${receiver.url}/held` })
    const arrived = receiver.requests.length
    const held = [
      ...Array.from({ length: 2 }, () => test_(admin, endpoint.id)),
      redeliver(admin, finished.id),
      ...Array.from({ length: 2 }, () => there(`/v1/webhook-endpoints/${endpoint.id}/test`)),
    ]
    await until(() => receiver.requests.length === arrived + 5)

    // No connection to the database waits with them, and none of the queue's sockets is theirs.
    const { tenant, engine } = one.service.database
    await until(() => [tenant, engine].every((pool) => pool.totalCount === pool.idleCount))
    expect(one.service.webhooks.stats()).toMatchObject({ queue: { inFlight: 0 }, byHand: { inFlight: 3 } })

    const before = await one.deliveries(admin)
    const audited = await auditEntries(admin)
    await expect(test_(admin, endpoint.id)).rejects.toMatchObject(tooMany)
    const refused = await there(`/v1/webhook-endpoints/${endpoint.id}/test`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect(await one.deliveries(admin)).toEqual(before)
    expect(await auditEntries(admin)).toBe(audited)
    expect(await test_(neighbour, theirs.id)).toMatchObject({ status: 'delivered' })

    open()
    await Promise.all(held)
    expect(await test_(admin, endpoint.id)).toMatchObject({ status: 'delivered' })
    expect((await one.administrator.query('select 1 from webhook_manual_sends')).rowCount).toBe(0)
  })

  test('are five at most of twenty at once', async () => {
    const { admin, endpoint } = await endpointThat(200)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    answer = () => gate.then(() => 200)
    let refused = 0
    const asked = Array.from({ length: 20 }, () =>
      test_(admin, endpoint.id).catch((error) => {
        refused += 1
        if (refused === 15) open()
        return error
      }),
    )
    const answers = await Promise.all(asked)
    expect(answers.filter(({ code }) => code === 'rate_limited')).toHaveLength(15)
    expect(answers.filter(({ status }) => status === 'delivered')).toHaveLength(5)
  })

  test('that were lost with their process count until their lease ends', async () => {
    const { admin, endpoint } = await endpointThat(200)
    await one.administrator.query(
      `insert into webhook_manual_sends (organization_id, claim_id, lease_ends_at)
       select $1, gen_random_uuid(), clock_now() + interval '40 seconds' from generate_series(1, 5)`,
      [admin.organizationId],
    )
    const refusal = await test_(admin, endpoint.id).catch((error) => error)
    expect(refusal).toMatchObject(tooMany)
    expect(refusal.members.retryAfter).toBeGreaterThan(10)
    expect(refusal.members.retryAfter).toBeLessThanOrEqual(40)
    await one.moveClock(40_000)
    expect(await test_(admin, endpoint.id)).toMatchObject({ status: 'delivered' })
    expect((await one.administrator.query('select 1 from webhook_manual_sends')).rowCount).toBe(0)
  })

  test('that fail, or find nothing to send, free their place', async () => {
    const { admin, endpoint } = await endpointThat(500, { enabled: false })
    for (let n = 0; n < 6; n += 1) expect(await test_(admin, endpoint.id)).toMatchObject({ status: 'failed' })
    for (let n = 0; n < 6; n += 1)
      await expect(redeliver(admin, newId('dlv'))).rejects.toMatchObject({ code: 'not_found' })
    expect(await one.administrator.query('select 1 from webhook_manual_sends')).toMatchObject({ rowCount: 0 })
  })
})

const auditEntries = async (caller: Caller) =>
  (
    await one.administrator.query('select 1 from audit_entries where organization_id = $1', [
      caller.organizationId,
    ])
  ).rowCount
