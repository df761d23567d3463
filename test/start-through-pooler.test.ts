/** Promise: through a pooler that keeps no sessions, the start says what the service needs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, refuseUnfit } from '../server/database/migrate.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { type PoolerOptions, startTransactionPooler } from './support/transaction-pooler.ts'

const SHARED =
  /^DatabaseUnfit: The database is reached through a connection pooler that shares sessions among its clients \(transaction mode\), /

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function startThrough(
  startupOptions: PoolerOptions['startupOptions'],
  start: (url: string) => Promise<unknown> = refuseUnfit,
): Promise<string> {
  const pooler = await startTransactionPooler(database.url, { startupOptions })
  try {
    return await start(`postgresql://plumbline@127.0.0.1:${pooler.port}/any`).then(
      () => 'it starts',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  } finally {
    await pooler.close()
  }
}

test('what is set as it connects is refused', async () => {
  expect(await startThrough('refused')).toBe(
    'DatabaseUnfit: What Plumbline sets as it connects is refused (unsupported startup parameter: options) by a connection pooler before PostgreSQL: let DATABASE_URL (and DATABASE_OWNER_URL) lead to PostgreSQL itself, or to a pooler in session mode that passes `options` on.',
  )
})

test('it is dropped', async () => {
  expect(await startThrough('dropped')).toMatch(
    /^DatabaseUnfit: What Plumbline sets as it connects \(.*\brole\b.*\) is not in force: a connection pooler before PostgreSQL drops it; let DATABASE_URL /,
  )
})

test('sessions are shared', async () => {
  expect(await startThrough('passed')).toMatch(SHARED)
  expect(await startThrough('passed', (url) => migrate({ url }))).toMatch(SHARED)
})

test('PostgreSQL itself', () => refuseUnfit(database.url))
