import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webPathOf } from '../server/doors/web.ts'
import { operations, operationsBy } from '../server/operations.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/*
 * What another site can make a browser send: a form, a fetch without a preflight, a request with the cookie
 * but from another page. Every route of the web app's door refuses all of it, before it looks at the input.
 */
let one: TestService
let door: Door
let web: Web
const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  await createOrganization(one.service, { name: 'Acme', adminEmail: ADA.email, adminPassword: ADA.password })
  web = openWeb(door)
  await web.call('signIn', ADA)
})
afterAll(() => one.close())

const OWN = 'http://localhost:3000'
const FOREIGN: [string, Record<string, string>][] = [
  ['no origin', {}],
  ['another site', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another scheme', { origin: 'https://localhost:3000' }],
  ['an origin that begins alike', { origin: `${OWN}.evil.example` }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a page of a sibling host', { origin: OWN, 'sec-fetch-site': 'same-site' }],
  ['a page of another site that lies', { origin: OWN, 'sec-fetch-site': 'cross-site' }],
]
const paths = operations
  .filter(({ answers }) => answers !== 'redirect')
  .map((operation) => webPathOf(operation).replace('{uid}', 'x'))

describe.each(FOREIGN)('from %s', (_, headers) => {
  test('no route is open', async () => {
    for (const path of paths) {
      const reply = await door.send(null, 'POST', path, {
        body: {},
        headers: { cookie: web.cookie, ...headers },
      })
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'cross_site'])
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; application/json',
])('what a form can send (%s) is not read', async (type) => {
  for (const path of paths) {
    const reply = await door.send(null, 'POST', path, {
      body: '{}',
      headers: { cookie: web.cookie, origin: OWN, 'content-type': type },
    })
    expect([path, reply.status]).toEqual([path, 415])
  }
})

test('no other method reaches the door', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
    expect(
      (await door.send(null, method, '/web/signOut', { headers: { cookie: web.cookie, origin: OWN } }))
        .status,
    ).toBe(405)
  const overridden = await door.send(null, 'GET', '/web/signOut?_method=POST', {
    headers: { cookie: web.cookie, origin: OWN, 'x-http-method-override': 'POST' },
  })
  expect(overridden.status).toBe(405)
  expect((await web.call('getSession')).body.state).toBe('signed_in')
})

test('a cookie opens no door for programs, and a key none for the web app', async () => {
  const acme = await one.organization()
  const { secret } = await acme.key(['read:risks'])
  for (const { method, path } of operationsBy('credential')) {
    const reply = await door.send(null, method, path.replace(/\{\w+\}/g, 'x_1'), {
      headers: { cookie: web.cookie, origin: OWN },
    })
    expect([path, reply.status, reply.body.code]).toEqual([path, 401, 'credential_missing'])
  }
  const reply = await door.send(secret, 'POST', '/web/listRisks', { body: {}, headers: { origin: OWN } })
  expect([reply.status, reply.body.code]).toEqual([401, 'credential_missing'])
})

test('no answer lets another origin read it with credentials', async () => {
  const reply = await door.send(null, 'OPTIONS', '/web/signIn', {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  const { headers } = await web.call('getSession')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('two cookies of the name are none', async () => {
  const reply = await openWeb(door, undefined, `${web.cookie}; ${web.cookie}`).call('getSession')
  expect(reply.body.state).toBe('signed_out')
})

test('on https the cookies are for this host alone and never go in the clear', async () => {
  const secure = await one.listen({ PUBLIC_URL: 'https://plumbline.example.com' })
  const reply = await openWeb(secure).call('signIn', ADA)
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-plumbline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    expect.stringMatching(
      /^__Host-plumbline-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
    ),
  ])
})
