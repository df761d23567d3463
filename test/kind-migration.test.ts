import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { sidesOf } from '../model/relations.ts'
import { kindMigration } from '../server/records/kind-migration.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { dumpSchema } from './support/dump.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('what npm run kind prints makes the tables that the kinds have', async () => {
  const client = new pg.Client({ connectionString: database.administratorUrl })
  await client.connect()
  await client.query(`drop table ${BY_HAND.join(', ')}`)
  const before = linesOf(await dumpSchema(client))
  const tables = everyKind.flatMap((kind) => [
    kind.table,
    ...sidesOf(kind).map(({ relation }) => relation.table),
  ])
  await client.query(`drop table ${[...new Set(tables)].join(', ')} cascade`)
  await makeAll(client, everyKind)
  const after = linesOf(await dumpSchema(client))
  await client.end()
  expect(after).toEqual(before)
})

/** What hangs on records beside the tables of links. */
const BY_HAND = [
  'applicability_statements',
  'attestations',
  'coverage_days',
  'evidence_files',
  'evidence_decisions',
  'evidence_revisions',
  'framework_migrations',
  'guest_sessions',
  'guest_code_counts',
  'guest_links',
  'guest_mails',
  'guest_passes',
  'policy_version_files',
  'requirement_urns',
]

test('a relation that another kind says has its table with it, where there is none yet', () => {
  const control = everyKind.find(({ name }) => name === 'control')!
  expect(kindMigration(control)).not.toContain('risk_controls')
  const both = kindMigration(control, (table) => table !== 'risk_controls')
  expect(both).toContain('create table risk_controls (')
  expect(both).toContain('primary key (organization_id, risk_id, control_id)')
})

test.each(everyKind)('what npm run kind prints of $name is as wide as what is written by hand', (kind) => {
  for (const line of kindMigration(kind).split('\n')) expect(line.length, line).toBeLessThanOrEqual(120)
})

/** What points at a table that is not there yet waits for it. */
async function makeAll(client: pg.Client, kinds: readonly Kind[]): Promise<void> {
  const waiting: Kind[] = []
  for (const kind of kinds)
    await client.query(kindMigration(kind)).catch((error: { code?: string }) => {
      if (error.code !== UNDEFINED_TABLE || kinds.length === 1) throw error
      waiting.push(kind)
    })
  if (waiting.length > 0) await makeAll(client, waiting)
}

const UNDEFINED_TABLE = '42P01'

/** In an order that does not depend on when a column or an index was added. */
const linesOf = (dump: string): string[] =>
  dump
    .split(/\n(?=table )|\n\n/)
    .map((part) => {
      const [head, ...lines] = part.split('\n')
      return [head, ...lines.sort()].join('\n')
    })
    .sort()
