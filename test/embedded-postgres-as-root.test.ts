import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataDirectory, postmasterOf, query, runHolder } from './support/holder.ts'

// PostgreSQL refuses root. Root gets it all the same, by the first way that really works there.

const isRoot = process.getuid?.() === 0
const namespaces =
  spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true']).status === 0
const nobody = userNamed('nobody')
// Whether that user gets to our programs: not where the repository lies under a home that others cannot read.
const reachable =
  isRoot && spawnSync('test', ['-x', process.execPath, '-a', '-r', import.meta.filename], nobody).status === 0

test.skipIf(!isRoot || !namespaces)(
  'under a home that others cannot read, everything stays root’s',
  async () => {
    const dataDir = await closedDirectory()
    const holder = await runHolder('start', dataDir)
    expect(holder.refused).toBeNull()
    expect(await query(holder.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(0)
  },
)

test.skipIf(!isRoot || !reachable)('where namespaces are forbidden, another user runs it', async () => {
  const dataDir = await dataDirectory()
  chmodSync(dataDir, 0o711)
  const first = await runHolder('start', dataDir, { env: { PATH: await pathWithoutNamespaces() } })
  expect(first.refused).toBeNull()
  expect(userOf(postmasterOf(dataDir))).not.toBe(0)
  expect(statSync(join(dataDir, 'postgres/passwords.json'))).toMatchObject({ uid: 0 })
  expect(statSync(join(dataDir, 'postgres/passwords.json')).mode & 0o777).toBe(0o600)
  await first.end('SIGTERM')
  // And goes on to, where namespaces are allowed again.
  const second = await runHolder('start', dataDir)
  expect(second.url).toBe(first.url)
  expect(userOf(postmasterOf(dataDir))).not.toBe(0)
})

test.skipIf(!isRoot)('where there is no way, one line names DATABASE_URL', async () => {
  const { refused } = await runHolder('start', await closedDirectory(), {
    env: { PATH: await pathWithoutNamespaces() },
  })
  expect(refused).toMatch(/^PostgreSQL does not run as root, [^\n]* set DATABASE_URL [^\n]*$/)
})

test.skipIf(!reachable)('an ordinary user runs it as themselves', async () => {
  const dataDir = await dataDirectory()
  chownSync(dataDir, nobody.uid, nobody.gid)
  const holder = await runHolder('start', dataDir, nobody)
  expect(holder.refused).toBeNull()
  expect(userOf(postmasterOf(dataDir))).toBe(nobody.uid)
  await holder.end('SIGKILL')

  // Root may step in, and leaves the data to its user.
  const asRoot = await runHolder('start', dataDir)
  expect(asRoot.refused).toBeNull()
  expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(nobody.uid)
})

async function closedDirectory(): Promise<string> {
  const home = await dataDirectory()
  chmodSync(home, 0o700)
  mkdirSync(join(home, 'postgres'))
  return home
}

/** A search path on which `unshare` fails, as it does in many containers. */
async function pathWithoutNamespaces(): Promise<string> {
  const folder = await dataDirectory()
  writeFileSync(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${folder}:${process.env.PATH}`
}

function userOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function userNamed(name: string): { uid: number; gid: number } {
  const entry = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
  return { uid: Number(entry?.[1]), gid: Number(entry?.[2]) }
}
