import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { claimDue } from '../server/webhooks/dispatcher/claim.ts'
import { LEASE_MS } from '../server/webhooks/dispatcher/limits.ts'
import { makeSubscribers, PUT_IN, type Subscriber, sampleBody, signalAndDelivery } from './backlog.ts'
import { interleave, median } from './figures.ts'
import { type Finding, type Row, ratioBelow } from './row.ts'
import type { Stand, StandDatabase } from './stand.ts'

const MANY = 1_000_000
const FEW = 1_000
const HEALTHY_EACH = 200
const TIMES = 50
const ROOM = 10

export const claim: Row = {
  name: 'claim',
  title: 'one claim for 20 endpoints, of which a dead one has 1,000,000 deliveries waiting',
  notes: [
    'The engine’s own statement, on a connection of its pool, with room for 10 deliveries of each endpoint; the',
    'yardstick is the same on a database where the dead one has 1,000. The tables are vacuumed and analyzed, and',
    `each claim is rolled back. Medians of ${TIMES}, turn by turn. Turned off and on again as the switch does it: the`,
    'old deliveries stay in their epoch, as they do until the sweep has written them off, and 1,000 new ones wait.',
  ],
  run: measure,
}

interface Side {
  readonly database: StandDatabase
  readonly client: pg.PoolClient
  readonly endpointIds: readonly string[]
  readonly dead: string
  readonly owner: Subscriber
}

async function measure(stand: Stand): Promise<Finding[]> {
  stand.say(`claim: putting ${FEW.toLocaleString('en')} and ${MANY.toLocaleString('en')} deliveries in`)
  const few = await makeSide(stand, FEW)
  const many = await makeSide(stand, MANY)
  const findings = [await compareClaims(stand, 'claim while they wait', many, few)]
  for (const side of [few, many]) await turn(side, false)
  findings.push(await compareClaims(stand, 'turned off', many, few))
  for (const side of [few, many]) {
    await turn(side, true)
    await putDue(side.database, { ...side.owner, endpointIds: [side.dead] }, FEW, 3)
    await settle(side)
  }
  findings.push(await compareClaims(stand, 'on again', many, few))
  few.client.release()
  many.client.release()
  return findings
}

async function makeSide(stand: Stand, waiting: number): Promise<Side> {
  const database = await stand.database()
  const size = { organizations: 2, endpoints: 10 }
  const [owner, other] = (await makeSubscribers(
    stand,
    database,
    size,
    () => 'https://receiver.example/',
  )) as [Subscriber, Subscriber]
  const [dead, ...healthy] = owner.endpointIds as [string, ...string[]]
  await putDue(database, { ...owner, endpointIds: [dead] }, waiting, 1)
  await putDue(database, { ...owner, endpointIds: healthy }, HEALTHY_EACH, 1)
  await putDue(database, other, HEALTHY_EACH, 1)
  const client = await stand.parts(database).database.engine.connect()
  const side = { database, client, owner, dead, endpointIds: [...owner.endpointIds, ...other.endpointIds] }
  await settle(side)
  return side
}

const putDue = ({ administrator }: StandDatabase, to: Subscriber, signals: number, epoch: number) =>
  administrator.query(PUT_IN, [
    to.id,
    signals,
    sampleBody(),
    to.endpointIds,
    0,
    ...signalAndDelivery(),
    epoch,
  ])

async function settle({ database }: Side): Promise<void> {
  await database.administrator.query('vacuum analyze deliveries, delivery_queue, signals, attempts')
  await database.administrator.query('checkpoint')
}

/** Each turn of the switch is a new epoch. */
async function turn({ database, dead }: Side, enabled: boolean): Promise<void> {
  const { administrator } = database
  await administrator.query('update webhook_endpoints set enabled = $2, epoch = epoch + 1 where id = $1', [
    dead,
    enabled,
  ])
  await administrator.query('update webhook_endpoint_states set epoch = epoch + 1 where endpoint_id = $1', [
    dead,
  ])
}

async function compareClaims(stand: Stand, measure: string, many: Side, few: Side): Promise<Finding> {
  stand.say(`claim: ${measure}`)
  for (const side of [many, few]) await claimOnce(side)
  const times = await interleave(
    TIMES,
    () => claimOnce(many),
    () => claimOnce(few),
  )
  const [product, yardstick] = [median(times.products), median(times.yardsticks)]
  return {
    measure,
    unit: 'ms',
    product,
    yardstick,
    yardstickIs: `with ${FEW.toLocaleString('en')} waiting`,
    ratio: product / yardstick,
    target: ratioBelow(2),
  }
}

/** @returns milliseconds; nothing is claimed afterwards */
async function claimOnce({ client, endpointIds }: Side): Promise<number> {
  const rooms = endpointIds.map(() => ROOM)
  await client.query('begin')
  const start = performance.now()
  await client.query(claimDue(endpointIds, rooms, randomUUID(), LEASE_MS, false))
  const milliseconds = performance.now() - start
  await client.query('rollback')
  return milliseconds
}
