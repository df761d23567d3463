/** Promise: nothing private is ever dialled, by literal, by name, or by an answer that changes. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Answer } from 'dns-packet'
import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openConnector } from '../server/outbound/connector.ts'
import { parseNetwork } from '../server/outbound/network.ts'
import { openResolver } from '../server/outbound/resolver.ts'
import type { Sender, SenderOptions } from '../server/webhooks/request.ts'
import { type NameServer, records, startNameServer } from './support/name-server.ts'
import { startReceiver } from './support/receiver.ts'
import { attemptTo, expectClosed, openTestSender, send } from './support/sender.ts'

/** What stands inside: a port on every loopback address, counting who comes. */
let inside: Server
let port: number
let visits = 0

beforeAll(async () => {
  inside = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  inside.listen(0, '::')
  await once(inside, 'listening')
  port = (inside.address() as { port: number }).port
})
afterAll(() => inside.close())

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  expect(visits).toBe(0)
})

async function senderWith(options: SenderOptions): Promise<Sender> {
  const sender = await openTestSender({ allowedNetworks: [], ...options })
  closing.push(() => expectClosed(sender))
  return sender
}

async function named(reply: Parameters<typeof startNameServer>[0]): Promise<NameServer> {
  const server = await startNameServer(reply)
  closing.push(() => server.close())
  return server
}

const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 0, data })

test.each([
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'localhost.',
  'a.localhost',
])('by literal or by name: %s', async (host) => {
  const sender = await senderWith({})
  const result = await send(sender, `https://${host}:${port}/`)
  expect(result).toMatchObject({
    outcome: 'address_not_public',
    durationMs: 0,
    statusCode: null,
    responseBody: null,
  })
})

test('a refusal at an open port and at a closed one look alike', async () => {
  const names = await named(records({ 'open.test': ['127.0.0.1'], 'closed.test': ['127.0.0.1'] }))
  const sender = await senderWith({ nameServers: [names.address] })
  const shown = async (address: string) => {
    const { headers: _sent, sentAt: _when, operatorDetail: _ours, ...rest } = await send(sender, address)
    return rest
  }
  const open = await shown(`https://open.test:${port}/`)
  expect(await shown('https://closed.test:1/')).toEqual(open)
  expect(await shown('https://127.0.0.1:1/')).toEqual(open)
  expect(JSON.stringify(open)).not.toContain('127')
})

test('by a name with one inner answer beside a public one', async () => {
  const names = await named(
    records({
      'mixed.test': ['8.8.8.8', '127.0.0.1'],
      'families.test': ['8.8.8.8', '::1'],
      'six.test': ['::ffff:7f00:1'],
    }),
  )
  const sender = await senderWith({ nameServers: [names.address] })
  for (const name of ['mixed.test', 'families.test', 'six.test']) {
    expect(await send(sender, `https://${name}:${port}/`)).toMatchObject({ outcome: 'address_not_public' })
  }
})

test('by a chain of CNAMEs that ends inside', async () => {
  const names = await named(({ name, type }) =>
    type === 'A'
      ? [
          { type: 'CNAME', name, ttl: 0, data: 'one.test' },
          { type: 'CNAME', name: 'one.test', ttl: 0, data: 'two.test' },
          a('two.test', '127.0.0.1'),
        ]
      : [],
  )
  const sender = await senderWith({ nameServers: [names.address] })
  expect(await send(sender, `https://chain.test:${port}/`)).toMatchObject({ outcome: 'address_not_public' })
})

test('by a slow answer', async () => {
  const names = await named(async ({ name, type }) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return type === 'A' ? [a(name, '127.0.0.1')] : []
  })
  const sender = await senderWith({ nameServers: [names.address] })
  expect(await send(sender, `https://slow.test:${port}/`)).toMatchObject({ outcome: 'address_not_public' })
})

