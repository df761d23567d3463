import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readCaLibrary } from '../server/frameworks/reading/ca-library.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Libraries of CISO Assistant that hold mappings between two frameworks, or a risk matrix: both are planned, and imported
 * by the same calls as frameworks.
 */

let one: TestService
let acme: TestOrganization
let imports: ReturnType<typeof frameworkImportsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
})
beforeEach(async () => {
  acme = await one.organization()
  imports = frameworkImportsOf(one, acme.admin)
})
afterAll(() => one.close())

const yaml = (objects: object, more: object = {}) =>
  Buffer.from(JSON.stringify({ urn: 'urn:example:risk:library:x', name: 'X', version: 1, ...more, objects }))
    // YAML holds JSON, and a file that begins with a brace is read as OSCAL.
    .toString()
    .replace(/^\{/, '# a library\n{')

const bytes = (objects: object, more: object = {}) => Buffer.from(yaml(objects, more))

const node = (framework: string, end: string, more: object = {}) => ({
  urn: `urn:example:risk:req_node:${framework}:${end}`,
  assessable: true,
  depth: 1,
  description: `Text of ${end}`,
  ...more,
})

const framework = (name: string, nodes: readonly object[]) =>
  bytes({ framework: { urn: `urn:example:risk:framework:${name}`, name, requirement_nodes: nodes } })

const doors = framework('doors', [
  node('doors', 'd.1', { ref_id: 'D.1' }),
  node('doors', 'd.2', { ref_id: 'D 2' }),
  node('doors', 'd.2:1'),
  node('doors', 'odd-one', { ref_id: 'D.4' }),
])
const keys = framework('keys', [
  node('keys', 'k.1', { ref_id: 'K.1' }),
  node('keys', 'k.2', { ref_id: 'K.2' }),
])

const mapping = (source: string, target: string, relationship: string, more: object = {}) => ({
  source_requirement_urn: `urn:example:risk:req_node:doors:${source}`,
  target_requirement_urn: `urn:example:risk:req_node:keys:${target}`,
  relationship,
  ...more,
})

const set = (mappings: readonly object[], more: object = {}) => ({
  urn: 'urn:example:risk:req_mapping_set:doors-to-keys',
  ref_id: 'doors-to-keys',
  name: 'Doors to keys',
  source_framework_urn: 'urn:example:risk:framework:doors',
  target_framework_urn: 'urn:example:risk:framework:keys',
  requirement_mappings: mappings,
  ...more,
})

const MAPPINGS = [
  mapping('d.1', 'k.1', 'equal', { rationale: 'syntactic', strength_of_relationship: 10 }),
  mapping('d.2', 'k.1', 'subset', { rationale: 'A key opens a door.', annotation: 'By hand.' }),
  mapping('d.2:1', 'k.2', 'superset'),
  mapping('odd-one', 'k.2', 'intersect', { strength_of_relationship: 3 }),
  mapping('d.9', 'k.2', 'intersect'),
  mapping('d.1', 'k.1', 'intersect'),
]
const REVERSED = {
  ...set([
    {
      source_requirement_urn: 'urn:example:risk:req_node:keys:k.1',
      target_requirement_urn: 'urn:example:risk:req_node:doors:d.1',
      relationship: 'equal',
    },
  ]),
  source_framework_urn: 'urn:example:risk:framework:keys',
  target_framework_urn: 'urn:example:risk:framework:doors',
}

async function mappingsHere() {
  const { data } = (await one.call(acme.admin, 'listFrameworkMappings', { limit: 100 })).body as {
    data: { source: { key: string }; target: { key: string }; [more: string]: unknown }[]
  }
  return data.map(({ source, target, ...rest }) => ({ ...rest, pair: `${source.key} ${target.key}` }))
}

const PLANNED = {
  ...{ name: 'Doors to keys', added: 4, standing: 0, missing: 1 },
  source: { key: 'urn:example:risk:framework:doors', edition: '1', name: 'doors' },
  target: { key: 'urn:example:risk:framework:keys', edition: '1', name: 'keys' },
  missingUrns: ['urn:example:risk:req_node:doors:d.9'],
}

test('a mapping library maps the requirements of two frameworks that are here', async () => {
  const library = bytes({ requirement_mapping_sets: [set(MAPPINGS), REVERSED] })
  const early = await imports.send('map.yaml', library)
  expect(early.plan).toMatchObject({
    outcome: 'refused',
    faults: [
      {
        message:
          'Mappings are from or to urn:example:risk:framework:doors and urn:example:risk:framework:keys, which are not here. Import those frameworks first, then this file again.',
      },
    ],
  })
  await imports.bring('doors.yaml', doors)
  expect((await imports.send('map.yaml', library)).plan?.faults).toMatchObject([
    { message: expect.stringContaining('urn:example:risk:framework:keys, which is not here. Import that') },
  ])
  await imports.bring('keys.yaml', keys)
  const sent = await imports.send('map.yaml', library)
  expect(sent.plan).toMatchObject({
    ...{ outcome: 'new', framework: null, counts: null },
    mappings: [PLANNED, { added: 0, standing: 1, missing: 0 }],
    notes: expect.arrayContaining([
      expect.stringMatching(/^line 2, column \d+: maps two requirements that are mapped above/),
      'ref_id is left out of 2 mapping sets.',
    ]),
  })
  expect(await mappingsHere()).toEqual([])
  const { result, frameworkId } = await imports.apply(sent)
  expect(result).toMatchObject({ outcome: 'created', added: 0, mappings: 4 })
  expect(frameworkId).toBeNull()
  const here = await mappingsHere()
  expect(here).toHaveLength(4)
  expect(here).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{
          pair: 'D.1 K.1',
          relationship: 'equal',
          rationale: 'syntactic',
          strength: 10,
          origin: 'community',
        },
      }),
      expect.objectContaining({
        ...{
          pair: 'D 2 K.1',
          relationship: 'subset_of',
          rationale: null,
          note: 'A key opens a door.\nBy hand.',
        },
      }),
      expect.objectContaining({ pair: 'd.2:1 K.2', relationship: 'superset_of' }),
      expect.objectContaining({ pair: 'D.4 K.2', relationship: 'intersects', strength: 3 }),
    ]),
  )
  // The same again adds nothing.
  const again = await imports.send('map.yaml', library)
  expect(again.plan).toMatchObject({ outcome: 'unchanged', mappings: [{ added: 0, standing: 4 }, {}] })
  expect((await imports.apply(again)).result).toMatchObject({ outcome: 'unchanged', mappings: 0 })
  expect(await mappingsHere()).toEqual(here)
})

