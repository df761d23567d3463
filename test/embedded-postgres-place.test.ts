import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataDirectory, query, runHolder } from './support/holder.ts'

// Where it listens: beside the data, in a fresh private folder where that path is too long, on loopback at last.

test('under a path too long for a socket it listens in a private folder, gone afterwards', async () => {
  const dataDir = join(await dataDirectory(), 'a-name-that-is-long-'.repeat(6))
  await mkdir(dataDir)
  const holder = await runHolder('start', dataDir)
  expect(await query(holder.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const folder = hostOf(holder.url)
  expect(folder).not.toContain(dataDir)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)

  // The command line finds it all the same.
  const command = await runHolder('join', dataDir)
  expect(command.url).toBe(holder.url)
  await command.end('SIGTERM')

  await holder.end('SIGTERM')
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('without sockets it listens on a free port of 127.0.0.1, for those with the password', async () => {
  const holder = await runHolder('start', await dataDirectory(), { args: ['--listen', 'loopback'] })
  expect(hostOf(holder.url)).toBe('127.0.0.1')
  expect(await query(holder.url, 'select host(inet_server_addr()) as host')).toEqual([{ host: '127.0.0.1' }])
  await expect(query(holder.url.replace(/:[^:@/]+@/, ':guess@'), 'select 1')).rejects.toThrow('password')
})

test('a directory that cannot be written is refused by one line', async () => {
  const file = join(await dataDirectory(), 'a file')
  await writeFile(file, '')
  const { refused } = await runHolder('start', join(file, 'data'))
  expect(refused).toMatch(/^The data directory [^\n]*a file\/data cannot be used [^\n]*Set DATA_DIR [^\n]*$/)
})

function hostOf(url: string): string {
  return decodeURIComponent(/[?&]host=([^&]*)/.exec(url)?.[1] ?? '')
}
