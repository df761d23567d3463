import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded.ts'
import { migrate, refuseUnfit } from '../server/database/migrate.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { commandLine } from './support/command-line.ts'
import { askWithoutRole } from './support/login.ts'
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

  // A plain grant, as most would make it, lets the login have all rights without becoming anything.
  const grant = `grant ${missing.join(', ')} to`
  await asAdministrator(server.administratorUrl, (client) => client.query(`${grant} by_hand`))
  const cure = `${grant} "by_hand" with inherit false, set true`
  expect((await plumbline('config check --json')).json).toMatchObject({
    ok: false,
    database: { login: { inheritedRoles: missing }, problem: expect.stringContaining(`run \`${cure}\``) },
  })
  expect((await plumbline('organization list --json')).json).toMatchObject({ code: 'database_unfit' })
  await asAdministrator(server.administratorUrl, (client) => client.query(cure))
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
  const answers = await askWithoutRole(as('by_hand:service-word'))
  expect(new Set(answers.values())).toEqual(new Set(['permission denied']))
})

test('a login that an earlier version let inherit stops to, where it may see to it itself', async () => {
  const roles = 'plumbline_tenant, plumbline_gate, plumbline_engine'
  await asAdministrator(server.administratorUrl, async (client) => {
    await client.query("create role earlier login password 'earlier-word' createrole")
    // What PostgreSQL gives whoever makes a role.
    await client.query(`grant ${roles} to earlier with admin true, inherit false, set false`)
    await client.query('create database earlier owner earlier')
  })
  const url = server.url.replace(/\/\/[^@]*@\/[^?]*/, '//earlier:earlier-word@/earlier')
  await asAdministrator(url, (client) => client.query(`grant ${roles} to current_user`))
  await migrate({ url })
  await refuseUnfit(url)
  const answers = await askWithoutRole(url)
  // It owns the tables; forced row security keeps their rows from it.
  expect(new Set(answers.values())).toEqual(new Set([0]))
})
