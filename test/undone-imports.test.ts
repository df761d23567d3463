import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './support/refusal.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import {
  type Sheets,
  sheetsOf,
  startSheets,
  type TestBulkChange,
  type TestSummary,
} from './support/sheets.ts'
import { until } from './support/until.ts'

/*
 * Promise: an import of any size is taken back. What it added goes and what it changed is what it was, unless anybody has
 * done anything with it since; how many of each is told before, and afterwards what was left and why.
 */

let one: TestService
let acme: TestOrganization
let sheets: Sheets
beforeAll(async () => {
  ;({ one, acme, sheets } = await startSheets())
})
afterAll(() => one.close())

type Made = { id: string; reference: string; version: number }
const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const undo = async ({ id }: TestBulkChange) => {
  const { id: undoing } = await ask<TestBulkChange>('undoBulkChange', { id })
  return sheets.planned(undoing)
}
const find = async (title: string) =>
  (await ask<{ data: Made[] }>('listRisks', { q: title })).data.find((risk) => risk)
const linksOf = async (id: string) => (await ask<{ data: object[] }>('listRiskLinks', { id })).data

test('what was added goes, what was changed is what it was, and what anybody has touched since stays and is told', async () => {
  const [kept, dropped] = await Promise.all(
    ['K-1', 'K-2'].map((code) => ask<Made>('createControl', { code, title: `Control ${code}` })),
  )
  const there = await ask<Made>('createRisk', { title: 'There', likelihood: 'rare', labels: ['old'] })
  const moved = await ask<Made>('createRisk', { title: 'Moved', likelihood: 'rare' })
  await ask('linkRisk', { id: there.id, targetKind: 'control', targetId: dropped!.id, role: 'planned' })
  const csv = [
    'Reference,Title,Likelihood,Labels,Controls',
    `${there.reference},There,Likely,new,${kept!.reference}`,
    `${moved.reference},Moved,Likely,,`,
    `,New plain,Rare,,${kept!.reference}`,
    ...['changed', 'linked', 'noted', 'treated'].map((word) => `,New ${word},Rare,,`),
    ',New wrong,often,,',
  ].join('\n')
  const brought = await sheets.bring('risk', csv)
  expect((await sheets.apply(brought.id)).done).toMatchObject({ created: 5, changed: 2 })
  const [changed, linked, noted, treated] = await Promise.all(
    ['changed', 'linked', 'noted', 'treated'].map((word) => find(`New ${word}`)),
  )
  await ask('updateRisk', { id: moved.id, category: 'legal' })
  await ask('updateRisk', { id: changed!.id, category: 'legal' })
  await ask('linkRisk', { id: linked!.id, targetKind: 'control', targetId: kept!.id })
  await ask('createComment', { recordId: noted!.id, text: 'Mine by now' })
  await ask('createRiskTreatment', { riskId: treated!.id, action: 'Do it', strategy: 'mitigate' })
  // What others link with a record that was there stays linked.
  const later = await ask<Made>('createControl', { code: 'K-3', title: 'Control K-3' })
  await ask('linkRisk', { id: there.id, targetKind: 'control', targetId: later.id })

  const planned = await undo(brought)
  expect(planned).toMatchObject({ stage: 'planned', planned: { delete: 1, change: 1, error: 5, create: 0 } })
  expect(await find('New plain')).toBeTruthy()
  const { problems } = await ask<TestSummary>('summarizeBulkChange', { id: planned.id })
  const told = problems.map(({ message, count }) => [message.replace(/^.*?(in the meantime)/, '$1'), count])
  expect(told.toSorted()).toEqual([
    ['in the meantime: it is left as it is', 2],
    ['in the meantime: it stays', 1],
    ['in the meantime: it stays', 2],
  ])
  expect((await sheets.apply(planned.id)).done).toMatchObject({ deleted: 1, changed: 1, refused: 0 })
  expect(await find('New plain')).toBeUndefined()
  expect(await ask('getRisk', { id: there.id })).toMatchObject({ likelihood: 'rare', labels: ['old'] })
  expect(await linksOf(there.id)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: dropped!.id, role: 'planned' }),
      expect.objectContaining({ id: later.id }),
    ]),
  )
  expect(await linksOf(there.id)).toHaveLength(2)
  for (const risk of [changed, linked, noted, treated, moved])
    expect(await ask('getRisk', { id: risk!.id })).toBeTruthy()
  const { rows } = await one.administrator.query(
    `select count(*)::int as gone from signals where organization_id = $1 and type = 'risk.deleted'`,
    [acme.id],
  )
  expect(rows).toEqual([{ gone: 1 }])

  // Once more, it is about what was left; and what stands in the way may be out of it by then.
  await ask('unlinkRisk', { id: linked!.id, targetKind: 'control', targetId: kept!.id })
  expect((await undo(brought)).planned).toMatchObject({ delete: 1, change: 0, error: 4 })
  const back = await undo(planned)
  expect(back.planned).toMatchObject({ change: 1, delete: 0 })
})

