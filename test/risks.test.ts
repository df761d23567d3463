import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../server/refusal.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const create = async (input: object) =>
  (await one.call(acme.admin, 'createRisk', { title: 'A risk', ...input })).body as Record
const update = async (id: string, input: object) =>
  (await one.call(acme.admin, 'updateRisk', { id, ...input })).body as Record
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )

test('a title is enough', async () => {
  const risk = await create({})
  expect(risk).toMatchObject({
    status: 'identified',
    category: 'other',
    treatmentStrategy: 'undecided',
    version: 1,
  })
  expect(risk).toMatchObject({
    likelihood: null,
    impact: null,
    riskScore: null,
    riskLevel: null,
    owner: null,
    ownerId: null,
  })
})

test.each([
  ['rare', 'minor', 2, 'low'],
  ['unlikely', 'minor', 4, 'low'],
  ['rare', 'severe', 5, 'medium'],
  ['possible', 'moderate', 9, 'medium'],
  ['unlikely', 'severe', 10, 'high'],
  ['possible', 'major', 12, 'high'],
  ['likely', 'major', 16, 'high'],
  ['likely', 'severe', 20, 'critical'],
  ['almost_certain', 'severe', 25, 'critical'],
])('%s and %s score %i, which is %s', async (likelihood, impact, riskScore, riskLevel) => {
  expect(await create({ likelihood, impact })).toMatchObject({ riskScore, riskLevel })
})

test('the level follows a change of the rating, and goes when the rating goes', async () => {
  const risk = await create({ likelihood: 'possible', impact: 'major' })
  expect(await update(risk.id, { impact: 'minor' })).toMatchObject({ riskLevel: 'medium', version: 2 })
  expect(await update(risk.id, { impact: null })).toMatchObject({
    riskLevel: null,
    riskScore: null,
    version: 3,
  })
})

test('what a year most likely costs follows from how often and how much', async () => {
  const quantification = { currency: 'EUR', annualFrequencyLikely: 0.3, lossLikely: 99.99, lossMax: 5_000 }
  const risk = await create({ quantification })
  expect(risk).toMatchObject({ annualLossExpectancy: { currency: 'EUR', amount: 30 } })
  const without = { currency: 'EUR', lossLikely: 99.99 }
  expect(await update(risk.id, { quantification: without })).toMatchObject({ annualLossExpectancy: null })
})

test('nothing is so frequent or so dear that a year has no cost', async () => {
  const most = { currency: 'EUR', annualFrequencyLikely: 100_000_000, lossLikely: 1_000_000_000_000_000 }
  const risk = await create({ quantification: most })
  expect(risk).toMatchObject({ annualLossExpectancy: { amount: 1e23 } })
  expect(await update(risk.id, { title: risk.title, quantification: most })).toMatchObject({ version: 1 })
  for (const [field, value] of [
    ['annualFrequencyLikely', 1e308],
    ['lossLikely', 1e16],
  ] as const)
    expect(await refusal(create({ quantification: { ...most, [field]: value } }))).toMatchObject({
      members: {
        errors: [{ path: `quantification.${field}`, message: expect.stringContaining('too large') }],
      },
    })
})

test('a risk goes its way through the states, and no other', async () => {
  const risk = await create({})
  const jump = await refused(update(risk.id, { status: 'monitored' }))
  expect(jump).toMatchObject({ code: 'invalid_transition', members: { allowed: ['assessed', 'closed'] } })
  expect(await refused(update(risk.id, { status: 'assessed' }))).toMatchObject({ code: 'validation_failed' })
  await update(risk.id, { status: 'assessed', likelihood: 'likely', impact: 'major' })
  expect(await refused(update(risk.id, { status: 'in_treatment' }))).toMatchObject({
    code: 'validation_failed',
  })
  await update(risk.id, { status: 'in_treatment', treatmentStrategy: 'mitigate' })
  await update(risk.id, { status: 'monitored' })
  expect(await refused(update(risk.id, { status: 'closed' }))).toMatchObject({ code: 'validation_failed' })
  await update(risk.id, { status: 'closed', statusReason: 'The system is gone.' })
  const reopened = { status: 'identified', statusReason: null }
  const sentBack = (await one.call(acme.admin, 'getRisk', { id: risk.id })).body as Record
  expect(await update(risk.id, { ...sentBack, status: 'identified' })).toMatchObject(reopened)
  await update(risk.id, { status: 'closed', statusReason: 'Gone again.' })
  const why = { status: 'identified', statusReason: 'It is back.' }
  expect(await update(risk.id, why)).toMatchObject(why)
  const { data } = (await one.call(acme.admin, 'getRiskHistory', { id: risk.id })).body as {
    data: { changes: unknown }[]
  }
  expect(data[2]).toMatchObject({ changes: { statusReason: { from: 'The system is gone.', to: null } } })
})

