import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* What an organization defines of custom fields: who does, who reads it, and what becomes of one that is in use. */

let one: TestService
let door: Door
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
})
afterAll(() => one.close())

interface Field {
  id: string
  name: string
  version: number
  choices: { key: string; label: string; retired?: boolean }[]
  [field: string]: unknown
}

const does = async (as: Caller, name: string, input: object = {}) => (await one.call(as, name, input)).body
const define = (more: object = {}) =>
  does(acme.admin, 'createCustomField', {
    name: 'costCentre',
    label: 'Cost centre',
    type: 'text',
    kinds: ['risk'],
    ...more,
  }) as Promise<Field>
const change = (id: string, input: object) =>
  does(acme.admin, 'updateCustomField', { id, ...input }) as Promise<Field>
const addRisk = (customFields: object) =>
  does(acme.admin, 'createRisk', { title: 'A risk', customFields }) as Promise<{ id: string }>
const refusal = async (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const paths = async (promise: Promise<unknown>) =>
  ((await refusal(promise))?.members.errors as { path: string }[] | undefined)?.map(({ path }) => path)
const named = (rows: unknown) => (rows as { data: Field[] }).data.map(({ name }) => name)

const REGIONS = [
  { key: 'north', label: 'North' },
  { key: 'south', label: 'South' },
]

test('a definition is read as it was given, changed but for name and type, and each step is told', async () => {
  const made = await define({ description: 'Who pays' })
  expect(made).toMatchObject({ name: 'costCentre', choices: [], required: false, retired: false, version: 1 })
  expect(made.id).toMatch(/^cfd_/)
  const read = await does(acme.admin, 'getCustomField', { id: made.id })
  expect(read).toEqual(made)

  expect(await change(made.id, { ...(read as object), label: 'Who pays' })).toMatchObject({
    label: 'Who pays',
    version: 2,
  })
  expect((await change(made.id, { label: 'Who pays' })).version).toBe(2)
  expect(await change(made.id, { description: null })).toMatchObject({ description: null, version: 3 })
  expect(await paths(change(made.id, { type: 'number' }))).toEqual(['type'])
  expect(await paths(change(made.id, { name: 'payer' }))).toEqual(['name'])
  expect(await refusal(change(made.id, { label: 'Late', ifMatch: 1 }))).toMatchObject({
    code: 'version_mismatch',
  })

  await does(acme.admin, 'deleteCustomField', { id: made.id })
  expect(await refusal(change(made.id, { label: 'Gone' }))).toMatchObject({ code: 'not_found' })
  const { rows } = await one.administrator.query(
    `select action, subject::json->>'title' as title, changes::json as changes from audit_entries
      where subject_id = $1 order by time, id`,
    [made.id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'custom_field.create',
    'custom_field.update',
    'custom_field.update',
    'custom_field.delete',
  ])
  expect(rows[1]).toMatchObject({ changes: { label: { from: 'Cost centre', to: 'Who pays' } } })
})

test.each([
  ['a name that is no name of a field', { name: 'cost-centre' }, ['name']],
  ['a name with a dot, which is a filter’s', { name: 'cost.min' }, ['name']],
  ['a name that every object has', { name: 'constructor' }, ['name']],
  ['a type nobody knows', { type: 'colour' }, ['type']],
  ['a kind nobody knows', { kinds: ['risks'] }, ['kinds.0']],
  ['no kind', { kinds: [] }, ['kinds']],
  ['a label of nothing', { label: '  ' }, ['label']],
  ['a choice without choices', { type: 'choice' }, ['choices']],
  ['choices of a text', { choices: REGIONS }, ['choices']],
  ['a choice twice', { type: 'choice', choices: [REGIONS[0], REGIONS[0]] }, ['choices']],
  [
    'two that are called alike',
    { type: 'choice', choices: [REGIONS[0], { key: 'n', label: 'NORTH' }] },
    ['choices'],
  ],
  [
    'a choice for what is not set',
    { type: 'choice', choices: [{ key: 'none', label: 'None' }] },
    ['choices.0.key'],
  ],
  ['none that can be chosen', { type: 'choices', choices: [{ ...REGIONS[0], retired: true }] }, ['choices']],
])('%s is refused, and nothing is written', async (_, more, expected) => {
  expect(await paths(define({ name: 'refused', ...more }))).toEqual(expected)
  expect(named(await does(acme.admin, 'listCustomFields'))).not.toContain('refused')
})

test('a name is there once, whatever its capitals, and also where two define it at once', async () => {
  const made = await Promise.allSettled([define({ name: 'twice' }), define({ name: 'Twice' })])
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await refusal(define({ name: 'TWICE' }))).toMatchObject({
    code: 'conflict',
    members: { field: 'name' },
  })
})

