import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange, type TestSummary } from './support/sheets.ts'

/*
 * Promise: what an import asks is asked once. Whom a name stands for holds for all of the file and is taken so the next
 * time, what comes first in dates is offered to whoever said it, and neither ever goes before what a file says by itself.
 */

let one: TestService
let acme: TestOrganization
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  sheets = sheetsOf(one, acme.admin)
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const summary = ({ id }: TestBulkChange) => ask<TestSummary>('summarizeBulkChange', { id })
const add = async (fullName: string) =>
  (
    await ask<{ id: string }>('createPersonnel', {
      fullName,
      workEmail: `${fullName.replace(/\W+/g, '.')}@acme.example`,
    })
  ).id

test('whom a name stands for is said once, for each column and the next file, until it is forgotten', async () => {
  const jane = await add('Jane Smith')
  const bo = await add('Bo Lind')
  const file = (name: string) =>
    [
      'Name,Type,Owner,Custodian',
      `Alpha,Server,${name},Bo Lind`,
      `Beta,Server,${name.toUpperCase()},${name}`,
    ].join('\n')
  const begun = await sheets.begin('asset', file('J. Smith'))
  expect((await sheets.plan(begun)).planned).toMatchObject({ error: 2 })
  const { problems } = await summary(begun)
  expect(problems).toMatchObject([
    { field: 'owner', isAlike: false, unknown: [{ value: 'J. Smith', count: 2 }] },
    { field: 'custodian', message: expect.stringContaining('nobody here is called J. Smith') },
  ])
  const say = (choice: string | null, column = 2) =>
    sheets.plan(begun, { meanings: [{ column, word: 'J Smith', choice }] })
  const elsewhere = await one.organization()
  const theirs = elsewhere.admin.userId
  for (const choice of ['likely', theirs, 'Jane Smith'])
    expect((await refusal(say(choice)))?.members.errors).toMatchObject([{ path: 'meanings.0.choice' }])
  expect((await refusal(say(jane, 0)))?.members.errors).toMatchObject([{ path: 'meanings.0.column' }])

  const planned = await say(jane)
  expect(planned).toMatchObject({ planned: { create: 2, error: 0 }, people: { [jane]: 'Jane Smith' } })
  expect((await summary(begun)).translated).toEqual([
    { column: 2, field: 'owner', word: 'J. Smith', choice: jane, title: 'Jane Smith', count: 3 },
  ])
  await sheets.apply(begun.id)
  const owners = async (q: string) => (await ask<{ data: object[] }>('listAssets', { q })).data
  expect(await owners('Beta')).toMatchObject([{ owner: { refId: jane }, custodian: { refId: jane } }])

  // The next file has it, and tells it; said anew in another column it is another's in both.
  const next = await sheets.bring('asset', file('J. Smith').replaceAll('Server', 'Service'))
  expect(next.planned).toMatchObject({ create: 2 })
  expect((await summary(next)).translated).toMatchObject([{ choice: jane, count: 3 }])
  await sheets.plan(next, { meanings: [{ column: 3, word: 'J. Smith', choice: bo }] })
  expect((await summary(next)).translated).toMatchObject([{ choice: bo, title: 'Bo Lind', count: 3 }])
  expect(
    (await sheets.plan(next, { meanings: [{ column: 2, word: 'J. Smith', choice: null }] })).planned,
  ).toMatchObject({
    error: 2,
  })
  expect((await sheets.bring('asset', file('J. Smith'))).planned).toMatchObject({ error: 2 })
})

test('a name that says by itself who is meant is theirs, whatever was said of it before', async () => {
  const said = await add('Kim Berg')
  const file = 'Name,Type,Owner\nGamma,Server,K. Berg\n'
  const begun = await sheets.begin('asset', file)
  await sheets.plan(begun, { meanings: [{ column: 2, word: 'K. Berg', choice: said }] })
  expect((await sheets.plan(begun)).planned).toMatchObject({ create: 1 })
  const ownerOf = async (bulk: TestBulkChange) =>
    (await sheets.rows(bulk.id))[0]!.changes.find(({ field }) => field === 'owner')?.after
  expect(await ownerOf(begun)).toBe('Kim Berg')
  // Somebody comes who is called so, then another: nobody decides between these two but whoever brings the file in.
  const own = await add('K. Berg')
  const known = await sheets.bring('asset', file)
  expect(await ownerOf(known)).toBe('K. Berg')
  expect((await summary(known)).translated).toMatchObject([{ count: 0 }])
  const { id: other } = await ask<{ id: string }>('createPersonnel', {
    fullName: 'K. Berg',
    workEmail: 'other@acme.example',
  })
  const unclear = await sheets.bring('asset', file)
  expect(unclear.planned).toMatchObject({ error: 1 })
  expect((await summary(unclear)).problems).toMatchObject([{ unknown: [{ value: 'K. Berg' }] }])
  const chosen = await sheets.plan(unclear, { meanings: [{ column: 2, word: 'K. Berg', choice: other }] })
  expect(chosen.planned).toMatchObject({ create: 1 })
  expect((await summary(unclear)).translated).toMatchObject([{ choice: other, count: 1 }])
  // Who has gone is nobody any more.
  await ask('deletePersonnel', { id: own })
  await ask('deletePersonnel', { id: other })
  expect((await sheets.bring('asset', file)).planned).toMatchObject({ error: 1 })
})

test('what comes first in dates is offered: by the file itself, or to whoever said it of an earlier one', async () => {
  const file = (...dates: string[]) =>
    ['Title,Due date', ...dates.map((date, at) => `Risk ${at},${date}`)].join('\n')
  const open = await sheets.begin('risk', file('03/04/2027'))
  expect(open).toMatchObject({ dates: null, datesFrom: null })
  expect((await sheets.plan(open)).planned).toMatchObject({ error: 1 })
  await sheets.plan(open, { dates: 'month_first' })

  // Offered, it is still to be said: a program that plans the next file without it is told.
  const next = await sheets.begin('risk', file('05/06/2027'))
  expect(next).toMatchObject({ dates: 'month_first', datesFrom: 'earlier' })
  expect((await sheets.plan(next)).planned).toMatchObject({ error: 1 })
  expect(await sheets.plan(next, { dates: 'month_first' })).toMatchObject({
    ...{ dates: 'month_first', datesFrom: null },
    planned: { create: 1 },
  })
  // A colleague said nothing, and the file goes before what was said.
  const editor = sheetsOf(one, await acme.person('editor'))
  expect(await editor.begin('risk', file('05/06/2027'))).toMatchObject({ dates: null, datesFrom: null })
  const dayFirst = file('05/06/2027', '31/12/2027')
  expect(await sheets.begin('risk', dayFirst)).toMatchObject({ dates: 'day_first', datesFrom: 'file' })
  expect(await editor.begin('risk', dayFirst)).toMatchObject({ dates: 'day_first', datesFrom: 'file' })
  expect(await sheets.begin('risk', file('12-31-2027'))).toMatchObject({ dates: 'month_first' })
  const both = await sheets.begin('risk', file('31/12/2027', '12/31/2027', '05/06/2027'))
  expect(both).toMatchObject({ dates: null, datesFrom: null })
})
