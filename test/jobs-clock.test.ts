/** Promise: however the clock jumps, a job that is under way goes on, and no piece of it is done twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../server/database/transaction.ts'
import { startJobOfService } from '../server/jobs/start-job.ts'
import { buildService, type Service } from '../server/service.ts'
import { makeWrittenRows, writeRows } from './support/counting-job.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let one: TestService
let other: Service
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService({}, [], [writeRows])
  acme = await one.organization()
  await makeWrittenRows(one)
  other = buildService(one.service.config, one.database.url, one.masterKey, undefined, [writeRows])
  await other.jobs.start()
})
afterAll(async () => {
  await other.close()
  await one.close()
})

const ROWS = 120

test.each([
  ['put back', -600_000],
  ['put forward', 600_000],
])('the clock is %s', async (name, by) => {
  // Longer than a turn, so that it is handed back on the way.
  const input = { name, rows: ROWS, inPiece: 1, pieceMs: 20 }
  await transaction(one.service.database.tenant, acme.id, (tx) =>
    startJobOfService(one.service, tx, writeRows, input),
  )
  const written = async () =>
    (
      await one.administrator.query<{ n: number }>('select n from written_rows where job = $1 order by n', [
        name,
      ])
    ).rows.map(({ n }) => n)
  await until(async () => (await written()).length > 5)
  await one.moveClock(by)
  await until(
    async () => {
      await Promise.all([one.service.jobs.sweep(), other.jobs.sweep()])
      return (await written()).length >= ROWS
    },
    'the last piece',
    60_000,
  )
  expect(await written()).toEqual(Array.from({ length: ROWS }, (_, place) => place + 1))
})
