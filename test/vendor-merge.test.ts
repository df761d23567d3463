import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/* Two vendors that are one: whatever pointed at the one points at the other, and each change is told once. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Record = { id: string; reference: string; version: number; [field: string]: unknown }
const call = async (name: string, input: object = {}, by: Caller = acme.admin) =>
  (await one.call(by, name, input)).body as Record
const vendor = (name: string, more: object = {}) => call('createVendor', { name, ...more })
const asset = (vendorId: string) => call('createAsset', { name: 'Database', type: 'database', vendorId })
const risk = async (...vendors: Record[]) => {
  const made = await call('createRisk', { title: 'It fails' })
  for (const { id } of vendors) await call('linkRisk', { id: made.id, targetKind: 'vendor', targetId: id })
  return made
}
const merge = (kept: Record, gone: Record, more: object = {}) =>
  call('mergeVendor', { id: kept.id, from: gone.id, ...more })
const read = (name: string, { id }: Record) => call(name, { id })
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const linkedVendors = async ({ id }: Record) =>
  ((await call('listRiskLinks', { id, type: ['vendor'] })).data as Record[]).map((row) => row.id)
const entries = async ({ id }: Record, since: Record) =>
  (
    await one.administrator.query(
      'select action, changes, reason from audit_entries where subject_id = $1 and time >= $2 order by time',
      [id, since.updatedAt],
    )
  ).rows as { action: string; changes: { [field: string]: { from: unknown; to: unknown } }; reason: string }[]

test('what pointed at the one points at the other, each with one entry, and the one is gone', async () => {
  const kept = await vendor('Zoom', { website: 'https://zoom.example/', labels: ['video'] })
  const gone = await vendor('Zoom Inc', {
    website: 'https://other.example/',
    legalName: 'Zoom Inc.',
    labels: ['x'],
  })
  const child = await vendor('Zoom Events', { parentVendorId: gone.id })
  const database = await asset(gone.id)
  const [ours, theirs, both] = [await risk(kept), await risk(gone), await risk(kept, gone)]
  await call('createComment', { recordId: gone.id, text: 'Ask for the report of this year' })
  const now = await vendor('Later')

  const after = await merge(kept, gone)
  expect((await call('listComments', { recordId: kept.id })).data).toMatchObject([
    { text: 'Ask for the report of this year' },
  ])
  expect(after).toMatchObject({
    id: kept.id,
    name: 'Zoom',
    website: 'https://zoom.example/',
    legalName: 'Zoom Inc.',
    labels: ['video', 'x'],
    version: 2,
  })
  expect(await read('getVendor', kept)).toEqual(after)
  expect(await read('getAsset', database)).toMatchObject({ vendorId: kept.id, version: 2 })
  expect(await read('getVendor', child)).toMatchObject({ parentVendorId: kept.id, version: 2 })
  for (const each of [ours, theirs, both]) expect(await linkedVendors(each)).toEqual([kept.id])
  expect(await refused(read('getVendor', gone))).toMatchObject({ code: 'not_found' })

  const told = ({ id, reference, name }: Record) => ({ id, reference, title: name, role: null })
  const reason = `${gone.reference} was merged into ${kept.reference}`
  expect(await entries(database, now)).toMatchObject([
    { action: 'asset.update', changes: { vendorId: { from: gone.id, to: kept.id } }, reason },
  ])
  expect(await entries(child, now)).toMatchObject([{ action: 'vendor.update', reason }])
  expect(await entries(theirs, now)).toMatchObject([
    { action: 'risk.link', changes: { vendor: { from: told(gone), to: told(kept) } }, reason },
  ])
  expect(await entries(both, now)).toMatchObject([
    { action: 'risk.unlink', changes: { vendor: { from: told(gone), to: null } }, reason },
  ])
  expect(await entries(ours, now)).toEqual([])
  expect(await entries(kept, now)).toMatchObject([
    { action: 'vendor.update', reason: `${gone.reference} Zoom Inc was merged into it` },
  ])
  const [end, ...more] = await entries(gone, now)
  expect(more).toEqual([])
  expect(end).toMatchObject({
    action: 'vendor.delete',
    reason,
    changes: { legalName: { from: 'Zoom Inc.' } },
  })
})

test('endpoints are told of the one that is gone, and of the other where something watched moved', async () => {
  const raised = async ({ id }: Record) =>
    (
      await one.administrator.query(
        "select type from signals where subject_id = $1 and type <> 'vendor.created' order by time",
        [id],
      )
    ).rows.map(({ type }) => type)
  const [silent, first] = [await vendor('A'), await vendor('B', { legalName: 'B Ltd' })]
  await merge(silent, first)
  expect([await raised(silent), await raised(first)]).toEqual([[], ['vendor.deleted']])
  const second = await vendor('C', { residualRisk: 'high' })
  expect(await merge(silent, second)).toMatchObject({ riskRating: 'high' })
  expect(await raised(silent)).toEqual(['vendor.updated'])
})

test('what it has stays, and what it lacks it takes', async () => {
  const person = await call('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const owner = { type: 'personnel', refId: person.id }
  const kept = await vendor('A', {
    contacts: [{ name: 'Ada Ray' }],
    dataTypes: ['payroll'],
    customFields: { tier: 1 },
    status: 'approved',
  })
  const gone = await vendor('B', {
    contacts: [{ name: 'Ada Ray' }, { name: 'Cy Orr', role: 'Sales' }],
    dataTypes: ['payroll', 'mail'],
    customFields: { tier: 2, desk: 'x' },
    externalId: 'sso:12',
    urls: { trust: 'https://trust.example/' },
    status: 'rejected',
    statusReason: 'No report',
    conditions: ['Shows a report'],
    owner,
  })
  const after = await merge(kept, gone)
  const [ada] = kept.contacts as object[]
  const [, cy] = gone.contacts as object[]
  expect(after).toMatchObject({
    contacts: [ada, cy],
    dataTypes: ['payroll', 'mail'],
    customFields: { tier: 1, desk: 'x' },
    externalId: 'sso:12',
    urls: { trust: 'https://trust.example/' },
    status: 'approved',
    statusReason: null,
    conditions: null,
    ownerId: person.id,
  })
})

test('where nothing is lacked, the one that stays is told of all the same', async () => {
  const [kept, gone] = [await vendor('A'), await vendor('B')]
  expect(await merge(kept, gone)).toMatchObject({ version: 1 })
  expect(await entries(kept, gone)).toMatchObject([
    { action: 'vendor.update', changes: null, reason: `${gone.reference} B was merged into it` },
  ])
})

test('whoever asks first sees what would happen, and nothing does', async () => {
  const kept = await vendor('A')
  const gone = await vendor('B', { legalName: 'B Ltd', parentVendorId: kept.id })
  await Promise.all([asset(gone.id), asset(gone.id), vendor('Child', { parentVendorId: gone.id })])
  await risk(kept, gone)
  await risk(gone)
  const plan = await call('previewVendorMerge', { id: kept.id, from: gone.id })
  const named = ({ id, reference, name, version }: Record) => ({ id, reference, name, version })
  expect(plan).toEqual({
    kept: named(kept),
    gone: named(gone),
    pointing: [
      { type: 'asset', count: 2 },
      { type: 'vendor', count: 1 },
    ],
    linked: [{ type: 'risk', count: 2, known: 1 }],
    filled: ['legalName'],
    movedAtMost: 1_000,
  })
  expect(await read('getVendor', gone)).toEqual(gone)
  await call('updateVendor', { id: gone.id, notes: 'Seen' })
  const stale = await refused(merge(kept, gone, { ifMatch: kept.version, fromVersion: gone.version }))
  expect(stale).toMatchObject({ code: 'version_mismatch' })
})

test('a parent and its child are merged either way, and nobody comes to stand above itself', async () => {
  const [top, parent] = [await vendor('Top'), await vendor('Parent')]
  await call('updateVendor', { id: parent.id, parentVendorId: top.id })
  const child = await vendor('Child', { parentVendorId: parent.id })
  expect(await merge(child, parent)).toMatchObject({ parentVendorId: top.id })
  const other = await vendor('Other', { parentVendorId: child.id })
  expect(await merge(top, child)).toMatchObject({ parentVendorId: null })
  expect(await read('getVendor', other)).toMatchObject({ parentVendorId: top.id })

  const lower = await vendor('Lower', { parentVendorId: other.id })
  const between = await refused(merge(lower, top))
  expect(between).toMatchObject({ code: 'cycle', message: expect.stringMatching(/the other way round/) })
  expect(await merge(top, lower)).toMatchObject({ parentVendorId: null })
  // What the other way round would fill would lead back as well.
  const [above, middle] = [await vendor('Above'), await vendor('Middle')]
  await call('updateVendor', { id: middle.id, parentVendorId: above.id })
  const low = await vendor('Low', { parentVendorId: middle.id })
  expect(await merge(above, low)).toMatchObject({ parentVendorId: null })
  expect(await read('getVendor', middle)).toMatchObject({ parentVendorId: above.id })
})

test('two people who merge at once: each vendor goes once, and nothing points at what is gone', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const [a, b, c] = [await vendor('A'), await vendor('B'), await vendor('C')]
    const things = await Promise.all([a, b, c].map(({ id }) => asset(id)))
    const threats = [await risk(a, b), await risk(b, c), await risk(a)]
    const answers = await Promise.all([
      refused(merge(a, b)),
      refused(turn % 2 === 0 ? merge(b, a) : merge(c, b)),
      refused(call('linkRisk', { id: threats[2]!.id, targetKind: 'vendor', targetId: b.id })),
      refused(asset(b.id)),
    ])
    expect(answers.slice(0, 2).filter((answer) => answer === null)).toHaveLength(1)
    for (const answer of answers)
      expect(['not_found', 'validation_failed', undefined]).toContain(answer?.code)
    const { rows } = await one.administrator.query(
      `select vendor_id from assets where id = any($1) union all select vendor_id from risk_vendors where risk_id = any($2)`,
      [things.map(({ id }) => id), threats.map(({ id }) => id)],
    )
    for (const { vendor_id } of rows) await call('getVendor', { id: vendor_id })
  }
})

test('a risk that is deleted meanwhile is told of its end once', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const [kept, gone] = [await vendor('A'), await vendor('B')]
    const threat = await risk(gone)
    const now = await vendor('Later')
    const answers = await Promise.all([
      refused(merge(kept, gone)),
      refused(call('deleteRisk', { id: threat.id })),
    ])
    expect(answers).toEqual([null, null])
    const told = (await entries(threat, now)).map(({ action }) => action)
    expect(told.filter((action) => action === 'risk.unlink')).toHaveLength(1)
  }
})

test('with itself, with what is not here and beyond a thousand, nothing is merged', async () => {
  const kept = await vendor('A')
  expect(await refused(merge(kept, kept))).toMatchObject({ code: 'validation_failed' })
  const theirs = await one.organization()
  const foreign = await call('createVendor', { name: 'Theirs' }, theirs.admin)
  for (const [one, other] of [
    [kept, foreign],
    [foreign, kept],
  ] as const) {
    expect(await refused(merge(one, other))).toMatchObject({ code: 'not_found' })
    const plan = refused(call('previewVendorMerge', { id: one.id, from: other.id }))
    expect(await plan).toMatchObject({ code: 'not_found' })
  }
  const gone = await vendor('B')
  const records = Array.from({ length: 100 }, () => ({ name: 'D', type: 'database', vendorId: gone.id }))
  for (let batch = 0; batch < 10; batch++) await call('createAssetBatch', { records })
  await risk(gone)
  expect(await refused(merge(kept, gone))).toMatchObject({
    code: 'referenced',
    members: { counts: { asset: 1_000, risk: 1 } },
    message: expect.stringMatching(/1000 asset, 1 risk.*1000 are at most/),
  })
  expect(await read('getVendor', gone)).toEqual(gone)
})

test('a thousand records are moved in one go', async () => {
  const [kept, gone] = [await vendor('A'), await vendor('B')]
  const records = Array.from({ length: 100 }, () => ({ name: 'D', type: 'database', vendorId: gone.id }))
  for (let batch = 0; batch < 10; batch++) await call('createAssetBatch', { records })
  await merge(kept, gone)
  const { rows } = await one.administrator.query(
    'select count(*)::int as count from assets where vendor_id = $1 and version = 2',
    [kept.id],
  )
  expect(rows).toEqual([{ count: 1_000 }])
})

test('a program merges with write:vendors, and sees the plan with read:vendors', async () => {
  const door = await one.listen()
  const [kept, gone] = [await vendor('A'), await vendor('B')]
  const reader = (await acme.key(['read:vendors'])).secret
  const writer = (await acme.key(['write:vendors'])).secret
  const at = `/v1/vendors/${kept.id}/merge`
  expect((await door.send(reader, 'GET', `${at}?from=${gone.id}`)).status).toBe(200)
  expect((await door.send(reader, 'POST', at, { body: { from: gone.id } })).body.code).toBe(
    'insufficient_scope',
  )
  const merged = await door.send(writer, 'POST', at, { body: { from: gone.id } })
  expect([merged.status, merged.body.id]).toEqual([200, kept.id])
  expect((await door.send(writer, 'POST', at, { body: { from: gone.id } })).status).toBe(404)
})

test('what knew the one that is gone by its external id finds the one that stays', async () => {
  const kept = await vendor('A', { externalId: 'erp:1' })
  const gone = await vendor('B', { externalId: 'sso:7' })
  const put = (externalId: string, record: object) => call('upsertVendor', { externalId, record })
  await merge(kept, gone)
  expect(await put('sso:7', { name: 'A Ltd' })).toMatchObject({
    id: kept.id,
    externalId: 'erp:1',
    name: 'A Ltd',
  })
  expect(await put('erp:1', { notes: 'Known by both' })).toMatchObject({ id: kept.id, name: 'A Ltd' })
  expect((await call('listVendors', { externalId: ['sso:7'] })).data).toMatchObject([{ id: kept.id }])
  const records = ['sso:7', 'erp:1', 'sso:8'].map((externalId) => ({ externalId, name: externalId }))
  const batch = await call('createVendorBatch', { mode: 'upsert', records })
  expect((batch.data as { record: Record }[]).map(({ record }) => record)).toMatchObject([
    { id: kept.id },
    { id: kept.id },
    { id: expect.not.stringMatching(kept.id) },
  ])
  expect(await read('getVendor', kept)).toMatchObject({ name: 'erp:1', version: 5 })
  for (const taking of [
    () => call('createVendor', { name: 'C', externalId: 'sso:7' }),
    async () => call('updateVendor', { id: (await vendor('C')).id, externalId: 'sso:7' }),
  ])
    expect(await refused(taking())).toMatchObject({ code: 'conflict', members: { field: 'externalId' } })
  const last = await vendor('D', { externalId: 'hr:3' })
  await merge(last, kept)
  // Whoever kept an id of one that went is told where it went, however long the way.
  const mergedInto = { id: last.id, reference: last.reference }
  for (const { id } of [gone, kept])
    for (const asked of [() => call('getVendor', { id }), () => call('updateVendor', { id, name: 'F' })])
      expect(await refused(asked())).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(last.reference),
        members: { mergedInto },
      })
  const theirAdmin = (await one.organization()).admin
  expect(await refused(call('getVendor', { id: gone.id }, theirAdmin))).toMatchObject({
    code: 'not_found',
    members: {},
  })
  for (const id of ['sso:7', 'erp:1']) expect(await put(id, { name: 'D' })).toMatchObject({ id: last.id })
  // It is free again with the record, and each organization's own.
  const theirs = await one.organization()
  const foreign = await one.call(theirs.admin, 'createVendor', { name: 'E', externalId: 'sso:7' })
  expect((foreign.body as Record).id).not.toBe(last.id)
  await call('deleteVendor', { id: last.id })
  expect((await put('sso:7', { name: 'New' })).id).not.toBe(last.id)
})

test('a file that knows the one that is gone is about the one that stays, which keeps its own external id', async () => {
  const kept = await vendor('Stays', { externalId: 'file:1' })
  await merge(kept, await vendor('Goes', { externalId: 'file:7' }))
  const sheets = sheetsOf(one, acme.admin)
  const planned = await sheets.bring('vendor', 'External id,Name\nfile:7,Renamed\n')
  expect(planned.planned).toMatchObject({ change: 1 })
  expect(await sheets.rows(planned.id)).toMatchObject([
    { changes: [{ field: 'name', before: 'Stays', after: 'Renamed' }] },
  ])
  await sheets.apply(planned.id)
  expect(await read('getVendor', kept)).toMatchObject({ name: 'Renamed', externalId: 'file:1' })
  const named = await sheets.bring('asset', 'Name,Type,vendorId\nA,Server,file:7\n')
  expect(named.planned).toMatchObject({ create: 1 })
})

test('a sync that runs while two are merged adds neither of them anew', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const [kept, gone] = [
      await vendor('A', { externalId: `one:${turn}` }),
      await vendor('B', { externalId: `other:${turn}` }),
    ]
    const put = (externalId: string) => call('upsertVendor', { externalId, record: { name: 'Synced' } })
    await Promise.all([merge(kept, gone), put(`other:${turn}`), put(`one:${turn}`)].map(refused))
    expect(await put(`other:${turn}`)).toMatchObject({ id: kept.id })
    const { rows } = await one.administrator.query(
      'select count(*)::int as count from vendors where external_id = any($1)',
      [[`other:${turn}`, `one:${turn}`]],
    )
    expect(rows).toEqual([{ count: 1 }])
  }
})