test.skipIf(process.platform !== 'linux')('by an answer that changes after the check (TTL 0)', async () => {
  // Outside at the first question, inside at the next: whoever asks twice dials inside. Both answer at one port, and
  // an allowed network plays the outside.
  const receiver = await startReceiver({ names: ['rebind.test'] })
  closing.push(() => receiver.close())
  const trap = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(receiver.port, '127.0.0.2')
  await once(trap, 'listening')
  closing.push(async () => void trap.close())
  let asked = 0
  const names = await named(({ name, type }) => {
    if (type !== 'A') return []
    asked += 1
    return [a(name, asked % 2 === 1 ? '127.0.0.1' : '127.0.0.2')]
  })
  const sender = await senderWith({
    nameServers: [names.address],
    allowedNetworks: [parseNetwork('127.0.0.1')],
  })
  const tries = 300
  const outcomes = []
  for (let n = 0; n < tries; n += 1) {
    outcomes.push((await send(sender, `https://rebind.test:${receiver.port}/`, { fresh: true })).outcome)
  }
  const turns = ['success', 'address_not_public']
  expect(outcomes).toEqual(Array.from({ length: tries }, (_, n) => turns[n % 2]))
  expect(asked).toBe(tries)
})

test('by a socket that arrives elsewhere than vetted: not a byte is written', async () => {
  let bytes = 0
  const receiver = await startReceiver({
    bare: (socket) => socket.on('data', (chunk) => (bytes += chunk.length)),
  })
  closing.push(() => receiver.close())
  const sender = await senderWith({ allowedNetworks: [parseNetwork('127.0.0.1')] })
  Object.defineProperty(TLSSocket.prototype, 'remoteAddress', { configurable: true, get: () => '127.0.0.2' })
  try {
    expect(await send(sender, receiver.url)).toMatchObject({ outcome: 'address_not_public', durationMs: 0 })
  } finally {
    Reflect.deleteProperty(TLSSocket.prototype, 'remoteAddress')
  }
  expect(receiver.connections).toBe(1)
  expect(bytes).toBe(0)
})

test('by another caller of the connector, in any protocol', async () => {
  const names = await named(records({ 'inside.test': ['127.0.0.1'] }))
  const connector = openConnector({
    allowedNetworks: [],
    resolver: openResolver({ nameServers: [names.address] }),
  })
  const dispatcher = new Agent({
    connect: (target, callback) => void connector.dial(target, callback),
    allowH2: false,
  })
  for (const address of [
    `https://inside.test:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}`,
  ]) {
    await expect(request(address, { dispatcher })).rejects.toMatchObject({
      name: 'NotDialled',
      why: 'not_public',
    })
  }
  await dispatcher.close()
})

test('no proxy of the environment is asked', async () => {
  const proxy = await startReceiver({ bare: (socket) => void socket.end() })
  closing.push(() => proxy.close())
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  const sender = await senderWith({ allowedNetworks: [parseNetwork('127.0.0.0/8')] })
  expect(await send(sender, receiver.url)).toMatchObject({ outcome: 'success' })
  expect(proxy.connections).toBe(0)
  vi.unstubAllEnvs()
})

describe('a network the operator opened', () => {
  test('lets an inner name through when all it resolves to lies in it', async () => {
    const receiver = await startReceiver({ names: ['db.internal', 'receiver', 'localhost'] })
    closing.push(() => receiver.close())
    const names = await named(
      records({
        'db.internal': ['127.0.0.1'],
        receiver: ['127.0.0.1'],
        'half.internal': ['127.0.0.1', '8.8.8.8'],
      }),
    )
    const sender = await senderWith({
      nameServers: [names.address],
      allowedNetworks: [parseNetwork('127.0.0.0/8')],
    })
    for (const host of ['db.internal', 'receiver', 'localhost']) {
      expect(await send(sender, `https://${host}:${receiver.port}/`)).toMatchObject({ outcome: 'success' })
    }
    expect(await send(sender, `https://half.internal:${port}/`)).toMatchObject({
      outcome: 'address_not_public',
    })
  })

  test('opens nothing beside it', async () => {
    const sender = await senderWith({ allowedNetworks: [parseNetwork('127.0.0.2')] })
    for (const host of ['127.0.0.1', '127.0.0.3', '[::1]', '[::ffff:127.0.0.2]', 'localhost']) {
      expect(await send(sender, `https://${host}:${port}/`)).toMatchObject({ outcome: 'address_not_public' })
    }
  })
})