test('only admins define; whoever may read one of its kinds reads it, and nobody else', async () => {
  const { id } = await define({ name: 'ofAssets', kinds: ['asset'] })
  for (const role of ['viewer', 'editor'] as const) {
    const person = await acme.person(role)
    expect(named(await does(person, 'listCustomFields'))).toContain('ofAssets')
    for (const [name, input] of [
      ['createCustomField', { name: 'theirs', label: 'Theirs', type: 'text', kinds: ['risk'] }],
      ['updateCustomField', { id, label: 'Theirs' }],
      ['deleteCustomField', { id }],
    ] as const)
      expect(await refusal(does(person, name, input))).toMatchObject({ code: 'capability_required' })
  }
  const [assets, risks, webhooks] = await Promise.all(
    (['read:assets', 'read:risks', 'read:webhooks'] as const).map((one) => acme.key([one])),
  )
  const list = async (secret: string, query = '') =>
    (await door.send(secret, 'GET', `/v1/custom-fields${query}`)).body
  expect(named(await list(assets!.secret))).toContain('ofAssets')
  expect(named(await list(assets!.secret, '?kind=asset&retired=false'))).toContain('ofAssets')
  expect(named(await list(assets!.secret, '?kind=risk'))).toEqual([])
  expect(named(await list(risks!.secret))).not.toContain('ofAssets')
  expect((await door.send(risks!.secret, 'GET', `/v1/custom-fields/${id}`)).status).toBe(404)
  expect((await list(webhooks!.secret)).code).toBe('insufficient_scope')
  const body = { name: 'byKey', label: 'By key', type: 'text', kinds: ['risk'] }
  expect((await door.send(assets!.secret, 'POST', '/v1/custom-fields', { body })).body.code).toBe(
    'session_required',
  )
})

test('another organization has names of its own, and sees none of these', async () => {
  const { id } = await define({ name: 'secretProject', type: 'number' })
  const beta = await one.organization()
  expect(named(await does(beta.admin, 'listCustomFields'))).toEqual([])
  for (const [name, input] of [
    ['getCustomField', { id }],
    ['updateCustomField', { id, label: 'Theirs' }],
    ['deleteCustomField', { id }],
  ] as const)
    expect(await refusal(does(beta.admin, name, input))).toMatchObject({ code: 'not_found' })
  // Where it is defined it takes numbers; there it takes whatever is given, and is no filter.
  await does(beta.admin, 'createRisk', { title: 'A risk', customFields: { secretProject: 'x' } })
  const filtered = does(beta.admin, 'listRisks', { customFields: { secretProject: 'x' } })
  expect((await refusal(filtered))?.message).toContain('known are none')
  const mine = await does(beta.admin, 'createCustomField', {
    name: 'secretProject',
    label: 'Ours',
    type: 'text',
    kinds: ['risk'],
  })
  expect(mine).toMatchObject({ type: 'text' })
})

test('one that records have a value of is retired and not deleted: values stay, and are no longer judged', async () => {
  const { id } = await define({ name: 'budget', type: 'number', required: true })
  const risk = await addRisk({ budget: 5 })
  expect(await refusal(does(acme.admin, 'deleteCustomField', { id }))).toMatchObject({
    code: 'referenced',
    message: expect.stringContaining('risks'),
  })
  await change(id, { retired: true })
  expect(await does(acme.admin, 'getRisk', { id: risk.id })).toMatchObject({ customFields: { budget: 5 } })
  await does(acme.admin, 'createRisk', { title: 'Without' })
  await does(acme.admin, 'updateRisk', { id: risk.id, customFields: { budget: 'none left' } })
  const found = await does(acme.admin, 'listRisks', { customFields: { 'budget.min': 1 } })
  expect(found).toMatchObject({ data: [] })

  await change(id, { retired: false })
  expect(await paths(addRisk({ budget: 'much' }))).toEqual(['customFields.budget'])
  // What came in meanwhile stays until somebody moves it.
  await does(acme.admin, 'updateRisk', { id: risk.id, title: 'Renamed', customFields: { other: 1 } })
  await does(acme.admin, 'updateRisk', { id: risk.id, customFields: { budget: 6 } })
  await change(id, { retired: true })
  await does(acme.admin, 'updateRisk', { id: risk.id, customFields: { budget: null } })
  await does(acme.admin, 'deleteCustomField', { id })
})

test('a choice that records have is retired and not left out: who has it keeps it, and nobody else gets it', async () => {
  for (const type of ['choice', 'choices']) {
    const name = `region_${type}`
    const { id } = await define({ name, type, choices: REGIONS })
    const value = (...keys: string[]) => ({ [name]: type === 'choice' ? keys[0] : keys })
    const risk = await addRisk(value('north'))
    const [north, south] = REGIONS as [object, object]
    expect(await refusal(change(id, { choices: [south] }))).toMatchObject({ code: 'referenced' })
    await change(id, { choices: [{ ...north, retired: true }, south] })
    expect(await paths(addRisk(value('north')))).toEqual([
      type === 'choice' ? `customFields.${name}` : `customFields.${name}.0`,
    ])
    await does(acme.admin, 'updateRisk', { id: risk.id, customFields: value('north') })
    if (type === 'choices')
      await does(acme.admin, 'updateRisk', { id: risk.id, customFields: value('north', 'south') })
    await does(acme.admin, 'updateRisk', { id: risk.id, customFields: value('south') })
    expect((await change(id, { choices: [south] })).choices).toEqual([south])
  }
})

test('there are 200 of them at most', async () => {
  const beta = await one.organization()
  await one.administrator.query(
    `insert into custom_fields select $1, 'cfd_' || n, 'n' || n, 'N', null, 'text', '[]', '{risk}', false, false,
       1, clock_now(), '{}', clock_now(), '{}' from generate_series(1, 200) n`,
    [beta.id],
  )
  const more = does(beta.admin, 'createCustomField', {
    name: 'more',
    label: 'More',
    type: 'text',
    kinds: ['risk'],
  })
  expect(await refusal(more)).toMatchObject({ code: 'conflict', message: expect.stringContaining('200') })
})
