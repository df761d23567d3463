import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../server/organization/organizations.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door
let made: { organizationId: string; userId: string }
const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  made = await createOrganization(one.service, {
    name: 'Acme',
    adminEmail: ADA.email,
    adminName: 'Ada',
    adminPassword: ADA.password,
  })
})
afterAll(() => one.close())

async function signedIn() {
  const web = openWeb(door)
  expect((await web.call('signIn', ADA)).status).toBe(200)
  return web
}

test('a person signs in, is somebody, and signs out', async () => {
  const web = openWeb(door)
  expect((await web.call('getSession')).body).toEqual({
    state: 'signed_out',
    setUpNeeded: false,
    mail: false,
  })
  const reply = await web.call('signIn', { ...ADA, email: 'ADA@example.com' })
  expect([reply.status, reply.body]).toEqual([200, { state: 'signed_in' }])
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^plumbline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^plumbline-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
  ])
  const { body } = await web.call('getSession')
  expect(body).toMatchObject({
    state: 'signed_in',
    person: { id: made.userId, email: ADA.email, name: 'Ada' },
    organization: { id: made.organizationId, name: 'Acme' },
    role: 'admin',
    capabilities: ['settings.manage'],
    organizations: [{ id: made.organizationId, name: 'Acme', role: 'admin' }],
  })
  const before = web.cookie
  await web.call('signOut')
  expect(web.cookie).toBe('')
  const old = openWeb(door, undefined, before)
  expect((await old.call('getSession')).body.state).toBe('signed_out')
  expect((await old.call('listRisks')).body.code).toBe('credential_missing')
})

test('operations are done by the session, as the person', async () => {
  const web = await signedIn()
  const { status, body, headers } = await web.call('createRisk', { title: 'From the web app' })
  expect([status, body.createdBy]).toEqual([201, { type: 'user', id: made.userId, displayName: 'Ada' }])
  expect(headers.location).toBe(`/v1/risks/${body.id}`)
  const { body: log } = await web.call('listAuditLog', { limit: 1 })
  expect(log.data[0]).toMatchObject({ action: 'risk.create', channel: 'ui' })
  expect((await web.call('getRisk', { id: body.id })).body.title).toBe('From the web app')
  expect((await web.call('createRisk', { titel: 'x' })).body).toMatchObject({ code: 'validation_failed' })
})

test('an unknown e-mail, a wrong password and a person without one hear the same', async () => {
  const person = await (await one.organization()).person('editor')
  const emails = ['nobody@example.com', ADA.email, `${person.accountId}@example.com`]
  const replies = await Promise.all(
    emails.map((email) => openWeb(door).call('signIn', { email, password: 'not the right one' })),
  )
  const told = replies.map(({ status, body: { requestId: _, ...body }, headers }) => {
    const { date: _date, 'request-id': _id, ...rest } = headers
    return JSON.stringify([status, body, rest])
  })
  expect(new Set(told).size).toBe(1)
  expect(replies[0]?.body.code).toBe('sign_in_failed')
})

test('each sign-in gets a session of its own, and ends the one that the browser had', async () => {
  const web = await signedIn()
  const before = web.cookie
  await web.call('signIn', ADA)
  expect(web.cookie).not.toBe(before)
  expect((await openWeb(door, undefined, before).call('getSession')).body.state).toBe('signed_out')
})

test('a session somebody set beforehand is worth nothing', async () => {
  const planted = `plumbline=${'A'.repeat(43)}`
  const web = openWeb(door, undefined, planted)
  await web.call('signIn', ADA)
  expect(web.cookie).not.toBe(planted)
  expect((await openWeb(door, undefined, planted).call('getSession')).body.state).toBe('signed_out')
})

test('a session ends after a day in which nobody came, and after two weeks in any case', async () => {
  const idle = await signedIn()
  const used = await signedIn()
  await one.moveClock(23 * 3_600_000)
  expect((await used.call('getSession')).body.state).toBe('signed_in')
  await one.moveClock(2 * 3_600_000)
  expect((await idle.call('getSession')).body.state).toBe('signed_out')
  for (let day = 0; day < 14; day++) {
    expect((await used.call('getSession')).body.state, `day ${day}`).toBe('signed_in')
    await one.moveClock(23 * 3_600_000)
  }
  expect((await used.call('getSession')).body.state).toBe('signed_out')
})

