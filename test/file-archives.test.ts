import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../server/files/archive/found.ts'
import { listArchive } from '../server/files/archive/read-archive.ts'
import { placeForArchive, removeArchivesLeft } from '../server/files/archives-left.ts'
import { sendFile, sha256 } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { type Packed, zipOf } from './support/zip.ts'

/*
 * Promise: an archive is taken apart into drafts of evidence, each file of it once and as it would be taken by itself;
 * what is made to harm is refused or left out, told, and nothing of it stays.
 */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-archives-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let drawn = 0
function list(bytes: Buffer) {
  const path = join(folder, `${drawn++}.zip`)
  writeFileSync(path, bytes)
  return listArchive(path)
}
const names = async (entries: readonly Packed[]) =>
  (await list(zipOf(entries))).entries.map(({ name, path }) => [name, path])
const refused = (bytes: Buffer) =>
  list(bytes).then(
    () => 'read',
    (error: Error) => error.message,
  )

describe('what is in an archive', () => {
  test('is counted and hashed as it comes out', async () => {
    const content = Buffer.from('All were reviewed. '.repeat(10_000))
    expect(
      await list(
        zipOf([
          { name: 'a/b.txt', content },
          { name: 'stored.txt', content, method: 0 },
        ]),
      ),
    ).toEqual({
      entries: [
        {
          index: 0,
          name: 'b.txt',
          path: 'a/b.txt',
          bytes: content.length,
          sha256: sha256(content),
          head: content.subarray(0, 4_100).toString('base64'),
        },
        expect.objectContaining({ index: 1, name: 'stored.txt', sha256: sha256(content) }),
      ],
      left: [],
    })
  })

  test('has names and no places', async () => {
    const content = 'x'
    expect(
      await names([
        { name: '../../etc/passwd.txt', content },
        { name: '/etc/shadow.txt', content },
        { name: 'C:\\Windows\\system.ini', content },
        { name: 'a/./../b/c.txt', content },
        { name: 'photo\u202egnp.exe', content },
        { name: 'two\nlines\u0000.txt', content },
        { name: `${'long'.repeat(500)}.txt`, content },
      ]),
    ).toEqual([
      ['passwd.txt', 'etc/passwd.txt'],
      ['shadow.txt', 'etc/shadow.txt'],
      ['system.ini', 'Windows/system.ini'],
      ['c.txt', 'a/b/c.txt'],
      ['photognp.exe', 'photognp.exe'],
      ['twolines.txt', 'twolines.txt'],
      [`${'long'.repeat(62)}lon.txt`, `${'long'.repeat(62)}lon.txt`],
    ])
  })

  test('is read in the encodings that names have', async () => {
    const content = 'x'
    expect(
      await names([
        { name: 'Prüfung.txt', content },
        { name: Buffer.from('Prüfung ohne Angabe.txt'), content },
        { name: Buffer.from([0x50, 0x72, 0x81, 0x66, 0x2e, 0x74, 0x78, 0x74]), content },
        { name: Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x2e, 0x74, 0x78, 0x74]), content },
      ]).then((all) => all.map(([name]) => name)),
    ).toEqual(['Prüfung.txt', 'Prüfung ohne Angabe.txt', 'Prüf.txt', 'âeâXâg.txt'])
  })

  test('is left out where it is no file, or cannot be read', async () => {
    const { entries, left } = await list(
      zipOf([
        { name: 'folder/', method: 0 },
        { name: '__MACOSX/._a.txt', content: 'x' },
        { name: 'Q1/__MACOSX/b.txt', content: 'x' },
        { name: '.DS_Store', content: 'x' },
        { name: 'Q1/._b.txt', content: 'x' },
        { name: 'Thumbs.db', content: 'x' },
        { name: '.env', content: 'x' },
        { name: 'Q1/.env', content: 'x' },
        { name: '.git/config.txt', content: 'x' },
        { name: '.git/objects/ab.txt', content: 'x' },
        { name: '..', content: 'x' },
        { name: 'Q1/c.txt/..', content: 'x' },
        { name: 'link.txt', content: '/etc/passwd', mode: 0o120_777 },
        { name: 'of macos.txt', content: '/etc/passwd', mode: 0o120_777, system: 19 },
        { name: 'locked.txt', content: 'x', flags: 1 },
        { name: 'odd.txt', content: 'x', method: 99 },
        { name: 'empty.txt' },
      ]),
    )
    expect(entries).toEqual([])
    expect(left.map(({ name, why }) => [name, why])).toEqual([
      ['.env', expect.stringContaining('hidden')],
      ['.env', expect.stringContaining('hidden')],
      ['.git', expect.stringContaining('hidden')],
      ['A file without a name', expect.stringContaining('folder')],
      ['A file without a name', expect.stringContaining('folder')],
      ['link.txt', expect.stringContaining('link')],
      ['of macos.txt', expect.stringContaining('link')],
      ['locked.txt', expect.stringContaining('password')],
      ['odd.txt', expect.stringContaining('packed')],
      ['empty.txt', expect.stringContaining('empty')],
    ])
  })
})

