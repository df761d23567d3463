import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OauthTest, refresh, startOauthTest } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

/* The whole way of a program that a person lets in, and what each of its parts promises. */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

test('a person lets a program in, and it calls', async () => {
  const tokens = await one.connect(acme.admin, { scope: 'read:risks write:risks' })
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read:risks write:risks' })
  const me = await one.rest(tokens.access_token)
  expect([me.status, me.body]).toEqual([
    200,
    expect.objectContaining({
      type: 'oauth_token',
      id: tokens.appId,
      name: 'Test app',
      role: 'admin',
      scopes: ['read:risks', 'write:risks'],
      effectiveScopes: ['read:risks', 'write:risks'],
      actsAs: { userId: acme.admin.userId, name: acme.admin.credential.name },
    }),
  ])
  const made = await one.rest(tokens.access_token, 'POST', '/v1/risks', { title: 'By an app' })
  expect([made.status, made.body.createdBy]).toEqual([
    201,
    { type: 'oauth_client', id: tokens.appId, displayName: 'Test app' },
  ])
  const refused = await one.rest(tokens.access_token, 'GET', '/v1/controls')
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  const again = await refresh(one, tokens.client, tokens.refresh_token)
  expect(again.status).toBe(200)
})