test('a risk steps back, and is closed with a reason from every open state', async () => {
  const rating = { likelihood: 'likely', impact: 'major' }
  const risk = await create({ status: 'monitored', treatmentStrategy: 'avoid', ...rating })
  for (const status of ['in_treatment', 'assessed']) await update(risk.id, { status })
  const treated = { treatmentStrategy: 'avoid', ...rating }
  for (const status of ['identified', 'assessed', 'in_treatment', 'monitored']) {
    const open = await create({ status, ...treated, statusReason: 'Said at another time.' })
    expect(await refused(update(open.id, { status: 'closed' })), status).toMatchObject({
      members: { errors: [{ path: 'statusReason' }] },
    })
    await update(open.id, { status: 'closed', statusReason: 'The system is gone.' })
  }
})

const RATED = { likelihood: 'likely', impact: 'major' }

test.each([
  ['assessed', 'impact', { likelihood: 'likely', impact: 'major' }, [null]],
  ['in_treatment', 'impact', { ...RATED, treatmentStrategy: 'transfer' }, [null]],
  ['in_treatment', 'treatmentStrategy', { ...RATED, treatmentStrategy: 'transfer' }, ['undecided', 'accept']],
  ['monitored', 'likelihood', { ...RATED, treatmentStrategy: 'avoid' }, [null]],
  ['monitored', 'treatmentStrategy', { ...RATED, treatmentStrategy: 'avoid' }, ['undecided', 'accept']],
  ['closed', 'statusReason', { statusReason: 'Gone.' }, [null]],
])('what %s asks is asked on creation, and cannot be taken away', async (status, path, asked, gone) => {
  const refusal = { code: 'validation_failed', members: { errors: [{ path }] } }
  const { [path]: _, ...less } = asked as { [field: string]: string }
  expect(await refused(create({ status, ...less }))).toMatchObject(refusal)
  const risk = await create({ status, ...asked })
  for (const value of gone) expect(await refused(update(risk.id, { [path]: value }))).toMatchObject(refusal)
  expect(await update(risk.id, { title: 'Another' })).toMatchObject({ version: 2, status })
})

test('what lacked something before it was asked can be changed elsewhere', async () => {
  const risk = await create({})
  await one.administrator.query("update risks set status = 'closed' where id = $1", [risk.id])
  expect(await update(risk.id, { title: 'Another' })).toMatchObject({ status: 'closed' })
})

test('whoever changed a state last can take that back, for an hour, where nothing else leads there', async () => {
  const rated = { status: 'assessed', likelihood: 'rare', impact: 'minor' }
  const back = { status: 'identified', likelihood: null, impact: null }
  const { id } = await create({})
  const { version } = await update(id, rated)
  expect(await refused(update(id, back))).toMatchObject({ code: 'invalid_transition' })
  const other = await acme.person('admin')
  const by = (who: typeof other) => one.call(who, 'updateRisk', { id, ifMatch: version, ...back })
  expect(await refused(by(other))).toMatchObject({ code: 'invalid_transition' })
  const key = { type: 'api_key', id: 'key_1', name: 'Key', prefix: 'comply_', expiresAt: null } as const
  expect(await refused(by({ ...acme.admin, credential: key }))).toMatchObject({ code: 'invalid_transition' })
  expect(await update(id, { ifMatch: version, ...back })).toMatchObject(back)

  const again = await update(id, rated)
  await update(id, { title: 'Changed meanwhile' })
  const late = { ifMatch: again.version + 1, ...back }
  expect(await refused(update(id, late))).toMatchObject({ code: 'invalid_transition' })
  const third = await update((await create({})).id, { ...rated })
  await one.moveClock(3_600_001)
  expect(await refused(update(third.id, { ifMatch: third.version, ...back }))).toMatchObject({
    code: 'invalid_transition',
  })
})

test('acceptance is not an edit', async () => {
  expect(await refused(create({ status: 'accepted' }))).toMatchObject({ code: 'validation_failed' })
  const risk = await create({ status: 'assessed', likelihood: 'rare', impact: 'minor' })
  expect(await refused(update(risk.id, { status: 'accepted' }))).toMatchObject({ code: 'invalid_transition' })
})

