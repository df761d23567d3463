import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { settleResults } from '../server/frameworks/settle-results.ts'
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
 * Promise: one call makes one change for many records, chosen by their ids or by the filters of their list. What it
 * would do is planned first, by the rules of each record; what is carried out is told row by row.
 */

let one: TestService
let acme: TestOrganization
let sheets: Sheets
beforeAll(async () => {
  ;({ one, acme, sheets } = await startSheets())
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const edit = async (input: object) => {
  const { id } = await ask<TestBulkChange>('startBulkEdit', { type: 'risk', ...input })
  return sheets.planned(id)
}
const add = async (input: object) => (await ask<{ id: string }>('createRisk', { title: 'Any', ...input })).id

test('what the filters let through is planned, and changed with one entry and one signal each', async () => {
  const open: string[] = []
  for (const size of [100, 100, 50]) {
    const records = Array.from({ length: size }, (_, at) => ({ title: `Risk ${at}`, labels: ['ours'] }))
    const { data } = await ask<{ data: { record: { id: string } }[] }>('createRiskBatch', { records })
    open.push(...data.map(({ record }) => record.id))
  }
  const closed = await add({ labels: ['ours'], status: 'closed', statusReason: 'Over' })
  const other = await add({ labels: ['theirs'] })
  const change = { status: 'assessed', likelihood: 'rare', impact: 'minor' }
  const planned = await edit({ filters: { labels: ['ours'] }, change })
  expect(planned.planned).toEqual({ create: 0, change: 250, delete: 0, leave: 0, error: 1 })
  const [left] = await sheets.rows(planned.id, { planned: ['error'] })
  expect(left).toMatchObject({ record: { id: closed }, problems: [{ field: 'status' }] })
  expect(await ask('getRisk', { id: open[0]! })).toMatchObject({ version: 1 })

  const moved = open[7]!
  await ask('updateRisk', { id: moved, title: 'Changed meanwhile' })
  const done = await sheets.apply(planned.id)
  expect(done.done).toEqual({ created: 0, changed: 249, deleted: 0, unchanged: 0, refused: 1 })
  expect(await ask('getRisk', { id: open[0]! })).toMatchObject({ ...change, version: 2 })
  expect(await ask('getRisk', { id: moved })).toMatchObject({ status: 'identified' })
  expect(await ask('getRisk', { id: other })).toMatchObject({ version: 1 })
  const { rows } = await one.administrator.query(
    `select (select count(*) from audit_entries where subject_id = $1 and action = 'risk.update')::int as entries,
            (select count(*) from signals where subject_id = $1 and type = 'risk.updated')::int as signals`,
    [open[0]],
  )
  expect(rows).toEqual([{ entries: 1, signals: 1 }])
  expect(await refusal(sheets.apply(planned.id))).toMatchObject({ code: 'conflict' })
})

test('a few are planned and written at once, summed up by what changes and what is refused, and taken back', async () => {
  const rare = await add({ title: 'Rare', likelihood: 'rare', labels: ['kept'] })
  const bare = await add({ title: 'Bare' })
  const closed = await add({ title: 'Closed', status: 'closed', statusReason: 'Over' })
  const noted = await add({ title: 'Noted', customFields: { team: 'Red', floor: 3 } })
  const change = { likelihood: 'likely', impact: 'minor', status: 'assessed' }
  const planned = await ask<TestBulkChange>('startBulkEdit', {
    type: 'risk',
    changes: [
      { ids: [rare, bare, closed], change },
      { ids: [noted, rare], change: { customFields: { team: 'Blue' } } },
    ],
  })
  expect(planned).toMatchObject({ stage: 'planned', job: null, planned: { change: 3, error: 1, leave: 0 } })
  const { changes, problems } = await ask<TestSummary>('summarizeBulkChange', { id: planned.id })
  expect(changes.find(({ field }) => field === 'likelihood')).toEqual({
    field: 'likelihood',
    count: 2,
    kinds: 2,
    values: [
      { before: null, after: 'Likely', count: 1 },
      { before: 'Rare', after: 'Likely', count: 1 },
    ],
  })
  expect(changes.find(({ field }) => field === 'impact')).toMatchObject({ count: 2, kinds: 1 })
  const [{ reference }] = [await ask<{ reference: string }>('getRisk', { id: closed })]
  const message = 'cannot go from Closed to Assessed: it can go to Identified'
  expect(problems).toMatchObject([
    { field: 'status', column: null, message, count: 1, isAlike: true, records: [reference] },
  ])

  const done = await ask<TestBulkChange>('applyBulkChange', { id: planned.id, rows: 'good' })
  expect(done).toMatchObject({ stage: 'applied', job: null, done: { changed: 3, refused: 0 } })
  expect(await ask('getRisk', { id: rare })).toMatchObject({ ...change, version: 2, labels: ['kept'] })
  expect(await ask('getRisk', { id: noted })).toMatchObject({ customFields: { team: 'Blue', floor: 3 } })

  await ask('updateRisk', { id: bare, category: 'legal' })
  const back = await ask<TestBulkChange>('undoBulkChange', { id: planned.id })
  expect(back).toMatchObject({ stage: 'planned', planned: { change: 2, error: 1 } })
  const told = await ask<TestSummary>('summarizeBulkChange', { id: back.id })
  expect(told.problems).toMatchObject([{ field: null, message: expect.stringMatching(/in the meantime/) }])
  expect((await sheets.apply(back.id)).done).toMatchObject({ changed: 2, refused: 0 })
  expect(await ask('getRisk', { id: rare })).toMatchObject({
    status: 'identified',
    likelihood: 'rare',
    impact: null,
  })
  expect(await ask('getRisk', { id: noted })).toMatchObject({ customFields: { team: 'Red', floor: 3 } })
  expect(await ask('getRisk', { id: bare })).toMatchObject({ status: 'assessed', category: 'legal' })
  // And that can be taken back once more.
  const forth = await ask<TestBulkChange>('undoBulkChange', { id: back.id })
  expect(forth.planned).toMatchObject({ change: 2, error: 0 })
  const unchanged = await ask<TestBulkChange>('undoBulkChange', { id: back.id })
  await sheets.apply(forth.id)
  expect(await refusal(sheets.apply(unchanged.id))).toBeNull()
  expect((await ask<TestBulkChange>('getBulkChange', { id: unchanged.id })).done).toMatchObject({
    changed: 0,
    refused: 2,
  })
})

test('what is read while its job ends tells what that came to, and not that it was stopped', async () => {
  const records = Array.from({ length: 60 }, (_, at) => ({ title: `Read ${at}`, labels: ['read'] }))
  for (let twice = 0; twice < 2; twice++) await ask('createRiskBatch', { records })
  const { id } = await edit({ filters: { labels: ['read'] }, change: { impact: 'minor' } })
  // Its last piece waits for the first holder; whoever reads waits for the second, between what it is at and its job.
  const [last, between] = await Promise.all([holder(), holder()])
  await last.query('select from bulk_change_rows where bulk_change_id = $1 and number = 110 for update', [id])
  await ask('applyBulkChange', { id, rows: 'good' })
  await until(() => waiting(1))
  const holding = between.query('lock table bulk_change_rows in access exclusive mode')
  await until(() => waiting(2))
  const reading = ask<TestBulkChange>('getBulkChange', { id })
  await until(() => waiting(3))
  await last.end()
  await holding
  await between.end()
  expect(await reading).toMatchObject({
    ...{ stage: 'applied', done: { changed: 120, refused: 0 }, left: 0 },
    job: { state: 'succeeded' },
  })
})

async function holder(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: one.database.administratorUrl })
  await client.connect()
  await client.query('begin')
  return client
}

