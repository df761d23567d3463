import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCaLibrary } from '../server/frameworks/reading/ca-library.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Libraries of CISO Assistant as they are published: nodes without a ref_id, URNs with inner colons, groups that nothing
 * defines, texts that are too long. They are imported, and the plan names all that is left out.
 */

interface NodeOf {
  readonly urn: string
  readonly parent?: string
  readonly ref?: string
  readonly more?: readonly string[]
}

const NODE = 'urn:example:risk:req_node:rules:'

/** A library in YAML. @param about lines of the library @param framework lines of its framework */
function library(
  nodes: readonly NodeOf[],
  { about = [], framework = [] }: { about?: readonly string[]; framework?: readonly string[] } = {},
): Buffer {
  const lines = [
    'urn: urn:example:risk:library:rules',
    ...['ref_id: rules', 'name: Sample rules', 'version: 1', ...about, 'objects:', '  framework:'],
    ...['urn: urn:example:risk:framework:rules', 'name: Sample rules', ...framework].map(
      (line) => `    ${line}`,
    ),
    '    requirement_nodes:',
    ...nodes.flatMap(({ urn, parent, ref, more = [] }) => [
      `    - urn: ${NODE}${urn}`,
      ...(parent === undefined ? [] : [`      parent_urn: ${NODE}${parent}`]),
      ...(ref === undefined ? [] : [`      ref_id: "${ref}"`]),
      ...(more.length === 0 ? ['assessable: true', `description: Text of ${urn}.`] : more).map(
        (line) => `      ${line}`,
      ),
    ]),
  ]
  return Buffer.from(lines.join('\n'))
}

function read(bytes: Buffer) {
  const reading = readCaLibrary(bytes)
  if (!('catalog' in reading)) throw new Error(JSON.stringify(reading))
  return reading
}

const keysIn = (bytes: Buffer) => read(bytes).catalog.requirements.map(({ key }) => key)

describe('keys', () => {
  test('are the ref_id where it is unique, and else all of the URN behind what the nodes share', () => {
    const nodes = [
      { urn: '1', ref: '1' },
      { urn: '1.1', parent: '1', ref: '1.1' },
      { urn: '1.1:1', parent: '1.1' },
      { urn: '1.1:2', parent: '1.1' },
      { urn: '1.2', parent: '1', ref: '1.2' },
      { urn: '1.2:1', parent: '1.2' },
      { urn: 'a:x', parent: '1.2', ref: 'x' },
      { urn: 'b:x', parent: '1.1', ref: 'x' },
    ]
    const { catalog, notes } = read(library(nodes))
    expect(catalog.requirements.map(({ key, parentKey }) => [key, parentKey])).toEqual([
      ['1', undefined],
      ['1.1', '1'],
      ['1.1:1', '1.1'],
      ['1.1:2', '1.1'],
      ['b:x', '1.1'],
      ['1.2', '1'],
      ['1.2:1', '1.2'],
      ['a:x', '1.2'],
    ])
    expect(notes).toContainEqual(expect.stringContaining('ref_id is shared by several requirements'))
  })

  test('never meet: a ref_id comes first, and what is left has more of its URN', () => {
    expect(keysIn(library([{ urn: 'first', ref: 'a' }, { urn: 'a' }]))).toEqual(['a', 'rules:a'])
  })

  test('hold as many letters as the URNs of published libraries have, and are never cut alike', () => {
    const long = 'x'.repeat(180)
    expect(keysIn(library([{ urn: `${long}:1` }, { urn: `${long}:2` }]))).toEqual(['1', '2'])
    expect(keysIn(library([{ urn: '0' }, { urn: long }]))).toEqual(['0', long])
    const [one, other] = [`${'y'.repeat(250)}1`, `${'y'.repeat(250)}2`]
    const { catalog, notes } = read(library([{ urn: '0' }, { urn: one }, { urn: other }]))
    const [, first, second] = catalog.requirements.map(({ key }) => key)
    expect(first).toHaveLength(200)
    expect(second).not.toBe(first)
    expect(notes).toContainEqual(
      'line 13, column 12: urn has 251 letters and is shortened to 200. The same applies to 1 more place.',
    )
  })
})

