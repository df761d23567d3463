import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { countedStates, deadlineFaults, ownerOfDeadline } from '../model/deadlines.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind, kinds } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { transaction } from '../server/database/transaction.ts'
import { batchesOf, takeTurn } from '../server/deadlines/turn.ts'
import { type DeadlineClock, deadlineClock, decide, remove } from './support/deadline-clock.ts'
import { walkDeadlines } from './support/deadline-walk.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: each threshold of a date is told once, when it comes where the organization is, the latest alone of those that
 * were missed; what lapses does so as its day is over; what is settled, archived or deleted has no deadlines.
 */

const evidence = kinds.evidence as unknown as Kind
const risk = kinds.risk as unknown as Kind

let one: TestService
let clock: DeadlineClock
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  clock = deadlineClock(one)
  acme = await one.organization()
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const as = async (caller: Caller, name: string, input: object = {}) =>
  (await one.call(caller, name, input)).body as Record
const created = (more: object, { admin } = acme) => as(admin, 'createRisk', { title: 'Gateway', ...more })
const update = (id: string, more: object) => as(acme.admin, 'updateRisk', { id, ...more })
const toldOf = (id: string) =>
  clock.told.filter(({ recordId }) => recordId === id).map(({ threshold, at }) => [threshold, at])
const thresholdsOf = (id: string) => toldOf(id).map(([threshold]) => threshold)
const turnAt = async (instant: string, options?: { isKilled: boolean }) => {
  await clock.at(instant)
  await clock.turn(options)
}
const openOf = async (id: string) =>
  (await one.administrator.query('select name from deadlines where record_id = $1 order by 1', [id])).rows

async function approved(expiryDate: string, { id, admin } = acme): Promise<Record> {
  const made = await as(admin, 'createEvidence', { title: 'Access review', expiryDate })
  return (await decide(one, { ...acme, id, admin }, evidence, made.id, { status: 'approved' })) as Record
}

test.each(everyKind)('the deadlines of $name can act as they say', (kind) => {
  expect(deadlineFaults(kind)).toEqual([])
})

