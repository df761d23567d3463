import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectApp, issueToken } from './support/connected-app.ts'
import { callTool } from './support/mcp.ts'
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
import type { TestOrganization } from './support/service.ts'

/*
 * OWASP ASVS 5.0, 10.3 (resource server) and 10.4 (authorization server): each requirement of the levels 1 and 2
 * by its number, and those of level 3 that hold as well.
 */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

/** A code that has not been used, and what its client needs to use it. */
async function newCode(changes: Record<string, string | null> = {}, metadata: object = {}) {
  const client = await one.register(metadata)
  const request = newRequest(one, client, changes)
  const callback = await authorize(one, await one.browser(acme.admin), request, () => ({
    organizationId: acme.id,
    scopes: ['read:risks'],
  }))
  return { request, client, callback, code: callback.searchParams.get('code')! }
}

const works = async (token: string) => (await one.rest(token, 'GET', '/v1/risks')).status === 200

describe('10.3 resource server', () => {
  test('10.3.1 (L2) only tokens for this resource are taken', async () => {
    const app = await connectApp(one.administrator, acme.admin)
    const ours = await issueToken(one.administrator, app, { audience: one.resource })
    expect(await works(ours)).toBe(true)
    for (const audience of ['https://other.example.com/v1/mcp', one.base, `${one.resource}/`, '']) {
      const foreign = await issueToken(one.administrator, app, { audience })
      const { status, body } = await one.rest(foreign, 'GET', '/v1/risks')
      expect([audience, status, body.code]).toEqual([audience, 401, 'credential_invalid'])
      expect(body.detail).toContain(one.resource)
    }
  })

  test('10.3.1 (L2) a token for either name of this service is taken at both doors', async () => {
    for (const [asked, named, at] of [
      ['/v1', '/v1', '/v1'],
      ['/v1/', '/v1', '/v1'],
      ['/v1/', '/v1/', '/v1'],
      ['/v1/mcp/', '/v1/mcp', '/v1/mcp'],
      ['/v1/mcp', '/v1/mcp/', '/v1/mcp'],
    ] as const) {
      const { client, request, code } = await newCode({ resource: `${one.base}${asked}` })
      const resource = `${one.base}${named}`
      const { status, body } = await redeem(one, request, code, { resource })
      expect([asked, named, status, body.scope], JSON.stringify(body)).toEqual([
        asked,
        named,
        200,
        'read:risks',
      ])
      const { rows } = await one.administrator.query(
        `select audience from oauth_tokens where client_id = $1 and kind = 'AccessToken'`,
        [client.id],
      )
      expect(rows).toEqual([{ audience: `${one.base}${at}` }])
      expect(await works(body.access_token)).toBe(true)
      expect((await callTool(one.door, body.access_token, 'listRisks')).status).toBe(200)
      const again = await one.token(client, {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        resource,
      })
      expect([again.status, await works(again.body.access_token)]).toEqual([200, true])
    }
  })

  test('10.3.1 (L2) no token is issued for another resource', async () => {
    const { client } = await one.connect(acme.admin)
    for (const resource of ['https://other.example.com/v1/mcp', one.base, `${one.resource}/x`, 'risks']) {
      const opened = await begin(await one.browser(acme.admin), newRequest(one, client, { resource }))
      expect(new URL(opened.headers.get('location')!).searchParams.get('error')).toBe('invalid_target')
    }
    const { request, code } = await newCode()
    const { status, body } = await redeem(one, request, code, {
      resource: 'https://other.example.com/v1/mcp',
    })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
  })

  test('10.3.2 (L2) a scope that there is not is refused, and those of OpenID Connect are let be', async () => {
    const { client } = await one.connect(acme.admin)
    const errorOf = async (scope: string) => {
      const opened = await begin(await one.browser(acme.admin), newRequest(one, client, { scope }))
      return new URL(opened.headers.get('location')!, one.base).searchParams.get('error')
    }
    for (const scope of ['read:risks no:such', 'no:such', 'read:risk', 'openid *'])
      expect([scope, await errorOf(scope)]).toEqual([scope, 'invalid_scope'])
    for (const scope of ['openid profile read:risks', 'email', 'offline_access'])
      expect([scope, await errorOf(scope)]).toEqual([scope, null])
  })

  test('10.3.2 (L2) the scopes of the token and the person behind it decide', async () => {
    const viewer = await acme.person('viewer')
    const { access_token: token } = await one.connect(viewer, {
      scope: 'read:risks write:risks',
      grant: ['read:risks', 'write:risks'],
    })
    expect((await one.rest(token, 'GET', '/v1/risks')).status).toBe(200)
    const lacking = await one.rest(token, 'GET', '/v1/controls')
    expect([lacking.status, lacking.body.code]).toEqual([403, 'insufficient_scope'])
    const tooMuch = await one.rest(token, 'POST', '/v1/risks', { title: 'No' })
    expect([tooMuch.status, tooMuch.body.code]).toEqual([403, 'capability_required'])
    expect(tooMuch.headers['www-authenticate']).toBeUndefined()
  })

  test('10.3.3 (L2) the person is known by an id that nobody else ever gets', async () => {
    const { access_token: token } = await one.connect(acme.admin)
    await one.administrator.query("update users set email = 'another-' || email where id = $1", [
      acme.admin.accountId,
    ])
    expect((await one.rest(token)).body.actsAs.userId).toBe(acme.admin.userId)
  })

  test('10.3.4 (L2) what asks for a person who just proved themselves is closed to tokens', async () => {
    const { access_token: token } = await one.connect(acme.admin)
    for (const path of ['/v1/account/sessions', '/v1/account/connected-apps', '/v1/connected-apps']) {
      const { status, body } = await one.rest(token, 'GET', path)
      expect([path, status, body.code]).toEqual([path, 403, 'session_required'])
    }
  })
})

