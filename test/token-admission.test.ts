import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OauthTest, refresh, startOauthTest } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

// A token is worth what its scopes, its app, and the role of its person are worth at the moment of a call.

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

const WISH = 'read:risks write:risks read:webhooks'
const effective = async (token: string) => (await one.rest(token)).body.effectiveScopes
const refusal = async (token: string) => {
  const { status, body, headers } = await one.rest(token, 'GET', '/v1/risks')
  return { status, code: body.code, detail: body.detail, challenge: headers['www-authenticate'] }
}

test('demoting its person shrinks what it may do on the next call, and promoting gives it back', async () => {
  const person = await acme.person('admin')
  const { access_token: token, appId } = await one.connect(person, { scope: WISH })
  expect(await effective(token)).toEqual(['read:risks', 'write:risks', 'read:webhooks'])
  const change = (role: string, more = {}) =>
    one.call(acme.admin, 'updateUser', { id: person.userId, role, ...more })
  await expect(change('editor')).rejects.toMatchObject({
    code: 'confirm_required',
    members: { keys: [], apps: [{ id: appId, name: 'Test app', redirectHost: '127.0.0.1' }] },
    message: expect.stringContaining('1 connected app of'),
  })
  await change('editor', { confirm: true })
  expect(await effective(token)).toEqual(['read:risks', 'write:risks'])
  await change('viewer', { confirm: true })
  expect(await effective(token)).toEqual(['read:risks'])
  const refused = await one.rest(token, 'POST', '/v1/risks', { title: 'No' })
  expect([refused.status, refused.body.code]).toEqual([403, 'capability_required'])
  expect(refused.headers['www-authenticate']).toBeUndefined()
  await change('admin')
  expect(await effective(token)).toEqual(['read:risks', 'write:risks', 'read:webhooks'])
})

