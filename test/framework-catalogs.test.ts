import { describe, expect, test } from 'vitest'
import { readCatalog, readCatalogTable } from '../server/frameworks/read-catalog.ts'
import { readCaLibrary } from '../server/frameworks/reading/ca-library.ts'
import type { LibraryReading } from '../server/frameworks/reading/faults.ts'
import { readOscal } from '../server/frameworks/reading/oscal.ts'
import { type Hierarchy, readTable } from '../server/frameworks/reading/table.ts'
import { highBaseline, revision4, smallLibrary, smallOscal, smallTable } from './support/catalog-samples.ts'

/*
 * A catalog says what its file says: what NIST publishes is compared with the file itself, by a walk of its own.
 */

interface Part {
  readonly name: string
  readonly prose?: string
  readonly props?: readonly { readonly name: string; readonly value: string; readonly class?: string }[]
  readonly parts?: readonly Part[]
}

interface Control extends Omit<Part, 'name'> {
  readonly id: string
  readonly title: string
  readonly class?: string
  readonly params?: readonly {
    id: string
    label?: string
    select?: { choice: string[]; 'how-many'?: string }
  }[]
  readonly controls?: readonly Control[]
  readonly groups?: readonly Control[]
}

interface Expected {
  readonly key: string
  readonly parent: string | undefined
  readonly depth: number
  readonly title: string
  readonly text: string
  readonly guidance: string
}

/** All letters of a text, whatever stands between them. */
const letters = (text: string | undefined) => (text ?? '').replaceAll(/\s+/g, '')

/** What the file says, read in the plainest way: depth first, with the parameters put in last. */
function expectedOf(file: Buffer): Expected[] {
  const { catalog } = JSON.parse(file.toString()) as { catalog: Control }
  const all: Control[] = []
  const collect = (one: Control): void => {
    all.push(one)
    for (const inner of [...(one.controls ?? []), ...(one.groups ?? [])]) collect(inner)
  }
  collect(catalog)
  const params = new Map(all.flatMap(({ params = [] }) => params.map((param) => [param.id, param])))
  const printed = (text: string): string => {
    const next = /\{\{ insert: param, (\S+) \}\}/.exec(text)
    if (!next) return text
    const { label, select } = params.get(next[1]!)!
    const shown = select
      ? `[Selection${select['how-many'] ? ' (one or more)' : ''}: ${select.choice.join('; ')}]`
      : `[Assignment: ${label}]`
    return printed(text.replace(next[0], () => shown))
  }
  const label = ({ props = [] }: Omit<Part, 'name'>) =>
    (
      props.find((prop) => prop.name === 'label' && !prop.class) ??
      props.find((prop) => prop.name === 'label')
    )?.value ?? ''
  const words = (part: Part): string =>
    `${label(part)}${part.prose?.replaceAll(/\[([^\]]+)\]\(#[^)]+\)/g, '$1') ?? ''}${(part.parts ?? []).map(words).join('')}`
  const said = (control: Control, name: string) =>
    letters(
      printed(
        (control.parts ?? [])
          .filter((part) => part.name === name)
          .map(words)
          .join(''),
      ),
    )
  const expected: Expected[] = []
  const walk = (one: Control, parent: string | undefined, depth: number): void => {
    const key = one.class === 'family' ? one.id.toUpperCase() : label(one)
    const texts = { text: said(one, 'statement'), guidance: said(one, 'guidance') }
    expected.push({ key, parent, depth, title: one.title, ...texts })
    for (const inner of one.controls ?? []) walk(inner, key, depth + 1)
  }
  for (const group of catalog.groups!) walk(group, undefined, 1)
  return expected
}

const catalogOf = (reading: LibraryReading) => {
  if (!('catalog' in reading)) throw new Error(JSON.stringify(reading))
  return reading.catalog
}

const PUBLISHED = [
  { name: 'NIST SP 800-53 revision 4', file: revision4, controls: 922, withdrawn: 96, levels: [] },
  {
    name: 'the high baseline of revision 5',
    file: highBaseline,
    controls: 370,
    withdrawn: 0,
    levels: ['high'],
  },
]

