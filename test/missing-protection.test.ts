import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { commandLine } from './support/command-line.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { asAdministrator } from './support/postgres.ts'

/* A database that was restored without its roles or policies is not served, and what is missing is named. */

const MASTER_KEY = newMasterKey()

async function fresh(): Promise<FreshDatabase> {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  return database
}

interface Found {
  readonly ok: boolean
  readonly database: { readonly problem: string; readonly missing?: Record<string, string[]> }
}

test('config check names policies, grants, row security and functions that are missing', async () => {
  const database = await fresh()
  await asAdministrator(database.administratorUrl, async (client) => {
    await client.query('drop policy tenant on risks')
    await client.query('revoke insert on controls from plumbline_tenant')
    await client.query('alter table vendors no force row level security')
    await client.query('alter function drop_weeks(timestamptz) owner to current_user')
  })
  const plumbline = commandLine({ DATABASE_URL: database.url, MASTER_KEY })
  const { code, json } = await plumbline('config check --json')
  expect(code).toBe(1)
  expect((json as Found).database.missing).toEqual({
    roles: [],
    policies: ['tenant on risks'],
    grants: ['insert on controls to plumbline_tenant'],
    unforced: ['vendors'],
    functions: ['drop_weeks'],
  })
  const refused = await plumbline('organization list --json')
  expect(refused.json).toMatchObject({
    code: 'database_unfit',
    detail: expect.stringMatching(
      /lacks what keeps organizations apart: 1 policies \(tenant on risks\); .*docs\/backup\.md/,
    ),
  })
})

test('a database with everything lacks nothing', async () => {
  const database = await fresh()
  const { json } = await commandLine({ DATABASE_URL: database.url, MASTER_KEY })('config check --json')
  expect((json as Found).database.missing).toBeUndefined()
})

let server: EmbeddedDatabase
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'plumbline-roles-'))
  server = await startEmbedded({ dataDir, isThrownAway: true })
  await migrate({ url: server.url })
  await asAdministrator(server.administratorUrl, async (client) => {
    // As on another server, to which roles do not come with a dump.
    for (const role of ['tenant', 'gate', 'engine'])
      await client.query(`alter role plumbline_${role} rename to other_${role}`)
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test.each(['organization list', 'migrate', 'keyring reseal'])(
  '%s says which roles are missing',
  async (command) => {
    const refused = await commandLine({ DATABASE_URL: server.url, MASTER_KEY })(`${command} --json`)
    expect(refused.code).toBe(1)
    expect(refused.json).toMatchObject({
      code: 'database_unfit',
      detail: expect.stringContaining(
        'the roles plumbline_tenant, plumbline_gate, plumbline_engine. That happens where a dump is restored',
      ),
    })
  },
)

test('config check names the roles, and what went with them', async () => {
  const { code, json } = await commandLine({ DATABASE_URL: server.url, MASTER_KEY })('config check --json')
  expect(code).toBe(1)
  const { problem, missing } = (json as Found).database
  expect(problem).toContain('the roles plumbline_tenant')
  expect(missing!.roles).toEqual(['plumbline_tenant', 'plumbline_gate', 'plumbline_engine'])
  expect(missing!.policies).toContain('tenant on risks')
})

test('the service ends with that line, and without a stack trace', async () => {
  const { spawnSync } = await import('node:child_process')
  const ended = spawnSync(process.execPath, ['server/main.ts'], {
    env: { PATH: process.env.PATH, DATABASE_URL: server.url, MASTER_KEY, PORT: '0', METRICS_PORT: '0' },
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(ended.status).toBe(1)
  expect(ended.stderr).toContain('lacks what keeps organizations apart')
  expect(ended.stderr).not.toContain('"stack"')
})