describe('refused is', () => {
  test('what holds more than it seems to', async () => {
    const zeros = Buffer.alloc(128 * 1024 * 1024)
    const deflated = deflateRawSync(zeros)
    const bomb = (count: number) =>
      zipOf(Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, deflated, bytes: zeros.length })))
    expect(bomb(5).length).toBeLessThan(1_000_000)
    expect(await refused(bomb(5))).toContain('more than 512 MB')
  }, 60_000)

  test('what has files in one place', async () => {
    const packed = { name: 'a.txt', content: 'x'.repeat(100) }
    expect(await refused(zipOf([packed, { ...packed, at: 0 }]))).toContain('damaged')
  })

  test('what says other sizes than it has', async () => {
    for (const bytes of [10, 1_000_000])
      expect(await refused(zipOf([{ name: 'a.txt', content: 'x'.repeat(1_000), bytes }]))).toContain(
        'damaged',
      )
  })

  test('what has too many entries, and what says so', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => ({ name: `${n}`, method: 0 }))
    expect(await refused(zipOf(many))).toContain(`more than ${LIMITS.entries}`)
    expect(await refused(zipOf(many.slice(0, 1), 100_000))).toContain(`more than ${LIMITS.entries}`)
  })

  test('what is broken, or none', async () => {
    const whole = zipOf([{ name: 'a.txt', content: 'x'.repeat(100) }])
    for (const bytes of [Buffer.from('PK'), whole.subarray(0, 60), whole.subarray(40), Buffer.alloc(100)])
      expect(await refused(bytes)).toContain('damaged')
  })
})

