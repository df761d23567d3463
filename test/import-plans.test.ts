import { afterAll, beforeAll, expect, test } from 'vitest'
import { asset } from '../model/kinds/asset.ts'
import { sidesOf } from '../model/relations.ts'
import { readFile } from '../server/sheets/read-file.ts'
import type { Door } from './support/door.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange, type TestBulkRow, type TestSummary } from './support/sheets.ts'

/*
 * Promise: the plan of an import says what each row would write before anything is written, keeps a file from writing
 * over what has changed since it was taken out, and tells all that is wrong with a row at once.
 */

let one: TestService
let door: Door
let acme: TestOrganization
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  door = await one.listen()
  acme = await one.organization()
  sheets = sheetsOf(one, acme.admin)
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const keysOf = ({ columns }: TestBulkChange) => columns.map(({ key }) => key)

test('what a row would write is told field by field, in the words of an export, and with what follows from it', async () => {
  const there = await ask<{ id: string; reference: string }>('createRisk', {
    title: 'Shown before',
    likelihood: 'rare',
    impact: 'minor',
    labels: ['a', 'b'],
    reviewDate: '2027-02-02',
  })
  const control = await ask<{ reference: string }>('createControl', { code: 'S-1', title: 'Shown' })
  const csv = [
    'Reference,Title,Likelihood,Labels,Review date,Controls,customFields.team',
    `${there.reference},Shown before,Likely,a|c,2027-03-03,${control.reference},Blue`,
    ',Shown new,Rare,,,,',
    `${there.reference.replace(/\d+$/, '999999')},Nowhere,,,,,`,
  ].join('\n')
  const planned = await sheets.bring('risk', csv)
  expect(planned.planned).toEqual({ create: 1, change: 1, delete: 0, leave: 0, error: 1 })
  const [changed, added, wrong] = await sheets.rows(planned.id)
  expect(changed!.record).toMatchObject(there.reference ? { reference: there.reference } : {})
  expect(changed!.changes).toEqual(
    expect.arrayContaining([
      { field: 'likelihood', before: 'Rare', after: 'Likely' },
      { field: 'labels', before: 'a|b', after: 'a|c' },
      { field: 'reviewDate', before: '2027-02-02', after: '2027-03-03' },
      { field: 'customFields.team', before: null, after: 'Blue' },
      { field: 'links.control', before: null, after: control.reference },
    ]),
  )
  expect(changed!.changes).toHaveLength(5)
  expect(added!.changes).toEqual(
    expect.arrayContaining([
      { field: 'title', before: null, after: 'Shown new' },
      { field: 'status', before: null, after: 'Identified' },
      { field: 'likelihood', before: null, after: 'Rare' },
    ]),
  )
  expect(wrong!.changes).toEqual([])
  expect(wrong!.problems.map(({ field }) => field)).toEqual(['reference'])
  // Nothing of it is written yet; and planned otherwise, it is told otherwise.
  expect(await ask('getRisk', { id: there.id })).toMatchObject({ version: 1, labels: ['a', 'b'] })
  const columns = keysOf(planned).map((key) => (key === 'reference' || key === 'title' ? key : null))
  await sheets.plan(planned, { columns })
  expect((await sheets.rows(planned.id))[0]).toMatchObject({ planned: 'leave', changes: [] })
  await sheets.plan(planned)
  await sheets.apply(planned.id)
  expect((await sheets.rows(planned.id))[0]).toMatchObject({ done: 'changed', changes: changed!.changes })
})

