/** Promise: whatever a receiver does, one attempt ends in one outcome, with at most 4 KB kept. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConnectionFailure,
  type Outcome,
  outcomeOfStatus,
  outcomes,
} from '../server/webhooks/outcomes.ts'
import type { Sender } from '../server/webhooks/request.ts'
import { type ReceiverOptions, startReceiver } from './support/receiver.ts'
import { expectClosed, openTestSender, send } from './support/sender.ts'

let sender: Sender
/** For what ends by itself, on a busy machine too. */
let patient: Sender
beforeAll(async () => {
  sender = await openTestSender({ deadlineMs: 2_500 })
  patient = await openTestSender({ deadlineMs: 60_000 })
})
afterAll(() => Promise.all([sender, patient].map(expectClosed)))

const head = 'HTTP/1.1 200 OK\r\n'

/** Answers with bytes of our choosing, once the request has come. */
const raw = (write: (socket: NodeJS.WritableStream & { destroy(): void; resetAndDestroy(): void }) => void) =>
  ({
    raw: (socket) => {
      let begun = false
      socket.on('data', () => {
        if (!begun) write(socket)
        begun = true
      })
    },
  }) satisfies ReceiverOptions

interface Case {
  name: string
  receiver: ReceiverOptions
  outcome: Outcome
  reason?: ConnectionFailure
  status?: number | null
  body?: Buffer | null
  truncated?: boolean
}

const answer = (status: number, headers: Record<string, string> = {}): ReceiverOptions => ({
  behaviour: () => ({ status, headers, body: 'said' }),
})

