import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { onDatabase, onDatabaseAlone } from './support/command-line.ts'
import { freshDatabase } from './support/database.ts'
import { asAdministrator, withDatabase } from './support/postgres.ts'

const FILES = readdirSync(new URL('../server/database/migrations/', import.meta.url)).filter((name) =>
  name.endsWith('.sql'),
)

const made: string[] = []
afterAll(() =>
  asAdministrator(inject('administratorUrl'), async (client) => {
    for (const name of made) await client.query(`drop database if exists ${name} with (force)`)
  }),
)

/** A database with nothing in it. */
async function emptyDatabase(): Promise<string> {
  const name = `plumbline_empty_${randomBytes(6).toString('hex')}`
  made.push(name)
  await asAdministrator(inject('administratorUrl'), (client) =>
    client.query(`create database ${name} owner plumbline`),
  )
  return withDatabase(inject('url'), name)
}

test('three processes that migrate at once run each file once', async () => {
  const plumbline = onDatabaseAlone(await emptyDatabase())
  const ended = await Promise.all([1, 2, 3].map(() => plumbline('migrate --json')))
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ])
  const applied = ended.map(({ json }) => (json as { applied: string[] }).applied)
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([FILES.toSorted(), [], []])
  expect((await plumbline('migrate')).stdout).toBe('There was nothing to apply.\n')
})

// Two of one number have an order that nobody chose. Three numbers are shared by files that have been run as they are.
test('each file has a number of its own', () => {
  const numbers = FILES.map((name) => name.slice(0, 4))
  const shared = numbers.filter((number, place) => numbers.indexOf(number) !== place)
  expect(shared.toSorted()).toEqual(['0093', '0100', '0112'])
})

test('an older program refuses a newer schema', async () => {
  const database = await freshDatabase()
  await asAdministrator(database.administratorUrl, (client) =>
    client.query("insert into migrations values ('9999-from-later.sql', now())"),
  )
  const plumbline = onDatabase(database.url)
  for (const command of ['migrate', 'organization list']) {
    const refused = await plumbline(`${command} --json`)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.json).toMatchObject({
      code: 'database_unfit',
      detail: expect.stringContaining('newer Plumbline (9999-from-later.sql)'),
    })
  }
  expect((await plumbline('config check --json')).json).toMatchObject({
    ok: false,
    database: { schema: { applied: '9999-from-later.sql' } },
  })
  await database.drop()
})

test('a superuser, or a login with BYPASSRLS, is refused', async () => {
  const database = await freshDatabase()
  const refused = await onDatabase(database.administratorUrl)('organization list --json')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.json).toMatchObject({
    code: 'database_unfit',
    detail: expect.stringContaining('superuser or has BYPASSRLS'),
  })

  const login = `bypassing_${randomBytes(4).toString('hex')}`
  await asAdministrator(database.administratorUrl, (client) =>
    client.query(
      `create role ${login} login bypassrls password 'for-this-test' in role plumbline_tenant, plumbline_gate, plumbline_engine`,
    ),
  )
  const url = database.url.replace(/\/\/[^@]*@/, `//${login}:for-this-test@`)
  expect((await onDatabase(url)('organization list --json')).json).toMatchObject({
    code: 'database_unfit',
  })
  await database.drop()
  await asAdministrator(inject('administratorUrl'), (client) => client.query(`drop role ${login}`))
})

test('a login that may not make tables is told who may', async () => {
  const url = await emptyDatabase()
  const login = `reader_${randomBytes(4).toString('hex')}`
  await asAdministrator(inject('administratorUrl'), (client) =>
    client.query(`create role ${login} login password 'for-this-test'`),
  )
  const refused = await onDatabase(url.replace(/\/\/[^@]*@/, `//${login}:for-this-test@`))('migrate --json')
  expect(refused.json).toMatchObject({
    code: 'database_unfit',
    detail: expect.stringContaining('DATABASE_OWNER_URL'),
  })
  await asAdministrator(inject('administratorUrl'), (client) => client.query(`drop role ${login}`))
})

test('a broken file leaves nothing behind', async () => {
  const client = new pg.Client({ connectionString: await emptyDatabase() })
  await client.connect()
  await asAdministrator(withDatabase(inject('administratorUrl'), made.at(-1)!), (administrator) =>
    administrator.query('create table risks (id int)'),
  )
  const { migrate } = await import('../server/database/migrate.ts')
  await expect(migrate({ url: withDatabase(inject('url'), made.at(-1)!) })).rejects.toThrow('already exists')
  const { rows } = await client.query('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(FILES.toSorted().slice(0, 2))
  expect((await client.query("select to_regclass('personnel') as table")).rows).toEqual([{ table: null }])
  await client.end()
})
