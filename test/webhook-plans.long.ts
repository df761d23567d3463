import { afterAll, beforeAll, test } from 'vitest'
import { fillDeliveries } from './support/backlog.ts'
import { expectNoScan, plans } from './support/plans.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
})
afterAll(() => one.close())

test('no statement of the engine ever reads a whole table: empty, fresh and with 1,000,000 deliveries', async () => {
  expectNoScan(await plans(one))
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/')
  await one.risk(admin)
  expectNoScan(await plans(one))
  await fillDeliveries(one, admin.organizationId, endpoint.id, 1_000_000)
  expectNoScan(await plans(one))
  await one.administrator.query('analyze deliveries, attempts, webhook_endpoints, webhook_endpoint_states')
  expectNoScan(await plans(one))
})
