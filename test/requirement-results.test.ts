import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

// What the result of a requirement follows from: as it is explained, and as lists have it a moment later.

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

let one: TestService
let acme: TestOrganization
const controls: Record<string, string> = {}
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  for (const [grade, [first, ...further]] of Object.entries(STATUSES)) {
    const code = `C-${grade}`
    const { id } = await call('createControl', { code, title: 'Is done', ...first })
    for (const given of further) await call('updateControl', { id, ...given })
    controls[grade] = id
  }
  await prove(controls.proven!)
})
afterAll(() => one.close())

const IMPLEMENTED = [{ implementationStatus: 'in_progress' }, { implementationStatus: 'implemented' }]
const STATUSES: Record<string, readonly object[]> = {
  missing: [{}],
  begun: [{ implementationStatus: 'in_progress' }],
  unproven: IMPLEMENTED,
  proven: IMPLEMENTED,
  not_applicable: [{}, { implementationStatus: 'not_applicable', notApplicableReason: 'We have none.' }],
  deprecated: [{}, { implementationStatus: 'deprecated' }],
}

const call = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as Row

async function prove(controlId: string, more: object = {}): Promise<string> {
  const { id } = await call('createEvidence', { title: 'A report', text: 'All is well.', ...more })
  await call('linkEvidence', { id, targetKind: 'control', targetId: controlId })
  // As an approval leaves it, which takes two people.
  await one.administrator.query("update evidence set status = 'approved' where id = $1", [id])
  return id
}

let made = 0
async function framework(isActive = true): Promise<string> {
  made += 1
  const { id } = await call('createFramework', { key: `f-${made}`, edition: '1', name: 'Our own' })
  if (isActive) await call('activateFramework', { id })
  return id
}
async function requirement(frameworkId: string, grades: readonly string[] = []): Promise<string> {
  made += 1
  const { id } = await call('createRequirement', { frameworkId, key: `R.${made}`, title: 'Is asked' })
  for (const grade of grades) await link(id, controls[grade] ?? grade)
  return id
}
const link = (id: string, targetId: string) =>
  call('linkRequirement', { id, targetKind: 'control', targetId })
const map = (id: string, targetId: string, relationship: string) =>
  call('linkRequirement', { id, targetKind: 'mapping_target', targetId, relationship })

/** The result as lists have it, which is what its explanation says. */
async function resultOf(id: string): Promise<[result: unknown, unproven: unknown]> {
  await settleResults(one.service)
  const [kept, explained] = [await call('getRequirement', { id }), await call('explainRequirement', { id })]
  expect([explained.result, explained.unproven]).toEqual([kept.result, kept.unproven])
  return [kept.result, kept.unproven]
}

describe('of its own controls', () => {
  test.each([
    [[], 'not_assessed', false],
    [['deprecated'], 'not_assessed', false],
    [['missing'], 'non_compliant', false],
    [['begun'], 'partially_compliant', false],
    [['unproven'], 'partially_compliant', true],
    [['proven'], 'compliant', false],
    [['not_applicable'], 'not_applicable', false],
    [['not_applicable', 'proven'], 'compliant', false],
    [['not_applicable', 'missing'], 'non_compliant', false],
    [['proven', 'unproven'], 'partially_compliant', true],
    [['proven', 'missing'], 'partially_compliant', false],
    [['unproven', 'missing'], 'partially_compliant', false],
    [['proven', 'deprecated'], 'compliant', false],
  ])('%j', async (grades, result, unproven) => {
    expect(await resultOf(await requirement(await framework(), grades))).toEqual([result, unproven])
  })
})

