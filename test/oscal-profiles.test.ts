import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalog } from '../server/frameworks/read-catalog.ts'
import { readOscalArchive } from '../server/frameworks/reading/oscal-archive.ts'
import { isLike } from '../server/frameworks/reading/oscal-select.ts'
import { smallOscal } from './support/catalog-samples.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: an OSCAL profile is resolved with the catalogs that are sent with it: selection, merge and modification, chained
 * profiles too. What cannot be resolved is refused with the address that it names, and nothing is fetched.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
})
afterAll(() => one.close())

type Files = Readonly<Record<string, object | string>>

const archive = (files: Files): Buffer =>
  zipOf(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    })),
  )

const profileOf = (more: object) => ({
  profile: {
    uuid: '0e2f6c0a-8a52-4f6e-9f2c-0d6a3f6f1b02',
    metadata: { title: 'House baseline', version: '3', 'oscal-version': '1.1.2' },
    ...more,
  },
})

/** What the profile comes to, with the sample as its catalog. */
async function resolved(more: object, files: Files = {}) {
  const reading = await readOscalArchive(
    archive({ 'profile.json': profileOf(more), 'catalog.json': smallOscal(), ...files }),
  )
  if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
  return reading
}
const from = (more: object) => ({ imports: [{ href: 'catalog.json', ...more }] })
const ids = (...all: string[]) => ({ 'include-controls': [{ 'with-ids': all }] })
const asIs = { merge: { 'as-is': true } }
const keysOf = async (more: object, files?: Files) =>
  (await resolved(more, files)).catalog.requirements.map(({ key }) => key)

test('selects controls by id, with those below them, by pattern, and without those that are excluded', async () => {
  expect(await keysOf({ ...from(ids('dr-2', 'wn-1')), ...asIs })).toEqual(['DR', 'DR-2', 'WN', 'WN-1'])
  const below = { 'include-controls': [{ 'with-ids': ['dr-2'], 'with-child-controls': 'yes' }] }
  expect(await keysOf({ ...from(below), ...asIs })).toEqual(['DR', 'DR-2', 'dr-2.1'])
  const like = { 'include-controls': [{ matching: [{ pattern: 'w?-[1]*' }, { pattern: 'dr-*.1' }] }] }
  expect(
    await keysOf({ ...from({ ...like, ...{ 'exclude-controls': [{ 'with-ids': ['dr-3'] }] } }), ...asIs }),
  ).toEqual([...['DR', 'DR-1', 'dr-1.1', 'DR-2', 'dr-2.1', 'dr-3.1', 'DR-4', 'dr-4.1']])
  expect(await keysOf({ ...from({ 'include-all': {} }), ...asIs })).toHaveLength(18)
  expect(await keysOf({ ...from({}), ...asIs })).toHaveLength(18)
})

test('a control that is not selected becomes the heading of selected ones below it', async () => {
  const { catalog, notes } = await resolved({ ...from(ids('dr-1.1')), ...asIs })
  expect(catalog.requirements.map(({ key, assessable }) => [key, assessable])).toEqual([
    ...[
      ['DR', false],
      ['DR-1', false],
      ['dr-1.1', true],
    ],
  ])
  expect(notes).toContain(
    'The profile selects enhancements without their controls, which become headings: DR-1.',
  )
})

test('what the profile names and the catalog has not is noted', async () => {
  const { notes } = await resolved({
    ...from(ids('dr-1', 'dr-77')),
    modify: { 'set-parameters': [{ 'param-id': 'x-1', values: ['1'] }], alters: [{ 'control-id': 'dr-88' }] },
  })
  expect(notes).toContain('profile.json selects controls that are not in what it imports: dr-77.')
  expect(notes).toContain('profile.json modifies what is not there: x-1, dr-88.')
})

