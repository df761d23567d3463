import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { incomingBytes, Streamed, streamed } from '../server/bytes.ts'
import { openApiOf } from '../server/doors/openapi.ts'
import { assertServable } from '../server/doors/servable.ts'
import { type AnyOperation, operation, scope } from '../server/operation.ts'
import { notFound } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { sha256 } from './support/files.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { openWebAs } from './support/web.ts'

/*
 * Promise: an operation takes bytes and answers bytes by two words of its own. A program that calls by REST gets the
 * stream, everybody else a link to it: good once, for five minutes, in the session that asked for it, and only for what
 * its caller may still read. What is refused for its size or type is refused before its bytes are taken.
 */

const TEXT = 'The quick brown fox'
const content = (name: string) =>
  new Streamed({
    name,
    type: 'text/html',
    bytes: TEXT.length,
    open: ({ from, to } = { from: 0, to: TEXT.length - 1 }) => parts(TEXT.slice(from, to + 1)),
  })
async function* parts(text: string) {
  for (const letter of text) yield Buffer.from(letter)
}

const reading = (name: string, answers: 'stream' | 'link') =>
  operation({
    name,
    method: 'GET',
    path: `/v1/${name}/{id}`,
    needs: scope('read:risks'),
    writes: false,
    title: 'Read a file',
    input: z.strictObject({ id: z.string() }),
    output: streamed,
    answers,
    run: async (_, { id }) => {
      if (id !== 'fox') throw notFound()
      return content('a “fox”\r\n/é.html')
    },
  })

const counting = operation({
  name: 'countBytes',
  method: 'PUT',
  path: '/v1/count-bytes/{id}',
  needs: scope('write:risks'),
  writes: 'own',
  takes: { types: ['application/octet-stream'], bytes: 1024 },
  bodyIs: 'content',
  title: 'Count bytes',
  input: z.strictObject({ id: z.string(), twice: z.boolean().optional(), content: incomingBytes }),
  output: z.object({ id: z.string(), count: z.int() }).meta({ id: 'CountedBytes' }),
  run: async (_, { id, twice, content }) => {
    let count = 0
    for await (const chunk of content.read(1024)) count += chunk.length
    return { id, count: twice ? count * 2 : count }
  },
})

const hashing = operation({
  name: 'hashBytes',
  method: 'PUT',
  path: '/v1/hash-bytes/{id}',
  needs: scope('write:risks'),
  writes: 'own',
  takes: { types: ['application/octet-stream'], bytes: 8 * 1024 * 1024 },
  bodyIs: 'content',
  title: 'Hash bytes',
  input: z.strictObject({ id: z.string(), content: incomingBytes }),
  output: z.object({ id: z.string(), sha256: z.string() }).meta({ id: 'HashedBytes' }),
  run: async (_, { id, content }) => {
    const hash = createHash('sha256')
    for await (const piece of content.read(8 * 1024 * 1024)) {
      // Others come meanwhile, and nothing of theirs gets in here.
      await setImmediate()
      hash.update(piece)
    }
    return { id, sha256: hash.digest('hex') }
  },
})

const further = [
  reading('readStream', 'stream'),
  reading('readLink', 'link'),
  counting,
  hashing,
] as AnyOperation[]

let one: TestService
let door: Door
let acme: TestOrganization
let secret: string
beforeAll(async () => {
  one = await startTestService({}, further)
  door = await one.listen()
  acme = await one.organization()
  secret = (await acme.key(['read:risks', 'write:risks'])).secret
})
afterAll(() => one.close())

const read = (path: string, headers = {}) => door.send(secret, 'GET', path, { headers })
/** Where a link leads, as a path of the door. */
const placeOf = ({ url }: { url: string }) => new URL(url).pathname
const follow = (link: { url: string }, headers = {}) => door.send(null, 'GET', placeOf(link), { headers })

