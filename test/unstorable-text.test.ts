import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CALLBACK_PATH } from '../model/callback-path.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { PATHS } from '../server/doors/web-app.ts'
import { RESOURCE_METADATA } from '../server/doors/well-known.ts'
import { ROUTES } from '../server/oauth/routes.ts'
import { operations, operationsBy } from '../server/operations.ts'
import { coveredOperations, sample } from './support/coverage.ts'
import type { Reply } from './support/door.ts'
import { callTool } from './support/mcp.ts'
import { newRequest, type OauthTest, startOauthTest, type TestClient } from './support/oauth.ts'
import { bareOf, type Form, formOf, sampleOf } from './support/samples.ts'
import { openWebAs, type Web } from './support/web.ts'

/*
 * Text that PostgreSQL cannot hold, and encodings that are none, at every door and in everything it reads: refused
 * with a 4xx, and nothing is written. (Operations by REST and the web: bad-input.test.ts.)
 */

let one: OauthTest
let client: TestClient
let web: Web
let key: string

beforeAll(async () => {
  one = await startOauthTest()
  const acme = await one.organization({ supplierRiskManagement: true })
  client = await one.register({ token_endpoint_auth_method: 'client_secret_basic' })
  web = await openWebAs(one.door, acme.admin)
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
})
afterAll(() => one.close())

const TEXTS = ['a\u0000b', '\ud800', 'a\udfff']
/** As they may stand in an address or a form: the first is U+0000, the others decode to nothing. */
const ENCODED = ['%00', '%ED%A0%80', '%FF', '%C0%80', '%', '%zz', '%e']

/** Of these, what one place gets in a run. */
const encodedFor = (place: string) => sample(ENCODED, 3, place)

const written = async () =>
  (
    await one.administrator.query(`
    select (select count(*) from audit_entries where outcome = 'success') as acts, (select count(*) from oauth_clients) as clients,
           (select count(*) from oauth_states) as states, (select count(*) from oauth_tokens) as tokens,
           (select count(*) from risks) as risks`)
  ).rows[0]

/** Nothing is written for any of them. */
async function refused(all: readonly [string, () => Promise<Reply>][]): Promise<void> {
  const before = await written()
  for (const [what, send] of all) {
    const { status, text } = await send()
    expect([400, 401, 404, 422], `${what}: ${status} ${text.slice(0, 300)}`).toContain(status)
  }
  expect(await written()).toEqual(before)
}

const get = (path: string) => one.door.send(key, 'GET', path)
const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  one.door.send(null, 'POST', path, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('in addresses', () => {
  const ofOperations = coveredOperations(operationsBy('credential'))
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/\{\w+\}/g, 'x'))
  const others = [
    ...PATHS.map((path) => path.replace(/\$\w*/g, 'x')),
    ...[ROUTES.authorization, `${ROUTES.authorization}/x`, ROUTES.jwks, RESOURCE_METADATA],
    ...['/docs', '/docs/x', '/v1/openapi.json', '/healthz', '/readyz', '/built/x', '/v1/mcp', '/nowhere'],
  ]

  test('of whatever can be got', async () => {
    for (const path of [...ofOperations, ...others])
      for (const wrong of encodedFor(path))
        for (const address of [`${path}?a=${wrong}`, `${path}?${wrong}=a`, `${path}/${wrong}`]) {
          const { status, text } = await get(address)
          expect([400, 422], `${address}: ${status} ${text.slice(0, 200)}`).toContain(status)
          if (wrong !== '%00') expect(status, address).toBe(400)
        }
  })

  // A person sits there, whatever stands in the address they came back with.
  test('of the way back from a sign-in provider, which leads to a page', async () => {
    for (const wrong of ENCODED) {
      for (const query of [`a=${wrong}`, `${wrong}=a`]) {
        const { status, headers } = await get(`${CALLBACK_PATH}?${query}`)
        expect([query, status, headers.location]).toEqual([
          query,
          303,
          expect.stringMatching(/\/sign-in#error=expired$/),
        ])
      }
      expect([400, 422]).toContain((await get(`${CALLBACK_PATH}/${wrong}`)).status)
    }
  })

  test('with what is at fault named', async () => {
    for (const [address, path] of [
      ['/v1/risks?q=%00', 'q'],
      ['/v1/risks?limit=5&status=a&status=%00b', 'status'],
      ['/v1/risks/a%00b', 'id'],
      ['/v1/risks?a%00b=1', '(query)'],
      ['/nowhere/%00', '(path)'],
    ] as const)
      expect([address, (await get(address)).body.errors?.[0].path]).toEqual([address, path])
    expect((await get('/v1/risks?limit=5&q=%FF')).body.detail).toContain('The parameter q ')
    expect((await get('/v1/risks?%FF=1')).body.detail).toContain('name of a parameter')
  })

  test('of whatever is posted to', async () => {
    const posts = [
      ROUTES.token,
      ROUTES.revocation,
      ROUTES.registration,
      '/v1/risks',
      '/v1/mcp',
      '/web/signIn',
    ]
    await refused(
      posts.flatMap((path) =>
        ENCODED.map((wrong): [string, () => Promise<Reply>] => [
          `${path} ${wrong}`,
          () => form(`${path}?a=${wrong}`, 'a=b'),
        ]),
      ),
    )
  })
})

