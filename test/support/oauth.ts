import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import { beginSession } from '../../server/identity/sessions.ts'
import type { ConsentRequest } from '../../server/oauth/consent.ts'
import { BrowserJar } from './browser-jar.ts'
import { type Door, openDoor, type Reply } from './door.ts'
import { freePort } from './free-port.ts'
import { startTestService, type TestService } from './service.ts'

/** A service with its authorization server at the address that it tells to clients. */
export interface OauthTest extends TestService {
  readonly door: Door
  /** Its issuer. */
  readonly base: string
  readonly resource: string
  /** A browser in which this person has just signed in; without one, nobody has. */
  browser(person?: Caller): Promise<BrowserJar>
  /** Registers a client as programs do; public, with one loopback redirect, unless told. */
  register(metadata?: object): Promise<TestClient>
  /** The whole way: request, consent, code, tokens. */
  connect(person: Caller, options?: ConnectOptions): Promise<Connected>
  /** Asks the token endpoint. */
  token(client: TestClient, form: Record<string, string>): Promise<Answer<TokenAnswer>>
  /** A REST call with a token. */
  rest(token: string, method?: string, path?: string, body?: unknown): Promise<Reply>
}

export interface TestClient {
  readonly id: string
  readonly secret?: string
  readonly redirect: string
}

export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
  readonly error_description?: string
}

/** An answer, its JSON read. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
export interface Answer<Body = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export async function answerOf<Body>(sent: Promise<Response>): Promise<Answer<Body>> {
  const response = await sent
  const text = await response.text()
  const body = text.startsWith('{') ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body }
}

export interface ConnectOptions {
  readonly client?: TestClient
  /** What the client asks for. */
  readonly scope?: string
  /** What the person leaves ticked; by default what was asked for. */
  readonly grant?: readonly string[]
  readonly organizationId?: string
  readonly browser?: BrowserJar
}

export interface Connected extends TokenAnswer {
  readonly client: TestClient
  readonly appId: string
}

export async function startOauthTest(environment: Record<string, string> = {}): Promise<OauthTest> {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const one = await startTestService({ PUBLIC_URL: base, ...environment })
  const door = await openDoor(one.service, undefined, port)
  const resource = `${base}/v1/mcp`

  const test: OauthTest = {
    ...one,
    door,
    base,
    resource,
    browser: async (person) => {
      const jar = new BrowserJar()
      if (person) jar.set('plumbline', await sessionFor(one, person))
      return jar
    },
    register: async (metadata = {}) => {
      const { status, body } = await answerOf<Registered>(
        fetch(`${base}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            client_name: 'Test app',
            redirect_uris: ['http://127.0.0.1:33418/callback'],
            token_endpoint_auth_method: 'none',
            ...metadata,
          }),
        }),
      )
      expect(status, JSON.stringify(body)).toBe(201)
      const secret = body.client_secret ? { secret: body.client_secret } : {}
      return { id: body.client_id, redirect: body.redirect_uris[0]!, ...secret }
    },
    connect: async (person, options = {}) => {
      const client = options.client ?? (await test.register())
      const jar = options.browser ?? (await test.browser(person))
      const request = newRequest(test, client, options.scope === undefined ? {} : { scope: options.scope })
      const callback = await authorize(test, jar, request, (asked) => ({
        organizationId: options.organizationId ?? asked.organizationId ?? person.organizationId,
        scopes: options.grant ?? asked.scopes.filter((one) => one.requested).map((one) => one.scope),
      }))
      const code = callback.searchParams.get('code')
      expect(code, callback.href).toBeTruthy()
      const { status, body } = await redeem(test, request, code!)
      expect(status, JSON.stringify(body)).toBe(200)
      const { rows } = await one.administrator.query(
        `select a.id from connected_apps a
           join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
          where a.client_id = $1 and m.account_id = $2 and a.revoked_at is null order by a.approved_at desc`,
        [client.id, person.accountId],
      )
      return { ...body, client, appId: rows[0].id }
    },
    token: (client, form) =>
      answerOf(
        fetch(`${base}/oauth/token`, {
          method: 'POST',
          headers: client.secret
            ? { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` }
            : {},
          body: new URLSearchParams({ ...(client.secret ? {} : { client_id: client.id }), ...form }),
        }),
      ),
    rest: (token, method = 'GET', path = '/v1/me', body) =>
      door.send(token, method, path, body === undefined ? {} : { body }),
    close: async () => {
      await door.close()
      await one.close()
    },
  }
  return test
}

interface Registered {
  client_id: string
  client_secret?: string
  redirect_uris: string[]
}

async function sessionFor({ service }: TestService, { accountId, organizationId }: Caller): Promise<string> {
  const requestContext = { channel: 'ui', requestId: randomUUID() } as const
  return beginSession(service, requestContext, { accountId, organizationId, method: 'password' })
}

/** An authorization request and what its client keeps for afterwards. */
export interface AuthorizationRequest {
  readonly url: string
  readonly client: TestClient
  readonly verifier: string
  readonly state: string
}

/** @param changes to the parameters; null leaves one out */
export function newRequest(
  { base, resource }: OauthTest,
  client: TestClient,
  changes: Record<string, string | null> = {},
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource,
    scope: 'read:risks',
    ...changes,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value)
  return { url: `${base}/oauth/authorize?${query}`, client, verifier, state }
}

/** Opens a request; @returns the path of the page that asks, or where an error led. */
export async function begin(jar: BrowserJar, { url }: AuthorizationRequest): Promise<Response> {
  return jar.fetch(url)
}

export const uidOf = (response: Response): string =>
  /^\/consent\/([\w-]+)$/.exec(response.headers.get('location') ?? '')?.[1] ?? ''

/** A call of the consent page. */
export function ask(
  { base }: OauthTest,
  jar: BrowserJar,
  uid: string,
  call: 'request' | 'approve' | 'deny',
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(
    jar.fetch(`${base}/consent/${uid}/${call}`, {
      method: 'POST',
      headers: { origin: base, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
}

/** From the request to the address the browser is sent back to. */
export async function authorize(
  one: OauthTest,
  jar: BrowserJar,
  request: AuthorizationRequest,
  answer: (asked: ConsentRequest) => { organizationId: string; scopes: readonly string[] },
): Promise<URL> {
  const opened = await begin(jar, request)
  const uid = uidOf(opened)
  expect(uid, `${opened.status} ${opened.headers.get('location')} ${await opened.text()}`).not.toBe('')
  const shown = await ask(one, jar, uid, 'request')
  expect(shown.status, JSON.stringify(shown.body)).toBe(200)
  const approved = await ask(one, jar, uid, 'approve', answer(shown.body))
  expect(approved.status, JSON.stringify(approved.body)).toBe(200)
  return callbackOf(jar, approved.body.returnTo)
}

/** Where the browser is sent back to from the authorization server. */
export async function callbackOf(jar: BrowserJar, returnTo: string): Promise<URL> {
  const response = await jar.fetch(returnTo)
  expect(response.status, await response.text()).toBe(303)
  return new URL(response.headers.get('location')!, returnTo)
}

/** Exchanges a code. */
export function redeem(
  one: OauthTest,
  { client, verifier }: AuthorizationRequest,
  code: string,
  changes: Record<string, string> = {},
): Promise<Answer<TokenAnswer>> {
  return one.token(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect,
    code_verifier: verifier,
    resource: one.resource,
    ...changes,
  })
}

/** Uses a refresh token. */
export const refresh = (one: OauthTest, client: TestClient, token: string) =>
  one.token(client, { grant_type: 'refresh_token', refresh_token: token })
