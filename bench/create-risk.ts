import { risk } from '../model/kinds/risk.ts'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import { tableOf } from '../server/records/table.ts'
import type { Service } from '../server/service.ts'
import { gate, inOneBurst, otherRow } from './bare-driver.ts'
import { compare, interleave } from './figures.ts'
import { load, rateOf, requestBytes } from './http.ts'
import { heardWith, overhear } from './overheard.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeEndpoint, makeOrganization, type Organization, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const CONNECTIONS = 16
const MILLISECONDS = 3_000

export const createRisk: Row = {
  name: 'create-risk',
  title: 'POST /v1/risks with one subscribed endpoint, 16 connections',
  notes: [
    'The bare driver sends the product’s own two statements (admission; record, audit entry, signal and delivery',
    'in one) prepared, on the same pools, 16 at a time. It leaves out HTTP, the rules, the look-up of the owner,',
    'the draw of the reference number and the making of the rows, of which it only draws the ids anew.',
    'The service runs with ROLE=api, so nothing is sent while this is measured. One organization has one key.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organizations: Organization[] = []
  for (let made = 0; made < CONNECTIONS; made++) {
    const organization = await makeOrganization(database.administrator, stand.masterKey)
    await makeEndpoint(database.administrator, stand.masterKey, organization.id, 'https://receiver.example/')
    organizations.push(organization)
  }
  const service = await stand.service(database, { ROLE: 'api' })
  const parts = stand.parts(database)
  const bare = await bareWrite(parts, organizations[0]!)

  const requests = organizations.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const together = requests.map(() => requests[0]!)
  const product = (sent: Buffer[]) => load(service.port, sent, { milliseconds: MILLISECONDS, status: 201 })
  const yardstick = () => rateOf(MILLISECONDS, CONNECTIONS, (index) => bare(organizations[index]!))

  stand.say('create-risk: warming up')
  await product(requests)
  await yardstick()
  stand.say('create-risk: the service against the bare driver')
  const rates = await interleave(stand.rounds, () => product(requests), yardstick)
  stand.say('create-risk: one organization against sixteen')
  const crowds = await interleave(
    stand.rounds,
    () => product(together),
    () => product(requests),
  )
  await parts.close()
  await service.stop()
  return [
    {
      measure: 'risks created, 16 organizations',
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'bare driver',
      target: ratioAtLeast(0.5),
    },
    {
      measure: 'risks created, all in one organization',
      unit: '/s',
      ...compare(crowds.products, crowds.yardsticks),
      yardstickIs: 'in 16 organizations',
      target: ratioAtLeast(0.7),
    },
  ]
}

/** The same write without the service around it. */
async function bareWrite(parts: Service, example: Organization) {
  const operation = operations.find(({ name }) => name === 'createRisk')!
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const heard = await overhear(parts, async () => {
    const { caller } = await admitKey(parts, example.secret, requestContext)
    await call(parts, caller, operation, sampleRisk(example))
  })
  const admit = heardWith(heard, 'update api_key_usage')
  const enter = heardWith(heard, 'set_config')
  const write = heardWith(heard, 'with written as')
  const riskId = write.values.find((value) => String(value).startsWith('risk_'))
  const numbered = tableOf(risk).columns.findIndex(({ field }) => field === 'referenceNumber')
  // Far beyond what the service draws meanwhile.
  let number = 1_000_000
  return async ({ id, userId, secret }: Organization) => {
    await gate(parts, admit, secret)
    const swapped = new Map<unknown, unknown>([
      [example.id, id],
      [example.userId, userId],
      [riskId, newId('risk')],
    ])
    const values = otherRow(write.values, swapped).with(numbered, number++)
    await inOneBurst(parts, enter, id, { ...write, values })
  }
}
