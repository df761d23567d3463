import { addressesAt, makeSubscribers, putIn, type Subscriber } from './backlog.ts'
import { compare, interleave, quantile, sharedClock } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { atRate } from './pace.ts'
import { HANGING, type Receiver } from './receiver.ts'
import { type Finding, type Row, ratioAtLeast, ratioAtMost } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { RunningService, Stand, StandDatabase } from './stand.ts'

const ORGANIZATIONS = 20
const ENDPOINTS = 10
const SIGNALS_EACH = 60
const CHANGES_A_SECOND = 30
const SECONDS = 12
const CONNECTIONS = 16

export const hanging: Row = {
  name: 'hanging',
  title:
    '200 endpoints in 20 organizations, of which 20 hang for the 10 s of an attempt, one in each organization',
  notes: [
    'Only the 180 that are well are looked at; the yardstick is themselves while the 20 are off. Throughput is',
    `of a backlog of ${SIGNALS_EACH} deliveries for each; the 20 that hang have theirs as well. The 99th percentile is from`,
    `the 201 of a change to the receiver, at ${CHANGES_A_SECOND} changes and so ${CHANGES_A_SECOND * 9} deliveries a second to the 180. Each time`,
    'with a new process, which does not know yet who hangs.',
  ],
  run: measure,
}

export interface Scene {
  database: StandDatabase
  receiver: Receiver
  subscribers: readonly Subscriber[]
}

interface Seen {
  readonly rate: number
  readonly p99: number
}

async function measure(stand: Stand): Promise<Finding[]> {
  const scene = await setUp(stand)
  const { database, receiver } = scene
  const look = async (hangs: boolean): Promise<Seen> => {
    stand.say(`hanging: ${hangs ? 'with those that hang' : 'calm'}`)
    await begin(database, hangs)
    const service = await stand.service(database)
    const seen = { rate: await throughput(scene, hangs), p99: await delay(scene, service) }
    await service.stop()
    return seen
  }
  const seen = await interleave(
    stand.rounds,
    () => look(true),
    () => look(false),
  )
  await receiver.stop()
  const of = (what: 'rate' | 'p99') =>
    compare(
      seen.products.map((one) => one[what]),
      seen.yardsticks.map((one) => one[what]),
    )
  return [
    {
      measure: 'throughput of the others',
      unit: '/s',
      ...of('rate'),
      yardstickIs: 'calm',
      target: ratioAtLeast(0.9),
    },
    { measure: 'p99 of the others', unit: 'ms', ...of('p99'), yardstickIs: 'calm', target: ratioAtMost(1.5) },
  ]
}

/** The first endpoint of each organization hangs. */
export async function setUp(stand: Stand): Promise<Scene> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const well = addressesAt(receiver)
  const subscribers = await makeSubscribers(
    stand,
    database,
    { organizations: ORGANIZATIONS, endpoints: ENDPOINTS },
    (organization, endpoint) =>
      endpoint === 0 ? `${receiver.origin}${HANGING}/${organization}` : well(organization, endpoint),
  )
  return { database, receiver, subscribers }
}

/** Nothing waits, nobody has failed, and those that hang are on or off. */
export async function begin({ administrator }: StandDatabase, hangs: boolean): Promise<void> {
  await administrator.query('truncate deliveries, signals, attempts')
  await administrator.query(
    `update webhook_endpoint_states set failures = 0, last_failures = '[]', tripped_epoch = null`,
  )
  await administrator.query(
    `update webhook_endpoints set enabled = $1, disabled_reason = null, tripped_by = null where address like '%${HANGING}%'`,
    [hangs],
  )
}

/** Deliveries a second of those that are well, once their connections are open. */
async function throughput({ database, receiver, subscribers }: Scene, hangs: boolean): Promise<number> {
  const well = subscribers.map((one) => ({ ...one, endpointIds: one.endpointIds.slice(1) }))
  const opening = await putIn(database, well, 5)
  await receiver.reset()
  await receiver.reaches(opening, 60_000)
  await putIn(database, hangs ? subscribers : well, SIGNALS_EACH)
  await receiver.reset()
  const { requests, firstAt, lastAt } = await receiver.reaches(
    ORGANIZATIONS * (ENDPOINTS - 1) * SIGNALS_EACH,
    120_000,
  )
  return ((requests - 1) / (lastAt - firstAt)) * 1000
}

/** The 99th percentile of those that are well, from the 201 of a change to the receiver; ms. */
export async function delay({ receiver, subscribers }: Scene, service: RunningService): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)),
  )
  const requests = subscribers.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const answered = new Map<string, number>()
  let turn = 0
  await receiver.reset(true)
  await atRate({ aSecond: CHANGES_A_SECOND, seconds: SECONDS, atATime: CONNECTIONS }, async (free) => {
    const { status, body } = await connections[free]!.send(requests[turn++ % requests.length]!)
    const at = sharedClock()
    if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
    answered.set(JSON.parse(body.toString()).id, at)
  })
  for (const connection of connections) connection.close()
  const { arrivals } = await receiver.reaches(answered.size * (ENDPOINTS - 1), 60_000)
  return quantile(
    arrivals.map(([subject, at]) => at - answered.get(subject)!),
    0.99,
  )
}
