import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCaLibrary } from '../server/frameworks/reading/ca-library.ts'
import { whereJsonBreaks } from '../server/frameworks/reading/json-break.ts'
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

test('of 250 faults in a file 100 are told, and the others counted', () => {
  const found = readChanged((table) => {
    table.rows = Array.from({ length: 250 }, (_, at) => [`k${at}`, 'nowhere'])
  })
  expect(found).toMatchObject({ more: 150 })
  expect('faults' in found && found.faults).toHaveLength(100)
})

test('more requirements than are taken are refused, not cut', () => {
  const found = readChanged((table) => {
    table.rows = Array.from({ length: LIMITS.requirements + 5 }, (_, at) => [`k${at}`])
  })
  expect(found).toMatchObject({ faults: [{ place: 'row 20002' }] })
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
