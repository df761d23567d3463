import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runDue, startClock, type Task } from '../server/clock/clock.ts'
import { gateTransaction } from '../server/database/transaction.ts'
import { makeLink } from '../server/identity/one-time-links.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { countAttempt } from '../server/identity/sign-in-rate-limiter.ts'
import { scheduledTasks } from '../server/scheduled-tasks.ts'
import { isolateFaults } from '../server/unit-of-work.ts'
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
  const clock = startClock(one.service, scheduledTasks)
  await clock.stop()
  const { rows } = await one.administrator.query('select key from idempotency_answers')
  expect(rows).toEqual([{ key: 'young' }])
})

test('what let people in is gone when it lets nobody in any more', async () => {
  const acme = await one.organization()
  const enter = () =>
    beginSession(
      one.service,
      { channel: 'ui', requestId: 'r' },
      { accountId: acme.admin.accountId, organizationId: acme.id, method: 'password' },
    )
  const link = async (purpose: 'invitation' | 'password_reset') =>
    gateTransaction(one.service.database.tenant, async (tx) =>
      makeLink(one.service, tx, { purpose, accountId: acme.admin.accountId }),
    )
  await enter()
  await link('invitation')
  await link('password_reset')
  await countAttempt(one.service, 'password', 'old@example.com', { ip: '192.0.2.1' })
  await one.moveClock(25 * 3_600_000)
  await enter()
  await countAttempt(one.service, 'password', 'young@example.com', { ip: '192.0.2.2' })
  await startClock(one.service, scheduledTasks).stop()
  const counted = async (table: string) =>
    (await one.administrator.query(`select count(*)::int as n from ${table}`)).rows[0].n
  expect(await counted('sessions')).toBe(1)
  expect(await counted('sign_in_counts')).toBe(3)
  const { rows } = await one.administrator.query('select purpose from one_time_links')
  expect(rows).toEqual([{ purpose: 'invitation' }])
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

test('it looks at once, and then just behind each full minute, whenever it was started', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date'],
    now: Date.parse('2026-01-01T23:59:20Z'),
  })
  onTestFinished(() => void vi.useRealTimers())
  const looked: string[] = []
  const look: Task = {
    // With a mark in the database it would look only after an answer, for which no moved time waits.
    ...{ name: 'look', everyMinutes: 1, marksItsParts: true },
    runApart: async () => looked.push(new Date().toISOString().slice(11)),
  }
  const clock = startClock(one.service, [look])
  await vi.advanceTimersByTimeAsync(120_000)
  await clock.stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(looked).toEqual(['23:59:20.000Z', '00:00:00.500Z', '00:01:00.500Z'])
})

test('a task whose error no code caught gives back its lock, its mark and its connection', async () => {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  })
  isolateFaults(one.service.log, () => {})
  const ran: string[] = []
  const lost: Task = {
    ...{ name: 'lost', everyMinutes: 1 },
    run: () => {
      process.emit('uncaughtException', new Error('thrown by a timer'), 'uncaughtException')
      return new Promise(() => {})
    },
  }
  const next: Task = { ...{ name: 'next', everyMinutes: 1 }, run: async () => ran.push('next') }
  const { gate } = one.service.database
  const taken = () => gate.totalCount - gate.idleCount
  const before = taken()
  await runDue(one.service, [lost, next])
  expect([ran, taken() - before]).toEqual([['next'], 0])
  expect((await one.administrator.query('select from work_under_way')).rows).toEqual([])
})
