/** Promise: work of the clock that fails, or ends its process, again and again rests, and keeps no other work. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDue, type Task } from '../server/clock/clock.ts'
import { beginWork } from '../server/clock/losses.ts'
import { takeTurn } from '../server/deadlines/turn.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import type { Mail } from '../server/mail/mail.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import type { Parts } from '../server/operation.ts'
import { startTestService, type TestService } from './support/service.ts'

const HOUR = 3_600_000

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

let workers = 1_000
/** A process that begins the work, and ends in the middle of it. */
const die = (task: string, unit = '') => {
  workers += 1
  const worker = workers
  return beginWork({ ...one.service, worker: () => worker }, task, unit)
}
const setAside = async () =>
  Number(/^plumbline_work_set_aside (\S+)$/m.exec(await openMetrics(one.service).registry.metrics())?.[1])
const marks = async () => (await one.administrator.query('select task, unit from work_under_way')).rows
const losses = async () =>
  (await one.administrator.query('select unit, losses from work_losses order by unit')).rows

test('a task that ended three processes in a row rests for an hour, then longer; the others run', async () => {
  const ran: string[] = []
  const task = (name: string): Task => ({ name, everyMinutes: 1, runApart: async () => ran.push(name) })
  const alone: Task = { name: 'alone', everyMinutes: 1, run: async () => ran.push('alone') }
  const tick = async () => {
    ran.length = 0
    await runDue(one.service, [task('fatal'), alone, task('fine')])
    return ran
  }
  expect(await tick()).toEqual(['fatal', 'alone', 'fine'])
  expect([await marks(), await losses()]).toEqual([[], []])
  for (let n = 0; n < 2; n += 1) expect((await die('fatal')).rests).toBe(false)
  expect(await tick()).toEqual(['fatal', 'alone', 'fine'])
  expect(await losses()).toEqual([])
  for (let n = 0; n < 3; n += 1) await die('fatal')
  expect(await tick()).toEqual(['alone', 'fine'])
  expect(await tick()).toEqual(['alone', 'fine'])
  await one.moveClock(HOUR + 1_000)
  expect(await die('fatal')).toEqual({ losses: 3, rests: false })
  expect(await tick()).toEqual(['alone', 'fine'])
  expect(await setAside()).toBe(1)
  await one.moveClock(HOUR + 1_000)
  expect(await tick()).toEqual(['alone', 'fine'])
  await one.moveClock(HOUR)
  expect(await tick()).toEqual(['fatal', 'alone', 'fine'])
  expect([await marks(), await losses(), await setAside()]).toEqual([[], [], 0])
})

test('what a process that lives is at is no loss', async () => {
  const { service } = one
  await service.jobs.start()
  expect(service.worker()).toBeGreaterThan(0)
  await beginWork(service, 'slow', '')
  expect(await die('slow')).toEqual({ losses: 0, rests: false })
  await one.administrator.query('delete from work_under_way')
})

test('a deadline that ended its processes is put off, and the others of its organization are acted on', async () => {
  const { id: organizationId, admin } = await one.organization()
  const made = await Promise.all(
    ['Fatal', 'Fine'].map(async (title) => {
      const dueDate = new Date(Date.now() + 24 * HOUR).toISOString()
      return (await one.call(admin, 'createRisk', { title, dueDate })).body as { id: string }
    }),
  )
  const [fatal, fine] = made.map(({ id }) => id)
  await one.moveClock(96 * HOUR)
  const task = 'deadlines of an organization'
  await die(task, organizationId)
  for (let n = 0; n < 3; n += 1) await die(task, `${organizationId} ${fatal}`)
  await takeTurn(one.service)
  const { rows } = await one.administrator.query(
    'select record_id as id, failures, due_at > clock_now() as later from deadlines where organization_id = $1',
    [organizationId],
  )
  const of = (id: string | undefined) => rows.filter((row) => row.id === id)
  expect(of(fatal)).toMatchObject([{ failures: 1, later: true }])
  expect(of(fine).filter(({ failures }) => failures > 0)).toEqual([])
  const { rows: moments } = await one.administrator.query(
    'select distinct record_id as id from due_moments where organization_id = $1',
    [organizationId],
  )
  expect(moments).toEqual([{ id: fine }])
})

test('a mail that fails by a fault of ours keeps no other, and is tried three times, then after an hour', async () => {
  const acme = await one.organization()
  const [author, ...people] = [
    await acme.person('editor'),
    await acme.person('editor'),
    await acme.person('editor'),
  ]
  for (const { userId } of people)
    await one.call(author!, 'createRisk', { title: 'Given', owner: { type: 'user', refId: userId } })
  const addresses = people.map(({ accountId }) => `${accountId}@example.com`)
  let tried: string[] = []
  const deliver: Mail['deliver'] = async ({ to }) => {
    tried.push(to)
    if (to === addresses[0]) throw new Error('a fault of ours')
    return { outcome: 'sent' }
  }
  const round = async (hours: number) => {
    await one.moveClock(hours * HOUR)
    tried = []
    await mailNotices({ ...one.service, mail: { deliver } as unknown as Mail } as Parts)
    return tried.filter((to) => addresses.includes(to)).sort()
  }
  expect(await round(0.1)).toEqual([...addresses].sort())
  // Its lease ends, and it is tried again.
  expect(await round(0.2)).toEqual([addresses[0]])
  expect(await round(0.2)).toEqual([addresses[0]])
  expect(await round(0.2)).toEqual([])
  expect(await round(1)).toEqual([addresses[0]])
  expect(await round(1)).toEqual([])
})
