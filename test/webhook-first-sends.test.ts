/** Promise: what a change makes leaves with its commit, where its process has room; what has none waits its turn. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Query } from '../server/database/connect.ts'
import { claimDue } from '../server/webhooks/dispatcher/claim.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { sheetsOf } from './support/sheets.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
const held = Promise.withResolvers<{ status: number }>()

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({
    behaviour: ({ path }) =>
      path === '/hanging' ? held.promise : { status: path === '/failing' ? 500 : 200 },
  })
})
afterAll(async () => {
  held.resolve({ status: 200 })
  await one.close()
  await receiver.close()
})

const queued = async (endpointId: string): Promise<number> =>
  (
    await one.administrator.query('select count(*)::int as n from delivery_queue where endpoint_id = $1', [
      endpointId,
    ])
  ).rows[0].n

const leases = async (organizationId: string): Promise<number> =>
  (
    await one.administrator.query(
      'select count(*)::int as n from delivery_leases where organization_id = $1',
      [organizationId],
    )
  ).rows[0].n

test('when a change is answered its deliveries are under way, and were never in the queue', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, `${receiver.url}/hanging`)
  const asked = vi.spyOn(one.service.database.engine, 'query')
  await one.risk(admin)
  const [row] = await one.deliveries(admin, { status: ['pending'] })
  expect(row).toMatchObject({ nextAttemptAt: null, lastAttempt: { outcome: null } })
  expect(await queued(endpoint.id)).toBe(0)
  expect((await one.delivery(admin, row!.id)).attempts).toMatchObject([{ number: 1, outcome: null }])
  await until(() => receiver.requests.some(({ headers }) => headers['webhook-id'] === row!.id))
  const claim = claimDue().text
  expect(asked.mock.calls.some(([query]) => (query as unknown as Query).text === claim)).toBe(false)
  asked.mockRestore()
})

test('an endpoint that has no room queues alone, and is worked off in its order', async () => {
  const { admin } = await one.organization()
  const hanging = await one.endpoint(admin, `${receiver.url}/hanging`)
  const quick = await one.endpoint(admin, `${receiver.url}/quick`)
  // Its lane is known from the first on.
  for (let n = 0; n < 12; n += 1) await one.risk(admin)
  expect(await queued(hanging.id)).toBeGreaterThan(0)
  const inFlight = await one.deliveries(admin, { endpointId: [hanging.id], status: ['pending'] })
  expect(inFlight).toHaveLength(12)
  await until(
    async () =>
      (await one.deliveries(admin, { endpointId: [quick.id], status: ['delivered'] })).length === 12,
  )
  expect(await queued(quick.id)).toBe(0)
})

test('of many changes in one, an endpoint that nothing was sent to yet is sent no more than its first window', async () => {
  const { admin } = await one.organization()
  const records = Array.from({ length: 40 }, (_, n) => ({ title: `Risk ${n}` }))
  await one.call(admin, 'createRiskBatch', { records })
  const { id } = await one.endpoint(admin, `${receiver.url}/hanging`, { signalTypes: ['risk.updated'] })
  const sent = () => receiver.requests.filter(({ path }) => path === '/hanging').length
  const before = sent()
  const { ask, apply, planned } = sheetsOf(one, admin)
  const edit = await ask<{ id: string }>('startBulkEdit', {
    type: 'risk',
    change: { likelihood: 'rare', impact: 'minor' },
    filters: {},
  })
  await apply((await planned(edit.id)).id)
  await until(async () => (await queued(id)) === 35, 'what is handed back')
  await until(() => sent() - before === 5, 'what is sent')
  const rows = await one.deliveries(admin, { endpointId: [id] })
  expect(rows.filter(({ lastAttempt }) => lastAttempt !== null)).toHaveLength(5)
})

test('a change that fails gives its room back, and its lease was never there', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, `${receiver.url}/quick`)
  await one.call(admin, 'createRisk', { title: 'First', externalId: 'same' })
  for (let n = 0; n < 30; n += 1)
    await expect(one.call(admin, 'createRisk', { title: 'Again', externalId: 'same' })).rejects.toThrow()
  for (let n = 0; n < 5; n += 1) await one.risk(admin)
  expect(await queued(endpoint.id)).toBe(0)
  await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 6)
  await until(async () => (await leases(admin.organizationId)) === 0)
})

test('a commit that takes too long is not relied on: its deliveries are claimed anew, and sent once', async () => {
  const { admin } = await one.organization()
  await one.endpoint(admin, `${receiver.url}/late`)
  await one.administrator.query(`
    create function wait_a_moment() returns trigger language plpgsql as
      $$ begin if new.title = 'Slow' then perform pg_sleep(0.7); end if; return null; end $$;
    create constraint trigger slow after insert on risks deferrable initially deferred
      for each row execute function wait_a_moment()`)
  try {
    await one.risk(admin, 'Slow')
    const [row] = await until(async () => {
      const rows = await one.deliveries(admin, { status: ['delivered'] })
      return rows.length > 0 && rows
    })
    expect((await one.delivery(admin, row!.id)).attempts).toMatchObject([{ number: 1, outcome: 'success' }])
    expect(receiver.requests.filter(({ path }) => path === '/late')).toHaveLength(1)
  } finally {
    await one.administrator.query('drop trigger slow on risks; drop function wait_a_moment')
  }
})

test('one that has ended is listed once, while another of its claim is still under way', async () => {
  const { admin } = await one.organization()
  const failing = await one.endpoint(admin, `${receiver.url}/failing`)
  const hanging = await one.endpoint(admin, `${receiver.url}/hanging`)
  await one.risk(admin)
  const retries = await until(async () => {
    const rows = await one.deliveries(admin, { status: ['waiting_for_retry'] })
    return rows.length > 0 && rows
  })
  expect(retries.map(({ endpointId }) => endpointId)).toStrictEqual([failing.id])
  const open = await one.deliveries(admin, {
    status: ['pending', 'waiting_for_retry', 'failed', 'not_sent'],
  })
  expect(open.map(({ endpointId }) => endpointId).sort()).toStrictEqual([failing.id, hanging.id].sort())
})
