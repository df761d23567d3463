import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: whoever is asked to approve a policy can do it, whatever their role; who could not is refused where they are
 * named, by their name and at the field, by whatever way they come.
 */

let one: TestService
let acme: TestOrganization
let editor: Caller
let director: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ;[editor, director] = await Promise.all([acme.person('editor'), acme.person('viewer')])
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
const user = ({ userId }: { userId: string | null }) => ({ type: 'user', refId: userId })
const nameOf = async ({ userId }: Caller) => String((await as(acme.admin, 'getUser', { id: userId })).name)
const ofPolicy = { name: 'Passwords', documentType: 'policy' }

/** A policy whose first version is before its approvers. */
async function submitted(more: object) {
  const policy = await as(editor, 'createPolicy', { ...ofPolicy, ...more })
  const draft = await as(editor, 'createPolicyVersion', { policyId: policy.id, content: 'Twelve letters.' })
  return { policy, version: await as(editor, 'submitPolicyVersion', { id: draft.id }) }
}
const approve = (caller: Caller, { id, contentSha256, round }: Record) =>
  as(caller, 'approvePolicyVersion', { id, contentSha256, round })

test('who runs the organization approves what asks them, and edits nothing', async () => {
  const { policy, version } = await submitted({ approver: user(director) })
  expect(await refused(as(director, 'updatePolicy', { id: policy.id, name: 'Mine' }))).toMatchObject({
    code: 'capability_required',
  })
  expect(await approve(director, version)).toMatchObject({ status: 'approved' })
  expect(await refused(as(director, 'publishPolicyVersion', { id: version.id }))).toMatchObject({
    code: 'capability_required',
  })
  const others = await submitted({ approver: user(acme.admin) })
  expect(await refused(approve(director, others.version))).toMatchObject({ code: 'other_person_required' })
  const rejected = await submitted({ approver: user(director) })
  const { id, contentSha256, round } = rejected.version
  const no = { id, contentSha256, round, comment: 'Fourteen' }
  expect(await as(director, 'rejectPolicyVersion', no)).toMatchObject({ status: 'draft' })
})

describe('who cannot decide is refused where they are named', () => {
  const unfit: { [who: string]: () => Promise<{ userId: string; name: string }> } = {
    auditor: () => limited('isAuditor'),
    'who sees what is theirs': () => limited('selfServiceOnly'),
    'a disabled user': async () => {
      const person = await acme.person('editor')
      await as(acme.admin, 'updateUser', { id: person.userId, status: 'disabled' })
      return { userId: person.userId, name: await nameOf(person) }
    },
  }
  async function limited(flag: 'isAuditor' | 'selfServiceOnly') {
    const person = await acme.person('viewer')
    await as(acme.admin, 'updateUser', { id: person.userId, [flag]: true })
    return { userId: person.userId, name: await nameOf(person) }
  }

  test.each(Object.keys(unfit))('%s', async (who) => {
    const { userId, name } = await unfit[who]!()
    const standing = await as(editor, 'createPolicy', ofPolicy)
    const ways: ((given: object) => Promise<unknown>)[] = [
      (given) => as(editor, 'createPolicy', { ...ofPolicy, ...given }),
      (given) => as(editor, 'updatePolicy', { id: standing.id, ...given }),
    ]
    for (const way of ways) {
      const one = await refused(way({ approver: user({ userId }) }))
      const said = JSON.stringify(one?.members)
      expect(said).toContain('approver')
      expect(said).toContain(name)
      expect(await refused(way({ extraApproverIds: [userId] }))).toMatchObject({
        code: 'validation_failed',
        members: { errors: [{ path: 'extraApproverIds', message: expect.stringContaining(name) }] },
      })
    }
    const { data } = (await as(editor, 'listOwnershipPrincipals', { type: 'user', decidesAs: 'viewer' })) as {
      data?: { refId: string }[]
    }
    const offered = data!.map(({ refId }) => refId)
    expect(offered).toContain(director.userId)
    expect(offered).not.toContain(userId)
  })

  test('somebody of the directory, with the user who they are', async () => {
    const person = { fullName: 'Bo Lind', workEmail: 'bo.lind@example.com' }
    const { id } = await as(acme.admin, 'createPersonnel', { ...person, userId: director.userId })
    const of = (refId: string) =>
      refused(as(editor, 'createPolicy', { ...ofPolicy, approver: { type: 'personnel', refId } }))
    const told = (message: string) => ({
      code: 'validation_failed',
      members: { errors: [{ path: 'approver', message: expect.stringContaining(message) }] },
    })
    expect(await of(id)).toMatchObject(told(`"refId": "${director.userId}"`))
    const alone = await as(acme.admin, 'createPersonnel', { ...person, workEmail: 'other@example.com' })
    expect(await of(alone.id)).toMatchObject(told('Bo Lind of the directory, who does not sign in'))
  })

  test('an import of a file and a template refuse them too', async () => {
    const { userId } = await limited('isAuditor')
    const approver = user({ userId })
    const more = { fileName: 'a.md', name: 'A', content: 'Text.', approver }
    for (const [name, input] of [
      ['createPolicyFromFile', more],
      ['createPolicyFromTemplate', { templateKey: 'backup', approver }],
    ] as const)
      expect(await refused(as(editor, name, input))).toMatchObject({
        members: { errors: [{ path: 'approver.refId' }] },
      })
  })
})

