import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HASHED, HASHED_FOR_A_DAY } from '../server/keyring/credential-hashes.ts'
import { SEALED } from '../server/keyring/sealed-columns.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { dumpSchema } from './support/dump.ts'
import { asAdministrator } from './support/postgres.ts'

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

/** Bytes that no master key has anything to do with. */
const PLAIN = [
  'attempts.response_body',
  'audit_checkpoints.hash', // and what signs it: public all
  'audit_checkpoints.signature',
  'audit_entries.hash',
  'audit_seals.hash',
  'audit_seals.prev_hash',
  'audit_signing_keys.public_key',
  'calendar_feeds.secret_hash', // of random values, without a key
  'deliveries.response_body',
  'download_links.secret_hash', // of random values, without a key
  'job_result_parts.bytes',
  'master_key_proofs.proof',
  'oauth_states.key_hash', // the same
  'oauth_tokens.key_hash',
  'passkeys.public_key',
]

test('a column of bytes is sealed, a keyed hash, or plain: what a new master key has to reach is listed', async () => {
  const { rows } = await asAdministrator(database.administratorUrl, (client) =>
    client.query(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.atttypid = 'bytea'::regtype and not a.attisdropped`),
  )
  const listed = [...Object.values(SEALED), ...Object.values(HASHED)].map(
    ({ table, column }) => `${table}.${column}`,
  )
  const found = rows.map(({ name }) => name as string)
  expect(found.toSorted()).toEqual([...listed, ...HASHED_FOR_A_DAY, ...PLAIN].toSorted())
})

// Otherwise it is read as its owner may read, whom row security does not hold back.
test('a view is read with the rights of whoever asks', async () => {
  const { rows } = await asAdministrator(database.administratorUrl, (client) =>
    client.query(`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
         and not coalesce(reloptions, '{}') @> '{security_invoker=true}'`),
  )
  expect(rows).toEqual([])
})

// Otherwise a backup, or pg_dump, would have no row of it.
test('the owner can read each table and each week for a backup', async () => {
  const { rows } = await asAdministrator(database.administratorUrl, (client) =>
    client.query(`
      select relname from pg_class c where relnamespace = 'public'::regnamespace and relforcerowsecurity
         and not exists (select from pg_policies where tablename = c.relname and policyname = 'backup'
           and roles = array['plumbline']::name[] and cmd = 'SELECT')`),
  )
  expect(rows).toEqual([])
})

test('a hash that outlives a day names its key', async () => {
  const { rows } = await asAdministrator(database.administratorUrl, (client) =>
    client.query(
      "select table_name as name from information_schema.columns where column_name = 'hashed_with'",
    ),
  )
  const found = rows.map(({ name }) => name as string)
  expect(found.toSorted()).toEqual(
    Object.values(HASHED)
      .map(({ table }) => table as string)
      .toSorted(),
  )
})
