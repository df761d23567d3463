import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator, sessionOf } from '../server/caller/operator.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import { addPasskey, addTotp, mustSucceed, newSomebody, ORIGIN, type Somebody } from './support/factors.ts'
import { addSilentProvider } from './support/provider-sign-in.ts'
import { addMember, startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/* Where an organization asks everybody for a second factor, nobody does anything in it by a password alone. */

let one: TestService
let door: Door
let ada: Somebody

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ada = await newSomebody(one, door)
})
afterAll(() => one.close())

const ask = (web: Web, secondFactorRequired = true) =>
  web.call('updateOrganization', { secondFactorRequired })

/** Somebody of another organization who has joined Ada's too, signed in there by their password. */
async function member(role = 'viewer'): Promise<Somebody> {
  const bob = await newSomebody(one, door)
  const { organizationId } = ada
  const { accountId } = bob
  await addMember(one.administrator, { organizationId, accountId, name: 'Bob', role })
  await mustSucceed(bob.web.call('switchOrganization', { organizationId }))
  return bob
}

test('whoever asks for it has one; the operator needs none', async () => {
  const { body } = await ask(ada.web)
  expect([body.code, body.detail]).toEqual(['conflict', expect.stringMatching(/Account, Security/)])
  expect((await ada.web.call('getOrganization')).body.secondFactorRequired).toBe(false)
  const { database } = one.service
  const atTerminal = await sessionOf(database, ada.organizationId, ada.email)
  const input = { secondFactorRequired: true }
  await expect(one.call(atTerminal, 'updateOrganization', input)).rejects.toMatchObject({ code: 'conflict' })
  const other = await newSomebody(one, door)
  const asked = await one.call(operator(other.organizationId), 'updateOrganization', input)
  expect(asked.body).toMatchObject(input)
  // They are not shut out by it: what is left to them is what is asked for.
  expect((await other.web.call('listRisks')).body.code).toBe('second_factor_required')
  await addTotp(one, other.web)
  expect((await other.web.call('listRisks')).status).toBe(200)
})

test('who has none sets one up, changes their password, signs out or goes elsewhere, and nothing else', async () => {
  const bob = await member('admin')
  const cyd = await member()
  const key = (await mustSucceed(bob.web.call('createApiKey', { name: 'Key', scopes: ['read:risks'] }))).body
  await addTotp(one, ada.web)
  await mustSucceed(ask(ada.web))
  expect((await ada.web.call('listRisks')).status).toBe(200)

  const session = (await mustSucceed(bob.web.call('getSession'))).body
  expect([session.state, session.lacksSecondFactor]).toEqual(['signed_in', true])
  for (const [name, input] of [
    ['listRisks', {}],
    ['createRisk', { title: 'A risk' }],
    ['createApiKey', { name: 'Key', scopes: ['read:risks'] }],
    ['listSessions', {}],
    ['getMe', {}],
    ['updateOrganization', { secondFactorRequired: false }],
  ] as const) {
    const { status, body } = await bob.web.call(name, input)
    expect([name, status, body.code]).toEqual([name, 403, 'second_factor_required'])
  }
  const providerId = await addSilentProvider(one, ada.organizationId)
  const link = { providerId, intent: 'link' }
  expect((await bob.web.call('beginProviderSignIn', link)).body.code).toBe('second_factor_required')

  // What was made before goes on: it is no password, and nobody guesses it.
  expect((await door.send(key.secret, 'GET', '/v1/risks')).status).toBe(200)

  // A password that leaked is replaced without waiting for it: no thief is kept out by that.
  const change = { currentPassword: 'another that is not theirs', newPassword: 'a new one of theirs' }
  const { status, body } = await bob.web.call('changePassword', change)
  expect([status, body.errors]).toMatchObject([422, [{ path: 'currentPassword' }]])

  // Elsewhere they are as they were.
  const [home] = session.organizations.filter(({ id }: { id: string }) => id !== ada.organizationId)
  await mustSucceed(bob.web.call('switchOrganization', { organizationId: home.id }))
  expect((await bob.web.call('listRisks')).status).toBe(200)
  await mustSucceed(bob.web.call('switchOrganization', { organizationId: ada.organizationId }))

  expect((await bob.web.call('getSignInMethods')).status).toBe(200)
  await mustSucceed(addPasskey(bob.web, newAuthenticator(ORIGIN)))
  expect((await bob.web.call('listRisks')).status).toBe(200)
  expect((await mustSucceed(bob.web.call('getSession'))).body.lacksSecondFactor).toBe(false)
  expect((await cyd.web.call('signOut')).status).toBe(200)
})

test('the last factor stays while one of their organizations asks for one', async () => {
  const bob = await member()
  await addTotp(one, bob.web)
  const [home] = (await bob.web.call('getSession')).body.organizations.filter(
    ({ id }: { id: string }) => id !== ada.organizationId,
  )
  await mustSucceed(bob.web.call('switchOrganization', { organizationId: home.id }))
  const { body } = await bob.web.call('removeTotp')
  expect([body.code, body.detail]).toEqual(['conflict', expect.stringMatching(/^Organization \d+ asks/)])
  const added = await mustSucceed(addPasskey(bob.web, newAuthenticator(ORIGIN)))
  expect((await bob.web.call('removeTotp')).status).toBe(204)
  expect((await bob.web.call('deletePasskey', { id: added.body.id })).body.code).toBe('conflict')
  await mustSucceed(ask(ada.web, false))
  expect((await bob.web.call('deletePasskey', { id: added.body.id })).status).toBe(204)
})

test('an admin who removes theirs as another asks for it does not get past it', async () => {
  await mustSucceed(ask(ada.web, false))
  for (let round = 0; round < 3; round++) {
    const bob = await member('admin')
    await addTotp(one, bob.web)
    const [asked, removed] = await Promise.all([ask(bob.web), bob.web.call('removeTotp')])
    // Of the two, one.
    expect([asked.status, removed.status].sort()).toEqual(asked.status === 200 ? [200, 409] : [204, 409])
    await mustSucceed(ask(ada.web, false))
  }
})

test('the sign-in of the organization is a policy of its own', async () => {
  await mustSucceed(ask(ada.web))
  const bob = await member()
  const { organizationId } = ada
  const providerId = await addSilentProvider(one, organizationId)
  const requestContext = { channel: 'ui', requestId: 'r' } as const
  const entrance = { accountId: bob.accountId, organizationId, method: 'provider', providerId } as const
  const secret = await beginSession(one.service, requestContext, entrance)
  expect((await openWeb(door, undefined, `plumbline=${secret}`).call('listRisks')).status).toBe(200)
  expect((await bob.web.call('listRisks')).body.code).toBe('second_factor_required')
})

test('members see who has one, and nothing of who has not joined', async () => {
  const elsewhere = await newSomebody(one, door)
  await addTotp(one, elsewhere.web)
  const invited = { email: elsewhere.email, name: 'Elsewhere', role: 'viewer' }
  await mustSucceed(ada.web.call('createUser', invited))
  const { data } = (await mustSucceed(ada.web.call('listUsers', { limit: 100 }))).body
  const has = (wanted: string) => data.find(({ email }: { email: string }) => email === wanted).mfaEnabled
  expect([has(ada.email), has(elsewhere.email)]).toEqual([true, false])
})