describe('10.4 authorization server', () => {
  test('10.4.1 (L1) a redirect address is one that was registered, to the letter', async () => {
    const web = await one.register({ redirect_uris: ['https://app.example.com/callback'] })
    const native = await one.register({ redirect_uris: ['http://127.0.0.1:33418/callback'] })
    const jar = await one.browser(acme.admin)
    const others = [
      [web, 'https://app.example.com/callback/'],
      [web, 'https://app.example.com/callback?x=1'],
      [web, 'https://app.example.com/Callback'],
      [web, 'https://app.example.com:8443/callback'],
      [web, 'https://app.example.com.evil.example/callback'],
      [web, 'https://app.example.com/callback/../other'],
      [web, 'http://app.example.com/callback'],
      [web, 'https://evil.example/'],
      [native, 'http://127.0.0.1:33418/other'],
      [native, 'http://127.0.0.1.evil.example:33418/callback'],
      [native, 'https://127.0.0.1:33418/callback'],
      [native, 'http://localhost:33418/callback'],
    ] as const
    for (const [client, redirect] of others) {
      const opened = await begin(jar, newRequest(one, { ...client, redirect }))
      expect([redirect, opened.status, opened.headers.get('location')]).toEqual([redirect, 400, null])
      expect(await opened.text()).toContain('invalid_redirect_uri')
    }
    const none = await begin(jar, newRequest(one, web, { redirect_uri: null }))
    expect([none.status, none.headers.get('location')]).toEqual([400, null])
    // RFC 8252 7.3: only the port of a loopback address is free.
    const opened = await begin(jar, newRequest(one, { ...native, redirect: 'http://127.0.0.1:5/callback' }))
    expect(uidOf(opened)).not.toBe('')
  })

  test('10.4.1 (L1) the code goes only to who comes with the same address', async () => {
    const { request, code } = await newCode()
    const { status, body } = await redeem(one, request, code, { redirect_uri: 'http://127.0.0.1:1/callback' })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  test('10.4.2 (L1) a code used twice is refused, and what it gave is ended', async () => {
    const { request, code } = await newCode()
    const first = await redeem(one, request, code)
    expect(await works(first.body.access_token)).toBe(true)
    const second = await redeem(one, request, code)
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
    expect(await works(first.body.access_token)).toBe(false)
    expect((await refresh(one, request.client, first.body.refresh_token)).status).toBe(400)
  })

  test('10.4.3 (L1, L3) a code is over after a minute', async () => {
    const { request, code } = await newCode()
    await one.moveClock(61_000)
    const { status, body } = await redeem(one, request, code)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  test('10.4.4 (L1) a client may do what it registered for, and nothing that is no more', async () => {
    const { request, code } = await newCode({}, { grant_types: ['authorization_code'] })
    const tokens = await redeem(one, request, code)
    expect([tokens.status, tokens.body.refresh_token]).toEqual([200, undefined])
    const client = await one.register()
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]) {
      const { status, body } = await one.token(client, { grant_type, username: 'a', password: 'b' })
      expect([grant_type, status, body.error]).toEqual([grant_type, 400, 'unsupported_grant_type'])
    }
    await one.connect(acme.admin, { client })
    const jar = await one.browser(acme.admin)
    for (const response_type of ['token', 'id_token', 'code id_token', 'none']) {
      const opened = await begin(jar, newRequest(one, client, { response_type, nonce: 'n' }))
      const at = new URL(opened.headers.get('location')!)
      const answer = new URLSearchParams(at.hash.slice(1) || at.search)
      expect(answer.get('error')).toMatch(/^(unsupported_response_type|invalid_request)$/)
      for (const name of ['code', 'access_token', 'id_token']) expect(answer.has(name)).toBe(false)
    }
  })

  test('10.4.5 (L1) a refresh token is spent by its use, and the family ends when it is used again', async () => {
    const first = await one.connect(acme.admin)
    const second = await refresh(one, first.client, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    await one.moveClock(31_000)
    const replayed = await refresh(one, first.client, first.refresh_token)
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(one, first.client, second.body.refresh_token)).status).toBe(400)
    for (const token of [first.access_token, second.body.access_token]) expect(await works(token)).toBe(false)
  })

  test('10.4.6 (L2) a code needs its proof key, and `plain` is none', async () => {
    const { client } = await one.connect(acme.admin)
    const jar = await one.browser(acme.admin)
    const verifier = randomBytes(32).toString('base64url')
    const refused: [string, Record<string, string | null>][] = [
      ['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
      ['no method', { code_challenge: verifier, code_challenge_method: null }],
      ['none at all', { code_challenge: null, code_challenge_method: null }],
      ['a method without a challenge', { code_challenge: null }],
      ['a challenge that is none', { code_challenge: 'short' }],
    ]
    for (const [what, changes] of refused) {
      const opened = await begin(jar, newRequest(one, client, changes))
      const error = new URL(opened.headers.get('location')!).searchParams.get('error')
      expect([what, error]).toEqual([what, 'invalid_request'])
    }
    const wrong = [
      randomBytes(32).toString('base64url'),
      '',
      // What was sent in the open is worth nothing.
      createHash('sha256').update('x').digest('base64url'),
    ]
    for (const code_verifier of wrong) {
      const { request, code } = await newCode()
      const { status, body } = await redeem(one, request, code, { code_verifier })
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
    const metadata = await (await fetch(`${one.base}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).toMatchObject({ code_challenge_methods_supported: ['S256'] })
  })

  test('10.4.7 (L2) who registers itself is checked, and a person is asked and warned', async () => {
    const bad = [
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['data:text/html,x'] },
      { redirect_uris: ['http://app.example.com/callback'] },
      { redirect_uris: ['https://app.example.com/#fragment'] },
      { redirect_uris: ['https://user:password@app.example.com/'] },
      { redirect_uris: [] },
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://app.example.com/${n}`) },
      { client_uri: 'javascript:alert(1)' },
      { client_name: 'x'.repeat(201) },
      { grant_types: ['password'] },
      { response_types: ['token'] },
    ]
    for (const metadata of bad) {
      const { status, body } = await answerOf<{ error: string }>(
        fetch(`${one.base}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            redirect_uris: ['https://app.example.com/callback'],
            token_endpoint_auth_method: 'none',
            ...metadata,
          }),
        }),
      )
      expect([JSON.stringify(metadata), status]).toEqual([JSON.stringify(metadata), 400])
      expect(body.error).toMatch(/^invalid_(redirect_uri|client_metadata)$/)
    }
    const client = await one.register({ client_name: 'Claude' })
    const jar = await one.browser(acme.admin)
    await one.connect(acme.admin, { client, browser: jar })
    // However often it was agreed to: the person is asked again, and told where the access goes.
    const opened = await begin(jar, newRequest(one, client))
    const { body } = await ask(one, jar, uidOf(opened), 'request')
    expect(body.client).toEqual({
      name: 'Claude',
      uri: null,
      redirectHost: '127.0.0.1',
      redirectIsLocal: true,
      registration: 'dynamic',
      clientId: client.id,
    })
    const silent = await begin(jar, newRequest(one, client, { prompt: 'none' }))
    expect(new URL(silent.headers.get('location')!).searchParams.get('error')).toBe('login_required')
  })

  test('10.4.8 (L2) refreshing goes on for thirty days at a time, and a year at most', async () => {
    const first = await one.connect(acme.admin)
    let token = first.refresh_token
    await one.moveClock(31 * DAY)
    expect((await refresh(one, first.client, token)).status).toBe(400)
    const again = await one.connect(acme.admin, { client: first.client })
    token = again.refresh_token
    for (let days = 0; days < 348; days += 29) {
      await one.moveClock(29 * DAY)
      const { status, body } = await refresh(one, first.client, token)
      expect([days, status]).toEqual([days, 200])
      token = body.refresh_token
    }
    await one.moveClock(18 * DAY)
    const late = await refresh(one, first.client, token)
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
  })

  test('10.4.9 (L2) the person ends the tokens of an app in the web app', async () => {
    const tokens = await one.connect(acme.admin)
    expect(await works(tokens.access_token)).toBe(true)
    await one.call(acme.admin, 'revokeMyConnectedApp', { id: tokens.appId })
    expect(await works(tokens.access_token)).toBe(false)
    expect((await refresh(one, tokens.client, tokens.refresh_token)).status).toBe(400)
  })

  test('10.4.10 (L2) a confidential client proves itself, wherever it asks', async () => {
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const { request, client, code } = await newCode({}, { token_endpoint_auth_method: method })
      const { secret, ...bare } = client
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirect,
        code_verifier: request.verifier,
      }
      const revoked = (as: Record<string, string>) =>
        fetch(`${one.base}/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ token: 'x', client_id: client.id, ...as }),
        })
      expect(secret).toMatch(/^[\w-]{86}$/)
      const unproven = await one.token(bare, form)
      expect([unproven.status, unproven.body.error]).toEqual([401, 'invalid_client'])
      const guessed = await one.token({ ...bare, secret: `${secret}x` }, form)
      expect([guessed.status, guessed.body.error]).toEqual([401, 'invalid_client'])
      expect((await revoked({})).status).toBe(401)
      const tokens = await one.token(client, form)
      expect([method, tokens.status]).toEqual([method, 200])
      expect((await refresh(one, bare, tokens.body.refresh_token)).status).toBe(401)
      expect((await refresh(one, client, tokens.body.refresh_token)).status).toBe(200)
    }
  })

  test('10.4.11 (L2) a client gets what was granted to it, and no more', async () => {
    const { scope, access_token } = await one.connect(acme.admin, {
      scope: 'read:risks write:risks read:webhooks',
      grant: ['read:risks'],
    })
    expect(scope).toBe('read:risks')
    expect((await one.rest(access_token)).body.scopes).toEqual(['read:risks'])
    const viewer = await acme.person('viewer')
    const capped = await one.connect(viewer, {
      scope: 'read:risks write:risks read:webhooks',
      grant: ['read:risks', 'write:risks', 'read:webhooks'],
    })
    expect(capped.scope).toBe('read:risks')
  })

  test('10.4.12 (L3) answers come in the query and nowhere else', async () => {
    const client = await one.register()
    const jar = await one.browser(acme.admin)
    for (const response_mode of ['fragment', 'form_post', 'web_message']) {
      const opened = await begin(jar, newRequest(one, client, { response_mode }))
      expect(uidOf(opened)).toBe('')
    }
  })
})

const DAY = 86_400_000
