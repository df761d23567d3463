import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { dumpSchema } from './support/dump.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('schema.sql is what the migrations make', async () => {
  const client = new pg.Client({ connectionString: database.administratorUrl })
  await client.connect()
  const dump = await dumpSchema(client)
  await client.end()
  await expect(dump).toMatchFileSnapshot('../server/database/schema.sql')
})
