/**
 * Promise: a finding is due when the organization's setting says, in its time zone, unless somebody said when; and a
 * change of the setting moves what nobody set, once each, whatever ends the process that does it.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../server/refusal.ts'
import { JobWorkers } from './support/job-workers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/** It only starts jobs; processes of their own work them. */
let one: TestService
let workers: JobWorkers
beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  workers = new JobWorkers(one)
})
afterEach(() => workers.endAll())
afterAll(() => one.close())

type Finding = { id: string; version: number; [field: string]: unknown }

/** An organization, and what is asked of it. */
async function organization() {
  const acme: TestOrganization = await one.organization()
  const call = async <Answer = Finding>(name: string, input: object = {}, by = acme.admin) =>
    (await one.call(by, name, input)).body as Answer
  return {
    acme,
    call,
    add: (more: object = {}) =>
      call('createSecurityFinding', { title: 'Old TLS', severity: 'high', ...more }),
    read: (id: string) => call('getSecurityFinding', { id }),
    update: (id: string, input: object) => call('updateSecurityFinding', { id, ...input }),
    set: (input: object) => call<Finding & { timezone: string }>('updateOrganization', input),
    preview: (input: object = {}) => call<{ moves: number }>('previewFindingSla', input),
    jobs: async () =>
      (await call<{ data: Job[] }>('listJobs')).data.filter(({ kind }) => kind === 'moveFindingDueDates'),
  }
}
interface Job {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly done: number
  readonly total: number | null
  readonly errorCount: number
}

const DETECTED = { detectedAt: '2026-03-01T12:00:00.000Z' }

test('the date follows from severity and detection until somebody sets one, and again when that is cleared', async () => {
  const { add, update } = await organization()
  const { id, ...made } = await add(DETECTED)
  expect(made).toMatchObject({ dueDate: '2026-03-31', dueDateSource: 'sla' })
  expect(await update(id, { severity: 'critical' })).toMatchObject({ dueDate: '2026-03-08' })
  expect(await update(id, { severity: 'informational' })).toMatchObject({
    dueDate: null,
    dueDateSource: 'sla',
  })
  expect(await update(id, { severity: 'medium' })).toMatchObject({ dueDate: '2026-05-30' })
  expect(await update(id, { detectedAt: '2026-03-02T12:00:00.000Z' })).toMatchObject({
    dueDate: '2026-05-31',
  })
  const byHand = { dueDate: '2026-04-01', dueDateSource: 'manual' }
  expect(await update(id, { dueDate: '2026-04-01' })).toMatchObject(byHand)
  expect(await update(id, { severity: 'low' })).toMatchObject(byHand)
  expect(await update(id, { dueDate: null })).toMatchObject({ dueDate: '2026-08-29', dueDateSource: 'sla' })
  // What was read can be sent back: that sets no date.
  const read = await update(id, { title: 'Older TLS' })
  expect(await update(id, { ...read, severity: 'critical' })).toMatchObject({
    dueDate: '2026-03-09',
    dueDateSource: 'sla',
  })
  const manual = { ...byHand, severity: 'critical' }
  expect(await add({ ...DETECTED, dueDate: '2026-04-01', severity: 'critical' })).toMatchObject(manual)
})

test.each([
  ['Pacific/Kiritimati', '2026-03-01T12:00:00.000Z', '2026-04-01'],
  ['Pacific/Pago_Pago', '2026-03-01T03:00:00.000Z', '2026-03-30'],
  // A day of 23 hours between them.
  ['Europe/Vienna', '2026-03-01T23:30:00.000Z', '2026-04-01'],
])('in %s it is counted from the day that it was there', async (timezone, detectedAt, dueDate) => {
  const { add, set, preview } = await organization()
  await set({ timezone })
  expect(await add({ detectedAt })).toMatchObject({ dueDate })
  // The database counts as the rules do.
  expect(await preview()).toMatchObject({ moves: 0 })
})

