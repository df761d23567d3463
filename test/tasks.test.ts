import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { nextDue, type Recurrence, WEEKDAYS } from '../model/recurrence.ts'
import type { Caller } from '../server/caller/caller.ts'
import { takeTurn } from '../server/deadlines/turn.ts'
import { operations } from '../server/operations.ts'
import { programOf } from './support/callers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: programs suggest work, people accept it and do it, and what comes again comes again: once, as it was, on the
 * day that its rule says.
 */

let one: TestService
let acme: TestOrganization
let editor: Caller
let key: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  editor = await acme.person('editor')
  key = programOf(acme.admin, ['write:compliance'])
})
afterAll(() => one.close())

interface Answer {
  readonly id: string
  readonly [field: string]: unknown
}
const call = async (name: string, input: object, caller = editor): Promise<Answer> =>
  (await one.call(caller, name, input)).body as Answer
const list = async (input: object) => (await call('listTasks', input)).data as unknown as Answer[]
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test('what a program adds is suggested, by name, and a person accepts it or says why not', async () => {
  const suggested = await call('createTask', { title: 'Renew the certificate' }, key)
  expect(suggested).toMatchObject({
    status: 'suggested',
    suggestedBy: { type: 'api_key' },
    acceptedBy: null,
    assigneeId: null,
  })
  await expect(call('createTask', { title: 'Take it', status: 'open' }, key)).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'status' }] },
  })
  await expect(call('updateTask', { id: suggested.id, status: 'open' }, key)).rejects.toMatchObject({
    code: 'session_required',
  })
  const accepted = await call('updateTask', { id: suggested.id, status: 'open' })
  expect(accepted).toMatchObject({ acceptedBy: { id: editor.userId }, suggestedBy: { type: 'api_key' } })
  const other = await call('createTask', { title: 'Paint the server room' }, key)
  await expect(call('updateTask', { id: other.id, status: 'dismissed' })).rejects.toMatchObject({
    members: { errors: [{ path: 'dismissReason' }] },
  })
  const dismissed = await call('updateTask', {
    id: other.id,
    status: 'dismissed',
    dismissReason: 'It helps nobody',
  })
  expect(dismissed).toMatchObject({ acceptedBy: null, completedAt: dismissed.updatedAt })
})

test('whoever it is given to accepts it, dismisses it and says how far it is, whatever their role, and no more', async () => {
  const [viewer, auditor] = [await acme.person('viewer'), await acme.person('viewer')]
  const person = await call(
    'createPersonnel',
    { fullName: 'Vi', workEmail: 'vi@acme.example', userId: viewer.userId },
    acme.admin,
  )
  const given = async (assignee: object, more: object = {}) =>
    call('createTask', { title: 'Look', assignee, checklist: [{ text: 'First' }], ...more }, key)
  const set = (id: string, status: string, more: object = {}, caller = viewer) =>
    call('setTaskStatus', { id, status, ...more }, caller)
  const refused = (code: string) => ({ code })
  for (const assignee of [user(viewer), { type: 'personnel', refId: person.id }]) {
    const { id } = await given(assignee)
    expect(await set(id, 'open')).toMatchObject({ status: 'open', acceptedBy: { id: viewer.userId } })
    await expect(set(id, 'blocked')).rejects.toMatchObject({
      members: { errors: [{ path: 'statusReason' }] },
    })
    const blocked = await set(id, 'blocked', { statusReason: 'The list is missing' })
    const [step] = blocked.checklist as { id: string }[]
    expect(await call('tickTask', { id, stepId: step!.id }, viewer)).toMatchObject({
      checklist: [{ text: 'First', isDone: true }],
    })
    const done = await set(id, 'done')
    // Taken back at once, also where no other step leads back.
    expect(
      await set(id, 'blocked', { statusReason: 'The list is missing', ifMatch: done.version }),
    ).toMatchObject({ status: 'blocked', statusReason: 'The list is missing' })
    await expect(set(id, 'done', { ifMatch: done.version })).rejects.toMatchObject(
      refused('version_mismatch'),
    )
    for (const more of [{ title: 'Another' }, { assignee: null }, { dueDate: '2031-01-01' }])
      await expect(set(id, 'done', more)).rejects.toMatchObject(refused('validation_failed'))
    await expect(call('updateTask', { id, status: 'done' }, viewer)).rejects.toMatchObject(
      refused('capability_required'),
    )
  }
  const other = await given(user(viewer))
  await expect(set(other.id, 'dismissed')).rejects.toMatchObject({
    members: { errors: [{ path: 'dismissReason' }] },
  })
  expect(await set(other.id, 'dismissed', { dismissReason: 'Done long ago' })).toMatchObject({
    acceptedBy: null,
  })
  // Nobody sets those of others, nor those of nobody; a program none at all, and an auditor not even theirs.
  const foreign = await given(user(editor))
  await expect(set(foreign.id, 'open')).rejects.toMatchObject(refused('other_person_required'))
  await expect(set((await given(user(viewer))).id, 'open', {}, editor)).rejects.toMatchObject(
    refused('other_person_required'),
  )
  await expect(set(foreign.id, 'open', {}, key)).rejects.toMatchObject(refused('session_required'))
  await expect(
    set((await given(user(auditor))).id, 'open', {}, { ...auditor, limitedView: 'auditor' }),
  ).rejects.toMatchObject(refused('capability_required'))
  const globex = await one.organization()
  await expect(set(foreign.id, 'open', {}, await globex.person('viewer'))).rejects.toMatchObject(
    refused('not_found'),
  )
})