test('whose view is limited later is named as the version is submitted, and keeps nobody from other edits', async () => {
  const late = await acme.person('viewer')
  const given = { approver: user(editor), extraApproverIds: [late.userId] }
  const policy = await as(editor, 'createPolicy', { ...ofPolicy, ...given })
  const draft = await as(editor, 'createPolicyVersion', { policyId: policy.id, content: 'Text.' })
  await as(acme.admin, 'updateUser', { id: late.userId, isAuditor: true })
  await as(editor, 'updatePolicy', { id: policy.id, description: 'For all' })
  expect(await refused(as(editor, 'submitPolicyVersion', { id: draft.id }))).toMatchObject({
    members: {
      errors: [{ path: 'extraApproverIds', message: expect.stringContaining(await nameOf(late)) }],
    },
  })
})

test('nobody grants themselves an exception, by their entry in the directory either', async () => {
  const policy = await as(editor, 'createPolicy', ofPolicy)
  const other = await acme.person('editor')
  const person = { fullName: 'Cy Berg', workEmail: 'cy@example.com', userId: other.userId }
  const { id } = await as(acme.admin, 'createPersonnel', person)
  const asked = {
    ...{ policyId: policy.id, title: 'One server', justification: 'Old', approver: user(other) },
    expiresAt: '2098-12-30T00:00:00.000Z',
  }
  for (const holder of [user(other), { type: 'personnel', refId: id }])
    expect(await refused(as(editor, 'createPolicyException', { ...asked, holder }))).toMatchObject({
      members: { errors: [{ path: 'approver', message: expect.stringContaining('whom it is for') }] },
    })
  // Linked later, they are the same human all the same.
  const stranger = await as(acme.admin, 'createPersonnel', { fullName: 'Di', workEmail: 'di@example.com' })
  const open = { ...asked, holder: { type: 'personnel', refId: stranger.id } }
  const exception = await as(editor, 'createPolicyException', open)
  await as(acme.admin, 'updatePersonnel', { id, userId: null })
  await as(acme.admin, 'updatePersonnel', { id: stranger.id, userId: other.userId })
  expect(await refused(as(other, 'approvePolicyException', { id: exception.id }))).toMatchObject({
    code: 'other_person_required',
  })
})

test('who runs the organization as a viewer decides on the exceptions that name them', async () => {
  const policy = await as(editor, 'createPolicy', ofPolicy)
  const asked = {
    ...{ policyId: policy.id, title: 'One server', justification: 'Old', approver: user(director) },
    expiresAt: '2098-12-30T00:00:00.000Z',
  }
  const [granted, denied] = [
    await as(editor, 'createPolicyException', asked),
    await as(editor, 'createPolicyException', asked),
  ]
  const { data } = (await as(director, 'listWaiting', {})) as { data?: { id: string }[] }
  expect(data!.map(({ id }) => id)).toEqual(expect.arrayContaining([granted.id, denied.id]))
  const other = await acme.person('viewer')
  expect(await refused(as(other, 'approvePolicyException', { id: granted.id }))).toMatchObject({
    code: 'other_person_required',
  })
  expect(await as(director, 'approvePolicyException', { id: granted.id })).toMatchObject({
    status: 'approved',
  })
  const no = { id: denied.id, statusReason: 'Replace it first' }
  expect(await as(director, 'denyPolicyException', no)).toMatchObject({ status: 'denied' })
  const over = { id: granted.id, statusReason: 'Replaced' }
  expect(await as(director, 'revokePolicyException', over)).toMatchObject({ status: 'revoked' })
})

test('what a program asks to be decided names the program, and the person whose key it has', async () => {
  const key = await acme.key(['write:policies'], editor)
  const door = await one.listen()
  const policy = await as(editor, 'createPolicy', { ...ofPolicy, approver: user(director) })
  const draft = await as(editor, 'createPolicyVersion', { policyId: policy.id, content: 'Twelve letters.' })
  const submitting = await door.send(key.secret, 'POST', `/v1/policy-versions/${draft.id}/submit`, {
    body: {},
  })
  expect(submitting.status).toBe(200)
  await submitted({ approver: user(director) })
  const { data } = (await as(director, 'listWaiting', {})) as unknown as {
    data: { under: { id: string }; asked: object }[]
  }
  const ofKey = data.find(({ under }) => under.id === draft.id)!
  const name = await nameOf(editor)
  expect(ofKey.asked).toMatchObject({
    by: name,
    through: expect.any(String),
  })
  expect(data.find((row) => row !== ofKey && row.asked)!.asked).toMatchObject({ by: name, through: null })
})

test('a text that names its approver names all of them', async () => {
  const people = [director, editor, acme.admin]
  const [first, ...further] = people
  const policy = await as(acme.admin, 'createPolicy', {
    ...{ ...ofPolicy, approver: user(first!), extraApproverIds: further.map(({ userId }) => userId) },
  })
  const content = 'Approved by {{policy.approver}}.'
  const draft = await as(acme.admin, 'createPolicyVersion', { policyId: policy.id, content })
  const [ada, bob, cleo] = await Promise.all(people.map(nameOf))
  expect(await as(acme.admin, 'submitPolicyVersion', { id: draft.id })).toMatchObject({
    text: `Approved by ${ada}, ${bob} and ${cleo}.`,
  })
})
