import type pg from 'pg'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { CALENDARS, createCalendarFeed, readCalendar } from '../server/deadlines/calendar-feeds.ts'
import { findDue, LOOK } from '../server/deadlines/turn.ts'
import { operations } from '../server/operations.ts'
import type { Service } from '../server/service.ts'
import { interleave, median } from './figures.ts'
import { below, type Finding, ratioAtMost } from './row.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand } from './stand.ts'

/* What reads of many open deadlines cost: a look of the clock, the list of a person, a calendar feed. */

const SHARE = Number(process.env.BENCH_SHARE ?? 1)
/** That part of the full size which is asked for. */
export const ofFull = (count: number): number => Math.max(1, Math.round(count * SHARE))

const [MANY_OPEN, FEW_OPEN] = [ofFull(5_000_000), ofFull(5_000)] as const
export const DUE = ofFull(1_000)
const [MANY_LISTED, FEW_LISTED] = [ofFull(1_000_000), ofFull(10_000)] as const
export const OWN = 300
const EVENTS = 2_000
export const TIMES = 50

export async function measureLook(stand: Stand): Promise<Finding> {
  stand.say('clock: a look at what is due')
  const side = async (open: number) => {
    const database = await stand.database()
    await fillOpen(database.administrator, newId('org'), open)
    await database.administrator.query(
      'update deadlines set due_at = now() where record_id in (select record_id from deadlines order by record_id limit $1)',
      [DUE],
    )
    await database.administrator.query('vacuum analyze deadlines')
    const { engine } = stand.parts(database).database
    return async () => {
      const start = performance.now()
      await engine.query(findDue(LOOK, 1_000_000))
      return performance.now() - start
    }
  }
  const [few, many] = [await side(FEW_OPEN), await side(MANY_OPEN)]
  return compareTimes('a look that finds 1,000', many, few, ratioAtMost(1.3), FEW_OPEN)
}

export async function measureList(stand: Stand): Promise<Finding> {
  stand.say('clock: the list of a person')
  const side = async (open: number) => {
    const database = await stand.database()
    const { administrator } = database
    const organization = await makeOrganization(administrator, stand.masterKey)
    await fillOpen(administrator, organization.id, open)
    await administrator.query(
      'update deadlines set owner_id = $1 where record_id in (select record_id from deadlines order by record_id limit $2)',
      [organization.userId, OWN],
    )
    await nameRecords(administrator, organization)
    await administrator.query('vacuum analyze deadlines, known_records')
    const parts = stand.parts(database)
    const caller = await callerOf(parts, organization)
    const operation = operations.find(({ name }) => name === 'listDeadlines')!
    return async () => {
      const start = performance.now()
      const { body } = await call(parts, caller, operation, { ownerId: ['me'] })
      if ((body as { data: unknown[] }).data.length !== 50) throw new Error('the list has not what is there')
      return performance.now() - start
    }
  }
  const [few, many] = [await side(FEW_LISTED), await side(MANY_LISTED)]
  return compareTimes('listDeadlines of a person', many, few, ratioAtMost(1.5), FEW_LISTED)
}

export async function measureFeed(stand: Stand): Promise<Finding> {
  stand.say('clock: a calendar feed')
  const database = await stand.database()
  const { administrator } = database
  const organization = await makeOrganization(administrator, stand.masterKey)
  await fillOpen(administrator, organization.id, EVENTS)
  await administrator.query(
    'update deadlines set owner_id = $1, day = current_date + 40, ends_at = current_date + 41',
    [organization.userId],
  )
  await nameRecords(administrator, organization)
  const parts = stand.parts(database)
  const { body } = await call(
    parts,
    { ...(await callerOf(parts, organization)), credential: { type: 'session', id: 'bench', name: 'Bench' } },
    createCalendarFeed,
    {},
  )
  const secret = (body as { url: string }).url.split(`/${CALENDARS}/`)[1]!.replace('.ics', '')
  const used: number[] = []
  for (let time = 0; time < TIMES + 10; time++) {
    const before = process.cpuUsage()
    const text = await readCalendar(parts, secret)
    const { user, system } = process.cpuUsage(before)
    if (text.split('BEGIN:VEVENT').length !== EVENTS + 1) throw new Error('the feed has not what is there')
    used.push((user + system) / 1_000)
  }
  await parts.close()
  const product = median(used.slice(10))
  return {
    ...{
      measure: `CPU of a feed of ${EVENTS.toLocaleString('en')} events`,
      unit: 'ms',
      yardstickIs: 'asked',
    },
    ...{ product, yardstick: 50, ratio: product / 50, target: below(50) },
  }
}

async function compareTimes(
  measure: string,
  many: () => Promise<number>,
  few: () => Promise<number>,
  target: Finding['target'],
  yardstick: number,
): Promise<Finding> {
  for (let n = 0; n < 10; n++) await Promise.all([many(), few()])
  const { products, yardsticks } = await interleave(TIMES, many, few)
  const [product, other] = [median(products), median(yardsticks)]
  const yardstickIs = `with ${yardstick.toLocaleString('en')} open`
  return { measure, unit: 'ms', product, yardstick: other, yardstickIs, ratio: product / other, target }
}

/** Deadlines of records that are not there, a tenth of them nobody's. */
async function fillOpen(administrator: pg.Client, organizationId: string, open: number): Promise<void> {
  await administrator.query('set session_replication_role = replica')
  await administrator.query(
    `insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)
     select $1, 'risk_' || lpad(n::text, 26, '0'), 'review', 'risk', day, day + 1, owner, day - 30
       from generate_series(1, $2::int) n,
            lateral (select current_date + 40 + n % 2000 as day,
                            case when n % 10 > 0 then 'usr_' || n % 500 end as owner) drawn`,
    [organizationId, open],
  )
  await administrator.query('set session_replication_role = origin')
}

const nameRecords = (administrator: pg.Client, { userId }: Organization) =>
  administrator.query(
    `insert into known_records (organization_id, id, kind, called, texts)
     select organization_id, record_id, kind, 'Unpatched gateway', ' ' from deadlines where owner_id = $1`,
    [userId],
  )

async function callerOf(parts: Service, { secret }: Organization) {
  const context = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  return (await admitKey(parts, secret, context)).caller
}
