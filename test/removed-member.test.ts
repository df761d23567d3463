import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { connectApp } from './support/connected-app.ts'
import { type OauthTest, refresh, startOauthTest } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'
import { openWebAs } from './support/web.ts'

/* What acted for somebody ends with their removal, and being added again begins from nothing. */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

const emailOf = ({ accountId }: Caller) => `${accountId}@example.com`

/** As somebody who is back at once: how they are let in again is not on trial. */
async function addAgain(person: Caller): Promise<void> {
  await one.call(acme.admin, 'createUser', { email: emailOf(person), name: 'Back', role: 'admin' })
  await one.administrator.query("update members set status = 'active' where user_id = $1", [person.userId])
}

test('keys, apps, tokens, sessions and links end for good, each in the audit log', async () => {
  const person = await acme.person('admin')
  const web = await openWebAs(one.door, person)
  await one.call(acme.admin, 'createRisk', { title: 'T', owner: { type: 'user', refId: person.userId } })
  await one.call(person, 'updateNoticeSettings', { dailyHour: 5 })
  const key = await acme.key(['read:risks'], person)
  const app = await one.connect(person)
  // Approving it anew would bring its refresh tokens back.
  const expired = await connectApp(one.administrator, person)
  await one.administrator.query('update connected_apps set expires_at = clock_now() where id = $1', [expired])
  const invited = await web.call('createUser', { email: 'theirs@example.com', name: 'Theirs', role: 'admin' })
  const token = invited.body.invitation.link.split('#token=')[1]

  await expect(one.call(acme.admin, 'removeUser', { id: person.userId })).rejects.toMatchObject({
    code: 'confirm_required',
    message: expect.stringContaining('would be revoked for good'),
    members: { keys: [{ id: key.id }], apps: [{ id: app.appId }] },
  })
  await one.call(acme.admin, 'removeUser', { id: person.userId, confirm: true })
  const { rows } = await one.administrator.query(
    "select action, subject_id, reason is not null as why from audit_entries where action like '%.revoke' and organization_id = $1",
    [acme.id],
  )
  expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
    new Set(
      [
        { action: 'api_key.revoke', subject_id: key.id, why: true },
        { action: 'connected_app.revoke', subject_id: app.appId, why: true },
        { action: 'connected_app.revoke', subject_id: expired, why: true },
      ].map((row) => JSON.stringify(row)),
    ),
  )

  for (const table of ['notices', 'notice_settings', 'mail_bounces']) {
    const left = await one.administrator.query(`select from ${table} where user_id = $1`, [person.userId])
    expect([table, left.rowCount]).toEqual([table, 0])
  }
  await addAgain(person)
  expect((await one.rest(key.secret)).body.code).toBe('key_revoked')
  expect((await one.rest(app.access_token)).status).toBe(401)
  expect((await refresh(one, app.client, app.refresh_token)).status).toBe(400)
  expect((await web.call('getSession')).body.state).toBe('signed_out')
  const used = await web.call('acceptInvitation', { token, password: 'a few plain words' })
  expect(used.body.code).toBe('link_invalid')
})

test('a user who is active again gets a new session, link and calendar address', async () => {
  const person = await acme.person('admin')
  const web = await openWebAs(one.door, person)
  const feedOf = async () =>
    new URL(((await one.call(person, 'createCalendarFeed', {})).body as { url: string }).url).pathname
  const feed = await feedOf()
  const { body: exported } = await web.call('exportRisks', { format: 'csv' })
  expect(exported.url).toMatch(/\/download\//)
  expect((await one.door.send(null, 'GET', feed)).status).toBe(200)
  for (const status of ['disabled', 'active'])
    await one.call(acme.admin, 'updateUser', { id: person.userId, status, confirm: true })
  expect((await web.call('getSession')).body.state).toBe('signed_out')
  expect((await one.door.send(null, 'GET', feed)).status).toBe(404)
  const download = new URL(exported.url).pathname
  expect((await one.door.send(null, 'GET', download, { headers: { cookie: web.cookie } })).status).not.toBe(
    200,
  )
  const again = await openWebAs(one.door, person)
  expect((await again.call('getSession')).body.state).toBe('signed_in')
  expect((await one.door.send(null, 'GET', await feedOf())).status).toBe(200)
  const { rows } = await one.administrator.query('select from download_links')
  expect(rows).toEqual([])
})

test('disabling suspends, and what was there works again', async () => {
  const person = await acme.person('admin')
  const key = await acme.key(['read:risks'], person)
  await one.call(acme.admin, 'updateUser', { id: person.userId, status: 'disabled', confirm: true })
  expect((await one.rest(key.secret)).body.code).toBe('key_creator_inactive')
  await one.call(acme.admin, 'updateUser', { id: person.userId, status: 'active' })
  expect((await one.rest(key.secret)).status).toBe(200)
})

test('what is made at the moment of the removal does not outlive it', async () => {
  const requestContext = { channel: 'ui', requestId: randomUUID() } as const
  for (let round = 0; round < 8; round++) {
    const person = await acme.person('admin')
    const { accountId } = person
    const web = await openWebAs(one.door, person)
    const enter = () =>
      beginSession(one.service, requestContext, { accountId, organizationId: acme.id, method: 'password' })
    await Promise.allSettled([
      ...[1, 2, 3].map((n) => web.call('createApiKey', { name: `Key ${n}`, scopes: ['read:risks'] })),
      enter(),
      one.call(acme.admin, 'removeUser', { id: person.userId, confirm: true }).then(() => addAgain(person)),
      web.call('createApiKey', { name: 'Key 4', scopes: ['read:risks'] }),
      enter(),
    ])
    const { rows } = await one.administrator.query(
      'select name from api_keys where created_by = $1 and revoked_at is null',
      [person.userId],
    )
    expect(rows).toEqual([])
    const sessions = await one.administrator.query(
      `select from sessions s, members m
        where s.user_id = $1 and m.user_id = $2 and s.created_at < m.updated_at`,
      [accountId, person.userId],
    )
    expect(sessions.rowCount).toBe(0)
  }
})
