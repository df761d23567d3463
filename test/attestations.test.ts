import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentTo } from '../model/attestation.ts'
import { remindReaders, settleChanged, settleRounds } from '../server/attestations/reminders.ts'
import type { Streamed } from '../server/bytes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { bodyOf } from './support/body-of.ts'
import { programOf } from './support/callers.ts'
import type { Door } from './support/door.ts'
import { openGuest } from './support/guest.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { pdfText } from './support/pdf-text.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Whoever a policy is for is asked to say that they read it, with a login or without, and what they say is kept with the
 * hash of the very text that they were shown.
 */

let one: TestService
let door: Door
let server: MailServer
let acme: TestOrganization
let approver: Caller
let member: Caller
let memberPerson: string

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url })
  door = await one.listen()
  acme = await one.organization()
  ;[approver, member] = [await acme.person('editor'), await acme.person('viewer')]
  memberPerson = await person('member@acme.example', { userId: member.userId, department: 'Sales' })
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const ask = (who: Caller, name: string, input: object = {}) => bodyOf(one.call(who, name, input))
const person = async (workEmail: string, more: object = {}): Promise<string> =>
  (await ask(acme.admin, 'createPersonnel', { fullName: `Person ${workEmail}`, workEmail, ...more })).id

async function policyFor(given: object): Promise<{ id: string; versionId: string }> {
  const { id } = await ask(acme.admin, 'createPolicy', {
    ...{ name: 'Acceptable use', approver: { type: 'user', refId: approver.userId } },
    ...{ requiresAttestation: true, attestationDueDays: 14, ...given },
  })
  return { id, versionId: await publish(id, { content: '# Purpose\n\nBe careful.' }) }
}

async function publish(policyId: string, given: object): Promise<string> {
  const { id } = await ask(acme.admin, 'createPolicyVersion', { policyId, ...given })
  await ask(acme.admin, 'submitPolicyVersion', { id })
  const { contentSha256, round } = await ask(acme.admin, 'getPolicyVersion', { id })
  await ask(approver, 'approvePolicyVersion', { id, contentSha256, round })
  await ask(acme.admin, 'publishPolicyVersion', { id })
  return id
}

const round = (policyId: string, more: object = {}) =>
  ask(acme.admin, 'listAttestations', { policyId, ...more })
const statesOf = async (policyId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await round(policyId)).data
      .reverse()
      .map((each: { person: { email: string }; status: string }) => [each.person.email, each.status]),
  )
const consentOf = ({ id, contentSha256 }: { id?: string; contentSha256: string }) => ({
  ...(id ? { id } : {}),
  contentSha256,
  isAgreed: true,
  reachedEnd: true,
})

