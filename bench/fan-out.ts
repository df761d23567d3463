import { compare, interleave } from './figures.ts'
import { load, requestBytes } from './http.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeEndpoint, makeOrganization, type Organization, sampleRisk } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const CONNECTIONS = 16
const MILLISECONDS = 3_000
const MANY = 10

export const fanOut: Row = {
  name: 'fan-out',
  title: `POST /v1/risks with ${MANY} subscribed endpoints and with one, ${CONNECTIONS} connections`,
  notes: [
    'The same service and database, an organization for each connection: what differs is that a change writes ten',
    'deliveries or one. The service runs with ROLE=api, so nothing is sent while this is measured.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const wide = await organizationsWith(MANY, stand, database)
  const narrow = await organizationsWith(1, stand, database)
  const service = await stand.service(database, { ROLE: 'api' })
  const created = (organizations: Organization[]) => () =>
    load(
      service.port,
      organizations.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one))),
      { milliseconds: MILLISECONDS, status: 201 },
    )
  stand.say('fan-out: warming up')
  await created(wide)()
  await created(narrow)()
  stand.say(`fan-out: ${MANY} endpoints against one`)
  const rates = await interleave(stand.rounds, created(wide), created(narrow))
  await service.stop()
  return [
    {
      measure: `risks created, ${MANY} endpoints`,
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'one endpoint',
      target: ratioAtLeast(0.7),
    },
  ]
}

async function organizationsWith(
  endpoints: number,
  { masterKey }: Stand,
  { administrator }: StandDatabase,
): Promise<Organization[]> {
  const made: Organization[] = []
  for (let organization = 0; organization < CONNECTIONS; organization++) {
    const one = await makeOrganization(administrator, masterKey)
    for (let endpoint = 0; endpoint < endpoints; endpoint++)
      await makeEndpoint(administrator, masterKey, one.id, 'https://receiver.example/')
    made.push(one)
  }
  return made
}
