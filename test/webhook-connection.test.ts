/** Promise: connections are kept and shared, and a kept one that dies costs a delivery nothing. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { OPENING_AT_ONCE } from '../server/outbound/connections.ts'
import { parseNetwork } from '../server/outbound/network.ts'
import type { SenderOptions } from '../server/webhooks/request.ts'
import { records, startNameServer } from './support/name-server.ts'
import { type ReceiverOptions, startReceiver } from './support/receiver.ts'
import { attemptTo, expectClosed, openTestSender, send } from './support/sender.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function pair(receiverOptions: ReceiverOptions = {}, senderOptions: SenderOptions = {}) {
  const receiver = await startReceiver(receiverOptions)
  closing.push(() => receiver.close())
  const sender = await openTestSender(senderOptions)
  closing.push(() => expectClosed(sender))
  return { receiver, sender }
}

/** Answers the first request of each connection, and at the second does what it is told. */
const secondTime = (act: (socket: { destroy(): void; write(text: string): void; end(): void }) => void) =>
  ({
    raw: (socket) => {
      let requests = 0
      socket.on('data', (chunk: Buffer) => {
        if (!chunk.includes('POST ')) return
        requests += 1
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        else act(socket)
      })
    },
  }) satisfies ReceiverOptions

test('one after the other share one connection, whatever the path', async () => {
  const { receiver, sender } = await pair()
  for (let n = 0; n < 5; n += 1) await send(sender, `${receiver.url}/${n}`, { secret: randomBytes(32) })
  expect(receiver.connections).toBe(1)
  expect(sender.counts).toMatchObject({ attempts: 5, reused: 4, openSockets: 1, idleSockets: 1, inFlight: 0 })
})

test('at the same time each has its own: never two on one', async () => {
  const { promise: all, resolve: open } = Promise.withResolvers<void>()
  const { receiver, sender } = await pair({
    behaviour: async (_request, nth) => {
      if (nth === 8) open()
      await all
      return { status: 200 }
    },
  })
  await Promise.all(Array.from({ length: 8 }, () => send(sender, receiver.url)))
  expect(receiver.connections).toBe(8)
})

test('a kept connection closed before a byte of the answer is not held against the receiver', async () => {
  const { receiver, sender } = await pair(secondTime((socket) => socket.destroy()))
  expect((await send(sender, receiver.url)).outcome).toBe('success')
  const closed = await send(sender, receiver.url, { id: 'dlv_again' })
  expect(closed).toMatchObject({ outcome: 'connection_closed', statusCode: null })
  const again = await send(sender, receiver.url, { id: 'dlv_again', fresh: true })
  expect(again.outcome).toBe('success')
  expect(receiver.connections).toBe(2)
})

test('a receiver that asks for another handshake of TLS 1.2 gets none', async () => {
  let handshakes = 0
  const { receiver, sender } = await pair({
    tls: { maxVersion: 'TLSv1.2' },
    raw: (socket) => {
      socket.on('data', () => {
        socket.renegotiate({}, (error) => {
          handshakes += error ? 0 : 1
          if (!error) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        })
      })
    },
  })
  expect((await send(sender, receiver.url)).outcome).not.toBe('success')
  expect(handshakes).toBe(0)
})

test('who answers before everything is sent gets the rest of it all the same, and what is sent next', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const { promise: whole, resolve: received } = Promise.withResolvers<string>()
  const body = `"${'é'.repeat(4_000_000)}"`
  const { sender, receiver } = await pair({
    raw: (socket) => {
      const parts: Buffer[] = []
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        void answered.then(() => socket.resume())
      })
      socket.on('data', (chunk: Buffer) => {
        parts.push(chunk)
        if (chunk.includes('"second"}')) {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
          received(Buffer.concat(parts).toString())
        }
      })
    },
  })
  expect((await send(sender, receiver.url, { body })).outcome).toBe('success')
  const next = send(sender, receiver.url, { body: '{"is":"second"}' })
  resolve()
  const text = await whole
  expect(text.includes(body)).toBe(true)
  expect((await next).outcome).toBe('success')
})

