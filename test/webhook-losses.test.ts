import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDue, claimSuspect, take } from '../server/webhooks/dispatcher/claim.ts'
import { recover } from '../server/webhooks/dispatcher/lost-senders.ts'
import { upkeep } from '../server/webhooks/dispatcher/upkeep.ts'
import { openWebhooks } from '../server/webhooks/webhooks.ts'
import { fillDeliveries } from './support/backlog.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let answered: () => Promise<void> | void = () => {}

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
  receiver = await startReceiver({
    behaviour: async () => {
      await answered()
      return { status: 200 }
    },
  })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

/** Claims as a process would that then is lost. */
async function claimAndLose(endpointId: string): Promise<number> {
  const claimId = randomUUID()
  const { items } = await take(
    one.service.database.engine,
    claimDue([endpointId], [5], claimId, 60_000, false),
    claimId,
  )
  return items.length
}

async function loseThrice(endpointId: string): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    expect(await claimAndLose(endpointId)).toBe(1)
    expect(await claimAndLose(endpointId)).toBe(0)
    await one.moveClock(61_000)
    await recover(one.service.database.engine, null, one.service.config.webhookRetryDelays)
  }
}

test('a lost delivery whose place in the queue is taken is taken back like any other', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url, { signalTypes: ['control.updated'] })
  await fillDeliveries(one, admin.organizationId, endpoint.id, 1)
  const places = async () =>
    (await one.administrator.query('select * from delivery_queue where endpoint_id = $1', [endpoint.id])).rows
  const [place] = await places()
  expect(await claimAndLose(endpoint.id)).toBe(1)
  const columns = Object.keys(place)
  await one.administrator.query(
    `insert into delivery_queue (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(place),
  )
  await one.moveClock(61_000)
  await recover(one.service.database.engine, null, one.service.config.webhookRetryDelays)
  expect(await places()).toHaveLength(1)
  expect(await claimAndLose(endpoint.id)).toBe(1)
  // Lost again, it would be sent to the receiver that the others look at.
  await one.call(admin, 'deleteWebhookEndpoint', { id: endpoint.id })
})

test('of deliveries lost three times in a row, one that may not be sent keeps none from its turn', async () => {
  const { database, log, config } = one.service
  const pool = database.engine
  const [off, on] = [await one.organization(), await one.organization()]
  const endpoints = []
  for (const { admin } of [off, on]) {
    const endpoint = await one.endpoint(admin, receiver.url)
    await one.risk(admin)
    await loseThrice(endpoint.id)
    endpoints.push(endpoint.id)
  }
  await one.moveClock(33_000)
  await one.call(off.admin, 'updateWebhookEndpoint', { id: endpoints[0], enabled: false })
  const isOneDue = async () => (await upkeep({ pool, log, delays: config.webhookRetryDelays })).suspect
  expect(await isOneDue()).toBe(true)
  const claimId = randomUUID()
  const { items } = await take(pool, claimSuspect(claimId, 60_000), claimId)
  expect(items.map(({ endpointId }) => endpointId)).toEqual([endpoints[1]])
  expect(await isOneDue()).toBe(false)
  for (const [n, { admin }] of [off, on].entries())
    await one.call(admin, 'deleteWebhookEndpoint', { id: endpoints[n] })
})

test('lost three times in a row, a delivery waits as after a failure, uncounted, and is then sent alone', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  await one.risk(admin)
  const [{ id } = { id: '' }] = await one.deliveries(admin)
  await loseThrice(endpoint.id)
  // Nobody claims it among others any more.
  expect(await claimAndLose(endpoint.id)).toBe(0)
  await one.service.webhooks.start()
  await one.service.webhooks.sweep()
  const waiting = await one.delivery(admin, id)
  expect(waiting).toMatchObject({ status: 'waiting_for_retry', attemptCount: 0 })
  expect(waiting.attempts.map(({ outcome }) => outcome)).toStrictEqual([
    'interrupted',
    'interrupted',
    'interrupted',
  ])
  expect(receiver.requests).toHaveLength(0)

  await one.moveClock(33_000)
  await one.service.webhooks.sweep()
  await until(async () => (await one.delivery(admin, id)).status === 'delivered')
  expect(await one.delivery(admin, id)).toMatchObject({
    attemptCount: 1,
    attempts: [{ number: 4 }, {}, {}, {}],
  })
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ consecutiveFailures: 0 })
})

test('a stop finishes what is on the wire and leaves nothing claimed', async () => {
  const { admin } = await one.organization()
  await one.endpoint(admin, receiver.url)
  const sent = receiver.requests.length
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  answered = () => gate
  for (let n = 0; n < 30; n += 1) await one.risk(admin)
  await until(() => receiver.requests.length === sent + 5)
  const stopping = one.service.webhooks.stop()
  open()
  await stopping
  const claimed = await one.administrator.query(
    'select count(*)::int as claimed from deliveries where claim_id is not null',
  )
  expect(claimed.rows).toStrictEqual([{ claimed: 0 }])
  const begun = receiver.requests.length - sent
  expect(await one.deliveries(admin, { status: ['delivered'] })).toHaveLength(begun)
  expect(await one.deliveries(admin, { status: ['pending'] })).toHaveLength(30 - begun)
})

test('what one process commits, another that delivers is told of', async () => {
  const { admin } = await one.organization()
  await one.endpoint(admin, receiver.url)
  // The first has stopped, and only serves calls now.
  const { config, log, database, keyring } = one.service
  const other = openWebhooks({ config, log, database, keyring })
  await other.start()
  try {
    await one.risk(admin)
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 1)
    expect(other.stats().attempts.success).toBeGreaterThan(0)
  } finally {
    await other.stop()
  }
})
