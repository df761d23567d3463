import { readFileSync } from 'node:fs'
import { addressesAt, makeSubscribers, putIn, untilWritten } from './backlog.ts'
import { median } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { below, type Finding, type Row, ratioAtMost } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const SIGNALS_EACH = 5_000
const EVERY_MS = 100
const SIZE = { organizations: 2, endpoints: 10 }
const CALLS = Number(process.env.BENCH_CALLS ?? 100_000)
const CONNECTIONS = 16

export const memory: Row = {
  name: 'memory',
  title: `resident memory of one process: ${CALLS.toLocaleString('en')} changes by REST, each sent to ten endpoints; and a backlog`,
  notes: [
    `POST /v1/risks over ${CONNECTIONS} kept connections, 20 endpoints in 2 organizations, until the last is delivered; then, with`,
    'another process, a backlog of 100,000 that falls due at one moment. The peak stands beside what the process held',
    'when it was ready; the last part of the time beside the one before it, where what is kept for each delivery would',
    'show. It leaves out what PostgreSQL holds. BENCH_CALLS makes the calls fewer, and then little can show.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  return [...(await takeCalls(stand)), ...(await drainBacklog(stand))]
}

async function takeCalls(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const subscribers = await makeSubscribers(stand, database, SIZE, addressesAt(receiver))
  const service = await stand.service(database)
  const requests = subscribers.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)),
  )
  await receiver.reset()
  stand.say(`memory: ${CALLS.toLocaleString('en')} changes by REST`)
  const sampled = await sampling(service.pid, async () => {
    let left = CALLS
    await Promise.all(
      connections.map(async (connection, index) => {
        while (left-- > 0) {
          const { status, body } = await connection.send(requests[index % requests.length]!)
          if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
        }
      }),
    )
    await receiver.reaches(CALLS * SIZE.endpoints, 600_000)
    await untilWritten(database)
  })
  for (const connection of connections) connection.close()
  await service.stop()
  await receiver.stop()
  return findingsOf(sampled, { of: 'REST', parts: 4, names: ['last quarter', 'third quarter'], limit: 250 })
}

async function drainBacklog(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const subscribers = await makeSubscribers(stand, database, SIZE, addressesAt(receiver))
  const service = await stand.service(database)
  stand.say('memory: putting 100,000 deliveries in')
  const count = await putIn(database, subscribers, SIGNALS_EACH)
  await receiver.reset()
  stand.say('memory: delivering them')
  const sampled = await sampling(service.pid, async () => {
    await receiver.reaches(count, 600_000)
    await untilWritten(database)
  })
  await service.stop()
  await receiver.stop()
  return findingsOf(sampled, { of: 'backlog', parts: 3, names: ['last third', 'middle third'], limit: 300 })
}

export interface Sampled {
  readonly idle: number
  readonly samples: readonly number[]
}

/** What a process holds while something is done, and held before. */
export async function sampling(pid: number, work: () => Promise<void>): Promise<Sampled> {
  const idle = residentMemoryOf(pid)
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentMemoryOf(pid)), EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return { idle, samples }
}

interface Asked {
  readonly of: string
  /** Of the time, of which the last stands beside the one before it. */
  readonly parts: number
  readonly names: readonly [string, string]
  /** MB. */
  readonly limit: number
}

function findingsOf({ idle, samples }: Sampled, { of, parts, names, limit }: Asked): Finding[] {
  const peak = samples.reduce((most, one) => Math.max(most, one), idle)
  const part = Math.floor(samples.length / parts)
  const before = median(samples.slice((parts - 2) * part, (parts - 1) * part))
  const end = median(samples.slice((parts - 1) * part))
  return [
    {
      measure: `${of}: peak`,
      unit: 'MB',
      product: peak,
      yardstick: idle,
      yardstickIs: 'ready, before the first',
      ratio: peak / idle,
      target: below(limit),
    },
    {
      measure: `${of}: ${names[0]}`,
      unit: 'MB',
      product: end,
      yardstick: before,
      yardstickIs: names[1],
      ratio: end / before,
      target: ratioAtMost(1.1),
    },
  ]
}

/** In MB, as Linux tells; NaN elsewhere. */
export function residentMemoryOf(pid: number): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) / 1024 : Number.NaN
  } catch {
    return Number.NaN
  }
}
