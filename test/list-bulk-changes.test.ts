import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange } from './support/sheets.ts'

/*
 * Promise: who began an import or a change of many records finds it again in one list, however many rows it has and how
 * far it came, with what its rows came to; and nobody finds one that is not theirs to read.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

interface Listed extends TestBulkChange {
  readonly title: string
  readonly hasStopped: boolean
  readonly job: (TestBulkChange['job'] & { title: string; canResume: boolean }) | null
}
const listOf = async (caller: Caller, input: object = {}): Promise<Listed[]> =>
  ((await one.call(caller, 'listBulkChanges', input)).body as { data: Listed[] }).data
const idsOf = async (caller: Caller, input: object = {}) => (await listOf(caller, input)).map(({ id }) => id)
const fileOf = (rows: number, more = '') =>
  ['Title,Likelihood', ...Array.from({ length: rows }, (_, at) => `Risk ${at},Rare`), more].join('\n')

test('each is there once, small or large, with where it stands and what its rows came to', async () => {
  const editor = await acme.person('editor')
  const sheets = sheetsOf(one, editor)
  const read = await sheets.begin('risk', fileOf(1))
  const left = await sheets.bring('risk', fileOf(2, 'Wrong,often'))
  const done = await sheets.bring('risk', fileOf(3, 'Wrong,often'))
  await sheets.apply(done.id)
  // Nobody works jobs yet, so it is stopped before its turn.
  const large = await sheets.begin('risk', fileOf(150))
  await sheets.ask('planImport', { id: large.id, columns: ['title', 'likelihood'] })
  const { job } = await sheets.ask<TestBulkChange>('getBulkChange', { id: large.id })
  await sheets.ask('cancelJob', { id: job!.id })
  // What came to nothing is not told: a file that was not sent, and a small selection that was only planned.
  await sheets.ask('startImport', { type: 'risk', name: 'never sent' })
  const { data } = await sheets.ask<{ data: { id: string }[] }>('listRisks', {})
  const change = { type: 'risk', ids: data.map(({ id }) => id), change: { category: 'legal' } }
  await sheets.ask('startBulkEdit', change)
  const edit = await sheets.ask<TestBulkChange>('startBulkEdit', change)
  await sheets.apply(edit.id)

  const all = await listOf(editor)
  expect(all.map(({ id }) => id)).toEqual([edit, large, done, left, read].map(({ id }) => id))
  expect(all).toMatchObject([
    { title: 'Change of 3 risks', stage: 'applied', done: { changed: 3 }, job: null },
    { stage: 'planning', hasStopped: true, planned: null, job: { state: 'cancelled', canResume: true } },
    { stage: 'applied', hasStopped: false, planned: { create: 3, error: 1 }, done: { created: 3 }, left: 0 },
    { stage: 'planned', planned: { create: 2, error: 1 }, done: null, left: 2, rowCount: 3 },
    { stage: 'read', planned: null, done: null, left: 0, rowCount: 1 },
  ])
  expect(all[2]).toMatchObject({ title: 'Import of a file', fileName: 'a file', createdBy: { type: 'user' } })
  expect(await idsOf(editor, { origin: 'selection' })).toEqual([edit.id])
  expect(await idsOf(editor, { type: 'vendor' })).toEqual([])
  expect(await idsOf(editor, { stage: ['planned', 'read'] })).toEqual([left.id, read.id])

  // Gone on with, it has what it came to; and the list of jobs can leave it out.
  await one.service.jobs.start()
  await sheets.ask('resumeJob', { id: job!.id })
  await sheets.planned(large.id)
  await sheets.apply(large.id)
  const [, now] = await listOf(editor)
  expect(now).toMatchObject({ id: large.id, stage: 'applied', done: { created: 150 }, left: 0 })
  expect(now!.job).toMatchObject({ title: 'Import of a file', state: 'succeeded' })
  const jobs = async (standalone?: boolean) =>
    (await sheets.ask<{ data: object[] }>('listJobs', { standalone })).data.length
  expect([await jobs(), await jobs(true), await jobs(false)]).toEqual([2, 0, 2])

  // What is planned anew counts anew.
  await sheets.plan(left, { columns: ['title', null] })
  expect((await listOf(editor)).find(({ id }) => id === left.id)).toMatchObject({ planned: { create: 3 } })
})

test('what could not be carried out wholly counts as the plan that it is again', async () => {
  const sheets = sheetsOf(one, acme.admin)
  const { id, reference } = await sheets.ask<{ id: string; reference: string }>('createRisk', {
    title: 'Moves',
  })
  const planned = await sheets.bring('risk', `Reference,Title\n${reference},Renamed\n,Added\n`)
  await sheets.ask('updateRisk', { id, category: 'legal' })
  const all = { id: planned.id, rows: 'all' }
  expect(await refusal(sheets.ask('applyBulkChange', all))).toMatchObject({ code: 'conflict' })
  const counts = { planned: { create: 1, change: 0, error: 1 }, left: 1 }
  expect(await sheets.ask('getBulkChange', { id: planned.id })).toMatchObject(counts)
  expect((await listOf(acme.admin))[0]).toMatchObject({ id: planned.id, ...counts })
})

test('it tells nothing to whoever may not read it', async () => {
  const editor = await acme.person('editor')
  const { id } = await sheetsOf(one, editor).bring('risk', fileOf(1))
  const sees = async (caller: Caller) => (await idsOf(caller)).includes(id)
  expect([await sees(editor), await sees(acme.admin)]).toEqual([true, true])
  expect(await sees(await acme.person('editor'))).toBe(false)
  const elsewhere = await one.organization()
  expect(await idsOf(elsewhere.admin)).toEqual([])
  expect(await idsOf(await elsewhere.person('editor'))).toEqual([])

  const viewer = await acme.person('viewer')
  const auditor: Caller = { ...viewer, limitedView: 'auditor' }
  const oneself: Caller = { ...viewer, limitedView: 'self_service' }
  // As somebody of a lower role by now, who began it.
  const lowered: Caller = { ...editor, role: 'viewer', granted: viewer.granted }
  for (const caller of [viewer, auditor, oneself, lowered])
    expect(await refusal(one.call(caller, 'listBulkChanges', {}))).toMatchObject({ status: 403 })
  // Of those kinds alone whose records they may add by now.
  const granted = new Set([...editor.granted].filter((scope) => scope !== 'write:risks'))
  expect(await sees({ ...editor, granted })).toBe(false)
  expect(await sees({ ...acme.admin, granted })).toBe(false)

  const door = await one.listen()
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const answer = await door.send(secret, 'GET', '/v1/bulk-changes')
  expect(answer.body).toMatchObject({ code: 'session_required' })
})
