/** Promise: operators see of each kind of job what waits, what is worked, and how it ended. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { transaction } from '../server/database/transaction.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import { jobKind } from '../server/jobs/job-kind.ts'
import { startJob } from '../server/jobs/start-job.ts'
import { scope } from '../server/operation.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let one: TestService
let acme: TestOrganization
const { promise: held, resolve: release } = Promise.withResolvers<void>()

const wait = jobKind({
  name: 'wait',
  title: 'Wait',
  input: z.object({ fails: z.boolean() }),
  needs: scope('write:risks'),
  perOrganization: 3,
  keptDays: 1,
  run: async ({ input }) => {
    await held
    return input.fails ? { failed: 'It was asked to.' } : undefined
  },
})

beforeAll(async () => {
  one = await startTestService({}, [], [wait])
  acme = await one.organization()
})
afterAll(() => one.close())

test('what is there to do is told by kind, of all processes, and what ended by how it did', async () => {
  const { registry } = openMetrics(one.service)
  const read = async (name: string): Promise<number> =>
    Number(new RegExp(`^plumbline_jobs_${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1])
  const start = (fails: boolean) =>
    transaction(one.service.database.tenant, acme.id, (tx) =>
      startJob({ tx, caller: acme.admin, parts: one.service }, wait, { fails }),
    )
  for (const fails of [false, false, true, false, true]) await start(fails)
  await until(async () => (await read('running{kind="wait"}')) === 3, 'three that are worked')
  expect(await read('waiting{kind="wait"}')).toBe(2)
  await one.moveClock(30_000)
  expect(await read('oldest_waiting_seconds{kind="wait"}')).toBeGreaterThanOrEqual(30)
  expect(await read('waiting{kind="sendMail"}')).toBe(0)
  release()
  await until(async () => (await read('ended_total{kind="wait",state="succeeded"}')) === 3, 'three ends')
  await until(async () => (await read('ended_total{kind="wait",state="failed"}')) === 2, 'two failures')
  expect(await read('running{kind="wait"}')).toBe(0)
  expect(await read('oldest_waiting_seconds{kind="wait"}')).toBe(0)
})
