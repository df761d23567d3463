import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitKey } from '../server/caller/admission.ts'
import { settleDenied } from '../server/journal/denied.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

interface Entry {
  id: string
  time: string
  action: string
  outcome: string
  subject: { id: string }
}

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const list = async (input: object = {}, by = acme.admin) =>
  (await one.call(by, 'listAuditLog', input)).body as { data: Entry[]; nextCursor: string | null }

test('it tells who did what through which credential, newest first, and only to admins in person', async () => {
  const { id: key, secret } = await acme.key(['write:risks', 'read:organization'])
  const requestContext = { channel: 'rest', requestId: 'req-1', ip: '192.0.2.7', userAgent: 'curl' } as const
  const { caller } = await admitKey(one.service, secret, requestContext)
  const { body } = await one.call(caller, 'createRisk', { title: 'By a key' })
  const { id } = body as { id: string }
  await one.call(acme.admin, 'updateRisk', { id, title: 'By a person' })
  expect((await list({ subjectId: [id] })).data).toMatchObject([
    {
      action: 'risk.update',
      actor: { type: 'user', id: acme.admin.userId },
      changes: { title: { from: 'By a key' } },
    },
    {
      action: 'risk.create',
      actor: {
        type: 'api_key',
        id: key,
        actingUserId: acme.admin.userId,
        actingUserName: acme.admin.credential.name,
      },
      requestId: 'req-1',
      ip: '192.0.2.7',
      userAgent: 'curl',
    },
  ])
  await expect(list({}, caller)).rejects.toMatchObject({ code: 'session_required' })
  await expect(list({}, await acme.person('editor'))).rejects.toMatchObject({ code: 'capability_required' })
})

test('a refused attempt is in it', async () => {
  const viewer = await acme.person('viewer')
  await expect(one.call(viewer, 'createRisk', { title: 'No' })).rejects.toMatchObject({ status: 403 })
  await settleDenied()
  expect((await list({ actorId: [viewer.userId] })).data).toMatchObject([
    {
      action: 'createRisk',
      outcome: 'denied',
      reason: 'capability_required',
      subject: { type: 'operation' },
    },
  ])
})

test('of a refused call that names a record it tells which, and the history of the record does not', async () => {
  const viewer = await acme.person('viewer')
  const { body } = await one.call(acme.admin, 'createRisk', { title: 'Unpatched gateway' })
  const { id, reference } = body as { id: string; reference: string }
  await expect(one.call(viewer, 'updateRisk', { id, title: 'No' })).rejects.toMatchObject({ status: 403 })
  await expect(one.call(viewer, 'updateUser', { id: acme.admin.userId })).rejects.toMatchObject({
    status: 403,
  })
  const elsewhere = await one.organization()
  const foreign = await one.call(elsewhere.admin, 'createControl', { code: 'A.1', title: 'Theirs' })
  await expect(one.call(viewer, 'deleteControl', foreign.body)).rejects.toMatchObject({ status: 403 })
  await settleDenied()
  const { data } = await list({ actorId: [viewer.userId] })
  const byAction = data.toSorted((a, b) => a.action.localeCompare(b.action))
  expect(byAction).toMatchObject([
    { action: 'deleteControl', subject: { type: 'operation', id: 'deleteControl' } },
    { action: 'updateRisk', subject: { type: 'risk', id, reference, title: 'Unpatched gateway' } },
    { action: 'updateUser', subject: { type: 'user', title: acme.admin.credential.name } },
  ])
  expect((await list({ reference: [reference] })).data).toHaveLength(2)
  expect((await list({ id: [data[0]!.id] })).data).toHaveLength(1)
  const history = (await one.call(viewer, 'getRiskHistory', { id })).body as { data: Entry[] }
  expect(history.data).toMatchObject([{ action: 'risk.create' }])
})

test('pages and filters cut it without a gap', async () => {
  const other = await one.organization()
  const made: string[] = []
  for (let index = 0; index < 7; index++)
    made.push(
      ((await one.call(other.admin, 'createRisk', { title: `Risk ${index}` })).body as { id: string }).id,
    )
  const all = (await list({}, other.admin)).data
  expect(all.map(({ subject }) => subject.id)).toEqual(made.toReversed())
  const paged: Entry[] = []
  let cursor: string | null = null
  do {
    const page: { data: Entry[]; nextCursor: string | null } = await list(
      { limit: 3, ...(cursor ? { cursor } : {}) },
      other.admin,
    )
    paged.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(paged).toEqual(all)
  const [from, to] = [all[4]?.time, all[1]?.time]
  expect((await list({ from, to }, other.admin)).data.length).toBeGreaterThanOrEqual(3)
  expect((await list({ action: ['risk.delete'] }, other.admin)).data).toEqual([])
  expect((await list({ action: ['risk.*'] }, other.admin)).data).toHaveLength(7)
  expect((await list({ action: ['risk_%.*', 'ris.*'] }, other.admin)).data).toEqual([])
  expect(
    (await list({ outcome: ['success'], channel: ['cli'], subjectType: ['risk'] }, other.admin)).data,
  ).toHaveLength(7)
})