test('of a file that says how old it is, no row writes over what has changed since', async () => {
  const { id, reference, updatedAt } = await ask<Record<'id' | 'reference' | 'updatedAt', string>>(
    'createRisk',
    { title: 'Taken out' },
  )
  const at = (shift: number) => new Date(Date.parse(updatedAt) + shift).toISOString()
  const file = (time: string, title: string) => `Reference,Title,Updated\n${reference},${title},${time}\n`
  const cameTo = async (time: string, title = 'Another', more: object = {}) =>
    (await sheets.bring('risk', file(time, title), more)).planned
  expect(await cameTo(updatedAt)).toMatchObject({ change: 1 })
  // As spreadsheets show a time, it is as exact as it is written.
  expect(await cameTo(updatedAt.slice(0, 16).replace('T', ' '))).toMatchObject({ change: 1 })
  expect(await cameTo(at(60_000))).toMatchObject({ change: 1 })
  expect(await cameTo(at(-60_000), 'Taken out')).toMatchObject({ leave: 1 })
  expect(await cameTo('last week')).toMatchObject({ error: 1 })
  const begun = await sheets.begin('risk', file(at(-60_000), 'Another'))
  expect((await sheets.plan(begun)).planned).toMatchObject({ error: 1 })
  const [{ problems } = { problems: [] }] = await sheets.rows(begun.id)
  expect(problems).toEqual([
    expect.objectContaining({
      column: 2,
      field: 'updatedAt',
      message: expect.stringMatching(
        `^${reference} was changed since, .* export the risks again .* leave the column Updated out`,
      ),
    }),
  ])
  expect(await refusal(sheets.apply(begun.id))).toMatchObject({ code: 'conflict' })
  expect((await sheets.plan(begun, { columns: ['reference', 'title', null] })).planned).toMatchObject({
    change: 1,
  })
  expect(await ask('getRisk', { id })).toMatchObject({ version: 1 })
})

test('all that is wrong with a row is told at once: what cannot be taken, what is missing and what no rule lets in', async () => {
  const there = await ask<{ reference: string }>('createRisk', { title: 'Wrong in many ways' })
  const csv = [
    'Reference;Title;Status;Likelihood;Owner;Due date;Quantification: currency',
    ';;Identified;often;Nobody at all;soon;EURO',
    `${there.reference};;Monitored;often;;;`,
    `${there.reference.replace(/\d+$/, '999999')};;;often;;;`,
  ].join('\n')
  const planned = await sheets.bring('risk', csv)
  expect(planned.planned).toMatchObject({ error: 3 })
  const [added, changed, lost] = await sheets.rows(planned.id)
  const fieldsOf = ({ problems }: TestBulkRow) => problems.map(({ field }) => field).toSorted()
  expect(fieldsOf(added!)).toEqual(['dueDate', 'likelihood', 'owner', 'quantification.currency', 'title'])
  expect(fieldsOf(changed!)).toEqual(['likelihood', 'status'])
  expect(changed!.problems.find(({ field }) => field === 'status')!.message).toMatch(
    /^cannot go from Identified to Monitored: it can go to [A-Z]/,
  )
  expect(fieldsOf(lost!)).toEqual(['likelihood', 'reference'])
  const { data } = await ask<{ data: unknown[] }>('listRisks', { q: 'Wrong in many ways' })
  expect(data).toMatchObject([{ version: 1 }])
})

test('what is wrong with a choice is told in the words that people choose from, not in those of programs', async () => {
  const messages = async (type: string, csv: string) => {
    const planned = await sheets.bring(type, csv)
    return (await sheets.rows(planned.id)).flatMap(({ problems }) =>
      problems.map(({ field, message }) => [field, message]),
    )
  }
  // With a column that says nothing. Without one the type is "Other".
  expect(await messages('asset', 'Name,Type\nLedger,')).toEqual([
    ['type', expect.stringMatching(/^required: write Application, Service, Database, /)],
  ])
  expect(await messages('asset', 'Name\nLedger')).toEqual([])
  const draft = await ask<{ reference: string }>('createEvidence', { title: 'Exported rules' })
  const told = await messages(
    'evidence',
    `Reference,Title,Status\n,Access review,Approved\n${draft.reference},Exported rules,In review`,
  )
  expect(told).toEqual([
    [
      'status',
      'new evidence cannot be Approved: import it as Requested, Draft, Archived, then change that on its page',
    ],
    ['status', 'cannot go from Draft to In review: it can go to Archived; set In review on its page'],
  ])
})

