import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isApproved, refuseApproval } from '../model/kinds/policy-approval.ts'
import { nextReview } from '../model/kinds/policy-review.ts'
import type { Caller } from '../server/caller/caller.ts'
import { takeTurn } from '../server/deadlines/turn.ts'
import type { Refusal } from '../server/refusal.ts'
import { programOf } from './support/callers.ts'
import { deadlineClock } from './support/deadline-clock.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a policy's text is approved by whom it asks, on exactly what they read, and in force from the moment it is
 * published until the next one is.
 */

let one: TestService
let acme: TestOrganization
let author: Caller
let first: Caller
let second: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ;[author, first, second] = await Promise.all([
    acme.person('editor'),
    acme.person('editor'),
    acme.person('editor'),
  ])
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
const CONTENT = '# Purpose\n\nWho may use what at {{organization.name}}, version {{policy.versionLabel}}.'

const addPolicy = (more: object = {}) =>
  as(author, 'createPolicy', { name: 'Access control', owner: user(author), approver: user(first), ...more })
const draft = (policyId: string, more: object = {}) =>
  as(author, 'createPolicyVersion', { policyId, content: CONTENT, ...more })
const act = (caller: Caller, verb: string, { id, ...version }: Record, more: object = {}) =>
  as(caller, `${verb}PolicyVersion`, {
    id,
    ...(verb === 'approve' || verb === 'reject'
      ? { contentSha256: version.contentSha256, round: version.round }
      : {}),
    ...(verb === 'reject' ? { comment: 'Says nothing of guests' } : {}),
    ...more,
  })
const read = (id: string) => as(author, id.startsWith('polv') ? 'getPolicyVersion' : 'getPolicy', { id })
const decisionsOn = async (versionId: string) =>
  ((await as(author, 'listPolicyDecisions', { versionId: [versionId] })).data as Record[]).toReversed()
/** A policy with a version that waits for its approvers. */
async function submitted(more: object = {}) {
  const policy = await addPolicy(more)
  const version = await act(author, 'submit', await draft(policy.id))
  return { policy, version }
}
async function published(more: object = {}) {
  const { policy, version } = await submitted(more)
  return { policy, version: await act(author, 'publish', await act(first, 'approve', version)) }
}

const today = () => new Date().toISOString().slice(0, 10)
const organizationName = async () => (await as(acme.admin, 'getOrganization')).name
const signalsOf = async (id: string): Promise<{ type: string; changes: object }[]> => {
  const { rows } = await one.administrator.query(
    'select type, body from signals where subject_id = $1 order by time',
    [id],
  )
  return rows.map(({ type, body }) => ({ type, changes: JSON.parse(body).data?.changes ?? {} }))
}

test('a draft is submitted, approved and published; the policy follows, and tells it once', async () => {
  const policy = await addPolicy()
  expect(policy).toMatchObject({
    status: 'draft',
    versionLabel: null,
    origin: 'written',
    reviewOverdue: false,
  })
  const version = await draft(policy.id)
  expect(version).toMatchObject({
    label: '1.0',
    status: 'draft',
    authorId: author.userId,
    contentSha256: null,
  })
  expect(await read(policy.id)).toMatchObject({ draftVersionId: version.id, versionLabel: '1.0' })
  const sent = await act(author, 'submit', version)
  const text = `# Purpose\n\nWho may use what at ${await organizationName()}, version 1.0.`
  expect(sent).toMatchObject({ status: 'pending_approval', text, round: 1 })
  expect(sent.contentSha256).toBe(createHash('sha256').update(text).digest('hex'))
  expect(await read(policy.id)).toMatchObject({ status: 'in_review' })
  expect(await act(first, 'approve', sent)).toMatchObject({ status: 'approved' })
  const signals = await signalsOf(policy.id)
  const out = await act(author, 'publish', sent)
  expect(out).toMatchObject({ status: 'published', contentSha256: sent.contentSha256, text })
  expect(out).toMatchObject({ publishedBy: { type: 'user', id: author.userId } })
  const after = await read(policy.id)
  expect(after).toMatchObject({ status: 'published', versionLabel: '1.0', currentVersionId: out.id })
  expect(after).toMatchObject({
    draftVersionId: null,
    effectiveDate: today(),
    reviewDate: nextReview(today(), 'annually'),
  })
  const told = (await signalsOf(policy.id)).slice(signals.length)
  expect(told.map(({ type }) => type)).toEqual(['policy.updated'])
  expect(Object.keys(told[0]!.changes)).toEqual(
    expect.arrayContaining(['status', 'reviewDate', 'currentVersionId']),
  )
})