test('what a kind leaves to whom its records name, its operations leave to the same', async () => {
  for (const { name, leftTo } of everyKind)
    for (const [field, by] of Object.entries(leftTo?.by ?? {})) {
      const operation = operations.find((one) => one.name === by)!
      expect([operation.on?.kind, operation.on?.who]).toEqual([
        name,
        { named: [leftTo!.whom], inDirectory: true },
      ])
      expect([field, 'stepId'].some((input) => input in operation.input.shape)).toBe(true)
    }
})

test('a phase is one of the plan, and the plan is as far as its accepted tasks', async () => {
  const plan = await call('createCompliancePlan', {
    title: 'SOC 2',
    phases: [{ key: 'scope', title: 'Scope' }],
  })
  expect(plan.progress).toBeNull()
  for (const [input, path] of [
    [{ phaseKey: 'scope' }, 'phaseKey'],
    [{ planId: plan.id, phaseKey: 'audit' }, 'phaseKey'],
  ] as const)
    await expect(call('createTask', { title: 'x', ...input })).rejects.toMatchObject({
      members: { errors: [{ path }] },
    })
  const add = (status: string) =>
    call('createTask', { title: status, status, planId: plan.id, phaseKey: 'scope' })
  await add('suggested')
  const [first] = [await add('open'), await add('open'), await add('in_progress')]
  await call('updateTask', { id: first.id, status: 'done' })
  await call('createTask', { title: 'Elsewhere', status: 'open', planId: plan.id, dueDate: '2020-01-31' })
  expect(await call('getCompliancePlan', { id: plan.id })).toMatchObject({
    progress: 25,
    byPhase: [
      { key: 'scope', done: 1, begun: 1, open: 1, late: 0 },
      { key: null, done: 0, begun: 0, open: 1, late: 1 },
    ],
  })
  await expect(
    call('updateCompliancePlan', {
      id: plan.id,
      phases: [
        { key: 'a', title: 'One' },
        { key: 'a', title: 'Two' },
      ],
    }),
  ).rejects.toMatchObject({ members: { errors: [{ path: 'phases.1.key' }] } })
})

test('a task is added to a plan at the path of it, by a program as a suggestion', async () => {
  const plan = await call('createCompliancePlan', { title: 'A year', status: 'active' })
  const door = await one.listen()
  const { secret } = await acme.key(['write:compliance'])
  const path = (id: string) => `/v1/compliance-plans/${id}/tasks`
  const made = await door.send(secret, 'POST', path(plan.id), { body: { title: 'Ask for the report' } })
  expect([made.status, made.body]).toMatchObject([201, { planId: plan.id, status: 'suggested' }])
  expect(made.headers.location).toBe(`/v1/suggested-tasks/${made.body.id}`)
  const globex = await one.organization()
  const theirs = await call('createCompliancePlan', { title: 'Theirs' }, globex.admin)
  const refused = await door.send(secret, 'POST', path(theirs.id), { body: { title: 'Spy' } })
  expect(refused.status).toBe(404)
  const open = await call('createCompliancePlanTask', { id: plan.id, title: 'In person', status: 'open' })
  expect(open).toMatchObject({ planId: plan.id, status: 'open' })
})