test('a row about a record that another row is about says by which column', async () => {
  const { reference } = await ask<{ reference: string }>('createRisk', { title: 'Named twice' })
  const planned = await sheets.bring(
    'risk',
    `Title,Reference\nNamed again,${reference}\nNamed anew,${reference}`,
  )
  expect((await sheets.rows(planned.id))[1]!.problems).toEqual([
    {
      column: 1,
      field: 'reference',
      value: reference,
      message: `row 2 is about ${reference} as well: leave one of them out`,
    },
  ])
})

test('what is wrong is put together by column and problem, and taken out as a file to be mended', async () => {
  const rows = [
    'Name that is long;Likelihood;Owner;Areas;When',
    'One;often;Nobody 1;legal|fun;17.5.2026',
    'Two;Often;Nobody 2;;',
    'Three;Rare;;;',
    ';seldom;;;',
  ]
  const begun = await sheets.begin('risk', rows.join('\n'))
  const columns = ['title', 'likelihood', 'owner', 'impactAreas', 'reviewDate']
  expect((await sheets.plan(begun, { columns })).planned).toMatchObject({ create: 1, error: 3 })
  const { problems } = await ask<TestSummary>('summarizeBulkChange', { id: begun.id })
  expect(problems.map(({ field, count, rows }) => [field, count, rows])).toEqual([
    ['likelihood', 3, [2, 3, 5]],
    ['owner', 2, [2, 3]],
    ['title', 1, [5]],
    ['impactAreas', 1, [2]],
  ])
  expect(problems[0]).toMatchObject({
    column: 1,
    isAlike: true,
    unknown: [
      { value: 'Often', count: 2 },
      { value: 'seldom', count: 1 },
    ],
  })
  const names = ['Nobody 1', 'Nobody 2'].map((value) => ({ value, count: 1 }))
  expect(problems[1]).toMatchObject({ isAlike: false, unknown: names, values: names })
  expect(problems[3]!.unknown).toEqual([{ value: 'fun', count: 1, proposed: null }])

  const { body } = await one.call(acme.admin, 'downloadRefusedRows', { id: begun.id })
  const { url, name } = body as { url: string; name: string }
  expect(name).toBe('a file-errors.xlsx')
  const response = await fetch(new URL(new URL(url).pathname, door.base))
  const bytes = Buffer.from(await response.arrayBuffer())
  const file = await readFile(acme.id, bytes, null)
  expect(file.head).toEqual([...rows[0]!.split(';'), 'Row in the file', 'What is wrong'])
  const [first] = (JSON.parse(file.stretches[0]!) as { rows: [number, string[]][] }).rows
  expect(first![1].slice(0, 6)).toEqual(['One', 'often', 'Nobody 1', 'legal|fun', '17.5.2026', 2])
  expect(first![1][6]).toMatch(
    /^Likelihood: is none of the choices.*\nOwner: nobody here is called Nobody 1/s,
  )

  // What no column of the file is about is called as people read it.
  const untitled = await sheets.bring('risk', 'Likelihood\nRare\n')
  const taken = await ask<{ url: string }>('downloadRefusedRows', { id: untitled.id })
  const untitledBytes = await fetch(new URL(new URL(taken.url).pathname, door.base))
  const { stretches } = await readFile(acme.id, Buffer.from(await untitledBytes.arrayBuffer()), null)
  expect(stretches[0]).toContain('"Title: required')

  // Brought in again, its columns are those of the file before, and what says what is wrong is left out.
  const again = await sheets.begin('risk', bytes)
  expect(keysOf(again)).toEqual([...columns, null, null])
  await sheets.apply(begun.id)
  expect((await sheets.rows(begun.id, { done: ['created'] })).map(({ number }) => number)).toEqual([4])
  const editor = await acme.person('editor')
  expect(await refusal(one.call(editor, 'downloadRefusedRows', { id: begun.id }))).toMatchObject({
    code: 'not_found',
  })
  const clean = await sheets.bring('risk', 'Title\nClean\n')
  expect(await refusal(ask('downloadRefusedRows', { id: clean.id }))).toMatchObject({ code: 'conflict' })
})