/** Whether so many wait for another in the database. */
async function waiting(count: number): Promise<boolean> {
  const { rows } = await one.administrator.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length === count
}

test('what nobody changes is named as no kind to change', async () => {
  const given = { type: 'risk_acceptance', ids: ['rac_1'], change: { status: 'approved' } }
  expect(await refusal(ask('startBulkEdit', given))).toMatchObject({
    ...{ code: 'validation_failed', members: { errors: [{ path: 'type' }] } },
  })
})

test('all or nothing that meets a record which moved on is a plan again, and the rest is carried out', async () => {
  const records = Array.from({ length: 60 }, (_, at) => ({ title: `Moved ${at}`, labels: ['moved'] }))
  for (let twice = 0; twice < 2; twice++) await ask('createRiskBatch', { records })
  const planned = await edit({ filters: { labels: ['moved'] }, change: { impact: 'minor' } })
  const [, second] = await sheets.rows(planned.id, { planned: ['change'] })
  await ask('updateRisk', { id: second!.record!.id, category: 'legal' })
  const { job } = await ask<TestBulkChange>('applyBulkChange', { id: planned.id, rows: 'all' })
  const words = 'the record has changed, or gone, since the plan: choose it again'
  const failed = await until(async () => {
    const read = await ask<{ state: string; canResume: boolean; failure: string }>('getJob', { id: job!.id })
    return read.state === 'failed' && read
  })
  expect(failed).toMatchObject({
    canResume: false,
    failure: `Row 2 could not be written, so nothing was: ${words}. What is good can be carried out without it.`,
  })
  expect(await refusal(ask('resumeJob', { id: job!.id }))).toMatchObject({ code: 'conflict' })
  const back = await ask<TestBulkChange>('getBulkChange', { id: planned.id })
  expect(back).toMatchObject({ stage: 'planned', planned: { change: 119, error: 1 }, done: null })
  expect(await sheets.rows(planned.id, { planned: ['error'] })).toMatchObject([
    { number: 2, changes: [], problems: [{ message: words }] },
  ])
  expect(await ask('listRisks', { labels: ['moved'], impact: ['minor'] })).toMatchObject({ data: [] })
  await ask('applyBulkChange', { id: planned.id, rows: 'good' })
  const done = await until(async () => {
    const now = await ask<TestBulkChange>('getBulkChange', { id: planned.id })
    return now.stage === 'applied' && now
  })
  expect(done.done).toMatchObject({ changed: 119, refused: 0 })
})

