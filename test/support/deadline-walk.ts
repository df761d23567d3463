import { expect } from 'vitest'
import { callsOf } from '../../model/calls.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { archivingMachine } from '../../model/roles.ts'
import { type DeadlineClock, deadlineClock, decide, remove } from './deadline-clock.ts'
import type { TestOrganization, TestService } from './service.ts'

/*
 * Random records, edits, zones and steps of the clock, and beside the service a model that is as plain as the promise:
 * at each turn, of each date that counts, the latest threshold that has come is told, unless it or a later one was.
 */

const HOUR = 3_600_000
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Europe/Vienna', 'Asia/Kolkata']
const OVER = -1

interface Shape {
  readonly kind: Kind
  readonly deadline: string
  readonly field: string
  readonly isDay: boolean
  readonly thresholds: readonly number[]
  /** The values of a record whose date counts, and of one that is settled. */
  readonly open: object
  readonly settled: object
  readonly lapses?: string
}

const ALL = [30, 7, 1, 0, OVER]
const SHAPES: readonly Shape[] = [
  {
    ...{ kind: kinds.risk as unknown as Kind, deadline: 'review', field: 'reviewDate', isDay: true },
    ...{ thresholds: ALL, open: { status: 'assessed', statusReason: null } },
    settled: { status: 'closed', statusReason: 'Over' },
  },
  {
    ...{ kind: kinds.risk as unknown as Kind, deadline: 'due', field: 'dueDate', isDay: false },
    ...{ thresholds: ALL, open: { status: 'assessed', statusReason: null } },
    settled: { status: 'closed', statusReason: 'Over' },
  },
  {
    ...{ kind: kinds.evidence as unknown as Kind, deadline: 'expiry', field: 'expiryDate', isDay: true },
    ...{ thresholds: [30, 7, 1, OVER], open: { status: 'approved' }, settled: { status: 'draft' } },
    lapses: 'expired',
  },
]

interface Modelled {
  readonly id: string
  readonly shape: Shape
  readonly organization: number
  date: string | null
  isOpen: boolean
  isArchived: boolean
  hasLapsed: boolean
  /** By date: the thresholds that were told. */
  readonly told: Map<string, Set<number>>
}

