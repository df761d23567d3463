import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { takeTurn } from '../server/deadlines/turn.ts'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { programOf } from './support/callers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: what is archived counts for nothing that follows from it, is due to nobody, waits for nobody, and is reached by no
 * other way either; once it is back, all of that is as if it had never been away.
 */

let one: TestService
let acme: TestOrganization
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  admin = acme.admin
})
afterAll(() => one.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of every form
type Answer = Record<string, any>
const call = async (name: string, input: object, caller = admin) =>
  (await one.call(caller, name, input)).body as Answer
const refusal = (name: string, input: object, caller = admin) =>
  call(name, input, caller).then(
    () => null,
    (error) => error,
  )
const ARCHIVED = { code: 'conflict', members: { archivedAt: expect.any(String) } }
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('evidence is archived by its state, and by the state it comes back', async () => {
  const signals = async (id: string) =>
    (
      await one.administrator.query('select type from signals where subject_id = $1 order by time', [id])
    ).rows.map(({ type }) => type)
  const { id } = await call('createEvidence', { title: 'Access review', description: 'Of payroll' })
  const program = programOf(admin, ['write:evidence', 'read:evidence'])
  const archived = await call('updateEvidence', { id, status: 'archived' }, program)
  expect(archived).toMatchObject({ status: 'archived', archivedAt: archived.updatedAt })
  expect((await call('getEvidenceHistory', { id, limit: 1 })).data[0]).toMatchObject({
    action: 'evidence.update',
    changes: {
      status: { from: 'draft', to: 'archived' },
      archivedAt: { from: null, to: archived.archivedAt },
    },
  })
  expect(await refusal('updateEvidence', { id, status: 'draft', title: 'Another' })).toMatchObject(ARCHIVED)
  expect(await refusal('addEvidenceFiles', { id, fileIds: ['fil_01k9f8qxk2e9mbz6w0h5t4v3ra'] })).toBeTruthy()
  // Who names the state asks for what is in it.
  const found = async (filters: object) =>
    (await call('listEvidence', filters)).data.map((row: Answer) => row.id)
  expect(await found({ status: ['archived', 'approved'] })).toEqual([id])
  expect(await found({})).toEqual([])
  expect(await call('updateEvidence', { id, status: 'draft' }, program)).toMatchObject({ archivedAt: null })

  expect(await call('archiveEvidence', { id })).toMatchObject({ status: 'archived' })
  expect(await call('unarchiveEvidence', { id })).toMatchObject({ status: 'draft', archivedAt: null })
  expect(await signals(id)).toEqual(['evidence.created', ...Array(4).fill('evidence.updated')])
  const made = await call('createEvidence', { title: 'Old', status: 'archived' })
  expect(made.archivedAt).toBe(made.createdAt)
})

test('a file adds nothing that would be linked with what is archived, and says so in its column', async () => {
  const sheets = sheetsOf(one, admin)
  const old = await call('createRisk', { title: 'Old risk' })
  const live = await call('createRisk', { title: 'Live risk' })
  const kept = await call('createEvidence', { title: 'Kept', externalId: 'kept' })
  await call('linkEvidence', { id: kept.id, targetKind: 'risk', targetId: old.id })
  await call('archiveRisk', { id: old.id })
  const rows = [
    `kept,Kept,${old.reference}`,
    `a,Fine,${live.reference}`,
    `b,Lost,${live.reference}|${old.reference}`,
  ]
  const planned = await sheets.bring('evidence', ['External id,Title,links.risk', ...rows].join('\n'))
  expect(planned.planned).toMatchObject({ create: 1, leave: 1, change: 0, error: 1 })
  expect((await sheets.rows(planned.id)).at(-1)!.problems).toMatchObject([
    { column: 2, message: expect.stringContaining(`${old.reference} is archived`) },
  ])

  // Archived between the plan and its end.
  const late = await sheets.bring('evidence', `External id,Title,links.risk\nc,Late,${live.reference}`)
  await call('archiveRisk', { id: live.id })
  expect((await sheets.apply(late.id)).done).toMatchObject({ created: 0, refused: 1 })
})

test('an upsert, a batch and a bulk edit leave an archived record, and say why', async () => {
  const { id, reference } = await call('createAsset', {
    name: 'Old server',
    externalId: 'cmdb:1',
    type: 'server',
  })
  const archived = await call('archiveAsset', { id })
  const upsert = (record: object) => refusal('upsertAsset', { externalId: 'cmdb:1', record })
  expect(await upsert({ name: 'Old server', type: 'server' })).toBeNull()
  expect(await upsert({ name: 'New server' })).toMatchObject(ARCHIVED)
  const { data } = await call('createAssetBatch', {
    mode: 'upsert',
    records: [{ externalId: 'cmdb:1', name: 'New server' }],
  })
  expect(data[0].problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining(reference) })
  const isGone = programOf(admin, ['write:assets'])
  expect(await refusal('unarchiveAsset', { id }, isGone)).toBeNull()
  expect(archived.archivedAt).toBeTruthy()
})

