import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Scope } from '../model/scopes.ts'
import { readConfig } from '../server/config.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { buildService } from '../server/service.ts'
import { startBucket } from './support/bucket.ts'
import { commandLine, type Shell } from './support/command-line.ts'
import { exampleJob, recordExamples } from './support/document-examples.ts'
import { type Door, openOtherDoor } from './support/door.ts'
import { dumpSchema } from './support/dump.ts'
import { asAdministrator, withDatabase } from './support/postgres.ts'
import { contentsOf, emptyTarget, type Target } from './support/restored.ts'
import { openWeb } from './support/web.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

/*
 * A backup holds everything, is found out where it does not, and is restored whole or not at all.
 */

const PASSWORD = 'correct horse battery'

let one: WebhookTest
let door: Door
let source: Shell
let folder: string
let file: string
let key: { secret: string }
let organizationId: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'))
  file = join(folder, 'all.plumbline')
  one = await startWebhookTest({ deliver: false, jobKinds: [exampleJob] })
  door = await one.listen()
  await recordExamples(one, door)
  source = commandLine({
    DATABASE_URL: one.database.url,
    MASTER_KEY: one.masterKey,
    FILES: (one.service.config.files as { folder: string }).folder,
    AUDIT_CHECKPOINTS_FILE: one.service.config.auditCheckpointsFile,
  })
  const made = (
    await source(
      `organization create --name 'Example Ltd' --admin-email ada@backup.example --admin-password '${PASSWORD}' --json`,
    )
  ).json as { organizationId: string }
  organizationId = made.organizationId
  key = (
    await source(
      `key create --organization ${organizationId} --as ada@backup.example --name all --scopes read:risks,write:risks,read:webhooks,write:webhooks --json`,
    )
  ).json
  await door.send(key.secret, 'POST', '/v1/webhook-endpoints', {
    body: { address: 'https://127.0.0.1:4443/', signalTypes: ['risk.created'] },
  })
  await door.send(key.secret, 'POST', '/v1/risks', { body: { title: 'Tab\there, “quotes” and \\N' } })
  // A week that is over by now.
  await asAdministrator(one.database.administratorUrl, async (client) => {
    await client.query(`create table signals_20250106 (like signals including all excluding indexes)`)
    await client.query('alter table signals_20250106 enable row level security, force row level security')
    await client.query('alter table signals_20250106 owner to plumbline')
    await client.query(
      `alter table signals attach partition signals_20250106 for values from ('2025-01-06 00:00:00+00') to ('2025-01-13 00:00:00+00')`,
    )
    await client.query(
      `insert into signals values ($1, 'sig_old', 'risk.created', '2025-01-07', 'risk', 'risk_1', '{}', '2025-01-07')`,
      [organizationId],
    )
  })
  await one.service.jobs.stop()
  const ended = await source(`backup ${file} --json`)
  expect(ended.stderr).toBe('')
})
afterAll(async () => {
  await one.close()
  rmSync(folder, { recursive: true, force: true })
})

async function target(...given: Parameters<typeof emptyTarget>): Promise<Target> {
  const made = await emptyTarget(...given)
  onTestFinished(() => made.drop())
  return made
}

/** The service on what was restored, by its own doors. */
async function served(to: Target): Promise<Door> {
  const other = await openOtherDoor(to.url, one.masterKey, {
    ...to.settings,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    METRICS_PORT: '0',
  })
  onTestFinished(() => other.close())
  return other
}

const schemaOf = (url: string): Promise<string> => asAdministrator(url, dumpSchema)

test('everything is there after a restore', async () => {
  const to = await target(one.masterKey)
  const restored = await to.shell(`restore ${file} --json`)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const [before, after] = [
    await contentsOf(one.database.administratorUrl),
    await contentsOf(to.administratorUrl),
  ]
  // What a restore changes by intent: transactions of another cluster, and that nothing is sent yet.
  for (const own of ['audit_sealing', 'held_sending']) {
    delete before[own]
    delete after[own]
  }
  expect(after).toEqual(before)
  expect(Object.values(before).filter((sum) => !sum.startsWith('0 rows')).length).toBeGreaterThan(40)
  expect(await schemaOf(to.administratorUrl)).toBe(await schemaOf(one.database.administratorUrl))
})

