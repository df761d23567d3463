import { admitKey } from '../server/caller/admission.ts'
import { statement } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { compare, interleave } from './figures.ts'
import { rateOf } from './http.ts'
import { type Finding, type Row, ratioAtMost } from './row.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand } from './stand.ts'

const MILLISECONDS = 1_500
const MANY = 16

export const admission: Row = {
  name: 'admission',
  title: 'an API key admitted: found, judged, counted, its last use noted',
  notes: [
    'The service’s own function, in this process: hashing, the one statement, the caller made of its row. The',
    'yardstick is `select * from api_keys where secret_hash = $1`, prepared, on the same pool: one row by its key,',
    'read and not written. Times are of one call: what a round took, divided by the calls in it.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organizations: Organization[] = []
  for (let made = 0; made < MANY; made++)
    organizations.push(await makeOrganization(database.administrator, stand.masterKey))
  await database.administrator.query('vacuum analyze')
  const parts = stand.parts(database)
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const admit = ({ secret }: Organization) => admitKey(parts, secret, requestContext)
  const read = ({ secret }: Organization) => parts.database.gate.query(readKey(parts.keyring.hash(secret)))

  const compared = async (measured: string, atATime: number, keys: number): Promise<Finding[]> => {
    const timed = (once: (one: Organization) => Promise<unknown>) => () =>
      timesOf(stand, atATime, (index) => once(organizations[index % keys]!))
    stand.say(`admission: ${measured}`)
    await timed(admit)()
    await timed(read)()
    const { products, yardsticks } = await interleave(stand.rounds, timed(admit), timed(read))
    const finding = (measure: string, time: keyof Times) => ({
      measure,
      unit: 'ms' as const,
      ...compare(
        products.map((times) => times[time]),
        yardsticks.map((times) => times[time]),
      ),
      yardstickIs: 'bare select',
    })
    return [
      { ...finding(measured, 'elapsed'), target: ratioAtMost(2) },
      { ...finding('  PostgreSQL’s processor time of it', 'postgres'), target: null },
    ]
  }
  const findings = [
    ...(await compared('one after the other', 1, 1)),
    ...(await compared(`${MANY} at a time, one key`, MANY, 1)),
    ...(await compared(`${MANY} at a time, ${MANY} keys`, MANY, MANY)),
  ]
  await parts.close()
  return findings
}

/** Of one call, ms. */
interface Times {
  readonly elapsed: number
  readonly postgres: number
}

async function timesOf(
  stand: Stand,
  atATime: number,
  once: (index: number) => Promise<unknown>,
): Promise<Times> {
  let calls = 0
  const before = stand.postgresTime()
  const rate = await rateOf(MILLISECONDS, atATime, (index) => {
    calls++
    return once(index)
  })
  return { elapsed: 1000 / rate, postgres: (stand.postgresTime() - before) / calls }
}

const readKey = statement('select * from api_keys where secret_hash = $1')
