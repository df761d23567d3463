import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { incoming } from './support/files.ts'
import { startTestService, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: of a workbook is taken what somebody sees in it: what looks otherwise there than it is kept is told of its
 * cell, and what they have hidden is not what they mean.
 */

let one: TestService
let door: Door
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  door = await one.listen()
  sheets = sheetsOf(one, (await one.organization()).admin)
})
afterAll(() => one.close())

test('a formula without its value and a cell that is merged with the one above are told, each in its place', async () => {
  const planned = await sheets.bring('risk', workbook(withMarks(), ['C3:C6', 'A2:B2', 'B7:B8']))
  expect(planned).toMatchObject({ file: { sheet: 'Risks' }, rowCount: 5 })
  const told = await sheets.rows(planned.id)
  const problems = told.flatMap(({ number, problems }) =>
    problems.map(({ column, value, message }) => [number, column, value, message.slice(0, 23)]),
  )
  const formula = ['#FORMULA!', 'is a formula whose valu']
  const merged = ['#MERGED!', 'is merged with the cell']
  expect(problems).toEqual([
    [2, 0, ...formula],
    [2, 1, ...formula],
    [4, 2, ...merged],
    [5, 1, ...formula],
    [5, 2, ...merged],
    [8, 0, 'x'.repeat(200), expect.any(String)],
  ])
  expect(told[1]!.changes).toEqual(
    expect.arrayContaining([expect.objectContaining({ field: 'category', after: 'Legal' })]),
  )
  // The rows to be corrected have what somebody sees in such a cell.
  const { url } = await sheets.ask<{ url: string }>('downloadRefusedRows', { id: planned.id })
  const answer = await fetch(`${door.base}${new URL(url, door.base).pathname}`)
  const { sheets: refused } = await readXlsx(Buffer.from(await answer.arrayBuffer()))
  expect(refused[0]!.rows.slice(1, 4).map((cells) => cells[2] ?? null)).toEqual([null, 'Legal', 'Legal'])
})

test.each([
  ["Plan d'action", `"Plan d'action"`],
  ['Said "so"', `'Said "so"'`],
  ['Risks > 5', '"Risks > 5"'],
  ["R&D's", `"R&amp;D's"`],
])('a sheet is called %s, as its name is written', async (name, written) => {
  const bytes = workbook([text('A1', 'Title'), text('A2', 'Fire')], [], undefined, written)
  const begun = await sheets.begin('risk', bytes)
  expect(begun.file?.sheet).toBe(name)
  expect((await sheets.plan(begun, { columns: ['title'] })).planned).toMatchObject({ create: 1 })
  expect((await sheets.begin('risk', bytes, { sheet: name })).file?.sheet).toBe(name)
})

test('what a spreadsheet could not work out is told alike of a workbook, of CSV and of JSON', async () => {
  const head = ['Title', 'Likelihood', 'Labels', 'Site', 'External id']
  // In CSV and JSON it stands as a text, in the language of whoever saved it.
  const broken = ['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?']
  const german = ['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#NAME?']
  const cells = broken.map((value, at) => `<c r="${'ABCDE'[at]}2" t="e"><v>${value}</v></c>`).join('')
  const titles = head.map((title, at) => text(`${'ABCDE'[at]}1`, title)).join('')
  const objects = [broken, german].map(([title, likelihood, label, site, externalId]) => ({
    ...{ title, likelihood, labels: ['sound', label], externalId, customFields: { site } },
  }))
  for (const file of [
    workbook([titles, cells]),
    [head, broken].map((row) => row.join(',')).join('\n'),
    [head, german].map((row) => row.join(';')).join('\n'),
    JSON.stringify(objects.slice(0, 1)),
    JSON.stringify(objects.slice(1)),
  ]) {
    const begun = await sheets.begin('risk', file)
    const columns = begun.columns.map(({ title, key }) => (title === 'Site' ? 'customFields.site' : key))
    const planned = await sheets.plan(begun, { columns })
    const [row] = await sheets.rows(planned.id, { planned: ['error'] })
    expect(row!.problems.map(({ column }) => column).toSorted()).toEqual([0, 1, 2, 3, 4])
    for (const { message, value } of row!.problems) {
      expect(message).toMatch(/^the spreadsheet could not work this out/)
      expect(value).toContain('#')
    }
  }
  // A text that an organization has chosen to have stays as it is.
  const { id } = await sheets.ask<{ id: string }>('createRisk', { title: '#N/A' })
  expect((await sheets.bring('risk', `Id,Title\n${id},#N/A\n`)).planned).toMatchObject({ leave: 1 })
})

test('a head is found beneath a title that is merged, and a name that is merged with the row above it is that', async () => {
  const rows = [
    text('A1', 'Risk register'),
    '',
    text('A3', 'Title') + text('B3', 'Assessment'),
    text('B4', 'Likelihood') + text('C4', 'Impact'),
    text('A5', 'Flood') + text('B5', 'rare') + text('C5', 'minor'),
    '',
    text('A7', 'Fire') + text('B7', 'often') + text('C7', 'minor'),
  ]
  const planned = await sheets.bring('risk', workbook(rows, ['A1:C2', 'A3:A4', 'B3:C3']))
  expect(planned).toMatchObject({ file: { headRow: 4 } })
  expect(planned.file!.top.slice(0, 2).map(({ text }) => text)).toEqual([
    'Risk register',
    'Title · Assessment',
  ])
  expect(planned.columns.map(({ key }) => key)).toEqual(['title', 'likelihood', 'impact'])
  const told = await sheets.rows(planned.id)
  expect(told.map(({ number, planned }) => [number, planned])).toEqual([
    [5, 'create'],
    [7, 'error'],
  ])
})

