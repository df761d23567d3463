import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { beginSession } from '../server/identity/sessions.ts'
import type { ConsentRequest } from '../server/oauth/consent.ts'
import { ERROR_PAGE_POLICY } from '../server/oauth/error-page.ts'
import {
  ask,
  authorize,
  begin,
  callbackOf,
  newRequest,
  type OauthTest,
  redeem,
  startOauthTest,
  uidOf,
} from './support/oauth.ts'
import { addSilentProvider } from './support/provider-sign-in.ts'
import { addMember, type TestOrganization } from './support/service.ts'

/* What a person is asked when a program wants in, and what their answer does. */

let one: OauthTest
let acme: TestOrganization
let client: Awaited<ReturnType<OauthTest['register']>>

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
  client = await one.register()
})
afterAll(() => one.close())

/** A request that waits for its answer. */
async function waiting(person: Caller | null = acme.admin, changes = {}, of = client) {
  const jar = await one.browser(person ?? undefined)
  const request = newRequest(one, of, changes)
  const opened = await begin(jar, request)
  const uid = uidOf(opened)
  expect(uid, opened.headers.get('location') ?? '').not.toBe('')
  return { jar, request, uid }
}

/** Makes a person a member of a second organization. */
async function joins({ accountId }: Caller, organization: TestOrganization, role: string) {
  await addMember(one.administrator, { organizationId: organization.id, accountId, name: 'Guest', role })
}

const requestedIn = ({ scopes }: ConsentRequest) =>
  scopes.filter(({ requested }) => requested).map(({ scope }) => scope)

test('the page learns who asks, for what, and what could be given', async () => {
  const { jar, uid } = await waiting(acme.admin, { scope: 'read:risks write:risks openid' })
  const { status, body, headers } = await ask(one, jar, uid, 'request')
  expect(status).toBe(200)
  expect(body.organizationId).toBeNull()
  expect(body.organizations).toEqual([{ id: acme.id, name: expect.any(String), role: 'admin' }])
  expect(body.scopes).toHaveLength(25)
  expect(body.scopes.find((one: { scope: string }) => one.scope === 'write:risks')).toEqual({
    scope: 'write:risks',
    description: SCOPES['write:risks'],
    requested: true,
    alreadyGranted: false,
    roles: ['editor', 'admin'],
  })
  expect(requestedIn(body)).toEqual(['read:risks', 'write:risks'])
  expect(headers.get('cache-control')).toBe('no-store')
})

test('where nobody is signed in, the page hears so and asks again afterwards', async () => {
  const { jar, uid } = await waiting(null)
  for (const call of ['request', 'approve'] as const) {
    const { status, body } = await ask(
      one,
      jar,
      uid,
      call,
      call === 'approve' ? { organizationId: acme.id, scopes: ['read:risks'] } : {},
    )
    expect([status, body.code]).toEqual([401, 'credential_missing'])
  }
  const { accountId, organizationId } = acme.admin
  const requestContext = { channel: 'ui', requestId: 'r' } as const
  jar.set(
    'plumbline',
    await beginSession(one.service, requestContext, { accountId, organizationId, method: 'password' }),
  )
  expect((await ask(one, jar, uid, 'request')).status).toBe(200)
})

test('a person may give more than was asked for, at once', async () => {
  const { scope, access_token } = await one.connect(acme.admin, {
    client,
    scope: 'read:risks',
    grant: ['read:risks', 'write:risks', 'read:controls'],
  })
  expect(scope.split(' ').sort()).toEqual(['read:controls', 'read:risks', 'write:risks'])
  expect((await one.rest(access_token, 'GET', '/v1/controls')).status).toBe(200)
})

test('without a scope, or with none of ours, the first scopes are offered', async () => {
  for (const scope of [null, 'openid profile']) {
    const fresh = await one.register()
    const { jar, uid } = await waiting(acme.admin, { scope, nonce: 'n', max_age: '60' }, fresh)
    const { body } = await ask(one, jar, uid, 'request')
    expect(requestedIn(body)).toContain('read:risks')
    expect(requestedIn(body).every((name) => name.startsWith('read:'))).toBe(true)
  }
})

