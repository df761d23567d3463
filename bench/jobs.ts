import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { connect, type Database, statement } from '../server/database/connect.ts'
import { transaction } from '../server/database/transaction.ts'
import { jobKind } from '../server/jobs/job-kind.ts'
import { startJobOfService } from '../server/jobs/start-job.ts'
import type { Service } from '../server/service.ts'
import { compare, interleave } from './figures.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const JOBS = Number(process.env.BENCH_SCALE ?? 10_000)
const PIECES = 3
const ORGANIZATIONS = 20
const WORKERS = 2
/** As many as one worker has slots. */
const AT_ONCE = 8

export const jobs: Row = {
  name: 'jobs',
  title: `${JOBS.toLocaleString('en')} jobs of three pieces, of ${ORGANIZATIONS} organizations, two workers`,
  notes: [
    'A piece writes one row in a transaction of its organization. The bare loop claims with SKIP LOCKED, as many at a',
    'time as a worker has slots, and sends each piece in one burst over the same pools: the row, and where the job is.',
    'It leaves out fairness and caps, the fence and the cancel that each piece asks for, retries and what people read.',
    'Both run in this one process, two of each with pools of their own.',
  ],
  run: measure,
}

const insertPiece = statement('insert into bench_pieces (organization_id, job, n) values ($1, $2, $3)')

const Empty = z.object({})
const threePieces = jobKind<typeof Empty, number>({
  name: 'threePieces',
  title: 'Three pieces',
  input: Empty,
  needs: { anyOf: [] },
  perOrganization: AT_ONCE * WORKERS,
  keptDays: 1,
  run: async ({ job, step }) => {
    const piece = () =>
      step(async ({ tx, place }) => {
        const n = (place ?? 0) + 1
        tx.write(insertPiece(tx.organizationId, job.id, n))
        return n < PIECES ? n : null
      })
    while (await piece());
    return undefined
  },
})

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  await database.administrator.query(`
    create table bench_pieces (organization_id text, job text, n int);
    grant insert on bench_pieces to plumbline_tenant;
    create table bare_jobs (
      id text primary key, organization_id text not null, place int not null default 0, due_at timestamptz, claim_id uuid
    ) with (fillfactor = 60);
    create index bare_jobs_due on bare_jobs (due_at) where due_at is not null;
    grant select, update on bare_jobs to plumbline_tenant, plumbline_engine`)
  const organizations: Organization[] = []
  for (let n = 0; n < ORGANIZATIONS; n += 1)
    organizations.push(await makeOrganization(database.administrator, stand.masterKey))
  stand.say('jobs: warming up')
  await workJobs(stand, database, organizations, JOBS / 10)
  await workBare(stand, database, organizations, JOBS / 10)
  stand.say(`jobs: ${JOBS.toLocaleString('en')} against a bare loop`)
  const rates = await interleave(
    stand.rounds,
    () => workJobs(stand, database, organizations, JOBS),
    () => workBare(stand, database, organizations, JOBS),
  )
  const of = (measured: readonly Worked[], figure: keyof Worked) => measured.map((one) => one[figure])
  return [
    {
      measure: 'jobs of three pieces',
      unit: '/s',
      ...compare(of(rates.products, 'rate'), of(rates.yardsticks, 'rate')),
      yardstickIs: 'bare claim loop',
      target: ratioAtLeast(0.5),
    },
    ...(['own', 'postgres'] as const).map((whose) => ({
      measure: `processor time of a job, ${whose === 'own' ? 'Node.js' : 'PostgreSQL'}`,
      unit: 'ms' as const,
      ...compare(of(rates.products, whose), of(rates.yardsticks, whose)),
      yardstickIs: 'bare claim loop',
      target: null,
    })),
  ]
}

interface Worked {
  /** Jobs a second, from the begin of the workers to the end of the last job. */
  readonly rate: number
  /** Milliseconds of the processor that a job took, of this process and of PostgreSQL. */
  readonly own: number
  readonly postgres: number
}