describe('through a mapping', () => {
  test.each([
    ['equal', ['proven'], 'compliant', 'compliant'],
    ['equivalent', ['proven'], 'compliant', 'compliant'],
    ['superset_of', ['proven'], 'compliant', 'partially_compliant'],
    ['subset_of', ['proven'], 'partially_compliant', 'compliant'],
    ['intersects', ['proven'], 'partially_compliant', 'partially_compliant'],
    ['no_relationship', ['proven'], 'not_assessed', 'not_assessed'],
    ['equal', ['missing'], 'non_compliant', 'non_compliant'],
    ['intersects', ['missing'], 'non_compliant', 'non_compliant'],
    ['equal', ['not_applicable'], 'not_applicable', 'not_applicable'],
    ['intersects', ['not_applicable'], 'not_assessed', 'not_assessed'],
  ])('%s of %j', async (relationship, grades, forwards, backwards) => {
    const [here, there] = [await framework(), await framework()]
    const source = await requirement(there, grades)
    const [to, from] = [await requirement(here), await requirement(here)]
    await map(source, to, relationship)
    await map(from, source, relationship)
    expect((await resultOf(to))[0]).toBe(forwards)
    expect((await resultOf(from))[0]).toBe(backwards)
  })

  test('of a framework that is not active, none', async () => {
    const there = await framework(false)
    const [source, to] = [await requirement(there, ['proven']), await requirement(await framework())]
    await map(source, to, 'equal')
    expect((await resultOf(to))[0]).toBe('not_assessed')
    await call('activateFramework', { id: there })
    expect((await resultOf(to))[0]).toBe('compliant')
    await call('updateFramework', { id: there, status: 'retired' })
    expect((await resultOf(to))[0]).toBe('not_assessed')
  })

  test('never over two, and many lose nothing', async () => {
    const [here, there] = [await framework(), await framework()]
    const [first, second, third] = [
      await requirement(there, ['proven']),
      await requirement(here),
      await requirement(here),
    ]
    await map(first, second, 'equal')
    await map(second, third, 'equal')
    expect((await resultOf(third))[0]).toBe('not_assessed')
    const missing = await requirement(there, ['missing'])
    await map(missing, second, 'equal')
    expect((await resultOf(second))[0]).toBe('partially_compliant')
    expect((await call('explainRequirement', { id: second })) as object).toMatchObject({
      weakest: { grade: 'missing', through: { id: missing, relationship: 'equal' } },
      support: [{ grade: 'missing' }, { grade: 'proven' }],
    })
  })

  test('a part never makes less of what is met, and more of what is not', async () => {
    const [here, there] = [await framework(), await framework()]
    const [whole, none] = [await requirement(here, ['proven']), await requirement(here, ['missing'])]
    const [bad, good] = [await requirement(there, ['missing']), await requirement(there, ['proven'])]
    await map(bad, whole, 'intersects')
    await map(good, none, 'intersects')
    expect((await resultOf(whole))[0]).toBe('compliant')
    expect((await resultOf(none))[0]).toBe('partially_compliant')
  })

  test('both ways, it is told once; and what is short where a result was given', async () => {
    const [here, there] = [await framework(), await framework()]
    const [source, to] = [await requirement(there, ['proven']), await requirement(here)]
    await map(source, to, 'equal')
    await map(to, source, 'intersects')
    expect(await call('explainRequirement', { id: to })).toMatchObject({
      support: [{ coversWhole: true }],
    })
    expect((await call('explainRequirement', { id: to })).support).toHaveLength(1)
    await call('updateRequirement', { id: source, result: 'non_compliant', resultReason: 'Seen.' })
    expect(await call('explainRequirement', { id: to })).toMatchObject({
      missing: [expect.stringMatching(/^See to R\.\d+ of Our own 1/)],
    })
    expect(await refusal(map(to, to, 'equal'))).toMatchObject({ code: 'cycle' })
  })

  test('what somebody pinned at the other end stands for the controls there', async () => {
    const [here, there] = [await framework(), await framework()]
    const [source, to] = [await requirement(there, ['missing']), await requirement(here)]
    await map(source, to, 'equal')
    await call('updateRequirement', { id: source, result: 'compliant', resultReason: 'Seen on site.' })
    expect((await resultOf(to))[0]).toBe('compliant')
    await call('updateRequirement', { id: source, applicability: 'not_applicable', justification: 'Sold.' })
    expect((await resultOf(to))[0]).toBe('not_assessed')
  })
})

test('a control that goes down moves every requirement, and each says so', async () => {
  const { id: control } = await call('createControl', { code: 'C-down', title: 'Is done' })
  for (const given of IMPLEMENTED) await call('updateControl', { id: control, ...given })
  const evidence = await prove(control)
  const asked: string[] = []
  for (let n = 0; n < 12; n++) asked.push(await requirement(await framework(), [control]))
  const pinned = await requirement(await framework(), [control])
  await call('updateRequirement', { id: pinned, result: 'compliant', resultReason: 'By law.' })
  const results = async () => {
    const found = []
    for (const id of asked) found.push((await resultOf(id))[0])
    return found
  }
  expect(new Set(await results())).toEqual(new Set(['compliant']))
  await call('updateControl', { id: control, implementationStatus: 'in_progress', statusReason: 'Broken.' })
  expect(new Set(await results())).toEqual(new Set(['partially_compliant']))
  expect((await resultOf(pinned))[0]).toBe('compliant')
  const history = await call('getRequirementHistory', { id: asked[0], limit: 1 })
  expect(history).toMatchObject({
    data: [
      {
        actor: { type: 'service', displayName: 'Coverage' },
        changes: { result: { from: 'compliant', to: 'partially_compliant' } },
        reason: 'What stands for it has changed',
      },
    ],
  })
  await call('updateControl', { id: control, implementationStatus: 'implemented' })
  expect(new Set(await results())).toEqual(new Set(['compliant']))
  await call('updateEvidence', { id: evidence, expiryDate: '2020-01-01' }).catch(() => null)
  await call('unlinkEvidence', { id: evidence, targetKind: 'control', targetId: control })
  expect(new Set(await results())).toEqual(new Set(['partially_compliant']))
  await call('deleteControl', { id: control })
  expect(new Set(await results())).toEqual(new Set(['not_assessed']))
  await settleResults(one.service)
  const left = await one.administrator.query('select count(*)::int as count from coverage_changes')
  expect(left.rows).toEqual([{ count: 0 }])
})

test('more move than are written at once, and all of them come to be right', async () => {
  const frameworkId = await framework()
  for (const n of [0, 1, 2])
    await call('createRequirementBatch', {
      records: Array.from({ length: 100 }, (_, k) => ({
        frameworkId,
        key: `M.${n}.${k}`,
        title: 'Is asked',
      })),
    })
  const { id: control } = await call('createControl', { code: 'C-many', title: 'Is done' })
  await one.administrator.query(
    `insert into control_requirements (organization_id, requirement_id, control_id, linked_at, linked_by)
     select organization_id, id, $2, now(), '{}' from requirements where framework_id = $1`,
    [frameworkId, control],
  )
  await settleResults(one.service)
  expect(await call('getFramework', { id: frameworkId })).toMatchObject({ progress: { notMet: 300 } })
})

test('who may not read evidence is told none of it', async () => {
  const asked = await requirement(await framework(), ['proven'])
  const all = await call('explainRequirement', { id: asked })
  expect(all).toMatchObject({
    support: [{ evidence: [{ title: 'A report', status: 'approved', ageDays: 0 }] }],
  })
  const reader = { ...acme.admin, granted: new Set(['read:frameworks'] as const) }
  const { body } = await one.call(reader, 'explainRequirement', { id: asked })
  expect(body).toMatchObject({ support: [{ grade: 'proven', evidence: null }] })
})