test('a large one is taken back by a job, and is listed as that', async () => {
  const rows = Array.from({ length: 150 }, (_, at) => `Large ${at},Rare`)
  const brought = await sheets.bring('risk', ['Title,Likelihood', ...rows].join('\n'))
  await sheets.apply(brought.id)
  const planned = await undo(brought)
  expect(planned.planned).toMatchObject({ delete: 150, error: 0 })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ deleted: 150, refused: 0 })
  expect(await find('Large')).toBeUndefined()
  const { data } = await ask<{ data: object[] }>('listBulkChanges', {})
  expect(data).toMatchObject([
    { title: 'Undo: import of a file', undoes: brought.id, done: { deleted: 150 } },
    { id: brought.id, title: 'Import of a file' },
    ...data.slice(2).map(() => ({})),
  ])
  expect(await refusal(undo(brought))).toMatchObject({ code: 'conflict' })
})

test('how far its undoing is stands with it, and how much of it is left; only what is there asks again', async () => {
  const csv = 'Title\nFirst of two\nSecond of two\n'
  const brought = await sheets.bring('risk', csv)
  expect(brought).toMatchObject({ undoState: null, standing: null })
  await sheets.apply(brought.id)
  const touched = await find('Second of two')
  await ask('updateRisk', { id: touched!.id, category: 'legal' })
  const first = await undo(brought)
  const listed = async () =>
    (await ask<{ data: TestBulkChange[] }>('listBulkChanges', {})).data.find(({ id }) => id === brought.id)
  expect(await ask('getBulkChange', { id: brought.id })).toMatchObject({ undoState: null, standing: null })
  expect(await listed()).toMatchObject({ undoState: null, standing: null })
  await sheets.apply(first.id)
  expect(await ask('getBulkChange', { id: brought.id })).toMatchObject({ undoState: 'done', standing: 1 })
  expect(await listed()).toMatchObject({ undoState: 'done', standing: 1 })
  // What is left of it would be there twice.
  const twice = await sheets.bring('risk', csv)
  expect(await refusal(sheets.apply(twice.id))).toMatchObject({ code: 'confirm_required' })

  const whole = 'Title\nAll of it\n'
  const other = await sheets.bring('risk', whole)
  await sheets.apply(other.id)
  await sheets.apply((await undo(other)).id)
  expect(await ask('getBulkChange', { id: other.id })).toMatchObject({ undoState: 'done', standing: 0 })
  const again = await sheets.bring('risk', whole)
  expect((await sheets.apply(again.id)).done).toMatchObject({ created: 1 })
})

test('an undoing that a job is at is told as running, and one that was cancelled as stopped', async () => {
  const rows = Array.from({ length: 150 }, (_, at) => `Under way ${at}`)
  const brought = await sheets.bring('risk', ['Title', ...rows].join('\n'))
  await sheets.apply(brought.id)
  const planned = await undo(brought)
  const holder = new pg.Client({ connectionString: one.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table risks in share row exclusive mode')
  const { job } = await ask<TestBulkChange>('applyBulkChange', { id: planned.id, rows: 'good' })
  const stateNow = async () => (await ask<TestBulkChange>('getBulkChange', { id: brought.id })).undoState
  expect(await stateNow()).toBe('running')
  const cancelling = ask('cancelJob', { id: job!.id })
  await until(async () => {
    const { rows } = await one.administrator.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length === 2
  })
  await holder.end()
  await cancelling
  await until(async () => (await stateNow()) === 'stopped')
})

test('it is for whoever may see the import, and for nobody else', async () => {
  const editor = await acme.person('editor')
  const theirs = sheetsOf(one, editor)
  const brought = await theirs.bring('risk', 'Title\nTheirs\n')
  expect(await refusal(undo(brought))).toMatchObject({ code: 'conflict' })
  await theirs.apply(brought.id)
  const viewer = await acme.person('viewer')
  const elsewhere = await one.organization()
  const others = [
    await acme.person('editor'),
    elsewhere.admin,
    viewer,
    { ...viewer, limitedView: 'auditor' as const },
  ]
  for (const caller of others)
    expect((await refusal(one.call(caller, 'undoBulkChange', { id: brought.id })))?.status).toBe(
      caller.role === 'viewer' ? 403 : 404,
    )
  const { id } = await theirs.ask<TestBulkChange>('undoBulkChange', { id: brought.id })
  expect((await theirs.planned(id)).planned).toMatchObject({ delete: 1 })
  expect(await refusal(one.call(elsewhere.admin, 'applyBulkChange', { id, rows: 'good' }))).toMatchObject({
    code: 'not_found',
  })
  expect((await theirs.apply(id)).done).toMatchObject({ deleted: 1 })
})