test('the page on what is due has each date, when it counts and whose it is, and no other', async () => {
  const page = await readFile(new URL('../docs/deadlines.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| (.+?) +\| (.+?) +\| (?:(until|while) (.+?)|always) +\| (.+?) +\|$/gm)
  const told = [...rows].map(([, ...cells]) => cells.map((cell) => cell ?? ''))
  const title = (kind: Kind, field: string) =>
    z.globalRegistry.get((kind.fields[field] ?? kind.derived[field])!)!.title!
  const kept = everyKind.flatMap((kind) =>
    Object.values(kind.deadlines).map((deadline) => {
      const { counts, states } = countedStates(kind, deadline) ?? { counts: false, states: [] }
      const words = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
        states.map((state) => state.replaceAll('_', ' ')),
      )
      return [
        ...[kind.noun.one, title(kind, deadline.field), counts ? 'while' : 'until'],
        ...[words.replace(', or', ' or'), title(kind, ownerOfDeadline(kind, deadline)!)],
      ]
    }),
  )
  expect(told).toEqual(kept)
})

test('a deadline that cannot act is a fault of its kind', () => {
  const faults = (expiry: object) =>
    deadlineFaults({ ...evidence, deadlines: { expiry: { field: 'expiryDate', ...expiry } } } as never)
  expect(faults({ field: 'endOfDays' })).toMatchObject([/no field/])
  expect(faults({ whose: 'title' })).toMatchObject([/no owner/])
  expect(faults({ notices: [-2] })).toMatchObject([/never come/])
  expect(faults({ while: ['aproved'] })).toMatchObject([/aproved, which is no state/])
  expect(faults({ while: ['approved'], lapses: 'gone' })).toMatchObject([/gone, which is no state/])
  expect(faults({ while: ['approved', 'expired'], lapses: 'expired' })).toMatchObject([/goes on counting/])
  expect(faults({ while: ['draft'], lapses: 'requested' })).toMatchObject([/nothing leads/])
})

test('each threshold is told once, as it begins', async () => {
  await clock.at('2027-01-01T12:00:00Z')
  const { id } = await created({ reviewDate: '2027-03-01' })
  for (const day of [
    '01-29',
    '01-30',
    '01-31',
    '02-21',
    '02-22',
    '02-27',
    '02-28',
    '03-01',
    '03-02',
    '03-03',
  ])
    await turnAt(`2027-${day}T00:00:00Z`)
  expect(toldOf(id)).toEqual([
    [30, '2027-01-30T00:00:00.000Z'],
    [7, '2027-02-22T00:00:00.000Z'],
    [1, '2027-02-28T00:00:00.000Z'],
    [0, '2027-03-01T00:00:00.000Z'],
    [-1, '2027-03-02T00:00:00.000Z'],
  ])
  expect(clock.told.at(-1)).toMatchObject({
    kind: risk,
    deadline: 'review',
    date: '2027-03-01',
    lapsedTo: null,
    alsoTold: [],
  })
})

test('an instant is over at itself, and its day begins before it', async () => {
  await clock.at('2027-05-01T12:00:00Z')
  const { id } = await created({ dueDate: '2027-05-10T15:30:00Z' })
  for (const at of ['05-03T15:29', '05-03T15:30', '05-09T15:30', '05-10T00:00', '05-10T15:29', '05-10T15:30'])
    await turnAt(`2027-${at}:00Z`)
  // Made within thirty days of it: that is told at once.
  expect(toldOf(id).map(([threshold, at]) => `${threshold} ${String(at).slice(5, 16)}`)).toEqual([
    '30 05-03T15:29',
    '7 05-03T15:30',
    '1 05-09T15:30',
    '0 05-10T00:00',
    '-1 05-10T15:30',
  ])
})

test('of what was missed the latest threshold is told alone', async () => {
  await clock.at('2027-06-01T12:00:00Z')
  const [late, inside] = [
    await created({ reviewDate: '2027-08-01' }),
    await created({ reviewDate: '2027-06-05' }),
  ]
  await clock.turn()
  expect(toldOf(inside.id)).toEqual([[7, '2027-06-01T12:00:00.000Z']])
  await turnAt('2027-07-28T09:00:00Z')
  expect(toldOf(late.id)).toEqual([[7, '2027-07-28T09:00:00.000Z']])
  expect(thresholdsOf(inside.id)).toEqual([7, -1])
})

test('a date that moves away and back tells what is new, and nothing twice', async () => {
  await clock.at('2027-09-01T12:00:00Z')
  const { id } = await created({ reviewDate: '2027-09-20' })
  await clock.turn()
  await update(id, { reviewDate: '2027-09-07' })
  await clock.turn()
  await update(id, { reviewDate: '2027-09-20' })
  await turnAt('2027-09-02T12:00:00Z')
  expect(thresholdsOf(id)).toEqual([30, 7])
  await turnAt('2027-09-13T12:00:00Z')
  expect(thresholdsOf(id)).toEqual([30, 7, 7])
})

test('nothing is told of what is settled, archived or deleted; opened again, it has what is to come', async () => {
  await clock.at('2027-10-01T12:00:00Z')
  const reviewDate = '2027-10-20'
  const [settled, archived, deleted] = [
    await created({ reviewDate }),
    await created({ reviewDate }),
    await created({ reviewDate }),
  ]
  await clock.turn()
  await update(settled.id, { status: 'closed', statusReason: 'Replaced' })
  await decide(one, acme, risk, archived.id, { archivedAt: clock.now() })
  await remove(one, acme, risk, deleted.id)
  for (const { id } of [settled, archived, deleted]) expect(await openOf(id)).toEqual([])
  await turnAt('2027-10-19T12:00:00Z')
  for (const { id } of [settled, archived, deleted]) expect(thresholdsOf(id)).toEqual([30])
  await update(settled.id, { status: 'identified' })
  await decide(one, acme, risk, archived.id, { archivedAt: null })
  await turnAt('2027-10-20T12:00:00Z')
  for (const { id } of [settled, archived]) expect(thresholdsOf(id)).toEqual([30, 0])
})

// In summer time, on the days of both changes of it, and on a leap day.
const LAST_HOURS = [
  { timezone: 'UTC', day: '2027-07-31', over: '2027-08-01T00:00:00Z' },
  { timezone: 'UTC', day: '2028-02-29', over: '2028-03-01T00:00:00Z' },
  { timezone: 'Pacific/Auckland', day: '2027-09-26', over: '2027-09-26T11:00:00Z' },
  { timezone: 'Pacific/Auckland', day: '2028-04-02', over: '2028-04-02T12:00:00Z' },
  { timezone: 'Pacific/Auckland', day: '2028-02-29', over: '2028-02-29T11:00:00Z' },
  { timezone: 'America/Los_Angeles', day: '2028-03-12', over: '2028-03-13T07:00:00Z' },
  { timezone: 'America/Los_Angeles', day: '2027-11-07', over: '2027-11-08T08:00:00Z' },
  { timezone: 'America/Los_Angeles', day: '2028-02-29', over: '2028-03-01T08:00:00Z' },
]

test.each(LAST_HOURS)('evidence of $day lapses as that day is over in $timezone', async (last) => {
  const { timezone, day, over } = last
  await clock.at('2027-07-01T12:00:00Z')
  const there = await one.organization()
  await as(there.admin, 'updateOrganization', { timezone })
  const { id } = await approved(day, there)
  await turnAt(new Date(Date.parse(over) - 1_000).toISOString())
  expect(await as(there.admin, 'getEvidence', { id })).toMatchObject({ status: 'approved' })
  await turnAt(over)
  expect(await as(there.admin, 'getEvidence', { id })).toMatchObject({ status: 'expired' })
})

test('what lapses is told as any change is, by the clock, with its exact changes', async () => {
  await clock.at('2028-06-01T12:00:00Z')
  const all = [await approved('2028-06-03'), await approved('2028-06-03')]
  await turnAt('2028-06-04T00:00:00Z')
  const changes = { status: { from: 'approved', to: 'expired' } }
  const byClock = { type: 'service', id: 'clock', displayName: 'Clock' }
  for (const { id, version } of all) {
    const { rows: signals } = await one.administrator.query(
      "select body::json as body from signals where subject_id = $1 and type = 'evidence.updated' order by time desc limit 1",
      [id],
    )
    const record = { id, status: 'expired', version: version + 1, updatedBy: byClock }
    expect(signals[0].body.data).toMatchObject({ record })
    expect(signals[0].body.data.changes).toEqual(changes)
    const { rows: entries } = await one.administrator.query(
      "select actor, channel, changes from audit_entries where subject_id = $1 and action = 'evidence.update' order by time desc limit 1",
      [id],
    )
    expect(entries[0]).toEqual({ actor: { ...byClock, actingUserId: null }, channel: 'scheduler', changes })
    expect(clock.told.filter(({ recordId }) => recordId === id).at(-1)).toMatchObject({ lapsedTo: 'expired' })
  }
})

test('evidence that is no longer approved does not lapse; a request is due to whom it is asked of', async () => {
  await clock.at('2028-07-01T12:00:00Z')
  const whom = await acme.person('editor')
  const { id } = await as(acme.admin, 'createEvidence', {
    ...{ title: 'Backup log', status: 'requested', requestDueDate: '2028-07-03', expiryDate: '2028-07-02' },
    requestedFrom: { type: 'user', refId: whom.userId },
  })
  expect(await openOf(id)).toEqual([{ name: 'request' }])
  await turnAt('2028-07-05T12:00:00Z')
  expect(await as(acme.admin, 'getEvidence', { id })).toMatchObject({ status: 'requested' })
  expect(clock.told.filter(({ recordId }) => recordId === id)).toMatchObject([
    { deadline: 'request', threshold: -1, ownerId: whom.userId },
  ])
})

test('another zone moves what is open, and tells nothing again', async () => {
  await clock.at('2028-08-01T12:00:00Z')
  const there = await one.organization()
  const { id } = await created({ reviewDate: '2028-08-08' }, there)
  const other = await created({ reviewDate: '2028-08-08' })
  await turnAt('2028-08-01T12:30:00Z')
  await as(there.admin, 'updateOrganization', { timezone: 'America/Los_Angeles' })
  await turnAt('2028-08-07T06:59:00Z')
  expect([thresholdsOf(id), thresholdsOf(other.id)]).toEqual([[7], [7, 1]])
  await turnAt('2028-08-07T07:00:00Z')
  expect(thresholdsOf(id)).toEqual([7, 1])
})

test('a lapse that is due already survives another zone', async () => {
  await clock.at('2028-08-20T12:00:00Z')
  const { id } = await approved('2028-08-21')
  await turnAt('2028-08-25T12:00:00Z')
  await decide(one, acme, evidence, id, { status: 'approved' })
  await as(acme.admin, 'updateOrganization', { timezone: 'Europe/Vienna' })
  await clock.turn()
  expect(await as(acme.admin, 'getEvidence', { id })).toMatchObject({ status: 'expired' })
  expect(thresholdsOf(id)).toEqual([-1])
  await as(acme.admin, 'updateOrganization', { timezone: 'UTC' })
})

test('a process that is killed loses nothing, and one record that cannot be done keeps no other', async () => {
  await clock.at('2028-09-01T12:00:00Z')
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await created({ reviewDate: '2028-09-05' })).id)
  await clock.turn({ isKilled: true })
  for (const id of ids) expect(thresholdsOf(id)).toEqual([7])

  await clock.at('2028-09-04T12:00:00Z')
  let tries = 0
  const failing = async (_: unknown, moments: readonly { recordId: string }[]) => {
    if (!moments.some(({ recordId }) => recordId === ids[2])) return
    tries += 1
    throw new Error('cannot be told')
  }
  const process = { ...one.service, dueListeners: [failing] }
  const restOf = async (id: string) => {
    const { rows } = await one.administrator.query(
      'select failures, extract(epoch from due_at - clock_now())::float / 60 as rest from deadlines where record_id = $1',
      [id],
    )
    return [rows[0].failures, rows[0].rest]
  }
  await takeTurn(process)
  expect(tries).toBe(2)
  expect(await restOf(ids[2]!)).toEqual([1, 1])
  expect((await restOf(ids[3]!))[0]).toBe(0)
  await takeTurn(process)
  expect(tries).toBe(2)
  for (const [minutes, rest] of [
    [1, 2],
    [3, 4],
    [7, 8],
  ] as const) {
    await clock.at(new Date(Date.parse('2028-09-04T12:00:00Z') + minutes * 60_000).toISOString())
    await takeTurn(process)
    expect((await restOf(ids[2]!))[1]).toBe(rest)
  }
  await turnAt('2028-09-05T12:00:00Z')
  expect(thresholdsOf(ids[2]!)).toEqual([7, 0])
})

