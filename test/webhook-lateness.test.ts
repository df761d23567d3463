/** Promise: what is due goes out soon after, however busy the machine is, and how late it is can be watched. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openMetrics } from '../server/doors/metrics.ts'
import { DueTimers } from '../server/queue/due-timers.ts'
import { pauseAfter, TIMED_AHEAD_MS } from '../server/queue/sweeper.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
  receiver = await startReceiver()
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})
afterEach(() => void vi.useRealTimers())

test('a sweep takes a twentieth of the time, and pauses for five seconds at most', () => {
  expect([0, 40, 50, 100, 200].map(pauseAfter)).toEqual([1_000, 1_000, 1_000, 2_000, 4_000])
  for (const sweepMs of [250, 2_500, 30_000]) expect(pauseAfter(sweepMs)).toBe(5_000)
  expect(TIMED_AHEAD_MS).toBeGreaterThan(pauseAfter(Number.MAX_VALUE))
})

test('of several times told of one endpoint, the earliest has the timer', () => {
  vi.useFakeTimers()
  const rung: string[] = []
  const dueTimers = new DueTimers((endpointId) => rung.push(endpointId))
  dueTimers.set('a', 9_000)
  dueTimers.set('a', 2_000)
  dueTimers.set('a', 5_000)
  dueTimers.set('b', 4_000)
  vi.advanceTimersByTime(3_000)
  expect(rung).toEqual(['a'])
  vi.advanceTimersByTime(20_000)
  expect(rung).toEqual(['a', 'b'])
})

test('metrics tell how late the oldest due delivery is, and how late each was sent', async () => {
  const { registry } = openMetrics(one.service)
  const value = async (line: string) =>
    Number(new RegExp(`^${line.replace(/[{}"+]/g, '\\$&')} (\\S+)$`, 'm').exec(await registry.metrics())?.[1])
  const oldest = () => value('plumbline_webhook_oldest_due_seconds')
  const sentWithin = (seconds: string) =>
    value(`plumbline_webhook_delivery_lateness_seconds_bucket{le="${seconds}"}`)

  const { admin } = await one.organization()
  await one.endpoint(admin, receiver.url)
  expect(await oldest()).toBe(0)
  await one.risk(admin)
  await one.moveClock(90_000)
  expect(await oldest()).toBeGreaterThanOrEqual(90)

  await one.service.webhooks.start()
  await until(async () => (await one.deliveries(admin))[0]?.status === 'delivered')
  expect(await oldest()).toBe(0)
  expect([await sentWithin('60'), await sentWithin('300'), await sentWithin('+Inf')]).toEqual([0, 1, 1])
})
