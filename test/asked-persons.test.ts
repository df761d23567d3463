import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: nobody is asked for what their role does not let them do, and whoever asks is told so at the field. */

let one: TestService
let acme: TestOrganization
let viewer: Caller
let editor: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ;[viewer, editor] = [await acme.person('viewer'), await acme.person('editor')]
})
afterAll(() => one.close())

const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const as = async (name: string, input: object) =>
  (await one.call(acme.admin, name, input)).body as { id: string; version: number; [field: string]: unknown }
const refused = (name: string, input: object) =>
  one.call(acme.admin, name, input).then(
    () => null,
    (error: Refusal) => error,
  )

const SOON = '2100-01-01'
/** By kind and field: what a record is made with beside it. */
const ASKING: Readonly<Record<string, () => Promise<[operation: string, input: object]>>> = {
  'evidence.requestedFrom': async () => [
    'createEvidence',
    { title: 'Access review', kind: 'document', status: 'requested', requestDueDate: SOON },
  ],
  'evidence.reviewer': async () => ['createEvidence', { title: 'Access review', kind: 'document' }],
  'risk_acceptance.approver': async () => {
    const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
    const { id } = await as('createRisk', { title: 'Unpatched gateway', ...rated })
    const more = { justification: 'Replaced in spring', expiresAt: `${SOON}T00:00:00.000Z` }
    return ['createRiskAcceptance', { riskId: id, ...more }]
  },
}

/** Who is named by the service itself, or does it whatever their role. */
const OTHERWISE = ['policy_decision.approver', 'policy_exception.approver', 'task.assignee']

test('these are the fields that ask somebody', () => {
  const asking = everyKind.flatMap(({ name, waits }) => waits.map(({ whom }) => `${name}.${whom}`))
  expect(asking.filter((one) => !OTHERWISE.includes(one)).toSorted()).toEqual(Object.keys(ASKING).toSorted())
})

test.each(Object.keys(ASKING))('%s names nobody who may only read', async (asked) => {
  const field = asked.split('.')[1]!
  const [operation, input] = await ASKING[asked]!()
  const refusal = await refused(operation, { ...input, [field]: user(viewer) })
  expect(refusal).toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: `${field}.refId`, message: expect.stringContaining('is viewer here') }] },
  })
  expect(await as(operation, { ...input, [field]: user(editor) })).toMatchObject({
    [field]: user(editor),
  })
})

test('those who are offered where editors are asked are no viewers, by their entry in the directory either', async () => {
  const entry = async (given: object) =>
    (await as('createPersonnel', { fullName: 'Vic Lind', workEmail: 'vic@example.com', ...given })).id
  const [ofViewer, ofNobody] = [
    await entry({ userId: viewer.userId }),
    await entry({ workEmail: 'bo@example.com' }),
  ]
  const offered = async (input: object) =>
    ((await as('listOwnershipPrincipals', { limit: 200, ...input })).data as { refId: string }[]).map(
      ({ refId }) => refId,
    )
  const all = await offered({})
  expect(all).toEqual(expect.arrayContaining([viewer.userId, editor.userId, ofViewer, ofNobody]))
  const asked = await offered({ takesUpAs: 'editor' })
  expect(asked).toEqual(expect.arrayContaining([editor.userId, acme.admin.userId, ofNobody]))
  expect(asked).not.toEqual(expect.arrayContaining([viewer.userId]))
  expect(asked).not.toEqual(expect.arrayContaining([ofViewer]))
})

test('a task is given to whoever may only read: they do it all the same', async () => {
  const { id } = await as('createTask', { title: 'Read this', status: 'open', assignee: user(viewer) })
  await one.call(viewer, 'setTaskStatus', { id, status: 'done' })
})

test('whose role changes later is left where they stand, and can be changed beside', async () => {
  const late = await acme.person('editor')
  const { id } = await as('createEvidence', { title: 'Log', kind: 'document', reviewer: user(late) })
  await one.call(acme.admin, 'updateUser', { id: late.userId, role: 'viewer' })
  const before = await as('getEvidence', { id })
  const told = { ...{ id, ifMatch: before.version }, title: 'Log of June', reviewer: user(late) }
  expect(await as('updateEvidence', told)).toMatchObject({ title: 'Log of June' })
})
