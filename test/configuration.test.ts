import { expect, inject, test } from 'vitest'
import { newMasterKey } from '../server/access/keyring.ts'
import { readConfig } from '../server/config.ts'
import { prepare } from '../server/preparation.ts'
import { commandLine } from './support/command-line.ts'
import { freshDatabase } from './support/database.ts'

// What a wrong setting is answered with, by the command that is there to tell.

test('a value that makes no sense is named', async () => {
  const failed = await commandLine({ PORT: 'many', DATA_DIR: '/nowhere' })('config check --json')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.json).toMatchObject({
    code: 'config_invalid',
    detail: expect.stringMatching(/^PORT=many is not valid/),
  })
})

test('DATABASE_URL asks for a master key', async () => {
  const failed = await commandLine({ DATABASE_URL: inject('url') })('organization list --json')
  expect(failed.json).toMatchObject({
    code: 'config_invalid',
    detail: expect.stringMatching(/^MASTER_KEY is missing/),
  })
})

test('a master key of the wrong form is told without being shown', async () => {
  const secret = 'c2hvcnQ='
  const failed = await commandLine({ DATABASE_URL: inject('url'), MASTER_KEY: `k1:${secret}` })(
    'config check --json',
  )
  expect(failed.code).toBe(1)
  expect(failed.json).toMatchObject({
    ok: false,
    masterKey: { opens: false, problem: expect.stringContaining('32 random bytes') },
  })
  expect(failed.stdout + failed.stderr).not.toContain(secret)
})

test('a database that is not there is told without its password', async () => {
  const url = 'postgresql://plumbline:s3cret-word@127.0.0.1:1/plumbline'
  const plumbline = commandLine({ DATABASE_URL: url, MASTER_KEY: newMasterKey() })
  const failed = await plumbline('organization list --json')
  expect(failed.json).toMatchObject({ code: 'unavailable', status: 503 })
  const checked = await plumbline('config check --json')
  expect(checked.code).toBe(1)
  expect(checked.json).toMatchObject({
    ok: false,
    settings: { DATABASE_URL: 'postgresql://plumbline:…@127.0.0.1:1/plumbline', MASTER_KEY: '(set)' },
    database: { reachable: false },
  })
  for (const { stdout, stderr } of [failed, checked]) expect(stdout + stderr).not.toContain('s3cret-word')
})

const url = 'postgresql://plumbline:word@127.0.0.1:1/plumbline'
test.each([
  [
    { DATABASE_URL: 'postgresql://plumbline:s3cret#word@db/plumbline' },
    /^DATABASE_URL=… is not valid: it is not a URL; in a password/,
  ],
  [
    { DATABASE_URL: `${url}?sslrootcert=/nowhere/ca.pem` },
    /^DATABASE_URL=… .* \/nowhere\/ca\.pem that it names cannot be read \(ENOENT\)/,
  ],
  [{ DATABASE_URL: url, DATABASE_OWNER_URL: 'db' }, /^DATABASE_OWNER_URL=… is not valid: give a URL/],
  [{ DATABASE_OWNER_URL: url }, /^DATABASE_OWNER_URL is set and DATABASE_URL is not/],
  [
    { DATABASE_URL: url, MASTER_KEY_FILE: '/nowhere' },
    /^MASTER_KEY_FILE=\/nowhere is not valid: .* cannot be read \(ENOENT\)/,
  ],
  [{ MASTER_KEY: 'x', MASTER_KEY_FILE: '/x' }, /^MASTER_KEY and MASTER_KEY_FILE are both set/],
])('%o is told by its name', (environment, line) => {
  const read = () => readConfig(environment)
  expect(read).toThrow(line)
  expect(read).not.toThrow('s3cret')
})

test('a setting of the owner that leads elsewhere is named, and nothing is migrated there', async () => {
  const [served, other] = await Promise.all([freshDatabase(), freshDatabase()])
  const start = (DATABASE_OWNER_URL: string) =>
    prepare(
      readConfig({ DATABASE_URL: served.url, DATABASE_OWNER_URL, MASTER_KEY: newMasterKey() }),
      served.url,
    )
  await expect(start(other.url)).rejects.toThrow(
    /^DATABASE_OWNER_URL \(plumbline_test_\w+\) and DATABASE_URL \(plumbline_test_\w+\) lead to different/,
  )
  await expect(start(url)).rejects.toThrow(/ECONNREFUSED.*: check DATABASE_OWNER_URL/)
  await Promise.all([served.drop(), other.drop()])
})
