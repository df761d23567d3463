import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Authenticator, newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import {
  addPasskey,
  addTotp,
  mustSucceed,
  newSomebody,
  ORIGIN,
  PASSWORD,
  passkeySignIn,
  type Somebody,
  ticketOf,
} from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door
let ada: Somebody
let key: Authenticator

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ada = await newSomebody(one, door)
  key = newAuthenticator(ORIGIN)
})
afterAll(() => one.close())

test('a passkey is asked for so that it can stand for both factors, and is kept with a name', async () => {
  const { body } = await ada.web.call('beginPasskey')
  expect(body.options).toMatchObject({
    rp: { id: 'localhost', name: 'Plumbline' },
    user: { id: Buffer.from(ada.accountId).toString('base64url'), name: ada.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
    timeout: 300_000,
  })
  const input = { ceremony: body.ceremony, name: 'Laptop', response: key.create(body.options) }
  const made = await ada.web.call('createPasskey', input)
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^psk_/),
      name: 'Laptop',
      createdAt: expect.any(String),
      lastUsedAt: null,
      backedUp: false,
    },
  ])
  expect((await ada.web.call('getSignInMethods')).body.passkeys).toEqual([made.body])
  expect((await ada.web.call('getUser', { id: ada.userId })).body.mfaEnabled).toBe(true)
  const next = await ada.web.call('beginPasskey')
  expect(next.body.options.excludeCredentials).toEqual([
    { id: key.credentialId, transports: ['internal'], type: 'public-key' },
  ])
})

