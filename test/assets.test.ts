import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Assets are parts of others and never of themselves, and are linked with risks and controls. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:assets', 'write:assets', 'read:risks', 'write:risks', 'read:controls'])).secret
})
afterAll(() => one.close())

interface Made {
  id: string
  reference: string
  parentAssetIds: string[]
  version: number
}

const send = (method: string, path: string, body?: object) => door.send(key, method, `/v1/${path}`, { body })
const asset = async (name: string, more: object = {}): Promise<Made> =>
  (await send('POST', 'assets', { name, type: 'server', ...more })).body
const read = async ({ id }: { id: string }): Promise<Made> => (await send('GET', `assets/${id}`)).body
const parentOf = (part: { id: string }, parent: { id: string }) =>
  `assets/${part.id}/links/parent/${parent.id}`
const risk = async (by: Caller = acme.admin): Promise<Made> =>
  (await one.call(by, 'createRisk', { title: 'Overheating' })).body as never

test('an asset is made with its parents, which are linked and unlinked from then on', async () => {
  const [rack, room] = [await asset('Rack'), await asset('Server room', { type: 'facility' })]
  const made = await asset('Web server', { parentAssetIds: [room.id, rack.id, rack.id] })
  const parents = [rack.id, room.id].sort()
  expect(made).toMatchObject({ status: 'active', inScope: true, parentAssetIds: parents, version: 1 })
  expect(await read(made)).toEqual(made)
  const listed = (await send('GET', `assets?parentId=${rack.id}`)).body.data
  expect(listed).toEqual([made])
  const links = (await send('GET', `assets/${made.id}/links`)).body
  expect(links.counts).toMatchObject({ risk: 0, control: 0, parent: 2, part: 0 })
  expect(links.data).toContainEqual(
    expect.objectContaining({ type: 'asset', relation: 'parent', id: rack.id, title: 'Rack', role: null }),
  )
  expect((await send('GET', `assets/${rack.id}/links?type=part`)).body.data).toMatchObject([
    { type: 'asset', relation: 'part', id: made.id, reference: made.reference },
  ])

  const told = { id: room.id, reference: room.reference, title: 'Server room', role: null }
  const ended = await send('DELETE', parentOf(made, room))
  expect(ended.status).toBe(204)
  expect(await read(made)).toEqual({ ...made, parentAssetIds: [rack.id] })
  const [entry] = (await send('GET', `assets/${made.id}/history`)).body.data
  expect(entry).toMatchObject({ action: 'asset.unlink', changes: { parent: { from: told, to: null } } })
  const [theirs] = (await send('GET', `assets/${room.id}/history`)).body.data
  expect(theirs).toMatchObject({
    changes: { part: { from: { id: made.id, title: 'Web server' }, to: null } },
  })
})

test('what was read can be sent back, and other parents come by links alone', async () => {
  const [rack, other] = [await asset('Rack'), await asset('Other rack')]
  const made = await asset('Disk', { parentAssetIds: [rack.id] })
  const same = await send('PATCH', `assets/${made.id}`, { ...made, location: 'Vienna' })
  expect(same.body).toMatchObject({ location: 'Vienna', parentAssetIds: [rack.id] })
  const moved = await send('PATCH', `assets/${made.id}`, { parentAssetIds: [other.id] })
  expect([moved.status, moved.body.errors[0].path]).toEqual([422, 'parentAssetIds'])
  expect(moved.body.errors[0].message).toMatch(/linkAsset, unlinkAsset, targetKind parent/)
  const unknown = { name: 'Disk', type: 'server', parentAssetIds: [rack.id, newId('ast')] }
  const refused = await send('POST', 'assets', unknown)
  expect([refused.status, refused.body.errors[0].path]).toEqual([
    422,
    expect.stringMatching(/^parentAssetIds\./),
  ])
  const theirs = await one.organization()
  const foreign = (await one.call(theirs.admin, 'createAsset', { name: 'Theirs', type: 'server' }))
    .body as Made
  const across = await send('POST', 'assets', { ...unknown, parentAssetIds: [foreign.id] })
  expect(across.status).toBe(422)
})

