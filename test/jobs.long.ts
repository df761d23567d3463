/** Promise: whatever kills the processes that work it, each piece of a job is done once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { transaction } from '../server/database/transaction.ts'
import { startJob, startJobOfService } from '../server/jobs/start-job.ts'
import { makeWrittenRows, writeRows } from './support/counting-job.ts'
import { JobWorkers } from './support/job-workers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const ROWS = 20_000

/** It only starts jobs; the processes below work them. */
let one: TestService
let acme: TestOrganization
let workers: JobWorkers

beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' }, [], [writeRows])
  await makeWrittenRows(one)
  acme = await one.organization()
  workers = new JobWorkers(one)
})
afterEach(() => workers.endAll())
afterAll(() => one.close())

const start = (name: string, inPiece: number, rows = ROWS, { id, admin } = acme) =>
  transaction(one.service.database.tenant, id, (tx) =>
    startJob({ tx, caller: admin, parts: one.service }, writeRows, { name, rows, inPiece }),
  )

/** Long enough that kills find them there. */
const LONG = { rows: ROWS, inPiece: 20, pieceMs: 10 }

const starts = {
  'a person': (name: string) =>
    transaction(one.service.database.tenant, acme.id, (tx) =>
      startJob({ tx, caller: acme.admin, parts: one.service }, writeRows, { name, ...LONG }),
    ),
  'the service': async (name: string) =>
    (await transaction(one.service.database.tenant, acme.id, (tx) =>
      startJobOfService(one.service, tx, writeRows, { name, ...LONG }),
    ))!,
}

const written = async (job: string) =>
  (
    await one.administrator.query<{ rows: number; different: number; last: number }>(
      'select count(*)::int as rows, count(distinct n)::int as different, coalesce(max(n), 0) as last from written_rows where job = $1',
      [job],
    )
  ).rows[0]!

const jobOf = async (id: string) =>
  (await one.administrator.query('select * from jobs where id = $1', [id])).rows[0]

test.each(Object.entries(starts))(
  '50 kills in a job of %s of 20,000 rows, among two workers, repeat no piece and leave none out',
  async (who, startOne) => {
    const name = `killed, of ${who}`
    const id = await startOne(name)
    let kept = await workers.start()
    for (let kill = 0; kill < 50; kill += 1) {
      // It sleeps past its lease, in the middle of a piece as often as not, and wakes beside another.
      kept.kill('SIGSTOP')
      await one.moveClock(61_000)
      const other = await workers.start()
      kept.kill('SIGCONT')
      const before = (await written(name)).rows
      await until(async () => (await written(name)).rows > before)
      await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 40))
      const [dies, lives] = kill % 2 === 0 ? [kept, other] : [other, kept]
      await workers.end(dies)
      kept = lives
      const now = await written(name)
      expect(now.different).toBe(now.rows)
      expect((await jobOf(id)).state, 'make its pieces smaller').toBe('running')
    }
    await until(async () => (await jobOf(id)).state === 'succeeded', 'its end', 300_000)
    expect(await written(name)).toEqual({ rows: ROWS, different: ROWS, last: ROWS })
    expect(await jobOf(id)).toMatchObject({ done: ROWS, total: ROWS, error_count: 0, claim_id: null })
  },
)

test('two workers share the jobs, and a stop hands back what it had', async () => {
  const first = await workers.start()
  await workers.start()
  const others = await Promise.all([1, 2, 3].map(() => one.organization()))
  const ids = await Promise.all(others.map((other, n) => start(`shared ${n}`, 200, ROWS, other)))
  await until(async () => (await written('shared 0')).rows > 1_000)
  await workers.end(first, 'SIGTERM')
  for (const [n, id] of ids.entries()) {
    await until(async () => (await jobOf(id)).state === 'succeeded', 'its end', 300_000)
    expect(await written(`shared ${n}`)).toEqual({ rows: ROWS, different: ROWS, last: ROWS })
    expect(await jobOf(id)).toMatchObject({ losses: 0 })
  }
})

test('a cancel in the middle leaves whole pieces', async () => {
  await workers.start()
  await workers.start()
  const id = await start('cancelled', 20)
  await until(async () => (await written('cancelled')).rows > 200)
  await one.call(acme.admin, 'cancelJob', { id })
  const { done } = await until(async () => {
    const job = await jobOf(id)
    return job.state === 'cancelled' && job
  })
  expect(done).toBeLessThan(ROWS)
  expect(await written('cancelled')).toEqual({ rows: done, different: done, last: done })
  // It would have gone on before the one behind it in its lane.
  const behind = await start('behind', 200, 1_000)
  await until(async () => (await jobOf(behind)).state === 'succeeded')
  expect((await written('cancelled')).rows).toBe(done)
})

test('ten organizations with a job each wait for none of the thousand of another', async () => {
  const others = await Promise.all(Array.from({ length: 10 }, () => one.organization()))
  const MANY = 1_000
  for (let n = 0; n < MANY; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, k) => start(`many ${n + k}`, 1, 3)))
  await Promise.all(others.map((other) => start('few', 1, 3, other)))
  await workers.start()
  await workers.start()
  const ended = async (ids: readonly string[]) =>
    (
      await one.administrator.query<{ ended_at: Date }>(
        "select ended_at from jobs where kind = 'writeRows' and state = 'succeeded' and organization_id = any($1) and input->>'rows' = '3' order by 1",
        [ids],
      )
    ).rows.map(({ ended_at: at }) => at.getTime())
  await until(async () => (await ended([acme.id])).length === MANY, 'the end of the thousand', 300_000)
  const few = await ended(others.map(({ id }) => id))
  expect(few).toHaveLength(10)
  const before = (await ended([acme.id])).filter((at) => at < few.at(-1)!).length
  expect(before, 'of the thousand, before the last of the ten').toBeLessThan(MANY / 5)
})