describe('a member', () => {
  test('reads and acknowledges what is asked of them, and what they read is kept', async () => {
    const { id, versionId } = await policyFor({ audience: 'departments', audienceIds: ['Sales'] })
    const { data } = await ask(member, 'listMyAttestations')
    expect(data).toMatchObject([{ policyId: id, version: '1.0', status: 'requested', isOverdue: false }])
    const { data: told } = await ask(member, 'listNotices')
    expect(told).toMatchObject([{ kind: 'asked_to_acknowledge', page: `/to-read/${data[0].id}` }])
    const read = await ask(member, 'readMyAttestation', { id: data[0].id })
    expect(createHash('sha256').update(read.text, 'utf8').digest('hex')).toBe(read.contentSha256)
    expect(read.contentSha256).toBe(
      (await ask(acme.admin, 'getPolicyVersion', { id: versionId })).contentSha256,
    )
    expect(await statesOf(id)).toEqual({ 'member@acme.example': 'viewed' })
    const wrong = { id: data[0].id, ...consentOf({ contentSha256: 'a'.repeat(64) }) }
    await expect(one.call(member, 'acknowledgeMyAttestation', wrong)).rejects.toMatchObject({
      code: 'text_changed',
    })
    await expect(
      one.call(acme.admin, 'acknowledgeMyAttestation', { id: data[0].id, ...consentOf(read) }),
    ).rejects.toMatchObject({ code: 'not_found' })
    for (let again = 0; again < 2; again++)
      expect(
        await ask(member, 'acknowledgeMyAttestation', { id: data[0].id, ...consentOf(read) }),
      ).toMatchObject({
        status: 'acknowledged',
      })
    expect((await round(id)).data).toMatchObject([
      {
        status: 'acknowledged',
        consentText: read.consentText,
        contentSha256: read.contentSha256,
        reachedEnd: true,
      },
    ])
    expect((await ask(member, 'listMyAttestations')).data).toEqual([])
    expect((await ask(member, 'listNotices')).data).toEqual([])
  })

  test('is asked again by a material change, and by no other', async () => {
    const { id } = await policyFor({ audience: 'departments', audienceIds: ['Sales'] })
    const sayIt = async () => {
      for (const { id } of (await ask(member, 'listMyAttestations')).data)
        await ask(member, 'acknowledgeMyAttestation', {
          id,
          ...consentOf(await ask(member, 'readMyAttestation', { id })),
        })
    }
    await sayIt()
    await publish(id, { content: 'Be careful, please.', materialChange: false })
    expect((await ask(member, 'listMyAttestations')).data).toEqual([])
    await publish(id, { content: 'Be very careful.', materialChange: true })
    expect((await ask(member, 'listMyAttestations')).data).toMatchObject([{ version: '2.0' }])
    expect((await round(id)).counts).toMatchObject({ requested: 1, acknowledged: 0 })
    // Of a person it is seen which texts they were asked about, and which of them they acknowledged.
    const [{ person }] = (await round(id)).data
    const { data } = await ask(acme.admin, 'listAttestationsOfPerson', { id: person.id })
    const ofPolicy = data.filter(({ policyId }: { policyId: string }) => policyId === id)
    expect(ofPolicy).toMatchObject([
      { version: '2.0', status: 'requested', acknowledgedAt: null },
      { version: '1.0', status: 'acknowledged' },
    ])
    const key = programOf(acme.admin, ['read:personnel'])
    const [seen] = (await ask(key, 'listAttestationsOfPerson', { id: person.id })).data
    expect(seen).toMatchObject({ title: null, exemptReason: null })
    await sayIt()
  })
})

describe('a request is over at once', () => {
  const ends: Record<string, (policyId: string, personId: string) => Promise<unknown>> = {
    'where its policy is archived': (id) => ask(acme.admin, 'archivePolicy', { id }),
    'where its policy asks nobody any more': (id) =>
      ask(acme.admin, 'updatePolicy', { id, requiresAttestation: false }),
    'where its policy is for others': (id) =>
      ask(acme.admin, 'updatePolicy', { id, audienceIds: ['Warehouse'] }),
    'of who has left': async (_, id) => {
      for (const status of ['offboarding', 'former']) await ask(acme.admin, 'updatePersonnel', { id, status })
    },
    'of who is archived': (_, id) => ask(acme.admin, 'archivePersonnel', { id }),
  }
  test.each(Object.entries(ends))('%s', async (_, end) => {
    const leaver = await acme.person('viewer')
    const department = `Department of ${leaver.userId}`
    const entry = await person(`${leaver.userId}@acme.example`, { userId: leaver.userId, department })
    const { id: policyId } = await policyFor({ audience: 'departments', audienceIds: [department] })
    const { data } = await ask(leaver, 'listMyAttestations')
    const read = await ask(leaver, 'readMyAttestation', { id: data[0].id })
    await end(policyId, entry)
    expect((await ask(leaver, 'listMyAttestations')).data).toEqual([])
    for (const [name, more] of [
      ['readMyAttestation', {}],
      ['acknowledgeMyAttestation', consentOf(read)],
    ] as const)
      await expect(ask(leaver, name, { ...more, id: data[0].id }), name).rejects.toMatchObject({
        code: 'conflict',
      })
    const exempt = { id: data[0].id, reason: 'Gone' }
    await expect(ask(acme.admin, 'exemptAttestation', exempt)).rejects.toMatchObject({ code: 'conflict' })
  })
})

test('no link is sent and no pass extended of what is archived', async () => {
  await person('away@acme.example', { department: 'Away' })
  const { id, versionId } = await policyFor({ audience: 'departments', audienceIds: ['Away'] })
  const { data } = await ask(acme.admin, 'listGuestPasses', { recordId: versionId })
  await ask(acme.admin, 'archivePolicy', { id })
  const pass = { id: data[0].id }
  for (const [name, more] of [
    ['sendGuestLink', {}],
    ['extendGuestPass', { expiresAt: data[0].expiresAt }],
  ] as const)
    await expect(ask(acme.admin, name, { ...pass, ...more }), name).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is archived'),
    })
  expect(await ask(acme.admin, 'revokeGuestPass', pass)).toMatchObject({ state: 'revoked' })
})

