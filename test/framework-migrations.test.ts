import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { programOf } from './support/callers.ts'
import {
  answerAll,
  type Migration,
  migrationsOf,
  type Row,
  shown,
  small,
  type Work,
} from './support/framework-migrations.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/*
 * Promise: what was answered to one edition goes to the next, or is dropped or asked about, each answer told and counted
 * before; and within thirty days all of it is undone, as if it had never been.
 */

let one: TestService
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
})
afterAll(() => one.close())

let acme: TestOrganization
let work: Work
const workOf = (caller: Caller) => migrationsOf(one, caller)

test('114 answers of 2013 come to 2022, each with its fate, and go again as they came', async () => {
  acme = await one.organization()
  work = workOf(acme.admin)
  const [older, newer] = [await work.library('iso_27001_2013'), await work.library('iso_27001_2022')]
  const { count, control } = await answerAll(work, older, acme.admin.userId)
  expect(count).toBe(114)
  const now = await work.requirementsOf(newer)
  await work.ask('updateRequirement', { id: now.get('A.5.2')!.id, note: 'Answered here before.' })
  await work.ask('linkRequirement', { id: now.get('A.5.2')!.id, targetKind: 'control', targetId: control.id })
  const [before, olderBefore] = [await shown(work, newer), await shown(work, older)]

  const plan = await work.plan(older, newer)
  const { counts } = plan
  expect(counts).toMatchObject({ answers: 114, dropped: 0, links: { control: expect.any(Number), task: 1 } })
  expect(counts.carried + counts.carriedToSeveral + counts.asked + counts.dropped).toBe(114)
  expect(plan.answers).toHaveLength(114)
  // Of 93, eleven are new; and the clauses, which the older edition of the library does not have.
  const annex = plan.requirements.filter(({ key }) => key.startsWith('A.'))
  expect(annex).toHaveLength(93)
  expect(annex.filter(({ fate }) => fate === 'new')).toHaveLength(11)
  expect(await shown(work, newer)).toEqual(before)

  const applied = await work.migrate(older, newer, plan)
  expect(applied).toMatchObject({ stage: 'applied', counts, fates: { answers: plan.answers } })
  const after = await work.requirementsOf(newer)
  const olderRows = await work.requirementsOf(older)
  for (const { key, fate, to } of plan.answers) {
    const was = olderRows.get(key)!
    for (const { key: there } of fate === 'carried' ? to : []) {
      const is = after.get(there)!
      if (was.note) expect(is.note, there).toContain(was.note)
      if (was.resultPinned) expect(is).toMatchObject({ result: was.result, resultReason: was.resultReason })
      expect(is).toMatchObject({ applicability: was.applicability, justification: was.justification })
      expect(is.owner ?? null).toEqual(was.owner ?? is.owner ?? null)
    }
  }
  expect(after.get('A.5.2')).toMatchObject({ note: expect.stringContaining('Answered here before.') })
  const history = await work.ask('getRequirementHistory', { id: after.get('A.5.3')!.id })
  expect(JSON.stringify(history)).toContain('Carried over from')
  expect(await shown(work, older)).toEqual(olderBefore)

  const again = await work.plan(older, newer)
  const { data } = await work.ask<{ data: Row[] }>('listFrameworkMigrations', { id: newer })
  expect(data).toMatchObject([{ id: applied.id, stage: 'applied', fromId: older, toId: newer }])
  const none = { control: 0, evidence: 0, policy: 0, risk: 0, security_finding: 0, task: 0 }
  expect(again.counts.links).toEqual(none)
  const undone = await work.undo(applied.id)
  expect(undone.result).toMatchObject({
    changed: applied.result!.changed,
    linked: applied.result!.linked,
    kept: [],
  })
  expect(await shown(work, newer)).toEqual(before)
  expect(await refusal(work.ask('undoFrameworkMigration', { id: applied.id }))).toMatchObject({
    message: 'It was undone already.',
  })
})