test('no asset is part of itself, however long the way', async () => {
  const [top, middle, bottom] = [await asset('Top'), await asset('Middle'), await asset('Bottom')]
  await send('PUT', parentOf(middle, top))
  await send('PUT', parentOf(bottom, middle))
  const round = await send('PUT', parentOf(top, bottom))
  expect([round.status, round.body.code]).toEqual([409, 'cycle'])
  expect(round.body.detail).toMatch(/back to this asset after 2 links.*unlink one/)
  const itself = await send('PUT', parentOf(top, top))
  expect([itself.status, itself.body.code]).toEqual([409, 'cycle'])
  expect((await send('PUT', parentOf(bottom, top))).status, 'two ways up are none round').toBe(200)
  expect((await send('PUT', parentOf(bottom, middle))).status, 'once more').toBe(200)
})

test('two links made at once that together lead round: never both', async () => {
  for (let time = 0; time < 8; time++) {
    const [a, b, c, d] = await Promise.all(['A', 'B', 'C', 'D'].map((name) => asset(name)))
    await send('PUT', parentOf(b!, c!))
    await send('PUT', parentOf(d!, a!))
    // Neither has a record in common with the other: only together do they close the circle.
    const replies = await Promise.all([send('PUT', parentOf(a!, b!)), send('PUT', parentOf(c!, d!))])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('an asset that others hang on stays, unless they are unlinked with it', async () => {
  const rack = await asset('Rack')
  const disk = await asset('Disk', { parentAssetIds: [rack.id] })
  const threat = await risk()
  await send('PUT', `risks/${threat.id}/links/asset/${rack.id}`)
  const kept = await send('DELETE', `assets/${rack.id}`)
  expect([kept.status, kept.body.code, kept.body.counts]).toEqual([409, 'referenced', { risk: 1, part: 1 }])
  expect(kept.body.detail).toMatch(/1 part and 1 risk.*force=unlink/)
  expect((await send('DELETE', `assets/${rack.id}?force=unlink`)).status).toBe(204)
  expect((await read(disk)).parentAssetIds).toEqual([])
  const [entry] = (await send('GET', `risks/${threat.id}/history`)).body.data
  expect(entry).toMatchObject({ action: 'risk.unlink', reason: 'The asset was deleted' })
  expect((await send('DELETE', `assets/${disk.id}`)).status).toBe(204)
})

test('a risk has a role towards a control and none towards an asset', async () => {
  const [threat, rack] = [await risk(), await asset('Rack')]
  const refused = await send('PUT', `risks/${threat.id}/links/asset/${rack.id}`, { role: 'planned' })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'role'])
  const linked = await send('PUT', `risks/${threat.id}/links/asset/${rack.id}`)
  expect(linked.body).toMatchObject({ type: 'asset', id: rack.id, role: null })
  expect((await send('GET', `risks?assetId=${rack.id}`)).body.data).toMatchObject([{ id: threat.id }])
})

test('it is planned, works, is looked after, and is got rid of', async () => {
  const { id } = await asset('Server', { status: 'planned' })
  const to = async (status: string) => (await send('PATCH', `assets/${id}`, { status })).status
  expect(await to('retired')).toBe(409)
  for (const status of ['active', 'maintenance', 'active', 'retired', 'disposed'])
    expect(await to(status), status).toBe(200)
  expect(await to('active')).toBe(409)
})

test('hosts and addresses are ones that a network could have', async () => {
  const good = {
    hostname: '*.db_1.bücher.example.',
    ipAddresses: ['192.0.2.7', '10.0.0.0/8', '::', '2001:db8::7', '::ffff:192.0.2.7', 'FE80::/10'],
  }
  expect(await asset('Web server', good)).toMatchObject(good)
  const ipAddresses = [
    '999.1.1.1',
    '1.2.3',
    '1.2.3.4.',
    '01.2.3.4',
    '1.2.3.4/33',
    'hello',
    '2001:db8',
    '1::2::3',
    '',
  ]
  const faulty = { name: 'Web server', type: 'server', hostname: 'a b !', ipAddresses }
  const refused = await send('POST', 'assets', faulty)
  expect(refused.status).toBe(422)
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'hostname',
    ...ipAddresses.map((_, index) => `ipAddresses.${index}`),
  ])
  for (const hostname of ['-a', 'a-', 'a..b', '.a', 'https://a', 'a:443', `${'a'.repeat(64)}.b`])
    expect(
      (await send('POST', 'assets', { ...faulty, hostname, ipAddresses: [] })).body.errors,
    ).toMatchObject([{ path: 'hostname', message: expect.stringContaining('db1.example.com') }])
})
