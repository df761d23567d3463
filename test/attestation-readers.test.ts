import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remindReaders, settleChanged, settleRounds } from '../server/attestations/reminders.ts'
import { sendFile } from './support/files.ts'
import { type Guest, openGuest } from './support/guest.ts'
import { png } from './support/pictures.ts'
import { addressOf, consentTo, type Rounds, startRounds } from './support/rounds.ts'

/*
 * What somebody reads is what they acknowledge: whatever happens while they read, they are told of it and what to do, and
 * nothing is recorded of another text. What they said stays what it was.
 */

const DAY = 86_400_000

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds?.close())

/** A policy that asks one person, who does not sign in. */
async function asked(department: string) {
  const personId = await rounds.person(department)
  return { personId, ...(await rounds.policyFor(department)) }
}

/** Somebody who has opened the link that was mailed, and reads. */
async function reader(department: string) {
  await remindReaders(rounds.one.service)
  const { link } = await rounds.mailed(department)
  const guest = openGuest(rounds.door)
  await guest.open(link)
  return {
    guest,
    link,
    read: (await guest.call('readPolicyAsGuest')).body as { id: string; contentSha256: string },
  }
}

test('what changed is said of a text that took the place of another, and of no first one', async () => {
  const member = await rounds.acme.person('viewer')
  await rounds.person('Changed', { userId: member.userId })
  const { id } = await rounds.ask(rounds.acme.admin, 'createPolicy', {
    ...{ name: 'Doors', approver: { type: 'user', refId: rounds.approver.userId } },
    ...{ requiresAttestation: true, audience: 'departments', audienceIds: ['Changed'] },
  })
  const changelogs = []
  for (const changelog of ['Made from a template', 'Windows, too']) {
    await rounds.publish(id, { content: changelog, changelog })
    const [mine] = (await rounds.ask(member, 'listMyAttestations')).data
    changelogs.push((await rounds.ask(member, 'readMyAttestation', { id: mine.id })).changelog)
  }
  expect(changelogs).toEqual([null, 'Windows, too'])
})

test('who acknowledged an earlier version is given its text beside the one that asks anew', async () => {
  const member = await rounds.acme.person('viewer')
  await rounds.person('Beside', { userId: member.userId })
  const { id } = await rounds.policyFor('Beside')
  const [{ id: first }] = (await rounds.ask(member, 'listMyAttestations')).data
  const read = await rounds.ask(member, 'readMyAttestation', { id: first })
  expect(read.before).toBeNull()
  await rounds.ask(member, 'acknowledgeMyAttestation', { ...consentTo(read), id: first })
  await rounds.publish(id, { content: 'Be careful!', materialChange: false })
  expect(await rounds.ask(member, 'readMyAttestation', { id: first, correction: true })).toMatchObject({
    ...{ version: '1.1', text: 'Be careful!', before: { version: '1.0', text: 'Be careful.' } },
  })
  await rounds.publish(id, { content: 'Be very careful!' })
  const [{ id: next }] = (await rounds.ask(member, 'listMyAttestations')).data
  const readNext = () => rounds.ask(member, 'readMyAttestation', { id: next })
  // What they never said they read is not what they compare with.
  expect(await readNext()).toMatchObject({
    ...{ version: '2.0', text: 'Be very careful!', before: { version: '1.0', text: 'Be careful.' } },
  })
  await rounds.one.administrator.query(
    "update policy_versions set text = 'Forged.' where policy_id = $1 and label = '1.0'",
    [id],
  )
  expect(await readNext()).toMatchObject({ version: '2.0', before: null })
})

