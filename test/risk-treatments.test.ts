import { afterAll, beforeAll, expect, test } from 'vitest'
import { riskTreatment } from '../model/kinds/risk-treatment.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
let risk: string
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  risk = await addRisk()
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const call = async (name: string, input: object = {}) =>
  (await one.call(acme.admin, name, input)).body as Record
const addRisk = async () => (await call('createRisk', { title: 'Unpatched gateway' })).id
const add = (more: object = {}) => call('createRiskTreatment', { riskId: risk, action: 'Patch it', ...more })
const update = (id: string, input: object) => call('updateRiskTreatment', { id, ...input })
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const personnel = async (workEmail: string) => {
  const { id } = await call('createPersonnel', { fullName: workEmail, workEmail: `${workEmail}@example.com` })
  return { type: 'personnel', refId: id }
}

test('a risk and an action are enough', async () => {
  expect(await add()).toMatchObject({
    riskId: risk,
    strategy: 'mitigate',
    status: 'planned',
    rating: null,
    ownerId: null,
    completedAt: null,
    version: 1,
  })
  const without = await refused(call('createRiskTreatment', { riskId: risk }))
  expect(without).toMatchObject({ code: 'validation_failed', members: { errors: [{ path: 'action' }] } })
})

test('the rating is the level that is expected of the risk once it works', async () => {
  const { id } = await add({ expectedLikelihood: 'unlikely', expectedImpact: 'major' })
  expect(await call('getRiskTreatment', { id })).toMatchObject({ rating: 'medium' })
  expect(await update(id, { expectedImpact: 'severe' })).toMatchObject({ rating: 'high' })
  expect(await update(id, { expectedImpact: null })).toMatchObject({ rating: null })
})

test('a risk is in treatment by a treatment as by a strategy, and by none that is cancelled', async () => {
  const { id } = await call('createRisk', { title: 'Dry rot', likelihood: 'likely', impact: 'minor' })
  const to = (status: string) => refused(call('updateRisk', { id, status }))
  expect(await to('assessed')).toBeNull()
  const without = { members: { errors: [{ path: 'treatmentStrategy' }] } }
  expect(await to('in_treatment')).toMatchObject(without)
  const treatment = await add({ riskId: id })
  await update(treatment.id, { status: 'cancelled', statusReason: 'Too dear' })
  expect(await call('getRisk', { id })).toMatchObject({ hasTreatment: false })
  expect(await to('in_treatment')).toMatchObject(without)
  await add({ riskId: id })
  expect(await to('in_treatment')).toBeNull()
  expect(await to('monitored')).toBeNull()
  expect(await call('getRisk', { id })).toMatchObject({
    ...{ status: 'monitored', hasTreatment: true, treatmentStrategy: 'undecided' },
  })
})

test('a risk that is in treatment by nothing any more is said to be untreated', async () => {
  const rated = { title: 'Dry rot', likelihood: 'likely', impact: 'minor', status: 'assessed' }
  const { id } = await call('createRisk', rated)
  const treatment = await add({ riskId: id })
  expect(await call('updateRisk', { id, status: 'in_treatment' })).toMatchObject({ untreated: false })
  await update(treatment.id, { status: 'cancelled', statusReason: 'Too dear' })
  const listed = async () =>
    (await call('listRisks', { untreated: [true] })) as unknown as { data: { id: string }[] }
  expect(await call('getRisk', { id })).toMatchObject({ status: 'in_treatment', untreated: true })
  expect((await listed()).data.map((one) => one.id)).toEqual([id])
  expect(await call('updateRisk', { id, treatmentStrategy: 'transfer' })).toMatchObject({ untreated: false })
  expect(await refused(call('updateRisk', { id, treatmentStrategy: 'accept' }))).toMatchObject({
    members: { errors: [{ path: 'treatmentStrategy' }] },
  })
  expect((await listed()).data).toEqual([])
})

test('its owner does not give it away to find it right in the same call', async () => {
  const [owner, other] = [await acme.person('editor'), await acme.person('editor')]
  const user = (one: Caller) => ({ type: 'user', refId: one.userId })
  const { id } = await add({ status: 'implemented', owner: user(owner) })
  for (const handedTo of [user(other), null]) {
    const given = { id, status: 'verified', owner: handedTo, verifiedBy: user(owner) }
    expect(await refused(one.call(owner, 'updateRiskTreatment', given))).toMatchObject({
      ...{ code: 'validation_failed', members: { errors: [{ path: 'owner' }] } },
    })
  }
  // By its own, as anybody can see in the history.
  await update(id, { owner: user(other) })
  const verify = { id, status: 'verified', verifiedBy: user(owner) }
  expect((await one.call(owner, 'updateRiskTreatment', verify)).body).toMatchObject({ status: 'verified' })
})