test('what words stand for that no choice is called by is said once, and remembered with the column', async () => {
  const text = 'Title;How likely;Harms\nA;immer;Kunden|legal\nB;IMMER ;\nC;nie;\n'
  const begun = await sheets.begin('risk', text)
  const columns = ['title', 'likelihood', 'impactAreas']
  expect((await sheets.plan(begun, { columns })).planned).toMatchObject({ error: 3 })
  const say = (meanings: object[], more: object = {}) => sheets.plan(begun, { columns, meanings, ...more })
  const refused = await refusal(
    say([
      { column: 1, word: 'immer', choice: 'sometimes' },
      { column: 0, word: 'A', choice: 'rare' },
      { column: 9, word: 'A', choice: 'rare' },
    ]),
  )
  expect(refused?.members.errors).toMatchObject([
    { path: 'meanings.0.choice' },
    { path: 'meanings.1.column' },
    { path: 'meanings.2.column' },
  ])
  const planned = await say([
    { column: 1, word: 'immer', choice: 'almost_certain' },
    { column: 2, word: 'Kunden', choice: 'reputation' },
  ])
  expect(planned.planned).toMatchObject({ create: 2, error: 1 })
  const [first] = await sheets.rows(begun.id, { planned: ['create'] })
  expect(first!.changes).toEqual(
    expect.arrayContaining([
      { field: 'likelihood', before: null, after: 'Almost certain' },
      { field: 'impactAreas', before: null, after: 'Reputation|Legal' },
    ]),
  )
  // The next file with such a column tells what is taken for another word there; and it is forgotten again.
  const next = await sheets.bring('risk', 'Title;How likely\nA;Immer\nB;IMMER \n')
  expect(next.planned).toMatchObject({ create: 2 })
  const { translated } = await ask<TestSummary>('summarizeBulkChange', { id: next.id })
  expect(translated).toEqual([
    {
      column: 1,
      field: 'likelihood',
      word: 'Immer',
      choice: 'almost_certain',
      title: 'Almost certain',
      count: 2,
    },
  ])
  expect((await say([{ column: 1, word: 'immer', choice: null }])).planned).toMatchObject({ error: 3 })
  const zenith = await one.organization()
  const theirs = await sheetsOf(one, zenith.admin).begin('risk', text)
  expect(theirs.columns[1]).toMatchObject({ key: null })
})

test('a row that names what another row of the file adds comes in with it, by external id and by name', async () => {
  const column = `links.${sidesOf(asset).find(({ other, writes }) => other === asset && writes)!.word}`
  const csv = [
    `External id,Name,Type,${column}`,
    'rack-a,Rack A,Server,',
    'blade-1,Blade 1,Server,rack-a',
    'blade-2,Blade 2,Server,Rack A|rack-b',
    'rack-b,Rack B,Server,',
  ].join('\n')
  const planned = await sheets.bring('asset', csv)
  expect(planned.planned).toMatchObject({ create: 4, error: 0 })
  const [, , third] = await sheets.rows(planned.id)
  expect(third!.changes).toContainEqual({ field: column, before: null, after: 'Rack A|rack-b' })
  expect((await sheets.apply(planned.id)).done).toMatchObject({ created: 4, refused: 0 })
})