test('what is left of a plan that is cancelled ends with it, and nothing is added to it', async () => {
  const plan = await call('createCompliancePlan', { title: 'Given up', status: 'active' })
  const add = (title: string, more: object = {}) =>
    call('createTask', { title, planId: plan.id, status: 'open', dueDate: '2031-01-31', ...more })
  const open = await add('Open')
  const done = await add('Done', { status: 'done' })
  const suggested = await add('Suggested', { status: 'suggested', assignee: user(editor) })
  await expect(call('updateCompliancePlan', { id: plan.id, status: 'cancelled' })).rejects.toMatchObject({
    code: 'invalid_transition',
  })
  await expect(call('cancelCompliancePlan', { id: plan.id, ifMatch: 9 })).rejects.toMatchObject({
    code: 'version_mismatch',
  })
  expect(await call('cancelCompliancePlan', { id: plan.id })).toMatchObject({ status: 'cancelled' })
  const dismissReason = `The plan ${plan.reference} was cancelled`
  for (const { id } of [open, suggested])
    expect(await call('getTask', { id })).toMatchObject({ status: 'dismissed', dismissReason })
  expect(await call('getTask', { id: done.id })).toMatchObject({ status: 'done', version: 1 })
  const due = await one.administrator.query('select from deadlines where record_id = $1', [open.id])
  expect(due.rowCount).toBe(0)
  const further = [() => add('Late'), () => call('createCompliancePlanTask', { id: plan.id, title: 'Late' })]
  for (const adding of further)
    await expect(adding()).rejects.toMatchObject({ members: { errors: [{ path: 'planId' }] } })
  await expect(call('cancelCompliancePlan', { id: plan.id })).rejects.toMatchObject({ code: 'conflict' })
})

test('what is added while a plan is being cancelled ends with it, or is refused', async () => {
  const loose = await call('createTask', { title: 'Loose', status: 'open' })
  for (let round = 0; round < 12; round += 1) {
    const { id: planId } = await call('createCompliancePlan', { title: 'Raced', status: 'active' })
    await call('updateTask', { id: loose.id, planId: null, status: 'open' })
    const raced = await Promise.allSettled([
      call('createTask', { title: 'Beside', planId, status: 'open' }),
      call('updateTask', { id: loose.id, planId }),
      call('cancelCompliancePlan', { id: planId }),
      call('createCompliancePlanTask', { id: planId, title: 'Behind', status: 'open' }),
    ])
    for (const one of raced)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ members: { errors: [{ path: 'planId' }] } })
    expect(await call('getCompliancePlan', { id: planId })).toMatchObject({ status: 'cancelled' })
    expect(await list({ planId: [planId], status: ['suggested', 'open'] })).toEqual([])
  }
})

test('a year is laid out from its start, once, and its owner has all of it', async () => {
  const { id } = await call('createCompliancePlan', { title: 'Certificate', owner: user(editor) })
  const laid = await call('layOutCompliancePlan', { id, template: 'iso_27001', startDate: '2031-01-06' })
  expect(laid).toMatchObject({ startDate: '2031-01-06', targetDate: '2032-01-06' })
  const phases = laid.phases as { key: string; startDate: string; endDate: string }[]
  expect(phases[0]).toMatchObject({ key: 'scope', startDate: '2031-01-06', endDate: '2031-02-20' })
  const tasks = await list({ planId: [id], limit: 100, sort: 'dueDate' })
  expect(tasks.length).toBeGreaterThan(15)
  for (const { assigneeId, status, dueDate, phaseKey } of tasks) {
    const { startDate, endDate } = phases.find(({ key }) => key === phaseKey)!
    expect([assigneeId, status]).toEqual([editor.userId, 'open'])
    expect([startDate, dueDate, endDate]).toEqual([startDate, dueDate, endDate].sort())
  }
  await expect(
    call('layOutCompliancePlan', { id, template: 'dora', startDate: '2031-01-06' }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: 'phases is not empty: this can be done while it is empty.',
  })
  expect(await list({ planId: [id], limit: 100 })).toHaveLength(tasks.length)
  for (const one of tasks) await call('updateTask', { id: one.id, status: 'done' })
  const left = await list({ planId: [id], limit: 100, status: ['open'] })
  expect(left.length).toBeGreaterThan(0)
  // What comes again within the year is a part of it, and what comes later is not.
  for (const one of left)
    if (String(one.dueDate) <= '2032-01-06') await call('updateTask', { id: one.id, status: 'done' })
  expect((await call('getCompliancePlan', { id })).progress).toBe(100)
})