test('the pictures of the earlier text are given to who acknowledged it, and to nobody else', async () => {
  const { one, acme } = rounds
  const [member, late] = [await acme.person('viewer'), await acme.person('viewer')] as const
  const signingIn = (name: string, { userId }: typeof member) =>
    rounds.person('Drawn', { userId, workEmail: `${name}@acme.example` })
  await Promise.all([
    signingIn('drawn.member', member),
    signingIn('drawn.late', late),
    rounds.person('Drawn'),
  ])
  const draw = (blue: number) => sendFile(one, acme.admin, 'Plan.png', png([4, 3], [7, 7, blue]))
  const [earlier, later] = [await draw(1), await draw(2)]
  const { id } = await rounds.policyFor('Drawn')
  await rounds.publish(id, { content: `![Plan](${earlier.id})` })
  const askedOf = async (who: typeof member) => (await rounds.ask(who, 'listMyAttestations')).data[0].id
  const { guest, read } = await reader('Drawn')
  await rounds.prove(guest, addressOf('Drawn'))
  expect((await guest.call('acknowledgePolicyAsGuest', consentTo(read))).body.status).toBe('acknowledged')
  const first = { id: await askedOf(member) }
  const text = await rounds.ask(member, 'readMyAttestation', first)
  await rounds.ask(member, 'acknowledgeMyAttestation', { ...consentTo(text), ...first })

  await rounds.publish(id, { content: `![Plan](${later.id})` })
  const [theirs, unsaid] = [await askedOf(member), await askedOf(late)]
  const asks = (who: typeof member, request: string, { sha256 }: { sha256: string }) =>
    rounds.refused(who, 'downloadMyPicture', { id: request, sha256 })
  expect([await asks(member, theirs, earlier), await asks(member, theirs, later)]).toEqual(['done', 'done'])
  expect([await asks(late, unsaid, earlier), await asks(late, unsaid, later)]).toEqual(['not_found', 'done'])
  for (const who of [late, acme.admin, (await one.organization()).admin])
    expect(await asks(who, theirs, earlier)).toBe('not_found')

  const { guest: again } = await reader('Drawn')
  const asksAsGuest = async (who: Guest, { sha256 }: { sha256: string }) =>
    (await who.call('downloadPictureAsGuest', { sha256 })).status
  expect([await asksAsGuest(again, earlier), await asksAsGuest(again, later)]).toEqual([200, 200])
  await asked('Undrawn')
  const { guest: other } = await reader('Undrawn')
  expect([await asksAsGuest(other, earlier), await asksAsGuest(other, later)]).toEqual([404, 404])
})

describe('who reads while the next version is published', () => {
  const said = (guest: Guest, read: { id: string; contentSha256: string }) =>
    guest.call('acknowledgePolicyAsGuest', consentTo(read))

  test('by a link is told so, and the same link and code lead on to the next', async () => {
    const { id } = await asked('While')
    const { guest, read, link } = await reader('While')
    await rounds.prove(guest, addressOf('While'))
    const versionId = await rounds.publish(id, { content: 'All of it is new.' })
    const { status, body } = await said(guest, read)
    expect([status, body.code, body.version]).toEqual([409, 'text_changed', '2.0'])
    expect((await rounds.round(id)).data).toMatchObject([
      { version: '2.0', status: 'requested', acknowledgedAt: null, signsIn: false },
      { version: '1.0', status: 'cancelled', acknowledgedAt: null, signsIn: false },
    ])
    const { body: next } = await guest.call('readPolicyAsGuest')
    expect(next).toMatchObject({ version: '2.0', text: 'All of it is new.', status: 'viewed' })
    expect((await said(guest, read)).body.code).toBe('text_changed')
    expect((await said(guest, next)).body).toMatchObject({ version: '2.0', status: 'acknowledged' })
    // One pass, listed where it leads, good for as long as any that is made now.
    const { data } = await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })
    expect(data).toMatchObject([{ state: 'open' }])
    const again = openGuest(rounds.door)
    await again.open(link)
    expect((await again.call('readPolicyAsGuest')).body.status).toBe('acknowledged')
  })

  test('who has said it already is shown what that was, and that there is a later one', async () => {
    const { id } = await asked('Earlier')
    const { guest, read } = await reader('Earlier')
    await rounds.prove(guest, addressOf('Earlier'))
    expect((await said(guest, read)).body).toMatchObject({ status: 'acknowledged', laterVersion: null })
    await rounds.publish(id, { content: 'All of it is new.' })
    const { body } = await guest.call('readPolicyAsGuest')
    expect(body).toMatchObject({ text: 'Be careful.', status: 'acknowledged', laterVersion: '2.0' })
    await remindReaders(rounds.one.service)
    const other = openGuest(rounds.door)
    await other.open((await rounds.mailed('Earlier')).link)
    expect((await other.call('readPolicyAsGuest')).body).toMatchObject({ version: '2.0', status: 'viewed' })
  })

  test('who has said it reads the correction of it as well, and a version that asks anew by its own request alone', async () => {
    const member = await rounds.acme.person('viewer')
    await rounds.person('Corrected')
    await rounds.person('Corrected', { userId: member.userId, workEmail: 'corrected-2@acme.example' })
    const { id } = await rounds.policyFor('Corrected')
    await remindReaders(rounds.one.service)
    const { guest, read } = await reader('Corrected')
    await rounds.prove(guest, addressOf('Corrected'))
    await said(guest, read)
    const [{ id: mine }] = (await rounds.ask(member, 'listMyAttestations')).data
    const readMine = (correction: boolean) =>
      rounds.ask(member, 'readMyAttestation', { id: mine, correction })
    await rounds.ask(member, 'acknowledgeMyAttestation', { ...consentTo(await readMine(false)), id: mine })
    expect(await readMine(true)).toMatchObject({ version: '1.0', isCorrected: false })
    await rounds.publish(id, {
      ...{ content: 'Be careful!', materialChange: false, changelog: 'It is louder.' },
    })
    const readAsGuest = async (correction: boolean) =>
      (await guest.call('readPolicyAsGuest', { correction })).body
    for (const of of [readMine, readAsGuest]) {
      expect(await of(false)).toMatchObject({
        ...{ version: '1.0', text: 'Be careful.', acknowledgedVersion: '1.0' },
        ...{ laterVersion: '1.1', isCorrected: true },
      })
      expect(await of(true)).toMatchObject({
        ...{ version: '1.1', text: 'Be careful!', changelog: 'It is louder.', acknowledgedVersion: '1.0' },
        ...{ status: 'acknowledged', laterVersion: null },
      })
    }
    await rounds.publish(id, { content: 'All of it is new.' })
    for (const of of [readMine, readAsGuest])
      expect(await of(true)).toMatchObject({ version: '1.0', laterVersion: '2.0', isCorrected: false })
  })

  test('who signs in is told which one to read', async () => {
    const member = await rounds.acme.person('viewer')
    await rounds.person('Member', { userId: member.userId })
    const { id } = await rounds.policyFor('Member')
    const mine = async () => (await rounds.ask(member, 'listMyAttestations')).data
    const [{ id: first }] = await mine()
    const read = await rounds.ask(member, 'readMyAttestation', { id: first })
    await rounds.publish(id, { content: 'All of it is new.' })
    const [{ id: next }] = await mine()
    for (const [name, input] of [
      ['acknowledgeMyAttestation', { ...consentTo(read), id: first }],
      ['readMyAttestation', { id: first }],
    ] as const)
      await expect(rounds.one.call(member, name, input)).rejects.toMatchObject({
        code: 'text_changed',
        members: { id: next, version: '2.0' },
      })
    await rounds.ask(rounds.acme.admin, 'retirePolicy', { id })
    await settleChanged(rounds.one.service)
    expect(await rounds.refused(member, 'readMyAttestation', { id: first })).toBe('conflict')
  })
})

