import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scanWaiting } from '../server/files/scan-file.ts'
import { sweepFiles, sweepStore } from '../server/files/sweep.ts'
import { chunks, sendFile } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/*
 * Promise: with a scanner nobody gets a file before it has looked into it, and nobody ever gets one in which it found
 * something; the admins are told. While it is away files wait, and are scanned once it is back.
 */

/** As much of clamd as it is asked for: it finds what says EICAR. */
const scanner = { holds: false, isAway: false, refused: 0, scanned: [] as number[] }
let server: Server
let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  server = createServer((socket) => void answer(socket).catch(() => socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  one = await startTestService({ FILES_SCAN: `clamd://127.0.0.1:${port}` })
  await one.service.jobs.start()
  acme = await one.organization()
})
afterAll(async () => {
  await one.close()
  server.close()
})
beforeEach(() => {
  scanner.holds = false
  scanner.isAway = false
})

async function answer(socket: Socket): Promise<void> {
  if (scanner.isAway) {
    scanner.refused += 1
    return void socket.destroy()
  }
  let read = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
  })
  await until(() => read.subarray(-4).equals(Buffer.alloc(4)))
  expect(read.subarray(0, 10).toString()).toBe('zINSTREAM\0')
  let content = Buffer.alloc(0)
  for (let at = 10; at < read.length - 4; ) {
    const length = read.readUInt32BE(at)
    content = Buffer.concat([content, read.subarray(at + 4, at + 4 + length)])
    at += 4 + length
  }
  await until(async () => !scanner.holds)
  scanner.scanned.push(content.length)
  socket.end(content.includes('EICAR') ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
}

const read = async (id: string) =>
  (await one.call(acme.admin, 'getFile', { id })).body as { status: string; scan: string }
const download = (id: string) => one.call(acme.admin, 'downloadFile', { id })

test('a file waits for the scanner, and is there once that found nothing', async () => {
  scanner.holds = true
  const content = Buffer.from('Nothing to be found. '.repeat(20_000))
  const { id, status } = await sendFile(one, acme.admin, 'clean.txt', content)
  expect(status).toBe('scanning')
  await expect(download(id)).rejects.toMatchObject({ code: 'file_not_ready' })
  scanner.holds = false
  await until(async () => (await read(id)).status === 'ready')
  expect(await read(id)).toMatchObject({ scan: 'clean' })
  expect(scanner.scanned).toEqual([content.length])
  expect((await download(id)).status).toBe(200)
  // Of the same bytes the answer is known.
  expect(await sendFile(one, acme.admin, 'again.txt', content)).toMatchObject({ status: 'ready' })
  expect(scanner.scanned).toHaveLength(1)
})

test('one in which something was found is given to nobody, and the admins are told', async () => {
  const { id } = await sendFile(one, acme.admin, 'bad.txt', Buffer.from('EICAR'))
  await until(async () => (await read(id)).status === 'infected')
  await expect(download(id)).rejects.toMatchObject({ code: 'file_refused' })
  const evidence = (await one.call(acme.admin, 'createEvidence', { title: 'Bad' })).body as { id: string }
  await expect(
    one.call(acme.admin, 'addEvidenceFiles', { id: evidence.id, fileIds: [id] }),
  ).rejects.toMatchObject({ members: { errors: [{ message: expect.stringContaining('infected') }] } })
  const { rows } = await one.administrator.query(
    "select subject->>'title' as title, reason, channel from audit_entries where action = 'file.find_infected'",
  )
  expect(rows).toEqual([{ title: 'bad.txt', reason: 'Eicar-Test-Signature', channel: 'scheduler' }])
  const { body } = await one.call(acme.admin, 'listNotices', {})
  expect(body).toMatchObject({
    data: [
      {
        kind: 'file_infected',
        words: 'The virus scanner found Eicar-Test-Signature in bad.txt',
        page: '/evidence',
      },
    ],
  })
})

test('what is infected lies where nothing serves it, and goes with its file', async () => {
  const keys = async () => {
    const all: string[] = []
    for await (const { key } of one.service.files.list()) all.push(key)
    return all
  }
  const { id } = await sendFile(one, acme.admin, 'worse.txt', Buffer.from('EICAR, and worse'))
  await until(async () => (await read(id)).status === 'infected')
  const its = async () => (await keys()).filter((key) => key.includes(id))
  await until(async () => (await its()).every((key) => key === `${acme.id}/infected/${id}`))
  expect(await its()).toHaveLength(1)
  // A kill between the two leaves it in both places.
  const kept = `${acme.id}/kept/xx/xx/${id}`
  await one.service.files.put(kept, chunks(Buffer.from('EICAR')), 5)
  await one.moveClock(25 * 60 * 60_000)
  await sweepStore(one.service)
  expect(await its()).toEqual([`${acme.id}/infected/${id}`])
  // The same bytes are known, and taken nowhere.
  const again = await sendFile(one, acme.admin, 'again.txt', Buffer.from('EICAR, and worse'))
  expect(again.status).toBe('infected')
  await expect(download(again.id)).rejects.toMatchObject({ code: 'file_refused' })
  for (const _ of [1, 2]) {
    await sweepFiles(one.service)
    await one.moveClock(25 * 60 * 60_000)
  }
  await sweepFiles(one.service)
  expect(await its()).toEqual([])
  await one.moveClock(-3 * 25 * 60 * 60_000)
})

test('while the scanner is away files wait, and are scanned by the clock once it is back', async () => {
  scanner.isAway = true
  const { id } = await sendFile(one, acme.admin, 'waits.txt', Buffer.from('Later.'))
  await until(() => scanner.refused > 0)
  expect(await read(id)).toMatchObject({ status: 'scanning' })
  await one.administrator.query(
    "update jobs set due_at = null, ended_at = clock_now() where kind = 'scanFile'",
  )
  scanner.isAway = false
  await scanWaiting(one.service)
  expect(await read(id)).toMatchObject({ status: 'scanning' })
  await one.moveClock(2 * 60 * 60_000)
  await scanWaiting(one.service)
  await until(async () => (await read(id)).status === 'ready')
})