test('links end nowhere in the archive, and those that stand are shown as archived', async () => {
  const [risk, control, other] = [
    await call('createRisk', { title: 'Old gateway' }),
    await call('createControl', { code: 'NET-1', title: 'Patched' }),
    await call('createControl', { code: 'NET-2', title: 'Watched' }),
  ]
  const link = { id: risk.id, targetKind: 'control', targetId: control.id }
  await call('linkRisk', link)
  await call('archiveControl', { id: control.id })
  for (const ask of ['linkRisk', 'unlinkRisk'])
    expect(await refusal(ask, ask === 'linkRisk' ? { ...link, role: 'planned' } : link)).toMatchObject(
      ARCHIVED,
    )
  expect((await call('listRiskLinks', { id: risk.id })).data).toMatchObject([
    { id: control.id, archived: true },
  ])
  await call('archiveRisk', { id: risk.id })
  expect(await refusal('linkRisk', { ...link, targetId: other.id })).toMatchObject(ARCHIVED)
  expect(await refusal('createTask', { title: 'Look', controlIds: [control.id] })).toMatchObject(ARCHIVED)
  // Going takes its links along, whatever is at the other end.
  await call('deleteRisk', { id: risk.id, force: 'unlink' })
  expect((await call('listControlLinks', { id: control.id })).data).toEqual([])
})

test('what was said of it stays said', async () => {
  const { id: recordId } = await call('createRisk', { title: 'Discussed' })
  const { id } = await call('createComment', { recordId, text: 'It was never patched.' })
  await call('archiveRisk', { id: recordId })
  for (const name of ['updateComment', 'deleteComment'])
    expect(await refusal(name, { id }), name).toMatchObject(ARCHIVED)
  await call('unarchiveRisk', { id: recordId })
  await call('deleteComment', { id })
})

test('its deadlines end, and come back as those of what was just made', async () => {
  const treatment = await call('createTask', {
    title: 'Ask',
    status: 'open',
    dueDate: dayIn(20),
    assignee: user(admin),
  })
  const { id } = treatment
  const due = async () => (await call('listDeadlines', {})).data.filter((row: Answer) => row.id === id).length
  const work = async () => (await call('summarizeTasks', { due: ['later', 'soon'] })).total
  expect([await due(), await work()]).toEqual([1, 1])
  await call('archiveTask', { id })
  expect([await due(), await work()]).toEqual([0, 0])
  await one.moveClock(19 * 86_400_000)
  await takeTurn(one.service)
  const { rows } = await one.administrator.query('select threshold from due_moments where record_id = $1', [
    id,
  ])
  expect(rows).toEqual([])
  await call('unarchiveTask', { id })
  expect(await due()).toBe(1)
  await takeTurn(one.service)
  const told = await one.administrator.query('select threshold from due_moments where record_id = $1', [id])
  expect(told.rows).toEqual([{ threshold: 1 }])
})

test('a question ends with the archive and is asked again by coming back', async () => {
  const asked = await acme.person('editor')
  const { id } = await call('createEvidence', {
    title: 'Review of access',
    status: 'requested',
    requestedFrom: user(asked),
    requestDueDate: dayIn(90),
  })
  const waiting = async () => (await call('listWaiting', {}, asked)).data.length
  expect(await waiting()).toBe(1)
  await call('archiveEvidence', { id })
  expect(await waiting()).toBe(0)
  await call('unarchiveEvidence', { id })
  expect(await waiting()).toBe(1)
})

