import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reading } from '../server/frameworks/reading/faults.ts'
import { readOscal } from '../server/frameworks/reading/oscal.ts'
import { smallOscal } from './support/catalog-samples.ts'
import type { Door } from './support/door.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: what valid OSCAL says is imported: groups without ids, labels that are unique only among siblings, constraints of
 * parameters. Whatever is left out is noted, and exports name controls by the ids of their catalog.
 */

let one: TestService
let acme: TestOrganization
let door: Door
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  door = await one.listen()
})
afterAll(() => one.close())

const read = (file: object): Reading => readOscal(Buffer.from(JSON.stringify(file)))
const taken = (file: object) => {
  const reading = read(file)
  if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
  return reading
}
const keysOf = (file: object) => taken(file).catalog.requirements.map(({ key }) => key)

test('names groups without id and label by their titles, and says so', () => {
  const file = smallOscal()
  file.catalog.groups = [
    { title: 'Doors', controls: [{ id: 'd-1', title: 'Locks' }], groups: [{ title: 'Keys & locks' }] },
    { title: 'Windows', groups: [{ title: 'Keys & locks' }, { title: 'Keys & locks' }, { title: '扉' }] },
  ]
  expect(keysOf(file)).toEqual([
    ...['doors', 'd-1', 'doors.keys-locks'],
    ...['windows', 'windows.keys-locks', 'windows.keys-locks-2', '扉'],
  ])
  expect(taken(file).notes).toContain(
    '6 groups have neither an id nor a label: their keys are made from their titles, such as “doors”.',
  )
  // A group keeps its key when another comes before it.
  file.catalog.groups.unshift({ title: 'Roofs' })
  expect(keysOf(file).slice(0, 2)).toEqual(['roofs', 'doors'])
})

test('uses ids as keys where labels are unique only among siblings', () => {
  const file = smallOscal()
  for (const group of file.catalog.groups)
    for (const [index, control] of group.controls.entries()) control.props[0].value = `${index + 1}`
  expect(keysOf(file).slice(0, 4)).toEqual(['dr', 'dr-1', 'dr-1.1', 'dr-2'])
  expect(taken(file).notes).toContain(
    'Labels of controls are not unique, such as “1”: the keys of controls are their ids.',
  )
})

test('shows constraints of parameters, and notes usage and guidelines with the control', () => {
  const file = smallOscal()
  const [first, second, third] = file.catalog.groups[0].controls
  first.params[0].constraints = [{ description: 'at most\n 30 ' }, { description: 'at least 1' }]
  first.params[0].guidelines = [{ prose: 'how often it is looked at' }]
  second.params[0].select = { 'how-many': 'one-or-more', choice: ['a day', '{{ insert: param, dr-1_prm }}'] }
  third.params[0].values = ['7']
  third.params[0].constraints = [{ description: 'at most 9' }]
  const { requirements } = taken(file).catalog
  const of = (key: string) => requirements.find((each) => each.key === key)!
  const shown = '[Assignment: a number of days; at most 30; at least 1]'
  expect(of('DR-1').text).toContain(`Looks at it within ${shown}.`)
  expect(of('DR-1').annotation).toBe('Parameters:\n- a number of days: how often it is looked at')
  expect(of('DR-2').text).toContain(`[Selection (one or more): a day; ${shown}]`)
  expect(of('DR-3').text).toContain('Looks at it within 7.')
  expect(of('DR-3').annotation).toBe('Parameters:\n- a number of days: constraint: at most 9')
})

test('shortens a long text of a group with a note, and refuses one of a control', () => {
  const long = `${'A line of a glossary.\n'.repeat(5_000)}`
  const file = smallOscal()
  file.catalog.groups[0].parts = [{ name: 'overview', prose: long }]
  const { catalog, notes } = taken(file)
  const { guidance } = catalog.requirements[0]!
  expect(guidance).toMatch(/^A line of a glossary\.\n[^…]+\nA line of a glossary\.…$/)
  expect(notes).toContain(
    `The guidance of “Group dr” has ${long.trim().length} letters: the first ${guidance!.length - 1} are taken.`,
  )
  file.catalog.groups[0].controls[0].parts[1].prose = long
  expect(read(file)).toMatchObject({ faults: [{ message: expect.stringMatching(/^has 109999 letters/) }] })
})

test.each([
  ['resolution-source', 'House rules, high baseline', { key: 'high', title: 'High baseline' }],
  [
    'source-profile',
    'House rules for guests',
    { key: 'house-rules-for-guests', title: 'House rules for guests' },
  ],
])('a profile resolved by %s is a level of all its controls', (rel, title, level) => {
  const file = smallOscal()
  Object.assign(file.catalog.metadata, {
    title,
    links: [{ rel, href: 'https://house.example/profile.json' }],
  })
  const { catalog } = taken(file)
  expect(catalog.levels).toMatchObject([level])
  expect(
    catalog.requirements.filter((each) => each.assessable).every((each) => each.levels[0] === level.key),
  ).toBe(true)
  expect(catalog).toMatchObject({
    description: 'Resolved from the profile https://house.example/profile.json.',
    source: { uuid: file.catalog.uuid, href: 'https://house.example/profile.json' },
  })
})

