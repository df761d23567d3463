import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whereJsonBreaks } from '../model/json-break.ts'
import { readCaLibrary } from '../server/frameworks/reading/ca-library.ts'
import { LIMITS } from '../server/frameworks/reading/limits.ts'
import { readOscal } from '../server/frameworks/reading/oscal.ts'
import { libraryFaults } from './support/catalog-faults/library.ts'
import { oscalFaults } from './support/catalog-faults/oscal.ts'
import { missed } from './support/catalog-faults/planted.ts'
import { readChanged, tableFaults } from './support/catalog-faults/table.ts'
import { smallLibrary, smallOscal } from './support/catalog-samples.ts'

/*
 * What is wrong in a file is named with its place and with what would be right. Faults are planted by rules into files
 * that are whole, each rule at each of its places.
 */

test('each of 300 faults is named with its place and with what would be right', () => {
  const planted = [...oscalFaults, ...libraryFaults, ...tableFaults]
  expect(planted.map(missed).filter(Boolean)).toEqual([])
  expect(planted.length).toBeGreaterThanOrEqual(300)
})

test('the files that they are planted in have none', () => {
  const library = readCaLibrary(Buffer.from(smallLibrary().join('\n')))
  for (const good of [readOscal(Buffer.from(JSON.stringify(smallOscal()))), library, readChanged()])
    expect(good).toHaveProperty('catalog')
})

test('a number is the text that it is written as', () => {
  const written = ['1.10', '0815', '1e3', '1_000', '0x10', '12', '7.5']
  const lines = smallLibrary()
  const at = lines.findIndex((line) => line.trim().startsWith('ref_id:') && line.startsWith('      '))
  for (const one of written) {
    const found = readCaLibrary(Buffer.from(lines.with(at, `      ref_id: ${one}`).join('\n')))
    expect('catalog' in found && found.catalog.requirements.map(({ key }) => key)).toContain(one)
  }
})

test('of 250 faults in a file 100 are told, and the others counted', () => {
  const found = readChanged((table) => {
    table.rows = Array.from({ length: 250 }, (_, at) => [`k${at}`, 'nowhere', 'T'])
  })
  expect(found).toMatchObject({ more: 150 })
  expect('faults' in found && found.faults).toHaveLength(100)
})

test('more requirements than are taken are refused, not cut', () => {
  const found = readChanged((table) => {
    table.rows = Array.from({ length: LIMITS.requirements + 5 }, (_, at) => [`k${at}`, null, 'T'])
  })
  expect(found).toMatchObject({ faults: [{ place: 'row 20002' }] })
})

test('of as many levels as fit into a table, it is told that they are too many', () => {
  const found = readChanged((table) => {
    table.head = ['key', 'levels']
    const levels = (row: number) => Array.from({ length: 2_000 }, (_, at) => `${row}.${at}`).join(',')
    table.rows = Array.from({ length: 500 }, (_, at) => [`k${at}`, levels(at)])
  })
  expect(found).toEqual({
    faults: [{ place: '', message: 'The file has more than 50 levels: give at most so many.' }],
    more: 0,
  })
})

test('all faults of a file are told at once, in its order', () => {
  const found = readChanged((table) => {
    table.head = ['title', 'key', 'parent']
    table.rows = [
      ['One', '1', null],
      ['Two', '2', 'nowhere'],
      [null, '3', null],
      ['Four', '4', '5'],
      ['Five', '5', '4'],
      ['Six', null, '1'],
      ['One again', '1', '2'],
    ]
  })
  expect(
    'faults' in found && found.faults.map(({ place, message }) => [place, message.slice(0, 21)]),
  ).toEqual([
    ['row 3', 'stands beneath “nowhe'],
    ['row 4, column A', 'is empty: give a titl'],
    ['row 5', 'stands beneath itself'],
    ['row 7, column B', 'is empty: give the ke'],
    ['row 8', 'has the key “1”, as r'],
  ])
})

test('what is longer than is kept is told by the reader, with how long it may be', () => {
  const found = readChanged((table) => {
    table.head = ['key', 'title', 'typical evidence']
    table.rows = [['k'.repeat(101), 'T', 'x'.repeat(5_001)]]
  })
  expect(found).toMatchObject({
    faults: [
      { place: 'row 2, column A', message: expect.stringContaining('shorten it to 100') },
      { place: 'row 2, column C', message: expect.stringContaining('shorten it to 5000') },
    ],
  })
})

test('keys that are written alike are one, however their letters are composed', () => {
  const found = readChanged((table) => {
    table.head = ['key']
    table.rows = [['e\u0301'], ['b'], ['\u00e9']]
  })
  expect(found).toMatchObject({ faults: [{ place: 'row 4', message: expect.stringContaining('as row 2') }] })
})

test('what nothing can store is told all the same, as something that can be stored', () => {
  const node = (more: string) =>
    readCaLibrary(
      Buffer.from(
        `urn: u\nname: L\nversion: 1\nobjects:\n  framework:\n    urn: f\n    name: F\n    requirement_nodes:\n      - urn: a\n        ref_id: A\n${more}`,
      ),
    )
  const long = `${'a'.repeat(99)}\u{1F600}`
  const controls = (value: string) =>
    readOscal(
      Buffer.from(
        JSON.stringify({
          catalog: {
            metadata: { title: 'T', version: '1' },
            controls: [{ id: 'a', title: 'A', props: [{ name: 'baseline', value }] }],
          },
        }),
      ),
    )
  for (const reading of [
    node('        assessable: "\\0"\n'),
    node('        importance: "\\uD800"\n'),
    node('  "a\\0b": 1\n'),
    node(`      - urn: ${long}\n      - urn: ${long}\n`),
    controls('x\u0000y'),
    controls('x\ud800y'),
  ])
    expect(JSON.stringify(reading)).not.toMatch(/\\u0000|\\ud8/i)
  expect(controls('x\u0000y')).toMatchObject({
    faults: [{ place: 'catalog.controls[0].props[0].value', message: expect.stringContaining('U+0000') }],
  })
})

test('JSON breaks where it cannot go on, wherever that is', () => {
  const good = JSON.stringify(smallOscal(), null, 1)
  const letters = fc.constantFrom('}', '"', ',', '\\', '\u0001', 'x', ' ', '1')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: good.length }), letters, (at, letter) => {
      const text = good.slice(0, at) + letter + good.slice(at)
      if (parses(text)) expect(whereJsonBreaks(text)).toBe(text.length)
      // What stands before could be the beginning of something good.
      else expect(whereJsonBreaks(text)).toBeGreaterThanOrEqual(at - 1)
    }),
  )
})

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
