import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepFiles, sweepStore } from '../server/files/sweep.ts'
import { startBucket, type TestBucket } from './support/bucket.ts'
import { sha256 } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: whatever kills a process that takes, finishes or removes a file, at each step of it or at any moment, no row is
 * without its bytes, and in the end no bytes are without a row. In a folder as in a bucket.
 */

const DAY = 24 * 60 * 60_000
const AT_ANY_MOMENT = Number(process.env.FILE_KILLS ?? 40)

let bucket: TestBucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.close())

test.each(['folder', 'bucket'] as const)('in a %s', async (where) => {
  const environment = where === 'bucket' ? { FILES: bucket.place, ...bucket.environment } : {}
  const one: TestService = await startTestService(environment)
  const acme: TestOrganization = await one.organization()
  const { files } = one.service.config as { files: { folder?: string } }
  let drawn = 0

  /** @returns how many steps it took; null where it was killed */
  async function run(act: 'upload' | 'sweep', kill: Record<string, string>): Promise<number | null> {
    const child = fork(fileURLToPath(new URL('./support/file-worker.ts', import.meta.url)), {
      env: {
        ...process.env,
        LOG_LEVEL: 'silent',
        METRICS_PORT: '0',
        ...(files.folder ? { FILES: files.folder } : {}),
        ...environment,
        TEST_URL: one.database.url,
        TEST_MASTER_KEY: one.masterKey,
        TEST_CALLER: JSON.stringify({ ...acme.admin, granted: [] }),
        TEST_ACT: act,
        TEST_FILE: String(drawn++),
        ...kill,
      },
      execArgv: [],
    })
    let steps: number | null = null
    child.on('message', (told: { steps?: number }) => {
      steps = told.steps ?? steps
    })
    const [code, signal] = await once(child, 'exit')
    expect([code, signal]).toEqual(steps === null ? [null, 'SIGKILL'] : [0, null])
    return steps
  }

  const keys = async () => {
    const all: string[] = []
    for await (const { key } of one.service.files.list()) all.push(key)
    return all
  }
  const contents = async () =>
    (await one.administrator.query('select id, sha256 from file_contents')).rows as {
      id: string
      sha256: string
    }[]
  async function everyRowHasItsBytes(): Promise<void> {
    const there = await keys()
    for (const { id, sha256: hash } of await contents()) {
      const key = there.find((one) => one.endsWith(`/${id}`))
      expect(key, id).toBeDefined()
      const read: Uint8Array[] = []
      for await (const chunk of one.service.files.open(key!)) read.push(chunk)
      expect(sha256(Buffer.concat(read))).toBe(hash)
    }
  }
  /** All is loose: a day after that was seen nothing is left, of rows or of bytes. */
  async function nothingIsLeft(): Promise<void> {
    for (const _ of [1, 2]) {
      await one.moveClock(2 * DAY)
      await sweepFiles(one.service)
      await sweepStore(one.service)
    }
    await one.moveClock(-4 * DAY)
    const { rows } = await one.administrator.query('select count(*)::int as count from files')
    expect([await keys(), await contents(), rows[0].count]).toEqual([[], [], 0])
  }

  let kills = 0
  for (let at = 1; ; at++) {
    const steps = await run('upload', { TEST_KILL_AT: String(at) })
    await everyRowHasItsBytes()
    await nothingIsLeft()
    if (steps !== null) break
    kills += 1
  }
  // Of the parts, of what they are joined to, and of what is removed.
  expect(kills).toBeGreaterThan(25)
  for (let at = 1; ; at++) {
    await run('upload', {})
    await run('upload', { TEST_KILL_AT: '14' })
    await one.moveClock(2 * DAY)
    await sweepFiles(one.service)
    await one.moveClock(2 * DAY)
    const steps = await run('sweep', { TEST_KILL_AT: String(at) })
    await everyRowHasItsBytes()
    await one.moveClock(-4 * DAY)
    await nothingIsLeft()
    if (steps !== null) break
    kills += 1
  }
  for (let kill = 0; kill < AT_ANY_MOMENT; kill++) {
    await run('upload', { TEST_KILL_AFTER: String(5 + kill * 3) })
    await everyRowHasItsBytes()
    await nothingIsLeft()
  }
  console.log(`${where}: ${kills} kills at steps, ${AT_ANY_MOMENT} at any moment`)
  await one.close()
})
