import { expect, test } from 'vitest'
import type { Catalog } from '../server/frameworks/catalog.ts'
import {
  frameworkLibrary,
  type LibraryName,
  libraryMappings,
} from '../server/frameworks/framework-library.ts'
import { arrange } from '../server/frameworks/reading/arrange.ts'
import { Findings } from '../server/frameworks/reading/faults.ts'
import { LIMITS } from '../server/frameworks/reading/limits.ts'

/* The frameworks that the service brings along have the identifiers that their publishers gave, all and once. */

const all = Object.entries(frameworkLibrary) as [LibraryName, Catalog][]

const matching = (name: LibraryName, key: RegExp) =>
  frameworkLibrary[name].requirements.filter((one) => key.test(one.key)).length

test.each<[LibraryName, string, RegExp, number]>([
  ['iso_27001_2022', 'controls of Annex A', /^A\.\d\.\d+$/, 93],
  ['iso_27001_2022', 'clauses', /^(4|5|6|7|8|9|10)$/, 7],
  ['iso_27001_2013', 'controls of Annex A', /^A\.\d+\.\d+\.\d+$/, 114],
  ['iso_27001_2013', 'objectives', /^A\.\d+\.\d+$/, 35],
  ['nist_csf_2', 'functions', /^[A-Z]{2}$/, 6],
  ['nist_csf_2', 'categories', /^[A-Z]{2}\.[A-Z]{2}$/, 22],
  ['nist_csf_2', 'subcategories', /^[A-Z]{2}\.[A-Z]{2}-\d\d$/, 106],
  ['soc_2', 'common criteria', /^CC\d\.\d$/, 33],
  ['soc_2', 'criteria', /\.\d$/, 61],
  ['gdpr', 'articles', /^Art\. \d+$/, 99],
  ['nis_2', 'articles', /^Art\. \d+$/, 46],
  ['nis_2', 'measures', /^Art\. 21\(2\)\([a-j]\)$/, 10],
  ['dora', 'articles', /^Art\. \d+$/, 64],
  ['iso_42001', 'controls of Annex A', /^A\.((?!6\.)\d+\.\d+|6\.\d\.\d)$/, 38],
  ['eu_ai_act', 'articles', /^Art\. \d+$/, 113],
])('%s has all its %s', (name, _, key, count) => {
  expect(matching(name, key)).toBe(count)
})

test.each(all)('%s is a catalog as any other', (_, catalog) => {
  const findings = new Findings()
  expect(arrange(catalog.requirements, catalog.levels, findings)).toEqual(catalog.requirements)
  expect(findings.faults).toEqual([])
  expect(catalog.requirements.every(({ title }) => title!.length <= LIMITS.title)).toBe(true)
  expect(catalog.requirements.some(({ assessable }) => assessable)).toBe(true)
  expect(catalog.description).toContain('The text of the requirements is not included')
  expect(catalog.sourceDate).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('articles come in their order, each once', () => {
  for (const name of ['gdpr', 'nis_2', 'dora', 'eu_ai_act'] as const) {
    const numbers = frameworkLibrary[name].requirements.flatMap(({ key }) =>
      /^Art\. \d+$/.test(key) ? [Number(key.slice(5))] : [],
    )
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  }
})

test('a name and an edition stand for one framework', () => {
  const editions = all.map(([, { key, edition }]) => `${key} ${edition}`)
  expect(new Set(editions).size).toBe(all.length)
})

test('both ends of each mapping are there, and none is there twice', () => {
  const known = new Set(
    all.flatMap(([, { key, edition, requirements }]) =>
      requirements.flatMap((one) => (one.assessable ? [`${key} ${edition} ${one.key}`] : [])),
    ),
  )
  const ends = libraryMappings.map((one) =>
    [one.source, one.target].map(({ framework, edition, key }) => `${framework} ${edition} ${key}`),
  )
  expect(ends.flat().filter((end) => !known.has(end))).toEqual([])
  expect(new Set(ends.map((pair) => pair.join(' > '))).size).toBe(ends.length)
  expect(libraryMappings.length).toBeGreaterThan(400)
})

test('every control of ISO 27001:2013 leads to one of 2022, and eleven of those are new', () => {
  const official = libraryMappings.filter(({ origin }) => origin === 'official')
  const from = new Set(official.map(({ source }) => source.key))
  const to = new Set(official.map(({ target }) => target.key))
  const controls = (name: LibraryName) =>
    frameworkLibrary[name].requirements.flatMap(({ key, assessable }) =>
      assessable && key.startsWith('A.') ? [key] : [],
    )
  expect(controls('iso_27001_2013').filter((key) => !from.has(key))).toEqual([])
  expect(controls('iso_27001_2022').filter((key) => !to.has(key))).toEqual(
    ['5.7', '5.23', '5.30', '7.4', '8.9', '8.10', '8.11', '8.12', '8.16', '8.23', '8.28'].map(
      (key) => `A.${key}`,
    ),
  )
})

test('titles are those by which auditors cite the standard', () => {
  const titlesOf = (name: LibraryName) =>
    Object.fromEntries(frameworkLibrary[name].requirements.map(({ key, title }) => [key, title]))
  expect(titlesOf('iso_27001_2022')).toMatchObject({
    '4': 'Context of the organization',
    '5': 'Leadership',
    '8': 'Operation',
    '10.2': 'Nonconformity and corrective action',
    'A.5.15': 'Access control',
    'A.8.5': 'Secure authentication',
  })
  expect(titlesOf('gdpr')['Art. 30']).toBe('Records of processing activities')
})