test('one that ended keeps its date, and has that of the setting when it is opened again', async () => {
  const { add, update, set, preview } = await organization()
  const { id } = await add({ ...DETECTED, status: 'resolved' })
  await set({ findingSlaDays: { high: 10 } })
  expect(await preview()).toMatchObject({ moves: 0 })
  expect(await update(id, { title: 'Older TLS' })).toMatchObject({ dueDate: '2026-03-31' })
  await update(id, { status: 'open' })
  expect(await update(id, { detectedAt: DETECTED.detectedAt })).toMatchObject({ dueDate: '2026-03-11' })
})

test('an admin sees what a setting would move before it is saved', async () => {
  const { acme, add, call, preview, set } = await organization()
  await add(DETECTED)
  await add({ ...DETECTED, severity: 'informational' })
  await add({ ...DETECTED, dueDate: '2026-04-01' })
  const away = Date.parse('2026-03-20T12:00:00Z') - Date.now()
  await one.moveClock(away)
  try {
    const shownOtherwise = 0
    const keptDays = 0
    expect(await preview()).toEqual({ moves: 0, earlier: 0, later: 0, overdue: 0, keptDays, shownOtherwise })
    const days = { findingSlaDays: { high: 7, informational: 300 } }
    expect(await preview(days)).toEqual({
      moves: 2,
      earlier: 2,
      later: 0,
      overdue: 1,
      keptDays,
      shownOtherwise,
    })
    expect(await preview({ findingSlaDays: { high: null } })).toMatchObject({
      moves: 1,
      later: 1,
      overdue: 0,
    })
    // What was given as a day stays that day, and a moment of it that moment.
    await call('createRisk', { title: 'By the end of a day', dueDate: '2027-07-01' })
    await call('createRisk', { title: 'By a moment of it', dueDate: '2027-07-01T05:00:00Z' })
    expect(await preview({ timezone: 'Pacific/Kiritimati' })).toMatchObject({
      ...{ moves: 1, keptDays: 1 },
      shownOtherwise: 0,
    })
  } finally {
    await one.moveClock(-away)
  }
  expect((await call<{ findingSlaDays: object }>('getOrganization')).findingSlaDays).toEqual({
    critical: 7,
    high: 30,
    medium: 90,
    low: 180,
    informational: null,
  })
  const refused = (work: Promise<unknown>) => work.catch(({ code, members }: Refusal) => ({ code, members }))
  for (const wrong of [{ high: 0 }, { high: 1.5 }, { high: 4_000 }, { grave: 5 }, { high: '7' }])
    expect(await refused(set({ findingSlaDays: wrong }))).toMatchObject({ code: 'validation_failed' })
  const editor = await acme.person('editor')
  for (const name of ['previewFindingSla', 'updateOrganization'])
    expect(await refused(call(name, { findingSlaDays: { high: 1 } }, editor))).toMatchObject({
      code: 'capability_required',
    })
})

/** How often the date of each was moved, by its history. */
const movesOf = async (organizationId: string): Promise<Record<string, number>> => {
  const { rows } = await one.administrator.query(
    `select subject_id as id, count(*)::int as moves from audit_entries
      where organization_id = $1 and action = 'security_finding.update' and changes -> 'dueDate' is not null group by 1`,
    [organizationId],
  )
  return Object.fromEntries(rows.map(({ id, moves }) => [id, moves]))
}