test('the crowd of one organization keeps no other waiting', () => {
  const row = (organizationId: string, n: number) => ({
    organizationId,
    kind: 'risk',
    recordId: `${organizationId}${n}`,
  })
  const rows = [...Array.from({ length: 900 }, (_, n) => row('crowd', n)), row('few', 1), row('one', 1)]
  const order = batchesOf(rows).map(({ organizationId }) => organizationId)
  expect(order.slice(0, 3).sort()).toEqual(['crowd', 'few', 'one'])
  expect(new Set(order.slice(3))).toEqual(new Set(['crowd']))
})

test('an organization sees and moves the deadlines of its own alone', async () => {
  const theirs = await one.organization()
  const { id } = await created({ reviewDate: '2029-01-01' }, theirs)
  await transaction(one.service.database.tenant, acme.id, async (tx) => {
    for (const table of ['deadlines', 'due_moments'])
      expect(await tx.read({ text: `select from ${table} where record_id = $1`, values: [id] })).toEqual([])
  })
  const insert = transaction(one.service.database.tenant, acme.id, (tx) =>
    tx.read({
      text: `insert into deadlines (organization_id, record_id, name, kind, ends_at) values ($1, $2, 'due', 'risk', now())`,
      values: [acme.id, id],
    }),
  )
  await expect(insert).rejects.toMatchObject({ code: '23503' })
})

