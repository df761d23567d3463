import { auth } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import type { BrowserJar } from './support/browser-jar.ts'
import { ask, callbackOf, type OauthTest, startOauthTest, uidOf } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

/* The client that most agents are built on, from nothing but the address of the resource. */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

/** What an agent does with a 401 or 403: read the challenge, send the person off, come back with the code. */
async function connect(agent: Agent, jar: BrowserJar, challenge: string, grant?: string[]): Promise<void> {
  const of = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(challenge)![1]!
  const options = {
    serverUrl: one.resource,
    resourceMetadataUrl: new URL(of('resource_metadata')),
    scope: of('scope'),
  }
  expect(await auth(agent, { ...options, ...(agent.held ? { forceReauthorization: true } : {}) })).toBe(
    'REDIRECT',
  )
  const uid = uidOf(await jar.fetch(agent.sentTo!.href))
  const { body } = await ask(one, jar, uid, 'request')
  const requested = body.scopes.filter((one: { requested: boolean }) => one.requested)
  const scopes = grant ?? requested.map(({ scope }: { scope: string }) => scope)
  const approved = await ask(one, jar, uid, 'approve', { organizationId: acme.id, scopes })
  const { searchParams } = await callbackOf(jar, approved.body.returnTo)
  const [authorizationCode, iss] = [searchParams.get('code')!, searchParams.get('iss')!]
  expect(searchParams.get('state')).toBe('a-state')
  expect(await auth(agent, { ...options, authorizationCode, iss })).toBe('AUTHORIZED')
}

const call = (agent: Agent, method = 'GET', path = '/v1/risks', body?: unknown) =>
  one.door.send(agent.held?.access_token ?? null, method, path, body === undefined ? {} : { body })

test('401, discovery, registration, consent, call, 403 step-up, refresh', async () => {
  const agent = new Agent()
  const jar = await one.browser(acme.admin)
  const stranger = await call(agent)
  expect(stranger.status).toBe(401)
  await connect(agent, jar, stranger.headers['www-authenticate']!)
  expect(agent.information?.client_id).toMatch(/^client_/)
  expect(agent.held).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
  expect((await call(agent)).status).toBe(200)

  const refused = await call(agent, 'POST', '/v1/risks', { title: 'Found by an agent' })
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers['www-authenticate']).toContain('scope="write:risks"')
  const before = agent.held!.access_token
  const asked = [...agent.held!.scope!.split(' '), 'write:risks']
  await connect(agent, jar, refused.headers['www-authenticate']!, asked)
  expect((await call(agent, 'POST', '/v1/risks', { title: 'Found by an agent' })).status).toBe(201)
  expect((await one.rest(before)).status).toBe(200)

  const { refresh_token: spent } = agent.held!
  expect(await auth(agent, { serverUrl: one.resource })).toBe('AUTHORIZED')
  expect(agent.held!.refresh_token).not.toBe(spent)
  expect((await call(agent)).status).toBe(200)
})

test('an answer of another server is not taken for ours', async () => {
  const agent = new Agent()
  const stranger = await call(agent)
  const challenge = stranger.headers['www-authenticate']!
  const options = {
    serverUrl: one.resource,
    resourceMetadataUrl: new URL(/resource_metadata="([^"]+)"/.exec(challenge)![1]!),
  }
  expect(await auth(agent, options)).toBe('REDIRECT')
  for (const iss of ['https://evil.example', `${one.base}/`, undefined])
    await expect(
      auth(agent, { ...options, authorizationCode: 'x', ...(iss === undefined ? {} : { iss }) }),
    ).rejects.toThrow(/iss/i)
})

test('the documents say what clients look for', async () => {
  for (const [path, resource] of [
    ['', one.resource],
    ...['/v1/mcp', '/v1/mcp/', '/v1', '/v1/'].map((path) => [path, `${one.base}${path}`] as const),
  ] as const) {
    const response = await fetch(`${one.base}/.well-known/oauth-protected-resource${path}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [one.base],
      scopes_supported: expect.arrayContaining(['read:risks']),
      bearer_methods_supported: ['header'],
      resource_name: 'Plumbline',
      resource_documentation: `${one.base}/docs`,
    })
  }
  const documents = []
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    documents.push((await one.door.send(null, 'GET', `/.well-known/${name}`, { headers })).body)
  }
  expect(documents[0]).toEqual(documents[1])
  expect(documents[0]).toMatchObject({
    issuer: one.base,
    authorization_endpoint: `${one.base}/oauth/authorize`,
    token_endpoint: `${one.base}/oauth/token`,
    registration_endpoint: `${one.base}/oauth/register`,
    revocation_endpoint: `${one.base}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'client_secret_basic']),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: expect.arrayContaining(['read:risks', 'write:webhooks', 'offline_access']),
  })
  expect(JSON.stringify(documents[0])).not.toContain('evil')
  for (const name of ['userinfo_endpoint', 'end_session_endpoint', 'pushed_authorization_request_endpoint'])
    expect(documents[0]).not.toHaveProperty(name)
})
