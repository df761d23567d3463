import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOscal } from '../server/frameworks/reading/oscal.ts'
import { highBaseline, revision4, smallLibrary, smallOscal } from './support/catalog-samples.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a framework comes in whole or not at all, once, and says here what its file says; what people answered is
 * theirs, whatever is imported behind it.
 */

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

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number }

const call = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as Row

/** What is kept of a framework, in its order, as PostgreSQL has it. */
async function keptOf(frameworkId: string | null) {
  const { rows } = await one.administrator.query(
    `select r.id, r.key, r.title, r.text, r.guidance, r.depth, p.key as "parentKey", r.assessable
       from requirements r left join requirements p on p.organization_id = r.organization_id and p.id = r.parent_id
      where r.framework_id = $1 order by r.sort_order`,
    [frameworkId],
  )
  return rows as (Row & { key: string; text: string | null })[]
}

/** All that tells of what happened in the organization. */
async function traces() {
  const count = async (table: string, and = '') => {
    const { rows } = await one.administrator.query(
      `select count(*)::int as count from ${table} where organization_id = $1 ${and}`,
      [acme.id],
    )
    return rows[0].count as number
  }
  return {
    entries: await count('audit_entries'),
    signals: await count('signals'),
    versions: await count('requirements', 'and version > 1'),
    requirements: await count('requirements'),
  }
}

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each([
  ['NIST SP 800-53 revision 4', revision4, 922 + 18],
  ['the high baseline of revision 5', highBaseline, 370 + 18],
])('%s comes in whole, and once', async (_, file, count) => {
  const sent = await imports.send('catalog.json', file())
  expect(sent.plan).toMatchObject({ outcome: 'new', counts: { requirements: count }, faults: [] })
  const applied = await imports.apply(sent)
  expect(applied.result).toEqual({ outcome: 'created', added: count, changed: 0, kept: 0, mappings: 0 })
  const read = readOscal(file())
  if ('faults' in read) throw new Error('it has none')
  const depths = new Map<string | undefined, number>([[undefined, -1]])
  const expected = read.catalog.requirements.map(({ key, title, text, guidance, parentKey, assessable }) => {
    const depth = depths.get(parentKey)! + 1
    depths.set(key, depth)
    const [asText, asGuidance] = [text ?? null, guidance ?? null]
    return { key, title, text: asText, guidance: asGuidance, depth, parentKey: parentKey ?? null, assessable }
  })
  const kept = await keptOf(applied.frameworkId)
  expect(kept.map(({ id, ...rest }) => rest)).toEqual(expected)

  const before = await traces()
  const again = await imports.bring('the same.json', file())
  expect(again).toMatchObject({ plan: { outcome: 'unchanged' }, result: { outcome: 'unchanged', added: 0 } })
  expect(again.frameworkId).toBe(applied.frameworkId)
  expect(await traces()).toEqual({ ...before, entries: before.entries + 1 })
})

test('files that nobody carries out are kept for the last twenty imports', async () => {
  const other = await one.organization()
  const theirs = frameworkImportsOf(one, other.admin)
  const send = (at: number) => theirs.send(`${at}.json`, bytesOf(smallOscal()))
  const first = await send(0)
  // Nineteen more like it: to read a file takes a process of its own.
  for (const table of ['framework_imports', 'framework_import_stretches']) {
    const [id, created] =
      table === 'framework_imports'
        ? ['id', "'created_at', created_at + at * interval '1 ms',"]
        : ['import_id', '']
    await one.administrator.query(
      `insert into ${table}
       select (jsonb_populate_record(t, jsonb_build_object(${created} '${id}', ${id} || at))).*
         from ${table} t, generate_series(1, 19) at where organization_id = $1`,
      [other.id],
    )
  }
  const second = await send(20)
  const last = await send(21)
  const kept = async () => {
    const { rows } = await one.administrator.query(
      'select count(distinct import_id)::int as count from framework_import_stretches where organization_id = $1',
      [other.id],
    )
    return rows[0].count as number
  }
  expect(await kept()).toBe(20)
  expect(await theirs.ask('getFrameworkImport', { id: first.id })).toMatchObject({ stage: 'begun' })
  expect(await theirs.ask('getFrameworkImport', { id: `${first.id}1` })).toMatchObject({ stage: 'begun' })
  expect(await theirs.ask('getFrameworkImport', { id: second.id })).toMatchObject({ stage: 'planned' })
  expect(await refusal(theirs.ask('applyFrameworkImport', { id: first.id }))).toMatchObject({
    message: expect.stringContaining('send one'),
  })
  await theirs.apply(last)
  expect(await kept()).toBe(19)
})