test('the restored service knows its keys, its people, its files and its audit log', async () => {
  const to = await target(one.masterKey)
  await to.shell(`restore ${file}`)
  const there = await served(to)
  const risks = await there.send(key.secret, 'GET', '/v1/risks')
  expect(risks.body).toEqual((await door.send(key.secret, 'GET', '/v1/risks')).body)
  const web = openWeb(there)
  expect((await web.call('signIn', { email: 'ada@backup.example', password: PASSWORD })).status).toBe(200)
  const { json: check } = await to.shell('config check --json')
  expect(check).toMatchObject({ ok: true, masterKey: { opens: true } })
  const log = join(folder, `${randomBytes(4).toString('hex')}.jsonl`)
  const exported = await to.shell(
    `audit export --organization ${organizationId} --as ada@backup.example --file ${log} --json`,
  )
  expect(exported.stderr).toBe('')
  expect((await to.shell(`audit verify ${log} --json`)).json).toMatchObject({ ok: true })
  // The secret of its endpoint opens: a test delivery is signed, and finds no receiver.
  const endpoints = (await there.send(key.secret, 'GET', '/v1/webhook-endpoints')).body as never as {
    data: { id: string }[]
  }
  const sent = await there.send(key.secret, 'POST', `/v1/webhook-endpoints/${endpoints.data[0]!.id}/test`)
  expect(sent.body).toMatchObject({ attempts: [{ outcome: 'could_not_connect' }] })
  // New records continue the numbers.
  const created = await there.send(key.secret, 'POST', '/v1/risks', { body: { title: 'Later' } })
  expect(created.body).toMatchObject({ reference: 'RSK-2' })
  const { rows } = await asAdministrator(one.database.administratorUrl, (client) =>
    client.query('select organization_id, id, sha256 from file_contents'),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { organization_id, id } of rows) {
    const path = join(organization_id, 'kept', id.slice(-2), id.slice(-4, -2), id)
    const { folder: original } = one.service.config.files as { folder: string }
    expect(readFileSync(join(to.files, path))).toEqual(readFileSync(join(original, path)))
  }
})