test('a policy that was retired goes on from its last text', async () => {
  const { policy, version } = await published()
  await as(author, 'retirePolicy', { id: policy.id })
  await as(author, 'restorePolicy', { id: policy.id })
  const next = await as(author, 'createPolicyVersion', { policyId: policy.id })
  expect(next).toMatchObject({ content: version.content, label: '2.0' })
})

test('“In force from” is the day of each publication, unless somebody set it', async () => {
  const fill = '{{policy.effectiveDate}}'
  const { policy } = await published()
  const dated = async (effectiveDate: string) => {
    await one.administrator.query('update policies set effective_date = $2 where id = $1', [
      policy.id,
      effectiveDate,
    ])
    await one.administrator.query(
      'update policy_versions set published_at = $2::timestamptz where policy_id = $1 and published_at is not null',
      [policy.id, `${effectiveDate}T12:00:00Z`],
    )
  }
  await dated('2026-01-15')
  // That was the day of the version before: nobody has said it of this one.
  const version = await draft(policy.id, { content: `From ${fill}` })
  expect(await refused(act(author, 'submit', version))).toMatchObject({
    members: {
      errors: [
        { path: 'content', message: expect.stringContaining('“In force from” of the policy is still') },
      ],
    },
  })
  const plain = await as(author, 'updatePolicyVersion', { id: version.id, content: 'At once.' })
  await act(author, 'publish', await act(first, 'approve', await act(author, 'submit', plain)))
  expect(await read(policy.id)).toMatchObject({ effectiveDate: today() })
  await as(author, 'updatePolicy', { id: policy.id, effectiveDate: '2099-12-01' })
  const named = await act(author, 'submit', await draft(policy.id, { content: `From ${fill}` }))
  expect(named.text).toBe('From 2099-12-01')
  await act(first, 'approve', named)
  expect(await as(author, 'getPolicyVersionAudience', { id: named.id })).toMatchObject({
    effectiveDate: '2099-12-01',
    today: today(),
  })
  expect(await act(author, 'publish', named)).toMatchObject({ status: 'published' })
  expect(await read(policy.id)).toMatchObject({ effectiveDate: '2099-12-01', status: 'published' })
})

test('a day that nobody set is asked for by the name of its field', async () => {
  const policy = await addPolicy()
  const version = await draft(policy.id, { content: 'From {{policy.effectiveDate}}' })
  expect(await refused(act(author, 'submit', version))).toMatchObject({
    members: {
      errors: [{ path: 'content', message: expect.stringContaining('set its “In force from” first') }],
    },
  })
})

test('a text that its placeholders make too long is not submitted', async () => {
  const name = await organizationName()
  await as(acme.admin, 'updateOrganization', { name: 'Acme of the many and very long words' })
  const policy = await addPolicy()
  const version = await draft(policy.id, { content: '{{organization.name}}'.repeat(20_000) })
  expect(await refused(act(author, 'submit', version))).toMatchObject({
    members: { errors: [{ path: 'content', message: expect.stringContaining('720000 characters') }] },
  })
  expect(await read(version.id)).toMatchObject({ status: 'draft', text: null })
  await as(acme.admin, 'updateOrganization', { name })
})

