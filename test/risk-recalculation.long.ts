/** Promise: however often the process is killed that recomputes the levels, each record is told once of what moved. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registerOf } from './support/rated-register.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const RISKS = 20_000
const KILLS = 50

/** It only starts the job; the processes below work it. */
let one: TestService
let acme: TestOrganization
let worker: ChildProcess | null = null

beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  acme = await one.organization()
})
afterEach(() => kill())
afterAll(() => one.close())

async function start(): Promise<void> {
  worker = fork(fileURLToPath(new URL('./support/job-worker.ts', import.meta.url)), {
    env: {
      ...process.env,
      ...{ LOG_LEVEL: 'silent', METRICS_PORT: '0', ROLE: 'worker' },
      ...{ TEST_URL: one.database.url, TEST_MASTER_KEY: one.masterKey },
    },
    execArgv: [],
  })
  await once(worker, 'message')
}

async function kill(): Promise<void> {
  if (!worker) return
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  worker = null
  await ended
}

test(`${KILLS} kills among ${RISKS.toLocaleString('en')} risks repeat none and leave none out`, async () => {
  const register = registerOf(one, acme)
  await register.fill(8)
  await one.administrator.query(
    `insert into risks (organization_id, id, reference_number, title, status, category, likelihood, impact, risk_score,
       risk_level, treatment_strategy, source, version, created_at, created_by, updated_at, updated_by)
     select organization_id, 'risk_' || lpad(n::text, 26, '0'), 100000 + n, title, status, category, likelihood, impact,
            risk_score, risk_level, treatment_strategy, source, 1, created_at, created_by, updated_at, updated_by
       from (select *, row_number() over () as place from risks where organization_id = $1) r
       join generate_series(1, $2::int) n on place = 1 + n % (select count(*) from risks where organization_id = $1)`,
    [acme.id, RISKS],
  )
  const levels = ['insignificant', 'minor', 'moderate', 'major', 'severe']
  const row = Object.fromEntries(levels.map((impact) => [impact, { level: 'critical', score: 25 }]))
  const { body } = await one.call(acme.admin, 'updateRiskMatrix', {
    cells: Object.fromEntries(
      ['rare', 'unlikely', 'possible', 'likely', 'almost_certain'].map((likelihood) => [likelihood, row]),
    ),
  })
  const id = (body as { recalculation: { jobId: string } }).recalculation.jobId
  const job = async () =>
    (await one.administrator.query('select state, done from jobs where id = $1', [id])).rows[0]
  for (let killed = 0; killed < KILLS; killed += 1) {
    await start()
    const { done } = await job()
    await until(async () => (await job()).done > done, 'a piece')
    await new Promise((resolve) => setTimeout(resolve, (killed * 7) % 40))
    await kill()
    await one.moveClock(61_000)
    expect((await job()).state, 'make its pieces smaller').toBe('running')
  }
  await start()
  await until(async () => (await job()).state === 'succeeded', 'its end', 300_000)
  const entries = await register.entries('Version 2 of the risk matrix')
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
  expect(await register.levels()).toEqual(await register.levelsByMatrix())
})
