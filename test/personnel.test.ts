import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

let count = 0
const create = async (input: object = {}): Promise<{ id: string; status: string }> => {
  count += 1
  const given = { fullName: `Person ${count}`, workEmail: `p${count}@example.com`, ...input }
  return (await one.call(acme.admin, 'createPersonnel', given)).body
}
const update = async (id: string, input: object): Promise<Record<string, unknown>> =>
  (await one.call(acme.admin, 'updatePersonnel', { id, ...input })).body
const remove = (id: string) => one.call(acme.admin, 'deletePersonnel', { id })
const own = async (kind: 'Risk' | 'Control', owner: object | null): Promise<string> => {
  const { body } = await one.call(acme.admin, `create${kind}`, {
    title: 'Owned',
    ...(kind === 'Control' ? { code: 'A' } : {}),
    owner,
  })
  return (body as { id: string }).id
}

const STATES = ['pre_start', 'active', 'on_leave', 'offboarding', 'former']
const ALLOWED = new Set([
  'pre_start active',
  'active on_leave',
  'on_leave active',
  'active offboarding',
  'on_leave offboarding',
  'offboarding former',
  'former active',
])

test('the status goes the ways of the catalogue and no other', async () => {
  for (const from of STATES)
    for (const to of STATES.filter((state) => state !== from)) {
      const { id } = await create({ status: from })
      const change = update(id, { status: to })
      if (ALLOWED.has(`${from} ${to}`)) expect(await change).toMatchObject({ status: to })
      else await expect(change).rejects.toMatchObject({ code: 'invalid_transition' })
    }
})

test('a work e-mail and a linked user belong to one person', async () => {
  const user = await acme.person('viewer')
  const { id } = await create({ workEmail: 'only@example.com', userId: user.userId })
  await expect(create({ workEmail: 'ONLY@example.com' })).rejects.toMatchObject({
    code: 'conflict',
    members: { field: 'workEmail', holder: { id } },
  })
  await expect(create({ userId: user.userId })).rejects.toMatchObject({
    code: 'conflict',
    members: { field: 'userId', holder: { id } },
  })
  expect((await one.call(acme.admin, 'getUser', { id: user.userId })).body).toMatchObject({ personnelId: id })
})

test('a link to nobody here is refused, with the field named', async () => {
  const other = await one.organization()
  await expect(create({ userId: other.admin.userId })).rejects.toMatchObject({ status: 422 })
  const { id } = await create()
  await expect(update(id, { managerId: 'per_01jzzzzzzzzzzzzzzzzzzzzzzz' })).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'managerId' }] },
  })
  await expect(update(id, { managerId: id })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('whoever is pointed at cannot be deleted, and it is told by what', async () => {
  const { id } = await create()
  const owner = { type: 'personnel', refId: id }
  const risks = [await own('Risk', owner), await own('Risk', owner)]
  const control = await own('Control', owner)
  const report = await create({ managerId: id })
  await expect(remove(id)).rejects.toMatchObject({
    code: 'referenced',
    message: expect.stringContaining('offboarding to former'),
    members: { counts: { risk: 2, control: 1, personnel: 1 } },
  })
  for (const risk of risks) await one.call(acme.admin, 'updateRisk', { id: risk, owner: null })
  await one.call(acme.admin, 'updateControl', { id: control, owner: null })
  await expect(remove(id)).rejects.toMatchObject({ members: { counts: { personnel: 1 } } })
  await update(report.id, { managerId: null })
  await remove(id)
  await expect(one.call(acme.admin, 'getPersonnel', { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a deletion and twenty new owners at once: never both', async () => {
  const { id } = await create()
  const acts = await Promise.allSettled([
    ...Array.from({ length: 10 }, () => own('Risk', { type: 'personnel', refId: id })),
    remove(id),
    ...Array.from({ length: 10 }, () => own('Risk', { type: 'personnel', refId: id })),
  ])
  const deleted = acts[10]?.status === 'fulfilled'
  const owned = acts.filter(({ status }, index) => index !== 10 && status === 'fulfilled').length
  expect(deleted && owned > 0).toBe(false)
  for (const act of acts) if (act.status === 'rejected') expect([409, 422]).toContain(act.reason.status)
})

test('what a person owns is listed, by their entry and by the user linked with it', async () => {
  const user = await acme.person('editor')
  const { id } = await create({ userId: user.userId })
  const risk = await own('Risk', { type: 'personnel', refId: id })
  await one.call(acme.admin, 'updateRisk', { id: risk, reviewDate: '2099-05-17' })
  const control = await own('Control', { type: 'user', refId: user.userId })
  const list = async (input: object = {}) =>
    (await one.call(acme.admin, 'getPersonnelResponsibilities', { id, ...input })).body as {
      data: { id: string; type: string }[]
      nextCursor: string | null
      counts: object
    }
  const { data, counts } = await list()
  expect(data).toMatchObject([
    { type: 'control', id: control, title: 'Owned', field: 'owner', state: 'not_started', date: null },
    { type: 'risk', id: risk, title: 'Owned', field: 'owner', state: 'identified', date: '2099-05-17' },
  ])
  expect(counts).toEqual({ control: 1, risk: 1 })
  const first = await list({ limit: 1 })
  expect((await list({ limit: 1, cursor: first.nextCursor })).data).toMatchObject([{ id: risk }])
  const narrow = { ...acme.admin, granted: new Set(['read:personnel', 'read:risks'] as const) }
  const { body } = await one.call(narrow, 'getPersonnelResponsibilities', { id })
  expect(body).toMatchObject({ data: [{ id: risk }], counts: { control: 1, risk: 1 } })
  const other = await one.organization()
  await expect(one.call(other.admin, 'getPersonnelResponsibilities', { id })).rejects.toMatchObject({
    code: 'not_found',
  })
})
