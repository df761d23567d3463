import { afterAll, beforeAll, expect, test } from 'vitest'
import { deadlineClock } from './support/deadline-clock.ts'
import { momentOf, walkDeadlines } from './support/deadline-walk.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: whatever is edited, moved and killed, each threshold of each date is told once. The seed is printed, and
 * DEADLINES_SEED takes it again.
 */

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

test('three thousand random steps of two organizations', async () => {
  const seed = Number(process.env.DEADLINES_SEED ?? Math.floor(Math.random() * 2 ** 31))
  for (let walk = 0; walk < 10; walk++) {
    console.log(`DEADLINES_SEED=${seed + walk}`)
    const organizations = [await one.organization(), await one.organization()]
    await walkDeadlines(one, organizations, seed + walk, 300)
  }
})

const HOUR = 3_600_000
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']

test('three years in steps of an hour: each threshold within the hour in which it comes', async () => {
  const clock = deadlineClock(one)
  const [start, end] = [Date.parse('2027-01-01T00:00Z'), Date.parse('2030-01-01T00:00Z')]
  await clock.at(new Date(start).toISOString())
  const expected: string[] = []
  for (const timezone of ZONES) {
    const there: TestOrganization = await one.organization()
    await one.call(there.admin, 'updateOrganization', { timezone })
    for (let day = start + 40 * 24 * HOUR; day < end - 2 * 24 * HOUR; day += 24 * HOUR * 3) {
      const date = new Date(day).toISOString().slice(0, 10)
      const { body } = await one.call(there.admin, 'createRisk', { title: date, reviewDate: date })
      const { id } = body as { id: string }
      for (const threshold of [30, 7, 1, 0, -1]) {
        const hour = Math.ceil(momentOf(date, threshold, timezone) / HOUR) * HOUR
        expected.push(`${id} ${threshold} ${new Date(hour).toISOString()}`)
      }
    }
  }
  for (let now = start; now < end; now += HOUR) {
    await clock.at(new Date(now).toISOString())
    await clock.turn({ isKilled: now % (240 * HOUR) === 0 })
  }
  const told = clock.told.map(({ recordId, threshold, at }) => `${recordId} ${threshold} ${at}`)
  expect(told.sort()).toEqual(expected.sort())
})
