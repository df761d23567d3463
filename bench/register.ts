import type { Values } from '../model/complaint.ts'
import { storageOf } from '../model/fields.ts'
import { endsOf } from '../model/filter-names.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { type FilterField, filterFieldsOf, sortFieldsOf } from '../model/listing.ts'
import { bindCursor } from '../server/cursor.ts'
import { operations } from '../server/operations.ts'
import { writeCursor } from '../server/records/paging.ts'
import { type BigRegister, makeRegister, RARE_WORD, signIn } from './big-register.ts'
import { median, quantile } from './figures.ts'
import { Connection, webRequestBytes } from './http.ts'
import { below, type Finding, type Row } from './row.ts'
import type { RunningService, Stand } from './stand.ts'

const RISKS = 100_000
const FEW = 1_000
const EACH_ROUND = 6
const PAGE = 100
/** A page of the web app's door may be asked for 1,200 times a minute by one session. */
const SESSIONS = 8

export const register: Row = {
  name: 'register',
  title: 'a register of 100,000 risks as the web app asks for it, one request at a time',
  notes: [
    'POST /web/listRisks (100 rows) and /web/summarizeRisks with the cookie of a session, from the request to the',
    'whole answer; the 95th percentile, the median in brackets. The yardstick is the same of a register of 1,000,',
    'in a database of its own; where that has no such page, its first one. Answers are not compressed here.',
  ],
  run: (stand) => measure(stand, 'register', ASKED),
}

export const registerFields: Row = {
  name: 'register-fields',
  title: 'the same register by each field that a list can be sorted and filtered by',
  notes: ['As the row before. What is not set is looked for in the same call as what is.'],
  run: (stand) => measure(stand, 'register-fields', fieldsAsked()),
}

interface Side {
  readonly register: BigRegister
  readonly connection: Connection
  readonly service: RunningService
  readonly sessions: readonly string[]
  turn: number
}

interface Asked {
  readonly what: string
  readonly call: 'listRisks' | 'summarizeRisks'
  input(side: Side): Promise<Values> | Values
}

async function measure(stand: Stand, row: string, all: readonly Asked[]): Promise<Finding[]> {
  stand.say(`${row}: filling two registers`)
  const filled = [await fillSide(stand, RISKS), await fillSide(stand, FEW)]
  // Not before all are filled: the service hangs up on whoever connects and then says nothing for long.
  const [many, few] = (await Promise.all(
    filled.map(async (side) => ({ ...side, connection: await Connection.open(side.service.port) })),
  )) as [Side, Side]
  const findings: Finding[] = []
  for (const asked of all) {
    stand.say(`${row}: ${asked.what}`)
    findings.push(await compareBoth(stand, asked, many, few))
  }
  for (const { connection, service } of [few, many]) {
    connection.close()
    await service.stop()
  }
  return findings
}

async function fillSide(stand: Stand, risks: number): Promise<Omit<Side, 'connection'>> {
  const register = await makeRegister(stand, risks)
  const parts = stand.parts(register.database)
  const sessions: string[] = []
  for (let session = 0; session < SESSIONS; session++) sessions.push(await signIn(parts, register))
  await parts.close()
  const service = await stand.service(register.database, { ROLE: 'api' })
  return { register, service, sessions, turn: 0 }
}

async function compareBoth(stand: Stand, asked: Asked, many: Side, few: Side): Promise<Finding> {
  const [product, yardstick] = [await timed(many, asked), await timed(few, asked)]
  const products: number[] = []
  const yardsticks: number[] = []
  for (let time = 0; time < EACH_ROUND * stand.rounds; time++) {
    products.push(await product())
    yardsticks.push(await yardstick())
  }
  const slow = quantile(products, 0.95)
  return {
    measure: `${asked.what} (${median(products).toFixed(1)})`,
    unit: 'ms',
    product: slow,
    yardstick: quantile(yardsticks, 0.95),
    yardstickIs: 'of 1,000',
    ratio: slow / quantile(yardsticks, 0.95),
    target: below(200),
  }
}