const { states, fields } = riskTreatment
const STATES = fields.status.options
const next: Readonly<globalThis.Record<string, readonly string[]>> = states[0]!.next

// An undo of one's own step takes the version that was read: none is sent here.
test.each(STATES)('from %s it goes where it may, and nowhere else', async (from) => {
  const [owner, verifiedBy] = [await personnel(`owner.${from}`), await personnel(`verifier.${from}`)]
  const reason = { statusReason: 'Because' }
  for (const to of STATES.filter((state) => state !== from)) {
    const { id, status } = await add({ status: from, owner, verifiedBy, ...reason })
    expect(status).toBe(from)
    const answer = await refused(update(id, { status: to, ...reason }))
    if (next[from]!.includes(to)) expect([from, to, answer]).toEqual([from, to, null])
    else expect(answer).toMatchObject({ code: 'invalid_transition', members: { allowed: next[from] } })
  }
})

test('who looked whether it works is somebody else than its owner', async () => {
  const [owner, other] = [await personnel('ada'), await personnel('bo')]
  const { id } = await add({ status: 'implemented', owner })
  const paths = async (input: object) =>
    ((await refused(update(id, input))) as Refusal).members.errors as { path: string }[]
  expect(await paths({ status: 'verified' })).toMatchObject([{ path: 'verifiedBy' }])
  expect(await paths({ status: 'verified', verifiedBy: owner })).toMatchObject([{ path: 'verifiedBy' }])
  expect(await update(id, { status: 'verified', verifiedBy: other })).toMatchObject({ status: 'verified' })
  expect(await paths({ owner: other })).toMatchObject([{ path: 'verifiedBy' }])
})

test('that it works is the word of whoever signs in, and nobody gives it for them', async () => {
  const [owner, verifier] = [await acme.person('editor'), await acme.person('editor')]
  const user = ({ userId }: { userId: string }) => ({ type: 'user', refId: userId })
  const directory = await call('createPersonnel', {
    ...{ fullName: 'Ada Ray', workEmail: 'ada.ray@example.com', userId: owner.userId },
  })
  const made = () => add({ status: 'implemented', owner: user(owner) })
  const verify = (by: Caller, id: string, verifiedBy: object) =>
    refused(one.call(by, 'updateRiskTreatment', { id, status: 'verified', verifiedBy }))
  const isRefused = { code: 'validation_failed', members: { errors: [{ path: 'verifiedBy' }] } }
  const { id } = await made()
  expect(await verify(owner, id, user(verifier))).toMatchObject(isRefused)
  expect(await verify(acme.admin, id, user(verifier))).toMatchObject(isRefused)
  expect(
    await refused(add({ status: 'verified', owner: user(owner), verifiedBy: user(verifier) })),
  ).toMatchObject(isRefused)
  // The owner stays the owner by the name that the directory has.
  expect(await verify(owner, id, { type: 'personnel', refId: directory.id })).toMatchObject(isRefused)
  const other = await personnel('cy')
  expect(await verify(owner, id, other)).toMatchObject(isRefused)
  // Whoever is to look may be named ahead.
  await update(id, { verifiedBy: user(verifier) })
  expect(await verify(verifier, id, user(verifier))).toBeNull()
  expect(await update(id, { description: 'Later' })).toMatchObject({ status: 'verified' })
  // Of somebody who has no login it is written down, and the history says by whom.
  const second = (await made()).id
  expect(await verify(acme.admin, second, other)).toBeNull()
})

test('no program says for a person that it works, with whatever key', async () => {
  const door = await one.listen()
  const key = (await acme.key(['write:risks'])).secret
  const { id } = await add({ status: 'implemented' })
  const verify = (verifiedBy: object) =>
    door.send(key, 'PATCH', `/v1/risk-treatments/${id}`, { body: { status: 'verified', verifiedBy } })
  const refusal = await verify({ type: 'user', refId: acme.admin.userId })
  expect([refusal.status, refusal.body.errors[0].path]).toEqual([422, 'verifiedBy'])
  expect((await verify(await personnel('dee'))).status).toBe(200)
  const [entry] = (await call('getRiskTreatmentHistory', { id })).data as unknown as Record[]
  expect(entry).toMatchObject({ actor: { type: 'api_key' } })
})

test('it says why it is cancelled, and since when nothing is left to do', async () => {
  const { id } = await add({ dueDate: '2020-01-01' })
  const overdue = async () =>
    (
      (await call('listRiskTreatments', { due: ['overdue'], riskId: [risk] })).data as unknown as Record[]
    ).map((row) => row.id)
  expect(await overdue()).toContain(id)
  expect(await refused(update(id, { status: 'cancelled' }))).toMatchObject({ code: 'validation_failed' })
  const cancelled = await update(id, { status: 'cancelled', statusReason: 'The gateway is gone' })
  expect(cancelled.completedAt).toBe(cancelled.updatedAt)
  expect(await overdue()).not.toContain(id)
})

