import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { writeRefusal } from '../server/caller/limited-view.ts'
import { rightsRefusal } from '../server/caller/rights.ts'
import { newId } from '../server/database/ids.ts'
import { readSession } from '../server/identity/sessions.ts'
import type { AnyOperation } from '../server/operation.ts'
import { operationsBy } from '../server/operations.ts'
import { programOf } from './support/callers.ts'
import { sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange } from './support/sheets.ts'
import { openWebAs } from './support/web.ts'

/*
 * A viewer who is an auditor reads everything and writes nothing but comments where asked; one who is here for themselves
 * alone sees what is theirs. Asked of every operation of the list.
 */

/** What people do with their own account, inbox and views, whatever they may see. */
const OWN =
  `getMe listSessions revokeSession listMyIdentities removeMyIdentity getSignInMethods beginTotp confirmTotp
  removeTotp createRecoveryCodes beginPasskey createPasskey updatePasskey deletePasskey updateProfile listMyConnectedApps
  revokeMyConnectedApp listSavedViews createSavedView deleteSavedView listJobs getJob getJobResult cancelJob resumeJob
  listNotices countUnreadNotices updateNotice readAllNotices archiveReadNotices getNoticeSettings updateNoticeSettings
  listMyAttestations readMyAttestation downloadMyAttestation downloadMyPicture acknowledgeMyAttestation
  `.split(/\s+/)
const OWN_RECORDS = ['listTasks', 'getTask', 'setTaskStatus', 'tickTask', 'listAssets', 'getAsset']
/** What auditors do beyond reading as viewers, besides what is their own. */
const OF_AUDITORS = `listAuditLog exportAuditLog startExport createComment getCalendarFeed createCalendarFeed
  endCalendarFeed exportStatementOfApplicability exportPolicyVersion downloadAttestationCertificate`.split(
  /\s+/,
)

let one: TestService
let acme: TestOrganization
let auditor: Caller
let oneself: Caller

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ;[auditor, oneself] = [await flagged({ isAuditor: true }), await flagged({ selfServiceOnly: true })]
})
afterAll(() => one.close())

async function flagged(flags: object): Promise<Caller> {
  const { userId } = await acme.person('viewer').then(async (person) => {
    await one.call(acme.admin, 'updateUser', { id: person.userId, ...flags })
    return person
  })
  const { rows } = await one.administrator.query('select * from members where user_id = $1', [userId])
  const { account_id: accountId, limited_view: limitedView } = rows[0]
  const { credential, ...rest } = acme.admin
  const granted = new Set([...acme.admin.granted].filter((scope) => scope.startsWith('read:')))
  return {
    ...rest,
    ...{ userId, accountId, limitedView, role: 'viewer', granted, requestId: newId('req') },
    credential: { ...credential, id: newId('ses') } as Caller['credential'],
  }
}

const judged = (operation: AnyOperation, caller: Caller): string | null =>
  (rightsRefusal(operation.needs, caller) ?? writeRefusal(operation, caller))?.code ?? null
const refusalOf = (operation: AnyOperation, caller: Caller) =>
  call(one.service, caller, operation, sampleOf(operation)).then(
    () => null,
    ({ code }) => code,
  )

test.each(operationsBy('credential').map((operation) => [operation.name, operation] as const))(
  '%s',
  async (name, operation) => {
    const asViewer = judged(operation, { ...auditor, limitedView: null })
    const isOpen = OWN.includes(name) || OF_AUDITORS.includes(name)
    const toAuditor = isOpen ? null : operation.writes === false ? asViewer : 'capability_required'
    expect([
      name,
      judged(operation, auditor)?.replace('session_required', 'capability_required') ?? null,
    ]).toEqual([name, toAuditor])
    const isTheirs = OWN.includes(name) || OWN_RECORDS.includes(name)
    expect([name, judged(operation, oneself)]).toEqual([name, isTheirs ? null : 'capability_required'])
    // As it is judged, so it is done.
    if (!isTheirs) expect(await refusalOf(operation, oneself)).toBe('capability_required')
    if (toAuditor !== null) expect(await refusalOf(operation, auditor)).toBe(toAuditor)
  },
)

