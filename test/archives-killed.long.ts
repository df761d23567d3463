/** Promise: whatever kills the processes that take an archive apart, each of its files is a draft once, and no bytes stay loose. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sweepFiles, sweepStore } from '../server/files/sweep.ts'
import { sendFile, sha256 } from './support/files.ts'
import { JobWorkers } from './support/job-workers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { zipOf } from './support/zip.ts'

const ENTRIES = 600
const KILLS = Number(process.env.ARCHIVE_KILLS ?? 10)
const DAY = 24 * 60 * 60_000

/** It only starts jobs; the processes below work them. */
let one: TestService
let acme: TestOrganization
let workers: JobWorkers
beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  acme = await one.organization()
  const { files } = one.service.config as { files: { folder?: string } }
  workers = new JobWorkers(one, { FILES: files.folder! })
})
afterEach(() => workers.endAll())
afterAll(() => one.close())

interface Job {
  readonly id: string
  readonly state: string
  readonly done: number
}

/** Bytes that the store has, by the ids of what they are of. */
async function stored(): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of one.service.files.list()) ids.push(key.split('/').at(-1)!)
  return ids.sort()
}

test(`${KILLS} kills between and in the pieces of an archive of ${ENTRIES} files`, async () => {
  const contentOf = (at: number) => `Line ${at}. `.repeat(500)
  const entries = Array.from({ length: ENTRIES }, (_, at) => ({
    name: `log ${at}.txt`,
    content: contentOf(at),
  }))
  const archive = await sendFile(one, acme.admin, 'evidence.zip', zipOf(entries))
  let worker = await workers.start()
  const { id } = (await one.call(acme.admin, 'takeArchiveApart', { id: archive.id })).body as Job
  const job = async () => (await one.call(acme.admin, 'getJob', { id })).body as Job
  let kills = 0
  while (kills < KILLS) {
    const { done, state } = await job()
    if (state === 'succeeded') break
    // By turns as soon as a piece is written, and once the bytes of the next have come into the store.
    const isBetween = kills % 2 === 0
    const before = (await stored()).length
    await until(
      async () =>
        (isBetween ? (await job()).done > done : (await stored()).length > before) ||
        (await job()).state === 'succeeded',
      'the next piece',
      60_000,
    )
    await workers.end(worker)
    kills += 1
    worker = await workers.start()
  }
  await until(async () => (await job()).state === 'succeeded', 'the end of the job', 120_000)
  expect(kills).toBe(KILLS)
  expect(await job()).toMatchObject({ done: ENTRIES })
  const { rows } = await one.administrator.query<{ title: string; files: { sha256: string }[] }>(
    'select title, files from evidence where organization_id = $1',
    [acme.id],
  )
  expect(rows).toHaveLength(ENTRIES)
  const hashes = new Map(rows.map(({ title, files }) => [title, files.map((file) => file.sha256)]))
  for (let at = 0; at < ENTRIES; at += 1)
    expect(hashes.get(`log ${at}`), `log ${at}`).toEqual([sha256(Buffer.from(contentOf(at)))])
  // What a kill left in the store goes with the sweep, and nothing else does.
  for (const _ of [1, 2]) {
    await one.moveClock(2 * DAY)
    await sweepFiles(one.service)
    await sweepStore(one.service)
  }
  const { rows: contents } = await one.administrator.query<{ id: string }>('select id from file_contents')
  const known = contents.map((content) => content.id).sort()
  expect(known.length).toBeGreaterThanOrEqual(ENTRIES)
  expect(await stored()).toEqual(known)
}, 600_000)