describe('taken apart', () => {
  let one: TestService
  let acme: TestOrganization
  beforeAll(async () => {
    one = await startTestService({ FILES_PER_ORGANIZATION: '3000000' })
    await one.service.jobs.start()
    acme = await one.organization()
  })
  afterAll(() => one.close())

  interface JobSeen {
    id: string
    state: string
    failure: string | null
    done: number
    total: number
    errors: { message: string }[]
  }
  const send = async (entries: readonly Packed[], { admin } = acme) =>
    sendFile(one, admin, 'evidence.zip', zipOf(entries))
  const apart = async (id: string, { admin } = acme) => {
    const { body } = await one.call(admin, 'takeArchiveApart', { id })
    return until(
      async () => {
        const job = (await one.call(admin, 'getJob', { id: (body as JobSeen).id })).body as JobSeen
        return ['succeeded', 'failed'].includes(job.state) && job
      },
      'the end of the job',
      30_000,
    )
  }
  const drafts = async ({ admin } = acme) =>
    (
      (await one.call(admin, 'listEvidence', { limit: 200, sort: 'createdAt' })).body as {
        data: {
          title: string
          status: string
          description: string
          files: { id: string; sha256: string }[]
        }[]
      }
    ).data

  test('each file is a draft, and what cannot be one is told', async () => {
    const inner = zipOf([{ name: 'inner.txt', content: 'Not opened.' }])
    const archive = await send([
      { name: 'Q1/first review.txt', content: 'The first.' },
      { name: 'Q1/again.txt', content: 'The first.' },
      { name: 'nested.zip', content: inner },
      { name: 'run.exe', content: 'MZ' },
      { name: 'page.pdf', content: '<html><script>alert(1)</script></html>' },
      { name: 'secret.txt', content: 'x', flags: 1 },
    ])
    const job = await apart(archive.id)
    expect(job).toMatchObject({
      title: 'Unpack an archive: evidence.zip',
      state: 'succeeded',
      done: 3,
      total: 3,
    })
    expect(job.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^secret.txt: It is protected/),
      expect.stringMatching(/^run.exe: Files of this type/),
      expect.stringMatching(/^page.pdf: The file is not what its name says/),
    ])
    const made = await drafts()
    expect(made.map(({ title, status, description }) => [title, status, description])).toEqual([
      ['first review', 'draft', 'Taken out of evidence.zip: Q1/first review.txt'],
      ['again', 'draft', 'Taken out of evidence.zip: Q1/again.txt'],
      ['nested', 'draft', 'Taken out of evidence.zip: nested.zip'],
    ])
    expect(made.map(({ files }) => files.map((file) => file.sha256))).toEqual([
      [sha256(Buffer.from('The first.'))],
      [sha256(Buffer.from('The first.'))],
      [sha256(inner)],
    ])
    const viewer = await acme.person('viewer')
    for (const { files } of made)
      expect((await one.call(viewer, 'downloadFile', { id: files[0]!.id })).status).toBe(200)
    // Asked again, it is the same job.
    expect((await apart(archive.id)).id).toBe(job.id)
    expect(await drafts()).toHaveLength(3)
  })

  test('what is damaged, or lies too deep, keeps out nothing else', async () => {
    const other = await one.organization()
    const archive = await send(
      [
        { name: 'changed.txt', content: 'AAAA', method: 0, crc: 1 },
        { name: `${Array(7).fill('😀'.repeat(100)).join('/')}/xq.exe`, content: 'MZ' },
        { name: 'whole.txt', content: 'All of it.' },
      ],
      other,
    )
    const job = await apart(archive.id, other)
    expect(job).toMatchObject({ state: 'succeeded', done: 1, total: 1 })
    expect(job.errors.map(({ message }) => message)).toEqual([
      'changed.txt: It is damaged: what comes out is not what was packed.',
      expect.stringMatching(/xq\.exe: Files of this type/),
    ])
    expect((await drafts(other)).map(({ title }) => title)).toEqual(['whole'])
  })

  test('asked for many times at once, cancelled and asked for again, each file is there once', async () => {
    const other = await one.organization()
    const editor = await other.person('editor')
    const entries = Array.from({ length: 120 }, (_, n) => ({ name: `log ${n}.txt`, content: `Line ${n}` }))
    const { id } = await sendFile(one, editor, 'evidence.zip', zipOf(entries))
    const ask = async () => ((await one.call(editor, 'takeArchiveApart', { id })).body as JobSeen).id
    // Nothing is written before it is cancelled.
    await one.administrator.query('begin')
    await one.administrator.query('lock table evidence in share row exclusive mode')
    const [job, ...others] = await Promise.all(Array.from({ length: 5 }, ask))
    expect(new Set([job, ...others]).size).toBe(1)
    const state = async () => ((await one.call(editor, 'getJob', { id: job! })).body as JobSeen).state
    await one.call(other.admin, 'cancelJob', { id: job! })
    await one.administrator.query('commit')
    await until(async () => (await state()) === 'cancelled', 'the cancel')
    await one.call(other.admin, 'resumeJob', { id: job! })
    // Whoever sent it sees it still, though it goes on as another.
    expect(await ask()).toBe(job)
    await until(async () => (await state()) === 'succeeded', 'the end of the job', 30_000)
    expect(await ask()).toBe(job)
    expect(new Set((await drafts(other)).map(({ title }) => title)).size).toBe(120)
    expect(await drafts(other)).toHaveLength(120)
  })

  test('what a killed process left in the temporary folder goes, and what is being read stays', async () => {
    const [left, read] = [placeForArchive(), placeForArchive()]
    for (const path of [left, read]) writeFileSync(path, 'PK')
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000)
    utimesSync(left, hoursAgo, hoursAgo)
    await removeArchivesLeft()
    expect([left, read].map((path) => existsSync(path))).toEqual([false, true])
    rmSync(read)
  })

  test('more than are taken out at a time are each there once', async () => {
    const other = await one.organization()
    const entries = Array.from({ length: 120 }, (_, n) => ({ name: `log ${n}.txt`, content: `Line ${n}` }))
    const job = await apart((await send(entries, other)).id, other)
    expect(job).toMatchObject({ state: 'succeeded', done: 120, total: 120, errors: [] })
    expect(new Set((await drafts(other)).map(({ title }) => title)).size).toBe(120)
  })

  test('where there is no room for all, none of what is over is there', async () => {
    const other = await one.organization()
    const content = Buffer.alloc(2_900_000, 'x')
    const job = await apart((await send([{ name: 'large.txt', content }], other)).id, other)
    expect(job).toMatchObject({ state: 'succeeded' })
    const second = await apart(
      (await send([{ name: 'other.txt', content: Buffer.alloc(500_000, 'y') }], other)).id,
      other,
    )
    expect(second).toMatchObject({ state: 'failed', failure: expect.stringContaining('3000000 bytes') })
    expect(await drafts(other)).toHaveLength(1)
    // The two archives and the one file: nothing of what there was no room for was put there for a while.
    const kept = await Array.fromAsync(one.service.files.list())
    expect(kept.filter(({ key }) => key.startsWith(other.admin.organizationId))).toHaveLength(3)
  })

  test('what is no archive, not finished, or somebody else’s is refused', async () => {
    const text = await sendFile(one, acme.admin, 'notes.txt')
    await expect(apart(text.id)).rejects.toMatchObject({ code: 'file_refused' })
    const archive = await send([{ name: 'a.txt', content: 'x' }])
    const editor = await acme.person('editor')
    await expect(one.call(editor, 'takeArchiveApart', { id: archive.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const broken = await sendFile(one, acme.admin, 'broken.zip', Buffer.from('PK\u0003\u0004 and nothing'))
    expect(await apart(broken.id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('damaged'),
    })
  })
})
