import { risk } from '../model/kinds/risk.ts'
import { knownRecord } from '../server/records/known-records.ts'
import { bareWrite } from './bare-risk.ts'
import { compare, interleave } from './figures.ts'
import { rateOf } from './http.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeSubscribedOrganizations } from './seed.ts'
import type { Stand } from './stand.ts'

const CONNECTIONS = 16
const MILLISECONDS = 3_000

export const knownRecords: Row = {
  name: 'known-records',
  title: 'the write of a risk with its row in known_records against the same without, 16 connections',
  notes: [
    'Both by the bare driver: admission, and the product’s one statement in its transaction, with one subscribed endpoint.',
    'What the service does besides is left out, so a call loses less by it than is seen here.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const { administrator } = database
  const organizations = await makeSubscribedOrganizations(administrator, stand.masterKey, CONNECTIONS)
  const parts = stand.parts(database)
  const whole = await bareWrite(parts, organizations[0]!)
  const known = `, ${knownRecord(risk).insert}`
  const without = await bareWrite(parts, organizations[0]!, (text) => {
    if (!text.includes(known)) throw new Error('the statement writes no row in known_records')
    return text.replace(known, '')
  })
  const rate = (write: typeof whole) => () =>
    rateOf(MILLISECONDS, CONNECTIONS, (index) => write(organizations[index]!))
  stand.say('known-records: warming up')
  await rate(whole)()
  await rate(without)()
  stand.say('known-records: with its row against without')
  const { products, yardsticks } = await interleave(stand.rounds, rate(whole), rate(without))
  await parts.close()
  return [
    {
      measure: 'risks written',
      unit: '/s',
      ...compare(products, yardsticks),
      yardstickIs: 'without the row',
      target: ratioAtLeast(0.9),
    },
  ]
}
