import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { readConfig } from '../server/config.ts'
import { DatabaseUnreachable, isUnreachable } from '../server/database/errors.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
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

test.each(['HOST', 'METRICS_HOST'])(
  'an address of another machine is told by the name of %s',
  async (name) => {
    const dataDir = join(tmpdir(), `plumbline-nothing-${name}`)
    const failed = await commandLine({ [name]: '192.0.2.1', DATA_DIR: dataDir })('config check --json')
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.json).toMatchObject({
      code: 'config_invalid',
      detail: expect.stringMatching(
        new RegExp(`^${name}=192\\.0\\.2\\.1 is not valid: give an address of this machine`),
      ),
    })
    expect(existsSync(dataDir)).toBe(false)
  },
)

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
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL=… is not valid/],
  [{ DATABASE_URL: url, DATABASE_OWNER_URL: 'db' }, /^DATABASE_OWNER_URL=… is not valid: give a URL/],
  [{ DATABASE_OWNER_URL: url }, /^DATABASE_OWNER_URL is set and DATABASE_URL is not/],
  [
    { DATABASE_URL: url, MASTER_KEY_FILE: '/nowhere' },
    /^MASTER_KEY_FILE=\/nowhere is not valid: .* cannot be read \(ENOENT\)/,
  ],
  [{ MASTER_KEY: 'x', MASTER_KEY_FILE: '/x' }, /^MASTER_KEY and MASTER_KEY_FILE are both set/],
  [{ HOST: 'localhost:3000' }, /^HOST=localhost:3000 is not valid: give an address of this machine/],
  [{ HOST: '127.0.0.256' }, /^HOST=127\.0\.0\.256 is not valid/],
  [{ METRICS_HOST: 'http://[::]' }, /^METRICS_HOST=http:\/\/\[::\] is not valid/],
  [
    { PUBLIC_URL: 'http://plumbline.example.com' },
    /^PUBLIC_URL=http:\/\/plumbline\.example\.com is not valid/,
  ],
  [{ METRICS_PORT: '3000' }, /^METRICS_PORT=3000 is not valid: the calls are taken at that PORT/],
  [{ METRICS_PORT: '-1' }, /^METRICS_PORT=-1 is not valid: give a whole number/],
  [
    { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, 10.1.2.3/8' },
    /^WEBHOOK_ALLOWED_NETWORKS=10\.1\.2\.3\/8 is not valid: .* did you mean 10\.0\.0\.0\/8\?\.$/,
  ],
  [{ WEBHOOK_ALLOWED_NETWORKS: 'lan' }, /^WEBHOOK_ALLOWED_NETWORKS=lan is not valid/],
  [{ WEBHOOK_CA_FILE: 'package.json' }, /^WEBHOOK_CA_FILE=package\.json is not valid: .* no certificate/],
  [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy.example' }, /^TRUSTED_PROXIES=proxy\.example is not valid/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES=0\.0\.0\.0\/0 is not valid: everybody could say/],
  [{ SMTP_URL: 'mail.example.com' }, /^SMTP_URL=… is not valid: give a URL such as smtps:/],
  [{ SMTP_URL: 'smtp://me:s3cret@mail.example.com' }, /^SMTP_URL=… is not valid: .*from=/],
  [{ RATE_LIMIT: '500/0s' }, /^RATE_LIMIT=500\/0s is not valid: the window must have a length/],
  [{ WEBHOOK_RETRY_DELAYS: '30s,999999d' }, /^WEBHOOK_RETRY_DELAYS=999999d is not valid: a year/],
  [{ AUDIT_CHECKPOINTS_FILE: '/tmp' }, /^AUDIT_CHECKPOINTS_FILE=\/tmp is not valid: give the path of a file/],
  [{ LOG_LEVEL: 'verbose' }, /^LOG_LEVEL=verbose is not valid: give one of trace, debug/],
  [{ ROLE: 'web' }, /^ROLE=web is not valid: give one of all, api, worker/],
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

test('a database without TLS is told how to do without', () => {
  const error = new Error('The server does not support SSL connections')
  expect(isUnreachable(error)).toBe(true)
  expect(new DatabaseUnreachable('DATABASE_OWNER_URL', error).message).toMatch(
    /speak TLS with a certificate that DATABASE_OWNER_URL can verify .* sslmode=disable/,
  )
})
