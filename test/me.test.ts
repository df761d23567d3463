import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitKey } from '../server/caller/admission.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService({ RATE_LIMIT: '500/10m' })
  acme = await one.organization()
})
afterAll(() => one.close())

test('a key learns what it is, where it reaches, and what is left of its scopes', async () => {
  const creator = await acme.person('editor')
  const { id, secret } = await acme.key(['read:risks', 'read:webhooks'], creator)
  const { caller } = await admitKey(one.service, secret, { channel: 'rest', requestId: 'r' })
  expect((await one.call(caller, 'getMe')).body).toMatchObject({
    type: 'api_key',
    id,
    prefix: secret.slice(0, 16),
    expiresAt: null,
    organization: { id: acme.id },
    actsAs: { userId: creator.userId },
    role: 'editor',
    scopes: ['read:risks', 'read:webhooks'],
    effectiveScopes: ['read:risks'],
    capabilities: [],
    rateLimit: { calls: 500, windowSeconds: 600 },
  })
})

test('a person learns their role and what it allows', async () => {
  expect((await one.call(acme.admin, 'getMe')).body).toMatchObject({
    type: 'session',
    actsAs: { userId: acme.admin.userId },
    role: 'admin',
    capabilities: ['settings.manage'],
    rateLimit: null,
  })
})
