import { afterAll, beforeAll, expect, test } from 'vitest'
import { actorOf, type Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
let program: Caller

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  const { credential, ...admin } = acme.admin
  program = {
    ...admin,
    credential: { type: 'api_key', id: 'key_x', name: 'ci', prefix: '', expiresAt: null },
    channel: 'rest',
  }
})
afterAll(() => one.close())

type Control = { id: string; version: number; [field: string]: unknown }
const create = async (input: object = {}) =>
  (await one.call(acme.admin, 'createControl', { code: 'AC-1', title: 'Access reviews', ...input }))
    .body as Control
const update = async (who: Caller, id: string, input: object) =>
  (await one.call(who, 'updateControl', { id, ...input })).body as Control
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const signals = async (id: string) =>
  (
    await one.administrator.query(
      'select type, body::json from signals where subject_id = $1 order by time',
      [id],
    )
  ).rows

test('a control is added by a person, and starts not started', async () => {
  expect(await create()).toMatchObject({
    implementationStatus: 'not_started',
    priority: 'medium',
    effectiveness: 'not_assessed',
  })
  expect(await refused(one.call(program, 'createControl', { code: 'AC-1', title: 'x' }))).toMatchObject({
    code: 'session_required',
  })
})

test('a program changes status and ownership, and nothing else', async () => {
  const control = await create()
  const owner = { type: 'user', refId: acme.admin.userId }
  expect(await update(program, control.id, { implementationStatus: 'in_progress', owner })).toMatchObject({
    ownerId: owner.refId,
  })
  const refusal = await refused(update(program, control.id, { title: 'Mine', priority: 'low', owner: null }))
  expect(refusal).toMatchObject({
    code: 'field_not_permitted',
    status: 403,
    members: { fields: ['title', 'priority'] },
  })
  const read = (await one.call(program, 'getControl', { id: control.id })).body as Control
  expect(
    await update(program, control.id, { ...read, implementationStatus: 'partially_implemented' }),
  ).toMatchObject({ version: 3 })
})

test('what does not apply says why, and what got worse says what changed', async () => {
  const control = await create()
  const silent = await refused(update(program, control.id, { implementationStatus: 'not_applicable' }))
  expect(silent).toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'notApplicableReason' }] },
  })
  await update(program, control.id, {
    implementationStatus: 'not_applicable',
    notApplicableReason: 'No offices',
  })
  expect(await update(program, control.id, { implementationStatus: 'not_started' })).toMatchObject({
    notApplicableReason: null,
  })
  for (const implementationStatus of ['in_progress', 'partially_implemented', 'implemented'])
    await update(program, control.id, { implementationStatus })
  const worse = await refused(update(program, control.id, { implementationStatus: 'in_progress' }))
  expect(worse).toMatchObject({ code: 'validation_failed', members: { errors: [{ path: 'statusReason' }] } })
  await update(program, control.id, {
    implementationStatus: 'in_progress',
    statusReason: 'The tool was switched off',
  })
})

test('a control may be done at once, and go back to being under way', async () => {
  const control = await create()
  for (const implementationStatus of ['in_progress', 'partially_implemented', 'in_progress', 'implemented'])
    expect(await update(program, control.id, { implementationStatus })).toMatchObject({
      implementationStatus,
    })
})

test('why a control does not apply is said on creation too, and stays while it does not', async () => {
  const without = { implementationStatus: 'not_applicable' }
  expect(await refused(create(without))).toMatchObject({
    members: { errors: [{ path: 'notApplicableReason' }] },
  })
  const control = await create({ ...without, notApplicableReason: 'No offices' })
  expect(await refused(update(acme.admin, control.id, { notApplicableReason: null }))).toMatchObject({
    code: 'validation_failed',
  })
  expect(await update(acme.admin, control.id, { notApplicableReason: 'No buildings' })).toMatchObject({
    version: 2,
  })
  await update(acme.admin, control.id, { implementationStatus: 'not_started', notApplicableReason: null })
})

test('an admin restores what is deprecated, and nobody else', async () => {
  const control = await create({ implementationStatus: 'deprecated' })
  const elsewhere = await refused(update(acme.admin, control.id, { implementationStatus: 'in_progress' }))
  expect(elsewhere).toMatchObject({ code: 'invalid_transition', members: { allowed: ['not_started'] } })
  const back = { implementationStatus: 'not_started' }
  expect(await refused(update(program, control.id, back))).toMatchObject({ code: 'session_required' })
  expect(await refused(update(await acme.person('editor'), control.id, back))).toMatchObject({
    code: 'capability_required',
  })
  expect(await update(acme.admin, control.id, back)).toMatchObject(back)
})

test('a signal is raised when a watched field changed, and tells all that changed', async () => {
  const control = await create()
  await update(acme.admin, control.id, { title: 'Access reviews, quarterly' })
  expect(await signals(control.id)).toEqual([])
  const after = await update(acme.admin, control.id, {
    priority: 'high',
    title: 'Reviews',
    owner: { type: 'user', refId: acme.admin.userId },
  })
  const [signal, ...others] = await signals(control.id)
  expect(others).toEqual([])
  expect(signal.type).toBe('control.updated')
  expect(signal.body).toMatchObject({
    type: 'control.updated',
    time: after.updatedAt,
    subject: { type: 'control', id: control.id },
  })
  expect(signal.body.data.record).toEqual((await one.call(acme.admin, 'getControl', { id: control.id })).body)
  expect(signal.body.data.changes).toEqual({
    priority: { from: 'medium', to: 'high' },
    title: { from: 'Access reviews, quarterly', to: 'Reviews' },
    ownerId: { from: null, to: acme.admin.userId },
  })
})

test('a write that changes nothing raises nothing and logs nothing', async () => {
  const control = await create()
  expect(await update(acme.admin, control.id, { priority: 'medium' })).toEqual(control)
  const { rows } = await one.administrator.query(
    'select action, actor from audit_entries where subject_id = $1',
    [control.id],
  )
  expect(rows).toEqual([
    { action: 'control.create', actor: { ...actorOf(acme.admin), actingUserId: acme.admin.userId } },
  ])
})
