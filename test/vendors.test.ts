import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendor } from '../model/kinds/vendor.ts'
import { isLei } from '../model/lei.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Whom the organization buys from: what may be decided of one, how far it comes, and what follows from its risks. */

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
const add = (more: object = {}) => call('createVendor', { name: 'Example Cloud', ...more })
const update = (id: string, input: object) => call('updateVendor', { id, ...input })
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const pathsOf = async (promise: Promise<unknown>) =>
  (((await refused(promise))?.members.errors ?? []) as { path: string }[]).map(({ path }) => path)

test('a name is enough, and nothing is decided by it', async () => {
  expect(await add()).toMatchObject({
    status: 'prospective',
    lifecycleStage: 'identified',
    category: 'other',
    riskRating: 'unrated',
    riskRatingPinned: false,
    inUseUnapproved: false,
    lastReviewedAt: null,
    source: 'person',
    version: 1,
  })
})

const [{ next }] = vendor.states as unknown as [{ next: globalThis.Record<string, readonly string[]> }]
const because = { statusReason: 'Because', conditions: ['Shows a report by summer'] }

test.each(vendor.fields.status.options)('from %s it goes where it may, and nowhere else', async (from) => {
  for (const to of vendor.fields.status.options.filter((state) => state !== from)) {
    const { id } = await add({ status: from, ...because })
    const answer = await refused(update(id, { status: to, ...because }))
    if (next[from]!.includes(to)) expect([from, to, answer]).toEqual([from, to, null])
    else expect(answer).toMatchObject({ code: 'invalid_transition', members: { allowed: next[from] } })
  }
})

test('whoever decides says on what conditions, or why', async () => {
  const { id } = await add({ status: 'under_review' })
  expect(await pathsOf(update(id, { status: 'conditional' }))).toEqual(['conditions'])
  expect(await pathsOf(update(id, { status: 'rejected' }))).toEqual(['statusReason'])
  expect(await pathsOf(add({ status: 'terminated' }))).toEqual(['statusReason'])
  const conditions = ['A report of SOC 2, by June', 'No personal data until then']
  expect(await update(id, { status: 'conditional', conditions })).toMatchObject({ conditions })
  expect(await update(id, { status: 'on_hold', statusReason: 'The report is late' })).toMatchObject({
    statusReason: 'The report is late',
  })
  expect(await update(id, { status: 'approved' })).toMatchObject({ statusReason: null, conditions })
})

test('a stage leads ahead, as many as you like, and back with a reason', async () => {
  const { id } = await add({ status: 'approved', lifecycleStage: 'intake' })
  expect(await update(id, { lifecycleStage: 'onboarding' })).toMatchObject({ stageReason: null })
  expect(await pathsOf(update(id, { lifecycleStage: 'contracting' }))).toEqual(['stageReason'])
  const stageReason = 'The contract has to be signed again'
  expect(await update(id, { lifecycleStage: 'contracting', stageReason })).toMatchObject({ stageReason })
  expect(await pathsOf(update(id, { lifecycleStage: 'identified', notes: 'x' }))).toEqual(['stageReason'])
  expect(await update(id, { lifecycleStage: 'offboarded' })).toMatchObject({ lifecycleStage: 'offboarded' })
})

test('it comes into use when it is approved, and shows when it is used without', async () => {
  for (const status of ['prospective', 'under_review', 'on_hold', 'rejected', 'terminated'])
    expect(await pathsOf(add({ status, ...because, lifecycleStage: 'in_use' })), status).toEqual([
      'lifecycleStage',
    ])
  const { id } = await add({ status: 'under_review', lifecycleStage: 'onboarding' })
  expect(await pathsOf(update(id, { lifecycleStage: 'in_use' }))).toEqual(['lifecycleStage'])
  const used = await update(id, { status: 'conditional', ...because, lifecycleStage: 'in_use' })
  expect(used.inUseUnapproved).toBe(false)
  expect(await pathsOf(update(id, { status: 'on_hold' }))).toEqual(['statusReason'])
  const held = await update(id, { status: 'on_hold', statusReason: 'Breached' })
  expect(held).toMatchObject({ lifecycleStage: 'in_use', inUseUnapproved: true })
  const found = await call('listVendors', { inUseUnapproved: [true] })
  expect((found.data as Record[]).map((row) => row.id)).toContain(id)
  const back = { lifecycleStage: 'in_use', stageReason: 'Extended' }
  await update(id, { lifecycleStage: 'renewal' })
  expect(await pathsOf(update(id, back)), 'once it left').toEqual(['lifecycleStage'])
  expect(await update(id, { status: 'terminated', statusReason: 'Breached again' })).toMatchObject({
    inUseUnapproved: true,
  })
  expect(await update(id, { lifecycleStage: 'offboarding' })).toMatchObject({ inUseUnapproved: false })
})

