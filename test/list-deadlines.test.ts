import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateOf } from '../model/deadlines.ts'
import { storageOf } from '../model/fields.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind, kinds } from '../model/kinds/index.ts'
import { ROLE_SCOPES } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { readClockState } from '../server/deadlines/clock-state.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import { programOf } from './support/callers.ts'
import { type DeadlineClock, deadlineClock, decide } from './support/deadline-clock.ts'
import { makeOfKind } from './support/makers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: one call tells what is due, of all kinds that its caller may read, the earliest first, by how near it is and
 * by whose it is.
 */

let one: TestService
let clock: DeadlineClock
let acme: TestOrganization
let ben: Caller
beforeAll(async () => {
  one = await startTestService()
  clock = deadlineClock(one)
  // A Wednesday; the week ends on the 14th, and the month after that.
  await clock.at('2027-11-10T12:00:00Z')
  acme = await one.organization()
  ben = await acme.person('editor')
})
afterAll(() => one.close())

type Row = {
  id: string
  title: string
  type: string
  deadline: string
  date: string
  bucket: string
  owner: { refId: string } | null
}
type Listed = { data: Row[]; nextCursor: string | null; counts: Record<string, number> }
const list = async (caller: Caller, input: object = {}) =>
  (await one.call(caller, 'listDeadlines', input)).body as unknown as Listed
const make = async (name: string, input: object, caller = acme.admin) =>
  ((await one.call(caller, name, input)).body as unknown as { id: string }).id
const datesOf = ({ data }: Listed) => data.map(({ date }) => date)
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test('dates of all kinds stand in their order, each in its bucket, and are counted', async () => {
  const owner = user(ben)
  const person = await make('createPersonnel', {
    ...{ fullName: 'Ben Example', workEmail: 'ben@example.com', userId: ben.userId },
  })
  await make('createRisk', { title: 'Late', reviewDate: '2027-11-09', owner })
  await make('createControl', { code: 'A-1', title: 'Today', dueDate: '2027-11-10', owner })
  await make('createVendor', { name: 'Sunday', nextReviewDate: '2027-11-14' })
  await make('createAsset', { name: 'Monday', type: 'server', endOfSupport: '2027-11-15', owner })
  await make('createRisk', {
    ...{ title: 'Two', dueDate: '2027-11-30T18:00:00Z', reviewDate: '2027-12-01' },
    owner: { type: 'personnel', refId: person },
  })
  const done = await make('createRisk', { title: 'Done', reviewDate: '2027-11-11', owner })
  await decide(one, acme, kinds.risk as unknown as Kind, done, { status: 'closed', statusReason: 'Over' })
  const all = await list(acme.admin)
  expect(all.data.map(({ type, deadline, date, bucket }) => [type, deadline, date, bucket])).toEqual([
    ['risk', 'review', '2027-11-09', 'late'],
    ['control', 'due', '2027-11-10', 'this_week'],
    ['vendor', 'review', '2027-11-14', 'this_week'],
    ['asset', 'support', '2027-11-15', 'this_month'],
    ['risk', 'due', '2027-11-30T18:00:00.000Z', 'this_month'],
    ['risk', 'review', '2027-12-01', 'later'],
  ])
  expect(all.counts).toEqual({ late: 1, thisWeek: 2, thisMonth: 2, later: 1, ownerless: 1 })
  expect(all.data[1]).toMatchObject({
    ...{ reference: 'CTL-1', title: 'Today', state: 'not_started', field: 'dueDate', lapsesTo: null },
    owner: { type: 'user', refId: ben.userId, active: true },
  })
})

