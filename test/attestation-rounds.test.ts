import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindReaders, settleChanged, settleRounds } from '../server/attestations/reminders.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Door } from './support/door.ts'
import { openGuest } from './support/guest.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Who is asked to read a policy stays asked, once, by the same day and by a way that leads there, whatever happens to the
 * text, the audience, the logins and the links meanwhile; and what they said stays what it was.
 */

const DAY = 86_400_000

let one: TestService
let door: Door
let server: MailServer
let acme: TestOrganization
let approver: Caller
let editor: Caller

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url, TRUSTED_PROXIES: '127.0.0.1' })
  door = await one.listen()
  acme = await one.organization()
  ;[approver, editor] = [await acme.person('editor'), await acme.person('editor')]
})
afterAll(async () => {
  await one.close()
  await server.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
const ask = async (who: Caller, name: string, input: object = {}): Promise<any> =>
  ((await one.call(who, name, input)) as { body: unknown }).body
const refused = (who: Caller, name: string, input: object) =>
  one.call(who, name, input).then(
    () => 'done',
    ({ code }) => code,
  )

const addressOf = (department: string) => `${department.toLowerCase()}@acme.example`
const person = async (department: string, more: object = {}): Promise<string> =>
  (
    await ask(acme.admin, 'createPersonnel', {
      ...{ fullName: `Reader of ${department}`, workEmail: addressOf(department), department, ...more },
    })
  ).id

async function approved(policyId: string, given: object): Promise<string> {
  const { id } = await ask(acme.admin, 'createPolicyVersion', { policyId, ...given })
  const { contentSha256 } = await ask(acme.admin, 'submitPolicyVersion', { id })
  await ask(approver, 'approvePolicyVersion', { id, contentSha256 })
  return id
}

async function publish(policyId: string, given: object): Promise<string> {
  const id = await approved(policyId, given)
  await ask(acme.admin, 'publishPolicyVersion', { id })
  return id
}

/** A policy in force for one department. */
async function policyFor(department: string, given: object = {}): Promise<{ id: string; versionId: string }> {
  const { id } = await ask(acme.admin, 'createPolicy', {
    ...{ name: `Rules of ${department}`, approver: { type: 'user', refId: approver.userId } },
    ...{ requiresAttestation: true, attestationDueDays: 14 },
    ...{ audience: 'departments', audienceIds: [department], ...given },
  })
  return { id, versionId: await publish(id, { content: 'Be careful.' }) }
}

const round = (policyId: string) => ask(acme.admin, 'listAttestations', { policyId })
const only = async (policyId: string) => (await round(policyId)).data[0]
const mailsTo = (department: string) => server.mails.filter(({ to }) => to === addressOf(department)).length
const mailed = (department: string) => server.next(addressOf(department))

/** Reads by a link, proves the mailbox, and agrees. */
async function acknowledgeBy(link: string, address: string): Promise<void> {
  const guest = openGuest(door)
  await guest.open(link)
  const { body: read } = await guest.call('readPolicyAsGuest')
  await guest.call('sendGuestCode')
  const [code] = /^\d{6}/.exec((await server.next(address)).subject)!
  await guest.call('confirmGuestCode', { code })
  const said = { contentSha256: read.contentSha256, isAgreed: true, reachedEnd: true }
  expect((await guest.call('acknowledgePolicyAsGuest', said)).body.status).toBe('acknowledged')
}

test('a version is published beside the clock, and nobody it asks is left out or asked twice', async () => {
  for (let each = 0; each < 12; each++) await person('Race', { workEmail: `race-${each}@acme.example` })
  const { id } = await policyFor('Race')
  for (const content of ['One.', 'Two.', 'Three.']) {
    const version = await approved(id, { content })
    await Promise.all([
      ask(acme.admin, 'publishPolicyVersion', { id: version }),
      ...Array.from({ length: 4 }, () => settleRounds(one.service)),
    ])
    expect((await round(id)).counts).toMatchObject({ requested: 12, cancelled: 0 })
  }
})

describe('who is asked has a way to the text', () => {
  test('by a link once they sign in no more, and in the app once they do', async () => {
    const member = await acme.person('viewer')
    const personId = await person('Leave', { userId: member.userId })
    const { id } = await policyFor('Leave')
    expect(await only(id)).toMatchObject({ signsIn: true, reminders: 1 })
    await one.administrator.query(`update members set status = 'disabled' where user_id = $1`, [
      member.userId,
    ])
    await one.moveClock(12 * DAY)
    await remindReaders(one.service)
    expect(await only(id)).toMatchObject({ signsIn: true, reminders: 1 })
    await settleRounds(one.service)
    await remindReaders(one.service)
    expect((await openGuest(door).open((await mailed('Leave')).link)).status).toBe(200)
    expect(await only(id)).toMatchObject({ signsIn: false, reminders: 2, person: { id: personId } })
    await one.administrator.query(`update members set status = 'active' where user_id = $1`, [member.userId])
    await settleRounds(one.service)
    expect((await ask(member, 'listMyAttestations')).data).toHaveLength(1)
    expect(await only(id)).toMatchObject({ signsIn: true })
  })

  test('which nobody is given by a clock whose pass was revoked, but by who reminds', async () => {
    await person('Revoked')
    const { id, versionId } = await policyFor('Revoked')
    await remindReaders(one.service)
    await mailed('Revoked')
    const { data } = await ask(acme.admin, 'listGuestPasses', { recordId: versionId })
    await ask(acme.admin, 'revokeGuestPass', { id: data[0].id })
    await one.moveClock(12 * DAY)
    await settleRounds(one.service)
    await remindReaders(one.service)
    expect([mailsTo('Revoked'), (await only(id)).reminders]).toEqual([1, 1])
    expect(await ask(acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({ reminded: 1 })
    await remindReaders(one.service)
    expect((await openGuest(door).open((await mailed('Revoked')).link)).status).toBe(200)
  })

  test('and of an organization that is suspended nobody is written to', async () => {
    await person('Suspended')
    const { id } = await policyFor('Suspended')
    const suspend = (status: string) =>
      one.administrator.query('update organizations set status = $1 where id = $2', [status, acme.id])
    await suspend('suspended')
    await remindReaders(one.service)
    await suspend('active')
    expect([mailsTo('Suspended'), (await only(id)).reminders]).toEqual([0, 0])
    await one.moveClock(2 * 3_600_000)
    await remindReaders(one.service)
    expect((await openGuest(door).open((await mailed('Suspended')).link)).status).toBe(200)
  })
})

describe('who is late stays late', () => {
  test('when a letter is corrected, and reads the correction by the same link', async () => {
    await person('Minor')
    const { id } = await policyFor('Minor')
    await remindReaders(one.service)
    const { link } = await mailed('Minor')
    await one.moveClock(40 * DAY)
    const before = await only(id)
    expect(before).toMatchObject({ isOverdue: true, version: '1.0' })
    const guest = openGuest(door)
    await guest.open(link)
    const { body: read } = await guest.call('readPolicyAsGuest')
    await publish(id, { content: 'Be careful!', materialChange: false })
    expect((await round(id)).data).toMatchObject([
      { id: before.id, version: '1.1', dueDate: before.dueDate, isOverdue: true, status: 'requested' },
    ])
    const said = { contentSha256: read.contentSha256, isAgreed: true, reachedEnd: true }
    expect((await guest.call('acknowledgePolicyAsGuest', said)).body.code).toBe('identity_unconfirmed')
    expect((await guest.call('readPolicyAsGuest')).body.text).toBe('Be careful!')
    await acknowledgeBy(link, addressOf('Minor'))
  })

  test('when a program takes the policy from them and gives it back', async () => {
    await person('Audience')
    const { id } = await policyFor('Audience')
    await one.moveClock(30 * DAY)
    const { dueDate } = await only(id)
    const { secret } = await acme.key(['read:policies', 'write:policies'])
    for (const requiresAttestation of [false, true]) {
      await door.send(secret, 'PATCH', `/v1/policies/${id}`, { body: { requiresAttestation } })
      await settleRounds(one.service)
    }
    expect(await only(id)).toMatchObject({ status: 'requested', dueDate, isOverdue: true })
  })
})

test('nobody is told twice of one publication, nor within an hour', async () => {
  const member = await acme.person('viewer')
  await person('Twice', { userId: member.userId })
  const { id } = await policyFor('Twice', { attestationDueDays: 2 })
  await remindReaders(one.service)
  expect(await ask(acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({ reminded: 0 })
  await remindReaders(one.service)
  expect((await ask(member, 'listNotices')).data).toHaveLength(1)
  await one.moveClock(3_600_000)
  for (const reminded of [1, 0])
    expect(await ask(acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({ reminded })
})

describe('what one is stopped by stops nobody else', () => {
  test('a full mailbox', async () => {
    await person('Full')
    for (const each of [1, 2]) await person('Free', { workEmail: `free-${each}@acme.example` })
    const { id } = await policyFor('Full')
    await policyFor('Free')
    await one.administrator.query('update attestations set told_at = null where policy_id <> $1', [id])
    await policyFor('Free')
    server.answer((command) =>
      command.startsWith(`RCPT TO:<${addressOf('Full')}`) ? '452 4.2.2 mailbox full' : undefined,
    )
    await remindReaders(one.service)
    for (const each of [1, 2]) await server.next(`free-${each}@acme.example`)
    for (let turn = 0; turn < 10; turn++) {
      await one.moveClock(2 * DAY)
      await remindReaders(one.service)
    }
    server.answer(() => undefined)
    await one.moveClock(2 * DAY)
    await remindReaders(one.service)
    expect([mailsTo('Full'), (await only(id)).reminders]).toEqual([0, 0])
    expect(await ask(acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({ reminded: 1 })
    await remindReaders(one.service)
    await mailed('Full')
  })

  test('an organization whose round fails', async () => {
    const other = await one.organization()
    await person('Fails')
    const { id } = await ask(other.admin, 'createPolicy', {
      ...{ name: 'Of others', requiresAttestation: true, audience: 'everyone' },
      approver: { type: 'user', refId: (await other.person('editor')).userId },
    })
    const asked = await policyFor('Fails', { requiresAttestation: false })
    for (const [policyId, fails] of [
      [id, true],
      [asked.id, false],
    ])
      await one.administrator.query(
        `update policies set requires_attestation = true, name = case when $2 then 'Fails' else name end where id = $1`,
        [policyId, fails],
      )
    await one.administrator.query(`create function fail() returns trigger language plpgsql as
      $$ begin if new.policy_id <> '${asked.id}' then raise exception 'it fails'; end if; return new; end $$`)
    await one.administrator.query(
      'create trigger fails before insert or update on attestations for each row execute function fail()',
    )
    await settleRounds(one.service)
    await one.administrator.query('drop trigger fails on attestations; drop function fail()')
    expect((await only(asked.id)).status).toBe('requested')
  })
})

test('whom a policy asks follows within a minute of its change, and so does what they were told', async () => {
  const member = await acme.person('viewer')
  await person('Follow', { userId: member.userId })
  const { id } = await policyFor('Follow')
  const isTold = async () => (await ask(member, 'listNotices')).data.length > 0
  expect(await isTold()).toBe(true)
  await ask(acme.admin, 'updatePolicy', { id, requiresAttestation: false })
  await settleChanged(one.service)
  expect([(await only(id)).status, await isTold()]).toEqual(['cancelled', false])
})

describe('what somebody said', () => {
  test('is kept with who they were and as whom they acted, and is not deleted with them', async () => {
    const personId = await person('Proof')
    const { id, versionId } = await policyFor('Proof')
    // Somebody puts a mailbox of their own into the directory, and reads in the name of another.
    await ask(editor, 'updatePersonnel', { id: personId, workEmail: 'mine@acme.example' })
    const { data } = await ask(editor, 'listGuestPasses', { recordId: versionId })
    await ask(editor, 'sendGuestLink', { id: data[0].id })
    await acknowledgeBy((await server.next('mine@acme.example')).link, 'mine@acme.example')
    await ask(editor, 'updatePersonnel', { id: personId, workEmail: addressOf('Proof'), fullName: 'Changed' })
    expect(await only(id)).toMatchObject({
      person: { id: personId, name: 'Reader of Proof', email: 'mine@acme.example' },
      acknowledgedBy: { type: 'guest', id: personId },
    })
    const entries = await ask(acme.admin, 'listAuditLog', { action: ['attestation.acknowledge'], limit: 1 })
    expect(entries.data[0].changes).toMatchObject({
      personId: { to: personId },
      email: { to: 'mine@acme.example' },
      sha256: { to: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const { secret } = await acme.key(['read:personnel', 'write:personnel'])
    const answer = await door.send(secret, 'DELETE', `/v1/personnel/${personId}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })

  test('in the place of another names the user who did', async () => {
    const personId = await person('Place')
    const { id } = await policyFor('Place')
    await ask(editor, 'updatePersonnel', { id: personId, userId: editor.userId })
    await settleRounds(one.service)
    const { data } = await ask(editor, 'listMyAttestations')
    const { contentSha256 } = await ask(editor, 'readMyAttestation', { id: data[0].id })
    const said = { id: data[0].id, contentSha256, isAgreed: true, reachedEnd: true }
    await ask(editor, 'acknowledgeMyAttestation', said)
    await ask(editor, 'updatePersonnel', { id: personId, userId: null })
    expect(await only(id)).toMatchObject({ acknowledgedBy: { type: 'user', id: editor.userId } })
  })
})

test('whoever has a forwarded link spends no codes of its owner', async () => {
  await person('Forwarded')
  await policyFor('Forwarded')
  await remindReaders(one.service)
  const { link } = await mailed('Forwarded')
  const codeFrom = async (ip: string) => {
    const guest = openGuest(door)
    await guest.open(link)
    return guest.call('sendGuestCode', {}, { 'x-forwarded-for': ip })
  }
  const thief = async () => (await codeFrom('203.0.113.7')).status
  for (let hour = 0; hour < 4; hour++) {
    const asked = []
    for (let each = 0; each < 6; each++) asked.push(await thief())
    expect(asked).toEqual(hour < 3 ? [200, 200, 200, 200, 200, 429] : [429, 429, 429, 429, 429, 429])
    await one.moveClock(3_601_000)
  }
  const over = await codeFrom('203.0.113.7')
  expect([over.body.retryAfter, over.body.detail]).toEqual([
    undefined,
    expect.stringContaining('next reminder'),
  ])
  expect((await codeFrom('198.51.100.9')).status).toBe(200)
  await one.moveClock(12 * DAY)
  await remindReaders(one.service)
  expect(await thief()).toBe(200)
})

test('who reads while the next version is published is told that nothing is asked about theirs', async () => {
  const member = await acme.person('viewer')
  await person('While', { userId: member.userId })
  const { id } = await policyFor('While')
  const [{ id: mine }] = (await ask(member, 'listMyAttestations')).data
  const { contentSha256 } = await ask(member, 'readMyAttestation', { id: mine })
  await publish(id, { content: 'All of it is new.' })
  const said = { id: mine, contentSha256, isAgreed: true, reachedEnd: true }
  expect(await refused(member, 'acknowledgeMyAttestation', said)).toBe('conflict')
})

test('what changed is approved with the text, and a retired policy stays retired', async () => {
  const { id } = await policyFor('Changed')
  const version = await approved(id, { content: 'Two.', changelog: 'Nothing much' })
  const after = await ask(editor, 'updatePolicyVersion', { id: version, changelog: 'You need not read this' })
  expect(after.status).toBe('draft')
  expect(await refused(acme.admin, 'publishPolicyVersion', { id: version })).not.toBe('done')
  await ask(acme.admin, 'retirePolicy', { id })
  expect(await refused(editor, 'submitPolicyVersion', { id: version })).toBe('conflict')
  expect((await ask(acme.admin, 'getPolicy', { id })).status).toBe('retired')
})
