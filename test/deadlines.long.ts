import { afterAll, beforeAll, expect, test } from 'vitest'
import { OVER } from '../model/deadlines.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { type DeadlineClock, deadlineClock, decide } from './support/deadline-clock.ts'
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
const DAY = 24 * HOUR
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']

/** A risk that is to be reviewed, or evidence that ends. */
interface Dated {
  readonly id: string
  readonly date: string
  readonly timezone: string
  readonly thresholds: readonly number[]
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Of three years every eighth day, and each 29 February. */
const threeYears = (start: number): string[] =>
  Array.from({ length: 3 * 365 - 42 }, (_, n) => 40 + n)
    .filter((n) => n % 8 === 1 || dayOf(start + n * DAY).endsWith('02-29'))
    .map((n) => dayOf(start + n * DAY))

/** A risk and evidence for each date, in each zone. */
async function makeDated(dates: readonly string[]): Promise<Dated[]> {
  const made: Dated[] = []
  for (const timezone of ZONES) {
    const there = await one.organization()
    await one.call(there.admin, 'updateOrganization', { timezone })
    const make = async (name: string, input: object) =>
      ((await one.call(there.admin, name, input)).body as { id: string }).id
    for (const date of dates) {
      const risk = await make('createRisk', { title: date, reviewDate: date })
      made.push({ id: risk, date, timezone, thresholds: [30, 7, 1, 0, OVER] })
      const proof = await make('createEvidence', { title: date, expiryDate: date })
      await decide(one, there, kinds.evidence as unknown as Kind, proof, { status: 'approved' })
      made.push({ id: proof, date, timezone, thresholds: [30, 7, 1, OVER] })
    }
  }
  return made
}

/** What was told of these. */
const toldOf = ({ told }: DeadlineClock, dated: readonly Dated[]): string[] => {
  const ids = new Set(dated.map(({ id }) => id))
  return told
    .filter(({ recordId }) => ids.has(recordId))
    .map(({ recordId, threshold, lapsedTo, at }) => `${recordId} ${threshold} ${lapsedTo} ${at}`)
    .sort()
}

/** What ends by its date does so as that is over. */
const said = ({ id }: Dated, threshold: number, at: number) =>
  `${id} ${threshold} ${threshold === OVER && id.startsWith('evd_') ? 'expired' : null} ${new Date(at).toISOString()}`

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

/** Days before and after which clocks change, and the one that most years have not. */
const DAYS = ['2027-03-13', '2027-04-03', '2027-09-25', '2027-11-06', '2028-02-28']

test('what ends does so within the hour in which its day is over, where the organization is', async () => {
  const clock = deadlineClock(one)
  await clock.at('2027-01-01T00:00:00Z')
  const dates = DAYS.flatMap((day) => [0, 1, 2].map((after) => dayOf(Date.parse(day) + after * DAY)))
  const dated = await makeDated(dates)
  for (const day of DAYS) {
    const first = Date.parse(day)
    for (let now = first - DAY; now < first + 4 * DAY; now += HOUR) {
      await clock.at(new Date(now).toISOString())
      await clock.turn({ isKilled: now % (24 * HOUR) === 0 })
    }
  }
  const expected = dated.map((record) =>
    said(record, OVER, Math.ceil(momentOf(record.date, OVER, record.timezone) / HOUR) * HOUR),
  )
  const over = toldOf(clock, dated).filter((one) => one.split(' ')[1] === String(OVER))
  expect(over).toEqual(expected.sort())
})

test.each([
  ['a day', 2031, { days: 1, months: 0 }],
  ['a month', 2035, { days: 0, months: 1 }],
  ['a year', 2039, { days: 0, months: 12 }],
])(
  'three years in steps of %s at once: of each date the latest threshold that came, once',
  async (_, year, step) => {
    const clock = deadlineClock(one)
    const start = Date.UTC(year, 0, 1)
    await clock.at(new Date(start).toISOString())
    const dated = await makeDated(threeYears(start))
    const last = new Map<Dated, number>()
    const expected: string[] = []
    for (let n = 1, now = start; now < start + 3 * 365 * DAY; n += 1) {
      now = Date.UTC(year, n * step.months, 1 + n * step.days, 5, 30)
      await clock.at(new Date(now).toISOString())
      await clock.turn({ isKilled: n % 10 === 3 })
      for (const record of dated) {
        const come = record.thresholds.filter((one) => momentOf(record.date, one, record.timezone) <= now)
        const latest = Math.min(...come)
        if (come.length === 0 || latest >= (last.get(record) ?? Number.POSITIVE_INFINITY)) continue
        last.set(record, latest)
        expected.push(said(record, latest, now))
      }
    }
    expect([...last.values()].every((threshold) => threshold === OVER)).toBe(true)
    expect(toldOf(clock, dated)).toEqual(expected.sort())
  },
)