test('a value that only one record can have is given to one alone, and the plan says so', async () => {
  const ids = [await add({ externalId: 'mine' }), await add({}), await add({})]
  const planned = await edit({ ids, change: { externalId: 'same', category: 'legal' } })
  expect(planned.planned).toMatchObject({ change: 1, error: 2 })
  const message = expect.stringMatching(/another of the records would have the same external id/)
  expect(await sheets.rows(planned.id, { planned: ['error'] })).toMatchObject([
    { problems: [{ field: 'externalId', message }] },
    { problems: [{ field: 'externalId', message }] },
  ])
  expect((await edit({ ids, change: { externalId: null } })).planned).toMatchObject({ change: 1, leave: 2 })
})

test('a state that is gone back to has its reason again, and whoever owned a record owns it again', async () => {
  const ada = await ask<{ id: string }>('createPersonnel', { fullName: 'Ada', workEmail: 'ada@example.com' })
  const owner = { type: 'personnel', refId: ada.id }
  const id = await add({ owner, status: 'closed', statusReason: 'Sold' })
  const change = { status: 'identified', owner: null }
  const planned = await edit({ ids: [id], change })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 1 })
  expect(await ask('getRisk', { id })).toMatchObject({
    status: 'identified',
    statusReason: null,
    owner: null,
  })
  await sheets.apply((await ask<TestBulkChange>('undoBulkChange', { id: planned.id })).id)
  expect(await ask('getRisk', { id })).toMatchObject({ status: 'closed', statusReason: 'Sold', owner })
})

