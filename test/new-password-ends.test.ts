import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectApp } from './support/connected-app.ts'
import type { Door } from './support/door.ts'
import { mustSucceed, newSomebody, PASSWORD, type Somebody } from './support/factors.ts'
import { addMember, startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* With a new password every other session ends, and apps and keys where that is asked for: the person's own, in
   whichever organization, and nobody else's. */

let one: TestService
let door: Door

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
})
afterAll(() => one.close())

/** Somebody with a key and an app, and a colleague's key beside them. */
async function armed() {
  const bob = await newSomebody(one, door)
  const make = () => mustSucceed(bob.web.call('createApiKey', { name: 'Key', scopes: ['read:risks'] }))
  const key = (await make()).body
  const theirs = (await make()).body
  const other = await newSomebody(one, door)
  const { organizationId } = bob
  const { accountId } = other
  const member = { organizationId, accountId, name: 'Other', role: 'admin' }
  await one.administrator.query('update api_keys set created_by = $2 where id = $1', [
    theirs.id,
    await addMember(one.administrator, member),
  ])
  const app = await connectApp(one.administrator, bob as never)
  return { bob, key, theirs, app, other }
}

async function living({ bob, key, theirs, app }: Awaited<ReturnType<typeof armed>>) {
  const works = async (secret: string) => (await door.send(secret, 'GET', '/v1/risks')).status === 200
  const { rows } = await one.administrator.query('select revoked_at from connected_apps where id = $1', [app])
  const log = (await bob.web.call('listAuditLog', { limit: 100 })).body?.data ?? []
  const reasons = log.filter(({ reason }: { reason: string }) => reason === 'with a new password')
  return {
    key: await works(key.secret),
    app: rows[0].revoked_at === null,
    theirs: await works(theirs.secret),
    logged: reasons.map(({ action }: { action: string }) => action).sort(),
  }
}

const change = ({ web }: Somebody, also: object) =>
  web.call('changePassword', { currentPassword: PASSWORD, newPassword: 'another few plain words', ...also })

test('a change ends the sessions, and nothing else by itself', async () => {
  const all = await armed()
  const elsewhere = openWeb(door)
  await mustSucceed(elsewhere.call('signIn', { email: all.bob.email, password: PASSWORD }))
  await mustSucceed(change(all.bob, {}))
  expect((await elsewhere.call('getSession')).body.state).toBe('signed_out')
  expect(await living(all)).toEqual({ key: true, app: true, theirs: true, logged: [] })
})

test('apps and keys each where it is asked for, in the log of their organization', async () => {
  const apps = await armed()
  await mustSucceed(change(apps.bob, { endApps: true }))
  expect(await living(apps)).toMatchObject({ key: true, app: false, theirs: true })
  const both = await armed()
  await mustSucceed(change(both.bob, { endApps: true, endKeys: true }))
  const logged = ['api_key.revoke', 'connected_app.revoke']
  expect(await living(both)).toEqual({ key: false, app: false, theirs: true, logged })
})

test('a wrong password ends nothing', async () => {
  const all = await armed()
  const wrong = { currentPassword: 'not the right one', endApps: true, endKeys: true }
  expect((await change(all.bob, wrong)).status).toBe(422)
  expect(await living(all)).toMatchObject({ key: true, app: true })
})

test('a reset by link too', async () => {
  const all = await armed()
  const by = await sessionOfOther(all)
  const made = await mustSucceed(by.web.call('createPasswordReset', { id: all.bob.userId }))
  const token = made.body.link.split('#token=')[1]
  const given = { token, password: 'another few plain words', endApps: true, endKeys: true }
  await mustSucceed(openWeb(door).call('resetPassword', given))
  const logged = ['api_key.revoke', 'connected_app.revoke']
  expect(await living({ ...all, bob: by })).toEqual({ key: false, app: false, theirs: true, logged })
})

async function sessionOfOther({ other, bob }: Awaited<ReturnType<typeof armed>>): Promise<Somebody> {
  await mustSucceed(other.web.call('switchOrganization', { organizationId: bob.organizationId }))
  return other
}