test('frameworks that were imported before URNs were stored are searched by keys', async () => {
  await imports.bring('doors.yaml', doors)
  await imports.bring('keys.yaml', keys)
  await one.administrator.query('delete from requirement_urns where organization_id = $1', [acme.id])
  const { plan } = await imports.send('map.yaml', bytes({ requirement_mapping_set: set(MAPPINGS) }))
  // Of “odd-one” the key is D.4: it cannot be found by its URN.
  expect(plan?.mappings).toMatchObject([{ added: 3, missing: 2 }])
  // The same file again stores them.
  await imports.bring('doors.yaml', doors)
  await imports.bring('keys.yaml', keys)
  const { plan: then } = await imports.send('map.yaml', bytes({ requirement_mapping_set: set(MAPPINGS) }))
  expect(then?.mappings).toMatchObject([{ added: 4, missing: 1 }])
})

test('a framework and its mappings in one file come together', async () => {
  await imports.bring('keys.yaml', keys)
  const both = bytes({
    framework: {
      urn: 'urn:example:risk:framework:doors',
      name: 'doors',
      requirement_nodes: [node('doors', 'd.1', { ref_id: 'D.1' }), node('doors', 'd.2', { ref_id: 'D 2' })],
    },
    requirement_mapping_sets: [set(MAPPINGS)],
    reference_controls: [{ urn: 'a' }, { urn: 'b' }],
  })
  const sent = await imports.send('both.yaml', both)
  expect(sent.plan).toMatchObject({
    ...{ outcome: 'new', counts: { requirements: 2 }, mappings: [{ added: 2, missing: 3 }] },
    notes: expect.arrayContaining([
      expect.stringMatching(/^reference_controls: 2 reference controls left out/),
    ]),
  })
  expect((await imports.apply(sent)).result).toMatchObject({ outcome: 'created', added: 2, mappings: 2 })
})

