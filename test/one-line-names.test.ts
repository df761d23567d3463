/** Promise: what stands in a line of a list, a mail or a log is one line: line breaks and control characters are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OauthTest, startOauthTest } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

let one: OauthTest
let acme: TestOrganization
beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

const SIGNS = ['\n', '\r\n', '\r', '\t', '\u001b[31m', '\u0007', '\u0085', '\u2028', '\u2029']
const inputs = (name: string): [string, string, object][] => [
  ['createUser', 'name', { email: 'new@example.com', name, role: 'viewer' }],
  ['updateUser', 'name', { id: acme.admin.userId, name }],
  ['createApiKey', 'name', { name, scopes: ['read:risks'] }],
  ['updateOrganization', 'name', { name }],
  [
    'createWebhookEndpoint',
    'description',
    { address: 'https://example.com/', description: name, signalTypes: ['risk.created'] },
  ],
  ['createSavedView', 'name', { kind: 'risk', name, query: '' }],
  ['createFile', 'name', { name, bytes: 1, sha256: '0'.repeat(64) }],
  ['createPersonnel', 'fullName', { fullName: name, workEmail: 'p@example.com' }],
]

test.each(SIGNS.map((sign) => [JSON.stringify(sign), sign]))(
  '%s is refused in every name',
  async (_told, sign) => {
    for (const [operation, field, input] of inputs(`Two${sign}lines`)) {
      const refused = await one.call(acme.admin, operation, input).then(
        () => null,
        (error: { code: string; members: { errors?: { path: string }[] } }) => error,
      )
      expect([operation, refused?.code], operation).toEqual([operation, 'validation_failed'])
      expect(JSON.stringify(refused?.members), operation).toContain(field)
    }
  },
)

test('signs of other alphabets and emoji are taken', async () => {
  const name = 'Zoë Ångström 山田 👩‍💻'
  expect((await one.call(acme.admin, 'createApiKey', { name, scopes: ['read:risks'] })).status).toBe(201)
})