test('behind a cover, which has no rows beneath its title, the first sheet that has rows is taken', async () => {
  const rows = [text('A1', 'Title'), text('A2', 'Flood')]
  // A title that is merged over several rows is one of them.
  for (const ofCover of [[], ['A1:C3']]) {
    const planned = await sheets.bring('risk', workbook(rows, [], { name: 'Cover', merged: ofCover }))
    expect(planned).toMatchObject({ file: { sheet: 'Risks', sheets: ['Cover', 'Risks'] }, rowCount: 1 })
  }
  const { id } = await sheets.begin('risk', workbook(rows))
  const content = incoming(workbook([text('A1', 'Title')], [], { name: 'Cover', merged: [] }))
  await expect(sheets.ask('sendImportFile', { id, content })).rejects.toMatchObject({
    members: { errors: [{ message: expect.stringContaining('has no rows beneath') }] },
  })
})

test('a cover of several lines is not taken for the records, nor are lists behind them', async () => {
  const sheet = (name: string, rows: string[][]) => ({ name, rows })
  const book = async (...sheets: { name: string; rows: string[][] }[]) =>
    Buffer.from(await writeXlsx({ sheets: sheets as never }))
  const cover = sheet('Cover', [['Risk register'], ['Kept by Ada'], ['Version 3']])
  const facts = sheet('Facts', [
    ['Kept by', 'Ada'],
    ['Version', '3'],
  ])
  const lists = sheet('Lists', [
    ['Low', 'Medium', 'High', 'Grave'],
    ['1', '2', '3', '4'],
  ])
  const named = sheet('Risks', [['Risks of May'], ['Title', 'Impact (1-5)'], ['Flood', 'minor']])
  const others = sheet('Risiken', [
    ['Was', 'Wie oft', 'Wie schlimm'],
    ['Flut', 'oft', 'sehr'],
  ])
  for (const [sheets, taken] of [
    [[cover, named], 'Risks'],
    [[cover, facts, lists, named], 'Risks'],
    [[cover, facts, others, lists], 'Risiken'],
    [[cover, facts], 'Facts'],
  ] as const)
    expect(await begunSheet(await book(...sheets))).toBe(taken)
})

const begunSheet = async (file: Buffer) => (await sheets.begin('risk', file)).file!.sheet

test('a workbook of very many sheets is refused before any of them is read', async () => {
  const { id } = await sheets.begin('risk', workbook([text('A1', 'Title'), text('A2', 'Flood')]))
  const again = Array.from({ length: 200 }, (_, at) => `<sheet name="S${at}" sheetId="${at + 9}" r:id="rId2`)
  const content = incoming(workbook([], [], { name: `x" r:id="rId1"/>${again.join('"/>')}`, merged: [] }))
  await expect(sheets.ask('sendImportFile', { id, content })).rejects.toMatchObject({
    members: { errors: [{ message: expect.stringMatching(/^it has more than 200 sheets/) }] },
  })
})

const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`

/** As a program writes it that does not reckon. */
function withMarks(): string[] {
  return [
    text('A1', 'Title') + text('B1', 'Description') + text('C1', 'Category'),
    '<c r="A2"><f>1+1</f><v /></c><c r="B2" s="0"><f>HYPERLINK("http://x","y")</f></c>',
    `${text('A3', 'First')}<c r="B3" t="str"><f>""</f><v></v></c>${text('C3', 'Legal')}`,
    `${text('A4', 'Second')}<c r="B4"><f>1+1</f><v>2</v></c><c r="C4"/>`,
    `${text('A5', 'Third')}<c r="B5"><f t="shared" si="0"/><v/></c>`,
    '<c r="A6"/>',
    // Tags that lie across what is read at a time.
    `<c r="A7"/><c r="B7"/>${' '.repeat(65_500)}`,
    text('A8', 'x'.repeat(30_000)),
  ]
}

const sheetOf = (cells: readonly string[], merged: readonly string[]): string => {
  const rows = cells.map((row, at) => `<row r="${at + 1}">${row}</row>`)
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`)
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`
}

/** With a sheet of one row before that of the rows: one that is hidden, where nothing is said of it. */
function workbook(
  cells: readonly string[],
  merged: readonly string[] = [],
  before: { name: string; merged: string[] } = { name: 'Lists" state="hidden', merged: [] },
  written = '"Risks"',
): Buffer {
  const sheet = sheetOf(cells, merged)
  const lists = sheetOf([text('A1', 'x'), ...before.merged.map(() => '')], before.merged)
  const named = [`"${before.name}"`, written].map(
    (name, at) => `<sheet name=${name} sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  const leads = [1, 2].map(
    (at) => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  )
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${leads.join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': lists,
    'xl/worksheets/sheet2.xml': sheet,
  }
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })))
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