test('one that comes again is followed by the next once it is done, with its links, unticked, and only once', async () => {
  const control = await call('createControl', { title: 'Access reviews', code: 'AC-1' })
  const first = await call('createTask', {
    title: 'Go through the rights',
    status: 'open',
    assignee: user(editor),
    dueDate: '2031-01-31',
    checklist: [{ text: 'Payroll', isDone: true }],
    recurrence: { frequency: 'monthly' },
    controlIds: [control.id],
    labels: ['access'],
    externalId: 'it-7',
  })
  expect(first.recurrence).toEqual({ frequency: 'monthly', dayOfMonth: 31 })
  const { nextId } = await call('updateTask', { id: first.id, status: 'done' })
  await call('updateTask', { id: first.id, status: 'open' })
  await call('updateTask', { id: first.id, status: 'done' })
  const all = await list({ q: 'Go through the rights', sort: 'dueDate' })
  expect(all).toHaveLength(2)
  expect(all[0]).toMatchObject({
    ...{ id: first.id, hasNext: true, externalId: 'it-7' },
    ...{ nextId, followsId: null },
  })
  expect(all[1]).toMatchObject({
    status: 'open',
    dueDate: '2031-02-28',
    assigneeId: editor.userId,
    labels: ['access'],
    controlIds: [control.id],
    externalId: null,
    completedAt: null,
    hasNext: false,
    ...{ id: nextId, followsId: first.id, nextId: null },
    checklist: [{ id: expect.stringMatching(/^tci_/), text: 'Payroll', isDone: false }],
  })
  await call('updateTask', { id: all[1]!.id, status: 'done' })
  const [third] = await list({ q: 'Go through the rights', sort: '-dueDate' })
  expect(third).toMatchObject({ dueDate: '2031-03-31' })
  await call('updateTask', { id: third!.id, recurrence: null, status: 'done' })
  expect(await list({ q: 'Go through the rights' })).toHaveLength(3)
  // The one before may go: what came after it stays, and leads nowhere.
  await call('deleteTask', { id: first.id }, acme.admin)
  expect(await call('getTask', { id: all[1]!.id })).toMatchObject({ followsId: null, nextId: third!.id })
})

test('a task that is moved from its day takes its rule along', async () => {
  const rule = { frequency: 'monthly' }
  const { id } = await call('createTask', {
    title: 'Moved',
    status: 'open',
    dueDate: '2031-01-31',
    recurrence: rule,
  })
  expect(await call('updateTask', { id, dueDate: '2031-01-15' })).toMatchObject({ recurrence: rule })
  await call('updateTask', { id, status: 'done' })
  expect(await list({ q: 'Moved', status: ['open'] })).toMatchObject([{ dueDate: '2031-02-15' }])
})

test('the last of a series is made, done, and followed by none', async () => {
  const { id } = await call('createTask', {
    ...{ title: 'Twice', status: 'open', dueDate: '2031-01-31' },
    recurrence: { frequency: 'monthly', until: '2031-02-28' },
  })
  await call('updateTask', { id, status: 'done' })
  const [last] = await list({ q: 'Twice', status: ['open'] })
  expect(last).toMatchObject({ dueDate: '2031-02-28' })
  await call('updateTask', { id: last!.id, title: 'Twice over' })
  await call('updateTask', { id: last!.id, status: 'done' })
  expect(await list({ q: 'Twice' })).toHaveLength(2)
})

test('a plan may lose a phase, or go, and its tasks stay as they are', async () => {
  const phases = [{ key: 'scope', title: 'Scope' }]
  const plan = await call('createCompliancePlan', { title: 'Short', phases })
  const { id } = await call('createTask', {
    title: 'Of it',
    planId: plan.id,
    phaseKey: 'scope',
    status: 'open',
  })
  await call('updateCompliancePlan', { id: plan.id, phases: [{ key: 'other', title: 'Other' }] })
  await call('updateTask', { id, status: 'in_progress' })
  await one.call(editor, 'deleteCompliancePlan', { id: plan.id, force: 'unlink' })
  expect(await call('getTask', { id })).toMatchObject({ planId: null, phaseKey: null, status: 'in_progress' })
})