test('its rating follows from its risks, until somebody pins it', async () => {
  const { id } = await add({ inherentRisk: 'critical' })
  const after = async (input: object) => {
    const { riskRating, riskRatingPinned } = await update(id, input)
    return [riskRating, riskRatingPinned]
  }
  expect(await after({ notes: 'x' })).toEqual(['critical', false])
  expect(await after({ residualRisk: 'medium' })).toEqual(['medium', false])
  expect(await after({ riskRating: 'medium', notes: 'sent back as it was read' })).toEqual(['medium', false])
  expect(await after({ riskRating: 'high' })).toEqual(['high', true])
  expect(await after({ residualRisk: 'low' })).toEqual(['high', true])
  expect(await after({ riskRatingPinned: false })).toEqual(['low', false])
  expect(await after({ riskRatingPinned: true })).toEqual(['low', true])
  expect(await after({ residualRisk: null, inherentRisk: null })).toEqual(['low', true])
  expect(await after({ riskRatingPinned: false })).toEqual(['unrated', false])
  expect(await add({ riskRating: 'high', inherentRisk: 'low' })).toMatchObject({
    riskRating: 'high',
    riskRatingPinned: true,
  })
})

test('an LEI is one by its check digits', async () => {
  const right = ['5493001KJTIIGC8Y1R12', '7LTWFZYICNSX8D621K86', 'HWUPKR0MPOU8FGXBT394']
  for (const lei of right) expect(isLei(lei), lei).toBe(true)
  const [lei] = right as [string]
  expect(await add({ lei: ` ${lei.toLowerCase()} ` })).toMatchObject({ lei })
  // Any other sign in any place, two that change places, and one too few or too many.
  for (let at = 0; at < lei.length; at++) {
    const other = at >= 18 || lei[at] === '0' ? (lei[at] === '9' ? '1' : '9') : '0'
    expect(isLei(lei.slice(0, at) + other + lei.slice(at + 1)), String(at)).toBe(false)
  }
  for (const wrong of [
    '5493001KJTIICG8Y1R12',
    lei.slice(1),
    `${lei}0`,
    '00000000000000000000',
    'É'.repeat(20),
  ])
    expect(await pathsOf(add({ lei: wrong })), wrong).toEqual(['lei'])
})

test('nobody is above its own parent, also where two at once would lead round', async () => {
  const [a, b] = [await add(), await add()]
  expect(await pathsOf(update(a.id, { parentVendorId: a.id }))).toEqual(['parentVendorId'])
  for (let turn = 0; turn < 6; turn++) {
    const both = await Promise.all([
      refused(update(a.id, { parentVendorId: b.id })),
      refused(update(b.id, { parentVendorId: a.id })),
    ])
    expect(both.filter((answer) => answer === null)).toHaveLength(1)
    await Promise.all([a, b].map(({ id }) => update(id, { parentVendorId: null })))
  }
})

test('a review is now, and the next in a year or on the day that is given', async () => {
  const { id } = await add({ nextReviewDate: '2020-01-01', inherentRisk: 'high' })
  const done = await call('reviewVendor', { id, residualRisk: 'low' })
  expect(done).toMatchObject({ lastReviewedAt: done.updatedAt, riskRating: 'low', version: 2 })
  const year = Number(String(done.updatedAt).slice(0, 4))
  expect(done.nextReviewDate).toBe(
    new Date(Date.UTC(year + 1, ...monthAndDay(done))).toISOString().slice(0, 10),
  )
  expect(await call('reviewVendor', { id, nextReviewDate: '2199-05-17' })).toMatchObject({
    nextReviewDate: '2199-05-17',
  })
  const today = String(done.updatedAt).slice(0, 10)
  expect(await pathsOf(call('reviewVendor', { id, nextReviewDate: today }))).toEqual(['nextReviewDate'])
  expect(await pathsOf(update(id, { lastReviewedAt: '2020-01-01T00:00:00.000Z' }))).toEqual([
    'lastReviewedAt',
  ])
  await update(id, { status: 'terminated', statusReason: 'Over' })
  expect(await refused(call('reviewVendor', { id }))).toMatchObject({ code: 'conflict' })
})

