import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asRefusal, problemOf } from '../server/doors/problem.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { CODES, Refusal } from '../server/refusal.ts'
import { commandLine } from './support/command-line.ts'
import { type Door, openOtherDoor, type Reply } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks'])).secret
})
afterAll(() => one.close())

function expectProblem(reply: Reply, status: number, code: keyof typeof CODES) {
  expect([reply.status, reply.body?.code]).toEqual([status, code])
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(reply.body).toMatchObject({
    type: `${door.service.config.publicUrl}/docs#${code}`,
    title: CODES[code].title,
    status,
    detail: expect.stringMatching(/.{10}/),
    requestId: reply.headers['request-id'],
  })
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  door.send(key, 'POST', '/v1/risks', { body, headers })

test.each(Object.keys(CODES) as (keyof typeof CODES)[])('%s is a problem object, whole', (code) => {
  const refusal = new Refusal(code, 'Do this.', {
    allowed: ['x'],
    retryAfter: 3,
    limit: {},
    status: 1,
    code: 'no',
  })
  expect(problemOf(refusal, 'id', 'https://plumbline.example')).toEqual({
    type: `https://plumbline.example/docs#${code}`,
    title: CODES[code].title,
    status: CODES[code].status,
    detail: 'Do this.',
    code,
    requestId: 'id',
    allowed: ['x'],
  })
})

test('a fault of ours is opaque', () => {
  const refusal = asRefusal(new TypeError('secret details'))
  expect([refusal.status, refusal.code]).toEqual([500, 'internal'])
  expect(JSON.stringify(problemOf(refusal, 'id', ''))).not.toContain('secret details')
})

describe('bodies', () => {
  test.each([
    ['broken JSON', '{"title": '],
    ['two values', '{"title":"a"} {}'],
    ['a trailing comma', '{"title":"a",}'],
    ['a byte order mark', '\uFEFF{"title":"a"}'],
    ['not a number', '{"title": NaN}'],
    ['UTF-8 cut short', Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x7d])],
    ['UTF-8 spelled too long', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"title":"a"}', 'utf16le')],
  ])('%s is malformed', async (_, body) => expectProblem(await post(body), 400, 'malformed_request'))

  test('says where the JSON breaks, and repeats nothing of it', async () => {
    const { body } = await post('{"title": "comply_hidden", x}')
    expect(body.detail).toMatch(/it breaks at position \d+/)
    expect(body.detail).not.toContain('hidden')
  })

  test.each([
    ['text/plain', 'title=a'],
    ['application/x-www-form-urlencoded', 'title=a'],
    ['application/json; charset=utf-16', '{"title":"a"}'],
    ['application/jsonp', '{"title":"a"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', '{"title":"a"}'],
  ])('%s says it is not JSON', async (type, body) =>
    expectProblem(await post(body, { 'content-type': type }), 415, 'unsupported_media_type'),
  )

  test.each(['gzip', 'br', 'deflate', 'gzip, identity'])('%s is not unpacked', async (encoding) =>
    expectProblem(await post('{}', { 'content-encoding': encoding }), 415, 'unsupported_media_type'),
  )

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/merge-patch+json',
    'application/json;charset="utf-8"',
  ])('%s is JSON', async (type) =>
    expect((await post('{"title":"a"}', { 'content-type': type })).status).toBe(201),
  )

  test('one that says nothing of itself is taken for JSON', async () =>
    expect((await post('{"title":"a"}')).status).toBe(201))

  test.each([
    ['an array', []],
    ['a text', '"a"'],
    ['null', 'null'],
    ['a number', '1'],
  ])('%s is no input', async (_, body) => {
    const reply = await post(body)
    expectProblem(reply, 422, 'validation_failed')
    expect(reply.body.errors[0].path).toBe('(body)')
  })

  test('256 KB are taken, a byte more is not', async () => {
    const fill = (bytes: number) =>
      `{"title":"a","description":"${'x'.repeat(bytes - 32)}"}`.padEnd(bytes, ' ')
    expect((await post(fill(256 * 1024))).status).toBe(422) // too long a text, but read
    expectProblem(await post(fill(256 * 1024 + 1)), 413, 'body_too_large')
  })

  test('a body of unknown length is counted as it comes', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(32)
    const stream = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 5; sent++) controller.enqueue(chunk)
        controller.close()
      },
    })
    const reply = await fetch(`${door.base}/v1/risks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: stream,
      duplex: 'half',
    })
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })

  test('a call that takes none accepts none, an empty one, and {}', async () => {
    const editor = (await acme.key(['write:personnel'])).secret
    const remove = async (body?: string) => {
      const made = await door.send(editor, 'POST', '/v1/personnel', {
        body: { fullName: 'A', workEmail: `${Math.random()}@example.com` },
      })
      return door.send(editor, 'DELETE', `/v1/personnel/${made.body.id}`, body === undefined ? {} : { body })
    }
    expect((await remove()).status).toBe(204)
    expect((await remove('')).status).toBe(204)
    expect((await remove('{}')).status).toBe(204)
    expectProblem(await remove('{"confirm":true}'), 422, 'validation_failed')
  })
})

describe('names', () => {
  test('an unknown field is told with the nearest known one', async () => {
    const reply = await post({ titel: 'a' })
    expectProblem(reply, 422, 'validation_failed')
    expect(reply.body.errors).toContainEqual({ path: 'titel', message: 'no such field; did you mean title?' })
  })

  test('an unknown query parameter as well', async () => {
    const reply = await door.send(key, 'GET', '/v1/risks?limmit=5')
    expectProblem(reply, 422, 'validation_failed')
    expect(reply.body.errors[0]).toEqual({
      path: 'limmit',
      message: 'no such parameter; did you mean limit?',
    })
  })

  test('a call with a body takes nothing from the query', async () => {
    const reply = await door.send(key, 'POST', '/v1/risks?title=a', { body: { title: 'a' } })
    expectProblem(reply, 422, 'validation_failed')
    expect(reply.body.errors[0].path).toBe('title')
  })

  test.each([
    '/v1/risks?limit=x',
    '/v1/risks?limit=1.5',
    '/v1/risks?limit=0',
    '/v1/risks?limit=201',
    '/v1/risks?limit=1&limit=2',
    '/v1/risks?limit=1e2',
    '/v1/risks?status=open',
    '/v1/risks?sort=nothing',
    '/v1/risks?updatedSince=yesterday',
    '/v1/risks?q=',
  ])('%s parses but is wrong', async (path) =>
    expectProblem(await door.send(key, 'GET', path), 422, 'validation_failed'),
  )

  test.each([
    '/v1/risks?q=%zz',
    '/v1/risks?q=%C3',
    '/v1/risks?%FF=1',
    '/v1/risks?cursor=abc',
    '/v1/risks?cursor=W10',
  ])('%s cannot be read', async (path) =>
    expectProblem(await door.send(key, 'GET', path), 400, 'malformed_request'),
  )

  test('128 parameters are read, one more is not', async () => {
    const path = (count: number) =>
      `/v1/risks?${Array.from({ length: count }, () => 'status=identified').join('&')}`
    expect((await door.send(key, 'GET', path(50))).status).toBe(200)
    const reply = await door.send(key, 'GET', path(129))
    expect([reply.status, reply.body.errors[0].path]).toEqual([422, '(query)'])
  })
})

describe('paths and methods', () => {
  test('nothing is at an unknown path, with any credential, method and body', async () => {
    for (const path of ['/nothing', '/v1', '/v1/', '/v1/nothing', '/V1/risks', '/v1//risks', '/v2/risks'])
      expectProblem(await door.send(null, 'GET', path), 404, 'not_found')
    expectProblem(await door.send(null, 'POST', '/v1/nothing', { body: 'x' }), 404, 'not_found')
  })

  test('another method is told which ones there are', async () => {
    const reply = await door.send(null, 'PUT', '/v1/risks', { body: 'no json' })
    expectProblem(reply, 405, 'method_not_allowed')
    expect(reply.headers.allow).toBe('GET, HEAD, POST')
    for (const [path, allow] of [
      ['/v1/risks/batch', 'POST'],
      ['/v1/risks/summary', 'GET, HEAD'],
    ] as const)
      for (const method of ['DELETE', 'PATCH', 'PUT', 'OPTIONS']) {
        const written = await door.send(key, method, path, { body: {} })
        expectProblem(written, 405, 'method_not_allowed')
        expect([path, written.headers.allow]).toEqual([path, allow])
      }
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'POST']) {
      const other = await door.send(null, method, '/v1/risks/risk_x')
      expectProblem(other, 405, 'method_not_allowed')
      expect(other.headers.allow).toBe('DELETE, GET, HEAD, PATCH')
    }
  })

  test('an id is an id, whatever it is made of', async () => {
    for (const id of [
      'risk_x',
      '..',
      '%2e%2e%2fcontrols',
      '%00',
      '%F0%9F%92%A9',
      'a'.repeat(100),
      'a'.repeat(500),
      '%27%20or%201%3D1',
    ])
      expect([404, 422], id).toContain((await door.send(key, 'GET', `/v1/risks/${id}`)).status)
    expectProblem(await door.send(key, 'GET', '/v1/risks/%zz'), 400, 'malformed_request')
  })
})

describe('credentials', () => {
  test('what is no bearer credential is a missing one', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', 'bearer', ''])
      expectProblem(
        await door.send(null, 'GET', '/v1/risks', { headers: { authorization } }),
        401,
        'credential_missing',
      )
  })

  test('the scheme is written as one likes', async () => {
    const reply = await door.send(null, 'GET', '/v1/risks', { headers: { authorization: `bEARER  ${key}` } })
    expect(reply.status).toBe(200)
  })

  test('an unknown key is invalid, and a key in the query no key at all', async () => {
    const unknown = `${key.slice(0, -8)}${[...key.slice(-8)].reverse().join('')}`
    const reply = await door.send(unknown, 'GET', '/v1/risks')
    expectProblem(reply, 401, 'credential_invalid')
    expect(reply.headers['www-authenticate']).toMatch(
      /^Bearer resource_metadata="[^"]+", scope="[^"]+", error="invalid_token"$/,
    )
    expect(reply.headers.ratelimit).toBeUndefined()
    expectProblem(await door.send(null, 'GET', `/v1/risks?access_token=${key}`), 401, 'credential_missing')
  })

  test('revoked, expired and orphaned keys are told so', async () => {
    const person = await acme.person('editor')
    const [revoked, expired, orphan] = [
      await acme.key(['read:risks']),
      await acme.key(['read:risks']),
      await acme.key(['read:risks'], person),
    ]
    await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [revoked.id])
    await one.administrator.query('update api_keys set expires_at = clock_now() where id = $1', [expired.id])
    await one.administrator.query("update members set status = 'disabled' where user_id = $1", [
      person.userId,
    ])
    for (const [secret, code] of [
      [revoked.secret, 'key_revoked'],
      [expired.secret, 'key_expired'],
      [orphan.secret, 'key_creator_inactive'],
    ] as const) {
      const reply = await door.send(secret, 'GET', '/v1/risks')
      expectProblem(reply, 401, code)
      expect(reply.body.detail).toMatch(/ask an admin of the organization for a new one/)
      expect(reply.headers['www-authenticate']).toContain('error="invalid_token"')
    }
  })

  test('guessing is slowed, and a valid key from the same address is not', async () => {
    const other = await one.listen({})
    const answers = []
    for (let guess = 0; guess < 70; guess++)
      answers.push(await other.send('comply_guess', 'GET', '/v1/risks'))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60)
    expect(answers.at(-1)!.body.code).toBe('rate_limited')
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await other.send(key, 'GET', '/v1/risks')).status).toBe(200)
  })

  test('only a trusted proxy says who is behind it', async () => {
    const proxied = await one.listen({ TRUSTED_PROXIES: '127.0.0.1/32' })
    const guess = (at: Door, address: string) =>
      at.send('comply_guess', 'GET', '/v1/risks', { headers: { 'x-forwarded-for': address } })
    for (let count = 0; count < 61; count++) await guess(proxied, '203.0.113.7')
    expect((await guess(proxied, '203.0.113.7')).status).toBe(429)
    expect((await guess(proxied, '203.0.113.8')).status).toBe(401)
    // However the proxy writes the address, and whatever it cannot write: then the proxy itself is counted.
    for (const written of [
      '203.0.113.7:4711',
      '203.0.113.7:4712',
      '::ffff:203.0.113.7',
      '[::ffff:cb00:7107]:1',
    ])
      expect([written, (await guess(proxied, written)).status]).toEqual([written, 429])
    for (let count = 0; count < 61; count++) await guess(proxied, `203.0.113.${count}, nonsense:${count}`)
    expect((await guess(proxied, 'other nonsense')).status).toBe(429)
    const direct = await one.listen({})
    for (let count = 0; count < 61; count++) await guess(direct, `203.0.113.${count}`)
    expect((await guess(direct, '203.0.113.99')).status).toBe(429)
  })
})

test('a database that is away is a 503 that says when to come again', async () => {
  const nowhere = await openOtherDoor('postgresql://plumbline@127.0.0.1:1/none', newMasterKey(), {
    METRICS_PORT: '0',
  })
  const reply = await nowhere.send(key, 'GET', '/v1/risks')
  expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '2'])
  expect((await nowhere.send(null, 'GET', '/readyz')).status).toBe(503)
  expect((await nowhere.send(null, 'GET', '/healthz')).status).toBe(200)
  await nowhere.close()
})

test('Idempotency-Key is 1 to 255 printable characters', async () => {
  for (const bad of ['x'.repeat(256), 'é', 'a\tb'])
    expectProblem(await post({ title: 'a' }, { 'idempotency-key': bad }), 400, 'malformed_request')
  expect((await post({ title: 'a' }, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201)
})

test('the command line calls over REST with a key, and tells a refusal as it was told', async () => {
  const plumbline = commandLine({ PLUMBLINE_URL: door.base, PLUMBLINE_KEY: key })
  const made = await plumbline('call createRisk --input \'{"title":"From elsewhere"}\' --json')
  expect(made).toMatchObject({ code: 0, stderr: '', json: { title: 'From elsewhere' } })
  const { id } = made.json as { id: string }
  const [read, refused] = await Promise.all([
    plumbline(`call getRisk --input '{"id":"${id}"}' --json`),
    plumbline('call listRisks --input \'{"limit":201,"status":["identified"]}\' --json'),
  ])
  expect(read.json).toMatchObject({ id })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.json).toMatchObject({
    code: 'validation_failed',
    detail: 'limit: 201 is too large: give 200 or less.',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})
