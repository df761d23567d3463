import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindReaders, settleRounds } from '../server/attestations/reminders.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import { addressOf, type Rounds, startRounds } from './support/rounds.ts'

/*
 * Who is asked to read a policy is reminded of it, not too often, and whatever stops the mail of one stops no other's.
 */

const DAY = 86_400_000

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds?.close())

test('nobody is told twice of one publication, nor within an hour', async () => {
  const member = await rounds.acme.person('viewer')
  await rounds.person('Twice', { userId: member.userId })
  const { id } = await rounds.policyFor('Twice', { attestationDueDays: 2 })
  await remindReaders(rounds.one.service)
  expect(await rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({
    reminded: 0,
  })
  await remindReaders(rounds.one.service)
  expect((await rounds.ask(member, 'listNotices')).data).toHaveLength(1)
  await rounds.one.moveClock(3_600_000)
  for (const reminded of [1, 0])
    expect(await rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({
      reminded,
    })
})

test('one person is reminded alone, and whoever was told just now is counted', async () => {
  for (const each of ['one', 'two'])
    await rounds.person('Single', { workEmail: `${each}@single.example`, fullName: each })
  const { id, versionId } = await rounds.policyFor('Single')
  await remindReaders(rounds.one.service)
  const remind = (more: object = {}) =>
    rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId: id, ...more })
  expect(await remind()).toMatchObject({ reminded: 0, skipped: 2 })
  await rounds.one.moveClock(2 * 3_600_000)
  // The links of both were revoked: one of them is given another.
  const passes = async (): Promise<{ id: string; name: string; state: string }[]> =>
    (await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })).data
  for (const pass of await passes()) await rounds.ask(rounds.acme.admin, 'revokeGuestPass', { id: pass.id })
  const [first] = (await rounds.round(id)).data
  expect(await remind({ attestationId: first.id })).toMatchObject({ reminded: 1, skipped: 0 })
  expect((await passes()).filter(({ state }) => state === 'open').map(({ name }) => name)).toEqual([
    first.person.name,
  ])
  const [told] = (await rounds.ask(rounds.editor, 'getPolicyLog', { id })).data
  expect(told).toMatchObject({
    event: 'attestation_reminded',
    changes: { reminded: { to: 1 }, person: { to: first.person.name } },
  })
  expect(await remind({ attestationId: first.id })).toMatchObject({ reminded: 0, skipped: 1 })
  expect(await remind()).toMatchObject({ reminded: 1, skipped: 1 })
  await rounds.ask(rounds.acme.admin, 'exemptAttestation', { id: first.id, reason: 'On leave' })
  const again = { policyId: id, attestationId: first.id }
  expect(await rounds.refused(rounds.acme.admin, 'remindAttestations', again)).toBe('conflict')
})

test('people are listed by the round they were asked in, with why a request ended', async () => {
  for (const each of ['one', 'two'])
    await rounds.person('Ended', { workEmail: `${each}@ended.example`, fullName: each })
  const { id, versionId } = await rounds.policyFor('Ended')
  const nextId = await rounds.publish(id, { content: 'Another.', materialChange: true })
  const of = async (version: string) =>
    (await rounds.ask(rounds.acme.admin, 'listAttestations', { policyId: id, versionId: version })).data.map(
      (each: { version: string; endedBecause: string | null }) => [each.version, each.endedBecause],
    )
  expect(await of(versionId)).toEqual([
    ['1.0', 'replaced'],
    ['1.0', 'replaced'],
  ])
  expect(await of(nextId)).toEqual([
    ['2.0', null],
    ['2.0', null],
  ])
  await rounds.ask(rounds.acme.admin, 'retirePolicy', { id })
  expect(await of(nextId)).toEqual([
    ['2.0', 'policy_retired'],
    ['2.0', 'policy_retired'],
  ])
})

