import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: a risk is accepted by another person than asked for it, as it was rated then, and both say so at once. */

let one: TestService
let acme: TestOrganization
let asker: Caller
let approver: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  asker = await acme.person('editor')
  approver = await acme.person('editor')
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const as = async (caller: Caller, name: string, input: object = {}) =>
  (await one.call(caller, name, input)).body as Record
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const RATED = { likelihood: 'likely', impact: 'major' }
const addRisk = (more: object = {}) =>
  as(asker, 'createRisk', { title: 'Unpatched gateway', status: 'assessed', ...RATED, ...more })
const UNTIL = '2100-01-01T00:00:00.000Z'
const ask = (riskId: string, more: object = {}, by = asker) =>
  as(by, 'createRiskAcceptance', {
    riskId,
    justification: 'Replaced in spring',
    approver: user(approver),
    expiresAt: UNTIL,
    ...more,
  })
const approve = (id: string, by = approver) => as(by, 'approveRiskAcceptance', { id })
const read = (id: string) => as(acme.admin, id.startsWith('rac') ? 'getRiskAcceptance' : 'getRisk', { id })
const journal = async (id: string) => {
  const { rows: entries } = await one.administrator.query(
    "select changes from audit_entries where subject_id = $1 and action like '%.update' order by time",
    [id],
  )
  const { rows: signals } = await one.administrator.query(
    'select type from signals where subject_id = $1 order by id',
    [id],
  )
  return { entries: entries.map(({ changes }) => changes), signals: signals.map(({ type }) => type) }
}

test('what is asked for keeps the rating as it is then: residual where that is set, else current', async () => {
  const risk = await addRisk()
  const asked = await ask(risk.id)
  expect(asked).toMatchObject({
    status: 'requested',
    requestedBy: { type: 'user', id: asker.userId, displayName: asker.credential.name },
    frozenLikelihood: 'likely',
    frozenImpact: 'major',
    frozenLevel: 'high',
    stale: false,
    decidedAt: null,
    approverName: null,
  })
  expect(await read(asked.id)).toEqual(asked)
  const residual = { residualLikelihood: 'rare', residualImpact: 'minor' }
  const other = await ask((await addRisk(residual)).id)
  expect(other).toMatchObject({ frozenLikelihood: 'rare', frozenImpact: 'minor', frozenLevel: 'low' })
})

test('it is called by its risk, in short, wherever it is named', async () => {
  const risk = await addRisk()
  const asked = await ask(risk.id)
  const title = `Acceptance of ${risk.reference}`
  expect(asked.title).toBe(title)
  const given = await ask((await addRisk()).id, { title: 'Gateway until spring' })
  expect(given.title).toBe('Gateway until spring')
  expect(JSON.stringify(await as(asker, 'search', { q: title }))).toContain(asked.id)
  const { rows } = await one.administrator.query('select called from known_records where id = $1', [asked.id])
  expect(rows).toEqual([{ called: title }])
})

test('approved, the risk is accepted in the same transaction, with one signal', async () => {
  const risk = await addRisk()
  const asked = await ask(risk.id)
  const approved = await approve(asked.id)
  expect(approved).toMatchObject({
    status: 'approved',
    approverName: approver.credential.name,
    endedAt: null,
  })
  expect(approved.decidedAt).not.toBeNull()
  const accepted = await read(risk.id)
  expect(accepted).toMatchObject({
    status: 'accepted',
    acceptanceExpiresAt: UNTIL,
    version: 2,
    acceptance: {
      id: asked.id,
      status: 'approved',
      acceptedBy: { type: 'user', id: approver.userId, displayName: approver.credential.name },
      expiresAt: UNTIL,
      justification: 'Replaced in spring',
      level: 'high',
    },
  })
  const { entries, signals } = await journal(risk.id)
  expect(Object.keys(entries[0]).sort()).toEqual(['acceptance', 'acceptanceExpiresAt', 'status'])
  expect([entries.length, signals]).toEqual([1, ['risk.created', 'risk.updated']])
  expect((await journal(asked.id)).signals).toEqual([])
})

