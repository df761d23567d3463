import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDue } from '../server/clock/clock.ts'
import { createClient, deleteClient, listClients } from '../server/oauth/preregistered.ts'
import { sweepOauth } from '../server/oauth/scheduled-tasks.ts'
import {
  answerOf,
  ask,
  authorize,
  begin,
  newRequest,
  type OauthTest,
  redeem,
  refresh,
  startOauthTest,
  uidOf,
} from './support/oauth.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import type { TestOrganization } from './support/service.ts'
import { loopbackSettings } from './support/webhooks.ts'

/* How programs make themselves known: by registration, by a document at their address, or by an operator. */

let one: OauthTest
let acme: TestOrganization
let settings: Awaited<ReturnType<typeof loopbackSettings>>

beforeAll(async () => {
  settings = await loopbackSettings()
  one = await startOauthTest({ ...settings.settings, TRUSTED_PROXIES: '127.0.0.1,::1' })
  acme = await one.organization()
})
afterAll(async () => {
  await one.close()
  settings.remove()
})

const register = (body: unknown, from = '203.0.113.7', headers: Record<string, string> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: whatever it answers
  answerOf<any>(
    fetch(`${one.base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

const sweep = () => runDue(one.service, [{ name: 'oauth', everyMinutes: 1, run: sweepOauth }])

describe('registration', () => {
  const PUBLIC = { redirect_uris: ['http://localhost:1234/cb'], token_endpoint_auth_method: 'none' }

  test('a client says who it is, and is answered with what was kept', async () => {
    const { status, body } = await register({ ...PUBLIC, client_name: 'Inspector', software_id: 'x' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^client_[0-9a-z]{26}$/),
      client_name: 'Inspector',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(body.client_secret).toBeUndefined()
    expect(body.registration_access_token).toBeUndefined()
  })

  test('a scope asked for at registration is no ceiling: a step-up goes beyond it', async () => {
    const { body } = await register({ ...PUBLIC, scope: 'read:risks something:else openid' })
    const client = { id: body.client_id, redirect: 'http://localhost:1234/cb' }
    await one.connect(acme.admin, { client, scope: 'read:risks' })
    const { scope } = await one.connect(acme.admin, { client, scope: 'read:risks write:risks' })
    expect(scope).toBe('read:risks write:risks')
  })

  test('addresses of programs on a desk are taken, whatever type they say', async () => {
    for (const redirect of [
      'cursor://a.b/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:8000/cb',
      'com.example.app:/cb',
    ])
      for (const type of [{}, { application_type: 'web' }, { application_type: 'native' }]) {
        const { status, body } = await register({
          ...PUBLIC,
          redirect_uris: [redirect, 'https://a.example/cb'],
          ...type,
        })
        expect([redirect, status, body.application_type]).toEqual([redirect, 201, 'native'])
      }
  })

  const AUTHORIZATION = ['authorization_code', 'refresh_token']
  const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

  test.each<[string, Record<string, unknown>, string]>([
    [
      'Visual Studio Code',
      {
        client_name: 'Visual Studio Code',
        client_uri: 'https://code.visualstudio.com',
        grant_types: [...AUTHORIZATION, DEVICE],
        response_types: ['code'],
        redirect_uris: [
          'https://insiders.vscode.dev/redirect',
          'https://vscode.dev/redirect',
          'http://localhost/',
          'http://127.0.0.1/',
          'http://localhost:33418/',
          'http://127.0.0.1:33418/',
        ],
        scope: 'read:data',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      'http://127.0.0.1:33418/',
    ],
    [
      'Cursor',
      {
        client_name: 'Cursor',
        redirect_uris: [
          'cursor://anysphere.cursor-mcp/oauth/callback',
          'https://www.cursor.com/agents/mcp/oauth/callback',
          'http://localhost:8787/callback',
        ],
        grant_types: AUTHORIZATION,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
    [
      'Claude',
      {
        client_name: 'Claude',
        client_uri: null,
        logo_uri: '',
        contacts: [],
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
        grant_types: AUTHORIZATION,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: null,
      },
      'https://claude.ai/api/mcp/auth_callback',
    ],
    [
      'mcp-remote',
      {
        client_name: 'MCP CLI Proxy',
        client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
        redirect_uris: ['http://localhost:3334/oauth/callback'],
        grant_types: AUTHORIZATION,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
        software_version: '0.1.29',
      },
      'http://localhost:3334/oauth/callback',
    ],
    [
      'MCP Inspector',
      {
        client_name: 'MCP Inspector',
        client_uri: 'https://github.com/modelcontextprotocol/inspector',
        redirect_uris: ['http://localhost:6274/oauth/callback'],
        grant_types: AUTHORIZATION,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: '',
      },
      'http://localhost:6274/oauth/callback',
    ],
  ])('%s registers as it does elsewhere, and connects', async (_name, sent, redirect) => {
    const { status, body } = await register(sent, '203.0.113.40')
    expect([status, body.error_description]).toEqual([201, undefined])
    expect(body).toMatchObject({
      client_name: sent.client_name,
      redirect_uris: sent.redirect_uris,
      grant_types: AUTHORIZATION,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    const { scope } = await one.connect(acme.admin, {
      client: { id: body.client_id, redirect },
      scope: 'read:risks',
    })
    expect(scope).toBe('read:risks')
  })

  test('types that are not supported are dropped, unless none is left', async () => {
    for (const [types, kept] of [
      [
        { grant_types: ['implicit', 'password', 'authorization_code'] },
        { grant_types: ['authorization_code'] },
      ],
      [{ grant_types: [DEVICE, 'refresh_token'] }, { grant_types: ['refresh_token', 'authorization_code'] }],
      [{ response_types: ['code', 'token', 'code id_token'] }, { response_types: ['code'] }],
      [
        { grant_types: [], response_types: null },
        { grant_types: AUTHORIZATION, response_types: ['code'] },
      ],
      [
        { grant_types: null, jwks_uri: null, tos_uri: '', nonsense: { a: 1 } },
        { grant_types: AUTHORIZATION },
      ],
    ]) {
      const { status, body } = await register({ ...PUBLIC, ...types }, '203.0.113.41')
      expect([types, status, body.error_description]).toEqual([types, 201, undefined])
      expect(body).toMatchObject(kept!)
      expect(body).not.toHaveProperty('nonsense')
    }
    for (const types of [
      { grant_types: [DEVICE, 'client_credentials'] },
      { response_types: ['token', 'id_token'] },
    ]) {
      const { status, body } = await register({ ...PUBLIC, ...types }, '203.0.113.41')
      expect([types, status, body.error]).toEqual([types, 400, 'invalid_client_metadata'])
      expect(body.error_description).toMatch(/must include (authorization_code|code)$/)
    }
  })

  test('what is no registration is refused, and too much of it', async () => {
    for (const [body, headers] of [
      ['{', {}],
      ['[]', {}],
      ['', {}],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
      [{ ...PUBLIC, jwks_uri: 'http://169.254.169.254/', token_endpoint_auth_method: 'private_key_jwt' }, {}],
    ] as const) {
      const reply = await register(body, '203.0.113.8', headers)
      expect([JSON.stringify(body), reply.status]).toEqual([JSON.stringify(body), 400])
      expect(reply.body.error).toMatch(/^invalid_/)
    }
    const large = await register({ ...PUBLIC, client_name: 'x'.repeat(17_000) }, '203.0.113.8')
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large'])
  })

  test('one address registers few in an hour; others are not held up', async () => {
    const from = '198.51.100.20'
    const statuses = []
    for (let n = 0; n < 22; n++) statuses.push((await register(PUBLIC, from)).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    const refused = await register(PUBLIC, from)
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '3600',
    ])
    expect((await register(PUBLIC, '198.51.100.21')).status).toBe(201)
    await one.moveClock(3_601_000)
    expect((await register(PUBLIC, from)).status).toBe(201)
  })

  test('a network keeps few that nobody agreed to, and a flood from many shuts nobody out', async () => {
    const clientsOf = async (network: string) => {
      const { rows } = await one.administrator.query(
        'select id from oauth_clients where network = $1 order by created_at',
        [network],
      )
      return rows.map(({ id }) => id as string)
    }
    const from = '198.51.100.30'
    for (let n = 0; n < 14; n++) expect((await register(PUBLIC, from)).status).toBe(201)
    await one.moveClock(3_601_000)
    const latest = await register(PUBLIC, from)
    const kept = await clientsOf(from)
    expect([kept.length, kept.at(-1)]).toEqual([11, latest.body.client_id])

    const ours = await register(PUBLIC, '203.0.113.200')
    await one.administrator.query(
      `insert into oauth_clients (id, registration, metadata, network, created_at)
       select 'client_flood' || n, 'dynamic', '{}',
              case when n % 2 = 0 then '2001:db8:1:' || to_hex(n) || '::/64' else '192.0.2.' || n % 256 end,
              clock_now() + interval '1 second'
         from generate_series(1, 10000) n`,
    )
    const another = await register(PUBLIC, '203.0.113.201')
    expect(another.status).toBe(201)
    for (const [{ body }, network] of [
      [ours, '203.0.113.200'],
      [another, '203.0.113.201'],
    ] as const)
      expect(await clientsOf(network)).toEqual([body.client_id])
    const { rows } = await one.administrator.query(
      "select count(*)::int as n from oauth_clients where id like 'client_flood%'",
    )
    expect(rows[0].n).toBe(9_900)
    await one.administrator.query("delete from oauth_clients where id like 'client_flood%'")
  })

  test('pages of other origins may register, and read what there is', async () => {
    const asked = await fetch(`${one.base}/oauth/register`, {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const answered = await register(PUBLIC, '203.0.113.9', { origin: 'https://inspector.example' })
    expect(answered.headers.get('access-control-allow-origin')).toBe('*')
    expect(answered.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a client that nobody agreed to in a day is forgotten, and one with an app never', async () => {
    const used = await one.register()
    const tokens = await one.connect(acme.admin, { client: used })
    const unused = await one.register()
    await one.moveClock(86_000_000)
    await sweep()
    expect(uidOf(await begin(await one.browser(acme.admin), newRequest(one, unused)))).not.toBe('')
    await one.moveClock(2_000_000)
    await sweep()
    const gone = await begin(await one.browser(acme.admin), newRequest(one, unused))
    expect([gone.status, await gone.text()]).toEqual([400, expect.stringContaining('invalid_client')])
    const unknown = await refresh(one, unused, 'x')
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
    await one.moveClock(20 * 86_400_000)
    await sweep()
    expect((await refresh(one, used, tokens.refresh_token)).status).toBe(200)
  })

  test('tokens and requests that are over are removed', async () => {
    await one.connect(acme.admin)
    await begin(await one.browser(acme.admin), newRequest(one, await one.register()))
    await one.moveClock(32 * 86_400_000)
    await sweep()
    const { rows } = await one.administrator.query(
      'select (select count(*)::int from oauth_tokens) as tokens, (select count(*)::int from oauth_states) as states',
    )
    expect(rows[0]).toEqual({ tokens: 0, states: 0 })
  })
})

describe('a document at the client’s address', () => {
  let host: Receiver
  let served: (path: string) => { status: number; headers?: Record<string, string>; body?: string }

  beforeAll(async () => {
    served = () => ({ status: 404 })
    host = await startReceiver({ behaviour: ({ path }) => served(path) })
  })
  afterAll(() => host.close())

  let drawn = 0
  /** A new address at which this document stands. */
  function documentAt(changes: object = {}, status = 200, headers: Record<string, string> = {}) {
    const id = `${host.url}/client-${++drawn}.json`
    const document = {
      client_id: id,
      client_name: 'Document app',
      client_uri: 'https://app.example.com/',
      redirect_uris: ['https://app.example.com/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...changes,
    }
    const before = served
    served = (path) =>
      id.endsWith(path)
        ? {
            status,
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(document),
          }
        : before(path)
    return { id, redirect: document.redirect_uris[0]! }
  }

  const opened = async (client: { id: string; redirect: string }) =>
    begin(await one.browser(acme.admin), newRequest(one, client))

  test('it is fetched, and the whole way goes', async () => {
    const client = documentAt()
    const jar = await one.browser(acme.admin)
    const uid = uidOf(await begin(jar, newRequest(one, client)))
    const { body } = await ask(one, jar, uid, 'request')
    expect(body.client).toEqual({
      name: 'Document app',
      uri: 'https://app.example.com/',
      redirectHost: 'app.example.com',
      redirectIsLocal: false,
      registration: 'metadata',
      clientId: client.id,
    })
    const tokens = await one.connect(acme.admin, { client })
    expect((await one.rest(tokens.access_token)).body.name).toBe('Document app')
    expect((await refresh(one, client, tokens.refresh_token)).status).toBe(200)
    expect(host.requests.filter(({ path }) => client.id.endsWith(path))).toHaveLength(1)
    const { rows } = await one.administrator.query('select from oauth_clients where id = $1', [client.id])
    expect(rows).toEqual([])
  })

  test('a document that is not what it must be is refused', async () => {
    const bad: [string, { id: string; redirect: string }][] = [
      ['another id', documentAt({ client_id: 'https://other.example.com/client.json' })],
      [
        'a secret in the open',
        documentAt({ client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' }),
      ],
      ['not found', documentAt({}, 404)],
      ['a redirect', documentAt({}, 302, { location: `${host.url}/client-1.json` })],
      ['too large', documentAt({ client_name: 'x'.repeat(6_000) })],
      ['a script as address', documentAt({ redirect_uris: ['javascript:alert(1)'] })],
    ]
    for (const [what, client] of bad) {
      const response = await opened(client)
      expect([what, response.status, response.headers.get('location')]).toEqual([what, 400, null])
      expect(await response.text()).toContain('invalid_')
    }
  })

  test('a client that signs with a key of its document is asked for it, and each signature counts once', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' }
    const keys = `${host.url}/keys.json`
    const others = served
    served = (path) =>
      path === '/keys.json' ? { status: 200, body: JSON.stringify({ keys: [jwk] }) } : others(path)
    const client = documentAt({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks_uri: keys,
    })
    const assertion = (key: KeyObject, changes: object = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: client.id,
        sub: client.id,
        aud: one.base,
        jti: randomUUID(),
        iat: now,
        exp: now + 60,
      }
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const text = `${part({ alg: 'ES256', kid: 'a' })}.${part({ ...claims, ...changes })}`
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    }
    const request = newRequest(one, client)
    const callback = await authorize(one, await one.browser(acme.admin), request, () => ({
      organizationId: acme.id,
      scopes: ['read:risks'],
    }))
    const redeemWith = (proof: Record<string, string>) =>
      redeem(one, request, callback.searchParams.get('code')!, proof)
    const signed = (text: string) => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: text,
    })
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    for (const proof of [
      {},
      signed(assertion(stranger)),
      signed(assertion(pair.privateKey, { aud: 'https://other.example' })),
      signed(assertion(pair.privateKey, { exp: 1 })),
    ])
      expect((await redeemWith(proof)).status).toBe(401)
    const proof = signed(assertion(pair.privateKey))
    const tokens = await redeemWith(proof)
    expect([tokens.status, tokens.body.error_description]).toEqual([200, undefined])
    const replayed = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token, ...proof }
    expect((await one.token(client, replayed)).status).toBe(401)
    const fresh = { ...replayed, ...signed(assertion(pair.privateKey)) }
    expect((await one.token(client, fresh)).status).toBe(200)
  })

  test('no address inside is asked, by number or by name', async () => {
    const strict = await startOauthTest()
    try {
      const { admin } = await strict.organization()
      const jar = await strict.browser(admin)
      const asked = host.requests.length
      for (const id of [
        `${host.url}/client.json`,
        `https://localhost:${host.port}/client.json`,
        'https://169.254.169.254/latest/meta-data',
        'https://[::1]/client.json',
        'https://10.0.0.1/client.json',
        'https://metadata.internal/client.json',
        'https://2130706433/client.json',
      ]) {
        const response = await begin(jar, newRequest(strict, { id, redirect: 'https://app.example.com/cb' }))
        expect([id, response.status]).toEqual([id, 400])
        // A request's own id may have any digits.
        const told = (await response.text()).replace(response.headers.get('request-id')!, '')
        expect(told).not.toMatch(/private|127|169\.254|resolve/)
      }
      expect(host.requests.length).toBe(asked)
    } finally {
      await strict.close()
    }
  })

  test('nobody makes us ask without end', async () => {
    const before = host.requests.length
    for (let n = 0; n < 60; n++)
      await fetch(`${one.base}/oauth/authorize?client_id=${encodeURIComponent(`${host.url}/none-${n}`)}`, {
        headers: { 'x-forwarded-for': '198.51.100.99' },
        redirect: 'manual',
      })
    expect(host.requests.length - before).toBe(30)
  })
})