describe('what one is stopped by stops nobody else', () => {
  test('a full mailbox', async () => {
    await rounds.person('Full')
    for (const each of [1, 2]) await rounds.person('Free', { workEmail: `free-${each}@rounds.acme.example` })
    const { id } = await rounds.policyFor('Full')
    await rounds.policyFor('Free')
    await rounds.one.administrator.query('update attestations set told_at = null where policy_id <> $1', [id])
    await rounds.policyFor('Free')
    rounds.server.answer((command) =>
      command.startsWith(`RCPT TO:<${addressOf('Full')}`) ? '452 4.2.2 mailbox full' : undefined,
    )
    await remindReaders(rounds.one.service)
    for (const each of [1, 2]) await rounds.server.next(`free-${each}@rounds.acme.example`)
    for (let turn = 0; turn < 10; turn++) {
      await rounds.one.moveClock(2 * DAY)
      await remindReaders(rounds.one.service)
    }
    rounds.server.answer(() => undefined)
    await rounds.one.moveClock(2 * DAY)
    await remindReaders(rounds.one.service)
    expect([rounds.mailsTo('Full'), (await rounds.only(id)).reminders]).toEqual([0, 0])
    expect(await rounds.ask(rounds.acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({
      reminded: 1,
    })
    await remindReaders(rounds.one.service)
    await rounds.mailed('Full')
  })

  test('an organization whose round fails', async () => {
    const other = await rounds.one.organization()
    await rounds.person('Fails')
    const { id } = await rounds.ask(other.admin, 'createPolicy', {
      ...{ name: 'Of others', requiresAttestation: true, audience: 'everyone' },
      approver: { type: 'user', refId: (await other.person('editor')).userId },
    })
    const asked = await rounds.policyFor('Fails', { requiresAttestation: false })
    for (const [policyId, fails] of [
      [id, true],
      [asked.id, false],
    ])
      await rounds.one.administrator.query(
        `update policies set requires_attestation = true, name = case when $2 then 'Fails' else name end where id = $1`,
        [policyId, fails],
      )
    await rounds.one.administrator.query(`create function fail() returns trigger language plpgsql as
      $$ begin if new.policy_id <> '${asked.id}' then raise exception 'it fails'; end if; return new; end $$`)
    await rounds.one.administrator.query(
      'create trigger fails before insert or update on attestations for each row execute function fail()',
    )
    await settleRounds(rounds.one.service)
    await rounds.one.administrator.query('drop trigger fails on attestations; drop function fail()')
    expect((await rounds.only(asked.id)).status).toBe('requested')
  })
})

test('whoever is asked is told by whom, until when, and of a later version what it replaces and what changed', async () => {
  const { acme, ask, server } = rounds
  const member = await acme.person('viewer')
  await rounds.person('Told', { userId: member.userId, workEmail: 'told-member@acme.example' })
  await rounds.person('Told')
  const owner = { type: 'user', refId: rounds.editor.userId }
  const { id } = await rounds.policyFor('Told', { owner })
  const { name } = await ask(acme.admin, 'getUser', { id: rounds.editor.userId })
  const day = String.raw`\d{1,2} [A-Z][a-z]+ \d{4}`
  const latest = async () => (await ask(member, 'listNotices')).data[0].words
  expect(await latest()).toMatch(
    new RegExp(`^${name} asks you to read and acknowledge “Rules of Told” by ${day}$`),
  )
  await remindReaders(rounds.one.service)
  const first = await rounds.mailed('Told')
  expect(first.text).not.toContain('replaces')
  await rounds.acknowledgeBy(first.link, addressOf('Told'))
  const [{ id: asked }] = (await ask(member, 'listMyAttestations')).data
  const { contentSha256 } = await ask(member, 'readMyAttestation', { id: asked })
  const consent = { contentSha256, isAgreed: true, reachedEnd: true }
  await ask(member, 'acknowledgeMyAttestation', { id: asked, ...consent })
  // Who acknowledged 1.0 was not asked of its correction, and is told what that changed as well.
  await rounds.publish(id, { content: 'Lock it.', materialChange: false, changelog: 'A typo' })
  const changelog = 'Doors are **locked** at night, see https://evil.example.'
  await rounds.publish(id, { content: 'Lock up.', materialChange: true, changelog })
  expect(await latest()).toMatch(/, a new version that replaces 1\.0, which you acknowledged$/)
  await remindReaders(rounds.one.service)
  const { text } = await rounds.mailed('Told')
  expect(text).toContain('It is version 2.0, and replaces version 1.0, which you acknowledged.')
  const notes = 'What changed: “1.1 – A typo; 2.0 – Doors are **locked** at night, see https evil example.”'
  expect(text).toContain(notes)
  const [{ id: anew }] = (await ask(member, 'listMyAttestations')).data
  expect((await ask(member, 'readMyAttestation', { id: anew })).changelog).toBe(
    `**1.1**\n\nA typo\n\n**2.0**\n\n${changelog}`,
  )
  await rounds.one.moveClock(5 * 60_000)
  await mailNotices(rounds.one.service)
  const { userId } = member
  const { rows } = await rounds.one.administrator.query<{ email: string }>(
    'select u.email from users u join members m on m.account_id = u.id where m.user_id = $1',
    [userId],
  )
  const mail = await server.next(rows[0]!.email)
  expect(mail.text).toContain('acknowledge “Rules of Told” by ')
  expect(mail.text).toContain(notes)
  expect(mail.text).not.toContain('““')
})
