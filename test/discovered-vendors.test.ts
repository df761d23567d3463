import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* A vendor that something found waits until somebody takes it up, dismisses it, or leads it on as any other. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const call = async (name: string, input: object = {}, by: Caller = acme.admin) =>
  (await one.call(by, name, input)).body as Record
const found = (more: object = {}) =>
  call('createVendor', { name: 'Found App', discoveredBy: 'Single sign-on', ...more })
const waiting = async (by: Caller = acme.admin) =>
  ((await call('listDiscoveredVendors', {}, by)).data as Record[]).map(({ id }) => id)
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )

test('who names what found it adds what was discovered, and it waits', async () => {
  const vendor = await found()
  expect(vendor).toMatchObject({ source: 'discovery', status: 'prospective', lifecycleStage: 'identified' })
  const entered = await call('createVendor', { name: 'Entered' })
  await call('updateVendor', { id: entered.id, discoveredBy: 'Expenses' })
  expect(await call('getVendor', { id: entered.id })).toMatchObject({ source: 'person' })
  const ids = await waiting()
  expect(ids).toContain(vendor.id)
  expect(ids).not.toContain(entered.id)
  const listed = await call('listVendors', { source: ['discovery'] })
  expect((listed.data as Record[]).map(({ id }) => id)).toContain(vendor.id)
})

test('the newest stands first, a page at a time, and each organization sees its own', async () => {
  const acme = await one.organization()
  const names = ['One', 'Two', 'Three']
  for (const name of names) await call('createVendor', { name, discoveredBy: 'Expenses' }, acme.admin)
  const first = await call('listDiscoveredVendors', { limit: 2 }, acme.admin)
  const rest = await call('listDiscoveredVendors', { limit: 2, cursor: first.nextCursor }, acme.admin)
  const shown = [first, rest].flatMap(({ data }) => (data as Record[]).map(({ name }) => name))
  expect(shown).toEqual(names.toReversed())
  const theirs = await one.organization()
  expect(await waiting(theirs.admin)).toEqual([])
})

test('somebody takes it up, and is told of as who leads it on', async () => {
  const vendor = await found()
  const person = await call('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const owner = { type: 'personnel', refId: person.id }
  const taken = await call('adoptVendor', { id: vendor.id, category: 'hr', owner })
  expect(taken).toMatchObject({
    lifecycleStage: 'intake',
    category: 'hr',
    ownerId: person.id,
    source: 'discovery',
    version: 2,
  })
  expect(await waiting()).not.toContain(vendor.id)
  const { rows } = await one.administrator.query(
    "select body::json->'data'->'changes' as changes from signals where subject_id = $1 and type = 'vendor.updated'",
    [vendor.id],
  )
  expect(rows.map(({ changes }) => Object.keys(changes).sort())).toEqual([
    ['category', 'lifecycleStage', 'ownerId'],
  ])
  expect(await refused(call('adoptVendor', { id: vendor.id }))).toMatchObject({ code: 'conflict' })
})

test('a change as any other takes it up as well', async () => {
  const vendor = await found()
  await call('updateVendor', { id: vendor.id, notes: 'Seen' })
  expect(await waiting()).toContain(vendor.id)
  await call('updateVendor', { id: vendor.id, status: 'under_review' })
  expect(await waiting()).not.toContain(vendor.id)
})

test('what is none is dismissed with a reason, and may be taken up after all', async () => {
  const vendor = await found({ externalId: 'sso:4711' })
  expect(await refused(call('dismissVendor', { id: vendor.id }))).toMatchObject({ code: 'validation_failed' })
  const statusReason = 'A private account'
  expect(await call('dismissVendor', { id: vendor.id, statusReason })).toMatchObject({
    status: 'rejected',
    statusReason,
  })
  expect(await waiting()).not.toContain(vendor.id)
  expect(await refused(found({ externalId: 'sso:4711' }))).toMatchObject({ code: 'conflict' })
  expect(await refused(call('dismissVendor', { id: vendor.id, statusReason }))).toMatchObject({
    code: 'conflict',
  })
  expect(await call('adoptVendor', { id: vendor.id })).toMatchObject({
    status: 'prospective',
    statusReason: null,
    lifecycleStage: 'intake',
  })
})

test('of two who decide at once, one does', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const { id } = await found()
    const both = await Promise.all([
      refused(call('adoptVendor', { id })),
      refused(call('dismissVendor', { id, statusReason: 'None' })),
    ])
    // Who dismissed first can be overruled; who took it up first can not.
    const { status, lifecycleStage } = await call('getVendor', { id })
    expect([status, lifecycleStage]).toEqual(['prospective', 'intake'])
    expect(both[0]).toBeNull()
  }
})

test('one that somebody entered, or of another organization, is none of these', async () => {
  const entered = await call('createVendor', { name: 'Entered' })
  expect(await refused(call('adoptVendor', { id: entered.id }))).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/source is person.*discovery/),
  })
  const theirs = await one.organization()
  const foreign = await call('createVendor', { name: 'Theirs', discoveredBy: 'Expenses' }, theirs.admin)
  for (const [name, more] of [
    ['adoptVendor', {}],
    ['dismissVendor', { statusReason: 'None' }],
    ['reviewVendor', {}],
  ] as const)
    expect(await refused(call(name, { id: foreign.id, ...more })), name).toMatchObject({ code: 'not_found' })
})
