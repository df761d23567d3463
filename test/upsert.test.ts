import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * What a program knows by an id of its own is written at the path of that id: added where nothing has it, changed where
 * something does.
 */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'write:assets'])).secret
})
afterAll(() => one.close())

const put = (path: string, body: object, headers: Record<string, string> = {}, secret = key) =>
  door.send(secret, 'PUT', `/v1/${path}`, { body, headers })

test('the first time it is added, then changed by what is given, and the same again is no change', async () => {
  const path = 'risks/by-external-id/scan%2F4711'
  const added = await put(path, { title: 'Unpatched gateway', labels: ['edge'] })
  expect(added).toMatchObject({
    status: 201,
    headers: { location: `/v1/risks/${added.body.id}`, etag: '"1"' },
    body: { externalId: 'scan/4711', title: 'Unpatched gateway', version: 1 },
  })
  const changed = await put(path, { likelihood: 'possible', impact: 'major' })
  expect(changed).toMatchObject({
    status: 200,
    headers: { etag: '"2"' },
    body: { id: added.body.id, labels: ['edge'], riskLevel: 'high', version: 2 },
  })
  expect(changed.headers.location).toBeUndefined()
  const again = await put(path, { externalId: 'scan/4711', likelihood: 'possible' })
  expect([again.status, again.body]).toEqual([200, changed.body])
  const sentBack = await put(path, again.body)
  expect([sentBack.status, sentBack.body]).toEqual([200, changed.body])
})

test('what it is linked with is a set, in whatever order it is sent', async () => {
  const path = 'assets/by-external-id/a-b'
  const parents: string[] = []
  for (const name of ['One', 'Two']) {
    const { body } = await put(`assets/by-external-id/${name}`, { name, type: 'server' })
    parents.push(body.id)
  }
  const given = { name: 'Part', type: 'server', parentAssetIds: parents.toSorted().toReversed() }
  const added = await put(path, given)
  expect(added).toMatchObject({ status: 201, body: { parentAssetIds: parents.toSorted() } })
  for (const parentAssetIds of [given.parentAssetIds, [...parents, ...parents]])
    expect(await put(path, { ...given, parentAssetIds })).toMatchObject({ status: 200, body: { version: 1 } })
  const other = await put(path, { ...given, parentAssetIds: [parents[0]] })
  expect(other).toMatchObject({ status: 422, body: { errors: [{ path: 'parentAssetIds' }] } })
})

test('a version that was read is asked for, and none is there of what is to be added', async () => {
  const path = 'risks/by-external-id/read-1'
  const early = await put(path, { title: 'A risk' }, { 'if-match': '"1"' })
  expect(early).toMatchObject({ status: 412, body: { code: 'version_mismatch' } })
  expect((await put(path, { title: 'A risk' })).status).toBe(201)
  expect((await put(path, { title: 'Changed' }, { 'if-match': '"1"' })).body.version).toBe(2)
  const late = await put(path, { title: 'Late' }, { 'if-match': '"1"' })
  expect(late).toMatchObject({ status: 412, body: { version: 2 } })
})

test('what is wrong is named as it stands in the body, and nothing is written', async () => {
  const path = 'risks/by-external-id/bad-1'
  const refused = async (body: object) => {
    const { status, body: problem } = await put(path, body)
    return [status, (problem.errors as { path: string }[] | undefined)?.map((error) => error.path)]
  }
  expect(await refused({})).toEqual([422, ['title']])
  expect(await refused({ title: 'A', titel: 'B' })).toEqual([422, ['titel']])
  expect(await refused({ title: 'a\u0000b' })).toEqual([422, ['title']])
  expect(await refused({ title: 'A', externalId: 'bad-2' })).toEqual([422, ['externalId']])
  expect(await refused({ title: 'A', source: 'supplier' })).toEqual([422, ['source']])
  const { body } = await door.send(key, 'GET', '/v1/risks?externalId=bad-1')
  expect(body.data).toEqual([])
  expect((await put(path, { title: 'A' })).status).toBe(201)
  expect(await refused({ status: 'monitored' })).toEqual([409, undefined])
  expect(await refused({ title: null })).toEqual([422, ['title']])
})

test('it takes the rights to add and to change, and an id is each organization’s own', async () => {
  const beta = await one.organization()
  const theirs = (await beta.key(['write:risks'])).secret
  const path = 'risks/by-external-id/shared-1'
  const ours = await put(path, { title: 'Ours' })
  const other = await put(path, { title: 'Theirs' }, {}, theirs)
  expect([ours.status, other.status]).toEqual([201, 201])
  expect(other.body.id).not.toBe(ours.body.id)
  const reader = (await acme.key(['read:risks'])).secret
  expect(await put(path, { title: 'Mine' }, {}, reader)).toMatchObject({ status: 403 })
  expect(await put('controls/by-external-id/c-1', { name: 'A control' })).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
})

test('of sixteen who write the same at once one adds it, and each version is told once', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      const { status } = await put('risks/by-external-id/race-1', { title: `By ${writer}` })
      return status
    }),
  )
  expect(statuses.toSorted()).toEqual([...Array(15).fill(200), 201])
  const { rows } = await one.administrator.query(
    `select version, (select count(*)::int from signals where subject_id = risks.id) as signals
       from risks where external_id = 'race-1'`,
  )
  expect(rows).toEqual([{ version: 16, signals: 16 }])
})

test('whoever adds a record says how it was come by, and it stays', async () => {
  const path = 'assets/by-external-id/host-1'
  const found = { name: 'build-1', type: 'server', source: 'discovery' }
  expect(await put(path, found)).toMatchObject({ status: 201, body: { source: 'discovery' } })
  const again = await put(path, { ...found, name: 'build-01', source: 'integration' })
  expect(again).toMatchObject({ status: 200, body: { name: 'build-01', source: 'discovery' } })
  const patched = await door.send(key, 'PATCH', `/v1/assets/${again.body.id}`, { body: { source: 'import' } })
  expect(patched).toMatchObject({ status: 422, body: { errors: [{ path: 'source' }] } })
  const imported = await door.send(key, 'POST', '/v1/risks', { body: { title: 'A risk', source: 'import' } })
  expect(imported.body.source).toBe('import')
})

test('agents have one tool for it', async () => {
  const record = { title: 'Told by an agent' }
  const input = { type: 'risk', externalId: 'agent-1', record }
  const { result } = await callTool(door, key, 'upsertRecord', input)
  expect(result.structuredContent).toMatchObject({ externalId: 'agent-1', source: 'mcp', version: 1 })
  const changed = await callTool(door, key, 'upsertRecord', { ...input, record: { category: 'ai' } })
  expect(changed.result.structuredContent).toMatchObject({ title: record.title, category: 'ai', version: 2 })
})
