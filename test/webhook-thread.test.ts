import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, verified, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({ behaviour: () => ({ status: 204 }) })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

test('a change reaches the receiver, signed, and the log tells how', async () => {
  const { admin, id: organizationId } = await one.organization()
  const endpoint = await one.endpoint(admin, `${receiver.url}/hook`)
  const risk = await one.risk(admin, 'Ünpatched gateway \u{1f512}')

  const request = await until(() => receiver.requests.at(-1))
  const signal = verified(endpoint.secret, request)
  expect(signal).toMatchObject({
    type: 'risk.created',
    organizationId,
    subject: { type: 'risk', id: risk.id },
    data: { record: { id: risk.id, title: 'Ünpatched gateway \u{1f512}' } },
  })
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Plumbline-Webhooks/2.0',
  })

  const row = await until(async () =>
    (await one.deliveries(admin)).find((delivery) => delivery.status === 'delivered'),
  )
  expect(row).toStrictEqual({
    id: request.headers['webhook-id'],
    endpointId: endpoint.id,
    signalId: signal.id,
    type: 'risk.created',
    status: 'delivered',
    createdAt: signal.time,
    nextAttemptAt: null,
    attemptCount: 1,
    run: null,
    subject: { ...(signal.subject as object), reference: 'RSK-1', title: 'Ünpatched gateway 🔒' },
    lastAttempt: {
      at: expect.any(String),
      outcome: 'success',
      statusCode: 204,
      durationMs: expect.any(Number),
    },
  })
  const delivery = await one.delivery(admin, row.id)
  expect(delivery.request).toMatchObject({
    method: 'POST',
    address: `${receiver.url}/hook`,
    body: request.body,
  })
  expect(delivery.request.headers['webhook-signature']).toBe(request.headers['webhook-signature'])
  expect(delivery.attempts).toMatchObject([
    { number: 1, outcome: 'success', counted: true, statusCode: 204, responseTruncated: false },
  ])
})
