import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { programOf } from './support/callers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

// What a framework asks and the organization answers: whose words are whose, and when it is followed.

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Answer = { status: number; body: Record<string, never> & { id: string; version: number } }
const ask = async (name: string, input: object, caller = acme.admin): Promise<Answer> => {
  const answer = one.call(caller, name, input) as unknown as Promise<Answer>
  return answer.catch(
    ({ status, code, message, members }) =>
      ({ status, body: { code, detail: message, ...members } }) as never,
  )
}
let keys = 0
async function add(more: object = {}) {
  keys += 1
  return (await ask('createFramework', { key: `own-${keys}`, edition: '1', name: 'Our own', ...more })).body
}
const require = (frameworkId: string, key: string, more: object = {}) =>
  ask('createRequirement', { frameworkId, key, title: `What ${key} asks`, ...more })
/** As an import leaves it: no door makes one. */
const asCatalog = (id: string) =>
  one.administrator.query("update frameworks set kind = 'catalog', source_format = 'csv' where id = $1", [id])

test('what comes beneath another while that moves is as deep as it is', async () => {
  const { id } = await add()
  for (let round = 0; round < 8; round += 1) {
    const [above, moving] = [await require(id, `a${round}`), await require(id, `m${round}`)]
    const [, child] = await Promise.all([
      ask('updateRequirement', { id: moving.body.id, parentId: above.body.id }),
      require(id, `c${round}`, { parentId: moving.body.id }),
    ])
    const { body: now } = await ask('getRequirement', { id: moving.body.id })
    expect(child.body.depth).toBe(Number(now.depth) + 1)
  }
})

test('a framework is followed once it is activated, at one of its levels', async () => {
  const levels = [
    { key: 'basic', title: 'Basic' },
    { key: 'high', title: 'High' },
  ]
  const { id } = await add({ levels })
  const [basic, high] = [
    (await require(id, 'R.1', { implementationGroups: ['basic', 'high'] })).body,
    (await require(id, 'R.2', { implementationGroups: ['high'] })).body,
  ]
  await require(id, 'R', { kind: 'group', assessable: false })
  expect(await ask('updateFramework', { id, status: 'active' })).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', detail: expect.stringContaining('activateFramework') },
  })
  expect(await ask('activateFramework', { id, implementationGroup: 'medium' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'implementationGroup', message: expect.stringContaining('basic, high') }] },
  })
  expect(await ask('activateFramework', { id, implementationGroup: 'basic' })).toMatchObject({
    body: { status: 'active', activatedAt: expect.any(String), progress: { requirementsInScope: 1 } },
  })
  expect(await ask('activateFramework', { id })).toMatchObject({ status: 409 })
  expect((await ask('getRequirement', { id: basic.id })).body).toMatchObject({ inScope: true })
  expect((await ask('getRequirement', { id: high.id })).body).toMatchObject({ inScope: false })
  await ask('updateFramework', { id, implementationGroup: null })
  expect((await ask('getFramework', { id })).body).toMatchObject({ progress: { requirementsInScope: 2 } })
})

test('what an import brought stays as it is, and is answered', async () => {
  const { id } = await add({ name: 'A standard' })
  const asked = (await require(id, 'A.1', { text: 'As printed.' })).body
  await asCatalog(id)
  expect(await ask('updateFramework', { id, name: 'Another' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'name', message: expect.stringContaining('import a correction') }] },
  })
  expect(await ask('updateRequirement', { id: asked.id, text: 'In our words.' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'text', message: expect.stringContaining('import a correction') }] },
  })
  expect(await require(id, 'A.2')).toMatchObject({ status: 422, body: { errors: [{ path: 'frameworkId' }] } })
  expect(await ask('updateRequirement', { id: asked.id, note: 'Ours.', maturity: 3 })).toMatchObject({
    status: 200,
    body: { note: 'Ours.', text: 'As printed.' },
  })
})