describe('what a library says besides', () => {
  test('groups that it does not define become levels, with a note', () => {
    const node = (urn: string, groups: string) => ({
      urn,
      more: ['assessable: true', `implementation_groups: ${groups}`],
    })
    const bytes = library([node('1', '[B, Z]'), node('2', '[Z, ""]')], {
      framework: ['implementation_groups_definition:', '- ref_id: B', '  name: Basic'],
    })
    const { catalog, notes } = read(bytes)
    expect(catalog.levels).toEqual([
      { key: 'B', title: 'Basic' },
      { key: 'Z', title: 'Z' },
    ])
    expect(catalog.requirements.map(({ levels }) => levels)).toEqual([['B', 'Z'], ['Z']])
    expect(notes).toContainEqual(
      'line 13, column 7: names the implementation group “Z”, which the file does not define (2 requirements). It becomes a level with its key as title.',
    )
  })

  test('groups beyond the limit are left out, and the file is taken', () => {
    const groups = Array.from({ length: 60 }, (_, at) => `G${at}`)
    const bytes = library([{ urn: '1', more: ['assessable: true', `implementation_groups: [${groups}]`] }])
    const { catalog, notes } = read(bytes)
    expect(catalog.levels).toHaveLength(50)
    expect(catalog.requirements[0]!.levels).toHaveLength(50)
    expect(notes.filter((note) => note.includes('It is left out: a framework has at most 50'))).toHaveLength(
      10,
    )
  })

  test('side fields that are too long are left out or shortened, each with its name, place and length', () => {
    const bytes = library(
      [
        { urn: '1', more: ['assessable: true', `typical_evidence: ${'e'.repeat(5_001)}`] },
        { urn: '2', more: ['assessable: true', `typical_evidence: ${'e'.repeat(5_002)}`] },
        { urn: '3', more: ['assessable: false', `description: ${'g'.repeat(20_001)}`] },
      ],
      { about: [`copyright: ${'c'.repeat(5_100)}`], framework: [`ref_id: ${'r'.repeat(66)}`] },
    )
    const { catalog, notes } = read(bytes)
    expect(catalog).not.toHaveProperty('shortName')
    expect(catalog.license).toHaveLength(5_000)
    expect(catalog.requirements[2]!.text).toHaveLength(20_000)
    expect(notes).toEqual(
      expect.arrayContaining([
        'line 10, column 13: ref_id has 66 letters and is left out.',
        'line 5, column 12: copyright has 5100 letters and is shortened to 5000.',
        'line 14, column 25: typical_evidence has 5001 letters and is shortened to 5000. The same applies to 1 more place.',
        'line 20, column 20: description has 20001 letters and is shortened to 20000.',
      ]),
    )
  })

  test('the text of what has an answer is never cut', () => {
    const bytes = library([{ urn: '1', more: ['assessable: true', `description: ${'g'.repeat(20_001)}`] }])
    expect(readCaLibrary(bytes)).toMatchObject({
      faults: [{ place: 'line 12, column 20', message: expect.stringContaining('has 20001 letters') }],
    })
  })

  test('all that is left out is named, with how often', () => {
    const node = (urn: string, ...more: string[]) => ({ urn, more: ['assessable: true', ...more] })
    const bytes = library(
      [
        node(
          '1',
          'threats: [urn:t:1]',
          'reference_controls: [urn:c:1]',
          'translations: { de: { name: Eins } }',
        ),
        node('2', 'threats: [urn:t:1]', 'translations: { de: { name: Zwei } }'),
        node('3', 'questions: { q: { type: text, text: Is it so? } }'),
      ],
      {
        about: ['packager: example', 'translations: { de: { name: Regeln } }'],
        framework: ['min_score: 1', 'max_score: 4', 'translations: { de: { name: Regeln } }'],
      },
    )
    expect(read(bytes).notes).toEqual([
      'Left out of the library: ref_id, packager and translations.',
      'Left out of the framework: min_score and max_score. Scores are percentages from 0 to 100 here, whatever the framework.',
      'Left out of the framework: translations.',
      'threats is left out of 2 requirements.',
      'reference_controls is left out of 1 requirement.',
      'translations is left out of 2 requirements.',
      'type is left out of 1 question.',
    ])
  })

  test('a library without a framework is refused with what it holds', () => {
    const bytes = Buffer.from(
      'urn: u\nname: L\nversion: 1\nobjects:\n  reference_controls: [{ urn: a }, { urn: b }]\n  threats: [{ urn: c }]\n',
    )
    expect(readCaLibrary(bytes)).toMatchObject({
      faults: [
        {
          message: expect.stringMatching(
            /^The library holds 2 reference controls and 1 threat and no framework\./,
          ),
        },
      ],
    })
  })
})

describe('imported', () => {
  let one: TestService
  let acme: TestOrganization
  let imports: ReturnType<typeof frameworkImportsOf>
  beforeAll(async () => {
    one = await startTestService()
    await one.service.jobs.start()
    acme = await one.organization()
    imports = frameworkImportsOf(one, acme.admin)
  })
  afterAll(() => one.close())

  const nodes = [
    { urn: '1', ref: '1' },
    { urn: '1:1', parent: '1' },
    { urn: '2', ref: '2' },
    { urn: '2:7', parent: '2' },
  ]

  test('the same file again changes nothing, and what was imported under former keys is found by them', async () => {
    const { frameworkId, plan } = await imports.bring('rules.yaml', library(nodes))
    expect(plan).toMatchObject({ outcome: 'new', counts: { requirements: 4 } })
    expect((await imports.send('rules.yaml', library(nodes))).plan).toMatchObject({ outcome: 'unchanged' })

    // As versions before this one had it: the last segment of the URN.
    await one.administrator.query(
      `update requirements set key = '7' where framework_id = $1 and key = '2:7'`,
      [frameworkId],
    )
    expect((await imports.send('rules.yaml', library(nodes))).plan).toMatchObject({ outcome: 'unchanged' })

    const renamed = nodes.map((node) =>
      node.urn === '2:7' ? { ...node, more: ['assessable: true', 'description: Another text.'] } : node,
    )
    const differing = await imports.send('rules.yaml', library(renamed))
    expect(differing.plan).toMatchObject({
      outcome: 'different',
      ...{ added: 0, removed: 0, changed: 1 },
      changedKeys: [{ key: '7', fields: ['title', 'text'] }],
    })
    const { result } = await imports.apply(differing, { asCorrection: true })
    expect(result).toMatchObject({ outcome: 'corrected', added: 0, changed: 1, kept: 0 })
  })
})
