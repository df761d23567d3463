import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: a file of JSON is planned as any other: what it names is looked for, what is wrong is told of its row, and
 * values stay what they are.
 */

let one: TestService
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  sheets = sheetsOf(one, (await one.organization()).admin)
})
afterAll(() => one.close())

const bring = (rows: object[]) => sheets.bring('risk', JSON.stringify(rows))

test('half a letter of two halves is refused, as by every other door', async () => {
  const content = '[{"title":"a\\ud800b"}]'
  await expect(sheets.bring('risk', content)).rejects.toMatchObject({
    members: { errors: [{ message: expect.stringMatching(/^row \d+, column 1 has half a letter/) }] },
  })
})

test('links are named as in a spreadsheet, and what is no list of names is told of its row', async () => {
  const asset = await sheets.ask<{ id: string; reference: string }>('createAsset', {
    ...{ name: 'Rack', type: 'server', externalId: 'rack-1' },
  })
  const elsewhere = sheetsOf(one, (await one.organization()).admin)
  const theirs = await elsewhere.ask<{ id: string }>('createAsset', { name: 'Theirs', type: 'server' })
  const wrong = [
    ...[[theirs.id], ['AST-999'], ['rsk_01hzzzzzzzzzzzzzzzzzzzzzzz']],
    ...[[1, 2], [null], [[asset.id]], { a: 1 }, 7],
  ]
  const right = [[asset.id], [asset.reference], ['rack-1', 'Rack', ''], [], `${asset.reference}|rack-1`]
  const rows = [...wrong, ...right].map((asset, at) => ({ title: `R${at}`, links: { asset } }))
  const planned = await bring(rows)
  expect(planned.planned).toMatchObject({ create: right.length, error: wrong.length })
  const told = await sheets.rows(planned.id, { planned: ['error'] })
  expect(told.map(({ problems }) => problems.map(({ column, field }) => [column, field]))).toEqual(
    wrong.map(() => [[1, 'links.asset']]),
  )
  expect(told.map(({ problems }) => problems[0]!.message.slice(0, 40))).toEqual([
    ...wrong.slice(0, 3).map(() => expect.stringMatching(/^no asset here is called/)),
    ...wrong.slice(3, 7).map(() => expect.stringMatching(/^is no list of assets: write references/)),
    expect.stringMatching(/^no asset here is called 7/),
  ])
  expect(told[3]!.problems[0]).toMatchObject({ value: '[1,2]' })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ created: right.length, refused: 0 })
  const links = await sheets.ask<{ data: unknown[] }>('listAssetLinks', { id: asset.id })
  expect(links.data).toHaveLength(right.length - 1)
})

test('what is wrong in any field is told of its row, and numbers of fields that nobody has defined stay numbers', async () => {
  const wrong = [
    ...[{ owner: [1] }, { owner: { refId: {} } }, { status: ['identified'] }, { labels: [1, null] }],
    ...[{ quantification: { currency: ['EUR'] } }, { id: ['x'] }, { dueDate: [1] }],
  ]
  const planned = await bring([
    ...wrong.map((one) => ({ title: 'Wrong', ...one })),
    { title: 5, customFields: { n: 5, b: true, s: '5', l: [1] }, externalId: 'json-1' },
  ])
  const good = await sheets.rows(planned.id, { planned: ['create'] })
  expect(good.map(({ number, changes }) => [number, changes[0]!.after])).toEqual([[wrong.length + 1, '5']])
  expect(planned.planned).toMatchObject({ error: wrong.length })
  await sheets.apply(planned.id)
  expect(await sheets.ask('listRisks', { externalId: ['json-1'] })).toMatchObject({
    data: [{ title: '5', customFields: { n: 5, b: true, s: '5', l: [1] } }],
  })
})

test('a number of more digits than one keeps is that to the last, or told', async () => {
  const long = '12345678901234567890'
  const row = `{"title":"Long","externalId":${long},"description":9007199254740993,"labels":["a"]}`
  const planned = await sheets.bring(
    'risk',
    `[${row},{"title":"Short","customFields":{"n":1234567890.123456}}]`,
  )
  expect((await sheets.apply(planned.id)).done).toMatchObject({ created: 2 })
  const { data } = await sheets.ask<{ data: object[] }>('listRisks', { q: 'Long' })
  expect(data).toMatchObject([{ externalId: long, description: '9007199254740993' }])
  const places: [string, RegExp][] = [
    [`{"customFields":{"n":${long}}}`, /^customFields\.n has a number of more digits than are kept, 1234/],
    [`{"labels":["a",${long}]}`, /^labels\.1 has a number of more digits/],
    ['{"customFields":{"n":1e-400}}', /^customFields\.n has a number of more digits/],
  ]
  for (const [text, message] of places)
    await expect(sheets.begin('risk', `[${text}]`), text).rejects.toMatchObject({
      members: { errors: [{ path: 'content', message: expect.stringMatching(message) }] },
    })
  const hours = (form: string, text: string) => sheets.bring(form, text)
  for (const [at, text] of [
    [2, `[{"title":"T","status":"open","estimateHours":${long}}]`],
    [1, `Title,Estimate\nT,${long}`],
  ] as const)
    expect((await sheets.rows((await hours('task', text)).id))[0]).toMatchObject({
      problems: [{ column: at, message: expect.stringContaining('more digits than a number keeps') }],
    })
})

test('what JSON would lose without a word is told: a number that is none, and a name twice in an object', async () => {
  for (const [content, told] of [
    ['[{"title":"T","description":1e400}]', /^description has a number that is too large/],
    ['[{"title":"T","customFields":{"n":[-1e999]}}]', /has a number that is too large/],
    ['[{"title":"T"},{"title":"A","title":"B"}]', /^\[1\]\.title is there twice/],
  ] as const)
    await expect(sheets.begin('risk', content), content).rejects.toMatchObject({
      members: { errors: [{ path: 'content', message: expect.stringMatching(told) }] },
    })
  const many = await sheets.begin('risk', '[{"title":"1e400","description":"1e-400 and 1e308"}]')
  expect(many.rowCount).toBe(1)
})