test('references ascend and are unique, also when many are added at once', async () => {
  const added = await Promise.all(Array.from({ length: 40 }, () => create({})))
  const numbers = added.map((risk) => Number(String(risk.reference).replace('RSK-', '')))
  expect(new Set(numbers).size).toBe(40)
  const next = Number(String((await create({})).reference).replace('RSK-', ''))
  expect(next).toBeGreaterThan(Math.max(...numbers))
})

test('an external id is unique, and free again when cleared', async () => {
  const risk = await create({ externalId: 'JIRA-1' })
  const { id, reference } = risk
  const conflict = await refused(create({ externalId: 'JIRA-1' }))
  expect(conflict).toMatchObject({
    code: 'conflict',
    status: 409,
    message: `${reference} has this externalId already: use another, or change that one.`,
    members: { errors: [{ path: 'externalId' }] },
  })
  expect(conflict!.members.holder).toEqual({ id, reference })
  expect(conflict!.members.errors).toHaveLength(1)
  const other = await create({})
  expect(await refused(update(other.id, { externalId: 'JIRA-1' }))).toMatchObject({
    members: { holder: { id, reference } },
  })
  // Who may only write is not told what there is.
  const { secret } = await acme.key(['write:risks'])
  const door = await one.listen()
  const told = await door.send(secret, 'POST', '/v1/risks', { body: { title: 'x', externalId: 'JIRA-1' } })
  expect(told.body).toMatchObject({ code: 'conflict', errors: [{ path: 'externalId' }] })
  expect(told.body.holder).toBeUndefined()
  await update(risk.id, { externalId: null })
  await create({ externalId: 'JIRA-1' })
})

test('an owner is resolved, kept when they leave, and can be nobody who left', async () => {
  const person = async (more: object) =>
    (
      await one.call(acme.admin, 'createPersonnel', {
        fullName: 'Cy',
        workEmail: `${Math.random()}@example.com`,
        ...more,
      })
    ).body as Record
  const [cy, former] = [await person({}), await person({ status: 'former' })]
  const owner = { type: 'personnel', refId: cy.id }
  const risk = await create({ owner })
  expect(risk).toMatchObject({ ownerId: cy.id, owner: { ...owner, displayName: 'Cy', active: true } })
  for (const status of ['offboarding', 'former'])
    await one.call(acme.admin, 'updatePersonnel', { id: cy.id, status })
  const read = (await one.call(acme.admin, 'getRisk', { id: risk.id })).body
  expect(read).toMatchObject({ owner: { ...owner, active: false } })
  expect(await update(risk.id, { title: 'Still theirs' })).toMatchObject({ owner: { active: false } })
  const inactive = await refused(create({ owner: { type: 'personnel', refId: former.id } }))
  expect(inactive).toMatchObject({
    code: 'principal_inactive',
    members: { errors: [{ path: 'owner.refId' }] },
  })
  const unknown = await refused(create({ owner: { type: 'user', refId: cy.id } }))
  expect(unknown).toMatchObject({ code: 'principal_not_found' })
})

test('what was read can be sent back whole, and changes nothing', async () => {
  const risk = await create({
    dueDate: '2027-01-01T12:00:00+02:00',
    labels: ['a'],
    customFields: { b: { c: [1, null] } },
    owner: { type: 'user', refId: acme.admin.userId },
    quantification: { currency: 'EUR', lossMax: 12.5 },
  })
  expect(risk.dueDate).toBe('2027-01-01T10:00:00.000Z')
  const read = (await one.call(acme.admin, 'getRisk', { id: risk.id })).body as Record
  expect(read).toEqual(risk)
  expect(await update(risk.id, read)).toEqual(risk)
  const forged = await refused(update(risk.id, { ...read, riskLevel: 'low' }))
  expect(forged).toMatchObject({ code: 'validation_failed', members: { errors: [{ path: 'riskLevel' }] } })
})

test('a change on another version is refused', async () => {
  const risk = await create({})
  await update(risk.id, { title: 'Second', ifMatch: 1 })
  expect(await refused(update(risk.id, { title: 'Third', ifMatch: 1 }))).toMatchObject({
    status: 412,
    members: { version: 2 },
  })
})

test('history tells who did what, newest first, also after the end', async () => {
  const risk = await create({})
  await update(risk.id, { title: 'Second' })
  await one.call(acme.admin, 'deleteRisk', { id: risk.id })
  const { data } = (await one.call(acme.admin, 'getRiskHistory', { id: risk.id })).body as {
    data: { action: string; changes: unknown }[]
  }
  expect(data.map((entry) => entry.action)).toEqual(['risk.delete', 'risk.update', 'risk.create'])
  expect(data[1]).toMatchObject({
    changes: { title: { from: 'A risk', to: 'Second' } },
    actor: { id: acme.admin.userId },
  })
})