test('merges flat, as it is, and into groups of its own', async () => {
  expect(await keysOf({ ...from(ids('wn-1', 'dr-1')), merge: { flat: {} } })).toEqual(['DR-1', 'WN-1'])
  expect(await keysOf(from(ids('wn-1', 'dr-1')))).toEqual(['DR-1', 'WN-1'])
  const custom = {
    groups: [
      {
        ...{ id: 'mine', title: 'Mine' },
        'insert-controls': [{ order: 'descending', ...ids('dr-1', 'wn-1', 'dr-2.1') }],
        groups: [{ title: 'Inner', 'insert-controls': [ids('dr-2')] }],
      },
    ],
  }
  const all = await resolved({ ...from({ 'include-all': {} }), merge: { custom } })
  expect(all.catalog.requirements.map(({ key, parentKey }) => [key, parentKey])).toEqual([
    ...[
      ['mine', undefined],
      ['WN-1', 'mine'],
      ['wn-1.1', 'WN-1'],
      ['dr-2.1', 'mine'],
      ['DR-1', 'mine'],
      ['dr-1.1', 'DR-1'],
    ],
    ...[
      ['inner', 'mine'],
      ['DR-2', 'inner'],
    ],
  ])
  expect(all.notes).toContainEqual(
    expect.stringMatching(/^profile\.json inserts these controls into no group: dr-3, dr-3\.1, dr-4/),
  )
})

test('combines what is imported twice: the first, both as one, or a refusal', async () => {
  const other = smallOscal()
  Object.assign(other.catalog.groups[0].controls[0], {
    title: 'Another',
    links: [{ rel: 'related', href: '#wn-1' }],
  })
  const files = { 'other.json': other }
  const imports = [
    { href: 'catalog.json', ...ids('dr-1') },
    { href: 'other.json', ...ids('dr-1', 'dr-2') },
  ]
  const combined = async (method: string) =>
    (await resolved({ imports, merge: { 'as-is': true, combine: { method } } }, files)).catalog.requirements
  const first = await combined('use-first')
  expect(first.map(({ key }) => key)).toEqual(['DR', 'DR-1', 'DR-2'])
  expect(first[1]!.annotation).toBeUndefined()
  expect((await combined('merge'))[1]).toMatchObject({
    title: 'Control 1 of dr',
    annotation: 'Related: wn-1',
  })
  await expect(combined('keep')).rejects.toThrow(/is “dr-1”, as dr-1 has: give each control an id of its own/)
})

test('sets parameters, and removes and adds parts', async () => {
  const modify = {
    'set-parameters': [
      { 'param-id': 'dr-1_prm', values: ['30 days'] },
      { 'param-id': 'dr-2_prm', constraints: [{ description: 'at most 9' }] },
    ],
    alters: [
      {
        'control-id': 'dr-1',
        removes: [{ 'by-name': 'guidance' }],
        adds: [
          { position: 'starting', parts: [{ name: 'statement', prose: 'First.' }] },
          { position: 'after', 'by-id': 'dr-1_a', parts: [{ name: 'item', prose: 'After a.' }] },
          { position: 'before', 'by-id': 'dr-1_a', parts: [{ id: 'new', name: 'item', prose: 'Before a.' }] },
          { 'by-id': 'new', parts: [{ name: 'item', prose: 'Within.' }] },
        ],
      },
    ],
  }
  const catalog = smallOscal()
  catalog.catalog.groups[0].controls[0].parts[0].parts[0].id = 'dr-1_a'
  const files = { 'catalog.json': catalog }
  const { requirements } = (await resolved({ ...from(ids('dr-1', 'dr-2')), ...asIs, modify }, files)).catalog
  expect(requirements[1]).toMatchObject({
    text: 'First.\nThe house:\n  Before a.\n    Within.\n  a. Looks at it within 30 days.\n  After a.',
  })
  expect(requirements[1]!.guidance).toBeUndefined()
  expect(requirements[2]!.text).toContain('[Assignment: a number of days; at most 9]')
})

