/** Promise: what is fetched from a place somebody else named is fetched from the public internet, and ends. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type GuardedFetchOptions, openGuardedFetch } from '../server/outbound/guarded-fetch.ts'
import { parseNetwork } from '../server/outbound/network.ts'
import { openTextRecords } from '../server/outbound/text-records.ts'
import { records, startNameServer } from './support/name-server.ts'
import { type ReceiverOptions, startReceiver, testAuthority } from './support/receiver.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function guarded(options: Partial<GuardedFetchOptions> = {}) {
  const opened = openGuardedFetch({
    allowedNetworks: [parseNetwork('127.0.0.0/8')],
    certificateAuthorities: (await testAuthority()).certificate,
    ...options,
  })
  closing.push(() => opened.close())
  return opened.fetch
}

async function place(options: ReceiverOptions) {
  const receiver = await startReceiver(options)
  closing.push(() => receiver.close())
  return receiver
}

test('an answer comes whole, with its status and headers', async () => {
  const there = await place({
    behaviour: ({ body }) => ({
      status: 201,
      headers: { 'content-type': 'application/json', 'x-told': 'yes' },
      body: JSON.stringify({ heard: body }),
    }),
  })
  const fetch = await guarded()
  const answer = await fetch(`${there.url}/token?a=b`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code: 'a b' }),
  })
  expect([answer.status, answer.headers.get('x-told'), await answer.json()]).toEqual([
    201,
    'yes',
    { heard: 'code=a+b' },
  ])
  expect(there.requests[0]).toMatchObject({ method: 'POST', path: '/token?a=b' })
  expect(there.requests[0]?.headers).toMatchObject({
    'accept-encoding': 'identity',
    'user-agent': 'Plumbline/2.0',
  })
})

test('nothing private is dialled: by literal, by name, or by plain http', async () => {
  let visits = 0
  const inside = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(inside, 'listening')
  closing.push(async () => inside.close())
  const { port } = inside.address() as { port: number }
  const names = await startNameServer(
    records({ 'rebound.example.com': ['127.0.0.1'], 'both.example.com': ['93.184.215.14', '10.0.0.1'] }),
  )
  closing.push(() => names.close())
  const fetch = await guarded({ allowedNetworks: [], nameServers: [names.address] })
  const places = [
    `https://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://0x7f000001:${port}/`,
    `https://rebound.example.com:${port}/`,
    `https://both.example.com:${port}/`,
    'https://169.254.169.254/latest/meta-data/',
    `http://127.0.0.1:${port}/`,
    'http://example.com/',
    'file:///etc/passwd',
    'https://me:secret@example.com/',
  ]
  for (const address of places)
    await expect(fetch(address), address).rejects.toMatchObject({ name: 'NotFetched', why: 'not_public' })
  expect(visits).toBe(0)
})

test('a redirect is handed back and not followed', async () => {
  const other = await place({})
  const there = await place({ behaviour: () => ({ status: 302, headers: { location: other.url } }) })
  const answer = await (await guarded())(there.url)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, other.url])
  expect(other.connections).toBe(0)
})

test('an answer that is too large, packed, or never ends costs no more than its limit', async () => {
  const large = await place({ behaviour: () => ({ status: 200, body: 'x'.repeat(1_001) }) })
  const fetch = await guarded()
  await expect(fetch(large.url, { atMost: 1_000 })).rejects.toMatchObject({ why: 'too_large' })
  expect(await (await fetch(large.url, { atMost: 1_001 })).text()).toHaveLength(1_001)

  const packed = gzipSync(Buffer.alloc(1_000_000))
  const bomb = await place({
    behaviour: () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: packed }),
  })
  const answer = await fetch(bomb.url, { atMost: packed.length })
  expect((await answer.arrayBuffer()).byteLength).toBe(packed.length)

  const silent = await place({ raw: () => {} })
  await expect(fetch(silent.url, { withinMs: 100 })).rejects.toMatchObject({ why: 'too_slow' })
  const dripping = await place({
    raw: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      const drip = setInterval(() => socket.write('x'), 10)
      socket.once('close', () => clearInterval(drip))
    },
  })
  await expect(fetch(dripping.url, { withinMs: 200 })).rejects.toMatchObject({ why: 'too_slow' })
})

/**
 * The system refuses a TCP connection to these when it is dialled, without sending a packet. Any address fails in the
 * same way on a machine that has no route to it.
 */
const [BROADCAST, MULTICAST] = ['255.255.255.255', '224.0.0.1']

test.each([[[BROADCAST]], [[BROADCAST, MULTICAST]]])(
  'a name that leads to %j fails while it is dialled',
  async (addresses) => {
    const names = await startNameServer(records({ 'nowhere.example.com': addresses }))
    closing.push(() => names.close())
    const fetch = await guarded({
      allowedNetworks: ['240.0.0.0/4', '224.0.0.0/4'].map(parseNetwork),
      nameServers: [names.address],
    })
    await expect(fetch('https://nowhere.example.com/')).rejects.toMatchObject({
      name: 'NotFetched',
      why: 'unreachable',
      message: expect.stringContaining('ENETUNREACH'),
    })
  },
)

test('only so many are under way at once', async () => {
  const silent = await place({ raw: () => {} })
  const fetch = await guarded({ most: 1 })
  const first = fetch(silent.url, { withinMs: 300 }).catch(({ why }) => why)
  await expect(fetch(silent.url)).rejects.toMatchObject({ why: 'too_many' })
  expect(await first).toBe('too_slow')
  await expect(fetch(silent.url, { withinMs: 50 })).rejects.toMatchObject({ why: 'too_slow' })
})

test('a certificate of somebody else is not taken', async () => {
  const there = await place({ names: ['other.example.com'] })
  await expect((await guarded())(there.url)).rejects.toMatchObject({ why: 'unreachable' })
  await expect((await guarded({ certificateAuthorities: undefined }))(there.url)).rejects.toMatchObject({
    why: 'unreachable',
  })
  expect(there.requests).toEqual([])
})

test('stopping ends what is under way', async () => {
  const silent = await place({ raw: () => {} })
  const opened = openGuardedFetch({
    allowedNetworks: [parseNetwork('127.0.0.0/8')],
    certificateAuthorities: (await testAuthority()).certificate,
  })
  const waiting = opened.fetch(silent.url).catch(({ why }) => why)
  await opened.close()
  expect(await waiting).toBe('unreachable')
})

test('text records are read whole; where there are none, there are none', async () => {
  const names = await startNameServer(({ name, type }) => {
    if (name === 'silent.example.com') return 'SERVFAIL'
    if (type !== 'TXT' || name !== '_plumbline.example.com') return 'NXDOMAIN'
    return [
      { type: 'TXT', name, ttl: 0, data: ['plumbline-', 'domain=one'] },
      { type: 'TXT', name, ttl: 0, data: 'v=spf1 -all' },
    ]
  })
  closing.push(() => names.close())
  const textsOf = openTextRecords([names.address])
  expect((await textsOf('_plumbline.example.com')).sort()).toEqual(['plumbline-domain=one', 'v=spf1 -all'])
  expect(await textsOf('_plumbline.example.org')).toEqual([])
  await expect(textsOf('silent.example.com')).rejects.toMatchObject({
    name: 'NotFetched',
    why: 'unreachable',
  })
})