test('a person has what is theirs as a user and as who they are in the directory', async () => {
  const mine = await list(ben, { ownerId: ['me'] })
  expect(datesOf(mine)).toEqual([
    '2027-11-09',
    '2027-11-10',
    '2027-11-15',
    '2027-11-30T18:00:00.000Z',
    '2027-12-01',
  ])
  expect(mine.counts).toEqual({ late: 1, thisWeek: 1, thisMonth: 2, later: 1, ownerless: 1 })
  expect(datesOf(await list(ben, { ownerId: [ben.userId] }))).toHaveLength(3)
  expect(datesOf(await list(ben, { ownerId: ['none'] }))).toEqual(['2027-11-14'])
  expect(datesOf(await list(ben, { ownerId: ['me', 'none'], bucket: ['this_week'] }))).toEqual([
    '2027-11-10',
    '2027-11-14',
  ])
  expect(await list(acme.admin, { ownerId: ['me'] })).toMatchObject({ data: [], counts: { ownerless: 1 } })
})

test('what has steps says how many of them are ticked', async () => {
  const checklist = [{ text: 'One', isDone: true }, { text: 'Two' }, { text: 'Three', isDone: false }]
  const task = { title: 'Stepwise', status: 'open', dueDate: '2027-11-20' }
  await make('createTask', { ...task, checklist })
  await make('createTask', { ...task, checklist: [] })
  const { data } = await list(acme.admin, { type: ['task'], from: '2027-11-20', to: '2027-11-20' })
  expect(data).toMatchObject([{ steps: { done: 1, all: 3 } }, { steps: null }])
})

const phaseUntil = (endDate: string) => ({ key: 'scope', title: 'Scope', endDate })

test('what registers count as overdue and soon are the records that have such dates, of every kind', async () => {
  const there = await one.organization()
  const dated = everyKind.filter(({ deadlines }) => Object.keys(deadlines).length > 0)
  for (const kind of dated) {
    for (const deadline of Object.values(kind.deadlines))
      for (const day of ['2027-11-09', '2027-11-10', '2027-11-17', '2027-11-18']) {
        const isDay = storageOf(dateOf(kind, deadline)!) === 'date'
        const id = await makeOfKind(one, there.admin, kind)
        const counted = deadline.while && { [kind.states[0]!.field]: deadline.while[0] }
        const date = isDay ? day : `${day}T12:30:00.000Z`
        const whose = deadline.whose && { [deadline.whose]: user(there.admin) }
        const dated = 'follows' in deadline ? { phases: [phaseUntil(day)] } : { [deadline.field]: date }
        await decide(one, there, kind, id, { ...counted, ...whose, ...dated })
      }
    const those = { type: [kind.name], limit: 200 }
    const records = async (input: object) =>
      new Set((await list(there.admin, { ...those, ...input })).data.map(({ id }) => id)).size
    const due = {
      overdue: await records({ bucket: ['late'] }),
      soon: await records({ bucket: ['this_week', 'this_month', 'later'], to: '2027-11-17' }),
    }
    const { body } = await one.call(there.admin, 'summarizeRegisters', {})
    const told = (body as unknown as { data: { type: string; due?: object }[] }).data
    expect([kind.name, told.find(({ type }) => type === kind.name)?.due]).toEqual([kind.name, due])
    expect(due.soon).toBeGreaterThanOrEqual(2)
  }
})

