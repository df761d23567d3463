import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '../server/database/embedded.ts'
import { commandLine, commandLineAlone } from './support/command-line.ts'

// Without DATABASE_URL: on the embedded server, whether a service runs it or not.

const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-command-'))
const alone = commandLineAlone({ DATA_DIR: dataDir })
const plumbline = commandLine({ DATA_DIR: dataDir })
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const create = (name: string) =>
  alone(`organization create --name ${name} --admin-email ana@example.com --json`, 'a few plain words')
const names = async () =>
  ((await plumbline('organization list --json')).json as { data: { name: string }[] }).data.map(
    ({ name }) => name,
  )

test('on a fresh directory two commands at once take turns, and find one key and one database', async () => {
  const [one, other] = await Promise.all([create('One'), alone('organization list --json')])
  expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(other).toMatchObject({ code: 0, stderr: '' })
  expect(await names()).toEqual(['One'])
  expect(statSync(join(dataDir, 'master-key')).mode & 0o777).toBe(0o600)
})

test('while a service runs, commands join its server and leave it running', async () => {
  const service = await startEmbedded({ dataDir, publicUrl: 'http://localhost:4000' })
  try {
    expect((await Promise.all([create('Two'), create('Three')])).map(({ code }) => code)).toEqual([0, 0])
    // Links lead to it, whatever the port that it was given.
    const invited = await plumbline(
      'user add --organization Two --email bo@example.com --name Bo --role viewer --json',
    )
    expect(invited.json).toMatchObject({
      invitation: { link: expect.stringMatching(/^http:\/\/localhost:4000\/invitation#token=/) },
    })
    expect((await names()).toSorted()).toEqual(['One', 'Three', 'Two'])
  } finally {
    await service.stop()
  }
  expect(await service.exited).toBeNull()
  expect(await names()).toHaveLength(3)
})

test('config check tells every setting and no secret', async () => {
  const key = readFileSync(join(dataDir, 'master-key'), 'utf8').trim()
  const checked = await plumbline('config check --json')
  expect(checked.code).toBe(0)
  expect(checked.json).toMatchObject({
    ok: true,
    settings: { DATA_DIR: dataDir, RATE_LIMIT: '500/600s' },
    database: { kind: 'embedded', reachable: true, login: { mayCreateRoles: true, missingRoles: [] } },
    masterKey: { source: 'DATA_DIR', opens: true },
  })
  expect(checked.stdout).not.toContain(key.split(':')[1])
  const { stdout } = await plumbline('config check')
  expect(stdout).toContain('All good.')
  expect(stdout).toMatch(/^ {2}login\n {4}name +\S+\n {4}superuser +false$/m)
  expect(stdout).toMatch(/^ {2}schema\n {4}applied +\S+$/m)
})

test('a master key that was lost is asked for, and none is made beside organizations', async () => {
  const path = join(dataDir, 'master-key')
  renameSync(path, `${path}.away`)
  const lost = await plumbline('organization list --json')
  const detail = expect.stringMatching(new RegExp(`^There is no master key at ${path}, .* put the file back`))
  expect(lost).toMatchObject({ code: 1, stdout: '', json: { code: 'config_invalid', detail } })
  const checked = await plumbline('config check --json')
  expect(checked.json).toMatchObject({ ok: false, masterKey: { opens: false, problem: detail } })
  expect(existsSync(path)).toBe(false)
  renameSync(`${path}.away`, path)
  expect(await names()).toHaveLength(3)
})