/** Begins to measure; what is returned ends that. */
function measuring(stand: Stand): (count: number) => Worked {
  const before = { at: performance.now(), own: process.cpuUsage(), postgres: stand.postgresTime() }
  return (count) => {
    const { user, system } = process.cpuUsage(before.own)
    return {
      rate: (count / (performance.now() - before.at)) * 1_000,
      own: (user + system) / 1_000 / count,
      postgres: (stand.postgresTime() - before.postgres) / count,
    }
  }
}

const settle = async ({ administrator }: StandDatabase) => {
  await administrator.query('truncate bench_pieces, bare_jobs')
  await administrator.query('delete from jobs')
  await administrator.query('vacuum analyze jobs, bare_jobs')
  await administrator.query('checkpoint')
}

/** Everything must have been done, each piece once. */
async function refuseUnlessDone({ administrator }: StandDatabase, count: number): Promise<void> {
  const { rows } = await administrator.query(
    'select count(*)::int as pieces, count(distinct (job, n))::int as different from bench_pieces',
  )
  if (rows[0].pieces !== count * PIECES || rows[0].different !== count * PIECES)
    throw new Error(`${JSON.stringify(rows[0])} of ${count * PIECES} pieces were done`)
}

async function workJobs(
  stand: Stand,
  database: StandDatabase,
  organizations: readonly Organization[],
  count: number,
): Promise<Worked> {
  await settle(database)
  const services: Service[] = []
  for (let n = 0; n < WORKERS; n += 1) services.push(stand.parts(database, [threePieces]))
  const [starter] = services as [Service]
  for (const { id } of organizations)
    await transaction(starter.database.tenant, id, async (tx) => {
      await Promise.all(
        Array.from({ length: count / ORGANIZATIONS }, () => startJobOfService(starter, tx, threePieces, {})),
      )
    })
  const left = async () =>
    (await database.administrator.query('select exists (select from jobs where due_at is not null) as any'))
      .rows[0].any
  const measured = measuring(stand)
  await Promise.all(services.map((service) => service.jobs.start()))
  while (await left()) await new Promise((resolve) => setTimeout(resolve, 20))
  const worked = measured(count)
  for (const service of services) await service.close()
  await refuseUnlessDone(database, count)
  return worked
}

const enter = statement(
  "select set_config('role', 'plumbline_tenant', true), set_config('plumbline.organization', $1, true)",
)
const claim = statement(`
  update bare_jobs set claim_id = $1, due_at = now() + interval '60 seconds'
   where id in (select id from bare_jobs where due_at <= now() order by due_at limit ${AT_ONCE} for update skip locked)
  returning id, organization_id`)
const move = statement('update bare_jobs set place = $2 where id = $1')
const finish = statement('update bare_jobs set place = $2, due_at = null, claim_id = null where id = $1')

async function workBare(
  stand: Stand,
  database: StandDatabase,
  organizations: readonly Organization[],
  count: number,
): Promise<Worked> {
  await settle(database)
  await database.administrator.query(
    `insert into bare_jobs (id, organization_id, due_at)
     select 'job_' || n, ($1::text[])[1 + n % ${ORGANIZATIONS}], now() from generate_series(1, $2::int) n`,
    [organizations.map(({ id }) => id), count],
  )
  const pools = Array.from({ length: WORKERS }, () => connect(database.url))
  const measured = measuring(stand)
  await Promise.all(pools.map(bareLoop))
  const worked = measured(count)
  for (const pool of pools) await pool.close()
  await refuseUnlessDone(database, count)
  return worked
}

/** Claims while it works what it has. */
async function bareLoop(database: Database): Promise<void> {
  let next = database.engine.query(claim(randomUUID()))
  for (;;) {
    const { rows } = await next
    if (rows.length === 0) return
    next = database.engine.query(claim(randomUUID()))
    await Promise.all(
      rows.map(({ id, organization_id: organizationId }) => bareJob(database, id, organizationId)),
    )
  }
}

async function bareJob({ tenant }: Database, id: string, organizationId: string): Promise<void> {
  for (let n = 1; n <= PIECES; n += 1) {
    const client = await tenant.connect()
    try {
      await Promise.all([
        client.query('begin'),
        client.query(enter(organizationId)),
        client.query(insertPiece(organizationId, id, n)),
        client.query((n < PIECES ? move : finish)(id, n)),
        client.query('commit'),
      ])
    } finally {
      client.release()
    }
  }
}
