import type pg from 'pg'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { serviceCaller } from '../server/caller/service.ts'
import { CLOCK } from '../server/clock/clock.ts'
import { prepared, type Query } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { transaction } from '../server/database/transaction.ts'
import { findDue, LOOK, takeTurn } from '../server/deadlines/turn.ts'
import { operations } from '../server/operations.ts'
import { alongside } from '../server/records/alongside.ts'
import { keptDeadlines } from '../server/records/kept-deadlines.ts'
import { changeRecord } from '../server/records/store.ts'
import { tableOf } from '../server/records/table.ts'
import type { Service } from '../server/service.ts'
import { compare, interleave, median } from './figures.ts'
import { rateOf } from './http.ts'
import { type Finding, type Row, ratioAtLeast, ratioAtMost } from './row.ts'
import { makeOrganization, makeSubscribedOrganizations, type Organization, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const evidence = kinds.evidence as unknown as Kind
const risk = kinds.risk as unknown as Kind

const ORGANIZATIONS = 1_000
const EACH = 100
const CONNECTIONS = 16
const MILLISECONDS = 3_000
const [MANY_OPEN, FEW_OPEN, DUE] = [5_000_000, 5_000, 1_000] as const
const [MANY_LISTED, FEW_LISTED, OWN] = [1_000_000, 10_000, 300] as const
const TIMES = 50

export const clock: Row = {
  name: 'clock',
  title:
    'deadlines: a day’s turn, a look at what is due, a write with three of them, and the list of a person',
  notes: [
    `The turn: evidence that lapses, ${EACH} of each of ${ORGANIZATIONS.toLocaleString('en')} organizations, by one process; its yardstick is the`,
    `same change of as many by the store, each in a transaction of its own, on ${CONNECTIONS} connections. The look is the engine’s`,
    `statement that finds ${DUE.toLocaleString('en')} due, and the list the call of a person with ${OWN} of their own: medians of ${TIMES}, turn by`,
    'turn, each against itself with few open. The write is that of a risk, in this process; no kind has three dates, so one',
    'of its two counts twice.',
  ],
  run: async (stand) => [
    await measureTurn(stand),
    await measureWrite(stand),
    await measureLook(stand),
    await measureList(stand),
  ],
}

async function measureTurn(stand: Stand): Promise<Finding> {
  const database = await stand.database()
  const { administrator } = database
  const parts = stand.parts(database)
  stand.say('clock: making organizations')
  await administrator.query('create sequence bench_numbers start 1000')
  const templates: { organization: Organization; id: string }[] = []
  for (let n = 0; n < ORGANIZATIONS; n++) {
    const organization = await makeOrganization(administrator, stand.masterKey)
    templates.push({ organization, id: await makeEvidence(parts, organization) })
  }
  const count = ORGANIZATIONS * EACH
  const turn = async () => {
    for (const { id } of templates) await copyEvidence(administrator, id, '2020-01-01')
    await administrator.query('analyze evidence, known_records, deadlines')
    const start = performance.now()
    const isDone = async () => (await parts.database.engine.query(findDue(1, LOOK))).rows.length === 0
    do await takeTurn(parts)
    while (!(await isDone()))
    return (count / (performance.now() - start)) * 1_000
  }
  const store = async () => {
    const ids: [string, string][] = []
    for (const { organization, id } of templates)
      for (const made of await copyEvidence(administrator, id, '2090-01-01'))
        ids.push([organization.id, made])
    await administrator.query('analyze evidence, known_records, deadlines')
    const start = performance.now()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let next = ids.pop(); next; next = ids.pop()) await lapseByStore(parts, ...next)
      }),
    )
    return (count / (performance.now() - start)) * 1_000
  }
  stand.say('clock: the turn of a day')
  const { products, yardsticks } = await interleave(Math.min(stand.rounds, 2), turn, store)
  await parts.close()
  return {
    ...{ measure: 'deadlines acted on', unit: '/s' as const, yardstickIs: 'by the store, one by one' },
    ...compare(products, yardsticks),
    target: ratioAtLeast(0.6),
  }
}

async function callerOf(parts: Service, { secret }: Organization) {
  const context = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  return (await admitKey(parts, secret, context)).caller
}

async function perform(parts: Service, organization: Organization, name: string, input: object) {
  const operation = operations.find((one) => one.name === name)!
  const { body } = await call(parts, await callerOf(parts, organization), operation, input)
  return body as { id: string }
}

const makeEvidence = async (parts: Service, organization: Organization) =>
  (
    await perform(parts, organization, 'createEvidence', {
      ...{ title: 'Access review', owner: { type: 'user', refId: organization.userId } },
    })
  ).id

/** Approved evidence like that one. @returns the ids */
async function copyEvidence(administrator: pg.Client, id: string, expires: string): Promise<string[]> {
  const columns = tableOf(evidence).columns.map(({ name }) => name)
  const { returning, insert } = alongside(evidence)
  const { rows } = await administrator.query<{ id: string }>(
    `with written as (
       insert into evidence (${columns.join(', ')}) select ${columns.map((name) => `(copy).${name}`).join(', ')}
         from (select jsonb_populate_record(r, jsonb_build_object('id', ids.id, 'status', 'approved',
                        'expiry_date', $3::text, 'reference_number', nextval('bench_numbers'))) as copy
                 from evidence r, unnest($2::text[]) ids (id) where r.id = $1) made
       ${returning}), ${insert.join(', ')} select id from written`,
    [id, Array.from({ length: EACH }, () => newId('evd')), expires],
  )
  return rows.map((row) => row.id)
}