export async function walkDeadlines(
  one: TestService,
  organizations: readonly TestOrganization[],
  seed: number,
  steps: number,
): Promise<number> {
  const random = randomOf(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const clock = deadlineClock(one)
  const zones = organizations.map(() => 'UTC')
  const records: Modelled[] = []
  const made = new Set<string>()
  let now = Date.parse('2027-02-20T10:17:00Z') + Math.floor(random() * 10_000) * HOUR
  await clock.at(new Date(now).toISOString())

  const dateNear = ({ isDay }: Shape) => {
    const at = new Date(now + Math.floor((random() * 80 - 15) * 24) * HOUR).toISOString()
    return isDay ? at.slice(0, 10) : at
  }
  const write = (record: Modelled, set: object) =>
    decide(one, organizations[record.organization]!, record.shape.kind, record.id, set as never)

  async function create() {
    const [shape, organization] = [pick(SHAPES), Math.floor(random() * organizations.length)]
    const { admin } = organizations[organization]!
    const name = shape.kind.name === 'risk' ? 'createRisk' : 'createEvidence'
    const more = shape.kind.name === 'risk' ? { likelihood: 'likely', impact: 'major' } : {}
    const date = random() < 0.9 ? dateNear(shape) : null
    const { id } = (await one.call(admin, name, { title: 'Walked', ...more, [shape.field]: date }))
      .body as unknown as { id: string }
    const isOpen = random() < 0.8
    const record = {
      id,
      shape,
      organization,
      date,
      isOpen,
      isArchived: false,
      hasLapsed: false,
      told: new Map(),
    }
    await write(record, isOpen ? shape.open : shape.settled)
    records.push(record)
    made.add(id)
  }
  async function edit(record: Modelled) {
    const { shape } = record
    const what = random()
    // What is archived takes nothing else, but to go.
    if (record.isArchived ? what < 0.9 : what >= 0.75 && what < 0.9) {
      const { archive, unarchive } = callsOf(shape.kind)
      record.isArchived = !record.isArchived
      await one.call(organizations[record.organization]!.admin, record.isArchived ? archive : unarchive, {
        id: record.id,
      })
      // A state that says so is another one afterwards.
      if (archivingMachine(shape.kind)) Object.assign(record, { isOpen: false, hasLapsed: false })
    } else if (what < 0.45) {
      const known = [...record.told.keys()]
      // Back to where it has been, as often as elsewhere.
      const to = known.length > 0 && random() < 0.5 ? pick(known) : random() < 0.1 ? null : dateNear(shape)
      if (record.isOpen && shape.lapses) await write(record, shape.settled)
      await write(record, { [shape.field]: to, ...(record.isOpen ? shape.open : {}) })
      record.date = to
      record.hasLapsed = false
    } else if (what < 0.75) {
      record.isOpen = !record.isOpen
      record.hasLapsed = false
      await write(record, record.isOpen ? shape.open : shape.settled)
    } else {
      await remove(one, organizations[record.organization]!, shape.kind, record.id)
      records.splice(records.indexOf(record), 1)
    }
  }
  async function moveZone() {
    const organization = Math.floor(random() * organizations.length)
    zones[organization] = pick(ZONES)
    await one.call(organizations[organization]!.admin, 'updateOrganization', {
      timezone: zones[organization],
    })
  }
  const counts = ({ date, isOpen, isArchived, hasLapsed }: Modelled) =>
    date !== null && isOpen && !isArchived && !hasLapsed

  const expected: string[] = []
  for (let step = 0; step < steps; step++) {
    for (let act = Math.floor(random() * 4); act > 0; act--)
      if (records.length < 4 || random() < 0.3) await create()
      else if (random() < 0.12) await moveZone()
      else await edit(pick(records))
    now += Math.floor(
      pick([1, 1, 6, 24, 24, 24 * 7, 24 * 31, 24 * 365]) * HOUR * (random() < 0.5 ? 1 : random()),
    )
    await clock.at(new Date(now).toISOString())
    await clock.turn({ isKilled: random() < 0.15 })
    for (const record of records.filter(counts)) tell(record, now, zones[record.organization]!, expected)
    const why = `seed ${seed}, step ${step}, ${clock.now()}`
    expect(keys(clock, made), why).toEqual([...expected].sort())
    await agree(one, records, zones, counts, why)
  }
  return expected.length
}

/** The promise. */
function tell(record: Modelled, now: number, zone: string, expected: string[]): void {
  const { shape, date } = record
  const come = shape.thresholds.filter((threshold) => momentOf(date!, threshold, zone) <= now)
  if (come.length === 0) return
  const latest = Math.min(...come)
  if (latest === OVER && shape.lapses) record.hasLapsed = true
  const told = record.told.get(date!) ?? new Set()
  record.told.set(date!, told)
  if ([...told].some((threshold) => threshold <= latest)) return
  told.add(latest)
  expected.push(`${record.id} ${shape.deadline} ${date} ${latest}`)
}

const keys = ({ told }: DeadlineClock, made: ReadonlySet<string>) =>
  told
    .filter(({ recordId }) => made.has(recordId))
    .map(({ recordId, deadline, date, threshold }) => `${recordId} ${deadline} ${date} ${threshold}`)
    .sort()

/** What is open is what counts, with the end that it has in its zone; and what lapsed is in its state. */
async function agree(
  { administrator }: TestService,
  records: readonly Modelled[],
  zones: readonly string[],
  counts: (record: Modelled) => boolean,
  why: string,
): Promise<void> {
  const { rows } = await administrator.query<{ record_id: string; name: string; ends_at: Date }>(
    'select record_id, name, ends_at from deadlines where record_id = any($1)',
    [records.map(({ id }) => id)],
  )
  const open = records.filter(counts)
  expect(
    rows.map(({ record_id, name, ends_at }) => `${record_id} ${name} ${ends_at.toISOString()}`).sort(),
    why,
  ).toEqual(
    open
      .map(({ id, shape, date, organization }) => {
        const end = momentOf(date!, OVER, zones[organization]!)
        return `${id} ${shape.deadline} ${new Date(end).toISOString()}`
      })
      .sort(),
  )
  const { rows: lapsed } = await administrator.query<{ id: string }>(
    "select id from evidence where status = 'expired' and id = any($1)",
    [records.map(({ id }) => id)],
  )
  expect(lapsed.map(({ id }) => id).sort(), why).toEqual(
    records
      .filter(({ hasLapsed }) => hasLapsed)
      .map(({ id }) => id)
      .sort(),
  )
}

const DAY = 24 * HOUR

/** When a threshold of a date comes, told from what clocks show in the zone. */
export function momentOf(date: string, threshold: number, zone: string): number {
  if (date.length === 10) return instantAt(Date.parse(`${date}T00:00Z`) - threshold * DAY, zone)
  const at = Date.parse(date)
  const local = at + offset(at, zone)
  if (threshold === OVER) return at
  return instantAt(threshold === 0 ? local - (((local % DAY) + DAY) % DAY) : local - threshold * DAY, zone)
}

/** The instant at which clocks show this, as if it were UTC; where they never do, what they would without the change. */
function instantAt(local: number, zone: string): number {
  const before = local - offset(local - DAY, zone)
  const after = local - offset(local + DAY, zone)
  if (before + offset(before, zone) === local) {
    // Shown twice: PostgreSQL takes standard time, the later one.
    return after + offset(after, zone) === local ? Math.max(before, after) : before
  }
  return after + offset(after, zone) === local ? after : Math.max(before, after)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far ahead of UTC clocks are. */
function offset(at: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name)!
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