test('a byte of an answer, even an interim one, and it is the receiver that failed', async () => {
  for (const part of ['H', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\n']) {
    const { receiver, sender } = await pair(
      secondTime((socket) => {
        socket.write(part)
        socket.end()
      }),
    )
    expect((await send(sender, receiver.url)).outcome).toBe('success')
    expect((await send(sender, receiver.url)).outcome).toBe('could_not_connect')
  }
})

test('"fresh" takes a new connection though one is kept', async () => {
  const { receiver, sender } = await pair()
  await send(sender, receiver.url)
  await send(sender, receiver.url, { fresh: true })
  expect(receiver.connections).toBe(2)
  expect(sender.counts.reused).toBe(0)
})

test('an idle connection the receiver closes is gone from the counts', async () => {
  const { receiver, sender } = await pair({ keepAliveMs: 50 })
  await send(sender, receiver.url)
  await expect.poll(() => sender.counts).toMatchObject({ openSockets: 0, idleSockets: 0 })
  expect((await send(sender, receiver.url)).outcome).toBe('success')
})

test('an idle connection is closed by us in time', async () => {
  const { receiver, sender } = await pair({}, { keepAliveMs: 100 })
  await send(sender, receiver.url)
  expect(sender.counts.openSockets).toBe(1)
  await expect.poll(() => sender.counts.openSockets).toBe(0)
})

test('an old connection is left, so that a name that moved is followed', async () => {
  let home = '127.0.0.1'
  const names = await startNameServer((question) => records({ 'moving.test': [home] })(question))
  closing.push(() => names.close())
  const old = await startReceiver({ names: ['moving.test'] })
  closing.push(() => old.close())
  const sender = await openTestSender({ nameServers: [names.address], maxAgeMs: 300_000 })
  closing.push(() => expectClosed(sender))
  const address = `https://moving.test:${old.port}/`
  expect((await send(sender, address)).outcome).toBe('success')
  home = '10.0.0.1'
  expect((await send(sender, address)).outcome).toBe('success')
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 300_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await send(sender, address)).outcome).toBe('address_not_public')
  expect(old.connections).toBe(1)
})

test('a receiver that closes after each answer gets a new connection each time', async () => {
  const { receiver, sender } = await pair({
    behaviour: () => ({ status: 200, headers: { connection: 'close' }, body: 'bye' }),
  })
  for (let n = 0; n < 20; n += 1) expect((await send(sender, receiver.url)).outcome).toBe('success')
  expect(receiver.connections).toBe(20)
  await expect.poll(() => sender.counts.openSockets).toBe(0)
})

test('a receiver that closes idle connections at once is never held at fault', async () => {
  const { receiver, sender } = await pair({ keepAliveMs: 1 })
  const outcomes = new Set<string>()
  for (let n = 0; n < 200; n += 1) {
    const result = await send(sender, receiver.url)
    outcomes.add(result.outcome)
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, n % 5))
  }
  outcomes.delete('connection_closed')
  expect(outcomes).toEqual(new Set(['success']))
})

test('bytes nobody asked for on an idle connection answer no later request', async () => {
  const { receiver, sender } = await pair({
    raw: (socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'), 20)
      })
    },
  })
  expect((await send(sender, receiver.url)).responseBody).toEqual(Buffer.from('ok'))
  await expect.poll(() => sender.counts.openSockets).toBe(0)
  expect((await send(sender, receiver.url)).responseBody).toEqual(Buffer.from('ok'))
  expect(receiver.connections).toBe(2)
})

test('a dead address of a name leaves time for a live one', async () => {
  const names = await startNameServer(records({ 'two.test': ['127.0.0.9', '127.0.0.1'] }))
  closing.push(() => names.close())
  const receiver = await startReceiver({ names: ['two.test'] })
  closing.push(() => receiver.close())
  const sender = await openTestSender({ nameServers: [names.address] })
  closing.push(() => expectClosed(sender))
  expect((await send(sender, `https://two.test:${receiver.port}/`)).outcome).toBe('success')
})