test('counts what is left out, and notes another major version', () => {
  const file = smallOscal()
  const { metadata, groups } = file.catalog
  metadata['oscal-version'] = '2.0.0'
  metadata.roles = [{ id: 'a' }, { id: 'b' }]
  groups[0].controls[0].props.push({ name: 'effort', value: '1' }, { name: 'effort', value: '2' })
  groups[0].controls[0].links = [
    { rel: 'reference', href: '#x' },
    { rel: 'see-also', href: '#x' },
  ]
  groups[0].controls[0].class = 'house'
  groups[0].controls[0].params[0].constraints = [{ tests: [{ expression: '1' }] }]
  file.catalog['back-matter'] = { resources: [{ uuid: 'x', title: 'A book' }] }
  expect(taken(file).notes).toEqual([
    'The file is in OSCAL “2.0.0”: it is read as OSCAL 1.',
    'Left out, props: effort (2).',
    'Left out, links: see-also (1).',
    'Left out, fields: class of controls (1), tests of constraints (1).',
    'Left out, fields of the metadata: roles (2).',
    '1 resources of the back matter: only titles are taken, where a control refers to one.',
  ])
})

test('exports name controls by the ids of their catalog, and the catalog by its UUID and address', async () => {
  const file = smallOscal()
  file.catalog.groups = [
    {
      ...{ id: 'HOUSE', title: 'House' },
      controls: [
        { id: 'DOOR.2.5', title: 'Locking', props: [{ name: 'label', value: 'HOUSE.1.4' }] },
        { id: 'DOOR.2.6', title: 'Keys' },
      ],
    },
  ]
  file.catalog.metadata.links = [{ rel: 'canonical', href: '#at' }]
  const href = 'https://house.example/catalog.json'
  file.catalog['back-matter'] = { resources: [{ uuid: 'at', rlinks: [{ href: 'near.json' }, { href }] }] }
  const imports = frameworkImportsOf(one, acme.admin)
  const { frameworkId: id } = await imports.bring('house.json', Buffer.from(JSON.stringify(file)))
  const ask = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as never
  const { data }: { data: { id: string; key: string; sourceId: string }[] } = await ask('listRequirements', {
    frameworkId: [id],
  })
  expect(data.map(({ key, sourceId }) => [key, sourceId])).toEqual(
    expect.arrayContaining([
      ['HOUSE', 'HOUSE'],
      ['HOUSE.1.4', 'DOOR.2.5'],
      ['DOOR.2.6', 'DOOR.2.6'],
    ]),
  )
  const control: { id: string } = await ask('createControl', { code: 'C-1', title: 'Locks' })
  for (const { id: requirement, sourceId } of data)
    if (sourceId !== 'HOUSE')
      await ask('linkRequirement', { id: requirement, targetKind: 'control', targetId: control.id })
  const { secret } = await acme.key(['read:frameworks', 'read:controls', 'read:evidence'])
  // biome-ignore lint/suspicious/noExplicitAny: whatever the document is
  const exported = async (name: string): Promise<any> => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await fetch(`${door.base}/v1/frameworks/${id}/oscal/${name}`, { headers })).json()
  }
  const { 'component-definition': definition } = await exported('component-definition')
  const [implementation] = definition.components[0]['control-implementations']
  expect(implementation.source).toBe(`#${file.catalog.uuid}`)
  expect(
    implementation['implemented-requirements'].map((each: object) => each['control-id' as never]),
  ).toEqual(['DOOR.2.5', 'DOOR.2.6'])
  expect(definition['back-matter'].resources[0]).toMatchObject({
    uuid: file.catalog.uuid,
    rlinks: [{ href }, {}],
  })
  const { 'assessment-results': results } = await exported('assessment-results')
  expect(results.results[0]['reviewed-controls']['control-selections'][0]['include-controls']).toEqual([
    { 'control-id': 'DOOR.2.5' },
    { 'control-id': 'DOOR.2.6' },
  ])
})

test('a framework that was imported before ids were stored gets them when it is imported again', async () => {
  const imports = frameworkImportsOf(one, acme.admin)
  const file = smallOscal()
  file.catalog.metadata.title = 'Rules of the old house'
  const bytes = Buffer.from(JSON.stringify(file))
  const { frameworkId } = await imports.bring('old.json', bytes)
  await one.administrator.query('update requirements set source_id = null where framework_id = $1', [
    frameworkId,
  ])
  const again = await imports.send('old.json', bytes)
  expect(again.plan).toMatchObject({
    outcome: 'different',
    changedKeys: [{ fields: ['sourceId'] }, ...Array(17).fill({})],
  })
  expect((await imports.apply(again, { asCorrection: true })).result).toMatchObject({
    outcome: 'corrected',
    changed: 18,
  })
  expect((await imports.send('old.json', bytes)).plan).toMatchObject({ outcome: 'unchanged' })
})
