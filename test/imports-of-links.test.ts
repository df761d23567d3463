import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from './support/service.ts'
import { type Sheets, startSheets, type TestBulkChange, type TestSummary } from './support/sheets.ts'

/*
 * Promise: an import links what it adds, with what is here and with each other, as far as links go; and what is refused
 * of it uses up no reference.
 */

let one: TestService
let sheets: Sheets
beforeAll(async () => {
  ;({ one, sheets } = await startSheets())
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const fileOf = (...lines: readonly string[]) => lines.join('\n')

const partsOf = async (id: string) =>
  (await ask<{ counts: Record<string, number> }>('listAssetLinks', { id })).counts.part ?? 0

test('of many rows that name one record, those are told at the plan that are too many, and none uses up a reference', async () => {
  const { reference } = await ask<{ reference: string }>('createAsset', { name: 'First', type: 'server' })
  const hosts = Array.from({ length: 504 }, (_, at) => `Host ${at},Server,Hall`)
  const rows = [...hosts.slice(0, 300), 'Hall,Facility,', ...hosts.slice(300), 'Alone,Server,']
  const planned = await sheets.bring('asset', fileOf('Name,Type,Parents', ...rows))
  expect(planned.planned).toMatchObject({ create: 502, error: 4 })
  const { problems } = await ask<TestSummary>('summarizeBulkChange', { id: planned.id })
  expect(problems).toEqual([
    expect.objectContaining({
      ...{ column: 2, field: 'links.parent', count: 4, rows: [503, 504, 505, 506] },
      message: expect.stringMatching(/^The asset is linked with 500 parts, which is all it may be/),
    }),
  ])
  expect((await sheets.apply(planned.id)).done).toMatchObject({ created: 502, refused: 0 })
  const { data } = await ask<{ data: { id: string; name: string; reference: string }[] }>('listAssets', {
    q: 'Hall',
  })
  expect(await partsOf(data.find(({ name }) => name === 'Hall')!.id)).toBe(500)
  const [last] = (
    await ask<{ data: { reference: string }[] }>('listAssets', { sort: '-createdAt', limit: 1 })
  ).data
  const numberOf = (text: string) => Number(text.replace(/\D/g, ''))
  expect(numberOf(last!.reference) - numberOf(reference)).toBe(502)

  // What others have linked since then is told of its row, and keeps nothing else out.
  const more = fileOf('Name,Type,Parents', 'One more,Server,Hall', 'Next,Server,First')
  expect((await sheets.bring('asset', more)).planned).toMatchObject({ create: 1, error: 1 })
})

test('what a row names is written before it, wherever in the file that stands, and taken back behind it', async () => {
  const rows = [
    'App,Application,Machine|Data store,app-1',
    'Machine,Virtual machine,rack-7,',
    'Data store,Data store,MACHINE,',
    'Rack,Facility,,rack-7',
  ]
  const planned = await sheets.bring('asset', fileOf('Name,Type,Parents,External id', ...rows))
  expect(planned.planned).toMatchObject({ create: 4, error: 0 })
  const [app] = await sheets.rows(planned.id)
  expect(app!.changes).toContainEqual({ field: 'links.parent', before: null, after: 'Machine|Data store' })
  expect((await sheets.apply(planned.id, 'all')).done).toMatchObject({ created: 4 })
  const made = await sheets.rows(planned.id)
  expect(await Promise.all(made.map(({ record }) => partsOf(record!.id)))).toEqual([0, 2, 1, 1])

  // A record that is here already may name what the file adds.
  const { reference } = made[3]!.record!
  const further = fileOf('Reference,Name,Type,Parents', `${reference},,,Site`, ',Site,Facility,')
  const changing = await sheets.bring('asset', further)
  expect(changing.planned).toMatchObject({ create: 1, change: 1, error: 0 })
  expect((await sheets.apply(changing.id, 'all')).done).toMatchObject({ created: 1, changed: 1 })
  const site = (await sheets.rows(changing.id))[1]!.record!
  expect(await partsOf(site.id)).toBe(1)

  for (const { id } of [changing, planned]) {
    const undo = await ask<TestBulkChange>('undoBulkChange', { id })
    expect((await sheets.planned(undo.id)).planned).toMatchObject({ error: 0 })
    expect((await sheets.apply(undo.id)).done).toMatchObject({ refused: 0 })
  }
  const { data } = await ask<{ data: { name: string }[] }>('listAssets', { q: 'Rack' })
  expect(data).toEqual([])
})

test('rows that name each other are told as a ring, and what names a row with errors as that', async () => {
  const rows = [
    'A,Server,B',
    'B,Server,C',
    'C,Server,A',
    'D,Server,A',
    'E,Server,E',
    'F,Bogus,',
    'G,Server,F',
    'H,Server,',
  ]
  const planned = await sheets.bring('asset', fileOf('Name,Type,Parents', ...rows))
  expect(planned.planned).toMatchObject({ create: 1, error: 7 })
  const told = (await sheets.rows(planned.id, { planned: ['error'] })).map(
    ({ problems }) => problems[0]!.message,
  )
  expect(told).toEqual([
    expect.stringMatching(
      '^B is added by row 3 of this file, and that leads back to this row: rows 2, 3, 4 name',
    ),
    expect.stringMatching('^C is added by row 4 .* in a ring'),
    expect.stringMatching('^A is added by row 2 .* in a ring'),
    'A is added by row 2 of this file, which has errors: correct that row as well',
    'E is what this row adds itself: name another',
    expect.stringMatching('none of the choices'),
    'F is added by row 7 of this file, which has errors: correct that row as well',
  ])
  const twins = fileOf('Name,Type,Parents', 'Twin,Server,', 'Twin,Server,', 'Part,Server,Twin')
  const [wrong] = await sheets.rows((await sheets.bring('asset', twins)).id, { planned: ['error'] })
  expect(wrong!.problems[0]!.message).toMatch(/^rows 2 and 3 of this file are both called Twin/)
})