test('nobody but whoever it names approves it, and that is never who asks', async () => {
  const risk = await addRisk()
  for (const wrong of [
    { approver: user(asker) },
    { approver: { type: 'user', refId: newId('usr') } },
    { approver: undefined },
    {
      approver: {
        type: 'personnel',
        refId: (await as(acme.admin, 'createPersonnel', { fullName: 'Bo', workEmail: 'bo@example.com' })).id,
      },
    },
  ]) {
    const error = await refused(ask(risk.id, wrong))
    expect(error?.status, JSON.stringify(wrong)).toBe(422)
  }
  const { id } = await ask(risk.id)
  for (const other of [asker, acme.admin, await acme.person('editor')])
    expect(await refused(approve(id, other))).toMatchObject({ code: 'other_person_required', status: 403 })
  expect(await refused(approve(id, await acme.person('viewer')))).toMatchObject({
    code: 'capability_required',
  })
  expect(await read(risk.id)).toMatchObject({ status: 'assessed', acceptance: null })
})

test('a program asks with write:risks as the person behind it, and decides nothing', async () => {
  const door = await one.listen()
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const risk = await addRisk()
  const at = `/v1/risks/${risk.id}/acceptances`
  const body = { justification: 'Replaced in spring', approver: user(approver), expiresAt: UNTIL }
  const own = await door.send(secret, 'POST', at, { body: { ...body, approver: user(acme.admin) } })
  expect([own.status, own.body.errors[0].path]).toEqual([422, 'approver'])
  const made = await door.send(secret, 'POST', at, { body })
  expect([made.status, made.body.requestedBy.id]).toEqual([201, acme.admin.userId])
  const path = `/v1/risk-acceptances/${made.body.id}`
  expect(made.headers.location).toBe(path)
  for (const act of ['approve', 'reject', 'revoke', 'withdraw'])
    expect((await door.send(secret, 'POST', `${path}/${act}`, { body: {} })).body.code).toBe(
      'session_required',
    )
  for (const method of ['PATCH', 'DELETE'])
    expect((await door.send(secret, method, path, { body: {} })).status).toBe(405)
  const lesser = await acme.key(['read:risks'])
  expect((await door.send(lesser.secret, 'POST', at, { body })).body.code).toBe('insufficient_scope')
  expect((await door.send(lesser.secret, 'GET', at)).body.data).toHaveLength(1)
})

test('a request that cannot come to anything is refused by field, or says what stands in the way', async () => {
  const risk = await addRisk()
  const path = async (more: object) => {
    const errors = ((await refused(ask(risk.id, more))) as Refusal).members.errors as { path: string }[]
    return errors[0]?.path
  }
  expect(await path({ expiresAt: '2020-01-01' })).toBe('expiresAt')
  expect(await path({ expiresAt: 'soon' })).toBe('expiresAt')
  expect(await path({ justification: ' ' })).toBe('justification')
  expect(await path({ status: 'approved' })).toBe('status')
  expect(await path({ statusReason: 'Because' })).toBe('statusReason')
  expect(await path({ requestedBy: user(approver) })).toBe('requestedBy')
  const unrated = await as(asker, 'createRisk', { title: 'Not rated' })
  expect(await refused(ask(unrated.id))).toMatchObject({ members: { errors: [{ path: 'riskId' }] } })
  const identified = await addRisk({ status: 'identified' })
  expect(await refused(ask(identified.id))).toMatchObject({
    code: 'conflict',
    message: /once it is assessed/,
    members: { errors: [{ path: 'riskId' }] },
  })
  const { id: waiting, reference } = await ask(risk.id)
  expect(await refused(ask(risk.id))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`asked for already, ${reference}: `),
    members: { errors: [{ path: 'riskId' }], holder: { id: waiting, reference } },
  })
  expect(await refused(ask(newId('risk')))).toMatchObject({ code: 'not_found' })
  const { data } = await as(asker, 'listRiskAcceptances', { riskId: [risk.id, unrated.id, identified.id] })
  expect(data).toHaveLength(1)
})

test('of two who ask at once for one risk, one does', async () => {
  const risk = await addRisk()
  const both = await Promise.all([asker, acme.admin].map((by) => refused(ask(risk.id, {}, by))))
  expect(both.map((error) => error?.code ?? 'asked').sort()).toEqual(['asked', 'conflict'])
})

test('of two approvals at once one is done, and told once', async () => {
  const risk = await addRisk()
  const { id } = await ask(risk.id)
  const both = await Promise.all([1, 2].map(() => refused(approve(id))))
  expect(both.map((error) => error?.code ?? 'approved').sort()).toEqual(['approved', 'conflict'])
  expect((await journal(id)).entries).toHaveLength(1)
  expect((await journal(risk.id)).signals).toEqual(['risk.created', 'risk.updated'])
})