test('rows that are called as records that are here are told, and known by that once somebody says so', async () => {
  const zenith = await one.organization()
  const theirs = sheetsOf(one, zenith.admin)
  const names = ['Cloud', 'Mail', 'Payroll']
  const first = await theirs.bring('vendor', ['Name', ...names].join('\n'))
  const told = async (id: string) => (await theirs.ask<TestSummary>('summarizeBulkChange', { id })).namesakes
  expect(await told(first.id)).toBeNull()
  await theirs.apply(first.id, 'all')
  const again = await theirs.bring('vendor', ['Name,External id', ...names, 'Backup', 'Mail,m-2'].join('\n'))
  expect(again.planned).toMatchObject({ create: 5, leave: 0 })
  expect(await told(again.id)).toEqual({ field: 'name', title: 'Name', isUnique: false, count: 3 })
  expect((await theirs.plan(again, { identity: 'name' })).planned).toMatchObject({ create: 2, leave: 3 })
  expect(await told(again.id)).toBeNull()
  expect(await told((await theirs.plan(again, { identity: 'none' })).id)).toBeNull()
})

test('people who are brought in again without ids are offered to be known by their work e-mail', async () => {
  const zenith = await one.organization()
  const theirs = sheetsOf(one, zenith.admin)
  const rows = ['Ada,ada@zenith.example', 'Bo,Bo@zenith.example']
  const first = await theirs.bring('personnel', ['Full name,Work e-mail', ...rows].join('\n'))
  const told = async (id: string) => (await theirs.ask<TestSummary>('summarizeBulkChange', { id })).namesakes
  expect(await told(first.id)).toBeNull()
  await theirs.apply(first.id, 'all')
  const again = await theirs.bring(
    'personnel',
    ['Full name,Work e-mail', 'Ada,ADA@zenith.example', rows[1], 'Cy,cy@zenith.example'].join('\n'),
  )
  expect(again.planned).toMatchObject({ create: 1, error: 2 })
  expect(await told(again.id)).toEqual({ field: 'workEmail', title: 'Work e-mail', isUnique: true, count: 2 })
  const planned = await theirs.plan(again, { identity: 'workEmail' })
  expect(planned.planned).toMatchObject({ create: 1, error: 0 })
  expect(await told(again.id)).toBeNull()
})

test('a control is found by its code as well, before one that is called so', async () => {
  const control = (code: string, title: string) =>
    sheets.ask<{ id: string; reference: string }>('createControl', { code, title })
  const [coded] = [await control('START-02', 'Reviews'), await control('START-03', 'start-02')]
  const planned = await sheets.bring('risk', 'Title,links.control\nOne,start-02\nTwo,Reviews\nThree,START-9')
  const rows = await sheets.rows(planned.id)
  for (const row of rows.slice(0, 2))
    expect(row.changes).toContainEqual({ field: 'links.control', before: null, after: coded!.reference })
  expect(rows[2]!.problems).toMatchObject([
    { column: 1, message: expect.stringContaining('a code or a name') },
  ])
})

test('what cannot be read is named by its row', async () => {
  const rows = (count: number, at: number) =>
    Array.from({ length: count }, (_, row) => (row + 2 === at ? `"A ${row},x` : `A ${row},x`))
  for (const [count, at] of [
    [2, 2],
    [300, 250],
  ] as const)
    expect(
      await refusal(sheets.begin('risk', ['Title,Description', ...rows(count, at)].join('\n'))),
    ).toMatchObject({
      members: { errors: [{ message: expect.stringMatching(`^row ${at} begins with a quotation mark`) }] },
    })
  // Only its name says that it is a workbook.
  expect(await refusal(sheets.begin('risk', '%PDF-1.7\n1 0 obj\n'))).toMatchObject({
    members: { errors: [{ message: expect.stringMatching('^it is a PDF, and no workbook: choose one') }] },
  })
  const names = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`n${at}`, 1]))
  expect(await refusal(sheets.begin('risk', JSON.stringify([names])))).toMatchObject({
    message: expect.stringMatching('together, its objects have more than 300 names'),
  })
})