describe('made by an operator', () => {
  test('public or with a secret, it goes the whole way, and ends with its client', async () => {
    const redirectUris = ['https://partner.example.com/cb']
    const made = await createClient(one.service, { name: 'Partner', redirectUris, confidential: true })
    expect(made.clientSecret).toMatch(/^[\w-]{43}$/)
    const client = { id: made.clientId, secret: made.clientSecret!, redirect: redirectUris[0]! }
    const tokens = await one.connect(acme.admin, { client })
    expect((await refresh(one, client, tokens.refresh_token)).status).toBe(200)
    expect(await listClients(one.service)).toEqual([
      {
        clientId: client.id,
        name: 'Partner',
        redirectUris,
        confidential: true,
        createdAt: expect.any(String),
        apps: 1,
      },
    ])
    const { rows } = await one.administrator.query('select oauth_clients::text as row from oauth_clients')
    for (const { row } of rows) {
      expect(row).not.toContain(client.secret)
      expect(row).not.toContain(createHash('sha256').update(client.secret).digest('hex'))
    }
    expect(await deleteClient(one.service, client.id)).toEqual({ ended: 1 })
    expect((await one.rest(tokens.access_token)).status).toBe(401)
    expect((await refresh(one, client, tokens.refresh_token)).status).toBe(401)
    await expect(deleteClient(one.service, client.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('an address that no client may have is refused', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'http://plain.example.com/cb',
      'nothing',
      'https://a.example/#b',
    ])
      await expect(
        createClient(one.service, { name: 'x', redirectUris: [uri], confidential: false }),
      ).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(
      createClient(one.service, { name: 'x', redirectUris: [], confidential: false }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
