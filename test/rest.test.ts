import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'read:controls', 'write:controls', 'write:personnel']))
    .secret
})
afterAll(() => one.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

async function risk(values: object = {}) {
  const { status, body } = await door.send(key, 'POST', '/v1/risks', { body: { title: 'A risk', ...values } })
  expect(status).toBe(201)
  return body as { id: string; version: number; title: string } & Record<string, unknown>
}

test('a creation answers 201 with where it is, its version, and what the credential has left', async () => {
  const { status, headers, body } = await door.send(key, 'POST', '/v1/risks', {
    body: {
      title: 'Unpatched gateway',
      status: 'identified',
      category: 'technical',
      likelihood: 'possible',
      impact: 'major',
    },
    headers: { 'request-id': 'mine' },
  })
  expect(status).toBe(201)
  expect(headers.location).toBe(`/v1/risks/${body.id}`)
  expect(headers.etag).toBe('"1"')
  expect(headers['request-id']).toMatch(UUID)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['ratelimit-policy']).toBe('"default";q=1000000;w=600')
  expect(headers.ratelimit).toMatch(/^"default";r=9999\d\d;t=(600|599)$/)
  expect(body).toMatchObject({ riskLevel: 'high', organizationId: acme.id, source: 'api' })
  const read = await door.send(key, 'GET', headers.location!)
  expect([read.status, read.body, read.headers.etag]).toEqual([200, body, '"1"'])
})

test('a deletion answers 204 without a body', async () => {
  const made = await door.send(key, 'POST', '/v1/personnel', {
    body: { fullName: 'Bo', workEmail: 'bo@example.com' },
  })
  const gone = await door.send(key, 'DELETE', `/v1/personnel/${made.body.id}`)
  expect([gone.status, gone.text, gone.headers['content-type']]).toEqual([204, '', undefined])
})

test('every answer carries the headers that keep browsers from doing more with it', async () => {
  for (const path of ['/v1/risks', '/nowhere', '/healthz', '/v1/risks/%zz']) {
    const { headers } = await door.send(null, 'GET', path)
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'request-id': expect.stringMatching(UUID),
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('If-Match takes versions as tags, several or any, and what is none never matches', async () => {
  const { id } = await risk()
  const patch = (title: string, ifMatch: string) =>
    door.send(key, 'PATCH', `/v1/risks/${id}`, { body: { title }, headers: { 'if-match': ifMatch } })
  expect((await patch('b', '"1"')).headers.etag).toBe('"2"')
  expect((await patch('c', '"7", "2"')).status).toBe(200)
  expect((await patch('d', 'W/"3"')).status).toBe(200)
  expect((await patch('e', '4')).status).toBe(200)
  expect((await patch('f', '*')).status).toBe(200)
  for (const stale of [
    ...['"4"', '4', 'W/"4"', '"abc"', 'abc', '', '"5', '"4", "7"', '"4", W/"5"', '"05"', '"5" "5"'],
    '99999999999999999999',
  ]) {
    const { status, body } = await patch('g', stale)
    expect([stale, status, body.code]).toEqual([stale, 412, 'version_mismatch'])
  }
  expect((await door.send(key, 'GET', `/v1/risks/${id}`)).body).toMatchObject({ title: 'f', version: 6 })
})

test('what was read can be sent back, its id too, but not the id of another', async () => {
  const read = await risk({ likelihood: 'likely', impact: 'minor', labels: ['edge'] })
  const back = await door.send(key, 'PATCH', `/v1/risks/${read.id}`, { body: read })
  expect([back.status, back.body]).toEqual([200, read])
  const other = await risk()
  const wrong = await door.send(key, 'PATCH', `/v1/risks/${read.id}`, { body: { ...read, id: other.id } })
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, 'id'])
  const moved = await door.send(key, 'PATCH', `/v1/risks/${read.id}`, { body: { ...read, riskLevel: 'low' } })
  expect([moved.status, moved.body.errors[0].path]).toEqual([422, 'riskLevel'])
})

test('null clears, absent stays, and what must be there cannot be cleared', async () => {
  const { id } = await risk({ description: 'text', likelihood: 'rare', impact: 'minor' })
  const cleared = await door.send(key, 'PATCH', `/v1/risks/${id}`, {
    body: { description: null, impact: null },
  })
  expect(cleared.body).toMatchObject({
    description: null,
    impact: null,
    likelihood: 'rare',
    riskLevel: null,
    version: 2,
  })
  const kept = await door.send(key, 'PATCH', `/v1/risks/${id}`, { body: { title: null } })
  expect([kept.status, kept.body.errors[0].path]).toEqual([422, 'title'])
})

test('a key changes of a control only what is its to change', async () => {
  const { body } = await one.call(acme.admin, 'createControl', { code: 'A.1', title: 'Access' })
  const { id } = body as { id: string }
  const taken = await door.send(key, 'PATCH', `/v1/controls/${id}`, {
    body: { implementationStatus: 'in_progress' },
  })
  expect(taken.status).toBe(200)
  const refused = await door.send(key, 'PATCH', `/v1/controls/${id}`, { body: { title: 'Other' } })
  expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
    403,
    'field_not_permitted',
    ['title'],
  ])
  expect(refused.headers['www-authenticate']).toBeUndefined()
})

test('HEAD answers as GET does, without the body', async () => {
  const { id } = await risk()
  const { status, text, headers } = await door.send(key, 'HEAD', `/v1/risks/${id}`)
  expect([status, text, headers.etag]).toEqual([200, '', '"1"'])
})

test('a large answer is compressed for who asks', async () => {
  await Promise.all(Array.from({ length: 20 }, () => risk({ description: 'words '.repeat(50) })))
  const plain = await door.send(key, 'GET', '/v1/risks')
  const small = await fetch(`${door.base}/v1/risks`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
  })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual([
    'gzip',
    'accept-encoding',
  ])
  expect(await small.json()).toMatchObject({ data: expect.any(Array) })
})

test('health tells the process from the database', async () => {
  const readiness = await door.send(null, 'GET', '/readyz')
  expect([readiness.status, readiness.text]).toEqual([200, 'ready\n'])
  expect((await door.send(null, 'GET', '/healthz')).text).toBe('ok\n')
})
