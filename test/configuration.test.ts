import { expect, inject, test } from 'vitest'
import { newMasterKey } from '../server/access/keyring.ts'
import { commandLine } from './support/command-line.ts'

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
