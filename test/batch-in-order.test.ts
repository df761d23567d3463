import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* What is written together is what it would be one row after the other. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

interface Row {
  outcome?: string
  record?: Record<string, unknown>
  problem?: { code: string; errors?: { path: string; message: string }[] }
}
const batch = async (name: string, input: object): Promise<Row[]> =>
  ((await one.call(acme.admin, name, input)).body as { data: Row[] }).data
const upsert = (name: string, records: unknown[]) => batch(name, { mode: 'upsert', records })
const outcomes = (rows: Row[]) => rows.map(({ outcome, problem }) => outcome ?? problem?.code)
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await one.administrator.query(`select count(*) from ${text}`, values)).rows[0].count)

test('of several rows with one external id each changes what the one before it left', async () => {
  const [first] = await upsert('createRiskBatch', [{ externalId: 'thrice', title: 'Once' }])
  const rows = await upsert('createRiskBatch', [
    { externalId: 'thrice', title: 'Twice' },
    { externalId: 'new', title: 'A' },
    { externalId: 'thrice', labels: ['kept'] },
    { externalId: 'thrice', titel: 'x' },
    { externalId: 'thrice', labels: ['kept'] },
    { externalId: 'new', title: 'B', version: 1 },
    { externalId: 'new', title: 'C', version: 1 },
  ])
  expect(outcomes(rows)).toEqual([
    'changed',
    'created',
    'changed',
    'validation_failed',
    'unchanged',
    'changed',
    'version_mismatch',
  ])
  expect(rows[2]!.record).toMatchObject({ title: 'Twice', labels: ['kept'], version: 3 })
  const id = first!.record!.id
  expect((await one.call(acme.admin, 'getRisk', { id })).body).toEqual(rows[4]!.record)
  const { rows: told } = await one.administrator.query(
    "select body::json->'data' as data from signals where subject_id = $1 order by time",
    [id],
  )
  expect(told.map(({ data }) => [data.record.version, data.changes])).toEqual([
    [1, undefined],
    [2, { title: { from: 'Once', to: 'Twice' } }],
  ])
  const { body } = await one.call(acme.admin, 'getRiskHistory', { id })
  const changes = (body as { data: { changes: object | null }[] }).data.map((entry) => entry.changes)
  expect(changes.slice(0, 2)).toEqual([
    { labels: { from: null, to: ['kept'] } },
    { title: { from: 'Once', to: 'Twice' } },
  ])
})

test('an external id that no record can have is named, and keeps out its own row', async () => {
  const rows = await upsert('createRiskBatch', [
    { externalId: 'before', title: 'Before' },
    { externalId: 'n\u0000', title: 'x' },
    { externalId: 'long'.repeat(500), title: 'x' },
    { externalId: ' ', title: 'x' },
    { externalId: 5, title: 'x' },
    { externalId: null, title: 'x' },
    { externalId: 'behind', title: 'Behind' },
  ])
  expect(outcomes(rows)).toEqual(['created', ...Array(5).fill('validation_failed'), 'created'])
  const said = rows.slice(1, -1).map(({ problem }) => problem!.errors![0]!)
  expect(new Set(said.map(({ path }) => path))).toEqual(new Set(['externalId']))
  expect(new Set(said.map(({ message }) => message)).size).toBe(5)
})

test('rows that together would lead round do not', async () => {
  const named = Array.from({ length: 40 }, (_, place) => ({
    externalId: `person-${place}`,
    fullName: `Person ${place}`,
    workEmail: `person-${place}@example.com`,
  }))
  const ids = (await upsert('createPersonnelBatch', named)).map(({ record }) => record!.id)
  const rows = await upsert(
    'createPersonnelBatch',
    named.map(({ externalId }, place) => ({ externalId, managerId: ids[place ^ 1] })),
  )
  expect(outcomes(rows).filter((outcome) => outcome === 'changed')).toHaveLength(20)
  expect(outcomes(rows).filter((outcome) => outcome === 'validation_failed')).toHaveLength(20)
  expect(
    await count(
      'personnel one join personnel other on one.manager_id = other.id and other.manager_id = one.id',
    ),
  ).toBe(0)
})

test('rows that are linked with one record count each other', async () => {
  const [{ record: parent }] = (await batch('createAssetBatch', {
    records: [{ name: 'Rack', type: 'server' }],
  })) as [Row]
  const parts = (many: number) =>
    batch('createAssetBatch', {
      records: Array.from({ length: many }, (_, place) => ({
        name: `Part ${place}`,
        type: 'server',
        parentAssetIds: [parent!.id],
      })),
    })
  for (let hundred = 0; hundred < 4; hundred++) await parts(100)
  await parts(98)
  const last = await parts(4)
  expect(outcomes(last)).toEqual([undefined, undefined, 'link_limit_reached', 'link_limit_reached'])
  expect(await count('asset_parents where parent_id = $1', [parent!.id])).toBe(500)
})
