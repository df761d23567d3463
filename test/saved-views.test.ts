import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Views of registers under names: of one person, or of everybody in the organization, and of no other. */

let one: TestService
let acme: TestOrganization
let editor: Caller
let viewer: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  editor = await acme.person('editor')
  viewer = await acme.person('viewer')
})
afterAll(() => one.close())

interface View {
  id: string
  name: string
  isShared: boolean
  mayDelete: boolean
}

const does = (as: Caller, name: string, input: object) =>
  call(one.service, as, operations.find((each) => each.name === name)!, input)
const save = async (as: Caller, input: object) =>
  (await does(as, 'createSavedView', { kind: 'risk', query: 'status=assessed', ...input })).body as View
const views = async (as: Caller, kind = 'risk') =>
  ((await does(as, 'listSavedViews', { kind })).body as { data: View[] }).data
const names = async (as: Caller, kind?: string) => (await views(as, kind)).map(({ name }) => name)

test('one’s own is seen by nobody else, a shared one by everybody here', async () => {
  const own = await save(editor, { name: 'Mine' })
  const shared = await save(editor, { name: 'Ours', isShared: true })
  expect(await names(editor)).toEqual(['Mine', 'Ours'])
  expect(await names(viewer)).toEqual(['Ours'])
  expect(await names(editor, 'control')).toEqual([])
  const others = await one.organization()
  expect(await names(others.admin)).toEqual([])
  for (const { id } of [own, shared])
    await expect(does(others.admin, 'deleteSavedView', { id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(does(acme.admin, 'deleteSavedView', { id: own.id })).rejects.toMatchObject({
    code: 'not_found',
  })

  expect((await views(viewer))[0]).toMatchObject({ mayDelete: false })
  await expect(does(viewer, 'deleteSavedView', { id: shared.id })).rejects.toMatchObject({
    code: 'capability_required',
  })
  expect((await views(acme.admin))[0]).toMatchObject({ mayDelete: true })
  await does(acme.admin, 'deleteSavedView', { id: shared.id })
  await does(editor, 'deleteSavedView', { id: own.id })
  expect(await names(editor)).toEqual([])
})

test('the log that every admin reads names those that are shared, and not one’s own', async () => {
  const own = await save(editor, { name: 'About my own chief' })
  const shared = await save(editor, { name: 'About everybody', isShared: true })
  for (const { id } of [own, shared]) await does(editor, 'deleteSavedView', { id })
  const { body } = await does(acme.admin, 'listAuditLog', { subjectId: [own.id, shared.id] })
  const { data } = body as { data: { action: string; subject: object }[] }
  expect(data.map(({ action, subject }) => [action, subject])).toEqual([
    ['saved_view.delete', { type: 'saved_view', id: shared.id, title: 'About everybody' }],
    ['saved_view.delete', { type: 'saved_view', id: own.id }],
    ['saved_view.create', { type: 'saved_view', id: shared.id, title: 'About everybody' }],
    ['saved_view.create', { type: 'saved_view', id: own.id }],
  ])
  for (const name of ['getRecentActivity', 'listAuditLog'])
    expect(JSON.stringify((await does(acme.admin, name, {})).body)).not.toContain('chief')
})

test('who may change no records shares none', async () => {
  await expect(save(viewer, { name: 'Theirs', isShared: true })).rejects.toMatchObject({ status: 403 })
  expect(await save(viewer, { name: 'Theirs' })).toMatchObject({ isShared: false, mayDelete: true })
})

test('a name is taken once by whoever sees it, whatever its case, and however it was composed', async () => {
  await save(editor, { name: 'Legal' })
  await expect(save(editor, { name: 'LEGAL' })).rejects.toMatchObject({ code: 'conflict' })
  await save(editor, { name: 'Caf\u00e9' })
  await expect(save(editor, { name: 'CAFE\u0301' })).rejects.toMatchObject({ code: 'conflict' })
  await save(editor, { name: 'Legal', kind: 'control', query: '' })
  await save(viewer, { name: 'Legal' })
  await save(editor, { name: 'Legal', isShared: true })
})

test.each([
  [{ name: 'x', query: '?status=assessed' }, 'query'],
  [{ name: 'x', query: 'a b' }, 'query'],
  [{ name: 'x', query: 'q=%zz' }, 'query'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x', kind: 'user' }, 'kind'],
])('%o is refused by its field', async (input, path) => {
  await expect(save(editor, input)).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path }] },
  })
})
