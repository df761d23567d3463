import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* What is written under a name that the organization has defined fits its definition, by whatever way it comes. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'read:assets', 'write:assets'])).secret
  const choices = ['north', 'south', 'west'].map((key) => ({ key, label: key.toUpperCase() }))
  for (const type of ['text', 'number', 'date', 'boolean', 'url']) await define(type, { type })
  for (const type of ['choice', 'choices']) await define(type, { type, choices })
})
afterAll(() => one.close())

const define = async (name: string, more: object = {}, organization = acme) =>
  (
    await one.call(organization.admin, 'createCustomField', {
      name,
      label: name,
      type: 'text',
      kinds: ['risk'],
      ...more,
    })
  ).body as { id: string }
const send = (method: string, path: string, body?: object) => door.send(key, method, `/v1${path}`, { body })
const add = (customFields: object, more: object = {}) =>
  send('POST', '/risks', { title: 'A risk', customFields, ...more })
const problem = (name: string, message: unknown = expect.any(String)) => ({
  code: 'validation_failed',
  errors: [{ path: `customFields.${name}`, message }],
})

const GOOD: [string, unknown, unknown?][] = [
  ['text', 'Vienna'],
  ['text', '  Vienna\u0308 ', 'Vienna\u0308'.normalize('NFC')],
  ['number', -12.5],
  ['number', 0],
  ['date', '2028-02-29'],
  ['boolean', false],
  ['url', 'https://example.com/a?b=c'],
  ['choice', 'south'],
  ['choices', ['west', 'north', 'west'], ['west', 'north']],
  ['choices', []],
]
const BAD: [string, unknown, RegExp][] = [
  ['text', 5, /give text/],
  ['text', ' \u200b', /blank/],
  ['text', 'x'.repeat(2_001), /at most 2000 characters/],
  ['number', '5', /not a number/],
  ['number', [5], /give a number/],
  ['date', '2027-02-29', /2026-05-17/],
  ['date', '2027-01-01T00:00:00Z', /2026-05-17/],
  ['date', '0999-01-01', /1900/],
  ['boolean', 'true', /not true or false/],
  ['url', 'javascript:alert(1)', /https:\/\/example.com/],
  ['url', 'example.com', /https:\/\/example.com/],
  ['choice', 'South', /did you mean south/],
  ['choice', ['south'], /a list was given/],
  ['choices', 'south', /give a list/],
]

test.each(GOOD)('of a %s, %j is taken', async (name, value, kept = value) => {
  const made = await add({ [name]: value, free: { of: [name] } })
  expect([made.status, made.body.customFields]).toEqual([201, { [name]: kept, free: { of: [name] } }])
  const path = `/risks/${made.body.id}`
  const echoed = await send('PATCH', path, made.body)
  expect([echoed.status, echoed.body.version]).toEqual([200, 1])
})

test('a name that is one of theirs but for its capitals is refused, where it is new', async () => {
  const before = await add({ Region: 'North' })
  await define('region')
  const { id } = before.body
  expect((await add({ Region: 'North' })).body).toMatchObject(
    problem('Region', 'no such custom field; did you mean region?'),
  )
  expect((await send('PATCH', `/risks/${id}`, { customFields: { REGION: 'x' } })).status).toBe(422)
  // What stands under such a name already can be changed and removed.
  for (const Region of ['South', null])
    expect((await send('PATCH', `/risks/${id}`, { customFields: { Region } })).status).toBe(200)
  expect((await add({ regions: 'North' })).status).toBe(201)
  expect((await add({ choice: 'SOUTH' })).body).toMatchObject(
    problem('choice', expect.stringContaining('did you mean south?')),
  )
})

test.each(BAD)('of a %s, %j is refused by every way in', async (name, value, message) => {
  const wrong = { [name]: value }
  const expected = problem(name, expect.stringMatching(message))
  expect((await add(wrong)).body).toMatchObject(expected)
  const { id } = (await add({})).body
  expect((await send('PATCH', `/risks/${id}`, { customFields: wrong })).body).toMatchObject(expected)
  const records = [
    { title: 'Good', customFields: { text: 'x' } },
    { title: 'Bad', customFields: wrong },
  ]
  const { data } = (await send('POST', '/risks/batch', { records })).body
  expect(data).toMatchObject([
    { index: 0, record: {} },
    { index: 1, problem: expected },
  ])
  const upsert = { mode: 'upsert', records: [{ title: 'Bad', externalId: 'new', customFields: wrong }] }
  expect((await send('POST', '/risks/batch', upsert)).body.data).toMatchObject([{ problem: expected }])
  const tool = await callTool(door, key, 'createRisk', { title: 'A risk', customFields: wrong })
  expect(tool.problem).toMatchObject(expected)
  const shell = one.call({ ...acme.admin, channel: 'cli' }, 'createRisk', {
    title: 'A risk',
    customFields: wrong,
  })
  await expect(shell).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: expected.errors },
  })
})