test('a demotion and a removal act on the next call', async () => {
  const acme = await one.organization()
  const { userId, accountId } = await acme.person('admin')
  await one.administrator.query(
    'update users set email = $2, password_hash = (select password_hash from users where lower(email) = $3) where id = $1',
    [accountId, 'grace@example.com', ADA.email],
  )
  const web = openWeb(door)
  await web.call('signIn', { email: 'grace@example.com', password: ADA.password })
  expect((await web.call('listApiKeys')).status).toBe(200)
  const asAdmin = (name: string, input: object) => one.call(acme.admin, name, input)
  await asAdmin('updateUser', { id: userId, role: 'viewer' })
  expect((await web.call('listApiKeys')).body.code).toBe('capability_required')
  expect((await web.call('createRisk', { title: 'x' })).status).toBe(403)
  await asAdmin('removeUser', { id: userId })
  expect((await web.call('listRisks')).body.code).toBe('credential_missing')
})

test('a person sees their sessions and ends one of them', async () => {
  const web = await signedIn()
  const other = await signedIn()
  const { body } = await web.call('listSessions')
  expect(body.data.filter((row: { current: boolean }) => row.current)).toHaveLength(1)
  const id = (await other.call('getSession')).body.session.id
  expect((await web.call('revokeSession', { id })).status).toBe(204)
  expect((await other.call('getSession')).body.state).toBe('signed_out')
  expect((await web.call('revokeSession', { id })).status).toBe(404)
  const stranger = await (await one.organization()).person('admin')
  const mine = (await web.call('getSession')).body.session.id
  await expect(one.call(stranger, 'revokeSession', { id: mine })).rejects.toMatchObject({ code: 'not_found' })
})

test('a new password ends every other session, and the old one lets nobody in', async () => {
  const web = await signedIn()
  const other = await signedIn()
  const before = web.cookie
  const wrong = await web.call('changePassword', {
    currentPassword: 'not this one',
    newPassword: 'a new one, longer',
  })
  expect(wrong.body.errors).toEqual([{ path: 'currentPassword', message: expect.any(String) }])
  const NEW = 'a new one, long enough'
  expect((await web.call('changePassword', { currentPassword: ADA.password, newPassword: NEW })).status).toBe(
    200,
  )
  expect(web.cookie).not.toBe(before)
  expect((await web.call('getSession')).body.state).toBe('signed_in')
  expect((await other.call('getSession')).body.state).toBe('signed_out')
  expect((await openWeb(door).call('signIn', ADA)).status).toBe(401)
  expect((await openWeb(door).call('signIn', { ...ADA, password: NEW })).status).toBe(200)
  await web.call('changePassword', { currentPassword: NEW, newPassword: ADA.password })
})

test('a person of two organizations goes from one to the other under a new secret', async () => {
  const second = await createOrganization(one.service, { name: 'Zenith', adminEmail: ADA.email })
  const web = await signedIn()
  const before = web.cookie
  expect((await web.call('getSession')).body.organization.name).toBe('Acme')
  expect((await web.call('switchOrganization', { organizationId: second.organizationId })).status).toBe(200)
  expect(web.cookie).not.toBe(before)
  expect((await web.call('getSession')).body.organization.name).toBe('Zenith')
  expect((await openWeb(door, undefined, before).call('getSession')).body.state).toBe('signed_out')
  const foreign = await one.organization()
  expect((await web.call('switchOrganization', { organizationId: foreign.id })).status).toBe(401)
  expect((await (await signedIn()).call('getSession')).body.organization.name).toBe('Zenith')
})

test('the audit log has who came in and who went, and who could not', async () => {
  const web = await signedIn()
  const { body } = await web.call('listAuditLog', { limit: 100 })
  const seen = new Set(
    body.data.map((row: { action: string; outcome: string }) => `${row.action} ${row.outcome}`),
  )
  expect(seen).toContain('session.begin success')
})