test('it signs in by itself, without a name or a password', async () => {
  const web = openWeb(door)
  const { body } = await web.call('beginPasskeySignIn')
  expect(body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(body.options.allowCredentials ?? []).toEqual([])
  const reply = await web.call('signInWithPasskey', {
    ceremony: body.ceremony,
    response: key.get(body.options),
  })
  expect([reply.status, reply.body]).toEqual([200, { state: 'signed_in' }])
  expect((await web.call('getSession')).body.person.id).toBe(ada.userId)
  const sessions = (await web.call('listSessions')).body.data
  expect(sessions.find((row: { current: boolean }) => row.current)).toMatchObject({
    method: 'passkey',
    secondFactor: null,
  })
  expect((await web.call('getSignInMethods')).body.passkeys[0].lastUsedAt).toEqual(expect.any(String))
})

test('it is the second step after the password, and of the person who gave it alone', async () => {
  const bob = await newSomebody(one, door)
  const other = newAuthenticator(ORIGIN)
  await mustSucceed(addPasskey(bob.web, other))
  const web = openWeb(door)
  const { ticket, methods } = await ticketOf(door, ada, web)
  expect(methods).toEqual(['passkey'])
  const begin = async () => (await mustSucceed(web.call('beginPasskeySignIn', { ticket }))).body
  const asked = await begin()
  expect(asked.options.allowCredentials).toEqual([
    { id: key.credentialId, transports: ['internal'], type: 'public-key' },
  ])
  const theirs = await web.call('signInWithPasskey', {
    ceremony: asked.ceremony,
    response: other.get(asked.options),
  })
  expect([theirs.status, theirs.body.code]).toEqual([401, 'sign_in_failed'])
  const again = await begin()
  const mine = { ceremony: again.ceremony, response: key.get(again.options, { userHandle: null }) }
  expect((await web.call('signInWithPasskey', mine)).status).toBe(200)
  const sessions = (await web.call('listSessions')).body.data
  expect(sessions.find((row: { current: boolean }) => row.current)).toMatchObject({
    method: 'password',
    secondFactor: 'passkey',
  })
  expect((await web.call('beginPasskeySignIn', { ticket })).body.startOver).toBe(true)
})

test('no two people have one credential', async () => {
  const bob = await newSomebody(one, door)
  const taken = await addPasskey(bob.web, newAuthenticator(ORIGIN), 'Taken', {
    credentialId: key.credentialId,
  })
  expect([taken.status, taken.body.code]).toEqual([409, 'conflict'])
  expect((await bob.web.call('getSignInMethods')).body.passkeys).toEqual([])
  expect((await bob.web.call('getUser', { id: bob.userId })).body.mfaEnabled).toBe(false)
  const twice = await addPasskey(ada.web, key, 'Twice')
  expect(twice.status).toBe(409)
})

test('one that does not count signs in again and again', async () => {
  const bob = await newSomebody(one, door)
  const plain = newAuthenticator(ORIGIN, { counts: false })
  await mustSucceed(addPasskey(bob.web, plain))
  for (let round = 0; round < 3; round++) expect((await passkeySignIn(door, plain)).status).toBe(200)
})

test('what an authenticator says of its maker is not looked at', async () => {
  const bob = await newSomebody(one, door)
  for (const format of ['packed', 'fido-u2f', 'tpm', 'apple', 'no-such-format']) {
    const certificates = [Buffer.from('no certificate at all')]
    const attestation = new Map<string, number | Buffer | Buffer[]>([
      ['alg', -7],
      ['sig', randomBytes(70)],
      ['x5c', certificates],
    ])
    const reply = await addPasskey(bob.web, newAuthenticator(ORIGIN), format, { format, attestation })
    expect([format, reply.status]).toEqual([format, 201])
  }
})

test('a passkey is renamed and removed by its person alone; the last one leaves the password', async () => {
  const bob = await newSomebody(one, door)
  const { body: made } = await addPasskey(bob.web, newAuthenticator(ORIGIN), 'Phone')
  const other = openWeb(door)
  expect((await ada.web.call('updatePasskey', { id: made.id, name: 'Mine' })).status).toBe(404)
  expect((await ada.web.call('deletePasskey', { id: made.id })).status).toBe(404)
  expect((await bob.web.call('updatePasskey', { id: made.id, name: 'Old phone' })).body.name).toBe(
    'Old phone',
  )
  expect((await bob.web.call('createRecoveryCodes')).status).toBe(200)
  expect((await bob.web.call('deletePasskey', { id: made.id })).status).toBe(204)
  expect((await bob.web.call('getSignInMethods')).body).toMatchObject({ recoveryCodesLeft: 0, passkeys: [] })
  expect((await other.call('signIn', { email: bob.email, password: PASSWORD })).body.state).toBe('signed_in')
  const { body: log } = await bob.web.call('listAuditLog', { limit: 10 })
  const told = log.data.flatMap(({ action, changes }: { action: string; changes: unknown }) =>
    action.startsWith('user.') && action !== 'user.create' ? [[action, changes]] : [],
  )
  expect(told).toEqual([
    [
      'user.remove_passkey',
      { passkey: { from: 'Old phone', to: null }, mfaEnabled: { from: true, to: false } },
    ],
    ['user.create_recovery_codes', null],
    ['user.update_passkey', { passkey: { from: 'Phone', to: 'Old phone' } }],
    ['user.add_passkey', { passkey: { from: null, to: 'Phone' }, mfaEnabled: { from: false, to: true } }],
  ])
})

test('of two factors removed at the same moment the last one is seen to go', async () => {
  for (let round = 0; round < 5; round++) {
    const bob = await newSomebody(one, door)
    const { body: made } = await addPasskey(bob.web, newAuthenticator(ORIGIN))
    await addTotp(one, bob.web)
    const replies = await Promise.all([
      bob.web.call('deletePasskey', { id: made.id }),
      bob.web.call('removeTotp'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([204, 204])
    expect((await bob.web.call('getUser', { id: bob.userId })).body.mfaEnabled).toBe(false)
  }
})

test('who has no password keeps the last passkey', async () => {
  const bob = await newSomebody(one, door)
  const { body: made } = await addPasskey(bob.web, newAuthenticator(ORIGIN))
  await one.administrator.query('update users set password_hash = null where id = $1', [bob.accountId])
  const refused = await bob.web.call('deletePasskey', { id: made.id })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await bob.web.call('getSignInMethods')).body.passkeys).toHaveLength(1)
})

test('there are at most twenty', async () => {
  const bob = await newSomebody(one, door)
  for (let count = 0; count < 20; count++)
    await mustSucceed(addPasskey(bob.web, newAuthenticator(ORIGIN), `Key ${count}`))
  expect((await bob.web.call('beginPasskey')).body.code).toBe('conflict')
})
