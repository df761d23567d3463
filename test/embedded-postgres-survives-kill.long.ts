import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { dataDirectory, postmasterOf, query, runHolder, serversOf, usedDirectory } from './support/holder.ts'
import { until } from './support/until.ts'

// However the processes end, what was committed is there and the next start needs no help.
const KEPT = 'create table kept as select 42 as answer'

test('after a kill of the service PostgreSQL ends by itself, and the next start has the data', async () => {
  const dataDir = await usedDirectory()
  const killed = await runHolder('start', dataDir)
  await query(killed.url, KEPT)
  await killed.end('SIGKILL')
  await until(() => serversOf(dataDir).length === 0)
  expect(await query((await runHolder('start', dataDir)).url, 'select answer from kept')).toEqual([
    { answer: 42 },
  ])
})

test('a start right after a kill waits for the old server to be gone', async () => {
  const dataDir = await usedDirectory()
  const killed = await runHolder('start', dataDir)
  await query(killed.url, KEPT)
  await killed.end('SIGKILL')
  const next = await runHolder('start', dataDir)
  expect(next.refused).toBeNull()
  expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('after a kill of PostgreSQL it comes back at the same place while the service runs', async () => {
  const dataDir = await usedDirectory()
  const holder = await runHolder('start', dataDir)
  await query(holder.url, KEPT)
  for (let round = 0; round < 3; round += 1) {
    const before = postmasterOf(dataDir)
    process.kill(before, 'SIGKILL')
    await until(async () => {
      const rows = await query(holder.url, 'select answer from kept').catch(() => [])
      return rows.length === 1 && postmasterOf(dataDir) !== before
    })
  }
  expect(holder.log).toContain('PostgreSQL ended unexpectedly; starting it again')
  await holder.end('SIGTERM')
  expect(holder.child.exitCode).toBe(0)
})

test('a server whose supervising shell was killed is replaced', async () => {
  const dataDir = await usedDirectory()
  const holder = await runHolder('start', dataDir)
  const before = postmasterOf(dataDir)
  process.kill(parentOf(before), 'SIGKILL')
  await until(() => holder.log.includes('PostgreSQL runs again'))
  expect(postmasterOf(dataDir)).not.toBe(before)
  expect(await query(holder.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a kill in the middle of the very first start leaves nothing that the next one stumbles over', async () => {
  const dataDir = await dataDirectory()
  const note = join(dataDir, 'postgres/holder.json')
  for (const milliseconds of [150, 350, 550, 800]) {
    const first = runHolder('start', dataDir)
    await until(() => existsSync(note))
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    process.kill(JSON.parse(readFileSync(note, 'utf8')).pid, 'SIGKILL')
    await first
    rmSync(note)
  }
  const next = await runHolder('start', dataDir)
  expect(next.refused).toBeNull()
  expect(await query(next.url, 'select current_database() as name')).toEqual([{ name: 'plumbline' }])
})

test('busy children of a killed PostgreSQL do not keep the next one from starting', async () => {
  const dataDir = await usedDirectory()
  const killed = await runHolder('start', dataDir)
  await query(killed.url, KEPT)
  const busy = new pg.Client({ connectionString: killed.url })
  busy.on('error', () => {})
  await busy.connect()
  const [backend] = (await busy.query('select pg_backend_pid() as pid')).rows
  busy.query('select count(*) from generate_series(1, 100000000000)').catch(() => {})
  await until(() => serversOf(dataDir).includes(backend.pid))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const postmaster = postmasterOf(dataDir)
  killed.child.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')

  const next = await runHolder('start', dataDir)
  expect(next.refused).toBeNull()
  expect(serversOf(dataDir)).not.toContain(backend.pid)
  expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a stale pid file that names a stranger does not keep it from starting', async () => {
  const dataDir = await usedDirectory()
  const killed = await runHolder('start', dataDir)
  const file = join(dataDir, 'postgres/cluster/postmaster.pid')
  const text = readFileSync(file, 'utf8')
  const postmaster = postmasterOf(dataDir)
  killed.child.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await until(() => serversOf(dataDir).length === 0)

  const stranger = spawn('sleep', ['60'])
  onTestFinished(() => void stranger.kill())
  writeFileSync(file, text.replace(/^\d+/, String(stranger.pid)))
  const next = await runHolder('start', dataDir)
  expect(next.refused).toBeNull()
  expect(stranger.exitCode).toBeNull()
})

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