test('the text in force stays so while the next is made, and goes as that comes', async () => {
  const { policy, version } = await published()
  const next = await draft(policy.id, { content: undefined, materialChange: false })
  expect(next).toMatchObject({ label: '1.1', content: CONTENT })
  expect(await refused(draft(policy.id))).toMatchObject({ code: 'draft_exists', status: 409 })
  const sent = await act(author, 'submit', next)
  const meanwhile = await read(policy.id)
  expect(meanwhile).toMatchObject({ status: 'in_review', currentVersionId: version.id, versionLabel: '1.0' })
  // It counts among those in force and among those in review.
  for (const filter of [{ inForce: [true] }, { status: ['in_review'] }])
    expect((await as(author, 'listPolicies', { ...filter, limit: 1 })).data).toMatchObject([
      { id: policy.id, inForce: true },
    ])
  const back = await act(first, 'reject', sent)
  expect(back).toMatchObject({
    status: 'draft',
    contentSha256: null,
    rejectionReason: 'Says nothing of guests',
  })
  expect(await read(policy.id)).toMatchObject({ status: 'published', currentVersionId: version.id })
  const whole = await as(author, 'updatePolicyVersion', { id: next.id, materialChange: true })
  expect(whole.label).toBe('2.0')
  const again = await act(author, 'submit', whole)
  expect(again.round).toBe(2)
  await act(author, 'publish', await act(first, 'approve', again))
  expect(await read(version.id)).toMatchObject({ status: 'superseded' })
  expect(await read(policy.id)).toMatchObject({ currentVersionId: next.id, versionLabel: '2.0' })
  const listed = (await as(author, 'listPolicyVersions', { policyId: [policy.id] })).data as Record[]
  expect(listed.map(({ label, text, content }) => [label, text, content])).toEqual([
    ['2.0', undefined, undefined],
    ['1.0', undefined, undefined],
  ])
})

const VERBS = ['submit', 'withdraw', 'approve', 'reject', 'publish', 'discard'] as const
const LEGAL: { [state: string]: readonly (typeof VERBS)[number][] } = {
  draft: ['submit', 'discard'],
  pending_approval: ['withdraw', 'approve', 'reject'],
  approved: ['withdraw', 'publish'],
  published: [],
  superseded: [],
  discarded: [],
}

test('each act is done in its states, and refused in every other', async () => {
  const versions: { [state: string]: Record } = {
    draft: await draft((await addPolicy()).id),
    pending_approval: (await submitted()).version,
    approved: await act(first, 'approve', (await submitted()).version),
    discarded: await act(author, 'discard', await draft((await addPolicy()).id)),
    published: (await published()).version,
  }
  const retired = await published()
  await as(author, 'retirePolicy', { id: retired.policy.id })
  versions.superseded = retired.version
  for (const [state, version] of Object.entries(versions)) {
    for (const verb of VERBS.filter((one) => !LEGAL[state]!.includes(one))) {
      const by = verb === 'approve' || verb === 'reject' ? first : author
      const error = await refused(
        act(by, verb, {
          ...version,
          contentSha256: version.contentSha256 ?? '0'.repeat(64),
          round: version.round ?? 1,
        }),
      )
      expect(error, `${verb} of ${state}`).toMatchObject({ code: 'conflict', status: 409 })
    }
    if (LEGAL[state]!.length > 0) continue
    const write = (more: object) =>
      refused(as(author, 'updatePolicyVersion', { id: version.id, changelog: 'Another', ...more }))
    expect(await write({}), state).toMatchObject({ code: 'conflict' })
    expect(await write({ status: 'draft' }), state).toMatchObject({ code: 'invalid_transition' })
    expect(await write({ status: 'draft', content: 'Mine' }), state).toMatchObject({
      code: 'invalid_transition',
    })
    expect(await read(version.id), state).toMatchObject({ status: state, text: version.text })
  }
  const status = await refused(as(author, 'updatePolicy', { id: retired.policy.id, status: 'published' }))
  expect(status?.code).toBe('invalid_transition')
})

test('retired, a policy is in force no longer; restored, it is a draft again', async () => {
  const { policy } = await published()
  const retired = await as(author, 'retirePolicy', { id: policy.id })
  expect(retired).toMatchObject({ status: 'retired', currentVersionId: null, reviewDate: null })
  expect(retired.retiredAt).not.toBeNull()
  expect(await refused(draft(policy.id))).toMatchObject({ code: 'conflict' })
  expect(await as(author, 'restorePolicy', { id: policy.id })).toMatchObject({
    status: 'draft',
    retiredAt: null,
  })
  expect((await draft(policy.id)).label).toBe('2.0')
})

