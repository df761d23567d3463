import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from './support/database.ts'
import { askWithoutRole } from './support/login.ts'
import { startTestService } from './support/service.ts'

// What every other test stands on.
test('a test file gets a database of its own, as the login the service has', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  const client = new pg.Client({ connectionString: one.url })
  await client.connect()
  await client.query('create table mine (id int)')
  const { rows } = await client.query(`
    select current_user as login, rolsuper, rolbypassrls, rolcreaterole,
           (select datdba::regrole::text from pg_database where datname = current_database()) as owner
    from pg_roles where rolname = current_user`)
  expect(rows).toEqual([
    { login: 'plumbline', rolsuper: false, rolbypassrls: false, rolcreaterole: true, owner: 'plumbline' },
  ])
  await client.end()

  const neighbour = new pg.Client({ connectionString: other.url })
  await neighbour.connect()
  expect((await neighbour.query(`select to_regclass('mine') as table`)).rows).toEqual([{ table: null }])
  await neighbour.end()

  await Promise.all([one.drop(), other.drop()])
  await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow('does not exist')
})

test('the login sees no row of any table before it becomes one of the roles', async () => {
  const one = await startTestService()
  const acme = await one.organization()
  await acme.key(['read:risks'])
  await one.call(acme.admin, 'createRisk', { title: 'Seen by nobody' })
  const answers = await askWithoutRole(one.database.url)
  expect([...answers].filter(([, answer]) => answer !== 0)).toEqual([])
  expect(answers.size).toBeGreaterThan(30)
  await one.close()
})