test('a framework of the library is mapped with those of it that are here', async () => {
  const older = await imports.fromLibrary('iso_27001_2013')
  expect(older.result).toMatchObject({ outcome: 'created', mappings: 0 })
  const newer = await imports.fromLibrary('iso_27001_2022')
  expect(newer.result).toMatchObject({ outcome: 'created', mappings: 115 })
  const { data } = (await call('listFrameworkLibrary', {})) as unknown as { data: Row[] }
  expect(data.find(({ library }) => library === 'iso_27001_2022')).toMatchObject({
    frameworkId: newer.frameworkId,
    edition: '2022',
  })
  const kept = await keptOf(newer.frameworkId)
  const { rows } = await one.administrator.query(
    'select relationship, origin from requirement_mappings where mapping_target_id = $1',
    [kept.find(({ key }) => key === 'A.8.32')!.id],
  )
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ relationship: 'subset_of', origin: 'official' })))
})

test('an edition that differs is refused with what differs, or corrected, with its answers untouched', async () => {
  const first = await imports.bring('house.json', bytesOf(smallOscal()))
  const [, answered] = await keptOf(first.frameworkId)
  const answer = { applicability: 'not_applicable', justification: 'We have no doors.', note: 'Seen in May' }
  await call('updateRequirement', { id: answered!.id, ...answer })

  const file = smallOscal()
  const [doors] = file.catalog.groups
  doors.controls[0].title = 'Control one'
  doors.controls.splice(2, 0, { id: 'dr-9', title: 'Between two and three' })
  for (const control of doors.controls) control.props = [{ name: 'label', value: control.id.toUpperCase() }]
  file.catalog.groups[1].controls.pop()
  const sent = await imports.send('house.json', bytesOf(file))
  expect(sent.plan).toMatchObject({
    ...{ outcome: 'different', added: 1, removed: 2, changed: 1, moved: 0 },
    ...{ addedKeys: ['DR-9'], removedKeys: ['WN-4', 'wn-4.1'] },
    changedKeys: [{ key: 'DR-1', fields: ['title'] }],
  })
  expect(await refusal(imports.ask('applyFrameworkImport', { id: sent.id }))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('1 added, 2 removed, 1 changed, 0 moved'),
  })
  const before = await keptOf(first.frameworkId)

  // Somebody goes on answering while it is carried out.
  const other = before.find(({ key }) => key === 'DR-2')!
  const [corrected] = await Promise.all([
    imports.apply(sent, { asCorrection: true }),
    call('updateRequirement', { id: other.id, note: 'Answered meanwhile' }),
  ])
  expect(corrected.result).toEqual({ outcome: 'corrected', added: 1, changed: 1, kept: 2, mappings: 0 })
  const after = await keptOf(first.frameworkId)
  expect(after.map(({ key }) => key).slice(0, 8)).toEqual([
    'DR',
    'DR-1',
    'dr-1.1',
    'DR-2',
    'dr-2.1',
    'DR-9',
    'DR-3',
    'dr-3.1',
  ])
  expect(await call('getRequirement', { id: answered!.id })).toMatchObject({
    ...answer,
    title: 'Control one',
  })
  expect(await call('getRequirement', { id: other.id })).toMatchObject({
    note: 'Answered meanwhile',
    title: 'Control 2 of dr',
  })
  // What stands where it stood is not written.
  expect(await call('getRequirement', { id: before.find(({ key }) => key === 'DR-3')!.id })).toMatchObject({
    version: 1,
  })
})

test('a correction moves what has something beneath it, and says what else the edition is called', async () => {
  const framework = { key: 'urn:acme:moves', edition: '1', name: 'Moves', description: 'Of old' }
  const head = 'Key,Title,Parent,Levels'
  const table = (...rows: string[]) => Buffer.from([head, ...rows].join('\n'))
  const bring = (file: Buffer, about: object) => imports.send('m.csv', file, { framework: about })
  const rows = ['A,A,,', 'A.1,One,A,', 'A.1.1,Below,A.1,', 'A.1.2,Goes,A.1,', 'B,B,,low']
  const { frameworkId } = await imports.apply(await bring(table(...rows), framework))
  const placed = async () =>
    (await keptOf(frameworkId)).map(({ key, parentKey, depth }) => [key, parentKey, depth])

  const renamed = { key: framework.key, edition: '1', name: 'Moved' }
  const same = await bring(table(...rows), renamed)
  expect(same.plan).toMatchObject({ outcome: 'different', frameworkFields: ['name', 'description'] })
  expect((await imports.apply(same, { asCorrection: true })).result).toMatchObject({ outcome: 'corrected' })
  expect(await call('getFramework', { id: frameworkId! })).toMatchObject({ name: 'Moved', description: null })
  expect((await bring(table(...rows), renamed)).plan).toMatchObject({ outcome: 'unchanged' })

  const between = ['B,B,,low', 'A,A,,', 'N,New,A,', 'A.1,One,N,', 'A.1.1,Below,A.1,']
  const moved = await imports.apply(await bring(table(...between), renamed), { asCorrection: true })
  expect(moved.result).toEqual({ outcome: 'corrected', added: 1, changed: 2, kept: 1, mappings: 0 })
  expect((await placed()).filter(([key]) => key !== 'A.1.2')).toEqual([
    ['B', null, 0],
    ['A', null, 0],
    ['N', 'A', 1],
    ['A.1', 'N', 2],
    ['A.1.1', 'A.1', 3],
  ])
  expect((await placed()).find(([key]) => key === 'A.1.2')).toEqual(['A.1.2', 'A.1', 3])

  // What was answered here, and makes no sense with the file, is told by the plan.
  await call('activateFramework', { id: frameworkId!, implementationGroup: 'low' })
  const below = (await keptOf(frameworkId)).find(({ key }) => key === 'A.1.1')!
  await call('updateRequirement', { id: below.id, result: 'compliant', resultReason: 'Seen.' })
  const less = await bring(table('A,A,,', 'A.1.1,Below,A,', 'A.1.1.1,More,A.1.1,'), renamed)
  expect(less.plan).toMatchObject({
    outcome: 'refused',
    faults: [
      { message: expect.stringContaining('The level low') },
      { message: expect.stringContaining('A.1.1 is a heading') },
    ],
  })
})