describe('in what programs send to be let in', () => {
  test('each parameter of a request', async () => {
    const address = new URL(newRequest(one, client).url)
    await refused(
      [...address.searchParams.keys(), 'prompt', 'nonce', 'login_hint', 'claims'].flatMap((name) =>
        encodedFor(name).map((wrong): [string, () => Promise<Reply>] => {
          const other = new URLSearchParams(address.searchParams)
          other.delete(name)
          return [`${name} ${wrong}`, () => get(`${ROUTES.authorization}?${other}&${name}=${wrong}`)]
        }),
      ),
    )
  })

  const FIELDS: Record<string, string> = {
    grant_type: 'authorization_code',
    code: 'x',
    redirect_uri: 'http://127.0.0.1:33418/callback',
    code_verifier: 'x'.repeat(43),
    refresh_token: 'x',
    scope: 'read:risks',
    resource: 'x',
    token: 'x',
    token_type_hint: 'access_token',
    client_id: 'x',
    client_secret: 'x',
    client_assertion_type: 'x',
    client_assertion: 'x',
  }

  test('each field of the forms for tokens and their end', async () => {
    await refused(
      [ROUTES.token, ROUTES.revocation].flatMap((path) =>
        Object.keys(FIELDS).flatMap((name) =>
          encodedFor(`${path} ${name}`).flatMap((wrong) =>
            ['authorization_code', 'refresh_token'].map((type): [string, () => Promise<Reply>] => {
              const others = { ...FIELDS, grant_type: type } as Record<string, string>
              delete others[name]
              return [
                `${path} ${name} ${wrong}`,
                () => form(path, `${new URLSearchParams(others)}&${name}=${wrong}`),
              ]
            }),
          ),
        ),
      ),
    )
  })

  test('who they are, in a header or an assertion', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const assertion = (sub: string) =>
      ['{"alg":"HS256"}', JSON.stringify({ sub, iss: sub, aud: one.base, exp: 2e9, jti: sub }), 'x']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.')
    await refused(
      [ROUTES.token, ROUTES.revocation].flatMap((path) => [
        ...[...ENCODED, ...TEXTS].flatMap((wrong): [string, () => Promise<Reply>][] => [
          [`name ${wrong}`, () => form(path, 'grant_type=refresh_token&token=x', basic(`${wrong}:x`))],
          [
            `secret ${wrong}`,
            () => form(path, 'grant_type=refresh_token&token=x', basic(`${client.id}:${wrong}`)),
          ],
        ]),
        ...TEXTS.map((wrong): [string, () => Promise<Reply>] => [
          `assertion ${JSON.stringify(wrong)}`,
          () =>
            form(
              path,
              `${new URLSearchParams({
                grant_type: 'refresh_token',
                token: 'x',
                client_assertion: assertion(wrong),
                client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
              })}`,
            ),
        ]),
      ]),
    )
  })

  test('each member of a registration, and its name', async () => {
    const good = { redirect_uris: ['http://127.0.0.1:33418/callback'], token_endpoint_auth_method: 'none' }
    const members = ['client_name', 'client_uri', 'logo_uri', 'scope', 'software_id', 'policy_uri', 'tos_uri']
    const lists = ['redirect_uris', 'contacts', 'grant_types', 'response_types']
    const bodies = TEXTS.flatMap((wrong) => [
      ...members.map((name) => ({ ...good, [name]: wrong })),
      ...lists.map((name) => ({ ...good, [name]: [wrong] })),
      { ...good, [wrong]: 'x' },
      { ...good, jwks: { keys: [{ kid: wrong }] } },
    ])
    await refused([
      ...bodies.map((body): [string, () => Promise<Reply>] => [
        JSON.stringify(body),
        () => one.door.send(null, 'POST', ROUTES.registration, { body }),
      ]),
      [
        'not UTF-8',
        () =>
          one.door.send(null, 'POST', ROUTES.registration, {
            body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
            headers: { 'content-type': 'application/json' },
          }),
      ],
    ])
  })

  test('what is well formed still passes', async () => {
    expect((await one.register({ client_name: 'Ünïcode 👩‍👩‍👧 %00' })).id).toBeTruthy()
    const { status, body } = await one.token(client, { grant_type: 'refresh_token', refresh_token: 'a+b%2B' })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })
})