describe('whose pass ends while they read is told why, as whoever opens its link, and nothing is recorded', () => {
  type End = (of: { policyId: string; versionId: string; personId: string }) => Promise<unknown>
  const passOf = async (recordId: string) =>
    (await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId })).data[0].id
  const admin = (name: string, input: object) => rounds.ask(rounds.acme.admin, name, input)
  const settled = () => settleRounds(rounds.one.service)
  const ENDS: [string, string, End][] = [
    [
      'revoked',
      'Revoking',
      async ({ versionId }) => admin('revokeGuestPass', { id: await passOf(versionId) }),
    ],
    [
      'nothing_asked',
      'Exempting',
      async ({ policyId }) =>
        admin('exemptAttestation', { id: (await rounds.only(policyId)).id, reason: 'On leave' }),
    ],
    [
      'nothing_asked',
      'Leaving',
      async ({ personId: id }) => {
        await admin('updatePersonnel', { id, status: 'offboarding' })
        return admin('updatePersonnel', { id, status: 'former' })
      },
    ],
    [
      'nothing_asked',
      'Retiring',
      async ({ policyId: id }) => [await admin('retirePolicy', { id }), await settled()],
    ],
    [
      'other_way',
      'Joining',
      async ({ personId: id }) => {
        const { userId } = await rounds.acme.person('viewer')
        return [await admin('updatePersonnel', { id, userId }), await settled()]
      },
    ],
  ]

  test.each(ENDS)('%s, by %s', async (reason, department, end) => {
    const { id: policyId, versionId, personId } = await asked(department)
    const { guest, read, link } = await reader(department)
    await rounds.prove(guest, addressOf(department))
    await end({ policyId, versionId, personId })
    for (const { status, body } of [
      await guest.call('acknowledgePolicyAsGuest', consentTo(read)),
      await guest.call('readPolicyAsGuest'),
      await guest.call('sendGuestCode'),
      await openGuest(rounds.door).open(link),
    ])
      expect([status, body.code, body.reason]).toEqual([422, 'link_invalid', reason])
    expect((await rounds.only(policyId)).acknowledgedAt).toBeNull()
  })

  test('expired, until somebody gives more time', async () => {
    const { versionId } = await asked('Expiring')
    const { guest, read, link } = await reader('Expiring')
    await rounds.prove(guest, addressOf('Expiring'))
    const pass = await passOf(versionId)
    await rounds.one.administrator.query(
      `update guest_passes set expires_at = clock_now() - interval '1 minute' where id = $1`,
      [pass],
    )
    for (const { body } of [
      await guest.call('acknowledgePolicyAsGuest', consentTo(read)),
      await openGuest(rounds.door).open(link),
    ])
      expect([body.code, body.reason]).toEqual(['link_invalid', 'expired'])
    const { rows } = await rounds.one.administrator.query(
      `select clock_now() + interval '1 day' as "expiresAt"`,
    )
    await admin('extendGuestPass', { id: pass, expiresAt: rows[0].expiresAt.toISOString() })
    expect((await guest.call('acknowledgePolicyAsGuest', consentTo(read))).body.status).toBe('acknowledged')
  })

  test('but not whoever has another mailbox by then: it may have been the wrong one', async () => {
    const { personId } = await asked('Wrong')
    const { guest, link } = await reader('Wrong')
    await admin('updatePersonnel', { id: personId, workEmail: 'right-one@acme.example' })
    await settled()
    expect((await guest.call('readPolicyAsGuest')).body).toMatchObject({ code: 'credential_missing' })
    const { body } = await openGuest(rounds.door).open(link)
    expect([body.code, body.reason]).toEqual(['link_invalid', undefined])
  })
})