describe('an answer of bytes', () => {
  test('is a stream by REST, as a file that no page shows or runs', async () => {
    const { status, text, headers } = await read('/v1/readStream/fox')
    expect([status, text]).toEqual([200, TEXT])
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': '19',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'content-disposition': `attachment; filename="a _fox___/_.html"; filename*=UTF-8''a%20%E2%80%9Cfox%E2%80%9D%0D%0A%2F%C3%A9.html`,
    })
    expect((await read('/v1/readStream/hen')).body).toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['bytes=4-8', 206, 'quick', 'bytes 4-8/19'],
    ['bytes=16-', 206, 'fox', 'bytes 16-18/19'],
    ['bytes=-3', 206, 'fox', 'bytes 16-18/19'],
    ['bytes=16-900', 206, 'fox', 'bytes 16-18/19'],
    ['bytes=8-4', 200, TEXT, undefined],
    ['bytes=0-1,4-5', 200, TEXT, undefined],
  ])('is had in part: %s', async (range, status, text, told) => {
    const answer = await read('/v1/readStream/fox', { range })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, told])
  })

  test('has no part behind its end', async () => {
    const { status, body, headers } = await read('/v1/readStream/fox', { range: 'bytes=19-' })
    expect([status, body.code, headers['content-range']]).toEqual([
      416,
      'range_not_satisfiable',
      'bytes */19',
    ])
    expect(headers['content-type']).toContain('problem+json')
  })

  test('is a link where it says so, which works once', async () => {
    const { status, body: link } = await read('/v1/readLink/fox')
    expect([status, link]).toEqual([
      200,
      {
        url: expect.stringMatching(/^http:\/\/localhost:3000\/download\/[\w-]{43}$/),
        expiresAt: expect.any(String),
        name: 'a “fox”\r\n/é.html',
        type: 'text/html',
        bytes: 19,
      },
    ])
    expect((await follow(link, { range: 'bytes=4-8' })).text).toBe('quick')
    expect((await follow(link)).body).toMatchObject({ status: 422, code: 'link_invalid' })
    expect((await read('/v1/readLink/hen')).body).toMatchObject({ code: 'not_found' })
  })

  test('is a link for an agent and for the web app, whatever it is by REST', async () => {
    const { result } = await callTool(door, secret, 'readStream', { id: 'fox' })
    expect((await follow(result.structuredContent)).text).toBe(TEXT)
    const web = await openWebAs(door, await acme.person('viewer'))
    const { body } = await web.call('readStream', { id: 'fox' })
    const { cookie } = web
    expect((await follow(body, { cookie })).text).toBe(TEXT)
  })

  test('a link of a session is nothing in another browser, and is not used up by it', async () => {
    const web = await openWebAs(door, await acme.person('viewer'))
    const other = await openWebAs(door, await acme.person('admin'))
    const { body } = await web.call('readLink', { id: 'fox' })
    expect((await follow(body)).status).toBe(422)
    expect((await follow(body, { cookie: other.cookie })).status).toBe(422)
    expect((await follow(body, { cookie: web.cookie })).text).toBe(TEXT)
  })

  test('a link dies with its key, and with five minutes', async () => {
    const key = await acme.key(['read:risks'])
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await door.send(key.secret, 'GET', '/v1/readLink/fox')).body),
    )
    await one.moveClock(4 * 60_000)
    expect((await follow(first)).text).toBe(TEXT)
    await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [key.id])
    expect((await follow(second)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('revoked'),
    })
    const third = (await read('/v1/readLink/fox')).body
    await one.moveClock(5 * 60_000)
    expect((await follow(third)).body).toMatchObject({ code: 'link_invalid' })
  })

  test('nothing is found by guessing, and nothing of a link is kept as it is', async () => {
    const { body } = await read('/v1/readLink/fox')
    for (const guess of ['x', 'x'.repeat(43), `${placeOf(body).split('/').at(-1)!.slice(0, -1)}_`])
      expect((await door.send(null, 'GET', `/download/${guess}`)).body.code).toBe('link_invalid')
    const { rows } = await one.administrator.query('select * from download_links')
    expect(JSON.stringify(rows)).not.toContain(placeOf(body).split('/').at(-1))
    expect((await door.send(null, 'HEAD', placeOf(body))).status).toBeGreaterThanOrEqual(404)
    expect((await follow(body)).text).toBe(TEXT)
  })
})

