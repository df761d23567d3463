import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judge } from '../server/webhooks/dispatcher/schedule.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, verifiedThen, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({ behaviour: () => ({ status: 503, body: 'closed for the night' }) })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DELAYS = [30_000, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]

test('seven attempts: at once, then after 30 s, 2 m, 10 m, 1 h, 6 h and 24 h, never early; then failed', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  await one.risk(admin)
  const [{ id } = { id: '' }] = await one.deliveries(admin)
  const failed = (times: number) => async () => {
    const delivery = await one.delivery(admin, id)
    return delivery.attemptCount === times && delivery
  }

  for (const [index, delay] of DELAYS.entries()) {
    const delivery = await until(failed(index + 1))
    expect(delivery).toMatchObject({ status: 'waiting_for_retry' })
    const { sentAt, durationMs } = delivery.attempts[0]!
    const endedAt = Date.parse(sentAt) + durationMs!
    const wait = Date.parse(delivery.nextAttemptAt!) - endedAt
    expect(wait).toBeGreaterThanOrEqual(delay)
    expect(wait).toBeLessThan(delay + Math.min(delay * 0.05, MINUTE) + 1_000)

    // Ten seconds short of it nothing leaves, whoever asks; and then it does.
    const { rows } = await one.administrator.query('select clock_now() as now')
    const toGo = Date.parse(delivery.nextAttemptAt!) - rows[0].now.getTime()
    await one.moveClock(toGo - 10_000)
    one.service.webhooks.wake([endpoint.id])
    await one.service.webhooks.sweep()
    expect(receiver.requests).toHaveLength(index + 1)
    await one.moveClock(10_000)
    one.service.webhooks.wake([endpoint.id])
  }

  const delivery = await until(failed(7))
  expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, attemptCount: 7 })
  expect(delivery.attempts.map(({ number }) => number)).toStrictEqual([7, 6, 5, 4, 3, 2, 1])
  for (const attempt of delivery.attempts)
    expect(attempt).toMatchObject({
      outcome: 'receiver_error',
      meaning: 'The receiver failed.',
      likelyCause: expect.any(String),
      counted: true,
      statusCode: 503,
      responseBody: 'closed for the night',
    })
  await one.moveClock(48 * HOUR)
  one.service.webhooks.wake([endpoint.id])
  await one.service.webhooks.sweep()
  expect(receiver.requests).toHaveLength(7)

  // One id and one body, a new time and a new signature each time.
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toStrictEqual(new Set([id]))
  expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1)
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(7)
  for (const request of receiver.requests) verifiedThen(endpoint.secret, request)
})

test('a delay is never shortened, and spread by 5 % and a minute at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attemptCount, random) => {
        const standing = { purpose: 'signal', attemptCount, statusBefore: null, off: false } as const
        const { waitMs } = judge('timeout', standing, DELAYS, random)
        const delay = DELAYS[attemptCount]!
        expect(waitMs).toBeGreaterThanOrEqual(delay)
        expect(waitMs).toBeLessThanOrEqual(Math.ceil(delay + Math.min(delay * 0.05, MINUTE)))
      },
    ),
  )
})

test.each([
  // outcome, counted attempts before, by hand and what it was: what it is, and whether it counts
  ['success', 0, null, 'delivered', true],
  ['success', 6, null, 'delivered', true],
  ['refused', 5, null, 'waiting_for_retry', true],
  ['refused', 6, null, 'failed', true],
  ['connection_closed', 6, null, 'waiting_for_retry', false],
  ['success', 7, 'failed', 'delivered', true],
  ['timeout', 7, 'failed', 'failed', true],
  ['timeout', 1, 'not_sent', 'failed', true],
  ['timeout', 1, 'delivered', 'delivered', true],
] as const)(
  '%s after %i, by hand on what was %s: %s',
  (outcome, attemptCount, statusBefore, status, counted) => {
    const standing = { purpose: 'signal', attemptCount, statusBefore, off: false } as const
    expect(judge(outcome, standing, DELAYS)).toMatchObject({ status, counted })
    expect(judge(outcome, { ...standing, off: true }, DELAYS).counted).toBe(false)
  },
)

test('the message of a workflow is tried at 0, 15, 60 and 180 seconds', () => {
  const waits = [0, 1, 2, 3].map(
    (attemptCount) =>
      judge('timeout', { purpose: 'workflow', attemptCount, statusBefore: null, off: false }, DELAYS, 0)
        .waitMs,
  )
  expect(waits).toStrictEqual([15_000, 45_000, 120_000, null])
})
