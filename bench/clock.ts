import type pg from 'pg'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { serviceCaller } from '../server/caller/service.ts'
import { CLOCK } from '../server/clock/clock.ts'
import { Burst } from '../server/database/burst.ts'
import { prepared } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { transaction } from '../server/database/transaction.ts'
import { findDue, LOOK, takeTurn } from '../server/deadlines/turn.ts'
import { operations } from '../server/operations.ts'
import { alongside } from '../server/records/alongside.ts'
import { changeRecord } from '../server/records/change-record.ts'
import { keptDeadlines } from '../server/records/kept-deadlines.ts'
import { tableOf } from '../server/records/table.ts'
import type { Service } from '../server/service.ts'
import { DUE, measureFeed, measureList, measureLook, OWN, ofFull, TIMES } from './clock-crowd.ts'
import { compare, interleave } from './figures.ts'
import { rateOf } from './http.ts'
import { below, type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, makeSubscribedOrganizations, type Organization, sampleRisk } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const evidence = kinds.evidence as unknown as Kind
const risk = kinds.risk as unknown as Kind

export const ORGANIZATIONS = ofFull(1_000)
export const EACH = 100
const CONNECTIONS = 16
const MILLISECONDS = 3_000
export const clock: Row = {
  name: 'clock',
  title:
    'deadlines: a day’s turn, a look at what is due, a write with three of them, and the list of a person',
  notes: [
    `The turn: evidence that lapses, ${EACH} of each of ${ORGANIZATIONS.toLocaleString('en')} organizations, by one process; its yardstick is the`,
    `same change of as many by the store, each in a transaction of its own, on ${CONNECTIONS} connections. The look is the engine’s`,
    `statement that finds ${DUE.toLocaleString('en')} due, and the list the call of a person with ${OWN} of their own: medians of ${TIMES}, turn by`,
    'turn, each against itself with few open. The write is that of a risk, in this process; no kind has three dates, so one',
    'of its two counts twice. A feed is read in this process, and what that uses of the processor is counted. BENCH_SHARE is',
    'the part of the full size to take: 0.1 for a tenth.',
  ],
  run: async (stand) => [
    ...(await measureTurn(stand)),
    await measureWrite(stand),
    await measureLook(stand),
    await measureList(stand),
    await measureFeed(stand),
  ],
}

const COUNT = ORGANIZATIONS * EACH

async function measureTurn(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const { administrator } = database
  const parts = stand.parts(database)
  const templates = await makeTemplates(stand, database, parts)
  let longest = 0
  const turn = async () => {
    await makeDue(administrator, templates)
    const start = performance.now()
    await takeTurns(parts)
    const ms = performance.now() - start
    longest = Math.max(longest, ms)
    return (COUNT / ms) * 1_000
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
    return (COUNT / (performance.now() - start)) * 1_000
  }
  stand.say('clock: the turn of a day')
  const { products, yardsticks } = await interleave(Math.min(stand.rounds, 2), turn, store)
  await parts.close()
  const [seconds, most] = [longest / 1_000, 600]
  return [
    {
      ...{ measure: 'deadlines acted on', unit: '/s' as const, yardstickIs: 'by the store, one by one' },
      ...compare(products, yardsticks),
      target: ratioAtLeast(0.6),
    },
    {
      ...{
        measure: `the turn of ${COUNT.toLocaleString('en')}, the longest`,
        unit: 's',
        target: below(most),
      },
      ...{ product: seconds, yardstick: most, yardstickIs: 'ten minutes', ratio: seconds / most },
    },
  ]
}

export interface Template {
  readonly organization: Organization
  readonly id: string
}

/** An organization each, with one record of evidence that others are made like. */
export async function makeTemplates(
  stand: Stand,
  { administrator }: StandDatabase,
  parts: Service,
): Promise<Template[]> {
  stand.say('clock: making organizations')
  await administrator.query('create sequence bench_numbers start 1000')
  const templates: Template[] = []
  for (let n = 0; n < ORGANIZATIONS; n++) {
    const organization = await makeOrganization(administrator, stand.masterKey)
    templates.push({ organization, id: await makeEvidence(parts, organization) })
  }
  return templates
}

export async function makeDue(administrator: pg.Client, templates: readonly Template[]): Promise<void> {
  for (const { id } of templates) await copyEvidence(administrator, id, '2020-01-01')
  await administrator.query('analyze evidence, known_records, deadlines')
}

export async function takeTurns(parts: Service): Promise<void> {
  const isDone = async () => (await parts.database.engine.query(findDue(1, LOOK))).rows.length === 0
  do await takeTurn(parts)
  while (!(await isDone()))
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
  const sayAsWritten = saying(two, keptDeadlines(three).insert.join(', '))
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
  sayAsWritten()
  await parts.close()
  return {
    ...{ measure: 'risks written with three', unit: '/s' as const, yardstickIs: 'with none' },
    ...compare(products, yardsticks),
    target: ratioAtLeast(0.87),
  }
}

/** Each statement of a transaction with another part in it: for a kind that there is not. @returns what ends that */
function saying(part: string, other: string): () => void {
  const { add } = Burst.prototype
  Burst.prototype.add = function (query) {
    return add.call(
      this,
      query.text.includes(part) ? prepared(query.text.replace(part, other))(...query.values) : query,
    )
  }
  return () => {
    Burst.prototype.add = add
  }
}
