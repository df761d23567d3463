import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDue, startClock, type Task } from '../server/clock/clock.ts'
import { startTestService, type TestService } from './support/service.ts'

let one: TestService

beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

test('what is due runs at once when the clock starts, and answers older than a day are gone', async () => {
  const acme = await one.organization()
  const create = (key: string) => one.call(acme.admin, 'createRisk', { title: key }, key)
  await create('old')
  await one.moveClock(86_400_000)
  await create('young')
  const clock = startClock(one.service)
  await clock.stop()
  const { rows } = await one.administrator.query('select key from idempotency_answers')
  expect(rows).toEqual([{ key: 'young' }])
})

test('two processes never work at the same time, and a task that fails takes none with it', async () => {
  let [atWork, most, runs] = [0, 0, 0]
  const slow: Task = {
    name: 'slow',
    everyMinutes: 1,
    run: async () => {
      atWork += 1
      most = Math.max(most, atWork)
      await sleep(50)
      atWork -= 1
      runs += 1
    },
  }
  const broken: Task = { name: 'broken', everyMinutes: 1, run: (gate) => gate.query('select 1 / 0') }
  await Promise.all(Array.from({ length: 4 }, () => runDue(one.service, [broken, slow])))
  expect(most).toBe(1)
  expect(runs).toBeGreaterThanOrEqual(1)
  await runDue(one.service, [slow])
  expect(atWork).toBe(0)
})