test('a template is fitted to the target date of a plan, and makes no task due on a weekend', async () => {
  const targetDate = '2031-10-31'
  const { id } = await call('createCompliancePlan', {
    title: 'By autumn',
    startDate: '2031-01-06',
    targetDate,
  })
  const laid = await call('layOutCompliancePlan', { id, template: 'iso_27001' })
  expect(laid).toMatchObject({ startDate: '2031-01-06', targetDate })
  const phases = laid.phases as { key: string; startDate: string; endDate: string }[]
  expect(
    phases
      .map(({ endDate }) => endDate)
      .toSorted()
      .at(-1),
  ).toBe(targetDate)
  for (const { dueDate, phaseKey } of await list({ planId: [id], limit: 100 })) {
    const { startDate, endDate } = phases.find(({ key }) => key === phaseKey)!
    expect([startDate, dueDate, endDate]).toEqual([startDate, dueDate, endDate].sort())
    expect([0, 6]).not.toContain(new Date(String(dueDate)).getUTCDay())
  }
  const late = await call('createCompliancePlan', { title: 'Too late', targetDate })
  await expect(
    call('layOutCompliancePlan', { id: late.id, template: 'iso_27001', startDate: targetDate }),
  ).rejects.toMatchObject({ members: { errors: [{ path: 'startDate' }] } })
})

test('a program drafts a plan, and no template leads out of the calendar', async () => {
  await expect(call('createCompliancePlan', { title: 'x', status: 'active' }, key)).rejects.toMatchObject({
    members: { errors: [{ path: 'status' }] },
  })
  const { id } = await call('createCompliancePlan', { title: 'By a program' }, key)
  await expect(
    call('layOutCompliancePlan', { id, template: 'dora', startDate: '2200-12-30' }),
  ).rejects.toMatchObject({ members: { errors: [{ path: 'startDate' }] } })
  expect(await call('getCompliancePlan', { id })).toMatchObject({ phases: null, startDate: null })
})

test.each([
  [{ recurrence: { frequency: 'daily' } }, 'dueDate'],
  [
    { dueDate: '2031-01-01', recurrence: { frequency: 'daily', weekdays: ['monday'] } },
    'recurrence.weekdays',
  ],
  [{ dueDate: '2031-01-01', recurrence: { frequency: 'weekly', dayOfMonth: 3 } }, 'recurrence.dayOfMonth'],
  [{ dueDate: '2031-01-01', recurrence: { frequency: 'monthly', until: '2031-01-31' } }, 'recurrence.until'],
  [{ dueDate: '2031-01-01', recurrence: { frequency: 'daily', interval: 0 } }, 'recurrence.interval'],
  [{ dueDate: '2031-01-01', recurrence: { frequency: 'yearly', interval: 366 } }, 'recurrence'],
  [{ dueDate: '2200-12-31', recurrence: { frequency: 'daily' } }, 'recurrence'],
  [
    { dueDate: '2031-01-01', recurrence: { frequency: 'monthly', dayOfMonth: 3, overdue: 'delay_next' } },
    'recurrence.dayOfMonth',
  ],
  [{ dueDate: '2031-02-30' }, 'dueDate'],
])('a recurrence that never comes is refused: %j', async (input, path) => {
  await expect(call('createTask', { title: 'x', ...input })).rejects.toMatchObject({
    members: { errors: [{ path }] },
  })
})