const lapseByStore = (parts: Service, organizationId: string, id: string) =>
  transaction(parts.database.tenant, organizationId, (tx) =>
    changeRecord({ tx, caller: serviceCaller(organizationId, CLOCK), parts }, evidence, id, {
      set: { status: 'expired' },
    }),
  )

async function measureWrite(stand: Stand): Promise<Finding> {
  const database = await stand.database()
  const { administrator } = database
  const organizations = await makeSubscribedOrganizations(administrator, stand.masterKey, CONNECTIONS)
  const parts = stand.parts(database)
  const two = keptDeadlines(risk).insert.join(', ')
  const three = { ...risk, deadlines: { ...risk.deadlines, again: { field: 'reviewDate' } } }
  saying(parts, two, keptDeadlines(three).insert.join(', '))
  const callers = await Promise.all(organizations.map((one) => callerOf(parts, one)))
  const operation = operations.find(({ name }) => name === 'createRisk')!
  const rate = (dates: object) => () =>
    rateOf(MILLISECONDS, CONNECTIONS, async (index) => {
      const input = { ...sampleRisk(organizations[index]!), ...dates }
      await call(parts, callers[index]!, operation, input)
    })
  const withThree = rate({ dueDate: '2090-05-05T12:00:00Z', reviewDate: '2090-06-06' })
  const without = rate({})
  stand.say('clock: writes with three deadlines')
  await withThree()
  await without()
  const { products, yardsticks } = await interleave(stand.rounds, withThree, without)
  await parts.close()
  return {
    ...{ measure: 'risks written with three', unit: '/s' as const, yardstickIs: 'with none' },
    ...compare(products, yardsticks),
    target: ratioAtLeast(0.87),
  }
}

/** Each statement with another part in it: for a kind that there is not. */
function saying({ database }: Service, part: string, other: string): void {
  const patched = new WeakSet<pg.PoolClient>()
  database.tenant.on('acquire', (client) => {
    if (patched.has(client)) return
    patched.add(client)
    const speaking = client as unknown as { query(said: Query): unknown }
    const { query } = speaking
    speaking.query = (said) => {
      if (!said.text?.includes(part)) return query.call(client, said)
      const { name: _, ...unnamed } = said
      return query.call(client, { ...unnamed, ...prepared(said.text.replace(part, other))(...said.values) })
    }
  })
}

async function measureLook(stand: Stand): Promise<Finding> {
  stand.say('clock: a look at what is due')
  const side = async (open: number) => {
    const database = await stand.database()
    await fillOpen(database.administrator, newId('org'), open)
    await database.administrator.query(
      'update deadlines set due_at = now() where record_id in (select record_id from deadlines order by record_id limit $1)',
      [DUE],
    )
    await database.administrator.query('vacuum analyze deadlines')
    const { engine } = stand.parts(database).database
    return async () => {
      const start = performance.now()
      await engine.query(findDue(LOOK, 1_000_000))
      return performance.now() - start
    }
  }
  const [few, many] = [await side(FEW_OPEN), await side(MANY_OPEN)]
  return compareTimes('a look that finds 1,000', many, few, ratioAtMost(1.3), FEW_OPEN)
}

async function measureList(stand: Stand): Promise<Finding> {
  stand.say('clock: the list of a person')
  const side = async (open: number) => {
    const database = await stand.database()
    const { administrator } = database
    const organization = await makeOrganization(administrator, stand.masterKey)
    await fillOpen(administrator, organization.id, open)
    await administrator.query(
      'update deadlines set owner_id = $1 where record_id in (select record_id from deadlines order by record_id limit $2)',
      [organization.userId, OWN],
    )
    await administrator.query(
      `insert into known_records (organization_id, id, kind, called, texts)
       select organization_id, record_id, kind, 'Unpatched gateway', ' ' from deadlines where owner_id = $1`,
      [organization.userId],
    )
    await administrator.query('vacuum analyze deadlines, known_records')
    const parts = stand.parts(database)
    const caller = await callerOf(parts, organization)
    const operation = operations.find(({ name }) => name === 'listDeadlines')!
    return async () => {
      const start = performance.now()
      const { body } = await call(parts, caller, operation, { ownerId: ['me'] })
      if ((body as { data: unknown[] }).data.length !== 50) throw new Error('the list has not what is there')
      return performance.now() - start
    }
  }
  const [few, many] = [await side(FEW_LISTED), await side(MANY_LISTED)]
  return compareTimes('listDeadlines of a person', many, few, ratioAtMost(1.5), FEW_LISTED)
}

async function compareTimes(
  measure: string,
  many: () => Promise<number>,
  few: () => Promise<number>,
  target: Finding['target'],
  yardstick: number,
): Promise<Finding> {
  for (let n = 0; n < 10; n++) await Promise.all([many(), few()])
  const { products, yardsticks } = await interleave(TIMES, many, few)
  const [product, other] = [median(products), median(yardsticks)]
  const yardstickIs = `with ${yardstick.toLocaleString('en')} open`
  return { measure, unit: 'ms', product, yardstick: other, yardstickIs, ratio: product / other, target }
}

/** Deadlines of records that are not there, a tenth of them nobody's. */
async function fillOpen(administrator: pg.Client, organizationId: string, open: number): Promise<void> {
  await administrator.query('set session_replication_role = replica')
  await administrator.query(
    `insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)
     select $1, 'risk_' || lpad(n::text, 26, '0'), 'review', 'risk', day, day + 1, owner, day - 30
       from generate_series(1, $2::int) n,
            lateral (select current_date + 40 + n % 2000 as day,
                            case when n % 10 > 0 then 'usr_' || n % 500 end as owner) drawn`,
    [organizationId, open],
  )
  await administrator.query('set session_replication_role = origin')
}