test('a value that another record has taken meanwhile does not come back, and is named with its field', async () => {
  const person = (fullName: string, workEmail: string) =>
    ask<{ id: string }>('createPersonnel', { fullName, workEmail })
  const { id } = await person('Ida', 'ida@example.com')
  const change = { workEmail: 'ida.2@example.com' }
  const planned = await ask<TestBulkChange>('startBulkEdit', { type: 'personnel', ids: [id], change })
  await sheets.apply(planned.id)
  await person('Ida the younger', 'Ida@example.com')
  const back = await ask<TestBulkChange>('undoBulkChange', { id: planned.id })
  expect(back.planned).toMatchObject({ change: 0, error: 1 })
  const told = { field: 'workEmail', message: expect.stringMatching(/has the same work e-mail already/) }
  expect((await sheets.rows(back.id))[0]!.problems).toEqual([
    { column: null, ...told, value: 'ida@example.com' },
  ])
  const summary = await ask<TestSummary>('summarizeBulkChange', { id: back.id })
  expect(summary.problems).toMatchObject([{ ...told, values: [{ value: 'ida@example.com', count: 1 }] }])
})

test('what came along with a value goes with it', async () => {
  const { id } = await ask<{ id: string }>('createVendor', { name: 'Hosting Ltd' })
  const before = await ask<Record<string, unknown>>('getVendor', { id })
  const planned = await ask<TestBulkChange>('startBulkEdit', {
    type: 'vendor',
    ids: [id],
    change: { riskRating: 'high' },
  })
  await sheets.apply(planned.id)
  expect(await ask('getVendor', { id })).toMatchObject({ riskRating: 'high', riskRatingPinned: true })
  await sheets.apply((await ask<TestBulkChange>('undoBulkChange', { id: planned.id })).id)
  const { version, updatedAt, updatedBy, ...again } = await ask<Record<string, unknown>>('getVendor', { id })
  expect(before).toMatchObject(again)
})

test('what followed from other fields before it was given follows from them again', async () => {
  const given = { title: 'Open port', severity: 'high', detectedAt: '2026-01-01T00:00:00.000Z' }
  const { id } = await ask<{ id: string }>('createSecurityFinding', given)
  const before = await ask<Record<string, unknown>>('getSecurityFinding', { id })
  expect(before).toMatchObject({ dueDate: '2026-01-31', dueDateSource: 'sla' })
  const change = { dueDate: '2026-06-30' }
  const planned = await ask<TestBulkChange>('startBulkEdit', { type: 'security_finding', ids: [id], change })
  await sheets.apply(planned.id)
  expect(await ask('getSecurityFinding', { id })).toMatchObject({ ...change, dueDateSource: 'manual' })
  await sheets.apply((await ask<TestBulkChange>('undoBulkChange', { id: planned.id })).id)
  const { version, updatedAt, updatedBy, ...again } = await ask<Record<string, unknown>>(
    'getSecurityFinding',
    { id },
  )
  expect(before).toMatchObject(again)
})

test('a result that followed before it was changed follows again', async () => {
  const framework = await ask<{ id: string }>('createFramework', { key: 'k', edition: '1', name: 'Ours' })
  const given = { frameworkId: framework.id, key: 'A', title: 'Is asked' }
  const { id } = await ask<{ id: string }>('createRequirement', given)
  const control = await ask<{ id: string }>('createControl', { code: 'C', title: 'Is done' })
  await ask('linkRequirement', { id, targetKind: 'control', targetId: control.id })
  await settleResults(one.service)
  for (const change of [
    { applicability: 'not_applicable', justification: 'We have none.' },
    { result: 'compliant', resultReason: 'Seen on site.' },
  ]) {
    const planned = await ask<TestBulkChange>('startBulkEdit', { type: 'requirement', ids: [id], change })
    await sheets.apply(planned.id)
    expect(await ask('getRequirement', { id })).toMatchObject(change)
    await sheets.apply((await ask<TestBulkChange>('undoBulkChange', { id: planned.id })).id)
    expect(await ask('getRequirement', { id })).toMatchObject({
      ...{ applicability: 'applicable', justification: null },
      ...{ result: 'non_compliant', resultPinned: false, resultReason: null },
    })
  }
})