test('a decision is on the text that was read: of another one it is refused, and says so', async () => {
  const { policy, version } = await submitted({ extraApproverIds: [second.userId] })
  await act(first, 'approve', version)
  const changed = await as(author, 'updatePolicyVersion', {
    id: version.id,
    content: `${CONTENT}\n\nAnd guests.`,
  })
  expect(changed).toMatchObject({ status: 'draft', contentSha256: null })
  expect((await decisionsOn(version.id)).map(({ status }) => status)).toEqual(['voided', 'voided'])
  const log = (await as(author, 'getPolicyLog', { id: policy.id })).data as { event: string; whose: string }[]
  const nameOf = async ({ userId }: Caller) => (await as(author, 'getUser', { id: userId })).name as string
  const whose = log.filter(({ event }) => event === 'voided').map((each) => each.whose)
  expect(whose.sort()).toEqual([await nameOf(first), await nameOf(second)].sort())
  expect(await read(policy.id)).toMatchObject({ status: 'draft' })
  const anew = await act(author, 'submit', changed)
  for (const verb of ['approve', 'reject']) {
    const error = await refused(act(second, verb, version))
    expect(error, verb).toMatchObject({ code: 'text_changed', status: 409 })
  }
  expect(await act(second, 'approve', anew)).toMatchObject({ status: 'pending_approval' })
  expect(await refused(act(second, 'approve', anew))).toMatchObject({ code: 'conflict' })
  expect(await act(first, 'approve', anew)).toMatchObject({ status: 'approved' })
})

test('a title that is cleared is the name of the policy', async () => {
  const { id } = await draft((await addPolicy()).id, { title: 'Another title' })
  expect(await as(author, 'updatePolicyVersion', { id, title: null })).toMatchObject({
    title: 'Access control',
  })
})

test('nor is one on a title or a change that were others: of another round it is refused', async () => {
  const { version } = await submitted()
  await as(author, 'updatePolicyVersion', { id: version.id, title: 'Another title', materialChange: false })
  const anew = await act(author, 'submit', version)
  expect(anew.contentSha256).toBe(version.contentSha256)
  for (const verb of ['approve', 'reject'])
    expect(await refused(act(first, verb, version)), verb).toMatchObject({
      code: 'text_changed',
      status: 409,
    })
  expect(await act(first, 'approve', anew)).toMatchObject({ status: 'approved', title: 'Another title' })
})

