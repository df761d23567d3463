import { addressesAt, makeSubscribers, type Subscriber, sampleBody } from './backlog.ts'
import { type BareSender, openBareSender } from './bare-sender.ts'
import { compare, interleave, quantile, sharedClock } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { atRate, oneByOne } from './pace.ts'
import type { Receiver } from './receiver.ts'
import { type Finding, type Row, ratioAtMost } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const IDLE_SAMPLES = 40
const IDLE_PAUSE_MS = 25
const ENDPOINTS = 10
const CHANGES = 50
const SECONDS = 5
const CONNECTIONS = 32

export const latency: Row = {
  name: 'latency',
  title: 'from a committed change to the receiver',
  notes: [
    'To the whole request at the receiver; the 95th percentile. Idle is one change at a time, for one endpoint, from the',
    '201 of POST /v1/risks as the caller has read it: below nothing where the receiver was sooner. The bare post is signed',
    'and sent over a kept connection at the same pace: it leaves out everything but the way. The other is a change at each',
    `tick of ${CHANGES} a second with ${ENDPOINTS} endpoints each, whether or not those before are answered: from the call, as there for one.`,
  ],
  run: measure,
}

/** Milliseconds, one for each sample. */
type Times = number[]

/** Of each arrival: since its change was asked for, and since that was answered. */
interface Ways {
  readonly sinceCall: Times
  readonly sinceAnswer: Times
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const subscribed = (endpoints: number) =>
    makeSubscribers(stand, database, { organizations: 2, endpoints }, addressesAt(receiver))
  const narrow = await subscribed(1)
  const wide = await subscribed(ENDPOINTS)
  const service = await stand.service(database)
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)),
  )
  const sender = openBareSender(stand.identity, CONNECTIONS)
  const p95 = (times: Times) => quantile(times, 0.95)
  const idle = async () =>
    changes({ connections, receiver, subscribers: narrow, endpoints: 1, pace: idlePace })
  const busy = async () =>
    changes({ connections, receiver, subscribers: wide, endpoints: ENDPOINTS, pace: busyPace })
  const bare = async () => p95(await posts({ sender, receiver, pace: idlePace }))

  stand.say('latency: warming up')
  for (const once of [busy, idle, bare]) await once()
  stand.say('latency: one at a time')
  const calm = await interleave(stand.rounds, async () => p95((await idle()).sinceAnswer), bare)
  const rate = CHANGES * ENDPOINTS
  stand.say(`latency: ${rate} a second`)
  const loaded = await interleave(
    stand.rounds,
    async () => p95((await busy()).sinceCall),
    async () => p95((await idle()).sinceCall),
  )
  for (const connection of connections) connection.close()
  await sender.close()
  await service.stop()
  await receiver.stop()
  return [
    {
      measure: 'p95, idle',
      unit: 'ms',
      ...compare(calm.products, calm.yardsticks),
      yardstickIs: 'bare signed post',
      target: ratioAtMost(2),
    },
    {
      measure: `p95 at ${rate}/s`,
      unit: 'ms',
      ...compare(loaded.products, loaded.yardsticks),
      yardstickIs: 'idle',
      target: ratioAtMost(4),
    },
  ]
}

/** How often, and how many beside each other. */
type Pace = (work: (free: number) => Promise<void>) => Promise<void>

const idlePace: Pace = (work) => oneByOne(IDLE_SAMPLES, IDLE_PAUSE_MS, () => work(0))
const busyPace: Pace = (work) => atRate({ aSecond: CHANGES, seconds: SECONDS, atATime: CONNECTIONS }, work)

interface Scene {
  connections: readonly Connection[]
  receiver: Receiver
  subscribers: readonly Subscriber[]
  /** Of each. */
  endpoints: number
  pace: Pace
}

async function changes({ connections, receiver, subscribers, endpoints, pace }: Scene): Promise<Ways> {
  const requests = subscribers.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const made = new Map<string, { calledAt: number; answeredAt: number }>()
  let turn = 0
  await receiver.reset(true)
  await pace(async (free) => {
    const calledAt = sharedClock()
    const { status, body } = await connections[free]!.send(requests[turn++ % requests.length]!)
    const answeredAt = sharedClock()
    if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
    made.set(JSON.parse(body.toString()).id, { calledAt, answeredAt })
  })
  const { arrivals } = await receiver.reaches(made.size * endpoints, 60_000)
  return {
    sinceCall: arrivals.map(([subject, at]) => at - made.get(subject)!.calledAt),
    sinceAnswer: arrivals.map(([subject, at]) => at - made.get(subject)!.answeredAt),
  }
}

async function posts({ sender, receiver, pace }: { sender: BareSender; receiver: Receiver; pace: Pace }) {
  const sample = sampleBody()
  const known = /"subject":\{"type":"risk","id":"(\w+)"/.exec(sample)![1]!
  const sent: number[] = []
  await receiver.reset(true)
  await pace(async () => {
    const number = sent.length
    const body = sample.replace(known, `risk_${number}`)
    sent.push(sharedClock())
    await sender.post(`${receiver.origin}/bare`, body)
  })
  const { arrivals } = await receiver.reaches(sent.length, 60_000)
  return arrivals.map(([subject, at]) => at - sent[Number(subject.replace('risk_', ''))]!)
}
