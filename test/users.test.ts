import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import { transaction } from '../server/database/transaction.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { operations } from '../server/operations.ts'
import { buildService } from '../server/service.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

interface User {
  id: string
  email: string
  role: string
  status: string
  version: number
}

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const PASSWORD = 'a few plain words'
const create = async (input: object, by = acme.admin): Promise<User> =>
  (await one.call(by, 'createUser', { name: 'Somebody', role: 'viewer', ...input })).body
const update = async (id: string, input: object, by = acme.admin): Promise<User> =>
  (await one.call(by, 'updateUser', { id, ...input })).body
const hashOf = async (email: string) =>
  (await one.administrator.query('select password_hash from users where lower(email) = lower($1)', [email]))
    .rows[0]

test('a user is added with a password that is kept as argon2id and shown nowhere', async () => {
  const user = await create({ email: 'ada@example.com', password: PASSWORD })
  expect(user).toMatchObject({ email: 'ada@example.com', role: 'viewer', status: 'active', version: 1 })
  expect(user).toMatchObject({ invitation: null })
  expect((await hashOf('ada@example.com')).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const { body } = await one.call(acme.admin, 'listAuditLog', { subjectId: [user.id] })
  for (const shown of [user, body]) expect(JSON.stringify(shown)).not.toMatch(/password|argon2/)
})

test('what works for one organization cannot even read the hash', async () => {
  const work = transaction(one.service.database.tenant, acme.id, (tx) =>
    tx.read({ text: 'select password_hash from users', values: [] }),
  )
  await expect(work).rejects.toThrow('permission denied')
})

test('a repeated request is known by a keyed hash, under each key of the ring', async () => {
  const input = { email: 'twice@example.com', name: 'Twice', password: PASSWORD, role: 'viewer' }
  const first = (await one.call(acme.admin, 'createUser', input, 'again')).body
  const { rows } = await one.administrator.query(
    "select body_hash from idempotency_answers where key = 'again'",
  )
  expect(rows[0].body_hash).not.toEqual(createHash('sha256').update(JSON.stringify(input)).digest())
  const ring = `${newMasterKey().replace('k1:', 'k2:')},${one.masterKey}`
  const later = buildService(one.service.config, one.database.url, ring)
  const operation = operations.find(({ name }) => name === 'createUser')!
  expect((await call(later, acme.admin, operation, input, { idempotencyKey: 'again' })).body).toEqual(first)
  await later.close()
})

test('a password is refused under twelve characters, with the field named', async () => {
  await expect(create({ email: 'short@example.com', password: 'eleven chrs' })).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'password', message: expect.stringContaining('at least 12 characters') }] },
  })
  expect(await hashOf('short@example.com')).toBeUndefined()
})

test('without a password a person is invited', async () => {
  const user = await create({ email: 'invited@example.com' })
  expect(user).toMatchObject({ status: 'invited', invitation: { sentTo: null, problem: null } })
  await expect(update(user.id, { status: 'active' })).rejects.toMatchObject({ code: 'invalid_transition' })
})

test('a person who signs in here already is invited, or joins with the password they have', async () => {
  await create({ email: 'both@example.com', password: PASSWORD })
  const before = await hashOf('both@example.com')
  const other = await one.organization()
  await expect(
    create({ email: 'BOTH@example.com', password: 'another password' }, other.admin),
  ).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'password' }] },
  })
  const inTheApp = { ...other.admin, channel: 'ui' as const }
  await expect(create({ email: 'both@example.com', password: PASSWORD }, inTheApp)).rejects.toMatchObject({
    code: 'validation_failed',
  })
  expect(await create({ email: 'both@example.com' }, other.admin)).toMatchObject({ status: 'invited' })
  const third = await one.organization()
  expect(await create({ email: 'both@example.com', password: PASSWORD }, third.admin)).toMatchObject({
    status: 'active',
  })
  expect(await hashOf('both@example.com')).toEqual(before)
  await expect(create({ email: 'Both@example.com' })).rejects.toMatchObject({
    code: 'conflict',
    members: { field: 'email' },
  })
})

test('an admin in the web app gives nobody a password, known or not', async () => {
  const inTheApp = { ...acme.admin, channel: 'ui' as const }
  const tried = ['both@example.com', 'nobody-yet@example.com'].map((email) =>
    create({ email, password: PASSWORD }, inTheApp).catch(({ code, members }) => ({ code, members })),
  )
  const [known, unknown] = await Promise.all(tried)
  expect(known).toMatchObject({ code: 'validation_failed', members: { errors: [{ path: 'password' }] } })
  expect(known).toEqual(unknown)
  expect(await hashOf('nobody-yet@example.com')).toBeUndefined()
})

test('twenty who add the same new e-mail make one person', async () => {
  const added = await Promise.allSettled(
    Array.from({ length: 20 }, () => create({ email: 'race@example.com', password: PASSWORD })),
  )
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of added)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
})