test('resolves profiles of profiles, in folders, in other forms, and inside the profile', async () => {
  const base = { ...profileOf({ ...from({}), ...asIs }) }
  base.profile.metadata.title = 'Base'
  const href = 'https://house.example/files/base.xml'
  const files = {
    'base.json': JSON.stringify(base)
      .replace('catalog.json', '#c')
      .replace(
        '"merge"',
        `"back-matter":{"resources":[{"uuid":"c","rlinks":[{"href":"../catalog.json"}]}]},"merge"`,
      ),
  }
  const more = { imports: [{ href, ...ids('dr-1') }], ...asIs }
  const reading = await readOscalArchive(
    archive({
      'top/profile.json': profileOf(more),
      'top/base.json': files['base.json'],
      'catalog.json': smallOscal(),
      'readme.md': 'x',
      'left.json': {},
    }),
  )
  expect(reading).toMatchObject({
    catalog: { name: 'House baseline', edition: '3', requirements: [{ key: 'DR' }, { key: 'DR-1' }] },
    notes: expect.arrayContaining(['1 files of the archive are no OSCAL: they are left out.']),
  })
  const value = Buffer.from(JSON.stringify(smallOscal())).toString('base64')
  const alone = profileOf({
    ...{ imports: [{ href: '#c', ...ids('dr-1') }], ...asIs },
    'back-matter': { resources: [{ uuid: 'c', base64: { value } }] },
  })
  const bytes = Buffer.from(JSON.stringify(alone))
  expect(await readCatalog('org_1', bytes)).toMatchObject({
    catalog: { requirements: [{ key: 'DR' }, { key: 'DR-1' }] },
  })
})

test.each<[string, Files, RegExp]>([
  [
    'a missing catalog',
    { 'a.json': profileOf({ imports: [{ href: 'none.json' }] }), 'catalog.json': smallOscal() },
    /^a\.json, profile\.imports\[0\]\.href names “none\.json”, which is not among the files/,
  ],
  [
    'a circle',
    {
      'a.json': profileOf({ imports: [{ href: 'b.json' }] }),
      'b.json': profileOf({ imports: [{ href: 'a.json' }] }),
    },
    /say which one is imported \(document\)/,
  ],
  [
    'a circle below',
    {
      'c.json': profileOf({ imports: [{ href: 'a.json' }] }),
      'a.json': profileOf({ imports: [{ href: 'b.json' }] }),
      'b.json': profileOf({ imports: [{ href: 'a.json' }] }),
    },
    /^[ab]\.json, profile\.imports leads round to itself \(a\.json, b\.json, a\.json\)/,
  ],
  [
    'two profiles',
    { 'a.json': profileOf(from({})), 'b.json': profileOf(from({})), 'catalog.json': smallOscal() },
    /has 2 documents that no other imports \(a\.json, b\.json\)/,
  ],
  [
    'two files that it may be',
    {
      'a.json': profileOf({ imports: [{ href: 'https://x.example/c.xml' }] }),
      '1/c.json': smallOscal(),
      '2/c.json': smallOscal(),
    },
    /may be any of 1\/c\.json, 2\/c\.json/,
  ],
  ['no document', { 'a.txt': 'x' }, /^ The archive has no OSCAL document/],
  ['a file that cannot be read', { 'catalog.json': '{' }, /^catalog\.json, line 1, column 2 is no JSON/],
])('refuses an archive with %s', async (_, files, message) => {
  const reading = await readOscalArchive(archive(files))
  expect(
    'faults' in reading && reading.faults.map(({ place, message }) => `${place} ${message}`),
  ).toContainEqual(expect.stringMatching(message))
})

test('an archive is imported as a framework, and exports name the profile', async () => {
  const imports = frameworkImportsOf(one, acme.admin)
  const files = archive({
    'high.json': profileOf({ ...from(ids('dr-1')), ...asIs }),
    'low.json': profileOf({ ...from(ids('dr-2')), ...asIs }),
    'catalog.json': smallOscal(),
  })
  const two = await imports.send('house.zip', files)
  expect(two.plan).toMatchObject({
    outcome: 'refused',
    faults: [{ message: expect.stringContaining('(high.json, low.json)') }],
  })
  const { frameworkId } = await imports.bring('house.zip', files, { document: 'low.json' })
  const { body } = await one.call(acme.admin, 'getFramework', { id: frameworkId })
  expect(body).toMatchObject({
    ...{ name: 'House baseline', edition: '3', sourceFormat: 'oscal' },
    sourceUuid: profileOf({}).profile.uuid,
    description: 'Resolved from the profile low.json.',
    levels: [{ key: 'house-baseline', title: 'House baseline' }],
  })
})

test('patterns take no longer than their length times that of the id', () => {
  expect(isLike('ac-2.1', 'ac-*')).toBe(true)
  expect(isLike('ac-2.1', '*.?')).toBe(true)
  expect(isLike('ac-2.1', 'ac-?')).toBe(false)
  expect(isLike('a'.repeat(100), `${'*a'.repeat(49)}b`)).toBe(false)
})
