import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '../server/caller/operator.ts'
import { findOrganization } from '../server/organization/organizations.ts'
import { newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import { addTotp, mustSucceed, newSomebody, type Somebody, ticketOf } from './support/factors.ts'
import { tokenOf } from './support/joining.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

let one: TestService
let door: Door
let ada: Somebody

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ada = await newSomebody(one, door)
})
afterAll(() => one.close())

let made = 0

/** A member of Ada's organization with every factor there is. */
async function member() {
  const email = `member${++made}@example.com`
  const password = 'a few plain words'
  const { body } = await mustSucceed(
    ada.web.call('createUser', { email, name: `Member ${made}`, role: 'editor' }),
  )
  const web = openWeb(door)
  const token = tokenOf(body.invitation.link)
  await mustSucceed(web.call('acceptInvitation', { token, password }))
  await addTotp(one, web)
  const key = newAuthenticator('http://localhost:3000')
  const { ceremony, options } = (await mustSucceed(web.call('beginPasskey'))).body
  await mustSucceed(web.call('createPasskey', { ceremony, name: 'Key', response: key.create(options) }))
  const { rows } = await one.administrator.query('select account_id from members where user_id = $1', [
    body.id,
  ])
  const ids = { userId: body.id as string, accountId: rows[0].account_id, organizationId: ada.organizationId }
  return { email, password, ...ids, web, key }
}

const mfaOf = async (web: Web, id: string) => (await web.call('getUser', { id })).body.mfaEnabled

test('an admin takes all of it away, and every session of theirs ends', async () => {
  const bob = await member()
  const half = await ticketOf(door, bob)
  const begun = (await bob.web.call('beginPasskey')).body
  expect((await ada.web.call('resetSecondFactor', { id: bob.userId })).status).toBe(204)
  expect(await mfaOf(ada.web, bob.userId)).toBe(false)
  expect((await bob.web.call('getSession')).body.state).toBe('signed_out')
  const web = openWeb(door)
  expect((await web.call('beginPasskeySignIn', { ticket: half.ticket })).body.startOver).toBe(true)
  const asked = (await web.call('beginPasskeySignIn')).body
  const response = bob.key.get(asked.options)
  expect((await web.call('signInWithPasskey', { ceremony: asked.ceremony, response })).status).toBe(401)
  const back = await web.call('signIn', { email: bob.email, password: bob.password })
  expect(back.body).toEqual({ state: 'signed_in' })
  expect((await web.call('getSignInMethods')).body).toEqual({
    password: true,
    totp: null,
    recoveryCodesLeft: 0,
    passkeys: [],
  })
  const late = { ceremony: begun.ceremony, name: 'Late', response: bob.key.create(begun.options) }
  expect((await web.call('createPasskey', late)).status).toBe(401)
  const { body: log } = await ada.web.call('listAuditLog', { subjectId: [bob.userId], limit: 50 })
  const told = log.data.filter((row: { action: string }) => row.action === 'user.reset_second_factor')
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({
    actor: { id: ada.userId },
    changes: { mfaEnabled: { from: true, to: false } },
  })
  // Once more there is nothing to take away, and nobody is thrown out.
  expect((await ada.web.call('resetSecondFactor', { id: bob.userId })).status).toBe(204)
  expect((await web.call('getSession')).body.state).toBe('signed_in')
})

test('of a person of two organizations neither admin takes it away, but the operator does', async () => {
  const bob = await member()
  const zoe = await newSomebody(one, door)
  const { body } = await mustSucceed(
    zoe.web.call('createUser', { email: bob.email, name: 'Bob', role: 'viewer' }),
  )
  await mustSucceed(bob.web.call('acceptInvitation', { token: tokenOf(body.invitation.link) }))
  const inZoes = body.id
  for (const [{ web }, id] of [
    [ada, bob.userId],
    [zoe, inZoes],
  ] as const) {
    const { status, body } = await web.call('resetSecondFactor', { id })
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await mfaOf(web, id)).toBe(true)
  }
  expect((await bob.web.call('getSession')).body.state).toBe('signed_in')
  const { id, features } = await findOrganization(one.service.database, zoe.organizationId)
  await one.call(operator(id, features), 'resetSecondFactor', { id: inZoes })
  expect(await mfaOf(ada.web, bob.userId)).toBe(false)
  expect((await bob.web.call('getSession')).body.state).toBe('signed_out')
})

test('an organization that has removed them stands in nobody’s way', async () => {
  const bob = await member()
  const zoe = await newSomebody(one, door)
  const { body } = await mustSucceed(
    zoe.web.call('createUser', { email: bob.email, name: 'Bob', role: 'viewer' }),
  )
  await mustSucceed(zoe.web.call('removeUser', { id: body.id }))
  expect((await zoe.web.call('resetSecondFactor', { id: body.id })).status).toBe(404)
  expect((await ada.web.call('resetSecondFactor', { id: bob.userId })).status).toBe(204)
})

test('nobody takes their own away like that, and nobody but admins anybody’s', async () => {
  const { web, userId } = await member()
  const own = await ada.web.call('resetSecondFactor', { id: ada.userId })
  expect([own.status, own.body.code]).toEqual([409, 'conflict'])
  const refused = await web.call('resetSecondFactor', { id: userId })
  expect([refused.status, refused.body.code]).toEqual([403, 'capability_required'])
  const stranger = await newSomebody(one, door)
  expect((await stranger.web.call('resetSecondFactor', { id: userId })).status).toBe(404)
  expect(await mfaOf(ada.web, userId)).toBe(true)
})

test('what works for one organization cannot read a secret, nor count the codes', async () => {
  const tables = ['totp_secrets', 'recovery_codes', 'passkeys', 'sign_in_tickets', 'passkey_ceremonies']
  const tenant = await one.service.database.tenant.connect()
  try {
    for (const table of tables) {
      await tenant.query('begin')
      await tenant.query("select set_config('role', 'plumbline_tenant', true)")
      await expect(tenant.query(`select from ${table}`)).rejects.toThrow('permission denied')
      await tenant.query('rollback')
    }
    await tenant.query('begin')
    await tenant.query("select set_config('role', 'plumbline_tenant', true)")
    await expect(tenant.query('update users set has_second_factor = false')).rejects.toThrow(
      'permission denied',
    )
    await tenant.query('rollback')
  } finally {
    tenant.release()
  }
})