test('what was read can be sent back, what the service sets cannot be moved, and a stale version is refused', async () => {
  const { id } = await create({ email: 'echo@example.com', password: PASSWORD })
  const user: User = (await one.call(acme.admin, 'getUser', { id })).body
  expect(await update(user.id, user)).toEqual(user)
  await expect(update(user.id, { email: 'other@example.com' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  const renamed = await update(user.id, { name: 'Else', ifMatch: 1 })
  expect(renamed).toMatchObject({ name: 'Else', version: 2 })
  await expect(update(user.id, { name: 'Again', ifMatch: 1 })).rejects.toMatchObject({
    code: 'version_mismatch',
  })
})

test('the only active admin can be neither demoted, disabled nor removed', async () => {
  const other = await one.organization()
  const id = other.admin.userId
  const disabled = await other.person('admin')
  await update(disabled.userId, { status: 'disabled' }, other.admin)
  for (const input of [{ role: 'editor' }, { status: 'disabled' }])
    await expect(update(id, { ...input, confirm: true }, other.admin)).rejects.toMatchObject({
      code: 'last_admin',
    })
  await expect(one.call(other.admin, 'removeUser', { id, confirm: true })).rejects.toMatchObject({
    code: 'last_admin',
  })
  await update(disabled.userId, { status: 'active' }, other.admin)
  expect(await update(id, { role: 'editor' }, other.admin)).toMatchObject({ role: 'editor' })
})

test('ten admins who demote each other at once leave exactly one', async () => {
  const other = await one.organization()
  const admins = [other.admin]
  while (admins.length < 10) admins.push(await other.person('admin'))
  const acts = admins.map(({ userId: id }, index) =>
    index % 2 === 0
      ? one.call(other.admin, 'updateUser', { id, role: 'viewer' })
      : one.call(other.admin, 'removeUser', { id }),
  )
  const refused = (await Promise.allSettled(acts)).flatMap((act) =>
    act.status === 'rejected' ? [act.reason] : [],
  )
  expect(refused).toMatchObject([{ code: 'last_admin' }])
  const { rows } = await one.administrator.query(
    "select count(*)::int as admins from members where organization_id = $1 and role = 'admin' and status = 'active'",
    [other.id],
  )
  expect(rows).toEqual([{ admins: 1 }])
})

test('taking rights from a person with keys shows the keys first', async () => {
  const admin = await acme.person('admin')
  const { id, secret } = await acme.key(['read:risks'], admin)
  const shown = {
    code: 'confirm_required',
    members: { keys: [{ id, name: 'test key', prefix: secret.slice(0, 16) }], apps: [] },
  }
  for (const input of [{ role: 'editor' }, { status: 'disabled' }])
    await expect(update(admin.userId, input)).rejects.toMatchObject(shown)
  await expect(one.call(acme.admin, 'removeUser', { id: admin.userId })).rejects.toMatchObject(shown)
  expect(await update(admin.userId, { name: 'A new name' })).toMatchObject({
    role: 'admin',
    status: 'active',
  })
  expect(await update(admin.userId, { role: 'editor', confirm: true })).toMatchObject({ role: 'editor' })
  expect(await update(admin.userId, { role: 'admin' })).toMatchObject({ role: 'admin' })
  await one.call(acme.admin, 'revokeApiKey', { id })
  expect(await update(admin.userId, { role: 'editor' })).toMatchObject({ role: 'editor' })
})

test('a removed user is gone from every list, and records they own go on naming them', async () => {
  const user = await acme.person('editor')
  const owner = { type: 'user', refId: user.userId }
  const { body } = await one.call(acme.admin, 'createRisk', { title: 'Theirs', owner })
  const { id } = body as { id: string }
  await one.call(acme.admin, 'removeUser', { id: user.userId })
  await expect(one.call(acme.admin, 'getUser', { id: user.userId })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(JSON.stringify(await one.call(acme.admin, 'listUsers', { limit: 200 }))).not.toContain(user.userId)
  const { body: risk } = await one.call(acme.admin, 'getRisk', { id })
  expect(risk).toMatchObject({ owner: { refId: user.userId, active: false } })
  await expect(one.call(acme.admin, 'createRisk', { title: 'New', owner })).rejects.toMatchObject({
    code: 'principal_inactive',
  })
})

test('only an admin in person changes users; whoever reads users reads them', async () => {
  const { userId: id } = await acme.person('viewer')
  for (const role of ['editor', 'viewer'] as const) {
    const by = await acme.person(role)
    await expect(create({ email: 'no@example.com' }, by)).rejects.toMatchObject({
      code: 'capability_required',
    })
    await expect(update(id, { role: 'admin' }, by)).rejects.toMatchObject({ code: 'capability_required' })
    await expect(one.call(by, 'removeUser', { id })).rejects.toMatchObject({ code: 'capability_required' })
    await one.call(by, 'getUser', { id })
  }
  const other = await one.organization()
  await expect(one.call(other.admin, 'getUser', { id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(update(id, { name: 'x' }, other.admin)).rejects.toMatchObject({ code: 'not_found' })
})

test('users are listed by pages, filtered and searched', async () => {
  const other = await one.organization()
  for (const role of ['editor', 'editor', 'viewer'] as const) await other.person(role)
  const list = async (input: object) =>
    (await one.call(other.admin, 'listUsers', input)).body as { data: User[]; nextCursor: string | null }
  const first = await list({ limit: 3 })
  const second = await list({ limit: 3, cursor: first.nextCursor })
  expect([first.data.length, second.data.length, second.nextCursor]).toEqual([3, 1, null])
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4)
  expect((await list({ role: ['editor'] })).data).toHaveLength(2)
  expect((await list({ q: 'VIEWER' })).data).toHaveLength(1)
  expect((await list({ status: ['disabled'] })).data).toHaveLength(0)
})