describe.each(PUBLISHED)('$name', ({ file, controls, withdrawn, levels }) => {
  const catalog = catalogOf(readOscal(file()))

  test('comes in the order, with the keys, depth and texts of the file', () => {
    const depths = new Map<string | undefined, number>([[undefined, 0]])
    const read = catalog.requirements.map(({ key, parentKey, title, text, guidance }) => {
      const depth = depths.get(parentKey)! + 1
      depths.set(key, depth)
      return { key, parent: parentKey, depth, title, text: letters(text), guidance: letters(guidance) }
    })
    expect(read).toEqual(expectedOf(file()))
  })

  test('has all its controls, of which those that were withdrawn are not assessed', () => {
    const those = catalog.requirements.filter(({ kind }) => kind === 'requirement')
    expect(those).toHaveLength(controls)
    expect(those.filter(({ assessable }) => !assessable)).toHaveLength(withdrawn)
    expect(catalog.levels.map(({ key }) => key)).toEqual(levels)
    expect(those.filter((one) => one.assessable).every((one) => one.levels.length === levels.length)).toBe(
      true,
    )
  })
})

test('says beside a control where it went, what it refers to and what assessors look at', () => {
  const catalog = catalogOf(readOscal(revision4()))
  const of = (key: string) => catalog.requirements.find((one) => one.key === key)!
  expect(of('AC-3(1)').annotation).toBe('Withdrawn: incorporated into AC-6')
  expect(of('AC-1').annotation).toMatch(
    /^Related: PM-9\n\nReferences: NIST Special Publication 800-12[^\n]+\n\nAssessors determine:\n/,
  )
  expect(of('AC-1').typicalEvidence).toMatch(
    /^Examine: Access control policy and procedures; other .+\nInterview: /,
  )
  expect(catalog).toMatchObject({
    key: 'urn:oscal:nist-special-publication-800-53',
    edition: '2015-01-22',
    publisher: 'Joint Task Force, Transformation Initiative',
    sourceDate: '2023-10-12',
  })
})

test('puts values and choices in where the catalog has them', () => {
  const file = smallOscal()
  const [first, second] = file.catalog.groups[0].controls
  first.params[0].values = ['30 days']
  second.params[0].select = { choice: ['a day', 'within {{ insert: param, dr-1_prm }}'] }
  const { requirements } = catalogOf(readOscal(Buffer.from(JSON.stringify(file))))
  const textOf = (key: string) => requirements.find((one) => one.key === key)?.text
  expect(textOf('DR-1')).toBe('The house:\n  a. Looks at it within 30 days.')
  expect(textOf('DR-2')).toBe('The house:\n  a. Looks at it within [Selection: a day; within 30 days].')
  expect(textOf('DR-3')).toBe('The house:\n  a. Looks at it within [Assignment: a number of days].')
})

test('takes mark-up for text', () => {
  const file = smallOscal()
  file.catalog.groups[0].title = '<b onclick="x()">Doors</b> & windows'
  expect(catalogOf(readOscal(Buffer.from(JSON.stringify(file)))).requirements[0]?.title).toBe(
    '<b onclick="x()">Doors</b> & windows',
  )
})

test('takes the framework of a library of CISO Assistant, and says what it leaves out', () => {
  const read = readCaLibrary(Buffer.from(smallLibrary().join('\n')))
  const catalog = catalogOf(read)
  expect(catalog).toMatchObject({
    ...{
      format: 'ca_library',
      key: 'urn:example:risk:framework:house',
      edition: '3',
      publisher: 'The house',
    },
    levels: [{ key: 'B', title: 'Basic' }],
  })
  expect(catalog.requirements).toHaveLength(8)
  expect(catalog.requirements.slice(0, 2)).toEqual([
    { key: '1', title: 'Part 1', kind: 'group', assessable: false, levels: [], place: 'line 16, column 7' },
    {
      ...{
        key: '1.1',
        parentKey: '1',
        text: 'Somebody sees to part 1.',
        kind: 'requirement',
        assessable: true,
      },
      ...{ levels: ['B'], weight: 2, importance: 'mandatory', place: 'line 21, column 7' },
    },
  ])
  expect(read).toMatchObject({
    notes: ['threats: 1 threat left out. Frameworks, mappings and risk matrices are imported.'],
  })
})