test('an item of a list is named by its place, and several at fault are told together', async () => {
  const { body } = await add({ choices: ['north', 'east'], number: 'x', text: 'fine' })
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'customFields.number',
    'customFields.choices.1',
  ])
})

test('another kind takes under the same name whatever it is given', async () => {
  const body = { name: 'gw-1', type: 'server', customFields: { number: 'not a number' } }
  expect((await send('POST', '/assets', body)).status).toBe(201)
})

test('what is required is asked of a new record, and of a change that would take it away', async () => {
  const beta = await one.organization()
  const as = async (name: string, input: object) =>
    one.call(beta.admin, name, input).then(
      ({ body }) => body as { id: string; version: number; customFields: unknown },
      (error: Refusal) => error as unknown as { id: string; version: number; code: string; members: object },
    )
  const old = await as('createRisk', { title: 'From before' })
  await define('site', { required: true }, beta)
  await define('tags', { type: 'choices', required: true, choices: [{ key: 'a', label: 'A' }] }, beta)

  const missing = [
    { path: 'customFields.site', message: 'required: give text' },
    { path: 'customFields.tags', message: expect.stringContaining('required') },
  ]
  for (const customFields of [undefined, null, {}, { site: null, free: 1 }])
    expect(
      await as('createRisk', { title: 'New', ...(customFields === undefined ? {} : { customFields }) }),
    ).toMatchObject({ code: 'validation_failed', members: { errors: expect.arrayContaining([missing[0]]) } })
  expect(await as('createRisk', { title: 'New' })).toMatchObject({ members: { errors: missing } })
  const batch = (await one.call(beta.admin, 'createRiskBatch', { records: [{ title: 'New' }] })).body as {
    data: unknown[]
  }
  expect(batch.data).toMatchObject([{ problem: { errors: missing } }])

  const made = await as('createRisk', { title: 'New', customFields: { site: 'Graz', tags: ['a'], free: 1 } })
  for (const customFields of [{ site: null }, { site: ' ' }, null])
    expect(await as('updateRisk', { id: made.id, customFields })).toMatchObject({ code: 'validation_failed' })
  expect(await as('updateRisk', { id: made.id, customFields: { tags: [] } })).toMatchObject({
    members: { errors: [{ path: 'customFields.tags' }] },
  })
  expect(await as('updateRisk', { id: made.id, customFields: { free: null } })).toMatchObject({
    customFields: { site: 'Graz', tags: ['a'] },
  })
  // Nobody is made to complete what they did not touch.
  expect(await as('updateRisk', { id: old.id, title: 'Renamed', customFields: { free: 1 } })).toMatchObject({
    version: 2,
  })
  // Nor what the service adds by itself.
  expect(await as('addStarterSet', { risks: undefined, controls: [] })).toMatchObject({
    risks: expect.any(Number),
  })
})

test('a value from before it was defined stays until it is moved', async () => {
  const { id } = (await add({ later: 'from before', other: 1 })).body
  await define('later', { type: 'number' })
  const path = `/risks/${id}`
  const { status } = await send('PATCH', path, {
    title: 'New',
    customFields: { later: 'from before', other: 2 },
  })
  expect(status).toBe(200)
  expect((await send('PATCH', path, { customFields: { later: 'still' } })).body).toMatchObject(
    problem('later'),
  )
  expect((await send('PATCH', path, { customFields: { later: 7 } })).body.customFields).toEqual({
    later: 7,
    other: 2,
  })
})

test('while a definition changes, each record is judged by it as it was or as it is, and no write fails', async () => {
  const beta = await one.organization()
  const field = await define('level', { type: 'choice', choices: [{ key: 'a', label: 'A' }] }, beta)
  let isChanged = false
  const outcomes: string[] = []
  const write = async () => {
    for (let turn = 0; turn < 25; turn += 1) {
      const after = isChanged
      const outcome = await one
        .call(beta.admin, 'createRisk', { title: 'A risk', customFields: { level: 'b' } })
        .then(
          () => 'taken',
          (error: Refusal) => error.code,
        )
      outcomes.push(outcome)
      if (after) expect(outcome).toBe('taken')
    }
  }
  const admin = async () => {
    const choices = ['a', 'b'].map((key) => ({ key, label: key }))
    await one.call(beta.admin, 'updateCustomField', { id: field.id, choices })
    isChanged = true
  }
  await Promise.all([write(), write(), write(), admin()])
  expect(new Set(outcomes).difference(new Set(['taken', 'validation_failed']))).toEqual(new Set())
  expect(outcomes).toContain('taken')
})
