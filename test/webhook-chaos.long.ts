import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import type { AttemptResult } from '../server/webhooks/request.ts'
import { startReceiver } from './support/receiver.ts'
import { attemptTo, expectClosed, openTestSender } from './support/sender.ts'

/*
 * Promise: of a receiver that answers, breaks off, lies about lengths and forges as it likes, each attempt has one outcome
 * in its time, no answer is read as that of another request, and none is asked twice at once on a connection.
 */

const SEED = Number(process.env.SEED ?? Date.now() % 1e9)
const SENDERS = 40
const ATTEMPTS_EACH = 60
const DEADLINE_MS = 700
/** A busy machine looks at the deadline late. */
const LATE_MS = 10_000

/** Of a seed that is told, so that what it found can be found again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const FORGED = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'
const OK = 'HTTP/1.1 200 OK\r\n'
const counted = (id: string) => `${OK}content-length: ${id.length}\r\n\r\n${id}`
const chunked = (id: string) =>
  `${OK}transfer-encoding: chunked\r\n\r\n${id.length.toString(16)};a=b\r\n${id}\r\n0\r\nx: y\r\n\r\n`

/** What is answered with the id of the delivery that it answers, or with less, or with more. */
const ANSWERS: readonly ((socket: TLSSocket, id: string, random: (below: number) => number) => void)[] = [
  (socket, id) => socket.write(counted(id)),
  (socket, id) => socket.write(chunked(id)),
  (socket, id) => socket.write(counted(id) + FORGED),
  (socket, id) => socket.write(chunked(id).replace('0\r\nx', `0\r\n${FORGED}`)),
  (socket) => socket.write(`HTTP/1.1 204 No Content\r\ncontent-length: 6\r\n\r\nforged`),
  (socket) => socket.write(`HTTP/1.1 304 Not Modified\r\n\r\n${FORGED}`),
  (socket, id) => socket.write(`${OK}content-length: ${id.length - 1}\r\n\r\n${id}`),
  (socket) => socket.write(`${OK}content-length: 90000\r\n\r\n${'z'.repeat(90_000)}`),
  (socket, id, random) => socket.write('HTTP/1.1 103 Hints\r\n\r\n'.repeat(random(80)) + counted(id)),
  (socket, id) => socket.end(counted(id)),
  (socket, id) => socket.write(counted(id)) && socket.destroy(),
  (socket, id, random) => {
    socket.write(counted(id).slice(0, random(counted(id).length)))
    socket.destroy()
  },
  (socket, id) => {
    const bytes = [...chunked(id)]
    const next = () => {
      if (socket.writable && bytes.length > 0) socket.write(bytes.shift()!, next)
    }
    next()
  },
  (socket) => socket.destroy(),
  (socket) => socket.end(),
  () => {},
]

test(`each answer is its own request’s, with the seed ${SEED}`, async () => {
  const random = randomOf(SEED)
  const twice: string[] = []
  const receiver = await startReceiver({
    raw: (socket) => {
      let read = ''
      socket.on('data', (bytes: Buffer) => {
        read += bytes.toString('latin1')
        const head = /^POST [\s\S]*?webhook-id: (\S+)[\s\S]*?content-length: (\d+)\r\n\r\n/.exec(read)
        if (!head || read.length < head[0].length + Number(head[2])) return
        const id = head[1]!
        if (read.length > head[0].length + Number(head[2])) twice.push(id)
        read = ''
        ANSWERS[random(ANSWERS.length)]!(socket, id, random)
      })
    },
  })
  const sender = await openTestSender({ deadlineMs: DEADLINE_MS, maxSockets: 60, keepAliveMs: 200 })
  const wrong: string[] = []
  const outcomes = new Set<string>()

  async function attempt(): Promise<void> {
    const which = random(10)
    const asked = attemptTo(receiver.url, {
      fresh: which === 0,
      ...(which === 1 ? { mayLeave: () => sleep(random(300)).then(() => random(2) === 0) } : {}),
      ...(which === 2 ? { body: JSON.stringify('b'.repeat(300_000)) } : {}),
    })
    const begun = performance.now()
    const result = await sender.attempt(asked)
    if (performance.now() - begun > LATE_MS) wrong.push(`${asked.id}: late`)
    if (result === 'not_left') return
    if ('fault' in result) wrong.push(`${asked.id}: ${result.fault}`)
    else wrong.push(...wrongIn(result, asked.id).map((what) => `${asked.id}: ${what}`))
    if ('outcome' in result) outcomes.add(result.outcome)
  }

  const all = Array.from({ length: SENDERS }, async () => {
    for (let n = 0; n < ATTEMPTS_EACH; n++) await attempt()
  })
  await Promise.all(all)
  await expectClosed(sender)
  await receiver.close()
  expect({ wrong, twice }).toEqual({ wrong: [], twice: [] })
  expect([...outcomes].toSorted()).toEqual([
    'connection_closed',
    'could_not_connect',
    'redirected',
    'success',
    'timeout',
  ])
})

function wrongIn({ responseBody }: AttemptResult, id: string): string[] {
  const body = responseBody?.toString('latin1') ?? ''
  if (body.length > 4_096) return ['more than 4 KB']
  if (body.includes('forged')) return ['a forged body']
  return /^z*$/.test(body) || id.startsWith(body) ? [] : [`the body ${body}`]
}
