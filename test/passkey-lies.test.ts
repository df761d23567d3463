import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authenticator, type Lies, newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import {
  addPasskey,
  mustSucceed,
  newSomebody,
  ORIGIN,
  passkeySignIn,
  type Somebody,
} from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* What an authenticator, or whoever pretends to be one, may say: none of it lets anybody in. */

let one: TestService
let door: Door
let ada: Somebody
let key: Authenticator

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ada = await newSomebody(one, door)
  key = newAuthenticator(ORIGIN)
  await mustSucceed(addPasskey(ada.web, key))
})
afterAll(() => one.close())

const LIES: [string, Lies][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
  ['an empty challenge', { challenge: '' }],
  ['a person who was not verified', { userVerified: false }],
  ['nobody present', { userPresent: false }],
  ['the other kind of answer', { type: 'webauthn.nonsense' }],
]

describe.each(LIES)('an answer with %s is refused', (_, lies) => {
  test('to make one', async () => {
    const { status, body } = await addPasskey(ada.web, newAuthenticator(ORIGIN), 'A lie', lies)
    expect([status, body.code]).toEqual([401, 'sign_in_failed'])
  })

  test('to sign in', async () => {
    const { status, body, headers } = await passkeySignIn(door, key, lies)
    expect([status, body.code]).toEqual([401, 'sign_in_failed'])
    expect(headers['set-cookie']).toBeUndefined()
  })
})

test('an unknown passkey, a wrong signature and a wrong person hear the same', async () => {
  const replies = [
    await passkeySignIn(door, newAuthenticator(ORIGIN), {
      userHandle: Buffer.from(ada.accountId).toString('base64url'),
    }),
    await passkeySignIn(door, key, { signature: randomBytes(70) }),
    await passkeySignIn(door, key, { userHandle: Buffer.from('usr_somebody').toString('base64url') }),
    await passkeySignIn(door, key, { userHandle: null }),
    await passkeySignIn(door, newAuthenticator(ORIGIN), { credentialId: key.credentialId, userHandle: null }),
  ]
  const told = replies.map(({ status, body: { requestId: _, ...rest } }) => JSON.stringify([status, rest]))
  expect(new Set(told).size).toBe(1)
  expect(replies[0]?.status).toBe(401)
})

test('a challenge is answered once, rightly or wrongly, and within five minutes', async () => {
  const web = openWeb(door)
  const begin = async () => (await mustSucceed(web.call('beginPasskeySignIn'))).body
  const used = await begin()
  const response = key.get(used.options)
  expect((await web.call('signInWithPasskey', { ceremony: used.ceremony, response })).status).toBe(200)
  expect((await web.call('signInWithPasskey', { ceremony: used.ceremony, response })).status).toBe(401)
  const missed = await begin()
  const wrong = { ceremony: missed.ceremony, response: key.get(missed.options, { userVerified: false }) }
  expect((await web.call('signInWithPasskey', wrong)).status).toBe(401)
  const right = { ceremony: missed.ceremony, response: key.get(missed.options) }
  expect((await web.call('signInWithPasskey', right)).status).toBe(401)
  const raced = await begin()
  const same = { ceremony: raced.ceremony, response: key.get(raced.options) }
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await openWeb(door).call('signInWithPasskey', same)).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const crossed = [await begin(), await begin()]
  const swapped = { ceremony: crossed[0].ceremony, response: key.get(crossed[1].options) }
  expect((await web.call('signInWithPasskey', swapped)).status).toBe(401)
  const late = await begin()
  await one.moveClock(5 * 60_000 + 1)
  const expired = { ceremony: late.ceremony, response: key.get(late.options) }
  expect((await web.call('signInWithPasskey', expired)).status).toBe(401)
})

