import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareNaturally } from '../model/natural-order.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { migrate, refuseUnfit } from '../server/database/migrate.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  key = (await (await one.organization()).key(Object.keys(SCOPES) as Scope[])).secret
})
afterAll(() => one.close())

const NAMES = [
  'A',
  'a',
  'Ä',
  'a 2',
  'A 2',
  'Ä 2',
  'a 10',
  'b',
  'Oslo',
  'Österreich',
  'Z',
  'Zoë',
  '10',
  '2',
  '007',
  '7',
]
const SIGNS = [
  '_x',
  '-z',
  'Straße',
  'Strasse',
  'ﬁ',
  'Ж',
  '日本',
  '1.10',
  '1.9',
  'A.5.10',
  'A.5.9',
  'e\u0301',
  'é',
  '😀',
]

async function pages(path: string, sort: string, limit: number): Promise<Record<string, string>[]> {
  const rows = []
  for (let cursor = ''; ; ) {
    const { status, body } = await door.send(key, 'GET', `${path}?sort=${sort}&limit=${limit}${cursor}`)
    expect(status).toBe(200)
    rows.push(...body.data)
    if (body.nextCursor === null) return rows
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
  }
}

test('lists sort names as people do, a row a page, both ways, as programs sort them', async () => {
  const names = [...NAMES, ...SIGNS, 'A', 'Ä']
  for (const name of names) await door.send(key, 'POST', '/v1/vendors', { body: { name } })
  const expected = names.toSorted(compareNaturally)
  for (const limit of [1, 3, 200])
    expect((await pages('/v1/vendors', 'name', limit)).map(({ name }) => name)).toEqual(expected)
  const back = await pages('/v1/vendors', '-name', 1)
  expect(back.map(({ name }) => name)).toEqual(expected.toReversed())
  expect(new Set(back.map(({ id }) => id)).size).toBe(names.length)
  expect(NAMES.toSorted(compareNaturally)).toEqual([
    '2',
    '007',
    '7',
    '10',
    'a',
    'A',
    'Ä',
    'a 2',
    'A 2',
    'Ä 2',
    'a 10',
    'b',
    'Oslo',
    'Österreich',
    'Z',
    'Zoë',
  ])
})

test('owners and labels sort as people do too', async () => {
  for (const fullName of ['Zoë Roth', 'Ärmel Jung', 'Anna Adler', 'bert Braun']) {
    const { body: person } = await door.send(key, 'POST', '/v1/personnel', {
      body: {
        fullName,
        workEmail: `${encodeURIComponent(fullName)
          .toLowerCase()
          .replace(/[^a-z]/g, '')}@example.com`,
      },
    })
    await door.send(key, 'POST', '/v1/assets', {
      body: {
        name: fullName,
        type: 'database',
        labels: [fullName],
        owner: { type: 'personnel', refId: person.id },
      },
    })
  }
  const expected = ['Anna Adler', 'Ärmel Jung', 'bert Braun', 'Zoë Roth']
  for (const sort of ['owner', 'labels', 'name'])
    expect(
      (await pages('/v1/assets', sort, 1)).map(({ name }) => name),
      sort,
    ).toEqual(expected)
  const { body } = await door.send(key, 'GET', '/v1/ownership-principals?type=personnel&limit=2')
  const next = await door.send(
    key,
    'GET',
    `/v1/ownership-principals?type=personnel&limit=2&cursor=${body.nextCursor}`,
  )
  expect([...body.data, ...next.body.data].map(({ displayName }) => displayName)).toEqual(expected)
})

test('references sort by their numbers', async () => {
  for (let count = 0; count < 11; count++)
    await door.send(key, 'POST', '/v1/risks', { body: { title: `Risk ${11 - count}` } })
  const risks = await pages('/v1/risks', 'reference', 2)
  expect(risks.map(({ reference }) => reference)).toEqual(
    Array.from({ length: 11 }, (_, index) => `RSK-${index + 1}`),
  )
  expect((await pages('/v1/risks', 'title', 2)).map(({ title }) => title)).toEqual(
    Array.from({ length: 11 }, (_, index) => `Risk ${index + 1}`),
  )
})

test('no column has the collation, and an upgrade of ICU builds its indexes again', async () => {
  const { administrator, database } = one
  const { rows: columns } = await administrator.query(
    `select attrelid::regclass::text, attname from pg_attribute join pg_class c on c.oid = attrelid
      where attcollation = to_regcollation('natural_order') and relkind <> 'i'`,
  )
  expect(columns).toEqual([])
  const state = async () => {
    const { rows } = await administrator.query(
      `select indexrelid::regclass::text as name, pg_relation_filenode(indexrelid) as file from pg_index
        where to_regcollation('natural_order') = any(indcollation) order by name`,
    )
    return rows
  }
  const before = await state()
  expect(before.map(({ name }) => name)).toEqual(['risks_by_title'])
  await administrator.query("update pg_collation set collversion = '1' where collname = 'natural_order'")
  await expect(refuseUnfit(database.url)).rejects.toThrow(/ICU of the database server was upgraded/)
  await migrate({ url: database.url })
  await refuseUnfit(database.url)
  const after = await state()
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  for (const [place, { file }] of after.entries()) expect(file).not.toBe(before[place].file)
})
