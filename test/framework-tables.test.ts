import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Hierarchy, readTable } from '../server/frameworks/reading/table.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestService } from './support/service.ts'

/*
 * Tables of requirements as people keep them: a title above the column names, x where a row is assessable, headings
 * without a key, columns with names of their own. What the columns are taken for is proposed, and can be corrected.
 */

let one: TestService
let imports: ReturnType<typeof frameworkImportsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  imports = frameworkImportsOf(one, (await one.organization()).admin)
})
afterAll(() => one.close())

function requirementsIn(text: string, hierarchy?: Hierarchy) {
  const [head, ...rows] = text.split('\n').map((line) => line.split(','))
  const about = { format: 'csv', key: 'own', edition: '1', name: 'Own' } as const
  const numbered = rows.map((cells, index) => [index + 2, cells] as const)
  const reading = readTable({ head: head!, rows: numbered }, about, hierarchy)
  if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
  return reading.catalog.requirements
}

const assessableIn = (text: string) => requirementsIn(text).map(({ assessable }) => assessable)

test.each(['x', 'X', '✓', '✔', 'yes', 'ja', 'Oui', '1'])('marked by %s, an empty cell means no', (mark) => {
  expect(assessableIn(`key,title,assessable\n1,Doors,\n2,Locks,${mark}\n3,Note,`)).toEqual([
    false,
    true,
    false,
  ])
})

test('where some cells say no, an empty cell says nothing', () => {
  expect(assessableIn('key,title,assessable\n1,Doors,nein\n2,Locks,ja\n3,Keys,')).toEqual([false, true, true])
})

test('headings need no key: they are called by their titles', () => {
  const text = [
    'assessable,depth,ref_id,name',
    ...[',1,,Doors and locks', 'x,2,1.1,Locking', ',1,,Doors and locks', 'x,2,2.1,Keys', ',1,,窓'],
  ].join('\n')
  expect(
    requirementsIn(text).map(({ key, parentKey, title, assessable }) => [key, parentKey, title, assessable]),
  ).toEqual([
    ['doors-and-locks', undefined, 'Doors and locks', false],
    ['1.1', 'doors-and-locks', 'Locking', true],
    ['doors-and-locks-2', undefined, 'Doors and locks', false],
    ['2.1', 'doors-and-locks-2', 'Keys', true],
    ['unnamed', undefined, '窓', false],
  ])
  expect(requirementsIn('depth,key,title\n1,,Doors\n2,1.1,Locking').map(({ key }) => key)).toEqual([
    'doors',
    '1.1',
  ])
  expect(() => requirementsIn('key,title,assessable\n,Locking,x')).toThrow(/is empty: give the key/)
})

const framework = { key: 'own-rules', edition: '1', name: 'Own rules' }

test('the column names may be below a title, as in imports of registers', async () => {
  const bytes = Buffer.from('Sample rules of the house,,\n,,\nkey,title,text\n1,Locking,Doors are locked.\n')
  const { plan } = await imports.send('rules.csv', bytes, { framework })
  expect(plan).toMatchObject({
    outcome: 'new',
    counts: { requirements: 1 },
    table: {
      headRow: 3,
      top: [
        { row: 1, text: 'Sample rules of the house' },
        { row: 3, text: 'key · title · text' },
        { row: 4, text: '1 · Locking · Doors are locked.' },
      ],
      columns: [
        { title: 'key', field: 'key', samples: ['1'] },
        { title: 'title', field: 'title', samples: ['Locking'] },
        { title: 'text', field: 'text', samples: ['Doors are locked.'] },
      ],
    },
  })
  // A fault names the row as a spreadsheet shows it.
  const faulty = Buffer.from('Sample rules of the house,,\n,,\nkey,name,title\n1,a,b\n')
  expect((await imports.send('rules.csv', faulty, { framework })).plan?.faults).toMatchObject([
    { place: 'row 3, column C' },
  ])
})

test('what the columns are taken for can be corrected, and is told where none is the key', async () => {
  const bytes = Buffer.from('Nummer;Titel;Prüfbar;Note\n1;Türen;;x\n1.1;Schlösser;x;y\n')
  const first = await imports.send('regeln.csv', bytes, { framework })
  expect(first.plan).toMatchObject({
    outcome: 'refused',
    faults: [{ message: expect.stringContaining('No column is called “key”') }],
    table: { columns: [{ title: 'Nummer', field: null }, {}, {}, { title: 'Note', field: 'annotation' }] },
  })
  const columns = ['key', 'title', 'assessable', null]
  const { plan } = await imports.send('regeln.csv', bytes, {
    framework,
    columns,
    headRow: 1,
    hierarchy: 'dotted',
  })
  expect(plan).toMatchObject({
    outcome: 'new',
    counts: { requirements: 2, assessable: 1, byDepth: [1, 1] },
    notes: ['Column D (“Note”) is left out.'],
    table: { columns: [{ field: 'key' }, { field: 'title' }, { field: 'assessable' }, { field: null }] },
  })
  const none = await imports.send('regeln.csv', bytes, { framework, columns: [null, 'title'] })
  expect(none.plan?.faults).toMatchObject([
    { message: expect.stringContaining('No column is chosen as key') },
  ])
  const twice = await imports.send('regeln.csv', bytes, { framework, columns: ['key', 'title', 'title'] })
  expect(twice.plan?.faults).toMatchObject([{ place: 'row 1, column C' }])
  const nowhere = await refusal(imports.send('regeln.csv', bytes, { framework, headRow: 9 }))
  expect(nowhere).toMatchObject({ code: 'validation_failed' })
})
