import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { call } from '../server/call.ts'
import { operations } from '../server/operations.ts'
import { type BigRegister, makeRegister } from './big-register.ts'
import { compare, interleave } from './figures.ts'
import type { Finding, Row } from './row.ts'
import { personOf } from './seed.ts'
import type { Stand } from './stand.ts'

const RISKS = 22_000
const LIMIT = 200
const WORD = 'gateway'
const CALLS = Number(process.env.BENCH_CALLS ?? 40)

export const listRisks: Row = {
  name: 'list-risks',
  title:
    'a page of 200 of 22,000 risks, searched and sorted: time of the event loop and of PostgreSQL per call',
  notes: [
    'call() and the JSON of its answer, in this process, one call at a time. The yardstick is a query that Kysely',
    'composes and sends: the same rows in the same order, all columns of the table, and their JSON. It leaves out',
    'permissions, row security, input, the names of owners, links, the form of the API, and the cursor.',
    'BENCH_CALLS sets the calls per round.',
  ],
  run: measure,
}

const SORTS = ['title', '-riskScore', '-createdAt'] as const

async function measure(stand: Stand): Promise<Finding[]> {
  stand.say('list-risks: filling a register')
  const register = await makeRegister(stand, RISKS)
  const parts = stand.parts(register.database)
  const caller = personOf(register)
  const operation = operations.find(({ name }) => name === 'listRisks')!
  const bare = bareList(register)
  const findings: Finding[] = []
  for (const sort of SORTS) {
    stand.say(`list-risks: by ${sort}`)
    const input = { q: WORD, sort, limit: LIMIT }
    const product = () =>
      timed(stand, async () => {
        JSON.stringify((await call(parts, caller, operation, input)).body)
      })
    const yardstick = () =>
      timed(stand, async () => {
        JSON.stringify(await bare.list(sort))
      })
    await product()
    await yardstick()
    const { products, yardsticks } = await interleave(stand.rounds, product, yardstick)
    const finding = (measure: string, of: keyof Timed, target: Finding['target']): Finding => ({
      measure: `${measure}, by ${sort}`,
      unit: 'ms',
      ...compare(
        products.map((one) => one[of]),
        yardsticks.map((one) => one[of]),
      ),
      yardstickIs: 'Kysely',
      target,
    })
    findings.push(finding('event loop', 'eventLoop', null), finding('PostgreSQL', 'postgres', null))
  }
  await bare.close()
  await parts.close()
  return findings
}

interface Timed {
  /** Milliseconds per call in which the event loop was busy. */
  readonly eventLoop: number
  readonly postgres: number
}

async function timed(stand: Stand, work: () => Promise<void>): Promise<Timed> {
  const [cpu, postgres] = [process.threadCpuUsage(), stand.postgresTime()]
  for (let done = 0; done < CALLS; done++) await work()
  return {
    eventLoop: millisecondsOf(process.threadCpuUsage(cpu)) / CALLS,
    postgres: (stand.postgresTime() - postgres) / CALLS,
  }
}

/** The same rows by a query builder on the administrator's rights, which no row security holds. */
function bareList({ id, database }: BigRegister) {
  const pool = new pg.Pool({ connectionString: database.administratorUrl, max: 1 })
  const kysely = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: new PostgresDialect({ pool }),
  })
  return {
    list: (sort: (typeof SORTS)[number]) => {
      const column = { title: 'title', '-riskScore': 'risk_score', '-createdAt': 'created_at' }[sort]
      const way = sort.startsWith('-') ? 'desc' : 'asc'
      return kysely
        .selectFrom('risks')
        .selectAll()
        .where('organization_id', '=', id)
        .where('archived_at', 'is', null)
        .where(sql<boolean>`strpos(search_text, ${WORD}) > 0`)
        .orderBy(sql.ref(column), (order) =>
          way === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast(),
        )
        .orderBy('id', way)
        .limit(LIMIT)
        .execute()
    },
    close: () => kysely.destroy(),
  }
}

const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
