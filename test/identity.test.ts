import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginSession, readSession, rotateSession } from '../server/identity/sessions.ts'
import { newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, mustSucceed, newSomebody, nextStep, type Somebody } from './support/factors.ts'
import { addSilentProvider } from './support/provider-sign-in.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/* What changes how a person gets in is asked of nobody but that person, who has just proved who they are. */

let one: TestService
let door: Door

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
})
afterAll(() => one.close())

const CHANGES: [string, object][] = [
  ['beginTotp', {}],
  ['confirmTotp', { code: '123456' }],
  ['removeTotp', {}],
  ['createRecoveryCodes', {}],
  ['beginPasskey', {}],
  ['updatePasskey', { id: 'psk_x', name: 'x' }],
  ['deletePasskey', { id: 'psk_x' }],
]

async function later(somebody: Somebody): Promise<Somebody> {
  await one.moveClock(16 * 60_000)
  return somebody
}

async function keyOf(web: Web) {
  const key = newAuthenticator('http://localhost:3000')
  const { ceremony, options } = (await mustSucceed(web.call('beginPasskey'))).body
  await mustSucceed(web.call('createPasskey', { ceremony, name: 'Key', response: key.create(options) }))
  return key
}

describe('a session of a quarter of an hour ago changes nothing', () => {
  test.each(CHANGES)('%s', async (name, input) => {
    const { web } = await later(await newSomebody(one, door))
    const { status, body } = await web.call(name, input)
    expect([status, body.code]).toEqual([403, 'identity_unconfirmed'])
    await mustSucceed(web.call('confirmIdentity', { password: 'correct horse battery' }))
    expect((await web.call(name, input)).body?.code).not.toBe('identity_unconfirmed')
  })

  test('createPasskey, though it was begun in time', async () => {
    const { web } = await newSomebody(one, door)
    await one.moveClock(14 * 60_000)
    const { ceremony, options } = (await mustSucceed(web.call('beginPasskey'))).body
    await one.moveClock(2 * 60_000)
    const response = newAuthenticator('http://localhost:3000').create(options)
    const late = await web.call('createPasskey', { ceremony, name: 'Late', response })
    expect([late.status, late.body.code]).toEqual([403, 'identity_unconfirmed'])
  })
})

/** What reaches beyond oneself, with an input that would do it or be refused for something else. */
const BEYOND: [string, object][] = [
  ['createApiKey', { name: 'Key', scopes: ['read:risks'] }],
  ['revokeApiKey', { id: 'key_x' }],
  ['createUser', { email: 'new@example.com', name: 'New', role: 'viewer' }],
  ['updateUser', { id: 'usr_x', role: 'viewer' }],
  ['updateUser', { id: 'usr_x', status: 'disabled' }],
  ['removeUser', { id: 'usr_x' }],
  ['createInvitation', { id: 'usr_x' }],
  ['createPasswordReset', { id: 'usr_x' }],
  ['resetSecondFactor', { id: 'usr_x' }],
  ['revokeConnectedApp', { id: 'app_x' }],
  ['updateOrganization', { secondFactorRequired: false }],
  ['createSignInProvider', {}],
  ['updateSignInProvider', { id: 'sip_x', enabled: false }],
  ['deleteSignInProvider', { id: 'sip_x' }],
  ['verifySignInDomain', { id: 'sip_x', domain: 'example.com' }],
  ['createWebhookEndpoint', {}],
  ['updateWebhookEndpoint', { id: 'whe_x', address: 'https://example.com' }],
  ['updateWebhookEndpoint', { id: 'whe_x', enabled: true }],
  ['rotateWebhookEndpointSecret', { id: 'whe_x' }],
]

const NOT_ASKED: [string, object][] = [
  ['listApiKeys', {}],
  ['updateUser', { id: 'usr_x', name: 'Another name' }],
  ['updateOrganization', { industry: 'Bread' }],
  ['updateWebhookEndpoint', { id: 'whe_x', enabled: false }],
  ['deleteWebhookEndpoint', { id: 'whe_x' }],
  ['createRisk', { title: 'A risk' }],
]