test('whoever approves, rejects and edits at once takes turns, and one outcome stands', async () => {
  for (const others of ['reject', 'edit', 'approve']) {
    const { policy, version } = await submitted({ extraApproverIds: [second.userId], quorum: 'any' })
    const other =
      others === 'edit'
        ? as(author, 'updatePolicyVersion', { id: version.id, content: 'Another text.' })
        : act(second, others, version)
    await Promise.allSettled([act(first, 'approve', version), other])
    const [now, above] = [await read(version.id), await read(policy.id)]
    const decisions = (await decisionsOn(version.id)).map(({ status }) => String(status)).sort()
    expect(above.status, others).toBe(now.status === 'approved' ? 'approved' : 'draft')
    expect(decisions, others).not.toContain('pending')
    if (now.status === 'approved') expect(decisions).toEqual(['approved', 'voided'])
    else expect([now.status, decisions.includes('approved')]).toEqual(['draft', false])
  }
  const { version } = await published()
  const drafts = await Promise.allSettled([1, 2].map(() => draft(String(version.policyId))))
  expect(drafts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('nobody approves alone what they wrote, unless the organization lets them', async () => {
  const own = await addPolicy({ approver: user(author) })
  const version = await draft(own.id)
  expect(await refused(act(author, 'submit', version))).toMatchObject({ code: 'validation_failed' })
  // Who wrote in it is its author as well as who began it.
  const theirs = await draft((await addPolicy()).id)
  await as(first, 'updatePolicyVersion', { id: theirs.id, content: 'All of it anew.' })
  const both = { extraApproverIds: [second.userId], quorum: 'any' }
  await as(author, 'updatePolicy', { id: theirs.policyId, ...both })
  const sent = await act(author, 'submit', theirs)
  expect(await act(first, 'approve', sent)).toMatchObject({ status: 'pending_approval' })
  expect(await act(second, 'approve', sent)).toMatchObject({ status: 'approved' })
  await as(acme.admin, 'updateOrganization', { allowSelfApproval: true })
  const alone = await act(author, 'approve', await act(author, 'submit', version))
  await as(acme.admin, 'updateOrganization', { allowSelfApproval: false })
  expect(alone).toMatchObject({ status: 'approved' })
})

test('only those who are asked decide, and what they are asked by stays until they have', async () => {
  const { policy, version } = await submitted()
  for (const other of [second, author, acme.admin])
    expect(await refused(act(other, 'approve', version))).toMatchObject({ code: 'other_person_required' })
  for (const change of [{ approver: user(second) }, { quorum: 'any' }, { effectiveDate: '2030-01-01' }])
    expect(await refused(as(author, 'updatePolicy', { id: policy.id, ...change }))).toMatchObject({
      code: 'validation_failed',
    })
  const viewer = await acme.person('viewer')
  const late = await draft((await addPolicy({ approver: user(viewer) })).id)
  await as(acme.admin, 'updateUser', { id: viewer.userId, isAuditor: true })
  expect(await refused(act(author, 'submit', late))).toMatchObject({ code: 'validation_failed' })
})

test('a program drafts and submits, and neither decides nor publishes', async () => {
  const door = await one.listen()
  const { secret } = await acme.key(['read:policies', 'write:policies'])
  const send = (path: string, body: object = {}, method = 'POST') =>
    door.send(secret, method, `/v1/${path}`, { body })
  const policy = await send('policies', { name: 'Backups', approver: user(first) })
  const at = `policies/${policy.body.id}/versions`
  const unknown = await send(at, { content: 'By {{policy.secret}}.' })
  expect([unknown.status, unknown.body.errors[0].path]).toEqual([422, 'content'])
  const version = await send(at, { content: 'Copies are made each night.' })
  expect([version.status, version.body.authorId]).toEqual([201, acme.admin.userId])
  // Whoever approves it sees that it was written by one, and that a person wrote in it as well changes nothing of that.
  const programs = [expect.objectContaining({ type: 'api_key' })]
  expect(version.body.programs).toEqual(programs)
  await as(author, 'updatePolicyVersion', { id: version.body.id, content: 'Copies are made every night.' })
  await send(`policy-versions/${version.body.id}`, { content: 'Copies are made nightly.' }, 'PATCH')
  expect(await read(version.body.id)).toMatchObject({
    programs,
    writerIds: [acme.admin.userId, author.userId],
  })
  expect((await send(`policy-versions/${version.body.id}/submit`)).body.status).toBe('pending_approval')
  for (const act of ['approve', 'reject', 'publish'])
    expect((await send(`policy-versions/${version.body.id}/${act}`)).body.code).toBe('session_required')
  expect((await send(`policies/${policy.body.id}/retire`)).body.code).toBe('session_required')
  expect((await send(`policy-versions/${version.body.id}`, {}, 'DELETE')).status).toBe(405)
  // Whom a text in force was approved by, and how many it takes, is a decision as well.
  const inForce = `policies/${(await published()).policy.id}`
  for (const settled of [
    { approver: user(second) },
    { quorum: 'any' },
    { extraApproverIds: [second.userId] },
  ]) {
    const { status, body } = await send(inForce, settled, 'PATCH')
    expect([status, body.errors[0].path]).toEqual([422, Object.keys(settled)[0]])
  }
  expect((await send(inForce, { owner: user(second), quorum: 'all' }, 'PATCH')).status).toBe(200)
})

test('the log tells all of it, the latest first', async () => {
  const { policy, version } = await published()
  await as(author, 'updatePolicy', { id: policy.id, owner: user(second) })
  const log = (await as(author, 'getPolicyLog', { id: policy.id })).data as {
    event: string
    versionId: string | null
  }[]
  expect(log.map(({ event }) => event)).toEqual([
    'owner_changed',
    'published',
    'approved',
    'submitted',
    'edited',
    'created',
  ])
  expect(log[1]!.versionId).toBe(version.id)
})

test('what was in force is kept: only a policy that never was is deleted', async () => {
  const { policy, version } = await submitted()
  await act(author, 'publish', await act(first, 'approve', version))
  await as(author, 'retirePolicy', { id: policy.id })
  expect(await refused(as(acme.admin, 'deletePolicy', { id: policy.id }))).toMatchObject({ code: 'conflict' })
  expect((await read(version.id)).status).toBe('superseded')
  const unread = await submitted()
  await as(acme.admin, 'deletePolicy', { id: unread.policy.id })
  expect(await refused(read(unread.version.id))).toMatchObject({ code: 'not_found' })
})

test('a long text is told by its hash, so that the entries of an hour of writing can be sent', async () => {
  const { id } = await draft((await addPolicy()).id)
  const long = (at: number) => `${at}${' word'.repeat(100_000)}`
  for (const at of [1, 2, 3]) await as(author, 'updatePolicyVersion', { id, content: long(at) })
  await as(author, 'updatePolicyVersion', { id, content: 'Short.' })
  const history = await as(author, 'getPolicyVersionHistory', { id, limit: 100 })
  expect(JSON.stringify(history).length).toBeLessThan(20_000)
  const [short, last] = history.data as { changes: { content: { from: string; to: string } } }[]
  const told = `500001 letters, SHA-256 ${createHash('sha256').update(long(3)).digest('hex')}`
  expect([last!.changes.content.to, short!.changes.content]).toEqual([told, { from: told, to: 'Short.' }])
})

test('an exception is asked for by one and granted by another, and ends by itself', async () => {
  const { policy } = await published()
  const ask = (more: object = {}, by = author) =>
    as(by, 'createPolicyException', {
      policyId: policy.id,
      title: 'An old server',
      justification: 'It is replaced in spring',
      approver: user(first),
      expiresAt: '2098-12-30T00:00:00.000Z',
      ...more,
    })
  expect(await refused(ask({}, first))).toMatchObject({ code: 'validation_failed' })
  const asked = await ask()
  expect(asked).toMatchObject({
    status: 'requested',
    approverId: first.userId,
    requestedBy: { id: author.userId },
  })
  const exceptionAct = (by: Caller, verb: string, more: object = {}) =>
    as(by, `${verb}PolicyException`, { id: asked.id, ...more })
  for (const other of [author, second, acme.admin])
    expect(await refused(exceptionAct(other, 'approve'))).toMatchObject({ code: 'other_person_required' })
  expect(await exceptionAct(first, 'approve')).toMatchObject({ status: 'approved' })
  expect(await refused(exceptionAct(author, 'withdraw', { statusReason: 'No' }))).toMatchObject({
    code: 'conflict',
  })
  expect(await refused(ask({ holder: user(first) }))).toMatchObject({
    members: { errors: [{ path: 'approver' }] },
  })
  const late = await ask()
  await as(acme.admin, 'retirePolicy', { id: policy.id })
  expect(await refused(as(first, 'approvePolicyException', { id: late.id }))).toMatchObject({
    code: 'conflict',
  })
  const clock = deadlineClock(one)
  await clock.at('2098-12-31T12:00:00.000Z')
  await clock.turn()
  expect((await as(author, 'getPolicyException', { id: asked.id })).status).toBe('expired')
})

test('that an exception ended is told to who granted it, asked for it and has it, each once', async () => {
  const { policy } = await published()
  const holder = await acme.person('viewer')
  const { id: personId } = await as(acme.admin, 'createPersonnel', {
    ...{ fullName: 'Who has it', workEmail: 'has-it@acme.example', userId: holder.userId },
  })
  const asked = await as(author, 'createPolicyException', {
    ...{ policyId: policy.id, title: 'An old printer', justification: 'It is replaced in summer' },
    ...{ approver: user(first), holder: { type: 'personnel', refId: personId } },
    expiresAt: '2099-12-30T00:00:00.000Z',
  })
  await as(first, 'approvePolicyException', { id: asked.id })
  await deadlineClock(one).at('2099-12-31T12:00:00.000Z')
  await takeTurn(one.service)
  const told = async (who: Caller) =>
    ((await as(who, 'listNotices')).data as { kind: string; words: string; record: { id: string } | null }[])
      .filter(({ kind, record }) => kind === 'lapsed' && record?.id === asked.id)
      .map(({ words }) => words)
  expect([await told(first), await told(author), await told(holder)]).toEqual([
    ['A policy exception that you see to has expired'],
    ['A policy exception that you asked for has expired'],
    ['A policy exception that was for you has expired'],
  ])
})

test('enough approvals are by how many are asked for, and never by the authors alone', () => {
  const approvers = ['a', 'b', 'c']
  const table = [
    // quorum, count, authors, allowSelfApproval, approvedBy, isApproved
    ['any', null, [], false, [], false],
    ['any', null, [], false, ['b'], true],
    ['any', null, [], false, ['x'], false],
    ['any', null, ['b'], false, ['b'], false],
    ['any', null, ['b'], false, ['b', 'c'], true],
    ['any', null, ['b'], true, ['b'], true],
    ['all', null, [], false, ['a', 'b'], false],
    ['all', null, [], false, ['a', 'b', 'c'], true],
    ['all', null, ['a', 'b'], false, ['a', 'b', 'c'], true],
    ['n', 2, [], false, ['a'], false],
    ['n', 2, [], false, ['a', 'c'], true],
    ['n', 2, ['a', 'c'], false, ['a', 'c'], false],
    ['n', 2, ['a', 'c'], false, ['a', 'b'], true],
    ['n', 2, ['a', 'c'], true, ['a', 'c'], true],
  ] as const
  for (const [quorum, count, authors, allowSelfApproval, approvedBy, is] of table) {
    const told = JSON.stringify([quorum, count, authors, allowSelfApproval, approvedBy])
    expect(isApproved({ quorum, count, approvers, authors, allowSelfApproval }, approvedBy), told).toBe(is)
  }
  const settled = { quorum: 'n', count: 3, approvers, authors: [], allowSelfApproval: false } as const
  expect(refuseApproval(settled)).toBeNull()
  for (const wrong of [{ count: 4 }, { count: null }, { approvers: [] }, { authors: approvers }])
    expect(refuseApproval({ ...settled, ...wrong }), JSON.stringify(wrong)).not.toBeNull()
})

test('a review is so many months later, at the end of a month that is too short', () => {
  for (const [day, frequency, next] of [
    ['2026-01-31', 'monthly', '2026-02-28'],
    ['2026-11-30', 'quarterly', '2027-02-28'],
    ['2026-08-31', 'semiannually', '2027-02-28'],
    ['2028-02-29', 'annually', '2029-02-28'],
    ['2026-12-05', 'biennially', '2028-12-05'],
    ['2026-12-05', 'custom', null],
  ] as const)
    expect(nextReview(day, frequency), `${frequency} from ${day}`).toBe(next)
})

test('a template is read before it becomes a policy, with the requirements that it answers', async () => {
  const template = await as(author, 'getPolicyTemplate', { templateKey: 'backup' })
  const { draftVersionId } = await as(author, 'createPolicyFromTemplate', { templateKey: 'backup' })
  expect(template.content).toBe((await as(author, 'getPolicyVersion', { id: draftVersionId })).content)
  const answers = template.answers as { framework: string; requirements: object[] }[]
  expect(answers.map(({ framework }) => framework)).toEqual(['ISO 27001:2022', 'SOC 2', 'NIST CSF 2.0'])
  expect(answers[0]!.requirements[0]).toEqual({ key: 'A.8.13', title: null })
  const framework = { name: 'ISO 27001', key: 'urn:plumbline:framework:iso-27001', edition: '2022' }
  const { id: frameworkId } = await as(acme.admin, 'createFramework', framework)
  await as(acme.admin, 'createRequirement', { frameworkId, key: 'A.8.13', title: 'Backups' })
  const { answers: then } = await as(author, 'getPolicyTemplate', { templateKey: 'backup' })
  expect((then as typeof answers)[0]!.requirements[0]).toMatchObject({ key: 'A.8.13', title: 'Backups' })
  const program = programOf(author, ['read:policies'])
  expect((await as(program, 'getPolicyTemplate', { templateKey: 'backup' })).answers).toEqual(answers)
})