test('a fixed part of deadlines.long.ts', async () => {
  const seed = Number(process.env.DEADLINES_SEED ?? 1)
  expect(
    await walkDeadlines(one, [await one.organization(), await one.organization()], seed, 40),
  ).toBeGreaterThan(5)
})

test('of a plan the first end of a phase that is not done acts, and then the next', async () => {
  await clock.at('2029-01-01T12:00:00Z')
  const phases = [
    { key: 'audit', title: 'Audit', endDate: '2029-06-30' },
    { key: 'open', title: 'Without an end' },
    { key: 'scope', title: 'Scope', endDate: '2029-03-31' },
  ]
  const plan = await as(acme.admin, 'createCompliancePlan', { title: 'Certificate', phases })
  expect([plan.nextPhaseEnd, await openOf(plan.id)]).toEqual(['2029-03-31', []])
  const change = (more: object) => as(acme.admin, 'updateCompliancePlan', { id: plan.id, ...more })
  await change({ status: 'active' })
  expect(await openOf(plan.id)).toEqual([{ name: 'phase' }])
  await turnAt('2029-03-24T00:00:00Z')
  expect(thresholdsOf(plan.id)).toEqual([7])
  const isDone = (key: string) => (phase: { key: string }) =>
    phase.key === key ? { ...phase, status: 'done' } : phase
  const first = phases.map(isDone('scope'))
  expect((await change({ phases: first })).nextPhaseEnd).toBe('2029-06-30')
  await turnAt('2029-04-01T00:00:00Z')
  expect(thresholdsOf(plan.id)).toEqual([7])
  await turnAt('2029-07-01T00:00:00Z')
  expect(thresholdsOf(plan.id)).toEqual([7, -1])
  expect((await change({ phases: first.map(isDone('audit')) })).nextPhaseEnd).toBeNull()
  expect(await openOf(plan.id)).toEqual([])
})