test('the results of requirements follow an archived control there and back', async () => {
  const framework = await call('createFramework', { key: 'house', edition: '1', name: 'House rules' })
  const requirement = await call('createRequirement', {
    frameworkId: framework.id,
    key: 'H.1',
    title: 'Patched',
  })
  await call('activateFramework', { id: framework.id })
  const control = await call('createControl', { code: 'NET-9', title: 'Patched within a week' })
  await call('updateControl', { id: control.id, implementationStatus: 'in_progress' })
  await call('linkRequirement', { id: requirement.id, targetKind: 'control', targetId: control.id })
  const result = async () => {
    await settleResults(one.service)
    return (await call('getRequirement', { id: requirement.id })).result
  }
  expect(await result()).toBe('partially_compliant')
  await call('archiveControl', { id: control.id })
  expect(await result()).toBe('not_assessed')
  await call('unarchiveControl', { id: control.id })
  expect(await result()).toBe('partially_compliant')
})

test('a lapse leaves what went into the archive with its parent, and comes with it', async () => {
  const approver = await acme.person('editor')
  const risk = await call('createRisk', {
    title: 'Accepted',
    status: 'assessed',
    likelihood: 'rare',
    impact: 'minor',
  })
  const {
    rows: [now],
  } = await one.administrator.query('select clock_now() as now')
  const in30 = new Date(now.now.getTime() + 30 * 86_400_000).toISOString()
  const acceptance = await call('createRiskAcceptance', {
    riskId: risk.id,
    justification: 'It goes',
    approver: user(approver),
    expiresAt: in30,
  })
  await call('approveRiskAcceptance', { id: acceptance.id, ...(await shownTo(acceptance.id)) }, approver)
  await call('archiveRisk', { id: risk.id })
  expect(await refusal('revokeRiskAcceptance', { id: acceptance.id, statusReason: 'No' })).toMatchObject(
    ARCHIVED,
  )
  await one.moveClock(31 * 86_400_000)
  await takeTurn(one.service)
  expect(await call('getRisk', { id: risk.id })).toMatchObject({ status: 'accepted' })
  await call('unarchiveRisk', { id: risk.id })
  await takeTurn(one.service)
  expect(await call('getRisk', { id: risk.id })).toMatchObject({ status: 'assessed' })
  expect(await call('getRiskAcceptance', { id: acceptance.id })).toMatchObject({ status: 'expired' })
})

test('what comes again does so without it', async () => {
  const [old, live] = [
    await call('createControl', { code: 'AGN-1', title: 'Archived since' }),
    await call('createControl', { code: 'AGN-2', title: 'Kept' }),
  ]
  const again = async (next: 'when_done' | 'when_due') =>
    call('createTask', {
      ...{ title: `Next ${next}`, status: 'open', dueDate: dayIn(1), controlIds: [old.id, live.id] },
      recurrence: { frequency: 'monthly', next },
    })
  const [done, due] = [await again('when_done'), await again('when_due')]
  await call('archiveControl', { id: old.id })
  await call('updateTask', { id: done.id, status: 'done' })
  await one.moveClock(2 * 86_400_000)
  await takeTurn(one.service)
  for (const { id } of [done, due]) {
    const { nextId } = await call('getTask', { id })
    expect(await call('getTask', { id: nextId })).toMatchObject({ followsId: id, controlIds: [live.id] })
  }
})

/** What whoever decides was shown of it. */
const shownTo = async (id: string) => {
  const { version } = await call('getRiskAcceptance', { id })
  return { ifMatch: version }
}

test.each(['update', 'delete', 'child'])(
  'archiving and %s at once are one after the other',
  async (other) => {
    for (let turn = 0; turn < 5; turn++) {
      const { id } = await call('createRisk', { title: 'Contested' })
      const rival = {
        update: () => call('updateRisk', { id, title: 'Changed' }),
        delete: () => call('deleteRisk', { id }),
        child: () => call('createRiskTreatment', { riskId: id, action: 'Mitigate' }),
      }[other]!
      const [archived, done] = await Promise.allSettled([call('archiveRisk', { id }), rival()])
      const record = await call('getRisk', { id }).catch(({ code }) => code)
      if (other === 'delete') {
        expect(record).toBe('not_found')
        if (archived.status === 'rejected') expect(archived.reason).toMatchObject({ code: 'not_found' })
        continue
      }
      expect(archived.status).toBe('fulfilled')
      if (done.status === 'rejected') expect(done.reason).toMatchObject(ARCHIVED)
      if (other === 'update') expect(record.title).toBe(done.status === 'fulfilled' ? 'Changed' : 'Contested')
      const { total } = await call('summarizeRiskTreatments', { riskId: [id], counted: ['total'] })
      expect(total).toBe(0)
    }
  },
)
