import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import { buildService } from '../server/service.ts'
import { flush } from '../server/webhooks/dispatcher/flush.ts'
import { logAnother } from '../server/webhooks/dispatcher/try-again.ts'
import { type ReceivedRequest, startReceiver } from './support/receiver.ts'
import { resultsOf } from './support/results.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type TestDelivery, verified, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest()
})
afterAll(() => one.close())

/** What has come of a request, where it is all there. */
function requestIn(text: string): ReceivedRequest | null {
  const [head, body = ''] = text.split('\r\n\r\n', 2)
  const lines = head!.split('\r\n')
  const [method = '', path = ''] = lines[0]!.split(' ')
  const rawHeaders = lines.slice(1).flatMap((line) => line.split(': ', 2))
  const headers = Object.fromEntries(lines.slice(1).map((line) => line.split(': ', 2)))
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)) return null
  return { method, path, headers, rawHeaders, body }
}

test('a kept connection that the receiver closes costs no attempt: sent again at once on a new one, once', async () => {
  let requests = 0
  // Answers the first request on each connection, and closes the connection on the second.
  const receiver = await startReceiver({
    raw: (socket) => {
      let nth = 0
      socket.on('data', (bytes) => {
        if (!bytes.toString('latin1').startsWith('POST')) return
        requests += 1
        nth += 1
        if (nth === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        else socket.destroy()
      })
    },
  })
  try {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, receiver.url)
    await one.risk(admin)
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 1)
    await one.risk(admin)
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 2)
    const [newest] = await one.deliveries(admin)
    expect(await one.delivery(admin, newest!.id)).toMatchObject({
      attemptCount: 1,
      attempts: [
        { number: 2, outcome: 'success', counted: true, statusCode: 200 },
        {
          number: 1,
          outcome: 'connection_closed',
          counted: false,
          statusCode: null,
          headers: expect.any(Object),
        },
      ],
    })
    expect(requests).toBe(3)
    expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ consecutiveFailures: 0 })
  } finally {
    await receiver.close()
  }
})

test.each([
  ['by this process', true],
  ['by another', false],
])('a secret that is replaced meanwhile, %s, signs no second try', async (_by, isHere) => {
  const { promise: isReplaced, resolve: replaced } = Promise.withResolvers<void>()
  const requests: ReceivedRequest[] = []
  // As above, but the second request on a connection hangs for a while first.
  const receiver = await startReceiver({
    raw: (socket) => {
      let text = ''
      let nth = 0
      socket.on('data', async (bytes) => {
        text += bytes.toString('utf8')
        const request = requestIn(text)
        if (!request) return
        text = ''
        nth += 1
        requests.push(request)
        if (nth === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        else await isReplaced.then(() => socket.destroy())
      })
    },
  })
  const { config, operations } = one.service
  const other = buildService(config, one.database.url, one.masterKey)
  try {
    const { admin } = await one.organization()
    const { id } = await one.endpoint(admin, receiver.url)
    await one.risk(admin)
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 1)
    await one.risk(admin)
    await until(() => requests.length === 2)
    const rotation = operations.find(({ name }) => name === 'rotateWebhookEndpointSecret')!
    const { body } = await call(isHere ? one.service : other, admin, rotation, { id })
    replaced()
    await until(async () => (await one.deliveries(admin, { status: ['delivered'] })).length === 2)
    const [newest] = await one.deliveries(admin)
    expect(() => verified((body as unknown as { secret: string }).secret, requests[2]!)).not.toThrow()
    expect(requests).toHaveLength(3)
    expect(await one.delivery(admin, newest!.id)).toMatchObject({
      attemptCount: 1,
      attempts: [
        { number: 2, outcome: 'success', counted: true },
        { number: 1, outcome: 'connection_closed', counted: false },
      ],
    })
  } finally {
    await other.close()
    await receiver.close()
  }
})

test('where the answer to its logging is lost, the second is not made, and stands nowhere', async () => {
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, 'https://example.com/', { signalTypes: ['control.updated'] })
  const [make] = await resultsOf(one, admin.organizationId, endpoint.id, 1)
  const closed = make!('connection_closed')
  const { engine } = one.service.database
  expect(await logAnother(engine, closed.claim, { ...closed, sentAt: Date.now() })).toBe(2)
  await flush(engine, [closed])
  expect(await one.delivery(admin, closed.claim.deliveryId)).toMatchObject({
    status: 'waiting_for_retry',
    attempts: [{ number: 1, outcome: 'connection_closed' }],
  })
})

test('an organization’s retries use the address of now', async () => {
  const receiver = await startReceiver({ behaviour: ({ path }) => ({ status: path === '/new' ? 200 : 500 }) })
  try {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, `${receiver.url}/old`)
    await one.risk(admin)
    const [row] = await until(async () => {
      const rows = await one.deliveries(admin, { status: ['waiting_for_retry'] })
      return rows.length > 0 && rows
    })
    await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, address: `${receiver.url}/new` })
    await one.moveClock(33_000)
    one.service.webhooks.wake([endpoint.id])
    const delivery: TestDelivery = await until(async () => {
      const read = await one.delivery(admin, row!.id)
      return read.status === 'delivered' && read
    })
    expect(delivery.request.address).toBe(`${receiver.url}/new`)
    expect(delivery.attempts.map(({ statusCode }) => statusCode)).toStrictEqual([200, 500])
  } finally {
    await receiver.close()
  }
})
