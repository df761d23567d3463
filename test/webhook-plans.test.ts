import { afterAll, beforeAll, test } from 'vitest'
import { fillDeliveries } from './support/backlog.ts'
import { expectNoLockInPartitions, expectNoScan, expectNoWideRead, plans } from './support/plans.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
})
afterAll(() => one.close())

test('no statement of the engine ever reads a whole table: empty, fresh and with 200,000 deliveries', async () => {
  const empty = await plans(one)
  expectNoScan(empty)
  expectNoWideRead(empty)
  expectNoLockInPartitions(empty)
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/')
  await one.risk(admin)
  const fresh = await plans(one)
  expectNoScan(fresh)
  expectNoWideRead(fresh)
  await fillDeliveries(one, admin.organizationId, endpoint.id, 200_000)
  expectNoScan(await plans(one))
  await one.administrator.query('analyze deliveries, attempts, webhook_endpoints, webhook_endpoint_states')
  expectNoScan(await plans(one))
})
