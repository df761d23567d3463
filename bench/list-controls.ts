import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import type { Service } from '../server/service.ts'
import { gate, inOneBurst } from './bare-driver.ts'
import { compare, interleave } from './figures.ts'
import { load, rateOf, requestBytes } from './http.ts'
import { heardWith, overhear } from './overheard.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const CONNECTIONS = 16
const CONTROLS = 10_000
const MILLISECONDS = 3_000

export const listControls: Row = {
  name: 'list-controls',
  title: 'GET /v1/controls?limit=50 of 10,000 controls, half of them implemented, 16 connections',
  notes: [
    'The bare driver sends the product’s own two statements (admission; the page, in one read transaction) on',
    'the same pools, 16 at a time. It leaves out HTTP, the rules, and the making of 50 records and their JSON',
    'from the rows, which the driver has parsed for both.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  await makeControls(database, organization)
  const service = await stand.service(database, { ROLE: 'api' })
  const parts = stand.parts(database)
  const bare = await barePage(parts, organization)
  const request = requestBytes('GET', '/v1/controls?limit=50', organization.secret)
  const requests = Array.from({ length: CONNECTIONS }, () => request)
  const product = () => load(service.port, requests, { milliseconds: MILLISECONDS, status: 200 })
  const yardstick = () => rateOf(MILLISECONDS, CONNECTIONS, bare)

  stand.say('list-controls: warming up')
  await product()
  await yardstick()
  stand.say('list-controls: the service against the bare driver')
  const rates = await interleave(stand.rounds, product, yardstick)
  await parts.close()
  await service.stop()
  return [
    {
      measure: 'pages of 50',
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'bare driver',
      target: ratioAtLeast(0.5),
    },
  ]
}

async function barePage(parts: Service, { id, secret }: Organization) {
  const operation = operations.find(({ name }) => name === 'listControls')!
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const heard = await overhear(parts, async () => {
    const { caller } = await admitKey(parts, secret, requestContext)
    await call(parts, caller, operation, { limit: 50 })
  })
  const admit = heardWith(heard, 'update api_key_usage')
  const enter = heardWith(heard, 'set_config')
  const page = heardWith(heard, 'from controls')
  return async () => {
    await gate(parts, admit, secret)
    await inOneBurst(parts, enter, id, page)
  }
}

async function makeControls({ administrator }: StandDatabase, { id, userId }: Organization): Promise<void> {
  await administrator.query(
    `insert into controls (organization_id, id, reference_number, code, title, description, category,
       implementation_status, priority, effectiveness, owner_user_id, labels, source, version,
       created_at, created_by, updated_at, updated_by)
     select $1, 'ctl_' || lpad(n::text, 26, '0'), n, 'A.' || n, 'Control number ' || n, repeat('What it asks for. ', 10),
       'technical', case when n % 2 = 0 then 'implemented' else 'in_progress' end, 'medium', 'not_assessed', $2, '{core,annex}', 'person', 1,
       made, actor, made, actor
       from generate_series(1, $3::int) n,
         lateral (select now() - n * interval '1 minute' as made,
           jsonb_build_object('type', 'user', 'id', $2::text, 'displayName', 'Ada Example') as actor) one`,
    [id, userId, CONTROLS],
  )
  await administrator.query('vacuum analyze controls')
}