test('what nothing was changed by is not taken back, nor what is another’s', async () => {
  const planned = await edit({ ids: [await add({})], change: { impact: 'minor' } })
  const undo = (id: string) => refusal(ask('undoBulkChange', { id }))
  expect(await undo(planned.id)).toMatchObject({ code: 'conflict' })
  await sheets.apply(planned.id)
  const editor = await acme.person('editor')
  for (const name of ['undoBulkChange', 'summarizeBulkChange'])
    expect(await refusal(one.call(editor, name, { id: planned.id }))).toMatchObject({ code: 'not_found' })
})

test('ids that are of no record here are told, and another organization’s are not reached', async () => {
  const mine = await add({})
  const elsewhere = await one.organization()
  const { body } = await one.call(elsewhere.admin, 'createRisk', { title: 'Theirs' })
  const theirs = (body as { id: string }).id
  const planned = await edit({ ids: [mine, theirs], change: { impact: 'major' } })
  expect(planned.planned).toMatchObject({ change: 1, error: 1 })
  expect(await sheets.rows(planned.id, { planned: ['error'] })).toMatchObject([
    { record: null, problems: [{ message: expect.stringContaining('gone') }] },
  ])
  await sheets.apply(planned.id)
  const read = await one.call(elsewhere.admin, 'getRisk', { id: theirs })
  expect(read.body).toMatchObject({ version: 1 })
})

test.each([
  ['neither ids nor filters', {}, 'ids'],
  ['both', { ids: ['risk_1'], filters: {} }, 'ids'],
  ['changes beside a change', { changes: [{ ids: ['risk_1'], change: { impact: 'minor' } }] }, 'ids'],
  [
    'a choice nobody knows among several changes',
    { change: undefined, changes: [{ ids: ['risk_1'], change: { impact: 'huge' } }] },
    'changes.0.change.impact',
  ],
  ['a field nobody knows', { ids: ['risk_1'], change: { titel: 'x' } }, 'change.titel'],
  ['a choice nobody knows', { ids: ['risk_1'], change: { impact: 'huge' } }, 'change.impact'],
  ['nothing to change', { ids: ['risk_1'], change: {} }, 'change'],
  ['a filter nobody knows', { filters: { staus: ['closed'] } }, 'filters.staus'],
  ['filters that let nothing through', { filters: { q: 'nothing is called so' } }, 'filters'],
])('%s is refused by name', async (_, input, path) => {
  const refused = await refusal(edit({ change: { impact: 'minor' }, ...input }))
  expect(refused?.members.errors).toMatchObject([{ path }])
})

test('whoever was given what is given back is told of it no more', async () => {
  const person = await acme.person('editor')
  const records = Array.from({ length: 30 }, (_, at) => ({ title: `Given ${at}`, labels: ['given'] }))
  await ask('createRiskBatch', { records })
  const owner = { type: 'user', refId: person.userId }
  const planned = await edit({ filters: { labels: ['given'] }, change: { owner } })
  await sheets.apply(planned.id)
  const told = async () =>
    (await sheetsOf(one, person).ask<{ data: { kind: string; count: number }[] }>('listNotices', {})).data
  expect(await told()).toMatchObject([{ kind: 'assigned', count: 30 }])
  const { data } = await ask<{ data: { id: string }[] }>('listRisks', { labels: ['given'], limit: 1 })
  await ask('updateRisk', { id: data[0]!.id, title: 'Kept' })
  const back = await ask<TestBulkChange>('undoBulkChange', { id: planned.id })
  await sheets.apply((await sheets.planned(back.id)).id)
  expect(await told()).toMatchObject([{ kind: 'assigned', count: 1 }])
  await ask('updateRisk', { id: data[0]!.id, owner: null })
  expect(await told()).toEqual([])
})

