import { bareWrite } from './bare-risk.ts'
import { compare, interleave } from './figures.ts'
import { load, rateOf, requestBytes } from './http.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeSubscribedOrganizations, sampleRisk } from './seed.ts'
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
  const { administrator } = database
  const organizations = await makeSubscribedOrganizations(administrator, stand.masterKey, CONNECTIONS)
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
      target: ratioAtLeast(0.65),
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
