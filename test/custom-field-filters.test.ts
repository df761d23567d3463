import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { BITMAPS_ALONE } from '../server/database/bitmaps.ts'
import { transaction } from '../server/database/transaction.ts'
import { findExactly } from '../server/records/custom-fields/filters.ts'
import type { Door } from './support/door.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Lists and counts are filtered by the custom fields that the organization has defined, each in the way of its type. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks'])).secret
  const choices = ['north', 'south', 'west'].map((key) => ({ key, label: key }))
  for (const [name, type] of Object.entries({
    site: 'text',
    budget: 'number',
    signed: 'date',
    shared: 'boolean',
    region: 'choice',
    regions: 'choices',
    wiki: 'url',
  }))
    await one.call(acme.admin, 'createCustomField', {
      ...{ name, label: name, type, kinds: ['risk'] },
      ...(type.startsWith('choice') ? { choices } : {}),
    })
  const records = [
    { site: 'Vienna', budget: 5, signed: '2026-01-31', shared: true, region: 'north', regions: ['north'] },
    {
      site: 'Graz',
      budget: 10,
      signed: '2026-02-28',
      shared: false,
      region: 'south',
      regions: ['north', 'west'],
    },
    { site: 'vienna', budget: 10.5, wiki: 'https://example.com/a?b=c&d', regions: [] },
    null,
  ].map((customFields, at) => ({ title: `R${at}`, customFields }))
  await one.call(acme.admin, 'createRiskBatch', { records })
  // What came before there were definitions is of any form.
  await one.administrator.query(
    `update risks set custom_fields = '{"site": 7, "budget": "9", "signed": "9999", "shared": "true", "regions": "north"}'
      where title = 'R3'`,
  )
})
afterAll(() => one.close())

const list = async (query: string, path = '/v1/risks') => await door.send(key, 'GET', `${path}?${query}`)
const found = async (query: string) =>
  (await list(query)).body.data.map(({ title }: { title: string }) => title).sort()

test.each([
  ['customFields.site=Vienna', ['R0']],
  ['customFields.site=Vienna&customFields.site=Graz', ['R0', 'R1']],
  ['customFields.site=nowhere', []],
  ['customFields.budget.min=10', ['R1', 'R2']],
  ['customFields.budget.min=5&customFields.budget.max=10', ['R0', 'R1']],
  ['customFields.budget.max=-1', []],
  ['customFields.signed.from=2026-02-01', ['R1']],
  ['customFields.signed.to=2026-01-31', ['R0']],
  ['customFields.signed=none', ['R2']],
  ['customFields.signed=none&customFields.signed.to=2026-01-31', ['R0', 'R2']],
  ['customFields.shared=true', ['R0']],
  ['customFields.shared=false', ['R1']],
  ['customFields.shared=none', ['R2']],
  ['customFields.region=north&customFields.region=south', ['R0', 'R1']],
  ['customFields.region=none&customFields.region=south', ['R1', 'R2', 'R3']],
  ['customFields.regions=north', ['R0', 'R1']],
  ['customFields.regions=west&customFields.regions=south', ['R1']],
  ['customFields.regions=none', ['R2']],
  ['customFields.wiki=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d', ['R2']],
  ['customFields.site=Vienna&customFields.region=south', []],
  ['customFields.region=north&status=identified&q=R0', ['R0']],
])('%s finds %j', async (query, titles) => {
  expect(await found(query)).toEqual(titles)
  const { body } = await list(query, '/v1/risks/summary')
  expect(body.total).toBe(titles.length)
})

test.each([
  ['customFields.sites=Vienna', 'customFields.sites', /did you mean site\?/],
  ['customFields.budget=5', 'customFields.budget', /give none/],
  ['customFields.budget.min=much', 'customFields.budget.min', /not a number/],
  ['customFields.budget.min=1&customFields.budget.min=2', 'customFields.budget.min', /more than once/],
  ['customFields.signed.from=yesterday', 'customFields.signed.from', /2026-05-17/],
  ['customFields.shared=yes', 'customFields.shared', /true or false|give/],
  ['customFields.region=nort', 'customFields.region', /did you mean north/],
  ['customFields.constructor=x', 'customFields.constructor', /no such parameter/],
  ['customFields=x', 'customFields', /object/],
  ['customFields=x&customFields.site=y', 'customFields', /object/],
])('%s is refused, by its name', async (query, path, message) => {
  const { status, body } = await list(query)
  expect([status, body.errors]).toEqual([422, [{ path, message: expect.stringMatching(message) }]])
})

test('a name as long as an address is refused as any other', async () => {
  const { status } = await list(`customFields.${'x'.repeat(5_000)}=1`)
  expect(status).toBe(422)
})