describe('bytes that come', () => {
  const put = (body: Buffer, headers: Record<string, string> = {}, path = '/v1/count-bytes/it?twice=true') =>
    door.send(secret, 'PUT', path, {
      body,
      headers: { 'content-type': 'application/octet-stream', ...headers },
    })

  test('are read by the operation, and the rest of its input from the query', async () => {
    expect((await put(Buffer.alloc(1024))).body).toEqual({ id: 'it', count: 2048 })
    expect((await put(Buffer.alloc(3), {}, '/v1/count-bytes/it')).body).toEqual({ id: 'it', count: 3 })
    expect((await put(Buffer.alloc(3), {}, '/v1/count-bytes/it?thrice=1')).body.errors).toEqual([
      expect.objectContaining({ path: 'thrice' }),
    ])
  })

  test('are refused for their size and type', async () => {
    expect((await put(Buffer.alloc(1025))).body).toMatchObject({ status: 413, code: 'body_too_large' })
    expect((await put(Buffer.alloc(3), { 'content-type': 'text/html' })).body).toMatchObject({
      code: 'unsupported_media_type',
      detail: expect.stringContaining('application/octet-stream'),
    })
  })

  test('are counted where nobody says how many come', async () => {
    const { statusCode, body } = await request(`${door.base}/v1/count-bytes/it`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/octet-stream' },
      body: Readable.from(parts('x'.repeat(1025))),
    })
    expect([statusCode, ((await body.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })

  test('are each as they were sent, however many come at once and how slowly they are read', async () => {
    const sent = [3_000_000, 1, 524_288, 524_289, 2_000_001].map((length) => randomBytes(length))
    const answers = await Promise.all(
      [...sent, ...sent].map((bytes) => put(bytes, {}, '/v1/hash-bytes/it').then(({ body }) => body.sha256)),
    )
    expect(answers).toEqual([...sent, ...sent].map(sha256))
  })

  test('that end before their time are refused, and the next are taken', async () => {
    const socket = connect(door.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `PUT /v1/hash-bytes/it HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/octet-stream\r\nContent-Length: 3000000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(1_500_000))
    socket.end()
    expect(String((await socket.toArray()).at(0) ?? '')).toMatch(/^(HTTP\/1\.1 400 |$)/)
    const bytes = randomBytes(1_000_000)
    expect((await put(bytes, {}, '/v1/hash-bytes/it')).body.sha256).toBe(sha256(bytes))
  })

  test('come from a page of ours, and from no other', async () => {
    const web = await openWebAs(door, await acme.person('editor'))
    const send = (headers: Record<string, string>) =>
      door.send(null, 'POST', '/web/countBytes?id=it', {
        body: Buffer.alloc(5),
        headers: { cookie: web.cookie, ...headers },
      })
    const origin = door.service.config.publicUrl
    const type = { 'content-type': 'application/octet-stream' }
    expect((await send({ origin, ...type })).body).toEqual({ id: 'it', count: 5 })
    expect((await send({ origin: 'https://elsewhere.example', ...type })).body.code).toBe('cross_site')
    for (const form of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])
      expect((await send({ origin, 'content-type': form })).body.code).toBe('unsupported_media_type')
  })
})

test('the document tells of both', () => {
  const { paths, components } = openApiOf(further)
  expect(paths['/v1/count-bytes/{id}']!.put!.requestBody).toEqual({
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  expect(paths['/v1/readStream/{id}']!.get!.responses['200']).toEqual({
    $ref: '#/components/responses/Bytes',
  })
  expect(components.responses.Bytes!.content).toHaveProperty('*/*')
  expect(paths['/v1/readLink/{id}']!.get!.responses['200']).toEqual({
    $ref: '#/components/responses/DownloadLink',
  })
})

test('what cannot be done anew, or made again, is refused at the start', () => {
  const changed = (changes: object) => () => assertServable([{ ...counting, ...changes } as AnyOperation])
  expect(changed({})).not.toThrow()
  expect(changed({ writes: true })).toThrow(/whose writes are 'own'/)
  expect(changed({ bodyIs: undefined })).toThrow(/name it as bodyIs/)
  expect(changed({ takes: { bytes: 1, values: 1 }, answers: 'stream' })).toThrow(/make it a GET/)
})