test.each(operationsBy('session').map((operation) => [operation.name, operation] as const))(
  '%s, which is of browsers alone and of whoever is signed in there',
  (_, operation) => {
    expect(operation.needs.ofOneself).toBe(true)
    expect([auditor, oneself].map((caller) => judged(operation, caller))).toEqual([null, null])
  },
)

type Made = { readonly id: string }
const made = async (name: string, input: object): Promise<string> =>
  ((await one.call(acme.admin, name, input)) as unknown as { body: { id: string } }).body.id
const idsIn = async (caller: Caller, name: string) =>
  ((await one.call(caller, name)) as unknown as { body: { data: { id: string }[] } }).body.data.map(
    ({ id }) => id,
  )

describe('who is here for themselves alone', () => {
  test('sees the tasks and assets that name them, by login or in the directory, and no others', async () => {
    const personId = await made('createPersonnel', {
      ...{ fullName: 'Bo Lind', workEmail: 'bo@acme.example', userId: oneself.userId },
    })
    const mine = await made('createTask', {
      title: 'Mine',
      status: 'open',
      assignee: { type: 'user', refId: oneself.userId },
      checklist: [{ text: 'First' }, { text: 'Second' }],
    })
    const other = await made('createTask', {
      ...{ title: 'Other', status: 'open', checklist: [{ text: 'Of others' }] },
    })
    const stepsOf = async (id: string) =>
      ((await one.call(acme.admin, 'getTask', { id })).body as { checklist: { id: string }[] }).checklist
    const asset = await made('createAsset', {
      ...{ name: 'Laptop', type: 'endpoint', custodian: { type: 'personnel', refId: personId } },
    })
    const foreign = await made('createAsset', { name: 'Server', type: 'server' })
    expect(await idsIn(oneself, 'listTasks')).toEqual([mine])
    expect(await idsIn(oneself, 'listAssets')).toEqual([asset])
    expect((await one.call(oneself, 'getTask', { id: mine })).body).toMatchObject({ title: 'Mine' })
    expect((await one.call(oneself, 'getAsset', { id: asset })).body).toMatchObject({ name: 'Laptop' })
    for (const [name, id] of [
      ['getTask', other],
      ['setTaskStatus', other],
      ['getAsset', foreign],
      ['getTask', newId('tsk')],
    ] as const)
      await expect(
        one.call(oneself, name, { id, ...(name === 'setTaskStatus' && { status: 'done' }) }),
      ).rejects.toMatchObject({ code: 'not_found' })
    // Step by step, of theirs alone, and nothing but that.
    const [first] = await stepsOf(mine)
    const [theirs] = await stepsOf(other)
    await one.call(oneself, 'tickTask', { id: mine, stepId: first!.id })
    expect(await stepsOf(mine)).toMatchObject([{ isDone: true }, { text: 'Second' }])
    await one.call(oneself, 'tickTask', { id: mine, stepId: first!.id, isDone: false })
    expect(await stepsOf(mine)).toMatchObject([{ isDone: false }, { text: 'Second' }])
    await expect(one.call(oneself, 'tickTask', { id: mine, stepId: theirs!.id })).rejects.toMatchObject({
      members: { errors: [{ path: 'stepId' }] },
    })
    await expect(one.call(oneself, 'tickTask', { id: other, stepId: theirs!.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const viewer = await acme.person('viewer')
    await expect(one.call(viewer, 'tickTask', { id: other, stepId: theirs!.id })).rejects.toMatchObject({
      code: 'other_person_required',
    })
    expect((await one.call(oneself, 'setTaskStatus', { id: mine, status: 'done' })).body).toMatchObject({
      status: 'done',
    })
    expect(await idsIn(oneself, 'listTasks')).toEqual([mine])
  })
})

test('a program of an auditor reads what its scopes say, and no more', () => {
  const program = programOf(auditor, ['read:risks'])
  const judgedBy = (caller: Caller) =>
    Object.fromEntries(
      ['exportPolicyVersion', 'downloadAttestationCertificate', 'listAuditLog'].map((name) => [
        name,
        judged(one.service.operations.find((operation) => operation.name === name)!, caller),
      ]),
    )
  expect(judgedBy(auditor)).toEqual({
    ...{ exportPolicyVersion: null, downloadAttestationCertificate: null, listAuditLog: null },
  })
  expect(judgedBy(program)).toEqual({
    ...{ exportPolicyVersion: 'insufficient_scope', downloadAttestationCertificate: 'insufficient_scope' },
    listAuditLog: 'session_required',
  })
})

test('an auditor comments where somebody has asked them, and nowhere else', async () => {
  const recordId = await made('createRisk', { title: 'A risk' })
  const comment = { recordId, text: 'As asked' }
  await expect(one.call(auditor, 'createComment', comment)).rejects.toMatchObject({
    code: 'capability_required',
  })
  // A link is no mention: nobody is told of it.
  await one.call(acme.admin, 'createComment', { recordId, text: `As [they](${auditor.userId}) said` })
  await expect(one.call(auditor, 'createComment', comment)).rejects.toMatchObject({
    code: 'capability_required',
  })
  await one.call(acme.admin, 'createComment', {
    recordId,
    text: `What do you think, @[them](${auditor.userId})?`,
  })
  expect((await one.call(auditor, 'createComment', comment)).status).toBe(201)
})

test('an auditor goes on with no job that writes, though they began it before', async () => {
  const before = await acme.person('admin')
  const rows = Array.from({ length: 101 }, (_, at) => `Risk ${at}`)
  const { ask, begin } = sheetsOf(one, before)
  const { id, columns } = await begin('risk', ['Title', ...rows].join('\n'))
  await ask('planImport', { id, columns: columns.map(({ key }) => key) })
  const { job } = await ask<TestBulkChange>('getBulkChange', { id })
  await ask('cancelJob', { id: job!.id })
  const granted = auditor.granted
  const asViewer: Caller = { ...before, role: 'viewer', granted }
  for (const caller of [asViewer, { ...asViewer, limitedView: 'auditor' as const }]) {
    await expect(one.call(caller, 'resumeJob', { id: job!.id })).rejects.toMatchObject({
      code: 'capability_required',
    })
    const exported = (await one.call(caller, 'startExport', { type: 'risk', format: 'csv' })).body as Made
    await one.call(caller, 'cancelJob', { id: exported.id })
    expect((await one.call(caller, 'resumeJob', { id: exported.id })).status).toBe(200)
  }
  expect(await ask('getJob', { id: job!.id })).toMatchObject({ state: 'cancelled' })
})

test('a flag is one of a viewer, acts at the next call, and stands in the log', async () => {
  const door = await one.listen()
  const person = await acme.person('editor')
  const web = await openWebAs(door, person)
  const update = (given: object) => one.call(acme.admin, 'updateUser', { id: person.userId, ...given })
  for (const given of [{ isAuditor: true }, { role: 'viewer', isAuditor: true, selfServiceOnly: true }])
    await expect(update(given)).rejects.toMatchObject({ code: 'validation_failed' })
  expect((await update({ role: 'viewer', selfServiceOnly: true })).body).toMatchObject({
    ...{ role: 'viewer', isAuditor: false, selfServiceOnly: true },
  })
  expect((await web.call('getSession')).body.limitedView).toBe('self_service')
  expect((await web.call('listRisks')).status).toBe(403)
  expect((await web.call('listRecordOperations', { kind: 'task' })).status).toBe(200)
  await expect(update({ role: 'editor' })).rejects.toMatchObject({ code: 'validation_failed' })
  await update({ role: 'editor', selfServiceOnly: false })
  expect((await web.call('listRisks')).status).toBe(200)
  expect((await readSession(one.service, web.cookie.split('=')[1]))?.limitedView).toBeNull()
  const { body } = (await one.call(acme.admin, 'listAuditLog', { limit: 1 })) as unknown as {
    body: { data: { changes: object }[] }
  }
  expect(body.data[0]!.changes).toEqual({
    role: { from: 'viewer', to: 'editor' },
    selfServiceOnly: { from: true, to: false },
  })
})