test('in what a browser sends to sign in and to agree', async () => {
  const forBrowsers = operations.filter(({ by, answers }) => by !== 'credential' && answers !== 'redirect')
  const texts = forBrowsers.flatMap((operation) => {
    const input = sampleOf(operation)
    const path = operation.path.replace('{uid}', 'x')
    return textsIn(formOf(operation)).map((name) => ({ path, input, name }))
  })
  expect(texts.length).toBeGreaterThan(18)
  const headers = { origin: one.base, cookie: web.cookie }
  await refused(
    texts.flatMap(({ path, input, name }) =>
      TEXTS.map((wrong): [string, () => Promise<Reply>] => [
        `${path} ${name}`,
        () => one.door.send(null, 'POST', path, { body: { ...input, [name]: wrong }, headers }),
      ]),
    ),
  )
})

test('in what an agent sends', async () => {
  const messages = TEXTS.flatMap((wrong) => [
    { method: wrong, params: {} },
    { method: 'tools/call', params: { name: wrong, arguments: {} } },
    { method: 'tools/call', params: { name: 'listRisks', arguments: {}, _meta: { [wrong]: wrong } } },
    { method: 'initialize', params: { protocolVersion: wrong, clientInfo: { name: wrong, version: wrong } } },
  ])
  await refused(
    messages.map((message): [string, () => Promise<Reply>] => [
      JSON.stringify(message),
      () =>
        one.door.send(key, 'POST', '/v1/mcp', {
          body: { jsonrpc: '2.0', id: 1, ...message },
          headers: { accept: 'application/json, text/event-stream' },
        }),
    ]),
  )
  for (const wrong of TEXTS)
    for (const input of [{ q: wrong }, { [wrong]: 1 }, { labels: [wrong] }])
      expect((await callTool(one.door, key, 'listRisks', input)).problem).toMatchObject({ status: 422 })
})

test('odd bytes in headers are never a fault of ours', async () => {
  const odd = ['\u0080\u00ff', '%00', '"', '\\u0000', 'a\tb', ' '.repeat(10), 'é'.repeat(4_000)]
  const names = ['user-agent', 'cookie', 'accept', 'accept-language', 'x-forwarded-for', 'referer', 'origin']
  names.push(
    'authorization',
    'if-match',
    'idempotency-key',
    'content-type',
    'mcp-protocol-version',
    'accept-encoding',
  )
  const paths = ['/v1/risks', '/v1/mcp', '/web/signIn', ROUTES.token, ROUTES.registration, '/consent/x/deny']
  for (const name of names)
    for (const value of odd)
      for (const path of [...paths, new URL(newRequest(one, client).url).pathname]) {
        const method = path === ROUTES.authorization ? 'GET' : 'POST'
        const sent = { headers: { [name]: value }, ...(method === 'POST' ? { body: '{"title":"a"}' } : {}) }
        const { status, text } = await one.door.send(
          name === 'authorization' ? null : key,
          method,
          path,
          sent,
        )
        expect(status, `${path} ${name} ${value.slice(0, 20)}: ${text.slice(0, 200)}`).toBeLessThan(500)
      }
})

const textsIn = ({ properties = {} }: Form): string[] =>
  Object.entries(properties).flatMap(([name, form]) => (bareOf(form).type === 'string' ? [name] : []))
