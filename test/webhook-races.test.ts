import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWebhooks } from '../server/webhooks/webhooks.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, verified, type WebhookTest } from './support/webhooks.ts'

const SENDS = 1_000

let one: WebhookTest
let receiver: Receiver
let arrived: (request: Receiver['requests'][number]) => void = () => {}

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver({
    behaviour: (request) => {
      arrived(request)
      return { status: 200 }
    },
  })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

test.each([
  ['in one process', false],
  ['in two processes', true],
])('once a rotation has answered, nothing begins that carries the old signature, %s', async (_where, two) => {
  const { config, log, database, keyring } = one.service
  const other = openWebhooks({ config, log, database, keyring })
  if (two) await other.start()
  const first = receiver.requests.length
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  const secrets = [endpoint.secret]
  const answered: { arrived: number; onTheWire: number }[] = []
  const signedWith = (request: Receiver['requests'][number]) =>
    secrets.findIndex((secret) => {
      try {
        return Boolean(verified(secret, request))
      } catch {
        return false
      }
    })
  const writing = (async () => {
    for (let n = 0; n < SENDS; n += 20) {
      await Promise.all(Array.from({ length: 20 }, () => one.risk(admin)))
      other.wake([endpoint.id])
    }
  })()
  for (let n = 0; n < 5; n += 1) {
    await until(() => receiver.requests.length >= first + n * 180 + 10)
    const { body } = await one.call(admin, 'rotateWebhookEndpointSecret', { id: endpoint.id })
    secrets.push((body as { secret: string }).secret)
    const { length: arrived } = receiver.requests
    const [here, there] = [one.service.webhooks.stats(), other.stats()]
    answered.push({ arrived, onTheWire: here.queue.inFlight + there.queue.inFlight })
  }
  await writing
  await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 200)
  await until(() => receiver.requests.length === first + SENDS)
  await other.stop()
  const versions = receiver.requests.slice(first).map(signedWith)
  expect(Math.min(...versions)).toBe(0)
  // With an older secret arrives afterwards only what was on the wire when the rotation answered.
  for (const [rotation, { arrived, onTheWire }] of answered.entries()) {
    const late = versions.slice(arrived - first).filter((version) => version <= rotation)
    expect(late.length).toBeLessThanOrEqual(onTheWire)
  }
})

test('turning off takes effect at once, with sixteen writers at work, and waits for none of them', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  let writing = true
  let begunAfterOff = 0
  const writers = Array.from({ length: 16 }, async () => {
    while (writing) await one.risk(admin)
  })
  await until(async () => (await one.deliveries(admin)).length > 50)
  await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, enabled: false })
  const onTheWire = one.service.webhooks.stats().queue.inFlight
  arrived = () => {
    begunAfterOff += 1
  }
  for (let n = 0; n < 20; n += 1) await one.risk(admin)
  writing = false
  await Promise.all(writers)
  await one.service.webhooks.sweep()
  expect(begunAfterOff).toBeLessThanOrEqual(onTheWire)
  const left = await one.deliveries(admin, { status: ['pending', 'waiting_for_retry'] })
  expect(left).toStrictEqual([])
})

test('the body is sent byte for byte, whatever is written in a record', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, receiver.url)
  const titles = [
    '\u0001\u001f"\\/\b\f\n\r\t.',
    'ÅA\u030a ﬁ ß İ',
    '\u200b\u200d\u2028\u2029\ufeff\ufffd',
    '\u{1f469}\u200d\u{1f680}\u{10ffff}\u{e0001}',
    'مرحبا שלום こんにちは',
    "</script>&amp;'--;",
  ]
  const got: Receiver['requests'][number][] = []
  arrived = (request) => got.push(request)
  for (const title of titles) await one.risk(admin, title)
  await until(() => got.length === titles.length)
  const bodies = got.map(
    (request) => verified(endpoint.secret, request) as { data: { record: { title: string } } },
  )
  expect(bodies.map(({ data }) => data.record.title).sort()).toStrictEqual([...titles].sort())
  for (const { headers, body } of got)
    expect((await one.delivery(admin, String(headers['webhook-id']))).request.body).toBe(body)
})
