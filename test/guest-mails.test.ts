import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders, settleChanged } from '../server/attestations/reminders.ts'
import { openGuest } from './support/guest.ts'
import { addressOf, type Rounds, startRounds } from './support/rounds.ts'
import { until } from './support/until.ts'

/*
 * Promise: a mail to a guest that comes back is seen where they are asked, told to whoever asked, and stands in the mail
 * log as every mail to guests does, which has neither links nor codes.
 */

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds?.close())

const refuses = (address: string) =>
  rounds.server.answer((command) =>
    command.startsWith(`RCPT TO:<${address}`) ? '550 5.1.1 secret words: no such user' : undefined,
  )
const takesAll = () => rounds.server.answer(() => undefined)
const remind = (policyId: string) => rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId })
const logged = async (address: string) =>
  (await rounds.ask(rounds.acme.admin, 'listMails')).data.filter(
    (mail: { address: string }) => mail.address === address,
  )
const passOf = async (recordId: string) =>
  (await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId })).data[0]
const noticesOf = async (who: Parameters<Rounds['ask']>[0]) =>
  (await rounds.ask(who, 'listNotices')).data.map(({ kind }: { kind: string }) => kind)

const FAILURE = 'The mail server takes no mail for this address. (550 5.1.1)'

test('one that comes back is told in the round, at the pass, by Remind, and to whoever asked', async () => {
  refuses(addressOf('Gone'))
  await rounds.person('Gone')
  const { id, versionId } = await rounds.policyFor('Gone', {
    owner: { type: 'user', refId: rounds.editor.userId },
  })
  await remindReaders(rounds.one.service)
  expect(await rounds.only(id)).toMatchObject({ status: 'requested', mailFailure: FAILURE })
  expect(await passOf(versionId)).toMatchObject({ state: 'open', mailFailure: FAILURE })
  expect(await logged(addressOf('Gone'))).toMatchObject([
    { about: 'guest_link', name: 'Reader of Gone', state: 'refused', failure: FAILURE, dueAt: null },
  ])
  expect(await noticesOf(rounds.acme.admin)).toContain('address_bounced')
  expect(await noticesOf(rounds.editor)).toContain('not_reached')
  expect(await remind(id)).toMatchObject({
    returned: [{ name: 'Reader of Gone', failure: FAILURE }],
  })
  await remindReaders(rounds.one.service)
  // Once more of the same address is no news.
  const admins = (await noticesOf(rounds.acme.admin)).filter((kind: string) => kind === 'address_bounced')
  expect([admins.length, (await logged(addressOf('Gone'))).length]).toEqual([1, 2])
  takesAll()
  await remind(id)
  await remindReaders(rounds.one.service)
  await rounds.mailed('Gone')
  expect(await rounds.only(id)).toMatchObject({ mailFailure: null, reminders: 1 })
  expect(await passOf(versionId)).toMatchObject({ mailFailure: null, mailFailedAt: null })
})

test('what is published next leaves such an address alone, says so before, and Remind tries it', async () => {
  refuses(addressOf('Dead'))
  await rounds.person('Dead')
  const { id } = await rounds.policyFor('Dead')
  await remindReaders(rounds.one.service)
  takesAll()
  const next = await rounds.approved(id, { content: 'All of it is new.' })
  const asked = (version: string) => rounds.ask(rounds.editor, 'getPolicyVersionAudience', { id: version })
  expect(await asked(next)).toMatchObject({ told: 1, toldByLink: 0, leftAlone: 1 })
  await rounds.ask(rounds.acme.admin, 'publishPolicyVersion', { id: next })
  const other = await rounds.policyFor('Dead', { name: 'Other rules of Dead' })
  await remindReaders(rounds.one.service)
  expect((await logged(addressOf('Dead'))).length).toBe(1)
  for (const policyId of [id, other.id])
    expect(await rounds.only(policyId)).toMatchObject({ status: 'requested', mailFailure: FAILURE })
  expect(await remind(other.id)).toMatchObject({ reminded: 1, returned: [{ failure: FAILURE }] })
  await remindReaders(rounds.one.service)
  await rounds.mailed('Dead')
  // It takes mail again, so the next version is mailed.
  const later = await rounds.approved(id, { content: 'Newer still.' })
  expect(await asked(later)).toMatchObject({ toldByLink: 1, leftAlone: 0 })
  await rounds.ask(rounds.acme.admin, 'publishPolicyVersion', { id: later })
  await remindReaders(rounds.one.service)
  await rounds.mailed('Dead')
})

test('an address that is set right is written to without being told to', async () => {
  refuses('tyop@acme.example')
  const person = await rounds.person('Typo', { workEmail: 'tyop@acme.example' })
  const { id } = await rounds.policyFor('Typo')
  await remindReaders(rounds.one.service)
  await rounds.ask(rounds.acme.admin, 'updatePersonnel', { id: person, workEmail: addressOf('Typo') })
  expect(await rounds.only(id)).toMatchObject({ mailFailure: null })
  await rounds.ask(rounds.acme.admin, 'updatePolicy', { id, attestationDueDays: 15 })
  await settleChanged(rounds.one.service)
  await remindReaders(rounds.one.service)
  await rounds.mailed('Typo')
  takesAll()
})

test('links and codes stand in the log, with what the server said, and say nothing there', async () => {
  await rounds.person('Logged')
  const { versionId } = await rounds.policyFor('Logged')
  await remindReaders(rounds.one.service)
  const { link } = await rounds.mailed('Logged')
  const guest = openGuest(rounds.door)
  await guest.open(link)
  await guest.call('sendGuestCode')
  const [code] = /^\d{6}/.exec((await rounds.mailed('Logged')).subject)!
  refuses(addressOf('Logged'))
  await rounds.ask(rounds.acme.admin, 'sendGuestLink', { id: (await passOf(versionId)).id })
  const mails = await until(async () => {
    const all = await logged(addressOf('Logged'))
    return all.every(({ state }: { state: string }) => state !== 'waiting') && all
  }, 'what came of the mails')
  expect(mails.map(({ about, state }: { about: string; state: string }) => [about, state])).toEqual([
    ['guest_link', 'refused'],
    ['guest_code', 'sent'],
    ['guest_link', 'sent'],
  ])
  expect(await passOf(versionId)).toMatchObject({ mailFailure: FAILURE })
  const { rows } = await rounds.one.administrator.query('select * from guest_mails')
  const said = JSON.stringify([mails, rows])
  expect(said).not.toContain(link.split('#token=')[1])
  expect(said).not.toContain(code)
  expect(said).not.toContain('secret words')
  takesAll()
})

test('while the server is away a reminder waits in the log as one mail', async () => {
  await rounds.person('Away')
  const { id } = await rounds.policyFor('Away')
  rounds.server.answer((command) => (command.startsWith('MAIL') ? '421 4.3.2 later' : undefined))
  for (let turn = 0; turn < 2; turn++) {
    await remindReaders(rounds.one.service)
    await rounds.one.moveClock(11 * 60_000)
  }
  const [waiting, ...others] = await logged(addressOf('Away'))
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 2, about: 'guest_link' })
  expect(waiting.failure).toContain('421 4.3.2')
  expect(others).toEqual([])
  // The address is not to blame.
  expect(await rounds.only(id)).toMatchObject({ mailFailure: null })
  takesAll()
  await remindReaders(rounds.one.service)
  await rounds.mailed('Away')
  expect(await logged(addressOf('Away'))).toMatchObject([{ state: 'sent', attempts: 3, failure: null }])
})