test('a change moves the dates that nobody set, once each, though its process is killed and others write', async () => {
  const { acme, add, call, jobs, read, set, update } = await organization()
  const other = await organization()
  const theirs = await other.add(DETECTED)
  await call('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['security_finding.updated'],
  })
  const byHand = await add({ ...DETECTED, dueDate: '2026-04-01' })
  const ids: string[] = []
  for (let hundred = 0; hundred < 3; hundred += 1) {
    const records = Array.from({ length: 100 }, () => ({ title: 'Old TLS', severity: 'high', ...DETECTED }))
    const { data } = await call<{ data: { record: Finding }[] }>('createSecurityFindingBatch', { records })
    ids.push(...data.map(({ record }) => record.id))
  }

  // In the fourth piece one is held, so that the process is killed in the middle of it.
  await one.administrator.query('begin')
  await one.administrator.query('select from security_findings where id = $1 for update', [ids[170]])
  await set({ findingSlaDays: { high: 10 } })
  const first = await workers.start()
  await until(async () => (await jobs())[0]!.done === 150, 'the piece that is held')
  await workers.end(first)
  await one.administrator.query('rollback')
  expect(await movesOf(acme.id)).toEqual(Object.fromEntries(ids.slice(0, 150).map((id) => [id, 1])))

  // Meanwhile others write: what they write is where it belongs already, and what they set stays.
  await update(ids[200]!, { title: 'Older TLS' })
  await update(ids[201]!, { dueDate: '2026-06-01' })
  await update(ids[202]!, { status: 'false_positive', statusReason: 'It was the test system' })
  await call('deleteSecurityFinding', { id: ids[203] })
  expect(await add(DETECTED)).toMatchObject({ dueDate: '2026-03-11' })
  await one.moveClock(61_000)
  await workers.start()
  const job = await until(async () => {
    const [told] = await jobs()
    return told!.state === 'succeeded' && told
  })
  expect(job).toMatchObject({ errorCount: 0 })

  const moves = await movesOf(acme.id)
  expect(Object.keys(moves)).toHaveLength(298)
  expect(new Set(Object.values(moves))).toEqual(new Set([1]))
  for (const id of [ids[0]!, ids[170]!, ids[200]!, ids[299]!])
    expect(await read(id)).toMatchObject({ dueDate: '2026-03-11', dueDateSource: 'sla' })
  expect(await read(ids[201]!)).toMatchObject({ dueDate: '2026-06-01', dueDateSource: 'manual' })
  expect(await read(ids[202]!)).toMatchObject({ dueDate: '2026-03-31' })
  expect(await read(byHand.id)).toMatchObject({ dueDate: '2026-04-01', version: 1 })
  expect(await other.read(theirs.id)).toMatchObject({ dueDate: '2026-03-31', version: 1 })
  const { rows } = await one.administrator.query(
    `select count(*)::int as signals, count(distinct subject_id)::int as findings from signals
      where organization_id = $1 and type = 'security_finding.updated'`,
    [acme.id],
  )
  // One of them that it became a false positive.
  expect(rows).toEqual([{ signals: 299, findings: 299 }])
})

test('a finding that is written while the setting changes has the date of the one or is moved to that of the other', async () => {
  const { add, jobs, preview, set } = await organization()
  await add(DETECTED)
  await workers.start()
  await Promise.all([
    ...Array.from({ length: 20 }, () => add(DETECTED)),
    set({ findingSlaDays: { high: 10 } }),
    ...Array.from({ length: 20 }, () => add(DETECTED)),
  ])
  await until(async () => (await jobs()).every(({ state }) => state === 'succeeded'))
  expect(await preview()).toMatchObject({ moves: 0 })
})

test('what a cancel leaves behind is counted, and moved when the setting is saved again', async () => {
  const { add, call, jobs, preview, set } = await organization()
  await add(DETECTED)
  await set({ findingSlaDays: { high: 10 } })
  await call('cancelJob', { id: (await jobs())[0]!.id })
  expect(await preview()).toMatchObject({ moves: 1 })
  await set({ findingSlaDays: { high: 10 } })
  expect(await jobs()).toMatchObject([{ state: 'waiting' }, { state: 'cancelled' }])
  await workers.start()
  await until(async () => (await preview()).moves === 0)
  expect((await set({ findingSlaDays: { low: 100 } })).findingSlaDays).toMatchObject({ high: 10, low: 100 })
  expect(await jobs(), 'nothing is to be moved').toHaveLength(2)
})

test('it is no later than a day may be, so that what was read can be sent back', async () => {
  const { add, update } = await organization()
  const last = '2200-12-31T10:00:00.000Z'
  await one.moveClock(Date.parse(last) - Date.now())
  const made = await add({ detectedAt: last, severity: 'critical' })
  expect(made).toMatchObject({ dueDate: '2200-12-31', dueDateSource: 'sla' })
  expect(await update(made.id, { dueDate: made.dueDate })).toMatchObject({ version: made.version })
})