test.skipIf(!hasIpv6)('an IPv6 literal is dialled, and proves itself', async () => {
  const receiver = await startReceiver({ host: '::1', names: ['::1'] })
  closing.push(() => receiver.close())
  const sender = await openTestSender({ allowedNetworks: [parseNetwork('::1')] })
  closing.push(() => expectClosed(sender))
  const result = await send(sender, receiver.url)
  expect(result).toMatchObject({ outcome: 'success', headers: { host: `[::1]:${receiver.port}` } })
  expect(receiver.requests[0]!.headers.host).toBe(`[::1]:${receiver.port}`)
})

test('idle connections make room; when all are in use, that is a fault of ours', async () => {
  const one = await startReceiver()
  const { promise: told, resolve: answer } = Promise.withResolvers<void>()
  const two = await startReceiver({ behaviour: () => told.then(() => ({ status: 200 })) })
  closing.push(
    () => one.close(),
    () => two.close(),
  )
  const sender = await openTestSender({ maxSockets: 1 })
  closing.push(() => expectClosed(sender))
  expect((await send(sender, one.url)).outcome).toBe('success')
  const slow = send(sender, two.url)
  expect(await sender.attempt(attemptTo(one.url))).toMatchObject({ fault: 'connections' })
  answer()
  expect((await slow).outcome).toBe('success')
})