describe('what reaches beyond oneself', () => {
  const codesOf = async (web: Web, acts: [string, object][]) => {
    const codes: [string, string | undefined][] = []
    for (const [name, input] of acts) codes.push([name, (await web.call(name, input)).body?.code])
    return codes
  }
  const are = (acts: [string, object][], code: string) => acts.map(([name]) => [name, code])

  test('asks a session of a quarter of an hour ago, and then goes on', async () => {
    const { web, password } = await newSomebody(one, door)
    for (const [, code] of await codesOf(web, BEYOND)) expect(code).not.toBe('identity_unconfirmed')
    await one.moveClock(16 * 60_000)
    expect(await codesOf(web, BEYOND)).toEqual(are(BEYOND, 'identity_unconfirmed'))
    for (const [, code] of await codesOf(web, NOT_ASKED)) expect(code).not.toBe('identity_unconfirmed')
    await mustSucceed(web.call('confirmIdentity', { password }))
    for (const [, code] of await codesOf(web, BEYOND)) expect(code).not.toBe('identity_unconfirmed')
    // Being asked is no attempt.
    const { data } = (await mustSucceed(web.call('listAuditLog', { limit: 100 }))).body
    expect(data.filter((entry: { reason: string }) => entry.reason === 'identity_unconfirmed')).toEqual([])
  })

  test('is refused to who may not do it before it is asked', async () => {
    const { id, person } = await one.organization()
    const { accountId } = await person('viewer')
    const requestContext = { channel: 'ui', requestId: 'r' } as const
    const entrance = { accountId, organizationId: id, method: 'password' } as const
    const web = openWeb(
      door,
      undefined,
      `plumbline=${await beginSession(one.service, requestContext, entrance)}`,
    )
    await one.moveClock(16 * 60_000)
    expect((await web.call('createApiKey', BEYOND[0]![1])).body.code).toBe('capability_required')
  })

  test('asks whom a provider vouches for to sign in once more, and no program', async () => {
    const { accountId, organizationId } = await newSomebody(one, door)
    const requestContext = { channel: 'ui', requestId: 'r' } as const
    const providerId = await addSilentProvider(one, organizationId)
    const entrance = { accountId, organizationId, method: 'provider', providerId } as const
    const web = openWeb(
      door,
      undefined,
      `plumbline=${await beginSession(one.service, requestContext, entrance)}`,
    )
    const key = (await mustSucceed(web.call('createApiKey', { name: 'Key', scopes: ['write:webhooks'] })))
      .body
    await one.moveClock(16 * 60_000)
    const asked = (await web.call('createApiKey', { name: 'Key', scopes: ['read:risks'] })).body
    expect([asked.code, asked.signIn, asked.provider]).toEqual(['identity_unconfirmed', true, undefined])
    const rotation = '/v1/webhook-endpoints/whe_x/rotate-secret'
    expect((await door.send(key.secret, 'POST', rotation)).body.code).toBe('not_found')
  })
})

test('who came in through the sign-in of an organization changes nothing of their own', async () => {
  const bob = await newSomebody(one, door)
  const requestContext = { channel: 'ui', requestId: 'r' } as const
  const providerId = await addSilentProvider(one, bob.organizationId)
  const secret = await beginSession(one.service, requestContext, { ...bob, method: 'provider', providerId })
  const web = openWeb(door, undefined, `plumbline=${secret}`)
  for (const [name, input] of CHANGES) {
    const { body } = await web.call(name, input)
    expect([name, body.code, body.provider]).toEqual([name, 'identity_unconfirmed', true])
  }
  for (const [name, input] of [
    ['confirmIdentity', { password: bob.password }],
    ['beginPasskeyConfirmation', {}],
  ] as const)
    expect((await web.call(name, input)).body.code).toBe('sign_in_failed')
})

