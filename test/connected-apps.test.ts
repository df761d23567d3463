import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OauthTest, refresh, startOauthTest } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

/* What people let in: everybody sees and ends their own, admins those of the organization. */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

interface App {
  id: string
  state: string
  approvedBy: { id: string }
}

const listed = async (caller: Parameters<OauthTest['call']>[0], operation: string, input = {}) =>
  ((await one.call(caller, operation, input)).body as { data: App[] }).data

test('an app shows who let it in, for what, and where the access went', async () => {
  const person = await acme.person('viewer')
  const client = await one.register({
    client_name: 'Assistant',
    client_uri: 'https://assistant.example.com/about',
    redirect_uris: ['https://assistant.example.com/callback'],
  })
  const tokens = await one.connect(person, { client, scope: 'read:risks read:controls' })
  const [app] = await listed(person, 'listMyConnectedApps')
  expect(app).toEqual({
    id: tokens.appId,
    name: 'Assistant',
    uri: 'https://assistant.example.com/about',
    clientId: client.id,
    redirectHost: 'assistant.example.com',
    registration: 'dynamic',
    scopes: ['read:controls', 'read:risks'],
    effectiveScopes: ['read:controls', 'read:risks'],
    state: 'active',
    approvedBy: { id: person.userId, displayName: person.credential.name, active: true },
    createdAt: expect.any(String),
    approvedAt: expect.any(String),
    expiresAt: expect.any(String),
    lastUsedAt: null,
    revokedAt: null,
  })
})

test('everybody sees and ends their own, an admin all', async () => {
  const [ann, bob] = [await acme.person('editor'), await acme.person('editor')]
  const hers = await one.connect(ann)
  const his = await one.connect(bob)
  expect((await listed(ann, 'listMyConnectedApps')).map(({ id }) => id)).toEqual([hers.appId])
  await expect(one.call(ann, 'revokeMyConnectedApp', { id: his.appId })).rejects.toMatchObject({
    code: 'not_found',
  })
  for (const operation of ['listConnectedApps', 'revokeConnectedApp'])
    await expect(one.call(ann, operation, { id: his.appId })).rejects.toMatchObject({
      code: 'capability_required',
    })
  const all = await listed(acme.admin, 'listConnectedApps', { state: ['active'] })
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([hers.appId, his.appId]))
  const ofBob = await listed(acme.admin, 'listConnectedApps', { userId: [bob.userId] })
  expect(ofBob.map(({ id }) => id)).toEqual([his.appId])
  const { body } = await one.call(acme.admin, 'revokeConnectedApp', { id: his.appId })
  expect(body).toMatchObject({ state: 'revoked', effectiveScopes: [], revokedAt: expect.any(String) })
  expect((await one.rest(his.access_token)).status).toBe(401)
  expect((await one.rest(hers.access_token)).status).toBe(200)
  expect((await listed(bob, 'listMyConnectedApps', { state: ['active'] })).length).toBe(0)
})

test('an app of another organization is not there, in no role', async () => {
  const other = await one.organization()
  const theirs = await one.connect(other.admin)
  expect((await listed(acme.admin, 'listConnectedApps')).map(({ id }) => id)).not.toContain(theirs.appId)
  for (const operation of ['revokeConnectedApp', 'revokeMyConnectedApp'])
    await expect(one.call(acme.admin, operation, { id: theirs.appId })).rejects.toMatchObject({
      code: 'not_found',
    })
  expect((await one.rest(theirs.access_token)).status).toBe(200)
})

test('revoking ends every token of the app at once, on every process', async () => {
  const other = await one.listen({ PUBLIC_URL: one.base })
  const tokens = await one.connect(acme.admin)
  const second = await refresh(one, tokens.client, tokens.refresh_token)
  const all = [tokens.access_token, second.body.access_token]
  for (const token of all) expect((await other.send(token, 'GET', '/v1/me')).status).toBe(200)
  await one.call(acme.admin, 'revokeMyConnectedApp', { id: tokens.appId })
  for (const token of all) {
    const { status, body } = await other.send(token, 'GET', '/v1/me')
    expect([status, body.detail]).toEqual([401, expect.stringContaining('revoked')])
  }
  expect((await refresh(one, tokens.client, second.body.refresh_token)).body.error).toBe('invalid_grant')
})