/** Another way to the same: every day is asked whether the rule names it. */
function daysNamed(rule: Recurrence, start: string, end: string): string[] {
  const found: string[] = []
  const first = new Date(start)
  const every = rule.interval ?? 1
  const monday = (day: Date) => Math.floor((day.getTime() / 86_400_000 + 3) / 7)
  for (
    let day = new Date(first.getTime() + 86_400_000);
    day <= new Date(end);
    day = new Date(day.getTime() + 86_400_000)
  ) {
    const days = Math.round((day.getTime() - first.getTime()) / 86_400_000)
    const months =
      (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth()
    const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
    // Of the first month too, where its day is still to come.
    const isDay = day.getUTCDate() === Math.min(rule.dayOfMonth ?? first.getUTCDate(), last)
    const weekday = WEEKDAYS[(day.getUTCDay() + 6) % 7]!
    const named = {
      daily: () => days % every === 0,
      weekly: () =>
        rule.weekdays?.length
          ? rule.weekdays.includes(weekday) && (monday(day) - monday(first)) % every === 0
          : days % (7 * every) === 0,
      monthly: () => isDay && months % every === 0,
      yearly: () => isDay && months % (12 * every) === 0,
    }
    if (named[rule.frequency]()) found.push(day.toISOString().slice(0, 10))
  }
  return found
}

describe('over five years, against every day of them', () => {
  const rules: Recurrence[] = [
    ...[1, 2, 10, 366].map((interval) => ({ frequency: 'daily', interval }) as const),
    ...[1, 2, 3].flatMap((interval) =>
      [undefined, ['monday'], ['tuesday', 'friday'], ['sunday', 'monday', 'wednesday']].map(
        (weekdays) => ({ frequency: 'weekly', interval, weekdays }) as Recurrence,
      ),
    ),
    ...[1, 2, 3, 6, 13].flatMap((interval) =>
      [1, 29, 30, 31].map((dayOfMonth) => ({ frequency: 'monthly', interval, dayOfMonth }) as const),
    ),
    ...[1, 2, 4].map((interval) => ({ frequency: 'yearly', interval, dayOfMonth: 29 }) as const),
  ]
  test.each(['2028-01-01', '2028-02-29', '2028-12-31', '2027-03-28'])('from %s', (start) => {
    for (const rule of rules) {
      const walked: string[] = []
      for (let day = nextDue(rule, start, null); day && day <= '2033-01-31'; day = nextDue(rule, day, null))
        walked.push(day)
      expect(walked, JSON.stringify(rule)).toEqual(daysNamed(rule, start, '2033-01-31'))
    }
  })
})

test.each([
  ['no_impact', '2031-01-10', '2031-01-10', '2031-02-10'],
  ['no_impact', '2031-01-10', '2031-01-02', '2031-02-10'],
  ['no_impact', '2031-01-10', '2031-01-20', '2031-02-10'],
  ['no_impact', '2031-01-10', '2031-04-20', '2031-05-10'],
  ['delay_next', '2031-01-10', '2031-01-20', '2031-02-20'],
  ['delay_next', '2031-01-10', '2031-01-02', '2031-02-10'],
] as const)('%s: due %s and done %s, the next is due %s', (overdue, due, done, next) => {
  expect(nextDue({ frequency: 'monthly', interval: 1, overdue }, due, done)).toBe(next)
})

// The clock is not put back: it stands last.
test('what comes again by the calendar is followed on its day, once, however long nothing ran', async () => {
  const own = await one.organization()
  const made = (
    await one.call(own.admin, 'createTask', {
      ...{ title: 'By the calendar', status: 'open', dueDate: '2061-03-10' },
      recurrence: { frequency: 'daily', next: 'when_due' },
    })
  ).body as Answer
  const all = async () =>
    ((await one.call(own.admin, 'listTasks', { sort: 'dueDate' })).body as { data: Answer[] }).data
  let ahead = 0
  const turnAt = async (time: string) => {
    const by = Date.parse(time) - Date.now() - ahead
    await one.moveClock(by)
    ahead += by
    await takeTurn(one.service)
    await takeTurn(one.service)
  }
  await turnAt('2061-03-09T12:00:00Z')
  expect(await all()).toHaveLength(1)
  await turnAt('2061-03-10T12:00:00Z')
  expect((await all()).map(({ dueDate, hasNext, status }) => [dueDate, hasNext, status])).toEqual([
    ['2061-03-10', true, 'open'],
    ['2061-03-11', false, 'open'],
  ])
  // The days between are over.
  await turnAt('2061-04-20T12:00:00Z')
  expect((await all()).map(({ dueDate }) => dueDate).slice(2)).toEqual(['2061-04-20', '2061-04-21'])
  await one.call(own.admin, 'updateTask', { id: made.id, status: 'done' })
  expect(await all()).toHaveLength(4)
})