const monthAndDay = ({ updatedAt }: Record): [number, number] => {
  const at = new Date(String(updatedAt))
  return [at.getUTCMonth(), at.getUTCDate()]
}

test('each watched field alone raises one signal with its changes, and no other field does', async () => {
  const person = await call('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const owner = { type: 'personnel', refId: person.id }
  const values: [string, object, readonly string[]][] = [
    ['name', { name: 'Other Cloud' }, ['name']],
    ['status', { status: 'under_review' }, ['status']],
    ['lifecycleStage', { lifecycleStage: 'intake' }, ['lifecycleStage']],
    ['category', { category: 'hr' }, ['category']],
    ['ownerId', { owner }, ['ownerId']],
    ['riskRating', { inherentRisk: 'low' }, ['inherentRisk', 'riskRating']],
  ]
  expect(values.map(([field]) => field)).toEqual(vendor.watch)
  const raised = async (id: string) =>
    (
      await one.administrator.query(
        "select body::json->'data'->'changes' as changes from signals where subject_id = $1 and type = 'vendor.updated'",
        [id],
      )
    ).rows.map(({ changes }) => Object.keys(changes).sort())
  for (const [, change, told] of values) {
    const { id } = await add()
    await update(id, change)
    expect(await raised(id)).toEqual([told])
  }
  const { id } = await add()
  await update(id, {
    website: 'https://cloud.example/',
    securityOwner: owner,
    contacts: [{ name: 'Cy Orr' }],
  })
  await update(id, { parentVendorId: (await add()).id, isSubprocessor: true, nextReviewDate: '2030-01-01' })
  await call('reviewVendor', { id })
  expect(await raised(id)).toEqual([])
})

test('an asset names the vendor that provides it, which then stays', async () => {
  const cloud = await add()
  const asset = await call('createAsset', { name: 'Database', type: 'database', vendorId: cloud.id })
  const listed = await call('listAssets', { vendorId: [cloud.id] })
  expect((listed.data as Record[]).map(({ id }) => id)).toEqual([asset.id])
  expect(await refused(call('deleteVendor', { id: cloud.id }))).toMatchObject({
    code: 'referenced',
    members: { counts: { asset: 1 } },
    message: expect.stringMatching(/or terminate it/),
  })
  const theirs = await one.organization()
  const foreign = await call('createVendor', { name: 'Theirs' }, theirs.admin)
  expect(await pathsOf(call('updateAsset', { id: asset.id, vendorId: foreign.id }))).toEqual(['vendorId'])
})

test('a program writes vendors with their scope alone, and risks link them', async () => {
  const door = await one.listen()
  const { secret } = await acme.key(['read:vendors', 'write:vendors'])
  const made = await door.send(secret, 'POST', '/v1/vendors', { body: { name: 'By a program' } })
  expect([made.status, made.body.source]).toEqual([201, 'api'])
  const at = `/v1/vendors/${made.body.id}`
  const threat = await call('createRisk', { title: 'It fails' })
  const link = `/v1/risks/${threat.id}/links/vendor/${made.body.id}`
  expect((await door.send(secret, 'PUT', link)).body.code).toBe('insufficient_scope')
  const risks = await acme.key(['read:risks', 'write:risks'])
  expect((await door.send(risks.secret, 'PUT', link)).status).toBe(200)
  expect((await door.send(secret, 'GET', `${at}/links`)).body.counts).toEqual({
    evidence: 0,
    risk: 1,
    security_finding: 0,
    task: 0,
  })
  expect((await door.send(secret, 'DELETE', at)).status).toBe(204)
})