const cases: Case[] = [
  ...[200, 201, 202, 226, 299].map((status) => ({
    name: `${status}`,
    receiver: answer(status),
    outcome: 'success' as const,
    status,
    body: Buffer.from('said'),
  })),
  {
    name: '204',
    receiver: { behaviour: () => ({ status: 204 }) },
    outcome: 'success',
    status: 204,
    body: null,
  },
  ...(
    [
      [301, 'redirected'],
      [302, 'redirected'],
      [303, 'redirected'],
      [307, 'redirected'],
      [308, 'redirected'],
      [400, 'body_rejected'],
      [422, 'body_rejected'],
      [401, 'refused'],
      [403, 'refused'],
      [404, 'no_handler'],
      [405, 'no_handler'],
      [402, 'other_answer'],
      [410, 'other_answer'],
      [429, 'other_answer'],
      [500, 'receiver_error'],
      [503, 'receiver_error'],
      [599, 'receiver_error'],
      [600, 'other_answer'],
    ] as const
  ).map(([status, outcome]) => ({
    name: `${status}`,
    receiver: answer(status, { location: 'https://127.0.0.1:1/', 'retry-after': '1' }),
    outcome,
    status,
    body: Buffer.from('said'),
  })),
  {
    name: 'silence',
    receiver: raw(() => {}),
    outcome: 'timeout',
    status: null,
    body: null,
  },
  {
    name: 'headers, then silence',
    receiver: raw((socket) => socket.write(`${head}content-length: 10\r\n\r\nhalf`)),
    outcome: 'success',
    status: 200,
    body: Buffer.from('half'),
    truncated: true,
  },
  {
    name: 'headers of an error, then silence',
    receiver: raw((socket) => socket.write('HTTP/1.1 500 No\r\ncontent-length: 10\r\n\r\n')),
    outcome: 'receiver_error',
    status: 500,
    body: null,
    truncated: true,
  },
  {
    name: 'half the headers, then silence',
    receiver: raw((socket) => socket.write(`${head}content-`)),
    outcome: 'timeout',
    status: null,
  },
  {
    name: 'headers a byte at a time, without end',
    receiver: raw((socket) => {
      const timer = setInterval(() => (socket.writable ? socket.write('x') : clearInterval(timer)), 20)
      socket.write(`${head}x-slow: `)
    }),
    outcome: 'timeout',
    status: null,
  },
  {
    name: 'an endless body',
    receiver: raw((socket) => {
      const pour = () => {
        while (socket.writable && socket.write(Buffer.alloc(65_536, 'a')));
      }
      socket.on('drain', pour)
      socket.write(`${head}\r\n`)
      pour()
    }),
    outcome: 'success',
    status: 200,
    body: Buffer.alloc(4_096, 'a'),
    truncated: true,
  },
  {
    name: 'a body of 4,096 bytes',
    receiver: { behaviour: () => ({ status: 200, body: Buffer.alloc(4_096, 'a') }) },
    outcome: 'success',
    body: Buffer.alloc(4_096, 'a'),
  },
  {
    name: 'a body of 4,097 bytes',
    receiver: { behaviour: () => ({ status: 200, body: Buffer.alloc(4_097, 'a') }) },
    outcome: 'success',
    body: Buffer.alloc(4_096, 'a'),
    truncated: true,
  },
  {
    name: 'a body in many pieces',
    receiver: raw((socket) => {
      socket.write(`${head}content-length: 5000\r\n\r\n`)
      // Each piece asks for the next: fifty timers of their own do not keep their order on a busy machine.
      const send = (sent: number) => {
        socket.write(Buffer.alloc(100, 97 + (sent % 26)))
        if (sent < 49) setTimeout(send, 1, sent + 1)
      }
      send(0)
    }),
    outcome: 'success',
    body: Buffer.concat(
      Array.from({ length: 41 }, (_, sent) => Buffer.alloc(100, 97 + (sent % 26))),
    ).subarray(0, 4_096),
    truncated: true,
  },
  {
    name: 'a gzip bomb, kept as it came',
    receiver: {
      behaviour: () => ({
        status: 200,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(2_000_000)),
      }),
    },
    outcome: 'success',
    body: gzipSync(Buffer.alloc(2_000_000)),
  },
  {
    name: 'NUL and invalid UTF-8, kept as they came',
    receiver: {
      behaviour: () => ({ status: 200, body: Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28, 0, 0xed, 0xa0]) }),
    },
    outcome: 'success',
    body: Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28, 0, 0xed, 0xa0]),
  },
  {
    name: 'some 1xx answers, then 200',
    receiver: raw((socket) =>
      socket.write(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${head}content-length: 2\r\n\r\nok`,
      ),
    ),
    outcome: 'success',
    body: Buffer.from('ok'),
  },
  {
    name: 'a 100 a byte at a time, then 404',
    receiver: raw((socket) => {
      const bytes = [...'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n']
      const timer = setInterval(
        () => (bytes.length > 0 ? socket.write(bytes.shift()!) : clearInterval(timer)),
        2,
      )
    }),
    outcome: 'no_handler',
    status: 404,
  },
  {
    name: 'a flood of 1xx',
    receiver: raw((socket) => {
      const timer = setInterval(
        () =>
          socket.writable ? socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)) : clearInterval(timer),
        1,
      )
    }),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: '1xx answers until the deadline',
    receiver: raw((socket) => {
      const timer = setInterval(
        () => (socket.writable ? socket.write('HTTP/1.1 102 Processing\r\n\r\n') : clearInterval(timer)),
        50,
      )
    }),
    outcome: 'timeout',
    status: null,
  },
  {
    name: 'a 1xx without end',
    receiver: raw((socket) => {
      socket.write('HTTP/1.1 103 Hints\r\nlink: ')
      const pour = () => {
        while (socket.writable && socket.write('x'.repeat(10_000)));
      }
      socket.on('drain', pour)
      pour()
    }),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: '101 nobody asked for',
    receiver: raw((socket) =>
      socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: '64 KB of headers',
    receiver: raw((socket) => socket.write(`${head}x: ${'y'.repeat(65_536)}\r\n\r\n`)),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: 'two thousand headers',
    receiver: raw((socket) => socket.write(`${head}${'x-many: 0123456789\r\n'.repeat(2_000)}\r\n`)),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: 'no HTTP at all',
    receiver: raw((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: 'two lengths (smuggling)',
    receiver: raw((socket) =>
      socket.write(`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok`),
    ),
    outcome: 'could_not_connect',
    reason: 'protocol',
    status: null,
  },
  {
    name: 'a reset after accept',
    receiver: { bare: (socket) => socket.resetAndDestroy() },
    outcome: 'could_not_connect',
    reason: 'reset',
    status: null,
  },
  {
    name: 'a reset in the TLS handshake',
    receiver: { bare: (socket) => socket.once('data', () => socket.resetAndDestroy()) },
    outcome: 'could_not_connect',
    reason: 'reset',
    status: null,
  },
  {
    name: 'a TLS handshake that stalls',
    receiver: { bare: (socket) => socket.resume() },
    outcome: 'timeout',
    status: null,
  },
  {
    name: 'bare HTTP on the port',
    receiver: { bare: (socket) => socket.once('data', () => socket.end(`${head}content-length: 0\r\n\r\n`)) },
    outcome: 'could_not_connect',
    reason: 'tls',
    status: null,
  },
  {
    name: 'a close right after TLS',
    receiver: { raw: (socket) => socket.end() },
    outcome: 'could_not_connect',
    reason: 'reset',
    status: null,
  },
  {
    name: 'a reset after the request',
    receiver: raw((socket) => socket.destroy()),
    outcome: 'could_not_connect',
    reason: 'reset',
    status: null,
  },
  {
    name: 'a close within the headers',
    receiver: raw((socket) => {
      socket.write(`${head}content-`)
      socket.end()
    }),
    outcome: 'could_not_connect',
    reason: 'reset',
    status: null,
  },
  {
    name: 'a close within the body',
    receiver: raw((socket) => {
      socket.write(`${head}content-length: 10\r\n\r\nhalf`)
      socket.end()
    }),
    outcome: 'success',
    status: 200,
    body: Buffer.from('half'),
    truncated: true,
  },
  {
    name: 'a body that ends with the connection',
    receiver: raw((socket) => {
      socket.write(`${head}connection: close\r\n\r\nall of it`)
      socket.end()
    }),
    outcome: 'success',
    status: 200,
    body: Buffer.from('all of it'),
  },
]

test.concurrent.each(cases)(
  '$name',
  async ({ receiver: options, outcome, reason = null, status, body, truncated = false }) => {
    const receiver = await startReceiver(options)
    try {
      const meetsDeadline = outcome === 'timeout' || truncated
      const result = await send(meetsDeadline ? sender : patient, `${receiver.url}/hook`)
      expect(result).toMatchObject({ outcome, reason, responseTruncated: truncated })
      if (status !== undefined) expect(result.statusCode).toBe(status)
      if (body !== undefined) expect(result.responseBody).toEqual(body)
      expect(result.responseBody?.length ?? 0).toBeLessThanOrEqual(4_096)
      expect(receiver.connections).toBe(1)
    } finally {
      await receiver.close()
    }
  },
)

test('nobody listens', async () => {
  const receiver = await startReceiver()
  await receiver.close()
  expect(await send(sender, receiver.url)).toMatchObject({
    outcome: 'could_not_connect',
    reason: 'refused',
    statusCode: null,
  })
})

test('no such name', async () => {
  expect(await send(sender, 'https://receiver.invalid/')).toMatchObject({
    outcome: 'could_not_connect',
    reason: 'name_not_found',
  })
})

test('a redirect is not followed, not even home', async () => {
  const elsewhere = await startReceiver()
  const receiver = await startReceiver(answer(302, { location: `${elsewhere.url}/final` }))
  expect(await send(sender, receiver.url)).toMatchObject({ outcome: 'redirected', statusCode: 302 })
  expect(elsewhere.connections).toBe(0)
  await receiver.close()
  await elsewhere.close()
})

test('every outcome explains itself, and two are never counted', () => {
  for (const words of Object.values(outcomes)) {
    expect(words.meaning).toMatch(/^[A-Z].*\.$/)
    expect(words.likelyCause).toMatch(/^[A-Z].*\.$/)
  }
  const uncounted = Object.entries(outcomes).filter(([, { counted }]) => !counted)
  expect(uncounted.map(([name]) => name)).toEqual(['connection_closed', 'interrupted'])
  expect(Object.values(outcomes).filter(({ failure }) => !failure)).toEqual([outcomes.success])
})

test('every status has an outcome', () => {
  for (let status = 200; status <= 999; status += 1) expect(outcomes[outcomeOfStatus(status)]).toBeDefined()
})