test('a backup is verified from the file and nothing else', async () => {
  const verify = commandLine({})
  const { code, json } = await verify(`backup verify ${file} --json`)
  expect(code).toBe(0)
  expect(json).toMatchObject({ ok: true, includesMasterKeys: false, masterKeys: ['k1'] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a damaged or shortened backup is found out, and not restored', async () => {
  const bytes = readFileSync(file)
  const to = await target(one.masterKey)
  const damaged = join(folder, 'damaged')
  const cuts = [0, 3, 4, 100, bytes.length >> 1, bytes.length - 5000, bytes.length - 1]
  for (const at of cuts) {
    writeFileSync(damaged, bytes.subarray(0, at))
    const { code, json } = await to.shell(`backup verify ${damaged} --json`)
    expect([at, code, json]).toEqual([at, 1, expect.objectContaining({ code: 'backup_refused' })])
  }
  for (const at of [10, bytes.length >> 1, bytes.length - 40]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    writeFileSync(damaged, changed)
    const { code, json } = await to.shell(`restore ${damaged} --json`)
    expect([at, code, json]).toEqual([at, 1, expect.objectContaining({ code: 'backup_refused' })])
  }
  expect(Object.keys(await contentsOf(to.administratorUrl))).toEqual([])
})

test('what was changed and packed again is found out as well', async () => {
  const entries = await unpacked(file)
  const manifest = JSON.parse(entries.get('manifest.json')!.toString())
  expect(manifest.tables.find(({ name }: { name: string }) => name === 'risks').rows).toBeGreaterThan(1)
  const { writeArchive } = await import('../server/backup/archive.ts')
  const pack = async (change: (name: string, content: Buffer) => Buffer | null) => {
    const path = join(folder, randomBytes(4).toString('hex'))
    await writeArchive(path, async (archive) => {
      for (const [name, content] of entries) {
        const put = change(name, content)
        if (put) await archive.add(name, put)
      }
    })
    return path
  }
  const verify = commandLine({})
  const problem = async (path: string) =>
    ((await verify(`backup verify ${path} --json`)).json as { detail: string }).detail
  expect((await verify(`backup verify ${await pack((_, content) => content)}`)).code).toBe(0)
  const isFile = (name: string) => /^files\/org_/.test(name)
  const other = (content: Buffer) => Buffer.from(content.map((byte) => byte ^ 1))
  expect(
    await problem(await pack((name, content) => (name.startsWith('tables/risks/') ? null : content))),
  ).toContain('the rows of risks are not those')
  expect(await problem(await pack((name, content) => (isFile(name) ? other(content) : content)))).toMatch(
    /the file .* is not the one/,
  )
  expect(await problem(await pack((name, content) => (isFile(name) ? null : content)))).toContain(
    'is missing',
  )
  expect(await problem(await pack((name, content) => (name === 'manifest.json' ? null : content)))).toContain(
    'cut short',
  )
})

async function unpacked(path: string): Promise<Map<string, Buffer>> {
  const tar = extract()
  const entries = new Map<string, Buffer>()
  Readable.from([readFileSync(path)])
    .pipe(createZstdDecompress())
    .pipe(tar as never)
  for await (const entry of tar) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    entries.set(entry.header.name, Buffer.concat(chunks))
  }
  return entries
}

test('a backup replaces no file, and leaves none where it fails', async () => {
  const there = join(folder, 'there')
  writeFileSync(there, 'mine')
  expect(await source(`backup ${there}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('exists already'),
  })
  expect(readFileSync(there, 'utf8')).toBe('mine')
  const nowhere = commandLine({
    DATABASE_URL: one.database.url.replace(/\/[^/?]*(\?|$)/, '/no_such_database$1'),
    MASTER_KEY: one.masterKey,
  })
  const failed = await nowhere(`backup ${join(folder, 'none')} --json`)
  expect(failed).toMatchObject({ code: 1 })
  expect(existsSync(join(folder, 'none'))).toBe(false)
})

describe('a restore is refused before anything is written', () => {
  const untouched = async (to: Target, command: string, words: string, shell = to.shell) => {
    const before = await contentsOf(to.administratorUrl)
    const { code, json } = await shell(`${command} --json`)
    expect([code, (json as { detail: string }).detail]).toEqual([1, expect.stringContaining(words)])
    expect(await contentsOf(to.administratorUrl)).toEqual(before)
  }

  test('with another master key', async () => {
    const to = await target(newMasterKey())
    await untouched(to, `restore ${file}`, 'another key by the id k1')
  })

  test('without its master key', async () => {
    const to = await target(newMasterKey().replace('k1:', 'k9:'))
    await untouched(to, `restore ${file}`, 'has no key k1')
  })

  test('into a database of Plumbline that is used', async () => {
    const to = await target(one.masterKey)
    await to.shell(
      'organization create --name Other --admin-email bo@backup.example --admin-password correct-horse-battery-2',
    )
    await untouched(to, `restore ${file}`, 'not empty')
  })

  test('into a database of something else', async () => {
    const to = await target(one.masterKey)
    await asAdministrator(to.url, (client) => client.query('create table invoices (id int)'))
    await untouched(to, `restore ${file}`, 'invoices')
  })

  test('of a newer Plumbline', async () => {
    const to = await target(one.masterKey)
    await asAdministrator(one.database.administratorUrl, (client) =>
      client.query("insert into migrations values ('9999-from-later.sql', now())"),
    )
    const newer = join(folder, 'newer')
    try {
      await source(`backup ${newer}`)
    } finally {
      await asAdministrator(one.database.administratorUrl, (client) =>
        client.query("delete from migrations where name = '9999-from-later.sql'"),
      )
    }
    await untouched(to, `restore ${newer}`, 'newer Plumbline')
  })

  test('while a service runs there', async () => {
    const to = await target(one.masterKey)
    await to.shell('migrate')
    const other = buildService(readConfig({ ...to.settings, LOG_LEVEL: 'silent' }), to.url, one.masterKey)
    await other.database.gate.query('select 1')
    await untouched(to, `restore ${file}`, 'stop it')
    await other.close()
    expect((await to.shell(`restore ${file}`)).code).toBe(0)
  })
})

test('a backup of an older schema is restored and brought to this one', async () => {
  const { files: known } = await migrationsUntil('0127')
  const old = await target(one.masterKey)
  await asAdministrator(old.url, async (client) => {
    await client.query('begin')
    const { applyMigration } = await import('../server/database/migrate.ts')
    for (const name of known) await applyMigration(client, name)
    await client.query('commit')
  })
  await asAdministrator(old.administratorUrl, (client) =>
    client.query(
      `insert into organizations (id, name, created_at, updated_at) values ('org_1', 'Old', now(), now())`,
    ),
  )
  const path = join(folder, 'old')
  expect(await old.shell(`backup ${path}`)).toMatchObject({ code: 0 })
  const to = await target(one.masterKey)
  expect((await to.shell(`restore ${path}`)).stderr).toBe('')
  const { rows } = await asAdministrator(to.administratorUrl, (client) =>
    client.query('select (select name from organizations) as name, count(*)::int as files from migrations'),
  )
  expect(rows[0]).toEqual({ name: 'Old', files: (await migrationsUntil('9999')).files.length })
})

async function migrationsUntil(number: string): Promise<{ files: string[] }> {
  const { readdirSync } = await import('node:fs')
  const files = readdirSync(new URL('../server/database/migrations/', import.meta.url))
    .filter((name) => name.endsWith('.sql') && name < number)
    .sort()
  return { files }
}

describe('an owner that may do nothing but own', () => {
  const owner = `owner_${randomBytes(4).toString('hex')}`
  const login = `serving_${randomBytes(4).toString('hex')}`
  const as = (role: string) => inject('url').replace(/\/\/[^@]*@/, `//${role}:for-this-test@`)

  beforeAll(() =>
    asAdministrator(inject('administratorUrl'), async (client) => {
      await client.query(`create role ${owner} login password 'for-this-test'`)
      await client.query(`create role ${login} login password 'for-this-test'`)
      await client.query(
        `grant plumbline_tenant, plumbline_gate, plumbline_engine to ${login} with inherit false, set true`,
      )
    }),
  )
  afterAll(() =>
    asAdministrator(inject('administratorUrl'), async (client) => {
      await client.query(`drop role ${owner}`)
      await client.query(`drop role ${login}`)
    }),
  )

  const ownTarget = async (): Promise<Target> => {
    const to = await target(one.masterKey, { owner, url: as(login) })
    const DATABASE_OWNER_URL = withDatabase(as(owner), to.name)
    return { ...to, shell: commandLine({ ...to.settings, DATABASE_OWNER_URL }) }
  }

  test('backs up and restores everything, and its service reads nothing by that way', async () => {
    const to = await ownTarget()
    const restored = await to.shell(`restore ${file} --json`)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const path = join(folder, 'by-owner')
    expect((await to.shell(`backup ${path} --json`)).stderr).toBe('')
    const [first, second] = await Promise.all(
      [file, path].map(async (name) => JSON.parse((await unpacked(name)).get('manifest.json')!.toString())),
    )
    const own = ['audit_sealing', 'held_sending', 'api_key_usage']
    const rowsOf = ({ tables }: { tables: { name: string }[] }) =>
      tables.filter(({ name }) => !own.includes(name))
    expect(rowsOf(second)).toEqual(rowsOf(first))
    const byLogin = new pg.Client({ connectionString: to.url })
    await byLogin.connect()
    await byLogin.query("set plumbline.backup = 'on'")
    await expect(byLogin.query('select from risks')).rejects.toThrow('permission denied')
    await byLogin.query('set role plumbline_tenant')
    expect((await byLogin.query('select from risks')).rowCount).toBe(0)
    await byLogin.query('set role plumbline_engine')
    await expect(byLogin.query('select from risks')).rejects.toThrow('permission denied')
    await byLogin.query('set role plumbline_gate')
    await expect(byLogin.query('select from audit_entries')).rejects.toThrow('permission denied')
    await byLogin.end()
    const noOwner = commandLine({ ...to.settings })
    expect((await noOwner(`backup ${join(folder, 'not')} --json`)).json).toMatchObject({
      code: 'database_unfit',
      detail: expect.stringContaining('DATABASE_OWNER_URL'),
    })
  })
})

test('killed in the middle, a restore leaves an empty database, and runs again', async () => {
  const to = await target(one.masterKey)
  const observer = new pg.Client({ connectionString: inject('administratorUrl') })
  await observer.connect()
  const child = spawn(process.execPath, ['client/command-line.ts', 'restore', file], {
    env: { PATH: process.env.PATH, ...to.settings },
    stdio: 'ignore',
  })
  const loading = async () => {
    const { rows } = await observer.query(
      `select state, query from pg_stat_activity where datname = $1 and application_name = 'plumbline restore'`,
      [to.name],
    )
    return rows.some(({ query }) => /^(copy|truncate|alter table|create index)/i.test(query))
  }
  while (!(await loading())) expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  await once(child, 'exit')
  await observer.end()
  expect(Object.keys(await contentsOf(to.administratorUrl))).toEqual([])
  expect((await to.shell(`restore ${file}`)).stderr).toBe('')
})

test('files come from a folder into a bucket, and back', async () => {
  const bucket = await startBucket()
  onTestFinished(() => bucket.close())
  const to = await target(one.masterKey, { more: { FILES: bucket.place, ...bucket.environment } })
  expect((await to.shell(`restore ${file}`)).stderr).toBe('')
  const kept = [...bucket.objects.values()].map(({ bytes }) => bytes.length)
  const path = join(folder, 'of-bucket')
  const again = await to.shell(`backup ${path} --json`)
  expect(again.json).toMatchObject({ files: kept.length, damagedFiles: [] })
  expect(kept.length).toBeGreaterThan(0)
  // Bytes that are gone from the store are named, and the rest is backed up.
  const [key] = bucket.objects.keys()
  bucket.objects.delete(key!)
  const lacking = await to.shell(`backup ${join(folder, 'lacking')} --json`)
  expect([lacking.code, (lacking.json as { damagedFiles: string[] }).damagedFiles.length]).toEqual([1, 1])
  const into = await target(one.masterKey)
  expect((await into.shell(`restore ${join(folder, 'lacking')} --json`)).json).toMatchObject({
    files: kept.length,
    damagedFiles: [expect.stringContaining('/kept/')],
  })
})

test('keys go with the backup where that was asked for', async () => {
  const path = join(folder, 'with-keys')
  const made = await source(`backup ${path} --with-keys`)
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('WARNING') })
  expect((await unpacked(path)).get('keys/master-key')?.toString()).toBe(`${one.masterKey}\n`)
  expect((await unpacked(file)).has('keys/master-key')).toBe(false)
})

test('writers continue while a backup is made, and it is of one moment', async () => {
  const writing = { isOver: false, count: 0 }
  const scopes: Scope[] = ['read:risks', 'write:risks']
  const acme = await one.organization()
  const { secret } = await acme.key(scopes)
  const writer = async () => {
    while (!writing.isOver) {
      const { status } = await door.send(secret, 'POST', '/v1/risks', {
        body: { title: `Risk ${writing.count}` },
      })
      expect(status).toBe(201)
      writing.count += 1
    }
  }
  const writers = [writer(), writer()]
  const path = join(folder, 'while-writing')
  const before = writing.count
  expect((await source(`backup ${path} --json`)).code).toBe(0)
  writing.isOver = true
  await Promise.all(writers)
  expect(writing.count).toBeGreaterThan(before)
  const to = await target(one.masterKey)
  expect((await to.shell(`restore ${path}`)).stderr).toBe('')
  const { rows } = await asAdministrator(to.administratorUrl, (client) =>
    client.query(
      `select count(*)::int as risks,
         count(*) filter (where exists (select from audit_entries e where e.subject_id = r.id))::int as logged
         from risks r where organization_id = $1`,
      [acme.id],
    ),
  )
  expect(rows[0].logged).toBe(rows[0].risks)
})

test('a restored database sends no webhook until a person releases them', async () => {
  const to = await target(one.masterKey)
  const restored = (await to.shell(`restore ${file} --json`)).json as { waitingDeliveries: number }
  expect(restored).toMatchObject({ sending: 'held' })
  expect(restored.waitingDeliveries).toBeGreaterThan(0)
  const { service } = await served(to)
  await service.webhooks.start()
  await service.webhooks.sweep()
  const attempts = async () =>
    asAdministrator(
      to.administratorUrl,
      async (client) =>
        (
          await client.query(
            "select count(*)::int as count from deliveries where attempt_number > 0 and status <> 'delivered'",
          )
        ).rows[0].count,
    )
  const before = await attempts()
  expect((await to.shell('sending resume --json')).json).toMatchObject({ wasHeld: true })
  expect((await to.shell('sending resume --json')).json).toMatchObject({ wasHeld: false })
  await expect.poll(attempts, { timeout: 15_000 }).toBeGreaterThan(before)
})
