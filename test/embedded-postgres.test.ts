import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataDirectory, query, runHolder, serversOf } from './support/holder.ts'

// Needs nothing but a directory, whatever its name, and keeps what was written.
test('the embedded PostgreSQL starts from nothing, ends cleanly and starts again with its data', async () => {
  const dataDir = await dataDirectory()
  const first = await runHolder('start', dataDir)
  expect(first.refused).toBeNull()
  await query(first.url, 'create table kept as select 42 as answer')
  await first.end('SIGTERM')
  expect(first.child.exitCode).toBe(0)
  expect(serversOf(dataDir)).toEqual([])

  const second = await runHolder('start', dataDir)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('it makes commits durable, knows Unicode and has a login without special rights', async () => {
  const { url, administratorUrl } = await runHolder('start', await dataDirectory())
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses']
  const list = settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')
  expect(await query(url, `select ${list}, lower('ÄÉ') as folded`)).toEqual([
    {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      folded: 'äé',
    },
  ])
  const who = `select rolname, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user`
  expect(await query(url, who)).toEqual([
    { rolname: 'plumbline', rolsuper: false, rolbypassrls: false, rolcreaterole: true },
  ])
  expect(await query(administratorUrl, who)).toMatchObject([{ rolname: 'postgres', rolsuper: true }])
})

test('nobody gets in without the password, and the password is in files of ours alone', async () => {
  const dataDir = await dataDirectory()
  const { url, administratorUrl } = await runHolder('start', dataDir)
  for (const known of [url, administratorUrl]) {
    await expect(query(known.replace(/:[^:@/]+@/, ':guess@'), 'select 1')).rejects.toThrow('password')
  }
  const mode = async (name: string) =>
    ((await stat(join(dataDir, 'postgres', name))).mode & 0o777).toString(8)
  expect(await mode('passwords.json')).toBe('600')
  expect(await mode('socket')).toBe('700')
  expect(await mode('cluster')).toBe('700')
})

test('a directory brought back without its passwords gets new ones', async () => {
  const dataDir = await dataDirectory()
  const first = await runHolder('start', dataDir)
  await query(first.url, 'create table kept as select 1 as answer')
  await first.end('SIGTERM')
  await rm(join(dataDir, 'postgres', 'passwords.json'))
  const second = await runHolder('start', dataDir)
  expect(second.url).not.toBe(first.url)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 1 }])
})
