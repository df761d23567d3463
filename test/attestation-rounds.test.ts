import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindReaders, settleChanged, settleRounds } from '../server/attestations/reminders.ts'
import type { Caller } from '../server/caller/caller.ts'
import { programOf } from './support/callers.ts'
import { openGuest } from './support/guest.ts'
import { addressOf, type Rounds, startRounds } from './support/rounds.ts'

/*
 * Who is asked to read a policy stays asked, once, by the same day and by a way that leads there, whatever happens to the
 * text, the audience, the logins and the links meanwhile.
 */

const DAY = 86_400_000

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds?.close())

test('a version is published beside the clock, and nobody it asks is left out or asked twice', async () => {
  for (let each = 0; each < 12; each++)
    await rounds.person('Race', { workEmail: `race-${each}@rounds.acme.example` })
  const { id } = await rounds.policyFor('Race')
  for (const content of ['One.', 'Two.', 'Three.']) {
    const version = await rounds.approved(id, { content })
    await Promise.all([
      rounds.ask(rounds.acme.admin, 'publishPolicyVersion', { id: version }),
      ...Array.from({ length: 4 }, () => settleRounds(rounds.one.service)),
    ])
    expect((await rounds.round(id)).counts).toMatchObject({ requested: 12, cancelled: 0 })
  }
})

test('whom publishing a version asks is told before, and who of them is found by name', async () => {
  const member = await rounds.acme.person('viewer')
  await rounds.person('Counted', { userId: member.userId, workEmail: 'signs-in@acme.example' })
  await rounds.person('Counted')
  const { id, versionId } = await rounds.policyFor('Counted')
  const asked = (version: string) => rounds.ask(rounds.editor, 'getPolicyVersionAudience', { id: version })
  const all = { isAsked: true, people: 2, byLink: 1, sendsMail: true }
  expect(await asked(versionId)).toMatchObject(all)
  const [{ id: mine, contentSha256 }] = await readBy(member)
  await rounds.ask(member, 'acknowledgeMyAttestation', {
    ...{ id: mine, contentSha256, isAgreed: true, reachedEnd: true },
  })
  const minor = await rounds.approved(id, { content: 'Be careful!', materialChange: false })
  // A correction mails nobody who was asked before; whose link was revoked hears nothing either.
  expect(await asked(minor)).toMatchObject({ ...all, people: 1, told: 0, toldByLink: 0 })
  await rounds.ask(rounds.acme.admin, 'discardPolicyVersion', {
    id: (await rounds.ask(rounds.acme.admin, 'withdrawPolicyVersion', { id: minor })).id,
  })
  const major = await rounds.approved(id, { content: 'All of it is new.' })
  expect(await asked(major)).toMatchObject({ ...all, told: 2, toldByLink: 1 })
  const passId = (await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })).data[0].id
  await rounds.ask(rounds.acme.admin, 'revokeGuestPass', { id: passId })
  expect(await asked(versionId)).toMatchObject({ told: 0, toldByLink: 0 })
  const found = async (q: string) =>
    (await rounds.ask(rounds.acme.admin, 'listAttestations', { policyId: id, q })).data.length
  expect([await found('SIGNS-in'), await found('counted'), await found('100%')]).toEqual([1, 2, 0])
  // Who may not read the directory does not find out who is in it.
  const program = programOf(rounds.editor, ['read:policies'])
  expect(await rounds.refused(program, 'listAttestations', { policyId: id, q: 'signs' })).toBe(
    'insufficient_scope',
  )
  await rounds.ask(rounds.acme.admin, 'updatePolicy', { id, requiresAttestation: false })
  expect(await asked(major)).toMatchObject({ isAsked: false, people: 0, byLink: 0 })
})

const readBy = async (member: Caller) => {
  const { data } = await rounds.ask(member, 'listMyAttestations')
  return Promise.all(data.map(({ id }: { id: string }) => rounds.ask(member, 'readMyAttestation', { id })))
}

