import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stepOf } from '../server/identity/second-factor/totp-codes.ts'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, newSomebody, nextStep, type Somebody, ticketOf } from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door
let ada: Somebody

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ada = await newSomebody(one, door)
})
afterAll(() => one.close())

describe('codes are those of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890')
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('%i seconds: %s', (seconds, eight) => {
    const six = eight.slice(2)
    const step = Math.floor(seconds / 30)
    const at = (moved: number) => new Date((seconds + moved) * 1000).toISOString()
    expect(stepOf(secret, six, at(0))).toBe(step)
    expect(stepOf(secret, `${six.slice(0, 3)} ${six.slice(3)}`, at(0))).toBe(step)
    expect([stepOf(secret, six, at(30)), stepOf(secret, six, at(-30))]).toEqual([step, step])
    expect([stepOf(secret, six, at(60)), stepOf(secret, six, at(-60))]).toEqual([null, null])
    for (const wrong of ['', six.slice(1), `0${six}`, eight, `${six.slice(1)}x`, '٠١٢٣٤٥'])
      expect(stepOf(secret, wrong, at(0))).toBeNull()
  })
})

test('an app counts once its first code came back, and not before', async () => {
  const { web } = ada
  const { status, body } = await web.call('beginTotp')
  expect(status).toBe(200)
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(body.uri)
  expect(`${uri.protocol}//${uri.host}${decodeURIComponent(uri.pathname)}`).toBe(
    `otpauth://totp/Plumbline:${ada.email}`,
  )
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Plumbline',
    secret: body.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect((await web.call('getSignInMethods')).body).toEqual({
    password: true,
    totp: null,
    recoveryCodesLeft: 0,
    passkeys: [],
  })
  const wrong = await web.call('confirmTotp', { code: '000000' })
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, 'code'])
  const plain = openWeb(door)
  expect((await plain.call('signIn', { email: ada.email, password: ada.password })).body.state).toBe(
    'signed_in',
  )
  const { body: user } = await web.call('getUser', { id: ada.userId })
  expect(user.mfaEnabled).toBe(false)

  const confirmed = await web.call('confirmTotp', { code: await codeOf(one, body.secret) })
  expect(confirmed.status).toBe(200)
  expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
  expect((await web.call('getUser', { id: ada.userId })).body.mfaEnabled).toBe(true)
  expect((await web.call('listUsers')).body.data[0].mfaEnabled).toBe(true)
  expect((await web.call('getSignInMethods')).body).toEqual({
    password: true,
    totp: { confirmedAt: expect.any(String) },
    recoveryCodesLeft: 10,
    passkeys: [],
  })
  expect((await web.call('confirmTotp', { code: await codeOf(one, body.secret) })).body.code).toBe('conflict')
  // The sessions begun without it are over; the one that set it up goes on.
  expect((await plain.call('getSession')).body.state).toBe('signed_out')
  expect((await web.call('getSession')).body.state).toBe('signed_in')
})

test('an app that was begun an hour ago is begun again', async () => {
  const { web } = await newSomebody(one, door)
  const { secret } = (await web.call('beginTotp')).body
  await one.moveClock(61 * 60_000)
  await web.call('confirmIdentity', { password: ada.password })
  const late = await web.call('confirmTotp', { code: await codeOf(one, secret) })
  expect([late.status, late.body.code]).toEqual([409, 'conflict'])
})

