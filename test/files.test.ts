import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IncomingBytes } from '../server/bytes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { keyOfContent } from '../server/files/keys.ts'
import { openFileStore } from '../server/files/open-store.ts'
import { openFolder } from '../server/files/store/folder.ts'
import { sweepFiles, sweepStore } from '../server/files/sweep.ts'
import type { Parts } from '../server/operation.ts'
import { operations } from '../server/operations.ts'
import { startBucket, type TestBucket } from './support/bucket.ts'
import { programOf } from './support/callers.ts'
import type { Door } from './support/door.ts'
import { beginFile, incoming, partOf, type SentFile, sendFile, sendPart, sha256 } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { openWebAs } from './support/web.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: a file comes in parts, in any order and as often as it takes, and is kept once per organization as the bytes
 * that its hash says, or not at all; it goes a day after nothing points at it. The same in a folder as in a bucket.
 *
 * TEST_S3 names a real one as well, as FILES would (`s3://bucket?endpoint=http://127.0.0.1:9000`), with
 * AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for it.
 */

const DAY = 24 * 60 * 60_000
/** Three parts of 64 KB, the last a short one. */
const TEXT = Buffer.from('All is well. '.repeat(12_000))
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')])

let bucket: TestBucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.close())

/** Of the bucket that the environment names, a place that is empty. */
function realBucket(): Record<string, string> {
  const { TEST_S3, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const place = new URL(TEST_S3!)
  place.pathname = `/${randomUUID()}`
  return { FILES: place.href, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

const settings = {
  folder: () => ({}),
  bucket: () => ({ FILES: bucket.place, ...bucket.environment }),
  'real bucket': realBucket,
}
const places = ['folder', 'bucket', ...(process.env.TEST_S3 ? (['real bucket'] as const) : [])] as const

describe.each(places)('in a %s', (where) => {
  let one: TestService
  let door: Door
  let acme: TestOrganization
  beforeAll(async () => {
    one = await startTestService(settings[where]())
    door = await one.listen()
    acme = await one.organization()
  })
  afterAll(() => one.close())

  const keys = async () => {
    const all: string[] = []
    for await (const { key } of one.service.files.list()) all.push(key)
    return all.sort()
  }
  const read = async (key: string) => {
    const read: Uint8Array[] = []
    for await (const chunk of one.service.files.open(key)) read.push(chunk)
    return Buffer.concat(read)
  }
  const clearAway = async () => {
    await one.moveClock(2 * DAY)
    await sweepFiles(one.service)
    await one.moveClock(2 * DAY)
    await sweepFiles(one.service)
    await sweepStore(one.service)
    // What is put is of the machine's time.
    await one.moveClock(-4 * DAY)
  }

  test('parts come in any order, one twice, and are one file once it is finished', async () => {
    const { id } = await beginFile(one, acme.admin, 'notes.txt', TEXT)
    for (const number of [3, 1, 3]) await sendPart(one, acme.admin, id, number, partOf(TEXT, number))
    expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({
      status: 'uploading',
      parts: [1, 3],
    })
    await expect(one.call(acme.admin, 'finishFile', { id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('send 2, and finish'),
    })
    await sendPart(one, acme.admin, id, 2, partOf(TEXT, 2), { sha256: sha256(partOf(TEXT, 2)) })
    const finished = (await one.call(acme.admin, 'finishFile', { id })).body
    expect(finished).toMatchObject({ status: 'ready', scan: 'unscanned', type: 'text/plain', parts: [] })
    expect((await one.call(acme.admin, 'finishFile', { id })).body).toEqual(finished)
    const [key, ...others] = await keys()
    expect(others).toEqual([])
    expect(key).toMatch(new RegExp(`^${acme.id}/kept/../../${id}$`))
    expect((await read(key!)).equals(TEXT)).toBe(true)
    await expect(sendPart(one, acme.admin, id, 2, partOf(TEXT, 2))).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('a part that is short, long or another is not kept', async () => {
    const { id } = await beginFile(one, acme.admin, 'notes.txt', TEXT)
    const part = partOf(TEXT, 1)
    const send = (input: object) => one.call(acme.admin, 'putFilePart', { id, number: '1', ...input })
    const named = (path: string) => ({ code: 'validation_failed', members: { errors: [{ path }] } })
    await expect(send({ content: incoming(part.subarray(1)) })).rejects.toMatchObject(named('content'))
    await expect(send({ content: incoming(part.subarray(1), null) })).rejects.toMatchObject(named('content'))
    await expect(send({ content: incoming(TEXT, null) })).rejects.toMatchObject({ code: 'body_too_large' })
    await expect(send({ content: incoming(part), number: '4' })).rejects.toMatchObject(named('number'))
    await expect(send({ content: incoming(part), sha256: sha256(TEXT) })).rejects.toMatchObject(
      named('sha256'),
    )
    await expect(send({ content: incoming(part.subarray(1), part.length) })).rejects.toMatchObject({
      code: 'malformed_request',
    })
    expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({ parts: [] })
    await sendPart(one, acme.admin, id, 1, part)
    // One that is there is not while it is written over.
    await expect(send({ content: incoming(part.subarray(1), part.length) })).rejects.toThrow()
    expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({ parts: [] })
  })

  test('whoever still sends a part of what is finished by now changes none of its bytes', async () => {
    const text = Buffer.from('All was well. '.repeat(12_000))
    const { id } = await beginFile(one, acme.admin, 'notes.txt', text)
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = Buffer.alloc(partOf(text, 1).length, 'Nothing is well. ')
    async function* slowly() {
      yield other.subarray(0, 1_000)
      begun.resolve()
      await gate.promise
      yield other.subarray(1_000)
    }
    const content = new IncomingBytes('application/octet-stream', other.length, slowly())
    const late = one.call(acme.admin, 'putFilePart', { id, number: '1', content })
    await begun.promise
    for (const number of [1, 2, 3]) await sendPart(one, acme.admin, id, number, partOf(text, number))
    expect((await one.call(acme.admin, 'finishFile', { id })).body).toMatchObject({ status: 'ready' })
    gate.resolve()
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    expect((await read(keyOfContent(acme.id, id))).equals(text)).toBe(true)
  })

  test('parts that came to several processes are one file, whichever finishes it', async () => {
    const text = Buffer.from('All will be well. '.repeat(9_000))
    const process = () => ({ ...one.service, files: openFileStore(one.service.config.files) })
    const ask = (parts: Parts, name: string, input: object) =>
      call(parts, acme.admin, operations.find((one) => one.name === name)!, input)
    const { id } = await beginFile(one, acme.admin, 'notes.txt', text)
    const [first, second] = [process(), process()]
    for (const [parts, number] of [
      [first, 1],
      [second, 2],
      [first, 3],
      [second, 3],
    ] as const)
      await ask(parts, 'putFilePart', { id, number: `${number}`, content: incoming(partOf(text, number)) })
    expect((await ask(process(), 'finishFile', { id })).body).toMatchObject({ status: 'ready' })
    expect((await read(keyOfContent(acme.id, id))).equals(text)).toBe(true)
    expect((await keys()).filter((key) => key.includes(`incoming/${id}`))).toEqual([])
  })

  test('bytes with another hash are let go, and can be sent again', async () => {
    const { id } = await beginFile(one, acme.admin, 'notes.txt', TEXT, { sha256: sha256(PDF) })
    for (const number of [1, 2, 3]) await sendPart(one, acme.admin, id, number, partOf(TEXT, number))
    await expect(one.call(acme.admin, 'finishFile', { id })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({
      status: 'uploading',
      parts: [],
    })
  })

  test('a PDF whose header has other bytes before it is taken, and stored unchanged', async () => {
    for (const [name, before, behind] of [
      ['gateway.pdf', '\r\nX-Scanned: yes\r\n', ''],
      ['blank.pdf', '\ufeff \n\n', '\n%%EOF\nX-Trailer: yes\n'],
      ['zeros.pdf', '\0'.repeat(1_019), ''],
    ] as const) {
      const bytes = Buffer.concat([Buffer.from(before), PDF, Buffer.from(behind)])
      const { id } = await sendFile(one, acme.admin, name, bytes)
      expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({
        ...{ type: 'application/pdf', bytes: bytes.length, sha256: sha256(bytes) },
      })
    }
    for (const [name, content] of [
      ['late.pdf', Buffer.concat([Buffer.alloc(1_020, 'x'), PDF])],
      ['picture.pdf', Buffer.concat([Buffer.from('GIF89a'), PDF])],
      ['unpacks-itself.zip', Buffer.concat([Buffer.from('MZ'), zipOf([{ name: 'a', content: 'x' }])])],
      [
        'unpacks-itself.docx',
        Buffer.concat([Buffer.from('#!/bin/sh\n'), zipOf([{ name: 'a', content: 'x' }])]),
      ],
      ['notes.md', PDF],
    ] as const)
      await expect(sendFile(one, acme.admin, name, content)).rejects.toMatchObject({ code: 'file_refused' })
    // A text that names the header is a text.
    const spoken = Buffer.from('A PDF begins with %PDF-1.7.')
    await expect(sendFile(one, acme.admin, 'about.md', spoken)).resolves.toBeDefined()
  })

  test('what is not what its name says is refused, and what is not on the list before its bytes come', async () => {
    for (const [name, content] of [
      ['report.pdf', Buffer.from('<html><script>alert(1)</script></html>')],
      ['picture.png', PDF],
      ['sheet.xlsx', TEXT],
      ['notes.txt', Buffer.from([0, 1, 2, 3])],
    ] as const)
      await expect(sendFile(one, acme.admin, name, content)).rejects.toMatchObject({ code: 'file_refused' })
    for (const name of ['page.html', 'picture.svg', 'sheet.xlsm', 'run.exe', 'nothing'])
      await expect(beginFile(one, acme.admin, name, PDF)).rejects.toMatchObject({ code: 'file_refused' })
    for (const name of ['a/b.pdf', 'a\\b.pdf', 'a\nb.pdf', 'exe\u202efdp.txt'])
      await expect(beginFile(one, acme.admin, name, PDF)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('finished twice at once, one of the two finishes it', async () => {
    const { id } = await beginFile(one, acme.admin, 'once.pdf', PDF)
    await sendPart(one, acme.admin, id, 1, PDF)
    const both = await Promise.allSettled([1, 2].map(() => one.call(acme.admin, 'finishFile', { id })))
    const done = both.filter(({ status }) => status === 'fulfilled')
    expect(done.length).toBeGreaterThan(0)
    for (const each of both)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' })
    expect((await one.call(acme.admin, 'getFile', { id })).body).toMatchObject({ status: 'ready' })
  })

  test('the same bytes are kept once in an organization, and another knows nothing of them', async () => {
    const before = await keys()
    const first = await sendFile(one, acme.admin, 'one.pdf', Buffer.concat([PDF, Buffer.from('same')]))
    const second = await sendFile(one, acme.admin, 'two.pdf', Buffer.concat([PDF, Buffer.from('same')]))
    expect(second.id).not.toBe(first.id)
    expect(await keys()).toHaveLength(before.length + 1)
    const other = await one.organization()
    await sendFile(one, other.admin, 'three.pdf', Buffer.concat([PDF, Buffer.from('same')]))
    expect(await keys()).toHaveLength(before.length + 2)
    for (const name of ['getFile', 'downloadFile'])
      await expect(one.call(other.admin, name, { id: first.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('whoever did not send it neither sees it nor adds to it', async () => {
    const editor = await acme.person('editor')
    const { id } = await beginFile(one, editor, 'mine.pdf', PDF)
    const another = await acme.person('editor')
    await expect(one.call(another, 'getFile', { id })).rejects.toMatchObject({ code: 'not_found' })
    for (const who of [another, acme.admin]) {
      await expect(sendPart(one, who, id, 1, PDF)).rejects.toMatchObject({ code: 'not_found' })
      await expect(one.call(who, 'finishFile', { id })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('it is downloaded by a link, whole and in part', async () => {
    const editor = await acme.person('editor')
    const { id } = await sendFile(one, editor, 'long.txt', TEXT)
    const web = await openWebAs(door, editor)
    const link = async () => new URL((await web.call('downloadFile', { id })).body.url).pathname
    const get = async (headers: object = {}) =>
      door.send(null, 'GET', await link(), { headers: { cookie: web.cookie, ...headers } })
    expect((await get()).text).toBe(TEXT.toString())
    const part = await get({ range: 'bytes=13-24' })
    expect([part.status, part.text]).toEqual([206, 'All is well.'])
    const { id: unfinished } = await beginFile(one, editor, 'later.txt', TEXT)
    expect((await web.call('downloadFile', { id: unfinished })).body.code).toBe('file_not_ready')
  })

  test('whoever reads slowly, beside others, gets every byte as it was', async () => {
    const text = Buffer.from(
      Array.from({ length: 350_000 }, (_, line) => `Line ${line} of a log.\n`).join(''),
    )
    const { id } = await beginFile(one, acme.admin, 'large.log', text, { partBytes: text.length })
    await sendPart(one, acme.admin, id, 1, text)
    await one.call(acme.admin, 'finishFile', { id })
    const web = await openWebAs(door, acme.admin)
    const readSlowly = async () => {
      const link = new URL((await web.call('downloadFile', { id })).body.url)
      const { body } = await request(`${door.base}${link.pathname}`, { headers: { cookie: web.cookie } })
      const read: Uint8Array[] = []
      for await (const chunk of body) {
        read.push(chunk)
        await setImmediate()
      }
      return Buffer.concat(read).equals(text)
    }
    expect(await Promise.all([readSlowly(), readSlowly(), readSlowly()])).toEqual([true, true, true])
  })

  test('what nothing points at goes after a day, and what is held stays', async () => {
    await clearAway()
    expect(await keys()).toEqual([])
    const [loose, held] = [
      await sendFile(one, acme.admin, 'loose.pdf', PDF),
      await sendFile(one, acme.admin, 'held.txt', TEXT),
    ]
    await one.call(acme.admin, 'updateFile', { id: held.id, legalHold: true })
    const { id: begun } = await beginFile(one, acme.admin, 'begun.txt', TEXT)
    await expect(one.call(acme.admin, 'updateFile', { id: begun, legalHold: true })).rejects.toMatchObject({
      code: 'file_not_ready',
    })
    expect((await one.call(acme.admin, 'listHeldFiles', {})).body).toMatchObject({
      data: [{ id: held.id, name: 'held.txt', legalHold: true, evidence: [] }],
      total: 1,
    })
    await sendPart(one, acme.admin, begun, 1, partOf(TEXT, 1))
    expect(await keys()).toHaveLength(3)
    await sweepFiles(one.service)
    await sweepStore(one.service)
    expect(await keys()).toHaveLength(3)
    await clearAway()
    expect(await keys()).toEqual([expect.stringContaining(held.id)])
    expect((await one.call(acme.admin, 'getFile', { id: held.id })).body).toMatchObject({ legalHold: true })
    for (const id of [loose.id, begun])
      await expect(one.call(acme.admin, 'getFile', { id })).rejects.toMatchObject({ code: 'not_found' })
    await one.call(acme.admin, 'updateFile', { id: held.id, legalHold: false })
    await clearAway()
    expect(await keys()).toEqual([])
    if (where === 'bucket') {
      expect(bucket.open.size).toBe(0)
      expect(bucket.encrypted.size).toBeGreaterThan(0)
    }
  })

  test('whatever ends a process in the middle leaves no row without bytes, and in the end no bytes without a row', async () => {
    await clearAway()
    const { files } = one.service
    let reached = Promise.withResolvers<void>()
    const die = (): Promise<never> => {
      reached.resolve()
      return new Promise(() => {})
    }
    const finish = operations.find(({ name }) => name === 'finishFile')!
    for (const [step, dying] of Object.entries({
      'before its bytes are there': { join: die },
      'once its bytes are there': {
        join: async (...given: Parameters<typeof files.join>) => {
          await files.join(...given)
          return die()
        },
      },
      'before its parts are removed': { removeParts: die },
    })) {
      const { id } = await beginFile(one, acme.admin, 'killed.txt', TEXT)
      for (const number of [1, 2, 3]) await sendPart(one, acme.admin, id, number, partOf(TEXT, number))
      const parts = { ...one.service, files: { ...files, ...dying } }
      reached = Promise.withResolvers()
      await Promise.race([call(parts, acme.admin, finish, { id }), reached.promise])
      const after = await one
        .call(acme.admin, 'getFile', { id })
        .then(({ body }) => (body as SentFile).status)
      if (step !== 'before its parts are removed') {
        expect([step, after]).toEqual([step, 'uploading'])
        await expect(one.call(acme.admin, 'finishFile', { id })).rejects.toMatchObject({ code: 'conflict' })
        await one.moveClock(61_000)
      }
      expect((await one.call(acme.admin, 'finishFile', { id })).body).toMatchObject({ status: 'ready' })
      await one.call(acme.admin, 'updateFile', { id, legalHold: true })
      await clearAway()
      expect([step, await keys()]).toEqual([step, [expect.stringContaining('/kept/')]])
      await one.call(acme.admin, 'updateFile', { id, legalHold: false })
      await one.moveClock(2 * DAY)
      await sweepFiles(one.service)
      await one.moveClock(2 * DAY)
      const cutShort = {
        ...one.service,
        files: { ...files, remove: async () => Promise.reject(new Error('killed')) },
      }
      await expect(sweepFiles(cutShort)).rejects.toThrow('killed')
      await expect(one.call(acme.admin, 'getFile', { id })).rejects.toMatchObject({ code: 'not_found' })
      expect(await keys()).toHaveLength(1)
      await sweepStore(one.service)
      expect([step, await keys()]).toEqual([step, []])
      await one.moveClock(-4 * DAY)
    }
  })

  test('more than a block is put whole, opened in part, and given up where its source fails', async () => {
    const { files } = one.service
    const large = Buffer.alloc(17 * 1024 * 1024, 'A large one. ')
    await files.put('large/one', incoming(large).read(large.length), large.length)
    expect((await read('large/one')).equals(large)).toBe(true)
    const part: Uint8Array[] = []
    for await (const chunk of files.open('large/one', { from: 13, to: 24 })) part.push(chunk)
    expect(Buffer.concat(part).toString()).toBe('A large one.')
    const cut = incoming(large.subarray(1), large.length).read(large.length)
    await expect(files.put('large/two', cut, large.length)).rejects.toMatchObject({
      code: 'malformed_request',
    })
    await files.remove('large/one')
    await files.remove('large/one')
    expect((await keys()).filter((key) => key.startsWith('large'))).toEqual([])
  })

  test('bytes that no row knows are removed, once they have been there for a day', async () => {
    const file = await sendFile(one, acme.admin, 'known.pdf', PDF)
    const stray = [
      `${acme.id}/kept/zz/zz/fil_${'0'.repeat(26)}`,
      `${acme.id}/incoming/${file.id}/1`,
      'what/else',
    ]
    for (const key of stray) await one.service.files.put(key, incoming(PDF).read(PDF.length), PDF.length)
    await sweepStore(one.service)
    expect(await keys()).toHaveLength(4)
    await one.moveClock(2 * DAY)
    await sweepStore(one.service)
    expect(await keys()).toEqual([expect.stringContaining(file.id)])
  })
})

test('a bucket that fails for a moment is asked again, and one that refuses is told of', async () => {
  const one = await startTestService({ FILES: bucket.place, ...bucket.environment })
  const { admin } = await one.organization()
  bucket.failing = 2
  expect(await sendFile(one, admin)).toMatchObject({ status: 'ready' })
  // Larger than a block: in several parts, given up where the source fails.
  const large = Buffer.alloc(9 * 1024 * 1024, 'large ')
  await one.service.files.put('large', incoming(large).read(large.length), large.length)
  expect(bucket.objects.get('of/us/large')!.bytes.equals(large)).toBe(true)
  const cut = incoming(large.subarray(1), large.length).read(large.length)
  await expect(one.service.files.put('cut', cut, large.length)).rejects.toMatchObject({
    code: 'malformed_request',
  })
  expect([bucket.objects.has('of/us/cut'), bucket.open.size]).toEqual([false, 0])
  bucket.objects.clear()
  const missing = async () => {
    for await (const _ of one.service.files.open('large'));
  }
  await expect(missing()).rejects.toThrow(/404 NoSuchKey/)
  await one.close()
})

describe('limits', () => {
  let one: TestService
  let door: Door
  beforeAll(async () => {
    one = await startTestService({
      FILE_MAX_BYTES: '100000',
      FILES_PER_ORGANIZATION: '150000',
      FILE_TYPES: 'image/svg+xml',
    })
    door = await one.listen()
  })
  afterAll(() => one.close())

  test('of one file, and of all of an organization, those begun too', async () => {
    const { admin } = await one.organization()
    const begin = (bytes: number) => beginFile(one, admin, 'a.pdf', PDF, { bytes })
    await expect(begin(100_001)).rejects.toMatchObject({ code: 'file_refused' })
    await begin(100_000)
    await expect(begin(50_001)).rejects.toMatchObject({ code: 'storage_full' })
    await begin(50_000)
    await expect(begin(1)).rejects.toMatchObject({ code: 'storage_full' })
    const { admin: neighbour } = await one.organization()
    await beginFile(one, neighbour, 'a.pdf', PDF, { bytes: 100_000 })
  })

  test('of room: what is begun again takes none of it once more, and is another file of another person', async () => {
    const { admin, person } = await one.organization()
    const again = (by: Caller, given: object = {}) =>
      beginFile(one, by, 'a.txt', TEXT, { bytes: 90_000, ...given })
    const { id } = await again(admin)
    await sendPart(one, admin, id, 2, TEXT.subarray(0, 90_000 - 64 * 1024))
    expect(await again(admin)).toMatchObject({ id, parts: [2] })
    const others = await Promise.all([
      again(admin, { name: 'b.txt', bytes: 1_000 }),
      again(admin, { partBytes: 128 * 1024, bytes: 1_000 }),
      again(await person('editor'), { bytes: 1_000 }),
    ])
    expect(new Set([id, ...others.map((one) => one.id)]).size).toBe(4)
    // It is kept for a day from then.
    await one.moveClock(DAY - 60_000)
    expect(await again(admin)).toMatchObject({ id, parts: [2] })
    await one.moveClock(120_000)
    await sweepFiles(one.service)
    expect(await again(admin)).toMatchObject({ id, parts: [2] })
    await sendPart(one, admin, id, 1, TEXT.subarray(0, 64 * 1024))
    await expect(one.call(admin, 'finishFile', { id })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await again(admin)).toMatchObject({ id, parts: [] })
  })

  test('of what one person begins and does not finish, which they and admins can end', async () => {
    const { admin, person } = await one.organization()
    const [editor, other] = [await person('editor'), await person('editor')]
    let drawn = 0
    const begin = (by: Caller) => beginFile(one, by, `a${++drawn}.pdf`, PDF, { bytes: 1_000 })
    const begun: SentFile[] = []
    for (let count = 0; count < 20; count++) begun.push(await begin(editor))
    await expect(begin(editor)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`cancelFile, as the oldest, ${begun[0]!.id}`),
    })
    await begin(other)
    const end = (by: Caller, { id }: SentFile) => one.call(by, 'cancelFile', { id })
    await expect(end(other, begun[0]!)).rejects.toMatchObject({ code: 'not_found' })
    await sendPart(one, editor, begun[0]!.id, 1, PDF.subarray(0, 1_000))
    await end(editor, begun[0]!)
    await end(admin, begun[1]!)
    await expect(end(editor, begun[0]!)).rejects.toMatchObject({ code: 'not_found' })
    await begin(editor)
    // A part that is on its way meanwhile is told that there is nothing any more.
    const ended = begun[2]!
    async function* slowly() {
      yield PDF.subarray(0, 10)
      await end(editor, ended)
      yield PDF.subarray(10, 1_000)
    }
    const content = new IncomingBytes('application/octet-stream', 1_000, slowly())
    const sent = one.call(editor, 'putFilePart', { id: ended.id, number: '1', content })
    await expect(sent).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await sendFile(one, other, 'whole.pdf', PDF)
    await expect(one.call(other, 'cancelFile', { id })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('an operator lets in a further type', async () => {
    const { admin } = await one.organization()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    await expect(sendFile(one, admin, 'drawn.svg', svg)).rejects.toMatchObject({ code: 'file_refused' })
    const begun = await beginFile(one, admin, 'drawn.svg', svg, { type: 'image/svg+xml' })
    await sendPart(one, admin, begun.id, 1, svg)
    expect((await one.call(admin, 'finishFile', { id: begun.id })).body).toMatchObject({
      type: 'image/svg+xml',
    })
  })

  test('a key sees no file for whoever made it, but what evidence has', async () => {
    const acme = await one.organization()
    const { id } = await sendFile(one, acme.admin, 'of a comment.txt', Buffer.from('Of a risk'))
    const key = programOf(acme.admin, ['read:evidence', 'write:evidence'])
    for (const name of ['getFile', 'downloadFile'])
      await expect(one.call(key, name, { id })).rejects.toMatchObject({ code: 'not_found' })
    const evidence = (await one.call(acme.admin, 'createEvidence', { title: 'Review' })).body as SentFile
    await one.call(acme.admin, 'addEvidenceFiles', { id: evidence.id, fileIds: [id] })
    expect((await one.call(key, 'getFile', { id })).body).toMatchObject({ name: 'of a comment.txt' })
  })

  test('no key sends a file, and is told what to do', async () => {
    const acme = await one.organization()
    const { secret } = await acme.key(['read:evidence', 'write:evidence'])
    const { id } = await beginFile(one, acme.admin, 'a.pdf', PDF)
    const refused = { status: 415, body: { code: 'file_upload_not_allowed' } }
    const body = { name: 'b.pdf', bytes: 10, sha256: sha256(PDF) }
    expect(await door.send(secret, 'POST', '/v1/files', { body })).toMatchObject(refused)
    const headers = { 'content-type': 'application/octet-stream' }
    expect(await door.send(secret, 'PUT', `/v1/files/${id}/parts/1`, { body: PDF, headers })).toMatchObject(
      refused,
    )
    expect(await door.send(secret, 'POST', `/v1/files/${id}/finish`)).toMatchObject(refused)
  })
})

describe('what is two things at once', () => {
  const SCRIPT = '<script>alert(document.cookie)</script>'
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const behind = (head: Buffer | string, text: string) =>
    Buffer.concat([Buffer.from(head), Buffer.from(text)])
  let one: TestService
  let door: Door
  beforeAll(async () => {
    one = await startTestService()
    door = await one.listen()
  })
  afterAll(() => one.close())

  test.each([
    ['picture.png', 'image/png', behind(PNG, `<html>${SCRIPT}</html>`)],
    ['moving.gif', 'image/gif', behind('GIF89a', '=1;alert(1)//')],
    [
      'report.pdf',
      'application/pdf',
      behind('%PDF-1.7\n', '1 0 obj<</S/JavaScript/JS(app.alert(1))>>endobj'),
    ],
    [
      'macros.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      zipOf([{ name: 'xl/vbaProject.bin', content: 'Sub Auto_Open()' }]),
    ],
    ['drawn.xml', 'application/xml', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    ['notes.txt', 'text/plain', Buffer.from(`<html>${SCRIPT}</html>`)],
  ])('%s is given as it came, to be saved and by no page shown or run', async (name, type, content) => {
    const { admin } = await one.organization()
    const { id } = await sendFile(one, admin, name, content)
    const web = await openWebAs(door, admin)
    const link = new URL((await web.call('downloadFile', { id })).body.url).pathname
    const { status, headers, text } = await door.send(null, 'GET', link, { headers: { cookie: web.cookie } })
    expect([status, text]).toEqual([200, content.toString()])
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    })
  })
})

test('parts that are gone from their folder are asked for again', async () => {
  const one = await startTestService()
  const { admin, id: organizationId } = await one.organization()
  const { id } = await beginFile(one, admin, 'a.pdf', PDF)
  const { folder } = one.service.config.files as { folder: string }
  const other = openFolder(folder)
  await sendPart(one, admin, id, 1, PDF)
  await other.removeParts(`${organizationId}/incoming/${id}`, [])
  // As after a restart: what the process had there is somebody else's.
  const parts = { ...one.service, files: other }
  const finish = operations.find(({ name }) => name === 'finishFile')!
  await expect(call(parts, admin, finish, { id })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('send all of them again'),
  })
  expect((await one.call(admin, 'getFile', { id })).body).toMatchObject({ parts: [] })
  await one.close()
})