describe('at registration', () => {
  test('form and answers are judged; what does not resolve now is taken', async () => {
    const names = await named(
      records({ 'inside.test': ['10.0.0.1'], 'public.test': ['8.8.8.8'], 'db.internal': ['8.8.8.8'] }),
    )
    const sender = await senderWith({ nameServers: [names.address] })
    expect(await sender.vet('http://public.test/')).toEqual({
      ok: false,
      problem: 'does not begin with https://',
    })
    expect(await sender.vet('https://public.test/')).toEqual({ ok: true, resolved: true })
    expect(await sender.vet('https://unknown.test/')).toEqual({ ok: true, resolved: false })
    const problem = 'is not a public https address; use a public one'
    for (const host of ['inside.test', 'db.internal', '10.0.0.1', 'localhost']) {
      expect(await sender.vet(`https://${host}/`)).toEqual({ ok: false, problem })
    }
  })
})

describe('which inner names there are', () => {
  /** By their form inner names; what the name server says of them differs. */
  const classes = {
    'allowed.internal': ['127.0.0.1'],
    'private.internal': ['10.0.0.1'],
    'mixed.internal': ['127.0.0.1', '10.0.0.1'],
    'public.internal': ['8.8.8.8'],
    'empty.internal': [],
    intranet: ['10.0.0.1'],
  }
  const absent = [
    'absent.internal',
    'absent',
    'absent.local',
    'absent.home.arpa',
    'failing.internal',
    'slow.local',
  ]
  const server = () =>
    named(async (question) => {
      if (question.name.startsWith('failing')) return 'SERVFAIL'
      if (question.name.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 200))
      return records(classes)(question)
    })

  test('is asked of nobody where no network is allowed, and all are refused in the same words', async () => {
    const names = await server()
    const sender = await senderWith({ nameServers: [names.address] })
    for (const host of [...Object.keys(classes), ...absent]) {
      expect(await sender.vet(`https://${host}/`), host).toEqual({
        ok: false,
        problem: 'is not a public https address; use a public one',
      })
      expect(await send(sender, `https://${host}/`), host).toMatchObject({
        outcome: 'address_not_public',
        durationMs: 0,
      })
    }
    expect(names.questions).toEqual([])
  })

  test('is told neither by words nor by time where one is: a refusal comes when the slowest would', async () => {
    const names = await server()
    const sender = await senderWith({
      nameServers: [names.address],
      allowedNetworks: [parseNetwork('127.0.0.0/8')],
      innerNameRefusedAfterMs: 1_000,
    })
    const hosts = ['slow.local', ...Object.keys(classes), ...absent.filter((host) => host !== 'slow.local')]
    const told: string[] = []
    const verdicts = await Promise.all(
      hosts.map(async (host) => {
        const verdict = await sender.vet(`https://${host}/`)
        told.push(host)
        return [host, verdict]
      }),
    )
    const refusal = { ok: false, problem: 'is not a public https address; use a public one' }
    expect(Object.fromEntries(verdicts)).toEqual({
      ...Object.fromEntries(hosts.map((host) => [host, refusal])),
      'allowed.internal': { ok: true, resolved: true },
    })
    // In the order in which they were asked for, whatever their name server took.
    const refused = (host: string) => host !== 'allowed.internal'
    expect(told.filter(refused)).toEqual(hosts.filter(refused))
  })

  test('is not told by an attempt either', async () => {
    const names = await server()
    const sender = await senderWith({
      nameServers: [names.address],
      allowedNetworks: [parseNetwork('127.0.0.2')],
    })
    const shown = []
    for (const host of ['private.internal', 'absent.internal', 'empty.internal', 'intranet', 'absent']) {
      const {
        headers: _sent,
        sentAt: _when,
        operatorDetail: _ours,
        ...rest
      } = await send(sender, `https://${host}/`)
      shown.push(rest)
    }
    expect(shown[0]).toMatchObject({ outcome: 'address_not_public', durationMs: 0 })
    for (const one of shown) expect(one).toEqual(shown[0])
  })
})

test('a sender that is closed takes nothing more', async () => {
  const sender = await senderWith({})
  await sender.close()
  expect(await sender.attempt(attemptTo('https://example.com/'))).toMatchObject({ fault: 'closed' })
})