test('each code lets in once, also where two send it at once, and no earlier one after it', async () => {
  // The step after one that ends meanwhile is the one after the next.
  await one.stopClock()
  const bob = await newSomebody(one, door)
  const { secret } = await addTotp(one, bob.web)
  const first = await codeOf(one, secret)
  const sends = async (code: string) => {
    const web = openWeb(door)
    const { ticket } = await ticketOf(door, bob)
    return (await web.call('signInSecondFactor', { ticket, code })).status
  }
  // The code that confirmed the app is spent.
  expect(await sends(first)).toBe(401)
  await nextStep(one)
  const code = await codeOf(one, secret)
  const tickets = await Promise.all(Array.from({ length: 8 }, () => ticketOf(door, bob)))
  const statuses = await Promise.all(
    tickets.map(async ({ ticket }) => {
      const reply = await openWeb(door).call('signInSecondFactor', { ticket, code })
      return reply.status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 401)).toHaveLength(7)
  await one.moveClock(16 * 60_000)
  const later = await codeOf(one, secret, 1)
  expect(await sends(later)).toBe(200)
  expect(await sends(await codeOf(one, secret))).toBe(401)
  expect(await sends(await codeOf(one, secret, -1))).toBe(401)
  expect(await sends(await codeOf(one, secret, -2))).toBe(401)
  await nextStep(one)
  await nextStep(one)
  expect(await sends(await codeOf(one, secret, -1))).toBe(401)
  expect(await sends(await codeOf(one, secret))).toBe(200)
  await one.startClock()
})

test('a new app takes the place of the old one, and the old one counts until then', async () => {
  const bob = await newSomebody(one, door)
  const old = await addTotp(one, bob.web)
  const { secret } = (await bob.web.call('beginTotp')).body
  await nextStep(one)
  const other = openWeb(door)
  const signIn = async (code: string) =>
    (await other.call('signInSecondFactor', { ticket: (await ticketOf(door, bob)).ticket, code })).status
  expect(await signIn(await codeOf(one, secret))).toBe(401)
  expect(await signIn(await codeOf(one, old.secret))).toBe(200)
  await bob.web.call('confirmTotp', { code: await codeOf(one, secret) })
  expect((await other.call('getSession')).body.state).toBe('signed_out')
  await nextStep(one)
  expect(await signIn(await codeOf(one, old.secret))).toBe(401)
  expect(await signIn(await codeOf(one, secret))).toBe(200)
})

test('removing it takes the question away, the recovery codes, and every other session', async () => {
  const bob = await newSomebody(one, door)
  const { secret } = await addTotp(one, bob.web)
  await nextStep(one)
  const other = openWeb(door)
  const { ticket } = await ticketOf(door, bob, other)
  await other.call('signInSecondFactor', { ticket, code: await codeOf(one, secret) })
  expect((await bob.web.call('removeTotp')).status).toBe(204)
  expect((await other.call('getSession')).body.state).toBe('signed_out')
  expect((await bob.web.call('getSignInMethods')).body).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
  expect((await bob.web.call('getUser', { id: bob.userId })).body.mfaEnabled).toBe(false)
  expect((await other.call('signIn', { email: bob.email, password: bob.password })).body).toEqual({
    state: 'signed_in',
  })
  expect((await bob.web.call('removeTotp')).status).toBe(404)
})

test('the audit log has who set it up and who removed it, and no secret of it', async () => {
  const bob = await newSomebody(one, door)
  const { secret, recoveryCodes } = await addTotp(one, bob.web)
  await bob.web.call('createRecoveryCodes')
  await bob.web.call('removeTotp')
  const { body, text } = await bob.web.call('listAuditLog', { limit: 10 })
  const told = body.data
    .filter((row: { action: string }) => row.action.startsWith('user.'))
    .map(({ action, changes }: { action: string; changes: unknown }) => [action, changes])
    .slice(0, 3)
  expect(told).toEqual([
    ['user.remove_totp', { mfaEnabled: { from: true, to: false } }],
    ['user.create_recovery_codes', null],
    ['user.add_totp', { mfaEnabled: { from: false, to: true } }],
  ])
  for (const hidden of [secret, ...recoveryCodes]) expect(text).not.toContain(hidden)
})

test('the secret rests sealed for its person, and no row of another opens it', async () => {
  const [bob, eve] = [await newSomebody(one, door), await newSomebody(one, door)]
  const { secret } = await addTotp(one, bob.web)
  await addTotp(one, eve.web)
  const { rows } = await one.administrator.query('select t::text as row from totp_secrets t')
  expect(JSON.stringify(rows)).not.toContain(secret)
  await one.administrator.query(
    `update totp_secrets set sealed_secret = (select sealed_secret from totp_secrets where user_id = $1)
      where user_id = $2`,
    [bob.accountId, eve.accountId],
  )
  await nextStep(one)
  const { ticket } = await ticketOf(door, eve)
  const moved = await openWeb(door).call('signInSecondFactor', { ticket, code: await codeOf(one, secret) })
  expect([moved.status, moved.body.code]).toEqual([500, 'internal'])
})

test('a request repeated with its idempotency key shows no secret again', async () => {
  const { web } = await newSomebody(one, door)
  const once = { 'idempotency-key': 'begin' }
  const first = await web.call('beginTotp', {}, once)
  expect((await web.call('beginTotp', {}, once)).body).toEqual({ secret: null, uri: null })
  const confirm = { code: await codeOf(one, first.body.secret) }
  const key = { 'idempotency-key': 'confirm' }
  expect((await web.call('confirmTotp', confirm, key)).body.recoveryCodes).toHaveLength(10)
  expect((await web.call('confirmTotp', confirm, key)).body).toEqual({ recoveryCodes: null })
  const { rows } = await one.administrator.query('select a::text as row from idempotency_answers a')
  expect(JSON.stringify(rows)).not.toContain(first.body.secret)
})
