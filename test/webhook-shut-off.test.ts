import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Database } from '../server/database/connect.ts'
import { flush } from '../server/webhooks/dispatcher/flush.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { resultsOf } from './support/results.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type TestEndpoint, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let answer: () => number | Promise<number> = () => 200

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({ behaviour: async () => ({ status: await answer() }) })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

const turn = async (admin: Parameters<WebhookTest['risk']>[0], id: string, enabled: boolean) =>
  (await one.call(admin, 'updateWebhookEndpoint', { id, enabled })).body as TestEndpoint

async function statuses(admin: Parameters<WebhookTest['risk']>[0]): Promise<Record<string, number>> {
  const count: Record<string, number> = {}
  for (const { status } of await one.deliveries(admin)) count[status] = (count[status] ?? 0) + 1
  return count
}

test('ten failures in a row, over all its deliveries, turn an endpoint off; what waits is not sent', async () => {
  const { admin } = await one.organization()
  const { promise: gate, resolve: open } = Promise.withResolvers<number>()
  answer = () => gate
  const endpoint = await one.endpoint(admin, receiver.url)
  for (let n = 0; n < 30; n += 1) await one.risk(admin)
  open(500)
  const off = await until(async () => {
    const read = await one.readEndpoint(admin, endpoint.id)
    return !read.enabled && read
  })
  expect(off).toMatchObject({
    enabled: false,
    disabledReason: 'failures',
    disabledAt: expect.any(String),
    consecutiveFailures: 10,
    version: 2,
  })
  expect(await statuses(admin)).toStrictEqual({ not_sent: 30 })
  for (const { nextAttemptAt } of await one.deliveries(admin)) expect(nextAttemptAt).toBeNull()

  // Nothing is made for it while it is off.
  await one.risk(admin)
  expect(await statuses(admin)).toStrictEqual({ not_sent: 30 })

  // What readers saw at once is written down in a while: with the ten that did it, and an entry of the audit log.
  const { rows } = await until(async () => {
    await one.service.webhooks.sweep()
    const read = await one.administrator.query(
      `select e.tripped_by, e.shut_off_notice_due_at = e.disabled_at as is_told, (select count(*)::int from deliveries d where d.endpoint_id = e.id and d.status = 'not_sent') as not_sent
         from webhook_endpoints e where e.id = $1 and not e.enabled`,
      [endpoint.id],
    )
    return read.rows[0]?.not_sent === 30 && read
  })
  expect(rows[0].tripped_by).toHaveLength(10)
  expect(rows[0].is_told).toBe(true)
  expect(rows[0].tripped_by[0]).toMatchObject({ outcome: 'receiver_error', statusCode: 500 })
  const { rows: entries } = await one.administrator.query(
    "select actor, channel, changes from audit_entries where subject_id = $1 and action = 'webhook_endpoint.update'",
    [endpoint.id],
  )
  expect(entries).toMatchObject([
    { actor: { type: 'service' }, channel: 'scheduler', changes: { enabled: { from: true, to: false } } },
  ])

  // On again: the count begins anew, what was waiting never leaves, what comes does.
  const sent = receiver.requests.length
  answer = () => 200
  expect(await turn(admin, endpoint.id, true)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
  await one.risk(admin)
  await until(async () => (await statuses(admin)).delivered === 1)
  await one.moveClock(3_600_000)
  one.service.webhooks.wake([endpoint.id])
  await one.service.webhooks.sweep()
  expect(await statuses(admin)).toStrictEqual({ not_sent: 30, delivered: 1 })
  expect(receiver.requests).toHaveLength(sent + 1)
})

test('a success in between begins the count anew', async () => {
  const { admin } = await one.organization()
  let nth = 0
  answer = () => {
    nth += 1
    return nth % 10 === 0 ? 200 : 500
  }
  const endpoint = await one.endpoint(admin, receiver.url)
  for (let n = 0; n < 25; n += 1) {
    const { body } = await one.call(admin, 'testWebhookEndpoint', { id: endpoint.id })
    expect(body).toMatchObject({ attemptCount: 1 })
  }
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ enabled: true, consecutiveFailures: 5 })
})

test('of 200 failures at once, from four writers, one turns it off and ten are counted', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url, { signalTypes: ['control.updated'] })
  const claimed = await resultsOf(one, admin.organizationId, endpoint.id, 200)
  const database: Database = connect(one.database.url, { engine: 4 })
  try {
    const batches = Array.from({ length: 40 }, (_, n) => claimed.slice(n * 5, n * 5 + 5))
    const flushed = await Promise.all(
      batches.map((batch) =>
        flush(
          database.engine,
          batch.map((make) => make('receiver_error')),
        ),
      ),
    )
    expect(flushed.flatMap(({ tripped }) => tripped)).toStrictEqual([endpoint.id])
    expect(flushed.reduce((sum, { written }) => sum + written, 0)).toBe(200)
  } finally {
    await database.close()
  }
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
    enabled: false,
    disabledReason: 'failures',
    consecutiveFailures: 10,
  })
})

describe('a result of an attempt begun before a turn of the switch', () => {
  test('never counts after it, and is still logged', async () => {
    const { admin } = await one.organization()
    const { promise: gate, resolve: open } = Promise.withResolvers<number>()
    answer = () => gate
    const endpoint = await one.endpoint(admin, receiver.url)
    const sent = receiver.requests.length
    for (let n = 0; n < 5; n += 1) await one.risk(admin)
    await until(() => receiver.requests.length === sent + 5)
    await turn(admin, endpoint.id, false)
    expect(await statuses(admin)).toStrictEqual({ not_sent: 5 })
    await turn(admin, endpoint.id, true)
    open(500)
    await until(async () => (await one.deliveries(admin)).every(({ attemptCount }) => attemptCount === 1))
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
    })
    expect(await statuses(admin)).toStrictEqual({ not_sent: 5 })
  })

  test('makes it delivered when it was a success', async () => {
    const { admin } = await one.organization()
    const { promise: gate, resolve: open } = Promise.withResolvers<number>()
    answer = () => gate
    const endpoint = await one.endpoint(admin, receiver.url)
    const sent = receiver.requests.length
    await one.risk(admin)
    await until(() => receiver.requests.length > sent)
    await turn(admin, endpoint.id, false)
    await one.service.webhooks.sweep()
    expect(await statuses(admin)).toStrictEqual({ not_sent: 1 })
    open(200)
    await until(async () => (await statuses(admin)).delivered === 1)
  })
})

test('under an old claim nothing is written: neither log nor delivery nor count', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url, { signalTypes: ['control.updated'] })
  const [make] = await resultsOf(one, admin.organizationId, endpoint.id, 1)
  const result = make!('receiver_error')
  const late = { ...result, claim: { ...result.claim, claimId: randomUUID() } }
  expect(await flush(one.service.database.engine, [late])).toMatchObject({ written: 0, tripped: [] })
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ consecutiveFailures: 0 })
  expect((await one.delivery(admin, result.claim.deliveryId)).attempts).toMatchObject([{ outcome: null }])
})