test('93 answers of 2022 go to the 114 of 2013: several get one, and what is new there is dropped', async () => {
  const beta = await one.organization()
  const there = workOf(beta.admin)
  const [older, newer] = [await there.library('iso_27001_2022'), await there.library('iso_27001_2013')]
  const { count } = await answerAll(there, older, beta.admin.userId)
  expect(count).toBe(93)
  const before = await shown(there, newer)
  const plan = await there.plan(older, newer)
  expect(plan.counts).toMatchObject({ answers: 93, dropped: 11 })
  expect(plan.counts.carried + plan.counts.carriedToSeveral + plan.counts.asked).toBe(82)
  expect(plan.counts.carriedToSeveral).toBeGreaterThan(15)
  const applied = await there.migrate(older, newer, plan)
  const after = await there.requirementsOf(newer)
  const four = plan.answers.find(({ key }) => key === 'A.8.32')!
  expect(four.to.map(({ key }) => key)).toEqual(['A.12.1.2', 'A.14.2.2', 'A.14.2.3', 'A.14.2.4'])
  const [said] = (await there.requirementsOf(older)).values().filter(({ key }) => key === 'A.8.32')
  for (const { key } of four.to) expect(after.get(key)).toMatchObject({ note: said!.note ?? null })
  await there.undo(applied.id)
  expect(await shown(there, newer)).toEqual(before)
})

test('where two that become one disagree, somebody chooses whose word counts', async () => {
  const { older, newer } = await small(work, 'choice')
  const { ask } = work
  await ask('updateRequirement', { id: older.A, result: 'compliant', resultReason: 'Seen.', note: 'Of oak' })
  await ask('updateRequirement', { id: older.B, note: 'Of glass', inclusionReasons: ['legal'] })
  await ask('updateRequirement', {
    id: older.C,
    applicability: 'not_applicable',
    justification: 'It is flat.',
  })
  await ask('updateRequirement', { id: older.D, note: 'Wet' })
  const plan = await work.plan(older.id, newer.id)
  expect(plan.counts).toMatchObject({ answers: 4, carried: 1, asked: 2, dropped: 1 })
  expect(plan.requirements).toMatchObject([
    {
      key: 'A',
      fate: 'asked',
      asks: [{ field: 'result', why: 'disagree', says: [{ key: 'A' }, { key: 'B' }] }],
    },
    { key: 'C', fate: 'carried', from: [{ key: 'C', by: 'same_text' }] },
    { key: 'E', fate: 'new', from: [] },
  ])
  const start = (choices: object, more: object = {}) =>
    ask('startFrameworkMigration', {
      ...{ fromId: older.id, toId: newer.id, planned: plan.planned, choices, ...more },
    })
  for (const choices of [{}, { [newer.A!]: older.C }, { [newer.A!]: older.A, [newer.C!]: older.C }])
    expect(await refusal(start(choices))).toMatchObject({ code: 'validation_failed' })
  expect(await refusal(start({ [newer.A!]: older.A }, { planned: 'another' }))).toMatchObject({
    code: 'conflict',
  })

  const nobody = await work.migrate(older.id, newer.id, plan, { [newer.A!]: null })
  expect(await ask('getRequirement', { id: newer.A })).toMatchObject({
    ...{ resultPinned: false, result: 'not_assessed', resultReason: null },
    ...{ note: 'A: Of oak\n\nB: Of glass', inclusionReasons: ['legal'] },
  })
  await work.undo(nobody.id)
  const first = await work.migrate(older.id, newer.id, await work.plan(older.id, newer.id), {
    [newer.A!]: older.A,
  })
  expect(await ask('getRequirement', { id: newer.A })).toMatchObject({
    ...{ result: 'compliant', resultReason: 'Seen.', resultPinned: true },
  })
  const twice = await work.plan(older.id, newer.id)
  expect(twice.counts).toMatchObject({ carried: 3, asked: 0, dropped: 1 })
  const whole = { fromId: older.id, toId: newer.id, planned: twice.planned }
  expect(await refusal(ask('startFrameworkMigration', whole))).toMatchObject({
    message: 'There is nothing to take over: all of it stands there already.',
  })
  await work.undo(first.id)
})

test('what somebody has changed since is told, or kept; after thirty days nothing is undone', async () => {
  const { older, newer } = await small(work, 'since')
  const { ask } = work
  await ask('updateRequirement', { id: older.A, note: 'Of oak' })
  await ask('updateRequirement', { id: older.C, note: 'Flat' })
  const plan = await work.plan(older.id, newer.id)
  const { id } = await work.migrate(older.id, newer.id, plan)
  await ask('updateRequirement', { id: newer.C, note: 'Flat, and green' })
  expect(await refusal(ask('undoFrameworkMigration', { id }))).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^Since then somebody has changed C: /),
  })
  expect((await work.undo(id, { keepChanged: true })).result).toMatchObject({ changed: 1, kept: ['C'] })
  expect(await ask('getRequirement', { id: newer.A })).toMatchObject({ note: null })
  expect(await ask('getRequirement', { id: newer.C })).toMatchObject({ note: 'Flat, and green' })

  await ask('updateRequirement', { id: newer.C, note: null })
  const later = await work.migrate(older.id, newer.id, await work.plan(older.id, newer.id))
  await one.moveClock(30 * 24 * 3_600_000)
  expect(await refusal(ask('undoFrameworkMigration', { id: later.id }))).toMatchObject({
    message: expect.stringContaining('more than 30 days ago'),
  })
})

