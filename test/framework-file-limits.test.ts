import { expect, test } from 'vitest'
import { readCatalog, readCatalogTable } from '../server/frameworks/read-catalog.ts'

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