test('each watched field alone raises one signal with its changes, and no other field does', async () => {
  const owner = await personnel('watched')
  await call('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk_treatment.updated'],
  })
  const values: [string, object, readonly string[]][] = [
    ['action', { action: 'Replace it' }, ['action']],
    ['status', { status: 'in_progress' }, ['status']],
    ['rating', { expectedImpact: 'minor' }, ['expectedImpact', 'rating']],
    ['ownerId', { owner }, ['ownerId']],
    ['dueDate', { dueDate: '2027-01-31' }, ['dueDate']],
  ]
  expect(values.map(([field]) => field)).toEqual(riskTreatment.watch)
  const raised = async (id: string) =>
    (
      await one.administrator.query(
        "select body::json->'data'->'changes' as changes from signals where subject_id = $1 and type = 'risk_treatment.updated'",
        [id],
      )
    ).rows.map(({ changes }) => Object.keys(changes).sort())
  const rated = { expectedLikelihood: 'likely', expectedImpact: 'severe' }
  for (const [, change, told] of values) {
    const { id } = await add(rated)
    await update(id, change)
    expect(await raised(id)).toEqual([told])
  }
  const { id } = await add()
  const silent = { description: 'How', strategy: 'avoid', startDate: '2027-01-01', progressPercent: 20 }
  for (const [field, value] of Object.entries(silent)) await update(id, { [field]: value })
  await update(id, { cost: { currency: 'EUR', amount: 100 }, labels: ['x'], statusReason: 'Soon' })
  expect(await raised(id)).toEqual([])
})

test('fifty treatments go with a risk that two people delete at once, each once', async () => {
  const doomed = await addRisk()
  const ids = await Promise.all(Array.from({ length: 50 }, async () => (await add({ riskId: doomed })).id))
  const both = await Promise.all([1, 2].map(() => refused(call('deleteRisk', { id: doomed }))))
  expect(both.filter((one) => one === null)).toHaveLength(1)
  expect(both.find((one) => one !== null)).toMatchObject({ code: 'not_found' })
  const told = async (table: string, column: string, kind: string) =>
    (
      await one.administrator.query(
        `select subject_id as id from ${table} where ${column} = $1 and subject_id = any($2) order by subject_id`,
        [kind, [...ids, doomed]],
      )
    ).rows.map(({ id }) => id)
  expect(await told('audit_entries', 'action', 'risk_treatment.delete')).toEqual(ids.toSorted())
  expect(await told('audit_entries', 'action', 'risk.delete')).toEqual([doomed])
  expect(await told('signals', 'type', 'risk_treatment.deleted')).toEqual(ids.toSorted())
  expect(await told('signals', 'type', 'risk.deleted')).toEqual([doomed])
  // Whatever their number, they are told of by one statement.
  const { rows } = await one.administrator.query(
    `select count(distinct cmin::text)::int as statements from signals
      where type = 'risk_treatment.deleted' and subject_id = any($1)`,
    [ids],
  )
  expect(rows).toEqual([{ statements: 1 }])
})

test('one that is added while its risk is deleted is there before it, or is told that there is none', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const doomed = await addRisk()
    const adding = Array.from({ length: 4 }, () => refused(add({ riskId: doomed })))
    const outcomes = await Promise.all([...adding, refused(call('deleteRisk', { id: doomed }))])
    expect(outcomes.pop()).toBeNull()
    for (const outcome of outcomes) expect(outcome?.code ?? 'not_found').toBe('not_found')
    const { rows } = await one.administrator.query('select from risk_treatments where risk_id = $1', [doomed])
    expect(rows).toEqual([])
  }
})

test('a program adds and changes one with write:risks, and removes none', async () => {
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const door = await one.listen()
  const made = await door.send(secret, 'POST', `/v1/risks/${risk}/treatments`, { body: { action: 'Patch' } })
  expect([made.status, made.body.riskId]).toEqual([201, risk])
  const at = `/v1/risk-treatments/${made.body.id}`
  expect(made.headers.location).toBe(at)
  const changed = await door.send(secret, 'PATCH', at, { body: { progressPercent: 50 } })
  expect([changed.status, changed.body.progressPercent]).toEqual([200, 50])
  expect((await door.send(secret, 'DELETE', at)).body.code).toBe('session_required')
  const { body } = await callTool(door, secret, 'listRecordsUnder', { type: 'risk_treatment', riskId: risk })
  expect(body.result.isError ?? false).toBe(false)
})