/** Lets one connection through at a time, each when it is told to. */
async function startDoor(to: number) {
  const knocking: Socket[] = []
  const seen = { most: 0, passed: 0 }
  const server = createServer((near) => {
    near.on('error', () => {})
    knocking.push(near)
    seen.most = Math.max(seen.most, knocking.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.close()
  })
  return {
    seen,
    knocking,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    letOneIn: () => {
      const near = knocking.shift()!
      const far = connect(to, '127.0.0.1')
      far.on('error', () => {})
      seen.passed += 1
      near.pipe(far)
      far.pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
      return near
    },
  }
}

test('what is no TLS on a kept connection is not held against the receiver', async () => {
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const first = send(sender, door.url)
  await expect.poll(() => door.knocking.length).toBe(1)
  const near = door.letOneIn()
  expect((await first).outcome).toBe('success')
  near.unpipe()
  near.once('data', () => near.write('HTTP/1.1 502 Bad Gateway\r\n\r\n')).resume()
  expect(await send(sender, door.url)).toMatchObject({ outcome: 'connection_closed', statusCode: null })
})

test('a receiver that takes one connection is sent all of a hundred by it, and asked for few more', async () => {
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const sent = Promise.all(Array.from({ length: 100 }, () => send(sender, door.url)))
  await expect.poll(() => door.knocking.length).toBe(OPENING_AT_ONCE)
  door.letOneIn()
  expect(new Set((await sent).map(({ outcome }) => outcome))).toEqual(new Set(['success']))
  expect(door.seen).toEqual({ most: OPENING_AT_ONCE, passed: 1 })
})

test('an answer more than was asked for, in the same moment, is not that of whoever waits', async () => {
  const asked: string[] = []
  const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  // Longer than all that TLS itself says.
  const forged = answer('forged'.repeat(600))
  const receiver = await startReceiver({
    raw: (socket) => {
      socket.on('data', (chunk: Buffer) => {
        asked.push(/POST (\S+)/.exec(chunk.toString())![1]!)
        socket.write(answer('ok'))
        if (asked.length === 1) socket.write(forged)
      })
    },
  })
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const sent = Promise.all([send(sender, `${door.url}1`), send(sender, `${door.url}2`)])
  await expect.poll(() => door.knocking.length).toBe(2)
  const near = door.letOneIn()
  await once(near, 'data')
  await once(near, 'data')
  near.cork()
  await expect.poll(() => near.writableLength).toBeGreaterThan(answer('ok').length + forged.length)
  near.uncork()
  await expect.poll(() => near.destroyed).toBe(true)
  door.letOneIn()
  expect((await sent).map(({ responseBody }) => responseBody?.toString())).toEqual(['ok', 'ok'])
  expect(asked).toEqual(['/1', '/2'])
})

test('a connection that ends with its answer is not asked again, and whoever waits gets the next', async () => {
  const receiver = await startReceiver({
    raw: (socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    },
  })
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const sent = Promise.all([send(sender, door.url), send(sender, door.url)])
  await expect.poll(() => door.knocking.length).toBe(2)
  const near = door.letOneIn()
  await once(near, 'data')
  await once(near, 'data')
  // Until it ends: the answer and the end come as one.
  near.cork()
  await expect.poll(() => sender.counts.inFlight).toBe(1)
  door.letOneIn()
  expect((await sent).map(({ outcome }) => outcome)).toEqual(['success', 'success'])
})

test('one that is asked right after its answer waits for the connection, and opens no other', async () => {
  const { receiver, sender } = await pair()
  const chain = async () => {
    for (let n = 0; n < 20; n += 1) await send(sender, receiver.url)
  }
  await Promise.all(Array.from({ length: 5 }, chain))
  expect(receiver.connections).toBe(5)
})

test('a connection that ended while it was asked whether its request may leave is not kept', async () => {
  let end = () => {}
  const { receiver, sender } = await pair({
    raw: (socket) => {
      end = () => socket.destroy()
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    },
  })
  await send(sender, receiver.url)
  const mayLeave = async () => {
    end()
    await expect.poll(() => sender.counts.openSockets).toBe(0)
    return false
  }
  expect(await sender.attempt(attemptTo(receiver.url, { mayLeave }))).toBe('not_left')
  expect(sender.counts.idleSockets).toBe(0)
  expect((await send(sender, receiver.url)).outcome).toBe('success')
})

test('a connection that comes too late for whoever asked is kept, and one given up is asked for again', async () => {
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender({ deadlineMs: 3_000 })
  closing.push(() => expectClosed(sender))
  const first = send(sender, door.url)
  expect((await first).outcome).toBe('timeout')
  await expect.poll(() => sender.counts.openSockets).toBe(0)
  door.knocking.length = 0
  const two = Promise.all([send(sender, door.url), send(sender, door.url)])
  await expect.poll(() => door.knocking.length).toBe(2)
  door.letOneIn()
  expect((await two).map(({ outcome }) => outcome)).toEqual(['success', 'success'])
  door.letOneIn()
  await expect.poll(() => sender.counts.idleSockets).toBe(2)
  expect(receiver.requests).toHaveLength(2)
})

test('what hangs while it is opened keeps no others from being asked for', async () => {
  const receiver = await startReceiver({
    behaviour: () => ({ status: 200, headers: { connection: 'close' } }),
  })
  closing.push(() => receiver.close())
  const door = await startDoor(receiver.port)
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const sent = Array.from({ length: OPENING_AT_ONCE + 20 }, () => send(sender, door.url))
  await expect.poll(() => door.knocking.length).toBe(OPENING_AT_ONCE)
  door.knocking.length = 0
  const letting = setInterval(() => door.knocking.length > 0 && door.letOneIn(), 5)
  const outcomes = (await Promise.all(sent)).map(({ outcome }) => outcome)
  clearInterval(letting)
  expect(outcomes.filter((outcome) => outcome === 'success').length).toBeGreaterThanOrEqual(20)
})

test('closing waits for what is on the wire', async () => {
  const { promise: told, resolve: answer } = Promise.withResolvers<void>()
  const { receiver, sender } = await pair({ behaviour: () => told.then(() => ({ status: 200 })) })
  const result = send(sender, receiver.url)
  await expect.poll(() => receiver.requests).toHaveLength(1)
  const closed = expectClosed(sender)
  answer()
  await closed
  expect((await result).outcome).toBe('success')
})

test('thousands of misbehaved answers leave no memory behind', async () => {
  const { receiver, sender } = await pair({
    behaviour: (_request, nth) => ({ status: 200, body: Buffer.alloc(nth % 10 === 0 ? 200_000 : 10) }),
  })
  const body = JSON.stringify('x'.repeat(10_000))
  const flood = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await sender.attempt(attemptTo(receiver.url, { body }))
      // The receiver in this process remembers bodies; what is measured is the sender.
    ;(receiver.requests as unknown[]).length = 0
    return process.memoryUsage().rss
  }
  const before = await flood(500)
  expect((await flood(1_500)) - before).toBeLessThan(60_000_000)
})