test('calls two nodes with one ref_id by the ends of their URNs', () => {
  const lines = smallLibrary().map((line) => line.replace('ref_id: "2.1"', 'ref_id: "1.1"'))
  const { requirements } = catalogOf(readCaLibrary(Buffer.from(lines.join('\n'))))
  expect(requirements.map(({ key }) => key)).toEqual(['1', '1.1', '2', '2.1', '3', '3.1', '4', '4.1'])
})

describe('a table', () => {
  const about = { format: 'csv', key: 'urn:own:house', edition: '1', name: 'House' } as const
  const read = (hierarchy?: Hierarchy, change = (table: ReturnType<typeof smallTable>) => table) => {
    const { head, rows } = change(smallTable())
    return catalogOf(
      readTable({ head, rows: rows.map((cells, index) => [index + 2, cells] as const) }, about, hierarchy),
    )
  }

  test.each(['parent', 'depth', 'dotted'] as const)('says by %s what stands beneath what', (hierarchy) => {
    expect(read(hierarchy).requirements.slice(0, 2)).toEqual([
      { key: '1', title: 'Part 1', kind: 'group', assessable: false, levels: [], place: 'row 2' },
      {
        ...{ key: '1.1', parentKey: '1', title: 'Seen to', text: 'Somebody sees to 1.', kind: 'requirement' },
        ...{ assessable: true, levels: ['B'], importance: 'mandatory', weight: 2, place: 'row 3' },
      },
    ])
    expect(read(hierarchy).requirements.filter(({ parentKey }) => parentKey)).toHaveLength(5)
  })

  test('may have a child before its parent', () => {
    const turned = read('parent', ({ head, rows }) => ({ head, rows: rows.toReversed() }))
    expect(turned.requirements.map(({ key }) => key).slice(0, 4)).toEqual(['5', '5.1', '4', '4.1'])
  })

  test('takes a requirement that has others beneath it for a group, unless it says otherwise', () => {
    const bare = read('dotted', ({ rows }) => ({ head: ['ref_id'], rows: rows.map(([key]) => [key]) }))
    expect(bare.requirements.map(({ kind }) => kind).slice(0, 2)).toEqual(['group', 'requirement'])
  })
})

describe('a program without rights', () => {
  test('reads what somebody uploads, and says the same', async () => {
    const [nist, library] = [revision4(), Buffer.from(smallLibrary().join('\n'))]
    expect(await readCatalog('org', nist)).toEqual(readOscal(nist))
    expect(await readCatalog('org', library)).toEqual(readCaLibrary(library))
  })

  test('says what is wrong, however deep that is', async () => {
    expect(await readCatalog('org', Buffer.from('{"catalog": 1,'))).toMatchObject({
      faults: [{ place: 'line 1, column 15' }],
    })
    const bomb = Buffer.from(`{"catalog":${'[{"a":'.repeat(500_000)}`)
    expect(await readCatalog('org', bomb)).toMatchObject({ faults: [{ place: expect.any(String) }] })
  })

  test('reads a table of a file', async () => {
    const file = Buffer.from('\uFEFFKey;Title\r\n1;"Doors, windows"\r\n1.1;Locks\u2028and keys\r\n')
    const about = { key: 'urn:own:house', edition: '1', name: 'House' }
    expect(await readCatalogTable('org', file, about, { hierarchy: 'dotted' })).toMatchObject({
      catalog: {
        format: 'csv',
        requirements: [
          { key: '1', title: 'Doors, windows', kind: 'group', place: 'row 2' },
          { key: '1.1', parentKey: '1', title: expect.stringMatching(/^Locks\sand keys$/) },
        ],
      },
    })
  })
})