test('while its person is disabled, or after they were removed, it is worth nothing, nor is its refresh', async () => {
  const person = await acme.person('editor')
  const tokens = await one.connect(person)
  const { userId: id } = person
  const disabled = {
    status: 401,
    code: 'credential_invalid',
    detail: expect.stringContaining('no longer active'),
  }
  await one.call(acme.admin, 'updateUser', { id, status: 'disabled', confirm: true })
  expect(await refusal(tokens.access_token)).toMatchObject(disabled)
  expect((await refresh(one, tokens.client, tokens.refresh_token)).body.error).toBe('invalid_grant')
  await one.call(acme.admin, 'updateUser', { id, status: 'active' })
  expect((await one.rest(tokens.access_token)).status).toBe(200)
  await one.call(acme.admin, 'removeUser', { id, confirm: true })
  expect(await refusal(tokens.access_token)).toMatchObject({
    ...disabled,
    detail: expect.stringMatching(/was revoked: a member of the organization/),
  })
  expect((await refresh(one, tokens.client, tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('in a suspended organization it is worth nothing', async () => {
  const other = await one.organization()
  const { access_token: token } = await one.connect(other.admin)
  await one.administrator.query("update organizations set status = 'suspended' where id = $1", [other.id])
  expect(await refusal(token)).toMatchObject({ status: 401, code: 'credential_invalid' })
})

test('it is over after an hour, and says to refresh', async () => {
  const tokens = await one.connect(acme.admin)
  await one.moveClock(3_599_000)
  expect((await one.rest(tokens.access_token)).status).toBe(200)
  await one.moveClock(2_000)
  expect(await refusal(tokens.access_token)).toMatchObject({
    status: 401,
    code: 'credential_invalid',
    detail: expect.stringContaining('refresh it'),
    challenge: expect.stringMatching(
      /^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/v1", scope="read:[^"]+", error="invalid_token"$/,
    ),
  })
  const again = await refresh(one, tokens.client, tokens.refresh_token)
  expect((await one.rest(again.body.access_token)).status).toBe(200)
})

test('a refresh token, a code and anything else is no access token', async () => {
  const tokens = await one.connect(acme.admin)
  for (const other of [tokens.refresh_token, `${tokens.access_token}x`, tokens.appId, 'x'.repeat(43), 'null'])
    expect(await refusal(other)).toMatchObject({ status: 401, code: 'credential_invalid' })
  const inQuery = await one.door.send(null, 'GET', `/v1/risks?access_token=${tokens.access_token}`)
  expect([inQuery.status, inQuery.body.code]).toEqual([401, 'credential_missing'])
  const inCookie = await one.door.send(null, 'GET', '/v1/risks', {
    headers: { cookie: `plumbline=${tokens.access_token}` },
  })
  expect(inCookie.status).toBe(401)
})

test('all tokens of an app share one window of calls, and so do REST and every process', async () => {
  const few = await startOauthTest({ RATE_LIMIT: '5/10m' })
  try {
    const { admin } = await few.organization()
    const tokens = await few.connect(admin)
    const second = await refresh(few, tokens.client, tokens.refresh_token)
    const other = await few.listen({ PUBLIC_URL: few.base })
    const statuses = []
    for (let n = 0; n < 3; n++) {
      statuses.push((await few.rest(tokens.access_token)).status)
      statuses.push((await other.send(second.body.access_token, 'GET', '/v1/me')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const third = await refresh(few, tokens.client, second.body.refresh_token)
    const limited = await few.rest(third.body.access_token)
    expect([limited.status, limited.headers.ratelimit]).toEqual([429, expect.stringContaining('r=0')])
    expect(limited.headers['retry-after']).toMatch(/^\d+$/)
    await few.moveClock(600_000)
    expect((await few.rest(third.body.access_token)).status).toBe(200)
  } finally {
    await few.close()
  }
})

test('who guesses tokens is slowed, and a token that is over is no guess', async () => {
  const tokens = await one.connect(acme.admin)
  const other = await one.listen({ PUBLIC_URL: one.base })
  await one.call(acme.admin, 'revokeMyConnectedApp', { id: tokens.appId })
  for (let n = 0; n < 70; n++)
    expect((await other.send(tokens.access_token, 'GET', '/v1/me')).status).toBe(401)
  const guesses = []
  for (let n = 0; n < 61; n++) guesses.push((await other.send('g'.repeat(43), 'GET', '/v1/me')).status)
  expect(guesses.filter((status) => status === 401)).toHaveLength(60)
  expect(guesses.at(-1)).toBe(429)
})

test('its use is told, and what it did is under its name in the audit log', async () => {
  const tokens = await one.connect(acme.admin, { scope: 'write:risks' })
  const app = async () => {
    const { body } = await one.call(acme.admin, 'listMyConnectedApps', { limit: 200 })
    return (body as { data: { id: string; lastUsedAt: string | null }[] }).data.find(
      ({ id }) => id === tokens.appId,
    )!
  }
  expect((await app()).lastUsedAt).toBeNull()
  const { body } = await one.rest(tokens.access_token, 'POST', '/v1/risks', { title: 'Seen' })
  expect((await app()).lastUsedAt).toMatch(/^20/)
  const { rows } = await one.administrator.query(
    'select actor, channel from audit_entries where subject_id = $1',
    [body.id],
  )
  expect(rows).toEqual([
    {
      actor: {
        type: 'oauth_client',
        id: tokens.appId,
        displayName: 'Test app',
        actingUserId: acme.admin.userId,
      },
      channel: 'rest',
    },
  ])
})

test('no token, code, secret or cookie stands in the database or in the log', async () => {
  const log: string[] = []
  const logging = await one.listen({ PUBLIC_URL: one.base }, (line) => log.push(line))
  const client = await one.register({ token_endpoint_auth_method: 'client_secret_basic' })
  const jar = await one.browser(acme.admin)
  const tokens = await one.connect(acme.admin, { client, browser: jar })
  const used = { body: new URLSearchParams({ token: tokens.refresh_token, client_id: client.id }).toString() }
  const form = { ...used, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  for (const secret of [tokens.access_token, tokens.refresh_token]) {
    await logging.send(secret, 'GET', `/v1/me?access_token=${secret}`)
    await logging.send(null, 'GET', `/oauth/authorize?code=${secret}`)
    await logging.send(null, 'POST', '/oauth/token', form)
    await logging.send(null, 'POST', '/oauth/revoke', form)
    await logging.send(null, 'POST', `/consent/${secret}/request`, {
      body: {},
      headers: { origin: one.base },
    })
  }
  expect(log.length).toBeGreaterThan(8)
  for (const secret of [tokens.access_token, tokens.refresh_token, client.secret!])
    expect(log.join('')).not.toContain(secret)
  const { rows: tables } = await one.administrator.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  )
  const cookies = jar.cookiesFor('/oauth/authorize').split(/[=;] ?/)
  for (const { name } of tables) {
    const { rows } = await one.administrator.query(
      `select coalesce(json_agg(t), '[]')::text as all from ${name} t`,
    )
    for (const secret of [tokens.access_token, tokens.refresh_token, client.secret!, ...cookies])
      if (secret.length > 20) expect(rows[0].all, name).not.toContain(secret)
  }
})