test('keys and apps know nothing of each other', async () => {
  const person = await acme.person('admin')
  const key = await acme.key(['read:risks'], person)
  const tokens = await one.connect(person)
  await one.call(person, 'revokeMyConnectedApp', { id: tokens.appId })
  expect((await one.rest(key.secret)).status).toBe(200)
  const again = await one.connect(person)
  await one.call(acme.admin, 'revokeApiKey', { id: key.id })
  expect((await one.rest(again.access_token)).status).toBe(200)
})

test('agreeing again to the same client changes its app, for the tokens it has already too', async () => {
  const client = await one.register()
  const first = await one.connect(acme.admin, { client, scope: 'read:risks write:risks' })
  const second = await one.connect(acme.admin, {
    client,
    scope: 'read:risks write:risks',
    grant: ['read:risks'],
  })
  expect(second.appId).toBe(first.appId)
  expect((await one.rest(first.access_token)).body.scopes).toEqual(['read:risks'])
  const refreshed = await refresh(one, client, first.refresh_token)
  expect(refreshed.body.scope).toBe('read:risks')
})

test('connecting again after a revocation is a new app; what was of the old one stays dead', async () => {
  const client = await one.register()
  const first = await one.connect(acme.admin, { client })
  await one.call(acme.admin, 'revokeMyConnectedApp', { id: first.appId })
  const second = await one.connect(acme.admin, { client })
  expect(second.appId).not.toBe(first.appId)
  expect((await one.rest(second.access_token)).status).toBe(200)
  expect((await one.rest(first.access_token)).status).toBe(401)
  expect((await refresh(one, client, first.refresh_token)).status).toBe(400)
})

test('agreeing and ending are in the audit log, with who did it', async () => {
  const tokens = await one.connect(acme.admin)
  await one.call(acme.admin, 'revokeConnectedApp', { id: tokens.appId })
  await one.call(acme.admin, 'revokeConnectedApp', { id: tokens.appId })
  const { rows } = await one.administrator.query(
    `select action, actor ->> 'id' as by, channel, ip is not null as told, changes from audit_entries
      where subject_id = $1 order by time, id`,
    [tokens.appId],
  )
  expect(rows).toEqual([
    {
      action: 'connected_app.approve',
      by: acme.admin.userId,
      channel: 'ui',
      told: true,
      changes: {
        clientId: { from: null, to: tokens.client.id },
        redirectHost: { from: null, to: '127.0.0.1' },
        scopes: { from: null, to: ['read:risks'] },
      },
    },
    {
      action: 'connected_app.revoke',
      by: acme.admin.userId,
      channel: 'cli',
      told: false,
      changes: { revokedAt: { from: null, to: expect.any(String) } },
    },
  ])
})

test('an app that hands its token back has ended, and so has a thief of another client not', async () => {
  const revoke = (body: Record<string, string>) =>
    fetch(`${one.base}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(body) })
  for (const which of ['access_token', 'refresh_token'] as const) {
    const tokens = await one.connect(acme.admin)
    const stranger = await one.register()
    expect((await revoke({ token: tokens[which], client_id: stranger.id })).status).toBe(200)
    expect((await one.rest(tokens.access_token)).status).toBe(200)
    expect((await revoke({ token: tokens[which], client_id: tokens.client.id })).status).toBe(200)
    expect((await one.rest(tokens.access_token)).status).toBe(401)
    expect((await refresh(one, tokens.client, tokens.refresh_token)).status).toBe(400)
    const { rows } = await one.administrator.query(
      "select actor, reason from audit_entries where subject_id = $1 and action = 'connected_app.revoke'",
      [tokens.appId],
    )
    expect(rows).toEqual([
      {
        actor: { type: 'service', id: 'oauth', displayName: 'OAuth server', actingUserId: null },
        reason: 'the app gave its access back',
      },
    ])
  }
})