test('tools take the same in one object, with values in their own type', async () => {
  const titles = async (customFields: object) => {
    const { result } = await callTool(door, key, 'listRisks', { customFields, fields: ['title'] })
    return result.structuredContent.data.map(({ title }: { title: string }) => title).sort()
  }
  expect(await titles({ 'budget.min': 10 })).toEqual(['R1', 'R2'])
  expect(await titles({ shared: false })).toEqual(['R1'])
  expect(await titles({ shared: [true, false], site: ['Vienna'] })).toEqual(['R0'])
  const { problem } = await callTool(door, key, 'listRisks', { customFields: { regionn: 'north' } })
  expect(problem.errors).toMatchObject([{ path: 'customFields.regionn' }])
  const counted = await callTool(door, key, 'summarizeRecords', {
    type: 'risk',
    filters: { customFields: { region: ['north'] } },
  })
  expect(counted.result.structuredContent.total).toBe(1)
  const defined = await callTool(door, key, 'listCustomFields', { kind: 'risk' })
  expect(defined.result.structuredContent.data[0]).toMatchObject({ name: 'site', type: 'text' })
})

test('a page goes on behind the last, and a cursor holds for its filter in whatever order that was written', async () => {
  const [first, second] = ['customFields.region=north', 'customFields.shared=true']
  const page = await list('customFields.regions=north&limit=1')
  const next = await list(`customFields.regions=north&limit=1&cursor=${page.body.nextCursor}`)
  expect([...page.body.data, ...next.body.data].map(({ title }) => title)).toEqual(['R1', 'R0'])
  expect((await list(`customFields.regions=west&cursor=${page.body.nextCursor}`)).status).toBe(400)
  await door.send(key, 'POST', '/v1/risks', {
    body: { title: 'R0 again', customFields: { region: 'north', shared: true } },
  })
  const { nextCursor } = (await list(`${first}&${second}&limit=1`)).body
  expect((await list(`${second}&${first}&limit=1&cursor=${nextCursor}`)).body.data).toMatchObject([
    { title: 'R0' },
  ])
})

test('the same in another organization is found there alone', async () => {
  const beta = await one.organization()
  await one.call(beta.admin, 'createCustomField', {
    name: 'site',
    label: 'Site',
    type: 'text',
    kinds: ['risk'],
  })
  await one.call(beta.admin, 'createRisk', { title: 'Theirs', customFields: { site: 'Vienna' } })
  const { body } = await one.call(beta.admin, 'listRisks', { customFields: { site: 'Vienna' } })
  expect(body).toMatchObject({ data: [{ title: 'Theirs' }] })
  expect((body as { data: unknown[] }).data).toHaveLength(1)
  expect(await found('customFields.site=Vienna')).toEqual(['R0'])
})

test('a value is found through the index, however many records there are, and others are not read for it', async () => {
  const beta = await one.organization()
  await one.administrator.query(
    `insert into risks (organization_id, id, reference_number, title, status, category, treatment_strategy,
       custom_fields, source, version, created_at, created_by, updated_at, updated_by)
     select $1, 'risk_' || lpad(n::text, 26, '0'), n, 'Many', 'identified', 'other', 'undecided',
       jsonb_build_object('site', 's' || n), 'api', 1, clock_now(), '{}', clock_now(), '{}'
       from generate_series(1, 20000) n`,
    [beta.id],
  )
  await one.administrator.query('analyze risks')
  const wanted = sql`r.custom_fields @> any(${['{"site":"s77"}']}::jsonb[])`
  const { text, values } = findExactly(kinds.risk as unknown as Kind, [wanted])
  const plan = await transaction(one.service.database.tenant, beta.id, async (tx) => {
    tx.write(BITMAPS_ALONE)
    const rows = await tx.readAsGate<{ 'QUERY PLAN': string }>({ text: `explain analyze ${text}`, values })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Bitmap Index Scan on risks_custom_fields/)
  expect(plan).not.toMatch(/Seq Scan/)
  expect(plan).not.toMatch(/Rows Removed/)
  // As the gate, a record shows nothing else.
  const peek = transaction(one.service.database.tenant, beta.id, (tx) =>
    tx.readAsGate({ text: 'select title from risks limit 1', values: [] }),
  )
  await expect(peek).rejects.toMatchObject({ code: '42501' })
})

test('what more have than are read by their ids is found all the same', async () => {
  const beta = await one.organization()
  await one.call(beta.admin, 'createCustomField', {
    ...{ name: 'shared', label: 'Shared', type: 'boolean', kinds: ['risk'] },
  })
  await one.administrator.query(
    `insert into risks (organization_id, id, reference_number, title, status, category, treatment_strategy,
       custom_fields, source, version, created_at, created_by, updated_at, updated_by)
     select $1, 'risk_' || lpad(n::text, 26, '0'), n, 'Many', 'identified', 'other', 'undecided',
       jsonb_build_object('shared', n % 2 = 0), 'api', 1, clock_now(), '{}', clock_now(), '{}'
       from generate_series(1, 3000) n`,
    [beta.id],
  )
  const { body } = await one.call(beta.admin, 'summarizeRisks', { customFields: { shared: true } })
  expect(body).toMatchObject({ total: 1500 })
})