test('one who has left stands in nobody’s way, and is there again', async () => {
  const { older, newer } = await small(work, 'left')
  const [gone, came] = [await acme.person('editor'), await acme.person('editor')]
  const ownedBy = (id: string, { userId }: Caller) =>
    work.ask('updateRequirement', { id, owner: { type: 'user', refId: userId } })
  await ownedBy(newer.C!, gone)
  await ownedBy(older.C!, came)
  const leave = ({ userId }: Caller) =>
    one.administrator.query("update members set status = 'disabled' where user_id = $1", [userId])
  await leave(gone)
  const before = await shown(work, newer.id)
  const { id } = await work.migrate(older.id, newer.id, await work.plan(older.id, newer.id))
  expect(await work.ask('getRequirement', { id: newer.C })).toMatchObject({ owner: { refId: came.userId } })
  await leave(came)
  await work.undo(id)
  expect(await shown(work, newer.id)).toEqual(before)
})

test('what somebody else answers meanwhile keeps no plan from being carried out', async () => {
  const { older, newer } = await small(work, 'meanwhile')
  await work.ask('updateRequirement', { id: older.C, note: 'Flat' })
  const plan = await work.plan(older.id, newer.id)
  await work.ask('updateRequirement', { id: newer.C, score: 3 })
  await work.ask('updateRequirement', { id: newer.E, note: 'Green' })
  await work.migrate(older.id, newer.id, plan)
  expect(await work.ask('getRequirement', { id: newer.C })).toMatchObject({ note: 'Flat', score: 3 })
})

test('two at once carry one over; nobody else may, and nowhere else', async () => {
  const { older, newer } = await small(work, 'two')
  await work.ask('updateRequirement', { id: older.C, note: 'Flat' })
  const { planned } = await work.plan(older.id, newer.id)
  const input = { fromId: older.id, toId: newer.id, planned }
  const both = await Promise.all(
    [1, 2].map(() => one.call(acme.admin, 'startFrameworkMigration', input).catch((e) => e)),
  )
  expect(both.map(({ status, code }) => code ?? status).sort()).toEqual([201, 'conflict'])
  const { id } = both.find(({ status }) => status === 201).body
  await until(async () => (await work.ask<Migration>('getFrameworkMigration', { id })).stage === 'applied')

  expect(await refusal(work.plan(older.id, older.id))).toMatchObject({ code: 'validation_failed' })
  const theirs = workOf((await one.organization()).admin)
  for (const asked of [
    () => theirs.plan(older.id, newer.id),
    () => theirs.ask('startFrameworkMigration', input),
    () => theirs.ask('getFrameworkMigration', { id }),
    () => theirs.ask('listFrameworkMigrations', { id: newer.id }),
    () => theirs.ask('undoFrameworkMigration', { id }),
  ])
    expect(await refusal(asked())).toMatchObject({ code: 'not_found' })
  const ours = await theirs.ask('createFramework', { key: 'ours', edition: '1', name: 'Ours' })
  expect(await refusal(theirs.plan(ours.id, newer.id))).toMatchObject({ code: 'validation_failed' })
  const [viewer, editor] = [await acme.person('viewer'), await acme.person('editor')]
  const key = programOf(acme.admin, ['read:frameworks', 'write:controls', 'write:compliance'])
  for (const [caller, code] of [
    [viewer, 'capability_required'],
    [editor, 'capability_required'],
    [key, 'session_required'],
  ] as const) {
    const refused = workOf(caller)
    for (const asked of [
      () => refused.plan(older.id, newer.id),
      () => refused.ask('startFrameworkMigration', input),
      () => refused.ask('undoFrameworkMigration', { id }),
    ])
      expect(await refusal(asked())).toMatchObject({ code })
  }
})