test('nothing left, unknown scopes, or an organization that was not offered: refused, and asked again', async () => {
  const other = await one.organization()
  const { jar, uid } = await waiting(await acme.person('viewer'))
  for (const [answer, path] of [
    [{ organizationId: acme.id, scopes: [] }, 'scopes'],
    [{ organizationId: acme.id, scopes: ['write:risks'] }, 'scopes'],
    [{ organizationId: acme.id, scopes: ['read:everything'] }, 'scopes.0'],
    [{ organizationId: other.id, scopes: ['read:risks'] }, 'organizationId'],
    [{ organizationId: acme.id, scopes: ['read:risks'], role: 'admin' }, 'role'],
  ] as const) {
    const { status, body } = await ask(one, jar, uid, 'approve', answer)
    expect([status, body.errors?.[0].path]).toEqual([422, path])
  }
  const good = await ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes: ['read:risks'] })
  expect(good.status).toBe(200)
})

test('no is told to the program, with the state and who says it', async () => {
  const { jar, uid, request } = await waiting()
  const { status, body } = await ask(one, jar, uid, 'deny')
  expect(status).toBe(200)
  const callback = await callbackOf(jar, body.returnTo)
  expect(Object.fromEntries(callback.searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'The person did not agree.',
    state: request.state,
    iss: one.base,
  })
})

test('yes is told with the code, the state, and who says it', async () => {
  const { jar, uid, request } = await waiting()
  const { body } = await ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes: ['read:risks'] })
  const callback = await callbackOf(jar, body.returnTo)
  expect(callback.href.startsWith(`${client.redirect}?`)).toBe(true)
  expect(Object.fromEntries(callback.searchParams)).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: request.state,
    iss: one.base,
  })
})

test('a step-up keeps the organization, and shows what is granted already', async () => {
  const other = await one.organization()
  const person = await acme.person('editor')
  await joins(person, other, 'admin')
  const app = await one.register()
  const first = await one.connect(person, { client: app, scope: 'read:risks' })
  const { jar, uid } = await waiting(person, { scope: 'read:risks write:risks' }, app)
  const { body } = await ask(one, jar, uid, 'request')
  expect(body.organizationId).toBe(acme.id)
  expect(body.organizations).toHaveLength(2)
  expect((body as ConsentRequest).scopes.filter((one) => one.alreadyGranted).map((one) => one.scope)).toEqual(
    ['read:risks'],
  )
  const elsewhere = await ask(one, jar, uid, 'approve', { organizationId: other.id, scopes: ['read:risks'] })
  expect([elsewhere.status, elsewhere.body.errors[0].path]).toEqual([422, 'organizationId'])
  const second = await one.connect(person, { client: app, scope: 'read:risks write:risks' })
  expect([second.appId, second.scope]).toEqual([first.appId, 'read:risks write:risks'])
  const made = await one.rest(second.access_token, 'POST', '/v1/risks', { title: 'Stepped up' })
  expect(made.status).toBe(201)
})

test('one grant is of one organization; another connection of the same client may be of another', async () => {
  const other = await one.organization()
  const person = await acme.person('editor')
  await joins(person, other, 'viewer')
  const app = await one.register()
  const here = await one.connect(person, { client: app, organizationId: acme.id })
  const there = await one.connect(person, { client: app, organizationId: other.id })
  const organizationOf = async (token: string) => (await one.rest(token)).body.organization.id
  expect([await organizationOf(here.access_token), await organizationOf(there.access_token)]).toEqual([
    acme.id,
    other.id,
  ])
  expect((await one.rest(there.access_token)).body.role).toBe('viewer')
})

test('a session that one organization vouched for reaches no other', async () => {
  const other = await one.organization()
  const person = await acme.person('editor')
  await joins(person, other, 'admin')
  const { jar, uid } = await waiting(person)
  await one.administrator.query('update sessions set provider_id = $2 where user_id = $1', [
    person.accountId,
    await addSilentProvider(one, acme.id),
  ])
  const { body } = await ask(one, jar, uid, 'request')
  expect(body.organizations.map(({ id }: { id: string }) => id)).toEqual([acme.id])
  const { status } = await ask(one, jar, uid, 'approve', { organizationId: other.id, scopes: ['read:risks'] })
  expect(status).toBe(422)
})

test('who answers is who is signed in then: after a change of person it is the new one', async () => {
  const [ann, bob] = [await acme.person('editor'), await acme.person('editor')]
  const app = await one.register()
  const jar = await one.browser(ann)
  const first = await one.connect(ann, { client: app, browser: jar })
  const bobs = await one.browser(bob)
  jar.set('plumbline', bobs.cookiesFor('/').replace('plumbline=', ''))
  const second = await one.connect(bob, { client: app, browser: jar })
  expect(second.appId).not.toBe(first.appId)
  expect((await one.rest(second.access_token)).body.actsAs.userId).toBe(bob.userId)
  expect((await one.rest(first.access_token)).body.actsAs.userId).toBe(ann.userId)
})

