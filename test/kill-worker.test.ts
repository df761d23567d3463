import { expect, test } from 'vitest'
import { kill, killAndCompare, startWorker } from './support/kill.ts'
import { startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { loopbackSettings, startWebhookTest } from './support/webhooks.ts'

test('a process killed while it delivers loses nothing: it is sent again, under the same id, with its log', () =>
  killAndCompare(2, 25))

test('who sleeps past its lease is overtaken, and what it brings then changes nothing', async () => {
  const one = await startWebhookTest({ deliver: false })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const receiver = await startReceiver({
    behaviour: async (_request, nth) => {
      if (nth === 1) await gate
      return { status: nth === 1 ? 500 : 200 }
    },
  })
  const { settings, remove } = await loopbackSettings()
  try {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, receiver.url)
    const sleeper = await startWorker(one, admin, settings)
    await one.risk(admin)
    await until(() => receiver.requests.length === 1)
    sleeper.process.kill('SIGSTOP')

    await one.moveClock(61_000)
    const other = await startWorker(one, admin, settings)
    const [{ id } = { id: '' }] = await one.deliveries(admin)
    await until(async () => (await one.delivery(admin, id)).status === 'delivered')
    const fenced = await one.delivery(admin, id)
    expect(fenced).toMatchObject({
      attemptCount: 1,
      attempts: [
        { number: 2, outcome: 'success', counted: true },
        { number: 1, outcome: 'interrupted', counted: false },
      ],
    })

    open()
    sleeper.process.kill('SIGCONT')
    // Its next result is written behind the one that came too late.
    await kill(other)
    await one.risk(admin)
    await until(() => receiver.requests.length === 3)
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 2)
    expect(await one.delivery(admin, id)).toStrictEqual(fenced)
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ consecutiveFailures: 0 })
    await kill(sleeper)
  } finally {
    await one.close()
    await receiver.close()
    remove()
  }
})
