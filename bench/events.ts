import { addressesAt, makeSubscribers, type Subscriber, untilWritten } from './backlog.ts'
import { besideBareLoop, type Sent, sentOf } from './bare-sender.ts'
import { Connection, requestBytes } from './http.ts'
import { processorTimeOf } from './processor-time.ts'
import type { Receiver } from './receiver.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { RunningService, Stand, StandDatabase } from './stand.ts'

const ORGANIZATIONS = 2
const ENDPOINTS = 10
const EVENTS = 2_000
const CONNECTIONS = 16

export const events: Row = {
  name: 'events',
  title: `${EVENTS.toLocaleString('en')} changes through REST, each sent to ${ENDPOINTS} endpoints meanwhile, one process`,
  notes: [
    `POST /v1/risks over ${CONNECTIONS} connections, as fast as they are answered, in ${ORGANIZATIONS} organizations; the rate is that of`,
    'deliveries at the receiver, from the first to the last. The bare loop posts as many bodies to the same receiver',
    'and leaves out the changes, the database and the log. Processor time is of the service and all of PostgreSQL.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const size = { organizations: ORGANIZATIONS, endpoints: ENDPOINTS }
  const subscribers = await makeSubscribers(stand, database, size, addressesAt(receiver))
  const service = await stand.service(database)
  const product = () => takeAndSend({ stand, database, receiver, subscribers, service })
  const count = EVENTS * ENDPOINTS
  const sent = await besideBareLoop(stand, receiver, { name: 'events', endpoints: ENDPOINTS, count, product })
  await service.stop()
  await receiver.stop()
  return [
    { measure: 'deliveries', unit: '/s', ...sent.rate, target: ratioAtLeast(0.55) },
    { measure: 'processor time of each', unit: 'ms', ...sent.processor, target: null },
  ]
}

interface Scene {
  stand: Stand
  database: StandDatabase
  receiver: Receiver
  subscribers: readonly Subscriber[]
  service: RunningService
}

async function takeAndSend({ stand, database, receiver, subscribers, service }: Scene): Promise<Sent> {
  const requests = subscribers.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)),
  )
  const count = EVENTS * ENDPOINTS
  const used = () => processorTimeOf(service.pid) + stand.postgresTime()
  await receiver.reset()
  const before = used()
  let left = EVENTS
  await Promise.all(
    connections.map(async (connection, index) => {
      while (left-- > 0) {
        const { status, body } = await connection.send(requests[index % requests.length]!)
        if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
      }
    }),
  )
  const reception = await receiver.reaches(count, 120_000)
  await untilWritten(database)
  for (const connection of connections) connection.close()
  return sentOf(reception, (used() - before) / count)
}