test('signed out between yes and the code: no code, and a new question', async () => {
  const [ann, bob] = [await acme.person('editor'), await acme.person('editor')]
  for (const next of [undefined, bob]) {
    const { jar, uid } = await waiting(ann)
    const { body } = await ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes: ['read:risks'] })
    jar.remove('plumbline')
    if (next) jar.set('plumbline', (await one.browser(next)).cookiesFor('/').replace('plumbline=', ''))
    const response = await jar.fetch(body.returnTo)
    expect(uidOf(response)).not.toBe('')
    expect(uidOf(response)).not.toBe(uid)
  }
})

test('two tabs of one browser do not get in each other’s way', async () => {
  const jar = await one.browser(acme.admin)
  const [a, b] = [newRequest(one, client), newRequest(one, client, { scope: 'read:controls' })]
  const [first, second] = [uidOf(await begin(jar, a)), uidOf(await begin(jar, b))]
  for (const [uid, request] of [
    [second, b],
    [first, a],
  ] as const) {
    const { body } = await ask(one, jar, uid, 'approve', {
      organizationId: acme.id,
      scopes: ['read:risks', 'read:controls'],
    })
    const callback = await callbackOf(jar, body.returnTo)
    expect((await redeem(one, request, callback.searchParams.get('code')!)).status).toBe(200)
  }
})

test('a request is answered once', async () => {
  const yes = { organizationId: acme.id, scopes: ['read:risks'] }
  for (const [first, second] of [
    ['approve', 'deny'],
    ['approve', 'approve'],
    ['deny', 'approve'],
  ] as const) {
    const { jar, uid } = await waiting()
    const answer = (call: 'approve' | 'deny') => ask(one, jar, uid, call, call === 'approve' ? yes : {})
    const { body } = await answer(first)
    const again = await answer(second)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    const callback = await callbackOf(jar, body.returnTo)
    expect(callback.searchParams.has('code')).toBe(first === 'approve')
  }
})

test('of a yes and a no at one moment, one counts', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const { jar, uid } = await waiting()
    const yes = () => ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes: ['read:risks'] })
    const answers = await Promise.all([yes(), ask(one, jar, uid, 'deny', {}), yes()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { body } = answers.find(({ status }) => status === 200)!
    const callback = await callbackOf(jar, body.returnTo)
    expect(callback.searchParams.has('code')).toBe(answers[1]!.status === 409)
  }
})

