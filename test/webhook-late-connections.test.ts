/* Promise: what waited for its connection while its endpoint changed does not leave by it as it was. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import { buildService } from '../server/service.ts'
import { START_WITHIN_MS } from '../server/webhooks/dispatcher/limits.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, verified, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest()
})
afterAll(() => one.close())

/** A way to a receiver on which nothing goes through until it is opened. */
async function startSlowWay(receiver: Receiver) {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(receiver.port, '127.0.0.1')
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
    void isOpen.then(() => near.pipe(far).pipe(near))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return sockets.length > 0
    },
    open,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.each([
  ['by this process', true],
  ['by another', false],
])('a secret that is replaced %s while a request waits for its connection', async (_by, isHere) => {
  const receiver = await startReceiver()
  const way = await startSlowWay(receiver)
  const { config, operations } = one.service
  const other = buildService(config, one.database.url, one.masterKey)
  try {
    const { admin } = await one.organization()
    const { id } = await one.endpoint(admin, way.url)
    await one.risk(admin)
    await until(() => way.asked)
    const rotation = operations.find(({ name }) => name === 'rotateWebhookEndpointSecret')!
    const { body } = await call(isHere ? one.service : other, admin, rotation, { id })
    way.open()
    await until(() => receiver.requests.length > 0)
    const { secret } = body as unknown as { secret: string }
    expect(() => verified(secret, receiver.requests[0]!)).not.toThrow()
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 1)
    expect(receiver.requests).toHaveLength(1)
  } finally {
    await other.close()
    way.close()
    await receiver.close()
  }
})

test('where nothing has changed it leaves, however late its connection comes, as the attempt it is', async () => {
  const receiver = await startReceiver()
  const way = await startSlowWay(receiver)
  try {
    const { admin } = await one.organization()
    await one.endpoint(admin, way.url)
    await one.risk(admin)
    await until(() => way.asked)
    await sleep(START_WITHIN_MS + 100)
    way.open()
    const [delivered] = await until(async () => {
      const found = await one.deliveries(admin, { status: ['delivered'] })
      return found.length > 0 && found
    })
    const { attempts } = await one.delivery(admin, delivered!.id)
    expect(attempts).toMatchObject([{ number: 1, outcome: 'success' }])
    expect(attempts[0]!.durationMs).toBeGreaterThan(START_WITHIN_MS)
  } finally {
    way.close()
    await receiver.close()
  }
})