test('nobody exempts themselves', async () => {
  const editor = await acme.person('editor')
  await person('editor@acme.example', { userId: editor.userId, department: 'Editors' })
  const { id: policyId } = await policyFor({ audience: 'departments', audienceIds: ['Editors'] })
  const { data } = await round(policyId)
  const exempt = { id: data[0].id, reason: 'I know it by heart' }
  await expect(ask(editor, 'exemptAttestation', exempt)).rejects.toMatchObject({
    code: 'other_person_required',
  })
  expect(await statesOf(policyId)).toEqual({ 'editor@acme.example': 'requested' })
  expect(await ask(acme.admin, 'exemptAttestation', exempt)).toMatchObject({ status: 'exempt' })
})

test('the sentence that is agreed to is one line, whatever the title is', () => {
  expect(consentTo('Rules\r\nBcc: x@evil.example', '1.0')).toBe(
    'I have read “Rules Bcc: x@evil.example”, version 1.0, and will comply with it.',
  )
})

describe('who does not sign in', () => {
  test('reads by a link of their own, and proves the mailbox to acknowledge', async () => {
    await person('guest@acme.example', { department: 'Workshop' })
    const { id } = await policyFor({ audience: 'departments', audienceIds: ['Workshop'] })
    await remindReaders(one.service)
    const mail = await server.next('guest@acme.example')
    expect(mail.subject).toBe('Please read “Acceptable use”')
    expect(mail.text).toMatch(/acknowledge it by \d{1,2} [A-Z][a-z]+ \d{4}\./)
    const guest = openGuest(door)
    expect((await guest.open(mail.link)).body).toMatchObject({ purpose: 'attest', title: 'Acceptable use' })
    expect(await statesOf(id)).toEqual({ 'guest@acme.example': 'requested' })
    const { body: read } = await guest.call('readPolicyAsGuest')
    expect(read).toMatchObject({ text: '# Purpose\n\nBe careful.', status: 'viewed' })
    expect((await guest.call('acknowledgePolicyAsGuest', consentOf(read))).body.code).toBe(
      'identity_unconfirmed',
    )
    await guest.call('sendGuestCode')
    const [code] = /^\d{6}/.exec((await server.next('guest@acme.example')).subject)!
    expect((await guest.call('confirmGuestCode', { code })).status).toBe(200)
    expect((await guest.call('acknowledgePolicyAsGuest', consentOf(read))).body.status).toBe('acknowledged')
    const { data } = await round(id)
    expect(data).toMatchObject([{ status: 'acknowledged', signsIn: false, ip: '127.0.0.1' }])
    const entries = await ask(acme.admin, 'listAuditLog', { action: ['attestation.acknowledge'], limit: 1 })
    expect(entries.data[0]).toMatchObject({
      actor: { type: 'guest', id: data[0].person.id },
      changes: { contentSha256: { to: read.contentSha256 } },
    })
  })

  test('is reminded while it is open, and not once it is over', async () => {
    await person('late@acme.example', { department: 'Night' })
    const { id } = await policyFor({ audience: 'departments', audienceIds: ['Night'] })
    await remindReaders(one.service)
    await server.next('late@acme.example')
    const count = () => server.mails.filter(({ to }) => to === 'late@acme.example').length
    await remindReaders(one.service)
    expect(count()).toBe(1)
    expect(await ask(acme.admin, 'remindAttestations', { policyId: id })).toMatchObject({ reminded: 0 })
    await one.moveClock(12 * 86_400_000)
    await remindReaders(one.service)
    await server.next('late@acme.example')
    await one.moveClock(4 * 86_400_000)
    await remindReaders(one.service)
    const { link } = await server.next('late@acme.example')
    const { data, counts } = await round(id, { overdue: true })
    expect(counts.overdue).toBe(1)
    await ask(acme.admin, 'exemptAttestation', { id: data[0].id, reason: 'On a ship without a network' })
    expect((await openGuest(door).open(link)).status).toBe(422)
    await one.moveClock(30 * 86_400_000)
    await remindReaders(one.service)
    expect(count()).toBe(3)
    await expect(
      one.call(acme.admin, 'exemptAttestation', { id: data[0].id, reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})

test('who joins is asked, and of who leaves nothing is asked any more', async () => {
  const { id } = await policyFor({ audience: 'groups', audienceIds: ['drivers'] })
  expect((await round(id)).data).toEqual([])
  const driver = await person('driver@acme.example', { labels: ['drivers'] })
  // Within the minute, as whoever was just changed is looked at.
  await settleChanged(one.service)
  await settleRounds(one.service)
  expect(await statesOf(id)).toEqual({ 'driver@acme.example': 'requested' })
  await ask(acme.admin, 'updatePersonnel', { id: driver, status: 'offboarding' })
  await settleChanged(one.service)
  expect(await statesOf(id)).toEqual({ 'driver@acme.example': 'cancelled' })
  expect((await round(id)).data).toMatchObject([{ endedBecause: 'left' }])
  expect((await ask(acme.admin, 'getPersonnel', { id: memberPerson })).policiesAcknowledged).toEqual({
    required: 2,
    done: 2,
  })
})

describe('a certificate', () => {
  const bytesOf = async (input: object): Promise<Buffer> => {
    const operation = operations.find(({ name }) => name === 'downloadAttestationCertificate')!
    const { body } = await call(one.service, acme.admin, operation, input, { takesStream: true })
    const chunks: Uint8Array[] = []
    for await (const chunk of (body as Streamed).open()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  const download = async (input: object): Promise<string> => (await bytesOf(input)).toString()
  const sha256Of = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
  /** As an auditor does it: all but the last line, and what that one says. */
  const sealOf = (file: string) => {
    const at = file.trimEnd().lastIndexOf('\n') + 1
    return { made: sha256Of(file.slice(0, at)), said: /[0-9a-f]{64}/.exec(file.slice(at))![0] }
  }
  const acknowledged = async () => {
    const { id, versionId } = await policyFor({ audience: 'departments', audienceIds: ['Sales'] })
    for (const { id } of (await ask(member, 'listMyAttestations')).data)
      await ask(member, 'acknowledgeMyAttestation', {
        id,
        ...consentOf(await ask(member, 'readMyAttestation', { id })),
      })
    return { id, versionId }
  }

  test('has the hash of each text and line, and of itself, and finds a character that was changed', async () => {
    const { id, versionId } = await acknowledged()
    const file = await download({ policyId: id })
    const { acknowledgements, hashedFields, sha256 } = JSON.parse(file)
    const version = await ask(acme.admin, 'getPolicyVersion', { id: versionId })
    expect(acknowledgements).toHaveLength(1)
    const [line] = acknowledgements
    expect(sha256Of(JSON.stringify(hashedFields.map((name: string) => line[name])))).toBe(line.sha256)
    expect(line).toMatchObject({ contentSha256: version.contentSha256, email: 'member@acme.example' })
    expect(sealOf(file)).toEqual({ made: sha256, said: sha256 })
    for (let at = 0; at < file.lastIndexOf('"sha256"'); at += 7) {
      const changed = `${file.slice(0, at)}${file[at] === 'x' ? 'y' : 'x'}${file.slice(at + 1)}`
      expect(sealOf(changed).made).not.toBe(sha256)
    }
    // Whoever changes the table changes neither what was hashed then, nor what is sealed.
    await one.administrator.query(`update attestations set reader_name = 'Another' where policy_id = $1`, [
      id,
    ])
    const [forged] = JSON.parse(await download({ policyId: id })).acknowledgements
    expect(sha256Of(JSON.stringify(hashedFields.map((name: string) => forged[name])))).not.toBe(line.sha256)
    expect(forged.sha256).toBe(line.sha256)
    const entries = async (action: string) =>
      (await ask(acme.admin, 'listAuditLog', { action: [action], subjectId: [id] })).data
    expect((await entries('attestation.acknowledge'))[0].changes.sha256.to).toBe(line.sha256)
    const downloads = await entries('attestation.certify')
    expect(downloads.map((each: { changes: object }) => each.changes)).toContainEqual(
      expect.objectContaining({ sha256: { from: null, to: sha256 } }),
    )
  })

  test('is of one version where that is asked for, and closes as CSV as it does as JSON', async () => {
    const { id, versionId } = await acknowledged()
    const next = await publish(id, { content: 'Anew.', materialChange: true })
    const lines = async (more: object) =>
      JSON.parse(await download({ policyId: id, ...more })).acknowledgements
    expect([await lines({ versionId }), await lines({ versionId: next })]).toMatchObject([
      [{ version: '1.0' }],
      [],
    ])
    const csv = await download({ policyId: id, format: 'csv' })
    const { made, said } = sealOf(csv)
    expect(made).toBe(said)
    expect(
      new Set(
        csv
          .trimEnd()
          .split('\r\n')
          .map((row) => row.split(/,(?=")|,(?=,)|,$/).length > 1),
      ),
    ).toEqual(new Set([true]))
    const pdf = await bytesOf({ policyId: id, format: 'pdf' })
    const read = pdfText(pdf).flat().join(' ').replaceAll(' ', '')
    for (const each of [
      'member@acme.example',
      ...(await lines({})).map((line: { sha256: string }) => line.sha256),
    ])
      expect(read).toContain(each)
    const { data } = await ask(acme.admin, 'listAuditLog', {
      action: ['attestation.certify'],
      subjectId: [id],
    })
    expect(
      data.find(({ changes }: { changes: { format: { to: string } } }) => changes.format.to === 'pdf').changes
        .sha256.to,
    ).toBe(createHash('sha256').update(pdf).digest('hex'))
    for (const each of (await ask(member, 'listMyAttestations')).data)
      await ask(acme.admin, 'exemptAttestation', { id: each.id, reason: 'Done with' })
  })

  test('counts people by version, corrections with what they correct, and names whose request ended before they said it', async () => {
    const dana = await acme.person('viewer')
    const never = await person('never@dock.example', { department: 'Dock' })
    const says = await person('says@dock.example', { department: 'Dock', userId: dana.userId })
    const { id, versionId } = await policyFor({ audience: 'departments', audienceIds: ['Dock'] })
    const [{ id: asked }] = (await ask(dana, 'listMyAttestations')).data
    const consent = consentOf(await ask(dana, 'readMyAttestation', { id: asked }))
    await ask(dana, 'acknowledgeMyAttestation', { ...consent, id: asked })
    const corrected = await publish(id, { content: 'A comma.', materialChange: false })
    const next = await publish(id, { content: 'Anew.', materialChange: true })
    const told = async (more: object) => JSON.parse(await download({ policyId: id, ...more }))
    const none = { acknowledged: 0, open: 0, overdue: 0, exempt: 0, ended: 0 }
    // A correction asks nobody anew: both were asked about 1.0, as the log has it, one of whom was led on to 1.1.
    const both = { version: '1.1', corrects: ['1.0'], ...none, asked: 2, acknowledged: 1, ended: 1 }
    const first = await told({ versionId })
    expect([first.version, first.versions]).toEqual(['1.0', [both]])
    expect(first.counts).toEqual({ ...none, asked: 2, acknowledged: 1, ended: 1 })
    expect(first.missing).toMatchObject([{ personId: never, status: 'ended', version: '1.1' }])
    const second = await told({ versionId: next })
    expect(second.versions).toEqual([{ version: '2.0', corrects: [], ...none, asked: 2, open: 2 }])
    expect(second.missing.map(({ personId }: { personId: string }) => personId).sort()).toEqual(
      [never, says].sort(),
    )
    expect((await told({})).versions).toEqual([both, ...second.versions])
    const pdf = pdfText(await bytesOf({ policyId: id, format: 'pdf' }))
      .flat()
      .join(' ')
    expect(pdf).toContain('1.0, 1.1, 2.0')
    expect(pdf).toContain('1.1, with 1.0')
    expect(pdf).toContain('Request ended')
    // The list counts those of the version that it is of.
    const counted = async (more: object) =>
      (await ask(acme.admin, 'listAttestations', { policyId: id, ...more })).counts
    const states = { requested: 0, viewed: 0, acknowledged: 0, exempt: 0, cancelled: 0, overdue: 0 }
    expect(await counted({ versionId })).toEqual({ ...states, acknowledged: 1, cancelled: 1 })
    expect(await counted({})).toEqual({ ...states, requested: 2 })
    const log = (await ask(acme.admin, 'getPolicyLog', { id })).data as { event: string; versionId: string }[]
    // What ended was asked about the version before.
    expect(log.find(({ event }) => event === 'attestation_ended')).toMatchObject({
      versionId: corrected,
      changes: { version: { to: '1.1' }, ended: { to: 1 } },
    })
    // What is to be done stands first in the round, and what ended last.
    const rows = (await round(id)).data as { version: string; status: string }[]
    expect(rows.map((row) => `${row.version} ${row.status}`)).toEqual([
      ...['2.0 requested', '2.0 requested', '1.0 acknowledged', '1.1 cancelled'],
    ])
    const [page] = [await round(id, { limit: 2 })]
    const { data: further } = await round(id, { limit: 2, cursor: page.nextCursor })
    expect([...page.data, ...further].map((row) => row.id)).toEqual(
      (await round(id)).data.map((row: { id: string }) => row.id),
    )
  })

  test('tells an auditor whether it is everybody: who is asked, who is late, and who need not', async () => {
    const late = await person('late@stores.example', { department: 'Stores' })
    const away = await person('away@stores.example', { department: 'Stores' })
    const { id, versionId } = await policyFor({ audience: 'departments', audienceIds: ['Stores'] })
    const { data } = await round(id)
    const ofAway = data.find((each: { person: { id: string } }) => each.person.id === away)
    await ask(acme.admin, 'exemptAttestation', { id: ofAway.id, reason: 'On leave' })
    await one.moveClock(20 * 86_400_000)
    const { counts, acknowledgements, missing } = JSON.parse(await download({ policyId: id }))
    expect(counts).toEqual({ asked: 2, acknowledged: 0, open: 0, overdue: 1, exempt: 1, ended: 0 })
    expect(acknowledgements).toEqual([])
    expect(missing).toMatchObject([
      { personId: late, email: 'late@stores.example', status: 'overdue', version: '1.0' },
      { personId: away, status: 'exempt', exemptReason: 'On leave' },
    ])
    const pdf = pdfText(await bytesOf({ policyId: id, format: 'pdf' }))
      .flat()
      .join(' ')
    for (const each of ['late@stores.example', 'Overdue', 'On leave']) expect(pdf).toContain(each)
    // What was asked, and of whom, is sealed as it happens.
    const log = (await ask(acme.admin, 'getPolicyLog', { id })).data
    const entryOf = (event: string) => log.find((each: { event: string }) => each.event === event)
    expect(entryOf('attestation_requested')).toMatchObject({
      versionId,
      changes: { asked: { to: 2 }, personIds: { to: [late, away].sort() } },
    })
    expect(entryOf('attestation_exempted')).toMatchObject({
      versionId,
      comment: 'On leave',
      changes: { personId: { to: away }, email: { to: 'away@stores.example' } },
    })
    await ask(acme.admin, 'updatePersonnel', { id: late, status: 'offboarding' })
    await ask(acme.admin, 'updatePersonnel', { id: late, status: 'former' })
    await settleRounds(one.service)
    const [ended] = (await ask(acme.admin, 'getPolicyLog', { id })).data
    expect(ended).toMatchObject({
      event: 'attestation_ended',
      changes: { ended: { to: 1 }, personIds: { to: [late] } },
    })
    const { secret } = await acme.key(['read:policies'])
    const { body } = await door.send(secret, 'GET', `/v1/policies/${id}/log`)
    const history = await door.send(secret, 'GET', `/v1/policies/${id}/history`)
    expect(history.status).toBe(200)
    for (const hidden of [late, away, 'away@stores.example', 'On leave'])
      expect(JSON.stringify([body, history.body])).not.toContain(hidden)
  })

  test('is noted once, when it leaves: not where a link to it is made', async () => {
    const { id } = await acknowledged()
    const noted = async () =>
      (await ask(acme.admin, 'listAuditLog', { action: ['attestation.certify'], subjectId: [id] })).data
    const link = await ask(acme.admin, 'downloadAttestationCertificate', { policyId: id })
    expect(link.url).toContain('/download/')
    expect(await noted()).toEqual([])
    await download({ policyId: id })
    expect(await noted()).toHaveLength(1)
  })

  test('names people to whom the directory is open alone, and so does the list of who was asked', async () => {
    const { id } = await acknowledged()
    const { secret } = await acme.key(['read:policies'])
    const path = `/v1/policies/${id}/attestations`
    const { body } = await door.send(secret, 'GET', path)
    expect(body.data).toMatchObject([
      { status: 'acknowledged', person: null, acknowledgedBy: null, ip: null, userAgent: null },
    ])
    expect((await door.send(secret, 'GET', `${path}/certificate`)).status).toBe(403)
    const log = await door.send(secret, 'GET', `/v1/policies/${id}/log`)
    expect(JSON.stringify(log.body)).not.toContain('member@acme.example')
    expect(log.body.data.map(({ event }: { event: string }) => event)).not.toContain(
      'attestation_acknowledged',
    )
    const whole = await ask(acme.admin, 'getPolicyLog', { id })
    expect(whole.data.map(({ event }: { event: string }) => event)).toContain('attestation_acknowledged')
  })
})