describe('who is asked has a way to the text', () => {
  test('by a link once they sign in no more, and in the app once they do', async () => {
    const member = await rounds.acme.person('viewer')
    const personId = await rounds.person('Leave', { userId: member.userId })
    const { id } = await rounds.policyFor('Leave')
    expect(await rounds.only(id)).toMatchObject({ signsIn: true, reminders: 1 })
    await rounds.one.administrator.query(`update members set status = 'disabled' where user_id = $1`, [
      member.userId,
    ])
    await rounds.one.moveClock(12 * DAY)
    await remindReaders(rounds.one.service)
    expect(await rounds.only(id)).toMatchObject({ signsIn: true, reminders: 1 })
    await settleRounds(rounds.one.service)
    await remindReaders(rounds.one.service)
    expect((await openGuest(rounds.door).open((await rounds.mailed('Leave')).link)).status).toBe(200)
    expect(await rounds.only(id)).toMatchObject({ signsIn: false, reminders: 2, person: { id: personId } })
    await rounds.one.administrator.query(`update members set status = 'active' where user_id = $1`, [
      member.userId,
    ])
    await settleRounds(rounds.one.service)
    expect((await rounds.ask(member, 'listMyAttestations')).data).toHaveLength(1)
    expect(await rounds.only(id)).toMatchObject({ signsIn: true })
  })

  test('which nobody is given by a clock whose pass was revoked, but by who reminds', async () => {
    await rounds.person('Revoked')
    const { id, versionId } = await rounds.policyFor('Revoked')
    await remindReaders(rounds.one.service)
    await rounds.mailed('Revoked')
    const { data } = await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })
    expect(await rounds.only(id)).toMatchObject({ link: 'open' })
    await rounds.ask(rounds.acme.admin, 'revokeGuestPass', { id: data[0].id })
    expect(await rounds.only(id)).toMatchObject({ link: 'revoked' })
    const [told] = (await rounds.ask(rounds.editor, 'getPolicyLog', { id })).data
    expect(told).toMatchObject({ event: 'link_revoked', whose: 'Reader of Revoked' })
    const { secret } = await rounds.acme.key(['read:policies'])
    const { body } = await rounds.door.send(secret, 'GET', `/v1/policies/${id}/log`)
    expect(body.data[0]).toMatchObject({ event: 'link_revoked', whose: null })
    await rounds.one.moveClock(12 * DAY)
    await settleRounds(rounds.one.service)
    await remindReaders(rounds.one.service)
    expect([rounds.mailsTo('Revoked'), (await rounds.only(id)).reminders]).toEqual([1, 1])
    expect(await rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({
      reminded: 1,
    })
    await remindReaders(rounds.one.service)
    expect((await openGuest(rounds.door).open((await rounds.mailed('Revoked')).link)).status).toBe(200)
  })

  test('and of an organization that is suspended nobody is written to', async () => {
    await rounds.person('Suspended')
    const { id } = await rounds.policyFor('Suspended')
    const suspend = (status: string) =>
      rounds.one.administrator.query('update organizations set status = $1 where id = $2', [
        status,
        rounds.acme.id,
      ])
    await suspend('suspended')
    await remindReaders(rounds.one.service)
    await suspend('active')
    expect([rounds.mailsTo('Suspended'), (await rounds.only(id)).reminders]).toEqual([0, 0])
    await rounds.one.moveClock(2 * 3_600_000)
    await remindReaders(rounds.one.service)
    expect((await openGuest(rounds.door).open((await rounds.mailed('Suspended')).link)).status).toBe(200)
  })
})