test.each([
  ['relationship', mapping('d.1', 'k.1', 'similar'), /“similar”: give one of equal, subset/],
  ['source', { ...mapping('d.1', 'k.1', 'equal'), source_requirement_urn: null }, /is missing/],
])('a mapping whose %s is wrong is named with its place', (_, wrong, message) => {
  const reading = readCaLibrary(bytes({ requirement_mapping_sets: [set([wrong])] }))
  expect(reading).toMatchObject({
    faults: [{ place: expect.stringMatching(/^line 2/), message: expect.stringMatching(message) }],
  })
})

const step = (name: string, more: object = {}) => ({
  name,
  abbreviation: name[0],
  description: `About ${name}`,
  ...more,
})
const GRID = [
  [0, 0, 0, 1, 1],
  [0, 0, 1, 1, 2],
  [0, 1, 1, 2, 3],
  [1, 1, 2, 3, 3],
  [1, 2, 3, 3, 3],
]
const matrix = (more: object = {}) => ({
  urn: 'urn:example:risk:matrix:five',
  ref_id: 'five',
  name: 'Five by five',
  description: 'A matrix',
  probability: ['Very rare', 'Rare', 'Now and then', 'Often', 'Always'].map((name) => step(name)),
  impact: ['None', 'Little', 'Some', 'Much', 'All'].map((name) => step(name, { translations: { de: {} } })),
  risk: [
    step('Fine', { hexcolor: '#02A45A' }),
    step('Watch', { hexcolor: '#FFCE02' }),
    step('Act', { hexcolor: '#FFA600' }),
    step('Stop', { hexcolor: '#FF1A00' }),
  ],
  grid: GRID,
  ...more,
})

test('a risk matrix of five by five with four levels becomes that of the organization', async () => {
  const sent = await imports.send('matrix.yaml', bytes({ risk_matrix: [matrix()] }))
  expect(sent.plan).toMatchObject({ outcome: 'new', framework: null, riskMatrix: { name: 'Five by five' } })
  expect((sent.plan!.riskMatrix as { changes: object[] }).changes).toContainEqual({
    ...{ path: 'levels.low.label', from: 'Low', to: 'Fine' },
  })
  const { result } = await imports.apply(sent)
  expect(result).toMatchObject({ outcome: 'created', riskMatrixVersion: 2 })
  const { body } = await one.call(acme.admin, 'getRiskMatrix', {})
  expect(body).toMatchObject({
    ...{ version: 2, reason: 'Imported: Five by five' },
    likelihoods: {
      rare: { label: 'Very rare', description: 'About Very rare' },
      almost_certain: { label: 'Always' },
    },
    impacts: { insignificant: { label: 'None' }, severe: { label: 'All' } },
    levels: { low: { label: 'Fine' }, critical: { label: 'Stop', colour: 'red' } },
    cells: { rare: { severe: { level: 'medium', score: 5 } }, likely: { major: { level: 'critical' } } },
  })
  const again = await imports.send('matrix.yaml', bytes({ risk_matrix: [matrix()] }))
  expect(again.plan).toMatchObject({ outcome: 'unchanged', riskMatrix: { changes: [] } })
})

test.each([
  [
    { probability: matrix().probability.slice(0, 3) },
    'it has 3 steps of likelihood where a risk matrix here has 5.',
  ],
  [
    { impact: matrix().impact.slice(0, 4), risk: [...matrix().risk, step('Flee')] },
    'it has 4 steps of impact where a risk matrix here has 5; 5 risk levels where a risk matrix here has at most 4.',
  ],
  [{ grid: GRID.toReversed() }, 'a level does not fall as likelihood or impact rises'],
  [{ grid: GRID.slice(1) }, 'has to have 5 rows of 5 numbers'],
  [{ risk: matrix().risk.map((one) => ({ ...one, name: 'Same' })) }, 'give each its own'],
])('a matrix that cannot be held is refused with the reason: %#', async (more, reason) => {
  const { plan, id } = await imports.send('matrix.yaml', bytes({ risk_matrix: [matrix(more)] }))
  expect(plan).toMatchObject({ outcome: 'refused' })
  expect(plan?.faults[0]?.message).toContain(reason)
  expect(await refusal(imports.ask('applyFrameworkImport', { id }))).toMatchObject({ code: 'conflict' })
})