test('a viewer changes nothing, and a key has no part in it', async () => {
  const viewer = await acme.person('viewer')
  const input = { type: 'risk', ids: [await add({})], change: { impact: 'minor' } }
  expect(await refusal(one.call(viewer, 'startBulkEdit', input))).toMatchObject({ status: 403 })
})

test('a selection of evidence is sent to its reviewer, each record by the rules of its operation', async () => {
  const [owner, reviewer] = [await acme.person('editor'), await acme.person('editor')]
  const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
  const theirs = sheetsOf(one, owner)
  const draft = async (input: object) =>
    (await theirs.ask<{ id: string }>('createEvidence', { title: 'Any', owner: user(owner), ...input })).id
  const full = [await draft({ text: 'Done.' }), await draft({ text: 'Seen.' })]
  const asked = await draft({
    text: 'Read.',
    status: 'requested',
    requestedFrom: user(owner),
    requestDueDate: '2099-01-01',
  })
  const empty = await draft({})
  const send = async (change: object, ids = [...full, asked, empty]) => {
    const { id } = await theirs.ask<TestBulkChange>('startBulkEdit', { type: 'evidence', ids, change })
    return theirs.planned(id)
  }
  // As a page has whoever was chosen.
  const sent = {
    status: 'in_review',
    reviewer: { ...user(reviewer), displayName: 'Their name', active: true },
  }
  const statuses = async () =>
    Promise.all(
      [...full, asked, empty].map(
        async (id) => (await theirs.ask<{ status: string }>('getEvidence', { id })).status,
      ),
    )
  // Nobody finds right what they send, and what is not said of the reviewer is asked.
  expect((await send({ ...sent, reviewer: user(owner) })).planned).toMatchObject({ change: 0, error: 4 })
  expect((await send({ status: 'in_review' })).planned).toMatchObject({ change: 0, error: 4 })
  expect((await send({ ...sent, title: 'Other' })).planned).toMatchObject({ change: 0, error: 4 })
  const planned = await send(sent)
  expect(planned.planned).toMatchObject({ change: 3, error: 1 })
  const [first] = await theirs.rows(planned.id)
  expect(first!.changes).toContainEqual({ field: 'status', before: 'Draft', after: 'In review' })
  expect((await theirs.rows(planned.id, { planned: ['error'] }))[0]!.problems).toMatchObject([
    { message: expect.stringMatching(/^There is nothing to look at: upload a file/) },
  ])
  expect(await statuses()).toEqual(['draft', 'draft', 'requested', 'draft'])
  expect((await theirs.apply(planned.id, 'good')).done).toMatchObject({ changed: 3 })
  expect(await statuses()).toEqual(['in_review', 'in_review', 'in_review', 'draft'])
  expect(await theirs.ask('listEvidenceRevisions', { id: full[0] })).toMatchObject({
    data: [{ number: 1, text: 'Done.', submittedBy: { id: owner.userId } }],
  })
  const notices = await sheetsOf(one, reviewer).ask<{ data: { kind: string; count: number }[] }>(
    'listNotices',
    {},
  )
  expect(notices.data).toMatchObject([{ kind: 'asked_to_decide', count: 3 }])
  // What was a draft is one again; a request is asked for by no edit.
  const back = await theirs.ask<TestBulkChange>('undoBulkChange', { id: planned.id })
  expect((await theirs.planned(back.id)).planned).toMatchObject({ change: 2, error: 1 })
  expect((await theirs.apply(back.id, 'good')).done).toMatchObject({ changed: 2 })
  expect(await statuses()).toEqual(['draft', 'draft', 'in_review', 'draft'])
  // A file leads nowhere that no edit leads.
  const { reference } = await theirs.ask<{ reference: string }>('getEvidence', { id: full[0] })
  const file = await theirs.bring('evidence', `Reference,Status\n${reference},In review`)
  expect(file.planned).toMatchObject({ error: 1 })
})
