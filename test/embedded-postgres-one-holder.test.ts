import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataDirectory, query, runHolder, serversOf, usedDirectory } from './support/holder.ts'
import { until } from './support/until.ts'

// One process at a time has a data directory. The command line joins a service, or is that one process itself.

test('a second service is refused at once, by a line that names the directory and who has it', async () => {
  const dataDir = await usedDirectory()
  const first = await runHolder('start', dataDir)
  const second = await runHolder('start', dataDir)
  expect(second.refused).toBe(
    `The data directory ${dataDir} is in use by process ${first.pid}. Stop that one first, or set DATA_DIR to another directory.`,
  )
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a note that names a living stranger holds nothing', async () => {
  const dataDir = await usedDirectory()
  await (await runHolder('start', dataDir)).end('SIGKILL')
  writeFileSync(
    join(dataDir, 'postgres/holder.json'),
    JSON.stringify({ pid: process.pid, purpose: 'service' }),
  )
  expect((await runHolder('start', dataDir)).refused).toBeNull()
})

test('of four services started together one gets the directory', async () => {
  const dataDir = await usedDirectory()
  const all = await Promise.all(Array.from({ length: 4 }, () => runHolder('start', dataDir)))
  expect(all.filter(({ refused }) => refused === null)).toHaveLength(1)
})

test('a command joins the server of a running service and leaves it running', async () => {
  const dataDir = await usedDirectory()
  const service = await runHolder('start', dataDir)
  const command = await runHolder('join', dataDir)
  expect(command.url).toBe(service.url)
  await command.end('SIGTERM')
  expect(command.child.exitCode).toBe(0)
  expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a command waits for a service that is starting', async () => {
  const dataDir = await dataDirectory()
  const starting = runHolder('start', dataDir)
  await until(() => existsSync(join(dataDir, 'postgres/holder.json')))
  const [service, command] = await Promise.all([starting, runHolder('join', dataDir)])
  expect([service.refused, command.refused]).toEqual([null, null])
  expect(command.url).toBe(service.url)
})

test('a service waits for a command that holds the directory', async () => {
  const dataDir = await usedDirectory()
  const command = await runHolder('join', dataDir)
  await query(command.url, 'create table kept as select 42 as answer')

  const service = runHolder('start', dataDir)
  expect(await Promise.race([service.then(() => 'started'), pause(700).then(() => 'waiting')])).toBe(
    'waiting',
  )
  await command.end('SIGTERM')
  expect(await query((await service).url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('commands take turns', async () => {
  const dataDir = await usedDirectory()
  const first = await runHolder('join', dataDir)
  const second = runHolder('join', dataDir)
  expect(await Promise.race([second.then(() => 'started'), pause(700).then(() => 'waiting')])).toBe('waiting')
  await first.end('SIGTERM')
  expect((await second).refused).toBeNull()
})

test('a command alone leaves nothing running', async () => {
  const dataDir = await usedDirectory()
  const alone = await runHolder('join', dataDir)
  await alone.end('SIGTERM')
  expect(alone.child.exitCode).toBe(0)
  expect(serversOf(dataDir)).toEqual([])
})

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
