import { afterAll, beforeAll, expect, test } from 'vitest'
import { overhear } from '../bench/overheard.ts'
import type { Caller } from '../server/caller/caller.ts'
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

test('a page of the log reads its own rows, however many wait in vain, or for a retry', async () => {
  const { admin } = await one.organization()
  const dead = await one.endpoint(admin, 'https://127.0.0.1:9/')
  const slow = await one.endpoint(admin, 'https://127.0.0.1:9/')
  await fillDeliveries(one, admin.organizationId, dead.id, 20_000)
  await fillDeliveries(one, admin.organizationId, slow.id, 20_000)
  await one.administrator.query('update webhook_endpoints set enabled = false, epoch = 2 where id = $1', [
    dead.id,
  ])
  await one.administrator.query(
    `with waits as (update deliveries set status = 'waiting_for_retry' where endpoint_id = $1)
     update delivery_queue set is_retry = true where endpoint_id = $1`,
    [slow.id],
  )
  await one.administrator.query('analyze deliveries, delivery_queue')
  expect(await pagesRead(admin)).toBeLessThan(2_000)
  for (const status of ['pending', 'waiting_for_retry', 'failed', 'not_sent'])
    expect(await pagesRead(admin, status), status).toBeLessThan(2_000)
  expect(await listed(admin, 'pending')).toEqual(new Set())
  expect(await listed(admin, 'waiting_for_retry')).toEqual(new Set([slow.id]))
  expect(await listed(admin, 'not_sent')).toEqual(new Set([dead.id]))
})

/** Of PostgreSQL's memory, by the statement of the list. */
async function pagesRead(as: Caller, status?: string): Promise<number> {
  const heard = await overhear(one.service, () =>
    one.call(as, 'listWebhookDeliveries', status ? { status: [status] } : {}),
  )
  const client = await one.service.database.tenant.connect()
  let read = 0
  await client.query('begin')
  for (const query of heard.filter(({ text }) => !/^(begin|commit)$/.test(text))) {
    if (!query.text.includes('with page as')) {
      await client.query(query)
      continue
    }
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${query.text}`, query.values)
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    read = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  await client.query('rollback')
  client.release()
  return read
}

async function listed(as: Caller, status: string): Promise<Set<string>> {
  const { data }: { data: { endpointId: string }[] } = (
    await one.call(as, 'listWebhookDeliveries', { status: [status] })
  ).body
  return new Set(data.map(({ endpointId }) => endpointId))
}