describe('what somebody said', () => {
  test('is kept with who they were and as whom they acted, and is not deleted with them', async () => {
    const personId = await rounds.person('Proof')
    const { id, versionId } = await rounds.policyFor('Proof')
    // Somebody puts a mailbox of their own into the directory, and reads in the name of another.
    await rounds.ask(rounds.acme.admin, 'updatePersonnel', {
      id: personId,
      workEmail: 'mine@rounds.acme.example',
    })
    const { data } = await rounds.ask(rounds.editor, 'listGuestPasses', { recordId: versionId })
    await rounds.ask(rounds.editor, 'sendGuestLink', { id: data[0].id })
    await rounds.acknowledgeBy(
      (await rounds.server.next('mine@rounds.acme.example')).link,
      'mine@rounds.acme.example',
    )
    await rounds.ask(rounds.acme.admin, 'updatePersonnel', {
      id: personId,
      workEmail: addressOf('Proof'),
      fullName: 'Changed',
    })
    expect(await rounds.only(id)).toMatchObject({
      person: { id: personId, name: 'Reader of Proof', email: 'mine@rounds.acme.example' },
      acknowledgedBy: { type: 'guest', id: personId },
    })
    const entries = await rounds.ask(rounds.acme.admin, 'listAuditLog', {
      action: ['attestation.acknowledge'],
      limit: 1,
    })
    expect(entries.data[0].changes).toMatchObject({
      personId: { to: personId },
      email: { to: 'mine@rounds.acme.example' },
      sha256: { to: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const { secret } = await rounds.acme.key(['read:personnel', 'write:personnel'])
    const answer = await rounds.door.send(secret, 'DELETE', `/v1/personnel/${personId}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })

  test('in the place of another names the user who did', async () => {
    const personId = await rounds.person('Place')
    const { id } = await rounds.policyFor('Place')
    await rounds.ask(rounds.acme.admin, 'updatePersonnel', { id: personId, userId: rounds.editor.userId })
    await settleRounds(rounds.one.service)
    const { data } = await rounds.ask(rounds.editor, 'listMyAttestations')
    const { contentSha256 } = await rounds.ask(rounds.editor, 'readMyAttestation', { id: data[0].id })
    const said = { id: data[0].id, contentSha256, isAgreed: true, reachedEnd: true }
    await rounds.ask(rounds.editor, 'acknowledgeMyAttestation', said)
    await rounds.ask(rounds.acme.admin, 'updatePersonnel', { id: personId, userId: null })
    expect(await rounds.only(id)).toMatchObject({
      acknowledgedBy: { type: 'user', id: rounds.editor.userId },
    })
  })
})

test('whoever has a forwarded link spends no codes of its owner', async () => {
  await rounds.person('Forwarded')
  await rounds.policyFor('Forwarded')
  await remindReaders(rounds.one.service)
  const { link } = await rounds.mailed('Forwarded')
  const codeFrom = async (ip: string) => {
    const guest = openGuest(rounds.door)
    await guest.open(link)
    return guest.call('sendGuestCode', {}, { 'x-forwarded-for': ip })
  }
  const thief = async () => (await codeFrom('203.0.113.7')).status
  for (let hour = 0; hour < 4; hour++) {
    const asked = []
    for (let each = 0; each < 6; each++) asked.push(await thief())
    expect(asked).toEqual(hour < 3 ? [200, 200, 200, 200, 200, 429] : [429, 429, 429, 429, 429, 429])
    await rounds.one.moveClock(3_601_000)
  }
  const over = await codeFrom('203.0.113.7')
  expect([over.body.retryAfter, over.body.detail]).toEqual([
    undefined,
    expect.stringContaining('next reminder'),
  ])
  expect((await codeFrom('198.51.100.9')).status).toBe(200)
  await rounds.one.moveClock(12 * DAY)
  await remindReaders(rounds.one.service)
  expect(await thief()).toBe(200)
})
