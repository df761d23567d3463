import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import { BATCH_AT_MOST } from '../server/records/batch.ts'
import type { Service } from '../server/service.ts'
import { inOneBurst } from './bare-driver.ts'
import { compare, interleave } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { heardWith, overhear } from './overheard.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeSubscribedOrganizations, type Organization, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const ROWS = 5_000
/** Slow enough that a tenth of them tells the rate. */
const ONE_BY_ONE = ROWS / 10

export const batch: Row = {
  name: 'batch',
  title: `${ROWS.toLocaleString('en')} risks by POST /v1/risks/batch, with one subscribed endpoint, one connection`,
  notes: [
    `${BATCH_AT_MOST} rows a call, one call after the other. One by one, the same rows are sent by POST /v1/risks in the same way.`,
    'The bare driver sends the product’s own statement for each hundred rows, prepared, in a transaction. It leaves out',
    'HTTP, admission, the rules and the look-up of owners, and of the rows draws only the ids and numbers anew.',
    'The service runs with ROLE=api, so nothing is sent while this is measured.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const { administrator } = database
  const [organization] = (await makeSubscribedOrganizations(administrator, stand.masterKey, 1)) as [
    Organization,
  ]
  const service = await stand.service(database, { ROLE: 'api' })
  const parts = stand.parts(database)
  const bare = await bareBatch(parts, organization)
  const { secret } = organization
  const records = Array.from({ length: BATCH_AT_MOST }, () => sampleRisk(organization))
  const connection = await Connection.open(service.port)
  const many = requestBytes('POST', '/v1/risks/batch', secret, { records })
  const one = requestBytes('POST', '/v1/risks', secret, sampleRisk(organization))
  const times = ROWS / BATCH_AT_MOST
  // What is there already is given another title, each time.
  let time = 0
  const known = () => ({ title: `Known at ${time++}`, externalId: `known-${time % BATCH_AT_MOST}` })
  const changes = () =>
    requestBytes('POST', '/v1/risks/batch', secret, {
      mode: 'upsert',
      records: Array.from({ length: BATCH_AT_MOST }, known),
    })
  const change = () => {
    const { externalId, ...record } = known()
    return requestBytes('PUT', `/v1/risks/by-external-id/${externalId}`, secret, record)
  }

  const product = () => rateOver(ROWS, times, () => sent(connection, many))
  const oneByOne = () => rateOver(ONE_BY_ONE, ONE_BY_ONE, () => sent(connection, one))
  const changed = () => rateOver(ROWS, times, () => sent(connection, changes()))
  const changedOneByOne = () => rateOver(ONE_BY_ONE, ONE_BY_ONE, () => sent(connection, change()))
  const driver = () => rateOver(ROWS, times, () => bare(organization))

  stand.say('batch: warming up')
  await product()
  await oneByOne()
  stand.say('batch: against one by one')
  const single = await interleave(stand.rounds, product, oneByOne)
  stand.say('batch: against the bare driver')
  const raw = await interleave(stand.rounds, product, driver)
  stand.say('batch: of what is there, against one by one')
  await changed()
  const again = await interleave(stand.rounds, changed, changedOneByOne)
  connection.close()
  await parts.close()
  await service.stop()
  return [
    {
      measure: 'risks created by batch',
      unit: '/s',
      ...compare(single.products, single.yardsticks),
      yardstickIs: 'one by one',
      target: ratioAtLeast(6),
    },
    {
      measure: 'risks created by batch',
      unit: '/s',
      ...compare(raw.products, raw.yardsticks),
      yardstickIs: 'bare driver',
      target: ratioAtLeast(0.5),
    },
    {
      measure: 'risks changed by batch, mode upsert',
      unit: '/s',
      ...compare(again.products, again.yardsticks),
      yardstickIs: 'one by one',
      target: ratioAtLeast(6),
    },
  ]
}

async function sent(connection: Connection, request: Buffer): Promise<void> {
  const { status, body } = await connection.send(request)
  if (status >= 300 || body.includes('"problem"'))
    throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
}

async function rateOver(rows: number, times: number, work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  for (let time = 0; time < times; time++) await work()
  return rows / ((performance.now() - from) / 1000)
}

/** The same write without the service around it. */
async function bareBatch(parts: Service, example: Organization) {
  const operation = operations.find(({ name }) => name === 'createRiskBatch')!
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const records = Array.from({ length: BATCH_AT_MOST }, () => sampleRisk(example))
  const heard = await overhear(parts, async () => {
    const { caller } = await admitKey(parts, example.secret, requestContext)
    await call(parts, caller, operation, { records })
  })
  const enter = heardWith(heard, 'set_config')
  const write = heardWith(heard, 'with written as')
  // Far beyond what the service draws meanwhile.
  let number = 1_000_000
  return async ({ id }: Organization) => {
    const drawn = new Map<string, string>()
    const redrawn = (text: string) =>
      text
        .replace(/\b(risk|aud|sig|dlv)_[0-9a-z]{26}\b/g, (known, prefix: string) => {
          const other = drawn.get(known) ?? newId(prefix)
          drawn.set(known, other)
          return other
        })
        .replace(/"reference_number":\d+/g, () => `"reference_number":${number++}`)
    const other = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(other)
      return typeof value === 'string' ? redrawn(value) : value
    }
    await inOneBurst(parts, enter, id, { ...write, values: write.values.map(other) })
  }
}
