/** Promise: an answer within ten seconds counts, one after does not, and only headers must be in time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AttemptResult, Sender } from '../server/webhooks/request.ts'
import { records, startNameServer } from './support/name-server.ts'
import { type ReceiverOptions, startReceiver } from './support/receiver.ts'
import { expectClosed, openTestSender, send } from './support/sender.ts'

let sender: Sender
beforeAll(async () => {
  sender = await openTestSender()
})
afterAll(() => expectClosed(sender))

async function attempt(options: ReceiverOptions, from = sender, host?: string): Promise<AttemptResult> {
  const receiver = await startReceiver({ names: ['127.0.0.1', 'slow.test'], ...options })
  try {
    return await send(from, host ? `https://${host}:${receiver.port}/` : receiver.url)
  } finally {
    await receiver.close()
  }
}

const after = (ms: number): ReceiverOptions => ({
  behaviour: () => new Promise((resolve) => setTimeout(resolve, ms, { status: 200, body: 'late' })),
})

/** The connection stands before the time is taken: a tenth of a second must not go into a first handshake. */
async function warm(ms: number): Promise<AttemptResult> {
  const receiver = await startReceiver({
    behaviour: (request, nth) => (nth === 1 ? { status: 200 } : after(ms).behaviour!(request, nth)),
  })
  await send(sender, receiver.url)
  try {
    return await send(sender, receiver.url)
  } finally {
    await receiver.close()
  }
}

// On a real clock a busy machine may lose a tenth of a second: these two may try again.
test.concurrent('at 9.9 seconds: a success', { retry: 2 }, async () => {
  const result = await warm(9_900)
  expect(result).toMatchObject({ outcome: 'success', statusCode: 200, responseBody: Buffer.from('late') })
  expect(result.durationMs).toBeGreaterThanOrEqual(9_890)
})

test.concurrent('at 10.1 seconds: a timeout', { retry: 2 }, async () => {
  expect(await warm(10_100)).toMatchObject({ outcome: 'timeout', statusCode: null, responseBody: null })
})

test.concurrent('name resolution is part of the ten seconds', async () => {
  const table = records({ 'slow.test': ['127.0.0.1'] })
  const lost = new Set<string>()
  // The first question of each type is lost, and asked again after a second; so the name alone takes almost two.
  const names = await startNameServer(async (question) => {
    const isFirst = !lost.has(question.type)
    lost.add(question.type)
    if (isFirst) return 'silent'
    await new Promise((resolve) => setTimeout(resolve, 800))
    return table(question)
  })
  const slow = await openTestSender({ nameServers: [names.address] })
  expect(await attempt(after(9_400), slow, 'slow.test')).toMatchObject({ outcome: 'timeout' })
  await expectClosed(slow)
  await names.close()
})

test.concurrent('a body a byte a second is read for what is left, and takes nothing back', async () => {
  const result = await attempt({
    raw: (socket) => {
      let timer: NodeJS.Timeout
      socket.once('close', () => clearInterval(timer))
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        timer = setInterval(() => socket.write('x'), 1_000)
      })
    },
  })
  expect(result).toMatchObject({ outcome: 'success', statusCode: 200, responseTruncated: true })
  expect(result.responseBody?.toString()).toMatch(/^x{8,10}$/)
})

test.concurrent('each of many at once has its own deadline', async () => {
  const quick = await openTestSender({ deadlineMs: 6_000 })
  const receiver = await startReceiver({
    behaviour: ({ path }) => (path === '/answers' ? { status: 200 } : new Promise(() => {})),
  })
  const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 'answers' : 'hangs'))
  const results = await Promise.all(paths.map((path) => send(quick, `${receiver.url}/${path}`)))
  expect(results.map(({ outcome }) => outcome)).toEqual(
    paths.map((path) => (path === 'answers' ? 'success' : 'timeout')),
  )
  await expectClosed(quick)
  await receiver.close()
})
