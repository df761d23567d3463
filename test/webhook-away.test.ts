import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWebhooks } from '../server/webhooks/webhooks.ts'
import { records, startNameServer } from './support/name-server.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let answered: () => Promise<void> | void = () => {}

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
  receiver = await startReceiver({
    names: ['127.0.0.1', 'hooks.example.test'],
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

test('while no resolver answers, no attempt is spent and no failure counted; then all goes on', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  await one.administrator.query('update webhook_endpoints set address = $2 where id = $1', [
    endpoint.id,
    `https://hooks.example.test:${receiver.port}/`,
  ])
  await one.risk(admin)
  let silent = true
  const names = records({ 'hooks.example.test': ['127.0.0.1'] })
  const nameServer = await startNameServer((question) => (silent ? 'silent' : names(question)))
  const { config, log, database, keyring } = one.service
  const webhooks = openWebhooks({
    config,
    log,
    database,
    keyring,
    sender: { nameServers: [nameServer.address] },
  })
  try {
    await webhooks.start()
    await until(() => webhooks.stats().ownFaults > 0)
    const [row] = await until(async () => {
      const rows = await one.deliveries(admin, { status: ['pending'] })
      return rows[0]?.nextAttemptAt ? rows : false
    })
    expect(row).toMatchObject({ attemptCount: 0 })
    expect((await one.delivery(admin, row!.id)).attempts).toStrictEqual([])
    silent = false
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 1)
    expect((await one.delivery(admin, row!.id)).attempts).toMatchObject([{ number: 1, outcome: 'success' }])
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
    })
  } finally {
    await webhooks.stop()
    await nameServer.close()
  }
})

test('while the database is away, results wait for it; nothing is lost, counted or sent twice', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  const sent = receiver.requests.length
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  answered = () => gate
  await one.service.webhooks.start()
  for (let n = 0; n < 25; n += 1) await one.risk(admin)
  await until(() => receiver.requests.length === sent + 5)

  const { rows } = await one.administrator.query('select current_database() as name')
  await one.administrator.query(`alter database ${rows[0].name} connection limit 0`)
  await one.administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'plumbline'",
  )
  open()
  await until(() => one.service.webhooks.stats().unwrittenResults === 5)
  await one.administrator.query(`alter database ${rows[0].name} connection limit -1`)

  await until(async () => {
    const { rows: left } = await one.administrator.query(
      "select count(*)::int as left from deliveries where endpoint_id = $1 and status <> 'delivered'",
      [endpoint.id],
    )
    return left[0].left === 0
  })
  expect(receiver.requests).toHaveLength(sent + 25)
  for (const { id } of await one.deliveries(admin))
    expect((await one.delivery(admin, id)).attempts).toMatchObject([{ number: 1, outcome: 'success' }])
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
})
