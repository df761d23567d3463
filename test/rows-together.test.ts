import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind, kinds } from '../model/kinds/index.ts'
import { LINKS_AT_MOST } from '../model/relation.ts'
import { makeUnder } from './support/makers.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { type Sheets, startSheets, type TestBulkChange } from './support/sheets.ts'

/*
 * Promise: rows that are written together are judged beside each other, in the plan and when they are carried out: none
 * closes a circle with another, none is one link too many. And a row that is refused has written nothing.
 */

let one: TestService
let acme: TestOrganization
let sheets: Sheets
beforeAll(async () => {
  ;({ one, acme, sheets } = await startSheets())
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
interface Asset {
  id: string
  reference: string
  version: number
  description: string | null
  parentAssetIds: string[]
}
const asset = (name: string) => ask<Asset>('createAsset', { name, type: 'server' })
const read = ({ id }: Asset) => ask<Asset>('getAsset', { id })

const pointing = everyKind.flatMap((kind) =>
  kind.acyclic
    .filter((field) => field in kind.fields)
    .map((field) => ({ name: `${field} of ${kind.noun.one}`, kind, field })),
)

test.each(pointing)('changes of many make no circle: $name', async ({ kind, field }) => {
  const path = `/v1/${kind.path}`
  const { under } = kind
  const parentPath = under && `/v1/${kinds[under.kind as keyof typeof kinds].path}`
  const given = under ? { [under.field]: await makeUnder(one, acme.admin, parentPath!) } : {}
  const ids: string[] = []
  for (const _ of [1, 2, 3]) ids.push(await makeUnder(one, acme.admin, path, given))
  const changes = ids.map((id, at) => ({ ids: [id], change: { [field]: ids[(at + 1) % ids.length] } }))
  const bulk = await ask<TestBulkChange>('startBulkEdit', { type: kind.name, changes })
  const planned = await sheets.planned(bulk.id)
  const rows = await sheets.rows(planned.id, { planned: ['error'] })
  expect(rows.map(({ problems }) => problems)).toMatchObject([
    [{ field, message: expect.stringContaining('leads back to this record after 2 steps') }],
  ])
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 2, refused: 0 })
})

test('an import makes no circle of vendors', async () => {
  const made: { id: string; reference: string }[] = []
  for (const name of ['One', 'Two', 'Three']) made.push(await ask('createVendor', { name }))
  const [a, b, c] = made.map(({ reference }) => reference)
  const planned = await sheets.bring('vendor', `Reference,parentVendorId\n${a},${b}\n${b},${c}\n${c},${a}\n`)
  expect(planned.planned).toMatchObject({ change: 2, error: 1 })
  const [row] = await sheets.rows(planned.id, { planned: ['error'] })
  expect(row!.problems).toMatchObject([{ column: 1, field: 'parentVendorId', value: a }])
})

test('an import makes no circle of links', async () => {
  const made = [await asset('One'), await asset('Two'), await asset('Three')]
  const [a, b, c] = made.map(({ reference }) => reference)
  const planned = await sheets.bring('asset', `Reference,links.parent\n${a},${b}\n${b},${c}\n${c},${a}\n`)
  expect(planned.planned).toMatchObject({ change: 2, error: 1 })
  const [row] = await sheets.rows(planned.id, { planned: ['error'] })
  const message = expect.stringContaining('lead back to this asset after 2 links')
  expect(row!.problems).toMatchObject([{ column: 1, field: 'links.parent', value: a, message }])
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 2, refused: 0 })
  expect((await read(made[2]!)).parentAssetIds).toEqual([])
})

test('what one row unlinks, another may link the other way round', async () => {
  // The earlier is judged first.
  const [down, up, another] = [await asset('Down'), await asset('Up'), await asset('Another')]
  await ask('linkAsset', { id: down.id, targetKind: 'parent', targetId: up.id })
  const file = `Reference,links.parent\n${down.reference},${another.reference}\n${up.reference},${down.reference}\n`
  expect((await sheets.bring('asset', file)).planned).toMatchObject({ change: 2, error: 0 })
})

test('rows together make no more links than a record may have', async () => {
  const { id, reference } = await asset('Hub')
  const { data } = await ask<{ data: { record: { reference: string } }[] }>('createRiskBatch', {
    records: Array.from({ length: 30 }, (_, at) => ({ title: `Risk ${at}` })),
  })
  const room = 20
  for (let made = 0; made < LINKS_AT_MOST - room; made += 96)
    await ask('createRiskBatch', {
      records: Array.from({ length: Math.min(96, LINKS_AT_MOST - room - made) }, (_, at) => ({
        title: `Linked ${at}`,
      })),
    })
  await one.administrator.query(
    `insert into risk_assets (organization_id, risk_id, asset_id, linked_at, linked_by)
     select organization_id, id, $2, clock_now(), created_by from risks
      where organization_id = $1 and title like 'Linked %' order by id limit $3`,
    [acme.id, id, LINKS_AT_MOST - room],
  )
  const rows = data.map(({ record }) => `${record.reference},${reference}`).join('\n')
  const planned = await sheets.bring('risk', `Reference,links.asset\n${rows}\n`)
  expect(planned.planned).toMatchObject({ change: room, error: data.length - room })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: room, refused: 0 })
  const { counts } = await ask<{ counts: Record<string, number> }>('listAssetLinks', { id })
  expect(counts.risk).toBe(LINKS_AT_MOST)
})

test('of a row whose link is refused nothing is written', async () => {
  const [a, b] = [await asset('Half'), await asset('Other')]
  const planned = await sheets.bring(
    'asset',
    `Reference,Description,links.parent\n${a.reference},Half written,${b.reference}\n`,
  )
  expect(planned.planned).toMatchObject({ change: 1, error: 0 })
  await ask('linkAsset', { id: b.id, targetKind: 'parent', targetId: a.id })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 0, refused: 1 })
  expect(await read(a)).toEqual(a)
})

test('of a row that is refused by a rule no link is written', async () => {
  const [a, b, c] = [await asset('Ruled'), await asset('Between'), await asset('Above')]
  await ask('linkAsset', { id: a.id, targetKind: 'parent', targetId: c.id })
  const planned = await sheets.bring(
    'asset',
    `Reference,Description,links.parent\n${a.reference},Ruled,${b.reference}\n`,
  )
  await ask('updateAsset', { id: a.id, description: 'By another' })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 0, refused: 1 })
  expect(await read(a)).toMatchObject({ description: 'By another', parentAssetIds: [c.id] })
})