test('another one that is approved takes the place of the first', async () => {
  const risk = await addRisk()
  const first = await ask(risk.id)
  await approve(first.id)
  const next = await ask(risk.id, { expiresAt: '2101-01-01' })
  await approve(next.id)
  expect(await read(first.id)).toMatchObject({ status: 'revoked', statusReason: /Another acceptance/ })
  expect(await read(risk.id)).toMatchObject({
    status: 'accepted',
    acceptance: { id: next.id },
    acceptanceExpiresAt: '2101-01-01T23:59:59.999Z',
  })
  expect((await journal(risk.id)).signals).toHaveLength(3)
})

test('a request is rejected with a reason by its approver or another admin, and withdrawn by who asked', async () => {
  const risk = await addRisk()
  const act = (name: string, id: string, by: Caller, more: object = { statusReason: 'Too grave' }) =>
    as(by, `${name}RiskAcceptance`, { id, ...more })
  const first = await ask(risk.id)
  expect(await refused(act('reject', first.id, approver, {}))).toMatchObject({
    members: { errors: [{ path: 'statusReason' }] },
  })
  expect(await refused(act('reject', first.id, asker))).toMatchObject({ code: 'other_person_required' })
  expect(await refused(act('revoke', first.id, approver))).toMatchObject({ code: 'conflict' })
  expect(await act('reject', first.id, approver)).toMatchObject({
    status: 'rejected',
    statusReason: 'Too grave',
    approverName: approver.credential.name,
  })
  expect(await refused(approve(first.id))).toMatchObject({ code: 'conflict' })
  const second = await ask(risk.id)
  expect(await act('reject', second.id, acme.admin)).toMatchObject({ status: 'rejected' })
  const third = await ask(risk.id)
  expect(await refused(act('withdraw', third.id, approver))).toMatchObject({ code: 'other_person_required' })
  expect(await act('withdraw', third.id, asker)).toMatchObject({ status: 'revoked' })
  const own = await ask(risk.id, {}, acme.admin)
  expect(await refused(act('reject', own.id, acme.admin))).toMatchObject({ code: 'other_person_required' })
  expect(await act('withdraw', own.id, acme.admin)).toMatchObject({ status: 'revoked' })
  expect(await read(risk.id)).toMatchObject({ status: 'assessed', version: 1 })
})

test('a request that is refused uses up no reference', async () => {
  const risk = await addRisk()
  const first = await ask(risk.id)
  for (let turn = 0; turn < 3; turn++) expect(await refused(ask(risk.id))).toMatchObject({ code: 'conflict' })
  const second = await ask((await addRisk()).id)
  const numberOf = ({ reference }: { [field: string]: unknown }) => Number(String(reference).split('-')[1])
  expect(numberOf(second)).toBe(numberOf(first) + 1)
})

test('one whose risk is rated otherwise asks for attention while it waits to be decided', async () => {
  const risk = await addRisk()
  const { id } = await ask(risk.id)
  const stale = async () =>
    ((await as(asker, 'listRiskAcceptances', { stale: [true], riskId: [risk.id] })).data as object[]).length
  const { attention } = await as(asker, 'summarizeRiskAcceptances', { counted: ['attention'] })
  expect(await stale()).toBe(0)
  await as(asker, 'updateRisk', { id: risk.id, impact: 'minor' })
  expect(await stale()).toBe(1)
  const counted = async () =>
    ((await as(asker, 'summarizeRiskAcceptances', { counted: ['attention'] })).attention as { stale: number })
      .stale
  expect(await counted()).toBe((attention as { stale: number }).stale + 1)
  await as(asker, 'withdrawRiskAcceptance', { id, statusReason: 'Rated anew' })
  expect([await stale(), await counted()]).toEqual([1, (attention as { stale: number }).stale])
})

test('another organization finds none of it', async () => {
  const other = await one.organization()
  const risk = await addRisk()
  const { id } = await ask(risk.id)
  for (const name of ['getRiskAcceptance', 'approveRiskAcceptance'])
    expect(await refused(as(other.admin, name, { id }))).toMatchObject({ code: 'not_found' })
  expect(await refused(ask(risk.id, {}, other.admin))).toMatchObject({ code: 'not_found' })
  const theirs = user(await other.person('editor'))
  expect(await refused(ask(risk.id, { approver: theirs }, other.admin))).toMatchObject({ code: 'not_found' })
  expect(await refused(ask((await addRisk()).id, { approver: theirs }))).toMatchObject({
    code: 'principal_not_found',
  })
})

test('an acceptance goes with its risk', async () => {
  const risk = await addRisk()
  const { id } = await ask(risk.id)
  await approve(id)
  await as(acme.admin, 'deleteRisk', { id: risk.id })
  expect(await refused(read(id))).toMatchObject({ code: 'not_found' })
})
