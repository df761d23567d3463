import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import type { Caller } from '../server/caller/caller.ts'
import { openGuest } from './support/guest.ts'
import { addressOf, consentTo, type Rounds, startRounds } from './support/rounds.ts'
import { startTestService } from './support/service.ts'

/*
 * An acknowledgement proves something: that this person, and nobody in their name, said it of the text that is in force.
 */

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds.close())

const asked = async (department: string) => ({
  personId: await rounds.person(department),
  ...(await rounds.policyFor(department)),
})

test('of two links in one browser, what is ticked under the first is not said of the second', async () => {
  const first = await asked('Two')
  const second = await rounds.policyFor('Two')
  await remindReaders(rounds.one.service)
  const links = [(await rounds.mailed('Two')).link, (await rounds.mailed('Two')).link]
  const browser = openGuest(rounds.door)
  await browser.open(links[0]!)
  const { body: read } = await browser.call('readPolicyAsGuest')
  await browser.open(links[1]!)
  const { body: other } = await browser.call('readPolicyAsGuest')
  expect(other).toMatchObject({ contentSha256: read.contentSha256 })
  expect(new Set([read.policyId, other.policyId])).toEqual(new Set([first.id, second.id]))
  await rounds.prove(browser, addressOf('Two'))
  const { status, body } = await browser.call('acknowledgePolicyAsGuest', consentTo(read))
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.detail).toContain('Another link')
  for (const { id } of [first, second])
    expect((await rounds.round(id)).data).toMatchObject([{ acknowledgedAt: null }])
  expect((await browser.call('acknowledgePolicyAsGuest', consentTo(other))).body.status).toBe('acknowledged')
})

describe('the proof that a guest gave', () => {
  test('is kept with what they said: their mailbox', async () => {
    const { id } = await asked('Proof')
    await remindReaders(rounds.one.service)
    await rounds.acknowledgeBy((await rounds.mailed('Proof')).link, addressOf('Proof'))
    expect((await rounds.round(id)).data).toMatchObject([{ acknowledgedBy: { proof: 'mailbox' } }])
  })

  test('or, where links are handed over, that there was none', async () => {
    const one = await startTestService()
    try {
      const door = await one.listen()
      const acme = await one.organization()
      const as = async (who: Caller, name: string, input: object) =>
        // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
        ((await one.call(who, name, input)) as { body: any }).body
      const approver = await acme.person('editor')
      await as(acme.admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@acme.example' })
      const policy = await as(acme.admin, 'createPolicy', {
        ...{ name: 'Acceptable use', approver: { type: 'user', refId: approver.userId } },
        ...{ requiresAttestation: true, audience: 'everyone' },
      })
      const { id } = await as(acme.admin, 'createPolicyVersion', {
        policyId: policy.id,
        content: 'Be careful.',
      })
      const sent = await as(acme.admin, 'submitPolicyVersion', { id })
      const read = { contentSha256: sent.contentSha256, round: sent.round }
      await as(approver, 'approvePolicyVersion', { id, ...read })
      await as(acme.admin, 'publishPolicyVersion', { id })
      const { data } = await as(acme.admin, 'listGuestPasses', { recordId: id })
      const { link } = await as(acme.admin, 'sendGuestLink', { id: data[0].id })
      const guest = openGuest(door)
      await guest.open(link)
      const { body: shown } = await guest.call('readPolicyAsGuest')
      expect((await guest.call('acknowledgePolicyAsGuest', consentTo(shown))).body.status).toBe(
        'acknowledged',
      )
      const { data: round } = await as(acme.admin, 'listAttestations', { policyId: policy.id })
      expect(round).toMatchObject([{ acknowledgedBy: { proof: 'link' } }])
    } finally {
      await one.close()
    }
  })
})

test('nobody but an admin says that a person signs in by another address than theirs', async () => {
  const { acme, ask } = rounds
  const editor = await acme.person('editor')
  const personId = await rounds.person('Other')
  await expect(ask(editor, 'updatePersonnel', { id: personId, userId: editor.userId })).rejects.toMatchObject(
    {
      code: 'validation_failed',
      members: { errors: [{ path: 'userId', message: expect.stringContaining('let an admin link them') }] },
    },
  )
  const { secret } = await acme.key(['read:personnel', 'write:personnel'])
  const { status } = await rounds.door.send(secret, 'PATCH', `/v1/personnel/${personId}`, {
    body: { userId: editor.userId },
  })
  expect(status).toBe(422)
  const { rows } = await rounds.one.administrator.query<{ email: string }>(
    'select u.email from users u join members m on m.account_id = u.id where m.user_id = $1',
    [editor.userId],
  )
  const own = { fullName: 'Ed', workEmail: rows[0]!.email.toUpperCase(), userId: editor.userId }
  expect(await ask(editor, 'createPersonnel', own)).toMatchObject({ userId: editor.userId })
  const further = await acme.person('viewer')
  expect(await ask(acme.admin, 'updatePersonnel', { id: personId, userId: further.userId })).toMatchObject({
    userId: further.userId,
  })
})

test('a text that was changed past the service is neither read nor said, published nor exported', async () => {
  const { id, versionId } = await asked('Forged')
  await remindReaders(rounds.one.service)
  const guest = openGuest(rounds.door)
  await guest.open((await rounds.mailed('Forged')).link)
  const { body: read } = await guest.call('readPolicyAsGuest')
  await rounds.prove(guest, addressOf('Forged'))
  await rounds.one.administrator.query("update policy_versions set text = text || '.' where id = $1", [
    versionId,
  ])
  const changed = {
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('in the database') },
  }
  expect(await guest.call('readPolicyAsGuest')).toMatchObject(changed)
  expect(await guest.call('acknowledgePolicyAsGuest', consentTo(read))).toMatchObject(changed)
  await expect(
    rounds.ask(rounds.acme.admin, 'exportPolicyVersion', { id: versionId, format: 'pdf' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  expect((await rounds.round(id)).data).toMatchObject([{ acknowledgedAt: null }])
})
