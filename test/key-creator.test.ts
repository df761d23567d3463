import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../model/scopes.ts'
import { admitKey } from '../server/caller/admission.ts'
import type { Caller } from '../server/caller/caller.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

// A key acts as the admin who created it: its scopes AND the role of that person as it is now.

let one: TestService
let acme: TestOrganization
let creator: Caller
let secret: string

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  creator = await acme.person('admin')
  const { body } = await one.call(creator, 'createApiKey', { name: 'all', scopes: Object.keys(SCOPES) })
  secret = (body as { secret: string }).secret
})
afterAll(() => one.close())

const admit = async () => (await admitKey(one.service, secret, { channel: 'rest', requestId: 'r' })).caller
const change = (input: object) =>
  one.call(acme.admin, 'updateUser', { id: creator.userId, confirm: true, ...input })
const effective = async () =>
  ((await one.call(await admit(), 'getMe')).body as { effectiveScopes: string[] }).effectiveScopes

const LOST = [
  { role: 'admin', without: () => false },
  { role: 'editor', without: (scope: string) => scope.endsWith(':webhooks') },
  { role: 'viewer', without: (scope: string) => scope.endsWith(':webhooks') || scope.startsWith('write:') },
] as const

test.each(LOST)('while the creator is $role', async ({ role, without }) => {
  await change({ role })
  expect(await effective()).toEqual(Object.keys(SCOPES).filter((scope) => !without(scope)))
  const risk = one.call(await admit(), 'createRisk', { title: 'A risk' })
  if (role !== 'viewer') await risk
  else
    await expect(risk).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('The role of the person this credential acts as is now viewer'),
    })
  await one.call(await admit(), 'listRisks')
})

test('while the creator is disabled it does not validate, and afterwards it does', async () => {
  await change({ role: 'admin', status: 'disabled' })
  await expect(admit()).rejects.toMatchObject({ code: 'key_creator_inactive', status: 401 })
  const { body } = await one.call(acme.admin, 'listApiKeys')
  expect((body as { data: object[] }).data).toMatchObject([
    { state: 'active', createdBy: { active: false }, effectiveScopes: [] },
  ])
  await change({ status: 'active' })
  expect(await effective()).toHaveLength(25)
})

test('removed from the organization it is revoked, and stays so when the person is added again', async () => {
  await one.call(acme.admin, 'removeUser', { id: creator.userId, confirm: true })
  await expect(admit()).rejects.toMatchObject({ code: 'key_revoked' })
  await one.call(acme.admin, 'createUser', {
    email: `${creator.accountId}@example.com`,
    name: 'Back',
    role: 'editor',
  })
  await one.administrator.query("update members set status = 'active' where user_id = $1", [creator.userId])
  await expect(admit()).rejects.toMatchObject({ code: 'key_revoked' })
})

test('the key of a suspended organization does not validate', async () => {
  const other = await one.organization()
  const key = await other.key(['read:risks'])
  await one.administrator.query("update organizations set status = 'suspended' where id = $1", [other.id])
  await expect(admitKey(one.service, key.secret, { channel: 'rest', requestId: 'r' })).rejects.toMatchObject({
    code: 'key_creator_inactive',
  })
})
