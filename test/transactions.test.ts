/**
 * Promise: the statements of a transaction stand or fall together. What stands behind one that failed is not done, its
 * commit neither, and the connection serves whoever comes next.
 */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, statement } from '../server/database/connect.ts'
import { type Transaction, transaction } from '../server/database/transaction.ts'
import { startTestService, type TestService } from './support/service.ts'

let one: TestService
let database: Database

beforeAll(async () => {
  one = await startTestService()
  database = one.service.database
  await one.administrator.query(`
    create table notes (id int primary key, said text, at timestamptz);
    grant select, insert on notes to plumbline_tenant`)
})
beforeEach(() => one.administrator.query('truncate notes'))
afterAll(() => one.close())

const add = statement('insert into notes (id, said) values ($1, $2)')
const addAndTell = statement('insert into notes (id, said) values ($1, $2) returning id, said, at')
const list = statement('select id, said, at from notes order by id')
const divide = statement('select 1 / $1::int as result')

const inOne = <T>(work: (tx: Transaction) => Promise<T>) => transaction(database.tenant, 'org_1', work)
const written = async () => (await one.administrator.query('select id from notes order by id')).rows

test('what is sent in one moment is done and answered in its order', async () => {
  const answers = await inOne((tx) =>
    Promise.all([
      tx.read(addAndTell(1, 'a')),
      tx.read(list()),
      tx.read(addAndTell(2, null)),
      tx.read(list()),
      tx.read({ text: 'select count(*) as count, $1::text as said from notes', values: ['unnamed'] }),
    ]),
  )
  const [first, second] = [
    { id: 1, said: 'a', at: null },
    { id: 2, said: null, at: null },
  ]
  expect(answers).toEqual([[first], [first], [second], [first, second], [{ count: 2, said: 'unnamed' }]])
})

test('a statement that fails takes with it all that was sent behind it, the commit too', async () => {
  for (const _ of ['first', 'again']) {
    const failing = inOne(async (tx) => {
      tx.write(add(1, 'before'))
      tx.write(divide(0))
      tx.write(add(2, 'behind'))
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await written()).toEqual([])
  }
})

test('who waits for a statement behind one that failed is told why that one did', async () => {
  const failing = inOne(async (tx) => {
    tx.write(divide(0))
    await tx.read(list())
  })
  await expect(failing).rejects.toThrow('division by zero')
  const later = inOne(async (tx) => {
    tx.write(divide(0))
    await tx.now
    tx.write(add(1, 'in a burst of its own'))
  })
  await expect(later).rejects.toThrow('division by zero')
  expect(await written()).toEqual([])
})

test('a connection on which statements were skipped knows them when they are sent again', async () => {
  // All connections of the pool, each with statements that it has never seen.
  const skipped = statement("insert into notes (id, said) values ($1, 'skipped') returning id")
  const wrong = statement('select * from no_such_table')
  const all = Array.from({ length: 16 }, (_, index) => index + 1)
  const failing = all.map((id) =>
    inOne(async (tx) => {
      tx.write(wrong())
      tx.write(skipped(id))
    }),
  )
  for (const result of await Promise.allSettled(failing)) expect(result.status).toBe('rejected')
  const answers = await Promise.all(all.map((id) => inOne((tx) => tx.read(skipped(id)))))
  expect(answers).toEqual(all.map((id) => [{ id }]))
})

test('a value that cannot be written down is refused before anything is sent', async () => {
  const circle: { itself?: object } = {}
  circle.itself = circle
  const failing = inOne(async (tx) => {
    tx.write(add(1, 'before'))
    tx.write(add(2, circle as never))
  })
  await expect(failing).rejects.toThrow('circular')
  expect(await written()).toEqual([])
})

test('a connection that breaks fails what was sent', async () => {
  const failing = inOne(async (tx) => {
    await tx.read(statement('select pg_terminate_backend(pg_backend_pid())')())
  })
  await expect(failing).rejects.toThrow(pg.DatabaseError)
  expect(await inOne((tx) => tx.read(list()))).toEqual([])
})
