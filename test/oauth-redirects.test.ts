import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../server/oauth/preregistered.ts'
import type { BrowserJar } from './support/browser-jar.ts'
import { ask, begin, callbackOf, newRequest, type OauthTest, startOauthTest, uidOf } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

/*
 * Anybody may register a client with any address, so what is asked for it takes nobody's browser there before they
 * have agreed to it.
 */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

/** Requests that cannot be answered by asking a person. */
const FAILING: Record<string, string | null>[] = [
  { prompt: 'none' },
  { prompt: 'none', response_mode: 'form_post' },
  { prompt: 'none', response_mode: 'fragment' },
  { prompt: 'no such' },
  { response_type: 'token' },
  { response_type: 'none' },
  { response_type: null },
  { response_type: 'code', response_mode: 'no such' },
  { scope: 'read:risks read:risks,no-such' },
  { code_challenge: null },
  { code_challenge_method: 'plain' },
  { resource: 'https://elsewhere.example' },
  { request: 'e30.e30.' },
  { request_uri: 'https://elsewhere.example/request' },
  { registration: '{}' },
]

const answersOf = (jar: BrowserJar, client: Awaited<ReturnType<OauthTest['register']>>) =>
  Promise.all(
    FAILING.map(async (changes) => {
      const response = await begin(jar, newRequest(one, client, changes))
      return {
        changes,
        status: response.status,
        to: response.headers.get('location'),
        text: await response.text(),
      }
    }),
  )

test('no error of a request leads to a client that the person has not agreed to', async () => {
  const redirect = 'https://stranger.example/landing'
  const client = await one.register({ redirect_uris: [redirect] })
  for (const jar of [await one.browser(), await one.browser(acme.admin)])
    for (const { changes, status, to, text } of await answersOf(jar, client)) {
      if (to?.startsWith('/consent/')) continue
      expect([changes, status, to]).toEqual([changes, 400, null])
      expect(text).toContain('The app could not be connected')
      expect(text).not.toContain('stranger.example')
      // None of the library's own words.
      expect(text).not.toMatch(/PKCE|policy|parameter|requested/i)
    }
})

test('who has agreed to the client is sent back to it with the error, and to no other address', async () => {
  const client = await one.register()
  await one.connect(acme.admin, { client })
  const jar = await one.browser(acme.admin)
  const silent = await begin(jar, newRequest(one, client, { prompt: 'none' }))
  expect(silent.headers.get('location')).toContain(`${client.redirect}?error=`)
  const colleague = await one.browser(await acme.person('viewer'))
  expect((await begin(colleague, newRequest(one, client, { prompt: 'none' }))).status).toBe(400)
  const apps = (await one.call(acme.admin, 'listMyConnectedApps')).body as { data: { id: string }[] }
  for (const { id } of apps.data) await one.call(acme.admin, 'revokeMyConnectedApp', { id })
  expect((await begin(jar, newRequest(one, client, { prompt: 'none' }))).status).toBe(400)
})

test('a client that an operator made is told its errors', async () => {
  const { clientId: id } = await createClient(one.service, {
    name: 'Ours',
    redirectUris: ['https://ours.example/callback'],
    confidential: false,
  })
  const client = { id, redirect: 'https://ours.example/callback' }
  const silent = await begin(await one.browser(), newRequest(one, client, { prompt: 'none' }))
  expect(silent.headers.get('location')).toContain('https://ours.example/callback?error=login_required')
})

test('a person who says no on the page that names the address is sent back', async () => {
  const client = await one.register()
  const jar = await one.browser(acme.admin)
  const uid = uidOf(await begin(jar, newRequest(one, client)))
  const { body } = await ask(one, jar, uid, 'deny')
  expect((await callbackOf(jar, body.returnTo)).searchParams.get('error')).toBe('access_denied')
})