test('it is cut by kind, bucket and day, and paged', async () => {
  expect(datesOf(await list(ben, { type: ['vendor', 'asset'] }))).toEqual(['2027-11-14', '2027-11-15'])
  expect(datesOf(await list(ben, { bucket: ['late', 'later'] }))).toEqual(['2027-11-09', '2027-12-01'])
  expect(datesOf(await list(ben, { from: '2027-11-10', to: '2027-11-15' }))).toEqual([
    '2027-11-10',
    '2027-11-14',
    '2027-11-15',
  ])
  for (const filters of [{}, { ownerId: ['me', 'none'] }]) {
    const whole = await list(ben, filters)
    const paged: Row[] = []
    let cursor: string | null = null
    do {
      const page: Listed = await list(ben, { ...filters, limit: 2, ...(cursor ? { cursor } : {}) })
      paged.push(...page.data)
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(whole.data)
  }
  await expect(list(ben, { cursor: 'x' })).rejects.toMatchObject({ code: 'malformed_request' })
  for (const wrong of [
    { bucket: ['soon'] },
    { from: '2027-02-30' },
    { from: '2027-11-11', to: '2027-11-10' },
  ])
    await expect(list(ben, wrong)).rejects.toMatchObject({ code: 'validation_failed' })
})

test('what waits for a person is one list over all kinds, what is due first comes first', async () => {
  const there = await one.organization()
  const eve = await there.person('editor')
  const directory = await make(
    'createPersonnel',
    { fullName: 'Eve', workEmail: 'eve@example.com', userId: eve.userId },
    there.admin,
  )
  const add = (name: string, input: object) => make(name, input, there.admin)
  const suggested = await add('createTask', { title: 'Suggested', assignee: user(eve) })
  await add('createTask', { title: 'Of the admin', assignee: user(there.admin) })
  await add('createTask', { title: 'Taken', status: 'open', assignee: user(eve), dueDate: '2027-11-11' })
  const asked = await add('createEvidence', {
    ...{ title: 'Asked', status: 'requested', requestDueDate: '2027-11-12' },
    requestedFrom: { type: 'personnel', refId: directory },
  })
  const waiting = async (caller: Caller, input: object = {}) =>
    (await one.call(caller, 'listWaiting', input)).body as unknown as Listed & { counts: unknown }
  expect(await waiting(eve)).toMatchObject({
    data: [
      { act: 'hand_in', type: 'evidence', id: asked, deadline: 'request', date: '2027-11-12' },
      {
        act: 'decide',
        type: 'task',
        id: suggested,
        title: 'Suggested',
        state: 'suggested',
        date: null,
        asked: null,
      },
    ],
    nextCursor: null,
    counts: [
      { type: 'evidence', act: 'hand_in', count: 1 },
      { type: 'task', act: 'decide', count: 1 },
    ],
  })
  // Among what is due it can be left out: it stands once.
  const titles = async (input: object) => {
    const { data, counts } = await list(eve, { ownerId: ['me'], ...input })
    const { ownerless: _, ...buckets } = counts as Record<string, number>
    return [data.map(({ title }) => title), Object.values(buckets).reduce((sum, count) => sum + count, 0)]
  }
  expect(await titles({})).toEqual([['Taken', 'Asked'], 2])
  expect(await titles({ awaited: false })).toEqual([['Taken'], 1])
  const first = await waiting(eve, { limit: 1 })
  const rest = await waiting(eve, { limit: 1, cursor: first.nextCursor })
  // A suggestion says by when it is wanted, and has its place by that.
  const dated = await add('createTask', { title: 'Dated', assignee: user(eve), dueDate: '2027-11-09' })
  expect((await waiting(eve, { limit: 1 })).data).toMatchObject([
    { id: dated, deadline: 'due', date: '2027-11-09' },
  ])
  await one.call(eve, 'updateTask', { id: dated, status: 'dismissed', dismissReason: 'Over' })
  // What a role keeps from somebody is not shown as theirs to take up; what is left to whom it names is.
  const vi = await there.person('viewer')
  const theirs = await add('createTask', { title: 'Of a viewer', assignee: user(vi) })
  await add('createTask', { title: 'Anybody could' })
  expect((await waiting(vi)).data).toMatchObject([{ id: theirs }])
  expect(await waiting(vi, { whose: 'nobody' })).toMatchObject({ data: [], counts: [] })
  expect((await waiting(eve, { whose: 'nobody' })).data).toHaveLength(1)
  await one.call(there.admin, 'deleteTask', { id: (await waiting(eve, { whose: 'nobody' })).data[0]!.id })
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([asked, suggested])
  expect(rest.nextCursor).toBeNull()
  expect((await waiting(eve, { type: ['task'] })).data).toHaveLength(1)
  // Others have theirs, and a program is told of what it may read.
  expect((await waiting(there.admin)).data).toMatchObject([{ title: 'Of the admin' }])
  const door = await one.listen()
  const { secret } = await there.key(['read:evidence'])
  expect((await door.send(secret, 'GET', '/v1/waiting')).body).toMatchObject({ data: [], counts: [] })
  const loose = await add('createTask', { title: 'Of nobody' })
  expect(await waiting(eve, { whose: 'nobody' })).toMatchObject({
    data: [{ id: loose }],
    counts: [{ type: 'task', act: 'decide', count: 1 }],
  })
  await one.call(eve, 'updateTask', { id: suggested, status: 'open' })
  expect((await waiting(eve)).data).toMatchObject([{ id: asked, under: null }])
  // What is under another record says which that is.
  const risk = await add('createRisk', {
    ...{ title: 'Fire', status: 'assessed', likelihood: 'likely', impact: 'major' },
  })
  await add('createRiskAcceptance', {
    ...{ riskId: risk, justification: 'Mending costs more', approver: user(eve) },
    expiresAt: '2100-01-01T00:00:00.000Z',
  })
  expect((await waiting(eve, { type: ['risk_acceptance'] })).data).toMatchObject([
    {
      ...{ act: 'decide', under: { id: risk, title: 'Fire' } },
      asked: { by: expect.stringContaining('admin'), at: expect.stringMatching(/Z$/) },
    },
  ])
  // It ends on a day of its own, which is theirs once they have decided, or where their role lets them do so no more.
  expect(await titles({ awaited: false })).toEqual([['Taken'], 1])
  const demoted = { ...eve, role: 'viewer' as const, granted: ROLE_SCOPES.viewer }
  expect(
    (await list(demoted, { ownerId: ['me'], awaited: false, type: ['risk_acceptance'] })).data,
  ).toHaveLength(1)
})

test('work of a person that has no date is a list of its own, and nobody else’s', async () => {
  const fay = await acme.person('editor')
  const open = { status: 'open', assignee: user(fay) }
  const first = await make('createTask', { title: 'Some day', ...open, checklist: [{ text: 'One' }] })
  const finding = await make('createSecurityFinding', {
    ...{ title: 'Of no weight', severity: 'informational', owner: user(fay) },
  })
  await make('createTask', { title: 'Dated', ...open, dueDate: '2027-12-31' })
  await make('createTask', { title: 'Suggested', assignee: user(fay) })
  await make('createTask', { title: 'Done', ...open, status: 'done' })
  await make('createControl', { code: 'U', title: 'No work by itself', owner: user(fay) })
  const undated = async (caller: Caller, input: object = {}) =>
    (await one.call(caller, 'listUndatedWork', input)).body as unknown as Listed & { count: number }
  const page = await undated(fay, { limit: 1 })
  expect(page).toMatchObject({ data: [{ id: finding, steps: null }], count: 2 })
  const next = await undated(fay, { limit: 1, cursor: page.nextCursor })
  expect(next).toMatchObject({ data: [{ id: first, steps: { done: 0, all: 1 } }], nextCursor: null })
  expect(await undated(await acme.person('editor'))).toMatchObject({ data: [], count: 0 })
})

test('by a framework stands what is linked with its requirements, or with controls that meet them', async () => {
  const framework = await make('createFramework', { key: 'own', edition: '1', name: 'Of our own' })
  const requirement = await make('createRequirement', { frameworkId: framework, key: 'A.1', title: 'Log' })
  const dueDate = '2027-11-25'
  const control = await make('createControl', { code: 'F-1', title: 'Logs', dueDate })
  await one.call(acme.admin, 'linkRequirement', { id: requirement, targetKind: 'control', targetId: control })
  const task = { title: 'Look at logs', status: 'open', dueDate }
  await make('createTask', { ...task, title: 'Directly', requirementIds: [requirement] })
  await make('createTask', { ...task, title: 'By its control', controlIds: [control] })
  await make('createTask', { ...task, title: 'About something else' })
  const by = async (frameworkId: string, caller = acme.admin) =>
    (await list(caller, { frameworkId: [frameworkId], from: dueDate, to: dueDate })) as Listed & {
      data: { title: string }[]
    }
  const { data, counts } = await by(framework)
  expect(data.map(({ title }) => title).sort()).toEqual(['By its control', 'Directly', 'Logs'])
  expect(counts).toMatchObject({ late: 0, thisMonth: 3 })
  expect((await by('fwk_00000000000000000000000000')).data).toEqual([])
  expect((await by(framework, (await one.organization()).admin)).data).toEqual([])
  const key = programOf(acme.admin, ['read:evidence'])
  await expect(by(framework, key)).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('registers count and filter what is due by the same dates', async () => {
  const there = await one.organization()
  const add = (name: string, input: object) => make(name, input, there.admin)
  const late = await add('createRisk', {
    title: 'Review late',
    reviewDate: '2027-11-09',
    dueDate: '2028-05-05T12:00:00Z',
  })
  const soon = await add('createRisk', { title: 'Review soon', reviewDate: '2027-11-16' })
  const later = await add('createRisk', { title: 'Later', dueDate: '2028-05-05T12:00:00Z' })
  const none = await add('createRisk', { title: 'Never' })
  for (const [due, id] of Object.entries({ overdue: late, soon, later, none })) {
    const { body } = await one.call(there.admin, 'listRisks', { due: [due] })
    expect([due, (body as unknown as Listed).data.map((row) => row.id)]).toEqual([due, [id]])
  }
  const { body } = await one.call(there.admin, 'summarizeRisks', { counted: ['due'] })
  expect(body).toMatchObject({ due: { overdue: 1, soon: 1 } })
  const { counts } = await list(there.admin)
  expect(counts).toMatchObject({ late: 1, thisMonth: 1 })
})

test('what is written with a date of the past waits from then on', async () => {
  const { engine } = one.service.database
  await clock.turn()
  await make('createRisk', { title: 'Long over', reviewDate: '2026-01-15' })
  expect((await readClockState(engine)).lateSeconds).toBeLessThan(60)
  await clock.turn()
})

test('a day ends where the organization is, and another zone moves the buckets', async () => {
  const there = await one.organization()
  await make('createRisk', { title: 'Near', reviewDate: '2027-11-10' }, there.admin)
  await clock.at('2027-11-10T20:00:00Z')
  expect((await list(there.admin)).data[0]!.bucket).toBe('this_week')
  await one.call(there.admin, 'updateOrganization', { timezone: 'Pacific/Auckland' })
  expect((await list(there.admin)).data[0]!.bucket).toBe('late')
  await clock.at('2027-11-10T12:00:00Z')
})

test('a program is told of the kinds that its key reads, and of no other organization', async () => {
  const door = await one.listen()
  const { secret } = await acme.key(['read:vendors'])
  const { body } = await door.send(secret, 'GET', '/v1/deadlines')
  expect(body.data.map(({ type }: Row) => type)).toEqual(['vendor'])
  expect(body.counts).toEqual({ late: 0, thisWeek: 1, thisMonth: 0, later: 0, ownerless: 1 })
  const none = await door.send(secret, 'GET', '/v1/deadlines?type=risk')
  expect([none.body.data, none.body.counts.late]).toEqual([[], 0])
  const { secret: other } = await acme.key(['read:webhooks'])
  expect((await door.send(other, 'GET', '/v1/deadlines')).status).toBe(403)
  const globex = await one.organization()
  expect((await list(globex.admin, { ownerId: [ben.userId, 'none'] })).data).toEqual([])
})

test('operators are told how late the clock is, what waits and what failed', async () => {
  const { engine } = one.service.database
  await clock.turn()
  expect(await readClockState(engine)).toEqual({ lateSeconds: 0, waiting: 0, failed: 0 })
  const id = await make('createRisk', { title: 'Broken', reviewDate: '2028-01-15' })
  await clock.at('2027-12-16T00:02:00Z')
  const waiting = await readClockState(engine)
  expect(waiting.waiting).toBeGreaterThan(0)
  await one.administrator.query('update deadlines set failures = 1 where record_id = $1', [id])
  expect((await readClockState(engine)).failed).toBe(1)
  const text = await openMetrics(one.service).registry.metrics()
  expect(text).toMatch(/^plumbline_deadlines_failed 1$/m)
  expect(text).toMatch(/^plumbline_deadlines_waiting [1-9]\d*$/m)
  expect(text).toMatch(/^plumbline_deadlines_oldest_due_seconds \d+/m)
})
