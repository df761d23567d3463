import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitKey } from '../server/caller/admission.ts'
import { sessionOf } from '../server/caller/operator.ts'
import { createOrganization, findOrganization } from '../server/organization/organizations.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

interface Organization {
  id: string
  name: string
  version: number
  features: Record<string, boolean>
}

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: false })
})
afterAll(() => one.close())

const get = async (): Promise<Organization> => (await one.call(acme.admin, 'getOrganization')).body
const update = async (input: object): Promise<Organization> =>
  (await one.call(acme.admin, 'updateOrganization', input)).body

test('an organization is read by whoever may, and changed by an admin in person', async () => {
  for (const role of ['viewer', 'editor'] as const) {
    const person = await acme.person(role)
    expect((await one.call(person, 'getOrganization')).body).toEqual(await get())
    await expect(one.call(person, 'updateOrganization', { name: 'x' })).rejects.toMatchObject({
      code: 'capability_required',
    })
  }
  const { secret } = await acme.key(['read:organization'])
  const { caller } = await admitKey(one.service, secret, { channel: 'rest', requestId: 'r' })
  expect((await one.call(caller, 'getOrganization')).body).toEqual(await get())
  await expect(one.call(caller, 'updateOrganization', { name: 'x' })).rejects.toMatchObject({
    code: 'session_required',
  })
})

test('a change moves what is named, counts the version, and leaves an entry of what moved', async () => {
  const before = await get()
  const after = await update({
    country: 'AT',
    website: 'https://acme.example',
    features: { supplierRiskManagement: true },
  })
  expect(after).toMatchObject({
    country: 'AT',
    name: before.name,
    version: before.version + 1,
    features: { supplierRiskManagement: true },
  })
  expect(await get()).toEqual(after)
  expect(await update(after)).toEqual(after)
  expect(await update({ website: null })).toMatchObject({
    website: null,
    features: { supplierRiskManagement: true },
  })
  const { body } = await one.call(acme.admin, 'listAuditLog', { action: ['organization.update'] })
  expect((body as { data: unknown[] }).data).toMatchObject([
    { changes: { website: { from: 'https://acme.example', to: null } } },
    { changes: { country: { from: null, to: 'AT' }, features: { to: { supplierRiskManagement: true } } } },
  ])
})

test.each([
  { name: null },
  { name: '' },
  { country: 'Austria' },
  { timezone: 'Mars/Olympus' },
  { locale: '!' },
  { website: 'javascript:alert(1)' },
  { features: { flying: true } },
  { status: 'closed' },
  { nmae: 'x' },
])('%o is refused, and nothing is written', async (input) => {
  const before = await get()
  await expect(update(input)).rejects.toMatchObject({ code: 'validation_failed' })
  expect(await get()).toEqual(before)
})

test('a stale version is refused', async () => {
  const { version } = await get()
  await expect(update({ name: 'Late', ifMatch: version - 1 })).rejects.toMatchObject({
    code: 'version_mismatch',
    members: { version },
  })
})

test('a new organization has its first admin, who may do everything in it, and their entries', async () => {
  const made = await createOrganization(one.service, {
    name: 'Fresh',
    adminEmail: 'fay@example.com',
    adminPassword: 'a few plain words',
  })
  const fay = await sessionOf(one.service.database, made.organizationId, 'FAY@example.com')
  expect(fay).toMatchObject({ userId: made.userId, role: 'admin' })
  await one.call(fay, 'updateOrganization', { name: 'Fresher' })
  const { body } = await one.call(fay, 'listAuditLog')
  expect((body as { data: unknown[] }).data).toMatchObject([
    { action: 'organization.update', actor: { type: 'user', id: made.userId } },
    { action: 'user.create', actor: { type: 'operator', actingUserId: null }, subject: { id: made.userId } },
    { action: 'organization.create', subject: { id: made.organizationId } },
  ])
})

test('a known person becomes its admin with the password they have, and nobody else does', async () => {
  const given = { name: 'Second', adminEmail: 'fay@example.com' }
  await expect(
    createOrganization(one.service, { ...given, adminPassword: 'somebody else’s' }),
  ).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'adminPassword' }] },
  })
  await expect(findOrganization(one.service.database, 'Second')).rejects.toMatchObject({ code: 'not_found' })
  const first = await createOrganization(one.service, { ...given, adminPassword: 'a few plain words' })
  const second = await createOrganization(one.service, given)
  expect(second.accountId).toBe(first.accountId)
  expect(second.userId).not.toBe(first.userId)
  await expect(findOrganization(one.service.database, 'Second')).rejects.toMatchObject({ code: 'conflict' })
  expect(await findOrganization(one.service.database, second.organizationId)).toMatchObject({
    id: second.organizationId,
  })
})

test('a new person needs a password', async () => {
  await expect(
    createOrganization(one.service, { name: 'None', adminEmail: 'new@example.com' }),
  ).rejects.toMatchObject({
    members: { errors: [{ path: 'adminPassword' }] },
  })
})
