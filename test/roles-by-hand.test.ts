import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMasterKey } from '../server/access/keyring.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded.ts'
import { commandLine } from './support/command-line.ts'
import { asAdministrator } from './support/postgres.ts'

// A plain PostgreSQL whose administrator makes roles by hand and gives the service no right to make any: one
// login owns the tables and migrates, another serves. A server of its own, since roles are of a whole server.

const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-roles-'))
let server: EmbeddedDatabase

beforeAll(async () => {
  server = await startEmbedded({ dataDir })
  await asAdministrator(server.administratorUrl, async (client) => {
    for (const role of ['plumbline_tenant', 'plumbline_gate', 'plumbline_engine'])
      await client.query(`create role ${role} nologin`)
    await client.query("create role by_hand_owner login password 'owner-word' nocreaterole")
    await client.query("create role by_hand login password 'service-word' nocreaterole")
    await client.query('create database by_hand owner by_hand_owner')
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const as = (login: string) => server.url.replace(/\/\/[^@]*@\/[^?]*/, `//${login}@/by_hand`)

test('the owner migrates, the service serves, and what is missing is named until it is there', async () => {
  const plumbline = commandLine({
    DATABASE_URL: as('by_hand:service-word'),
    DATABASE_OWNER_URL: as('by_hand_owner:owner-word'),
    MASTER_KEY: newMasterKey(),
  })
  expect(await plumbline('migrate --json')).toMatchObject({ code: 0, stderr: '' })

  const missing = ['plumbline_tenant', 'plumbline_gate', 'plumbline_engine']
  expect((await plumbline('organization list --json')).json).toMatchObject({
    code: 'database_unfit',
    detail: expect.stringContaining('is not a member of'),
  })
  const checked = await plumbline('config check --json')
  expect(checked.json).toMatchObject({
    ok: false,
    database: { reachable: true, login: { name: 'by_hand', mayCreateRoles: false, missingRoles: missing } },
  })
  expect(checked.stdout).not.toMatch(/service-word|owner-word/)

  await asAdministrator(server.administratorUrl, (client) =>
    client.query(`grant ${missing.join(', ')} to by_hand`),
  )
  expect((await plumbline('config check --json')).json).toMatchObject({ ok: true })
  const password = 'a few plain words'
  const created = await plumbline(
    'organization create --name Acme --admin-email ana@example.com --json',
    password,
  )
  expect(created.code).toBe(0)
  const risk = await plumbline(
    `call createRisk --organization Acme --as ana@example.com --input '{"title":"By hand"}' --json`,
  )
  expect(risk.json).toMatchObject({ reference: 'RSK-1' })
  const key = await plumbline(
    'key create --organization Acme --as ana@example.com --name ci --scopes read:risks --json',
  )
  expect(key.code).toBe(0)
})