test('a file with faults is told them, and writes nothing', async () => {
  const file = smallOscal()
  file.catalog.metadata.title = 'Another house'
  delete file.catalog.groups[0].controls[1].id
  const before = await traces()
  const sent = await imports.send('house.json', bytesOf(file))
  expect(sent.plan).toMatchObject({
    outcome: 'refused',
    faults: [{ place: 'catalog.groups[0].controls[1].id', message: expect.stringContaining('is missing') }],
  })
  expect(await refusal(imports.ask('applyFrameworkImport', { id: sent.id }))).toMatchObject({
    code: 'conflict',
  })
  expect(await traces()).toEqual(before)
})

test('a table is told of what it does not say of itself, and comes in as others do', async () => {
  const csv = Buffer.from(
    'Key,Title,Level\nS,Suppliers,\nS.1,Name a contact,basic\nS.1.1,With a telephone,basic',
  )
  const framework = { key: 'urn:acme:suppliers', edition: '1', name: 'For suppliers' }
  expect(await refusal(imports.send('rules.csv', csv))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('a key, an edition and a name'),
  })
  const applied = await imports.bring('rules.csv', csv, { framework, hierarchy: 'dotted' })
  expect(await call('getFramework', { id: applied.frameworkId! })).toMatchObject({
    ...framework,
    ...{ kind: 'catalog', sourceFormat: 'csv', source: 'import', status: 'available' },
    levels: [{ key: 'basic', title: 'basic' }],
  })
  expect((await keptOf(applied.frameworkId)).map(({ key, parentKey }) => [key, parentKey])).toEqual([
    ['S', null],
    ['S.1', 'S'],
    ['S.1.1', 'S.1'],
  ])
})

test('a framework of one’s own stands in nobody’s place, and is not taken over', async () => {
  const own = { key: 'urn:example:risk:framework:house', edition: '3', name: 'Ours' }
  const { id } = await call('createFramework', own)
  const library = Buffer.from(smallLibrary().join('\n'))
  const sent = await imports.send('house.yaml', library)
  expect(sent.plan).toMatchObject({
    outcome: 'refused',
    faults: [{ message: expect.stringMatching(/^A framework of your own is called urn:example/) }],
  })
  expect(await call('getFramework', { id })).toMatchObject({ version: 1, name: 'Ours' })
  const applied = await imports.bring('house.yaml', library, { framework: { edition: '3b' } })
  expect(applied.result).toMatchObject({ outcome: 'created', added: 8 })
})

test('what two bring at one time is here once', async () => {
  const file = smallOscal()
  file.catalog.metadata.title = 'Brought by two'
  const sent = await Promise.all([1, 2].map(() => imports.send('house.json', bytesOf(file))))
  const both = await Promise.all(sent.map((each) => imports.apply(each)))
  expect(both.map(({ result }) => result.outcome).toSorted()).toEqual(['created', 'unchanged'])
  expect(await keptOf(both[0]!.frameworkId)).toHaveLength(18)
})

test('one that was carried out is over; one of another organization is nobody’s', async () => {
  const applied = await imports.fromLibrary('nis_2')
  expect(await refusal(imports.ask('applyFrameworkImport', { id: applied.id }))).toMatchObject({
    code: 'conflict',
  })
  const other = await one.organization()
  const theirs = frameworkImportsOf(one, other.admin)
  for (const name of ['getFrameworkImport', 'applyFrameworkImport'])
    expect(await refusal(theirs.ask(name, { id: applied.id }))).toMatchObject({ code: 'not_found' })
})
