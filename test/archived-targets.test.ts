import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsOf } from '../model/access.ts'
import { callsOf } from '../model/calls.ts'
import { kindOfPrefix } from '../model/family.ts'
import { targetOf } from '../model/fields.ts'
import { everyKind } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { makeOfKind, sampleFor } from './support/makers.ts'
import { startTestService, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: no field of any kind is newly pointed at what is archived, by whichever door, and each says so at the field;
 * what a record points at already it keeps.
 */

let one: TestService
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  admin = (await one.organization()).admin
})
afterAll(() => one.close())

/** Of what the operations answer, what is looked at here. */
interface Answer {
  readonly [field: string]: unknown
  readonly id: string
  readonly reference: string
  readonly data: readonly { readonly problem: { readonly errors: unknown } | null }[]
}
const call = async (name: string, input: object) => (await one.call(admin, name, input)).body as Answer
const refusal = (name: string, input: object) =>
  call(name, input).then(
    () => null,
    (error) => error,
  )

/** The field by which a record is under another is not among them: it stays as it is, and holds that one. */
const pointing = everyKind.flatMap((kind) =>
  Object.keys(kind.fields).flatMap((field) => {
    const target = kindOfPrefix(targetOf(kind.fields[field]!))
    const isHeld = field === kind.under?.field
    return target && !isHeld && needsOf(target, 'archive') ? [{ kind, field, target }] : []
  }),
)

test.each(pointing.map((one) => [`${one.kind.name}.${one.field}`, one] as const))(
  '%s is pointed at nothing that is archived, and stays where it is',
  async (_, { kind, field, target }) => {
    const [{ create, update, archive, unarchive }, ofTarget] = [callsOf(kind), callsOf(target)]
    const old = await makeOfKind(one, admin, target)
    const { [target.under?.field ?? '']: above } = await call(ofTarget.get, { id: old })
    // A requirement is below one of the same framework.
    const within = kind === target && kind.under ? { [kind.under.field]: above } : {}
    const creating = operations.find(({ name }) => name === create)!
    const sample = async (more: object = {}) => ({
      ...(await sampleFor(one, admin, creating)),
      ...within,
      ...more,
    })
    const { id } = await call(create, await sample({ [field]: old }))
    await call(ofTarget.archive, { id: old })

    const message = expect.stringContaining(ofTarget.unarchive)
    const refused = { code: 'validation_failed', members: { errors: [{ path: field, message }] } }
    expect(await refusal(create, await sample({ [field]: old }))).toMatchObject(refused)
    if (!needsOf(kind, 'update')) return
    const { id: other } = await call(create, await sample())
    expect(await refusal(update, { id: other, [field]: old })).toMatchObject(refused)

    const labels = ['still']
    expect(await call(update, { id, [field]: old, labels })).toMatchObject({ [field]: old, labels })
    await call(archive, { id })
    expect(await call(unarchive, { id })).toMatchObject({ [field]: old })
    await call(ofTarget.unarchive, { id: old })
    expect(await call(update, { id: other, [field]: old })).toMatchObject({ [field]: old })
  },
)

test('every other door says it at the field, too', async () => {
  const sheets = sheetsOf(one, admin)
  const [old, live] = [
    await call('createVendor', { name: 'Old vendor' }),
    await call('createVendor', { name: 'Live vendor' }),
  ]
  const add = (externalId: string, vendorId: string | null = null) =>
    call('createAsset', { name: externalId, type: 'server', externalId, vendorId })
  const moved = await add('door:1')
  const kept = await add('door:2', old.id)
  const edited = await add('door:3', old.id)
  // Taken back, it would point there anew.
  const { id: before } = await call('startBulkEdit', {
    type: 'asset',
    changes: [{ ids: [edited.id], change: { vendorId: live.id } }],
  })
  await sheets.apply(before)
  await call('archiveVendor', { id: old.id })

  const message = expect.stringContaining(`is ${old.reference}, which is archived`)
  const errors = [{ path: 'vendorId', message }]
  const refused = { code: 'validation_failed', members: { errors } }
  const upsert = { externalId: 'door:1', record: { vendorId: old.id } }
  expect(await refusal('upsertAsset', upsert)).toMatchObject(refused)
  const records = [
    { name: 'New', type: 'server', vendorId: old.id },
    { name: 'Fine', type: 'server', vendorId: live.id },
  ]
  const batch = await call('createAssetBatch', { records })
  expect(batch.data.map(({ problem }) => problem?.errors ?? null)).toMatchObject([errors, null])
  const finding = await call('createSecurityFinding', {
    title: 'A finding',
    severity: 'high',
    category: 'misconfiguration',
    origin: 'scan',
  })
  const link = { id: finding.id, targetKind: 'vendor', targetId: old.id }
  // As any other link.
  expect(await refusal('linkSecurityFinding', link)).toMatchObject({ code: 'conflict' })

  const rows = [
    `door:1,door:1,server,${old.reference}`,
    `door:2,Kept,server,${old.reference}`,
    `,New,server,${old.reference}`,
  ]
  const planned = await sheets.bring('asset', ['External id,Name,Type,Vendor', ...rows].join('\n'))
  expect(planned.planned).toMatchObject({ create: 0, change: 1, error: 2 })
  for (const { problems } of await sheets.rows(planned.id, { planned: ['error'] }))
    expect(problems).toMatchObject([{ column: 3, field: 'vendorId', message }])

  const edit = await call('startBulkEdit', {
    type: 'asset',
    changes: [{ ids: [moved.id, kept.id], change: { vendorId: old.id } }],
  })
  expect(edit.planned).toMatchObject({ change: 0, leave: 1, error: 1 })
  expect(await sheets.rows(edit.id, { planned: ['error'] })).toMatchObject([
    { record: { id: moved.id }, problems: [{ field: 'vendorId', message }] },
  ])
  const undo = await call('undoBulkChange', { id: before })
  expect(undo.planned).toMatchObject({ change: 0, error: 1 })
})