test('a challenge serves only what it was made for, and only who asked', async () => {
  const bob = await newSomebody(one, door)
  const fresh = newAuthenticator(ORIGIN)
  const { ceremony, options } = (await bob.web.call('beginPasskey')).body
  const response = fresh.create(options)
  const stolen = await ada.web.call('createPasskey', { ceremony, name: 'Mine now', response })
  expect([stolen.status, stolen.body.code]).toEqual([401, 'sign_in_failed'])
  const forSignIn = (await openWeb(door).call('beginPasskeySignIn')).body
  const made = fresh.create({ ...options, challenge: forSignIn.options.challenge })
  const swapped = await bob.web.call('createPasskey', {
    ceremony: forSignIn.ceremony,
    name: 'Swapped',
    response: made,
  })
  expect(swapped.status).toBe(401)
  const forConfirm = (await ada.web.call('beginPasskeyConfirmation')).body
  const confirmed = { ceremony: forConfirm.ceremony, response: key.get(forConfirm.options) }
  expect((await openWeb(door).call('signInWithPasskey', confirmed)).status).toBe(401)
})

test('a counter that goes back is refused and noted, and only where the key itself signed it', async () => {
  const bob = await newSomebody(one, door)
  const counted = newAuthenticator(ORIGIN)
  await mustSucceed(addPasskey(bob.web, counted))
  const copy = counted.copy()
  expect((await passkeySignIn(door, counted)).status).toBe(200)
  expect((await passkeySignIn(door, counted)).status).toBe(200)
  const alarms = async () => {
    const { rows } = await one.administrator.query(
      "select reason, outcome from audit_entries where subject_id = $1 and reason like 'The counter%'",
      [bob.userId],
    )
    return rows
  }
  const forged = await passkeySignIn(door, newAuthenticator(ORIGIN), {
    credentialId: counted.credentialId,
    userHandle: Buffer.from(bob.accountId).toString('base64url'),
    counter: 1,
  })
  expect(forged.status).toBe(401)
  expect(await alarms()).toEqual([])
  expect((await passkeySignIn(door, copy)).status).toBe(401)
  expect(await alarms()).toEqual([{ outcome: 'denied', reason: expect.stringContaining('copy') }])
  expect((await passkeySignIn(door, counted)).status).toBe(200)
  const zero = await passkeySignIn(door, counted, { counter: 0 })
  expect(zero.status).toBe(401)
})

test('answers out of shape are refused, and never a fault of ours', async () => {
  const odd = [
    (one: Lies & Record<string, unknown>) => ({ ...one, id: 'AAAA' }),
    (one: object) => ({ ...one, type: 'password' }),
    (one: object) => ({ ...one, response: {} }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, clientDataJSON: 'AAAA' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, clientDataJSON: 'bnVsbA' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, authenticatorData: 'AAAA' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, attestationObject: 'oA' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, attestationObject: '_____w' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, signature: '' } }),
    (one: { response: object }) => ({ ...one, response: { ...one.response, userHandle: '////' } }),
  ]
  for (const bend of odd) {
    const create = (await ada.web.call('beginPasskey')).body
    const made = bend(newAuthenticator(ORIGIN).create(create.options))
    const web = openWeb(door)
    const get = (await web.call('beginPasskeySignIn')).body
    const answered = bend(key.get(get.options))
    const replies = [
      await ada.web.call('createPasskey', { ceremony: create.ceremony, name: 'Odd', response: made }),
      await web.call('signInWithPasskey', { ceremony: get.ceremony, response: answered }),
    ]
    // What bends only the one kind of answer leaves the other as it was.
    for (const { status, text } of replies) expect(status, `${bend}: ${text}`).toBeLessThan(500)
    expect(
      replies.some(({ status }) => status === 401 || status === 422),
      `${bend}`,
    ).toBe(true)
  }
})

test('who is disabled or active nowhere does not get in with one', async () => {
  const bob = await newSomebody(one, door)
  const theirs = newAuthenticator(ORIGIN)
  await mustSucceed(addPasskey(bob.web, theirs))
  await one.administrator.query("update members set status = 'disabled' where user_id = $1", [bob.userId])
  expect((await passkeySignIn(door, theirs)).status).toBe(401)
  await one.administrator.query("update members set status = 'active' where user_id = $1", [bob.userId])
  await one.administrator.query('update users set disabled_at = clock_now() where id = $1', [bob.accountId])
  expect((await passkeySignIn(door, theirs)).status).toBe(401)
  await one.administrator.query('update users set disabled_at = null where id = $1', [bob.accountId])
  expect((await passkeySignIn(door, theirs)).status).toBe(200)
})