describe('where there is an authenticator app', () => {
  test('a session and the password together do not take it away', async () => {
    const bob = await newSomebody(one, door)
    const { secret } = await addTotp(one, bob.web)
    await later(bob)
    const alone = await bob.web.call('confirmIdentity', { password: bob.password })
    expect([alone.status, alone.body.code, alone.body.methods]).toEqual([
      403,
      'identity_unconfirmed',
      ['totp', 'recovery_code'],
    ])
    // Nor by the way round of a new password, which would count as a proof.
    const changed = { currentPassword: bob.password, newPassword: 'another few plain words' }
    expect((await bob.web.call('changePassword', changed)).body.code).toBe('identity_unconfirmed')
    expect((await bob.web.call('removeTotp')).body.code).toBe('identity_unconfirmed')
    const both = { password: bob.password, code: await codeOf(one, secret) }
    expect((await bob.web.call('confirmIdentity', { ...both, code: '000000' })).status).toBe(401)
    expect((await bob.web.call('confirmIdentity', both)).status).toBe(200)
    expect((await bob.web.call('changePassword', changed)).status).toBe(200)
    expect((await bob.web.call('removeTotp')).status).toBe(204)
  })

  test('a code is not spent on a wrong password, and not taken twice', async () => {
    const bob = await newSomebody(one, door)
    const { secret, recoveryCodes } = await addTotp(one, bob.web)
    await nextStep(one)
    const code = await codeOf(one, secret)
    const confirm = async (input: object) => (await bob.web.call('confirmIdentity', input)).status
    expect(await confirm({ password: 'not the right one', code })).toBe(401)
    expect(await confirm({ code })).toBe(422)
    expect(await confirm({ password: bob.password, code, recoveryCode: recoveryCodes[0] })).toBe(422)
    expect(await confirm({ password: bob.password, code })).toBe(200)
    expect(await confirm({ password: bob.password, code })).toBe(401)
    expect(await confirm({ password: bob.password, recoveryCode: recoveryCodes[0] })).toBe(200)
    expect(await confirm({ password: bob.password, recoveryCode: recoveryCodes[0] })).toBe(401)
  })
})

test('a passkey of the same person confirms, and one of another does not', async () => {
  const bob = await newSomebody(one, door)
  const [mine, theirs] = [await keyOf(bob.web), await keyOf((await newSomebody(one, door)).web)]
  await later(bob)
  const confirm = async (key: typeof mine, web = bob.web) => {
    const { ceremony, options } = (await mustSucceed(web.call('beginPasskeyConfirmation'))).body
    return web.call('confirmIdentity', { ceremony, response: key.get(options) })
  }
  expect((await confirm(theirs)).status).toBe(401)
  expect((await bob.web.call('createRecoveryCodes')).body.code).toBe('identity_unconfirmed')
  const before = bob.web.cookie
  expect((await confirm(mine)).status).toBe(200)
  expect(bob.web.cookie).not.toBe(before)
  expect((await bob.web.call('createRecoveryCodes')).status).toBe(200)
  // A challenge of one session is of no use to another person's.
  const { ceremony, options } = (await bob.web.call('beginPasskeyConfirmation')).body
  const eve = await newSomebody(one, door)
  const lent = await eve.web.call('confirmIdentity', { ceremony, response: mine.get(options) })
  expect(lent.status).toBe(401)
})

test('a session of the password alone, begun just before the app was set up, is over', async () => {
  const bob = await newSomebody(one, door)
  const thief = openWeb(door)
  await mustSucceed(thief.call('signIn', { email: bob.email, password: bob.password }))
  await addTotp(one, bob.web)
  expect((await thief.call('removeTotp')).body.code).toBe('credential_missing')
})

test('two proofs of one browser at the same time leave it signed in', async () => {
  const { accountId, organizationId } = (await one.organization()).admin
  const context = { channel: 'ui', requestId: 'test' } as const
  const secret = await beginSession(one.service, context, { accountId, organizationId, method: 'password' })
  const read = (shown: string | undefined) => readSession(one.service, shown, {})
  const session = (await read(secret))!
  const first = await rotateSession(one.service, session, { authenticated: true })
  // Whichever answer comes last, the browser keeps the one secret there is.
  expect(await rotateSession(one.service, session, { authenticated: true })).toEqual({})
  expect(await read(secret)).toBeNull()
  expect((await read(first.session))?.id).toBe(session.id)
})
