import { addressesAt, makeSubscribers, type Subscriber, sampleBody } from './backlog.ts'
import { type BareSender, openBareSender } from './bare-sender.ts'
import { interleave, median, quantile, sharedClock } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { atRate, oneByOne } from './pace.ts'
import type { Receiver } from './receiver.ts'
import { below, type Finding, type Row } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const IDLE_SAMPLES = 40
const IDLE_PAUSE_MS = 25
const RATE = 500
const SECONDS = 5
const CONNECTIONS = 32

export const latency: Row = {
  name: 'latency',
  title: 'from a committed change to the receiver',
  notes: [
    'From the 201 of POST /v1/risks, as the caller has read it, to the whole request at the receiver; the 95th',
    'percentile. Idle is one change at a time; the other is a change at each tick of 500 a second, whether or',
    'not those before are answered. The bare post is signed and sent over a kept connection, from the call to',
    'the receiver, at the same pace.',
  ],
  run: measure,
}

/** Milliseconds, one for each sample. */
type Times = number[]

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const size = { organizations: 2, endpoints: 1 }
  const subscribers = await makeSubscribers(stand, database, size, addressesAt(receiver))
  const service = await stand.service(database)
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)),
  )
  const sender = openBareSender(stand.identity, CONNECTIONS)
  const product = (pace: Pace) => changes({ connections, receiver, subscribers, pace })
  const yardstick = (pace: Pace) => posts({ sender, receiver, pace })

  stand.say('latency: warming up')
  await product(busyPace)
  await yardstick(busyPace)
  stand.say('latency: one at a time')
  const idle = await interleave(
    stand.rounds,
    () => product(idlePace),
    () => yardstick(idlePace),
  )
  stand.say(`latency: ${RATE} a second`)
  const busy = await interleave(
    stand.rounds,
    () => product(busyPace),
    () => yardstick(busyPace),
  )
  for (const connection of connections) connection.close()
  await sender.close()
  await service.stop()
  await receiver.stop()
  return [finding('p95, idle', idle, 100), finding(`p95 at ${RATE}/s`, busy, null)]
}

function finding(
  measure: string,
  { products, yardsticks }: { products: Times[]; yardsticks: Times[] },
  target: number | null,
): Finding {
  const p95 = (rounds: Times[]) => median(rounds.map((times) => quantile(times, 0.95)))
  const [product, yardstick] = [p95(products), p95(yardsticks)]
  return {
    measure,
    unit: 'ms',
    product,
    yardstick,
    yardstickIs: 'bare signed post',
    ratio: product / yardstick,
    target: target === null ? null : below(target),
  }
}

/** How often, and how many beside each other. */
type Pace = (work: (free: number) => Promise<void>) => Promise<void>

const idlePace: Pace = (work) => oneByOne(IDLE_SAMPLES, IDLE_PAUSE_MS, () => work(0))
const busyPace: Pace = (work) => atRate({ aSecond: RATE, seconds: SECONDS, atATime: CONNECTIONS }, work)

interface Scene {
  connections: readonly Connection[]
  receiver: Receiver
  subscribers: readonly Subscriber[]
  pace: Pace
}

async function changes({ connections, receiver, subscribers, pace }: Scene): Promise<Times> {
  const requests = subscribers.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const answered = new Map<string, number>()
  let turn = 0
  await receiver.reset(true)
  await pace(async (free) => {
    const { status, body } = await connections[free]!.send(requests[turn++ % requests.length]!)
    const at = sharedClock()
    if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
    answered.set(JSON.parse(body.toString()).id, at)
  })
  const { arrivals } = await receiver.reaches(answered.size, 60_000)
  return arrivals.map(([subject, at]) => at - answered.get(subject)!)
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
