/** Promise: whatever kills the processes that carry an import out, each row is written once, and what became of it told. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { JobWorkers } from './support/job-workers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'
import { until } from './support/until.ts'

const ROWS = Number(process.env.IMPORT_ROWS ?? 20_000)
const KILLS = Number(process.env.IMPORT_KILLS ?? 50)

/** It only starts jobs; the processes below work them. */
let one: TestService
let acme: TestOrganization
let workers: JobWorkers
beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  acme = await one.organization()
  workers = new JobWorkers(one)
})
afterEach(() => workers.endAll())
afterAll(() => one.close())

const count = async (table: string): Promise<number> => {
  const { rows } = await one.administrator.query<{ count: number }>(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [acme.id],
  )
  return rows[0]!.count
}

test(`${KILLS} kills in an import of ${ROWS} rows write each row once, with one signal`, async () => {
  const sheets = sheetsOf(one, acme.admin)
  const rows = Array.from({ length: ROWS }, (_, at) => `Risk ${at},Rare,Minor`)
  const begun = await sheets.begin('risk', ['Title,Likelihood,Impact', ...rows].join('\n'))
  let worker = await workers.start()
  const planned = await sheets.plan(begun)
  expect(planned.planned).toMatchObject({ create: ROWS })
  await sheets.ask('applyBulkChange', { id: begun.id, rows: 'good' })
  let kills = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await count('risks')
    if (before === ROWS) break
    // By rows and not by time: however fast the machine is, all kills come while rows are written.
    const most = before + 1 + Math.floor(Math.random() * ((ROWS / KILLS) * 0.75))
    await until(async () => (await count('risks')) >= most, 'further rows', 60_000)
    await workers.end(worker)
    kills += 1
    worker = await workers.start()
  }
  const applied = await until(
    async () => {
      const { rows: found } = await one.administrator.query('select stage from bulk_changes where id = $1', [
        begun.id,
      ])
      return found[0].stage === 'applied'
    },
    'its end',
    600_000,
  )
  expect(applied).toBe(true)
  expect(kills).toBe(KILLS)
  expect(await count('risks')).toBe(ROWS)
  expect(await count('signals')).toBe(ROWS)
  const { rows: told } = await one.administrator.query(
    `select count(*)::int as rows, count(distinct record_id)::int as records from bulk_change_rows
      where bulk_change_id = $1 and done = 'created'`,
    [begun.id],
  )
  expect(told).toEqual([{ rows: ROWS, records: ROWS }])
}, 1_200_000)
