import { addressesAt, makeSubscribers, putIn, type Subscriber, untilWritten } from './backlog.ts'
import { besideBareLoop, type Sent, sentOf } from './bare-sender.ts'
import { processorTimeOf } from './processor-time.ts'
import type { Receiver } from './receiver.ts'
import { type Finding, type Row, ratioAtLeast, ratioAtMost } from './row.ts'
import type { RunningService, Stand, StandDatabase } from './stand.ts'

const ORGANIZATIONS = 2
const ENDPOINTS = 10
const SIGNALS_EACH = 1_500
const PATIENCE_MS = 300_000

export const deliveries: Row = {
  name: 'deliveries',
  title: 'deliveries end to end, warm https, instant receiver, one process, 20 endpoints in 2 organizations',
  notes: [
    `A backlog of ${(ORGANIZATIONS * ENDPOINTS * SIGNALS_EACH).toLocaleString('en')} deliveries of 1.5 KB falls due at one moment; the rate is the receiver’s, from first to last.`,
    'The bare loop signs and posts the same bodies to the same receiver with undici, with as many at a time as',
    'the service had connections. It leaves out the database: claim, log, schedule and the count of failures.',
    'Processor time is of the service and of all of PostgreSQL, until every result is written; the bare loop’s',
    'is of its own process.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const size = { organizations: ORGANIZATIONS, endpoints: ENDPOINTS }
  const subscribers = await makeSubscribers(stand, database, size, addressesAt(receiver))
  const service = await stand.service(database, { LOG_LEVEL: 'info' })
  const product = () => deliverAll({ stand, database, receiver, subscribers, services: [service] })
  const count = ORGANIZATIONS * ENDPOINTS * SIGNALS_EACH
  const sent = await besideBareLoop(stand, receiver, {
    name: 'deliveries',
    endpoints: ENDPOINTS,
    count,
    product,
  })
  await service.stop()
  await receiver.stop()
  return [
    {
      measure: 'deliveries',
      unit: '/s',
      ...sent.rate,
      target: ratioAtLeast(0.75),
    },
    {
      measure: 'processor time of each',
      unit: 'ms',
      ...sent.processor,
      target: ratioAtMost(1.6),
    },
  ]
}

export interface Scene {
  stand: Stand
  database: StandDatabase
  receiver: Receiver
  subscribers: readonly Subscriber[]
  /** All on the one database. */
  services: readonly RunningService[]
}

/** A backlog, from the moment that it is due until every result is written. */
export async function deliverAll(
  { stand, database, receiver, subscribers, services }: Scene,
  signalsEach = SIGNALS_EACH,
): Promise<Sent & { count: number }> {
  const count = await putIn(database, subscribers, signalsEach)
  await receiver.reset()
  const used = () => services.reduce((sum, { pid }) => sum + processorTimeOf(pid), stand.postgresTime())
  const before = used()
  const reception = await receiver.reaches(count, PATIENCE_MS)
  await untilWritten(database)
  return { ...sentOf(reception, (used() - before) / count), count }
}