test('a request belongs to the browser it came with', async () => {
  const { uid } = await waiting()
  const attacker = await one.browser(acme.admin)
  for (const [call, answer] of [
    ['request', {}],
    ['approve', { organizationId: acme.id, scopes: ['read:risks'] }],
    ['deny', {}],
  ] as const) {
    const { status, body } = await ask(one, attacker, uid, call, answer)
    expect([call, status, body.code]).toEqual([call, 404, 'not_found'])
  }
  // Nor does a cookie for one request open another.
  const { jar, uid: own } = await waiting()
  const cookies = jar.cookiesFor(`/consent/${own}`)
  const forged = await fetch(`${one.base}/consent/${uid}/request`, {
    method: 'POST',
    headers: { cookie: cookies, origin: one.base, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(forged.status).toBe(404)
})

test('yes is said by somebody who has just proved who they are, no by anybody', async () => {
  const { accountId, organizationId } = acme.admin
  const requestContext = { channel: 'ui', requestId: 'r' } as const
  const entrances: [object, object][] = [
    [{ method: 'password' }, {}],
    // Whom a provider vouches for can do it, too: by signing in once more.
    [{ method: 'provider', providerId: await addSilentProvider(one, acme.id) }, { signIn: true }],
  ]
  for (const [by, members] of entrances) {
    const signIn = async (): Promise<string> =>
      beginSession(one.service, requestContext, { accountId, organizationId, ...by } as never)
    const { jar, uid } = await waiting(null)
    jar.set('plumbline', await signIn())
    await one.moveClock(16 * 60_000)
    const yes = { organizationId, scopes: ['write:risks'] }
    const { status, body } = await ask(one, jar, uid, 'approve', yes)
    expect([status, body]).toMatchObject([403, { code: 'identity_unconfirmed', ...members }])
    expect(body.provider).toBeUndefined()
    expect((await ask(one, jar, uid, 'request')).status).toBe(200)
    jar.set('plumbline', await signIn())
    expect((await ask(one, jar, uid, 'approve', yes)).status).toBe(200)
  }
  const { jar, uid } = await waiting()
  await one.moveClock(16 * 60_000)
  expect((await ask(one, jar, uid, 'deny')).status).toBe(200)
})

test('any process takes up what another began', async () => {
  const other = await one.listen({ PUBLIC_URL: one.base })
  const { jar, uid, request } = await waiting()
  const approved = await jar.fetch(`${other.base}/consent/${uid}/approve`, {
    method: 'POST',
    headers: { origin: one.base, 'content-type': 'application/json' },
    body: JSON.stringify({ organizationId: acme.id, scopes: ['read:risks'] }),
  })
  const { returnTo } = (await approved.json()) as { returnTo: string }
  const callback = await callbackOf(jar, returnTo.replace(one.base, other.base))
  expect((await redeem(one, request, callback.searchParams.get('code')!)).status).toBe(200)
})

test('requests are short, and few of one address in a minute', async () => {
  const other = await one.listen({ PUBLIC_URL: one.base })
  const long = await other.send(null, 'GET', `/oauth/authorize?client_id=${'x'.repeat(9_000)}`)
  expect([long.status, long.body.code]).toEqual([400, 'malformed_request'])
  const statuses = []
  for (let n = 0; n < 151; n++)
    statuses.push((await other.send(null, 'GET', '/oauth/authorize?client_id=nobody')).status)
  expect(new Set(statuses.slice(0, 150))).toEqual(new Set([400]))
  expect(statuses[150]).toBe(429)
})

test('an answer can be used once, and in its browser', async () => {
  const { jar, uid } = await waiting()
  const { body } = await ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes: ['read:risks'] })
  const elsewhere = await (await one.browser(acme.admin)).fetch(body.returnTo)
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
  expect((await callbackOf(jar, body.returnTo)).searchParams.has('code')).toBe(true)
  const again = await jar.fetch(body.returnTo)
  expect([again.status, again.headers.get('location')]).toEqual([400, null])
  expect((await ask(one, jar, uid, 'request')).status).toBe(404)
})

test('no other site can answer, and no form', async () => {
  const { jar, uid } = await waiting()
  const answer = { organizationId: acme.id, scopes: ['read:risks'] }
  const tricks: [string, Record<string, string>, number][] = [
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['no origin that says so', { origin: 'null' }, 403],
    ['a subdomain', { origin: one.base.replace('localhost', 'evil.localhost') }, 403],
    ['cross-site by its own word', { 'sec-fetch-site': 'cross-site' }, 403],
    ['text that is JSON', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ]
  for (const [what, headers, status] of tricks)
    for (const call of ['request', 'approve', 'deny'] as const) {
      const reply = await ask(one, jar, uid, call, call === 'approve' ? answer : {}, headers)
      expect([what, call, reply.status]).toEqual([what, call, status])
    }
  expect((await ask(one, jar, uid, 'request')).status).toBe(200)
})

test('a request is over after an hour', async () => {
  const { jar, uid } = await waiting()
  await one.moveClock(3_601_000)
  expect((await ask(one, jar, uid, 'request')).status).toBe(404)
})

test('the name of a client hides and turns nothing round', async () => {
  const app = await one.register({
    client_name: ' \u202EedualC\u202C\u0007 \u200BAssistant\u2028 ',
    client_uri: 'http://plain.example.com/',
    redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/callback'],
  })
  const { jar, uid } = await waiting(acme.admin, {}, app)
  const { body } = await ask(one, jar, uid, 'request')
  expect(body.client).toMatchObject({
    name: 'edualC Assistant',
    uri: null,
    redirectHost: 'cursor://anysphere.cursor-retrieval',
    redirectIsLocal: true,
  })
})

test('an error is shown to the person where it cannot be told to a program', async () => {
  const response = await fetch(`${one.base}/oauth/authorize?client_id=nobody&response_type=code`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('Remove the connection in the app, and add it again.')
  expect(response.headers.get('content-security-policy')).toBe(ERROR_PAGE_POLICY)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('authorize works with what was asked for by the default of the client', async () => {
  const jar = await one.browser(acme.admin)
  const callback = await authorize(
    one,
    jar,
    newRequest(one, client, { resource: null, scope: null }),
    (asked) => ({
      organizationId: acme.id,
      scopes: requestedIn(asked),
    }),
  )
  expect(callback.searchParams.has('code')).toBe(true)
})
