import { expect, test } from 'vitest'
import { readCatalog, readCatalogTable } from '../server/frameworks/read-catalog.ts'
import { readFile } from '../server/sheets/read-file.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: what a reader has to compare is compared by name and not with all that came before, so that a small file is
 * read in a small time; and a file that would take long by its lines alone is refused before it is read.
 */

const about = { key: 'own', name: 'Own', language: 'en', version: '1' } as never

test('a name that is in a map twice is a fault at its place, in a map of many names', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `name${index}: 1`)
  const text = [...names, 'inner:', '  a: 1', '  b: 2', '  a: 3', 'name7: 2'].join('\n')
  expect(await readCatalog('org', Buffer.from(text))).toEqual({
    faults: [
      { place: 'line 20004, column 3', message: expect.stringMatching(/is there twice in the same map/) },
      { place: 'line 20005, column 1', message: expect.stringMatching(/is there twice in the same map/) },
    ],
    more: 0,
  })
})

test('a library of more lines than any has is refused', async () => {
  expect(await readCatalog('org', Buffer.from(`a: 1\n${'\n'.repeat(600_000)}`))).toMatchObject({
    faults: [{ message: expect.stringMatching(/^The file has more than 500000 lines/) }],
  })
})

test('headings of the same title have keys of their own, however many there are', async () => {
  const rows = Array.from({ length: 9_000 }, (_, at) => `,Heading,1\nk${at},Requirement,2`)
  const reading = await readCatalogTable('org', Buffer.from(`key,title,depth\n${rows.join('\n')}\n`), about)
  if (!('catalog' in reading)) throw new Error(JSON.stringify(reading))
  const keys = reading.catalog.requirements.map(({ key }) => key)
  expect(new Set(keys).size).toBe(18_000)
  expect(keys.slice(0, 6)).toEqual(['heading', 'k0', 'heading-2', 'k1', 'heading-3', 'k2'])
})

test('a short catalog whose requirements all show a long parameter is refused before the service holds all of it', async () => {
  const controls = Array.from({ length: 5_000 }, (_, at) => ({
    id: `c-${at}`,
    title: 'Patch gateways',
    parts: [{ name: 'statement', prose: '{{ insert: param, p }}' }],
  }))
  const metadata = { title: 'House rules', version: '1', 'oscal-version': '1.1.2' }
  const params = [{ id: 'p', values: ['x'.repeat(19_000)] }]
  const catalog = { uuid: '0e2f6c0a-8a52-4f6e-9f2c-0d6a3f6f1b02', metadata, params, controls }
  expect(await readCatalog('org', Buffer.from(JSON.stringify({ catalog })))).toEqual({
    faults: [{ place: '', message: expect.stringMatching(/more than 64 million letters/) }],
    more: 0,
  })
})

test('a small workbook whose cells share one long text is refused before the service holds all of it', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => `<row r="${at + 2}">${cell(at + 2, 1)}</row>`).join(
    '',
  )
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"><si><t>Title</t></si><si><t>${'x'.repeat(50_000)}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cell(1, 0)}</row>${rows}</sheetData></worksheet>`,
  }
  const bytes = zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })))
  expect(bytes.length).toBeLessThan(50_000)
  await expect(readFile('org', bytes, null)).rejects.toMatchObject({
    code: 'validation_failed',
    members: {
      errors: [{ path: 'content', message: expect.stringMatching(/more than 64 million letters/) }],
    },
  })
})

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const cell = (row: number, shared: number) => `<c r="A${row}" t="s"><v>${shared}</v></c>`
