import { afterAll, beforeAll, expect, test } from 'vitest'
import { FORM_SCOPES, type Scope } from '../model/scopes.ts'
import { admitKey } from '../server/caller/admission.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

interface Principal {
  type: string
  refId: string
  displayName: string
  email?: string
  jobTitle?: string
}

let one: TestService
let acme: TestOrganization
let linked: { user: string; personnel: string }
let former: string
let disabled: string

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  const [user, gone, away] = [
    await acme.person('editor'),
    await acme.person('viewer'),
    await acme.person('viewer'),
  ]
  const add = async (fullName: string, more: object = {}): Promise<string> => {
    const workEmail = `${fullName.split(' ')[0]?.toLowerCase()}@example.com`
    const { body } = await one.call(acme.admin, 'createPersonnel', { fullName, workEmail, ...more })
    return (body as { id: string }).id
  }
  linked = { user: user.userId, personnel: await add('Bo Lind', { userId: user.userId, jobTitle: 'CISO' }) }
  await add('Ada Unlinked')
  former = await add('Cy Former', { status: 'former' })
  disabled = away.userId
  await one.call(acme.admin, 'updateUser', { id: disabled, status: 'disabled' })
  await one.call(acme.admin, 'removeUser', { id: gone.userId })
})
afterAll(() => one.close())

const list = async (scopes: Scope[], input: object = {}): Promise<Principal[]> => {
  const { secret } = await acme.key(scopes)
  const { caller } = await admitKey(one.service, secret, { channel: 'rest', requestId: 'r' })
  return ((await one.call(caller, 'listOwnershipPrincipals', input)).body as { data: Principal[] }).data
}
const ids = (rows: Principal[]) => rows.map(({ refId }) => refId)

const reads = ['read:users', 'read:personnel']
const opening = [...reads, ...Object.keys(FORM_SCOPES).filter((name) => name.startsWith('write:'))] as Scope[]

test.each(opening)('%s alone opens it', async (scope) => {
  expect(await list([scope])).toHaveLength(4)
})

test('no other scope does', async () => {
  const others = Object.keys(FORM_SCOPES).filter((name) => !opening.includes(name as Scope)) as Scope[]
  await expect(list([...others, 'read:webhooks', 'write:webhooks'])).rejects.toMatchObject({
    code: 'insufficient_scope',
    members: { required: opening },
  })
})

test('a linked pair name each other', async () => {
  const rows = await list(['write:risks'])
  expect(rows.find(({ refId }) => refId === linked.user)).toMatchObject({
    linkedPersonnelId: linked.personnel,
  })
  expect(rows.find(({ refId }) => refId === linked.personnel)).toMatchObject({ linkedUserId: linked.user })
})

test('e-mail and job title need the scope that reads them', async () => {
  const shape = (rows: Principal[]) =>
    Object.fromEntries(rows.map((row) => [row.type, ['email', 'jobTitle'].filter((field) => field in row)]))
  expect(shape(await list(['write:risks']))).toEqual({ user: [], personnel: [] })
  expect(shape(await list(['read:users']))).toEqual({ user: ['email'], personnel: [] })
  expect(shape(await list(['read:personnel']))).toEqual({ user: [], personnel: ['email', 'jobTitle'] })
  // What may not be read may not be found either.
  expect(await list(['write:risks'], { q: '@example.com' })).toEqual([])
  expect(await list(['read:personnel'], { q: 'bo@EXAMPLE' })).toMatchObject([
    { jobTitle: 'CISO', email: 'bo@example.com' },
  ])
})

test('who can no longer own is asked for by itself, and who was removed is nobody', async () => {
  expect(ids(await list(['write:risks'], { active: false })).sort()).toEqual([former, disabled].sort())
})

test('the list is filtered by type and name, and paged in the order of names', async () => {
  const people = await list(['write:risks'], { type: 'personnel' })
  expect(people.map(({ displayName }) => displayName)).toEqual(['Ada Unlinked', 'Bo Lind'])
  expect(ids(await list(['write:risks'], { q: 'lind' }))).toEqual([linked.personnel])
  const all = await list(['write:risks'])
  const paged: Principal[] = []
  let cursor: string | null = null
  do {
    const { body } = await one.call(acme.admin, 'listOwnershipPrincipals', {
      limit: 1,
      ...(cursor ? { cursor } : {}),
    })
    const page = body as { data: Principal[]; nextCursor: string | null }
    paged.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(ids(paged)).toEqual(ids(all))
})

test('everybody listed can be made owner, and another organization lists none of them', async () => {
  for (const { type, refId } of await list(['write:risks']))
    await one.call(acme.admin, 'createRisk', { title: 'Owned', owner: { type, refId } })
  const other = await one.organization()
  const { body } = await one.call(other.admin, 'listOwnershipPrincipals')
  expect(ids((body as { data: Principal[] }).data)).toEqual([other.admin.userId])
})

test('whoever sends the id of an owner is told which field names them', async () => {
  const { body } = await one.call(acme.admin, 'createRisk', { title: 'Owned' })
  const change = { id: (body as { id: string }).id, ownerId: linked.user }
  await expect(one.call(acme.admin, 'updateRisk', change)).rejects.toMatchObject({
    code: 'validation_failed',
    members: {
      errors: [{ path: 'ownerId', message: expect.stringContaining('send that, as { type, refId }') }],
    },
  })
})