describe('who is late stays late', () => {
  test('when a letter is corrected, and reads the correction by the same link', async () => {
    await rounds.person('Minor')
    const { id } = await rounds.policyFor('Minor')
    await remindReaders(rounds.one.service)
    const { link } = await rounds.mailed('Minor')
    await rounds.one.moveClock(40 * DAY)
    const before = await rounds.only(id)
    expect(before).toMatchObject({ isOverdue: true, version: '1.0' })
    const guest = openGuest(rounds.door)
    await guest.open(link)
    const { body: read } = await guest.call('readPolicyAsGuest')
    await rounds.publish(id, { content: 'Be careful!', materialChange: false })
    expect((await rounds.round(id)).data).toMatchObject([
      { id: before.id, version: '1.1', dueDate: before.dueDate, isOverdue: true, status: 'requested' },
    ])
    const said = { id: read.id, contentSha256: read.contentSha256, isAgreed: true, reachedEnd: true }
    expect((await guest.call('acknowledgePolicyAsGuest', said)).body.code).toBe('identity_unconfirmed')
    expect((await guest.call('readPolicyAsGuest')).body.text).toBe('Be careful!')
    await rounds.acknowledgeBy(link, addressOf('Minor'))
  })

  test('when a program takes the policy from them and gives it back', async () => {
    await rounds.person('Audience')
    const { id } = await rounds.policyFor('Audience')
    await rounds.one.moveClock(30 * DAY)
    const { dueDate } = await rounds.only(id)
    const { secret } = await rounds.acme.key(['read:policies', 'write:policies'])
    for (const requiresAttestation of [false, true]) {
      await rounds.door.send(secret, 'PATCH', `/v1/policies/${id}`, { body: { requiresAttestation } })
      await settleRounds(rounds.one.service)
    }
    expect(await rounds.only(id)).toMatchObject({ status: 'requested', dueDate, isOverdue: true })
  })
})

test('whom a policy asks follows within a minute of its change, and so does what they were told', async () => {
  const member = await rounds.acme.person('viewer')
  await rounds.person('Follow', { userId: member.userId })
  const { id } = await rounds.policyFor('Follow')
  const isTold = async () => (await rounds.ask(member, 'listNotices')).data.length > 0
  expect(await isTold()).toBe(true)
  await rounds.ask(rounds.acme.admin, 'updatePolicy', { id, requiresAttestation: false })
  await settleChanged(rounds.one.service)
  expect([(await rounds.only(id)).status, await isTold()]).toEqual(['cancelled', false])
})

test('what changed is approved with the text, and a retired policy stays retired', async () => {
  const { id } = await rounds.policyFor('Changed')
  const version = await rounds.approved(id, { content: 'Two.', changelog: 'Nothing much' })
  const after = await rounds.ask(rounds.editor, 'updatePolicyVersion', {
    id: version,
    changelog: 'You need not read this',
  })
  expect(after.status).toBe('draft')
  expect(await rounds.refused(rounds.acme.admin, 'publishPolicyVersion', { id: version })).not.toBe('done')
  await rounds.ask(rounds.acme.admin, 'retirePolicy', { id })
  expect(await rounds.refused(rounds.editor, 'submitPolicyVersion', { id: version })).toBe('conflict')
  expect((await rounds.ask(rounds.acme.admin, 'getPolicy', { id })).status).toBe('retired')
})

// The last one: it asks everybody.
test('active members who are not in the directory are counted before everybody is asked', async () => {
  const { id, versionId } = await rounds.policyFor('Outside')
  const asked = async () =>
    (await rounds.ask(rounds.editor, 'getPolicyVersionAudience', { id: versionId })).membersOutside
  // Where a department is asked, members elsewhere are not counted.
  expect(await asked()).toBe(0)
  await rounds.ask(rounds.acme.admin, 'updatePolicy', { id, audience: 'everyone', audienceIds: [] })
  const before = await asked()
  const member = await rounds.acme.person('viewer')
  expect(await asked()).toBe(before + 1)
  await rounds.person('Outside', { userId: member.userId, workEmail: 'outside@acme.example' })
  expect(await asked()).toBe(before)
})
