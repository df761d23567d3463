/** Promise: what goes to PostgreSQL as an array comes back as it was, whatever it holds. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../server/database/connect.ts'
import { parameterOf } from '../server/database/parameter.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connect(fresh.url, { engine: 1 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const back = 'select $1::text[] as texts, $2::int[] as numbers, $3::boolean[] as flags, $4::bytea[] as bytes'

test('texts, numbers, booleans, bytes and nulls', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', '').toWellFormed()),
    fc.constantFrom('', 'null', 'NULL', '{}', '"', '\\', ' ', 'a,b', "'", '\n', ' ', 'whe_01k9:2'),
  )
  const bytes = fc.uint8Array().map((some) => Buffer.from(some))
  const listOf = <T>(each: fc.Arbitrary<T>) => fc.array(fc.option(each))
  await fc.assert(
    fc.asyncProperty(
      ...([
        listOf(text),
        listOf(fc.integer({ min: -9, max: 9 })),
        listOf(fc.boolean()),
        listOf(bytes),
      ] as const),
      async (texts, numbers, flags, blobs) => {
        const { rows } = await database.engine.query(back, [texts, numbers, flags, blobs].map(parameterOf))
        expect(rows[0]).toEqual({ texts, numbers, flags, bytes: blobs })
      },
    ),
    { numRuns: 300 },
  )
})