/** Warm: each has been asked before. */
async function timed(side: Side, { call, input }: Asked): Promise<() => Promise<number>> {
  const body = await input(side)
  const once = async () => {
    const { service, sessions, connection } = side
    const request = webRequestBytes(service.port, `/web/${call}`, sessions[side.turn++ % SESSIONS]!, body)
    const start = performance.now()
    const answer = await connection.send(request)
    const took = performance.now() - start
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString().slice(0, 500)}`)
    return took
  }
  for (let time = 0; time < 3; time++) await once()
  return once
}

const list = (what: string, filters: Values | ((side: Side) => Values), sort = '-createdAt'): Asked => ({
  what,
  call: 'listRisks',
  input: (side) => ({
    ...(typeof filters === 'function' ? filters(side) : filters),
    sort,
    limit: PAGE,
  }),
})

const counts = (what: string, filters: Values): Asked => ({
  what,
  call: 'summarizeRisks',
  input: () => filters,
})

const listRisks = operations.find(({ name }) => name === 'listRisks')!

/** The page behind so many, by a cursor made from the row that stands there. */
const behind = (pages: number, sort: string, column: string): Asked => ({
  what: `page ${pages + 1} by ${sort}`,
  call: 'listRisks',
  input: async ({ register: { database, id } }) => {
    const way = sort.startsWith('-') ? 'desc' : 'asc'
    const { rows } = await database.administrator.query(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created, title,
         to_char(due_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due, id
         from risks where organization_id = $1 order by ${column} ${way} nulls last, id ${way} offset $2 limit 1`,
      [id, pages * PAGE - 1],
    )
    const [row] = rows
    if (!row) return { sort, limit: PAGE }
    const value = { created_at: row.created, title: row.title, due_date: row.due }[column] ?? null
    const asked = { sort, limit: PAGE }
    const cursor = writeCursor(sort, { value, id: row.id })
    return { ...asked, cursor: bindCursor(listRisks, listRisks.input.parse(asked), cursor) }
  },
})

const ASKED: readonly Asked[] = [
  list('open', {}),
  ...[
    'createdAt',
    'title',
    '-title',
    'dueDate',
    '-dueDate',
    '-riskScore',
    '-riskLevel',
    'owner',
    '-updatedAt',
  ].map((sort) => list(`by ${sort}`, {}, sort)),
  list('status', { status: ['in_treatment'] }),
  list('status, by due date', { status: ['in_treatment'] }, 'dueDate'),
  list('category', { category: ['legal', 'privacy'] }),
  list('level', { riskLevel: ['critical'] }),
  list('likelihood and impact', { likelihood: ['likely'], impact: ['major'] }),
  list('residual pair', { residualLikelihood: ['rare'], residualImpact: ['severe'] }),
  list('of a user', ({ register }) => ({ ownerId: [register.userId] })),
  list('of a person', ({ register }) => ({ ownerId: [register.personnelId] })),
  list('of nobody', { owned: false }),
  list('overdue', { due: ['overdue'] }, 'dueDate'),
  list('due soon', { due: ['soon'] }),
  list('without a date', { due: ['none'] }),
  list('a word that is there', { q: RARE_WORD }),
  list('a word that is not', { q: 'xylophone' }),
  list('three words', { q: `happen ${RARE_WORD} whom` }),
  list('a label', { labels: ['annex'] }),
  list('not assessed', { riskLevel: ['none'] }),
  list('due between two days', {
    'dueDate.from': '2026-01-01T00:00:00Z',
    'dueDate.to': '2099-01-01T00:00:00Z',
  }),
  ...[1, 50, 900].map((pages) => behind(pages, '-createdAt', 'created_at')),
  ...[1, 50, 900].map((pages) => behind(pages, 'title', 'title')),
  ...[50, 900].map((pages) => behind(pages, 'dueDate', 'due_date')),
  counts('count beside the list', { counted: ['total'] }),
  counts('the same of a status', { counted: ['total'], status: ['in_treatment'] }),
  counts('what is due, nobody’s', { counted: ['due', 'ownerless'] }),
  counts('the matrix', { counted: ['riskLevel', 'current', 'inherent', 'residual'] }),
  counts('counts of all', {}),
  counts('counts of a status', { status: ['in_treatment'] }),
  counts('counts of what is overdue', { due: ['overdue'] }),
  counts('counts of a word', { q: RARE_WORD }),
]

function fieldsAsked(): Asked[] {
  const kind = kinds.risk as unknown as Kind
  return [
    ...sortFieldsOf(kind).map((sort) => list(`by ${sort}`, {}, sort)),
    ...filterFieldsOf(kind).map((field) => list(field.name, filterOn(field))),
  ]
}

/** What a field can be asked for: the first of its words, a range, and what is not set. */
function filterOn(field: FilterField): Values {
  const { name, schema, form, unset } = field
  const [low, high] = endsOf(field)
  const none = unset ? [unset] : []
  const time = storageOf(schema) === 'date' ? '' : 'T00:00:00Z'
  if (form === 'dates')
    return {
      [low!]: `2026-01-01${time}`,
      [high!]: `2100-01-01${time}`,
      ...(unset ? { [name]: none } : {}),
    }
  if (form === 'numbers') return { [low!]: 5, [high!]: 12, ...(unset ? { [name]: none } : {}) }
  const { element, options } = schema as { element?: { options?: string[] }; options?: string[] }
  const [first = 'annex'] = options ?? element?.options ?? []
  return { [name]: [first, ...none] }
}