test('each says what is asked of its answer', async () => {
  const { id } = await add()
  const asked = (await require(id, 'A.1')).body
  const answer = (given: object) => ask('updateRequirement', { id: asked.id, ...given })
  expect(await answer({ applicability: 'not_applicable' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'justification', message: 'say why it does not apply' }] },
  })
  expect(await answer({ result: 'compliant' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'resultReason' }] },
  })
  expect(await answer({ result: 'compliant', resultReason: 'Shown on site.' })).toMatchObject({
    body: { result: 'compliant', resultPinned: true },
  })
  expect(await answer({ resultPinned: false })).toMatchObject({
    body: { result: 'not_assessed', resultPinned: false, resultReason: null },
  })
  expect(await answer({ applicability: 'not_applicable', justification: 'We sell nothing.' })).toMatchObject({
    body: { result: 'not_applicable', inScope: false },
  })
  const [mine, theirs] = [
    { id: asked.id, note: 'Mine', ifMatch: 4 },
    { id: asked.id, note: 'Theirs', ifMatch: 4 },
  ]
  const both = await Promise.all([ask('updateRequirement', mine), ask('updateRequirement', theirs)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('a result that is given is pinned, also where it is what follows, and never both given and let go', async () => {
  const { id } = await add()
  const control = (await ask('createControl', { code: 'C', title: 'Is done' })).body
  const asked = (await require(id, 'A.1')).body
  await ask('linkRequirement', { id: asked.id, targetKind: 'control', targetId: control.id })
  await settleResults(one.service)
  const answer = (given: object) => ask('updateRequirement', { id: asked.id, ...given })
  const result = 'non_compliant'
  expect(await answer({ result })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'resultReason' }] },
  })
  const bothWays = { status: 422, body: { errors: [{ path: 'resultPinned' }] } }
  expect(await answer({ result: 'compliant', resultPinned: false, resultReason: 'x' })).toMatchObject(
    bothWays,
  )
  // As it stands, and left to follow: that is what it does.
  expect(await answer({ result, resultPinned: false })).toMatchObject({ body: { version: 2 } })
  expect(await answer({ result, resultReason: 'Seen.' })).toMatchObject({ body: { resultPinned: true } })
  expect(await answer({ result: 'compliant', resultPinned: false })).toMatchObject(bothWays)
  expect(await answer({ resultPinned: false })).toMatchObject({ body: { result, resultReason: null } })
  expect(await require(id, 'A.2', { result: 'not_assessed' })).toMatchObject({
    body: { resultPinned: false },
  })
  expect(await require(id, 'A.3', { result: 'not_assessed', resultReason: 'Not yet.' })).toMatchObject({
    body: { resultPinned: true },
  })
})

test('nobody takes a requirement out of a catalog, nor a framework with what was approved', async () => {
  const { id } = await add()
  const head = (await require(id, 'A')).body
  const below = (await require(id, 'A.1', { parentId: head.id })).body
  await asCatalog(id)
  const kept = {
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('as it was imported') },
  }
  expect(await ask('deleteRequirement', { id: below.id })).toMatchObject(kept)
  expect(await ask('deleteRequirement', { id: head.id, force: 'unlink' })).toMatchObject(kept)
  await ask('activateFramework', { id })
  await ask('approveStatementOfApplicability', { id })
  expect(await ask('deleteFramework', { id })).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('retire the framework instead') },
  })
  expect(await ask('getStatementOfApplicability', { id, version: 1 })).toMatchObject({
    body: { rows: [{ key: 'A' }, { key: 'A.1', depth: 1 }] },
  })
  const { id: other } = await add()
  await require(other, 'A')
  await asCatalog(other)
  expect(await ask('deleteFramework', { id: other })).toMatchObject({ status: 204 })
})

test('a step back brings nothing with it that no edit could', async () => {
  const { id } = await add({ name: 'A standard' })
  await ask('activateFramework', { id })
  await asCatalog(id)
  await ask('updateFramework', { id, status: 'retiring' })
  const { version } = (await ask('updateFramework', { id, status: 'retired' })).body
  const back = { id, status: 'retiring', ifMatch: version }
  expect(await ask('updateFramework', { ...back, name: 'Mine', key: 'mine' })).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('import a correction') }] },
  })
  expect(await ask('updateFramework', back)).toMatchObject({
    body: { status: 'retiring', name: 'A standard' },
  })
})

test('a key answers with its six fields and no others', async () => {
  const { id } = await add()
  const asked = (await require(id, 'A.1')).body
  const key = programOf(acme.admin, ['write:controls'])
  const owner = { type: 'user', refId: acme.admin.userId }
  const allowed = { applicability: 'inherited', justification: 'By the cloud.', owner, result: 'compliant' }
  expect(
    await ask('updateRequirement', { id: asked.id, ...allowed, resultReason: 'Their report.' }, key),
  ).toMatchObject({ status: 200, body: { result: 'compliant', resultPinned: true } })
  for (const given of [{ note: 'x' }, { maturity: 1 }, { title: 'x' }, { assessable: false }])
    expect(await ask('updateRequirement', { id: asked.id, ...given }, key)).toMatchObject({
      status: 403,
      body: { code: 'field_not_permitted' },
    })
})

test('requirements stand in a tree of one framework, and go with it', async () => {
  const [{ id }, { id: other }] = [await add(), await add()]
  const top = (await require(id, 'A')).body
  const below = (await require(id, 'A.1', { parentId: top.id })).body
  expect(below).toMatchObject({ depth: 1, reference: 'A.1' })
  expect(await require(other, 'B', { parentId: top.id })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'parentId', message: 'is of another framework: give one of the same' }] },
  })
  expect(await require(id, 'A.1')).toMatchObject({ status: 409 })
  expect(await ask('updateRequirement', { id: top.id, parentId: below.id })).toMatchObject({ status: 422 })
  expect(await ask('deleteRequirement', { id: top.id })).toMatchObject({ status: 409 })
  expect(await ask('deleteFramework', { id })).toMatchObject({ status: 204 })
  expect(await ask('getRequirement', { id: below.id })).toMatchObject({ status: 404 })
  await settleResults(one.service)
})
