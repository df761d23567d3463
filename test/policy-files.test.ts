import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { sweepFiles } from '../server/files/sweep.ts'
import { programOf } from './support/callers.ts'
import { beginFile, sendFile, sha256 } from './support/files.ts'
import { openGuest } from './support/guest.ts'
import { ASKS_SALES, GUEST, type Policies, startPolicies } from './support/policies.ts'
import { startTestService } from './support/service.ts'

/*
 * Promise: a version of a policy may be a file, which is approved, handed out and acknowledged by its hash as a text is,
 * and which nobody gets who may not read it.
 */

let policies: Policies
let { one, door, server, acme, author, approver, member, as, refused, drafted, published, bytesOf } =
  {} as Policies
beforeAll(async () => {
  policies = await startPolicies(startTestService)
  ;({ one, door, server, acme, author, approver, member, as, refused, drafted, published, bytesOf } =
    policies)
})
afterAll(() => policies?.close())

const pdf = (words: string) => Buffer.from(`%PDF-1.7\n% ${words}\n`)
const sent = (words: string, by = author, name = 'Access control.pdf') => sendFile(one, by, name, pdf(words))

test('a file is approved, published and acknowledged by its hash, with a login and without', async () => {
  const { policy, id } = await drafted(undefined, ASKS_SALES)
  const content = pdf('in force')
  const file = await sendFile(one, author, 'Access control.pdf', content)
  const put = await as(author, 'putPolicyVersionFile', { id, fileId: file.id })
  expect(put).toMatchObject({
    ...{ contentFormat: 'file', content: null, status: 'draft' },
    file: { id: file.id, name: 'Access control.pdf', bytes: content.length, sha256: sha256(content) },
  })
  expect(await published(id)).toMatchObject({
    contentSha256: sha256(content),
    text: null,
    status: 'published',
  })
  expect(await bytesOf(member, 'downloadPolicyVersionFile', { id })).toEqual(content)
  expect(await refused(member, 'exportPolicyVersion', { id })).toMatchObject({ code: 'conflict' })

  const consent = { contentSha256: sha256(content), isAgreed: true, reachedEnd: true }
  const { data } = await as(member, 'listMyAttestations')
  const asked = { id: data[0]!.id }
  expect(await as(member, 'readMyAttestation', asked)).toMatchObject({
    ...{ text: null, contentSha256: sha256(content) },
    file: { name: 'Access control.pdf', type: 'application/pdf', bytes: content.length },
  })
  expect(await bytesOf(member, 'downloadMyAttestation', asked)).toEqual(content)
  expect(await refused(acme.admin, 'downloadMyAttestation', asked)).toMatchObject({ code: 'not_found' })
  expect(await as(member, 'acknowledgeMyAttestation', { ...asked, ...consent })).toMatchObject({
    status: 'acknowledged',
  })

  const guest = openGuest(door)
  await remindReaders(one.service)
  await guest.open((await server.next(GUEST)).link)
  const read = await guest.call('readPolicyAsGuest')
  expect(read.body).toMatchObject({ text: null, file: { name: 'Access control.pdf' } })
  const downloaded = await guest.call('downloadPolicyAsGuest')
  expect(downloaded.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment/),
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
  expect(downloaded.headers['content-length']).toBe(String(content.length))
  await guest.call('sendGuestCode')
  const [code] = /^\d{6}/.exec((await server.next(GUEST)).subject)!
  await guest.call('confirmGuestCode', { code })
  expect((await guest.call('acknowledgePolicyAsGuest', { id: read.body.id, ...consent })).body.status).toBe(
    'acknowledged',
  )
  const { data: round } = await as(acme.admin, 'listAttestations', { policyId: policy.id })
  expect(round.map(({ contentSha256 }) => contentSha256)).toEqual(Array(2).fill(sha256(content)))

  // The next one begins as the file that is in force; a text takes its place.
  const next = await as(author, 'createPolicyVersion', { policyId: policy.id })
  expect(next).toMatchObject({ contentFormat: 'file', file: { id: file.id } })
  const text = await as(author, 'updatePolicyVersion', { id: next.id, content: 'As a text again.' })
  expect(text).toMatchObject({ contentFormat: 'markdown', file: null, content: 'As a text again.' })
  expect(await refused(author, 'downloadPolicyVersionFile', { id: next.id })).toMatchObject({
    code: 'not_found',
  })
  expect(await bytesOf(author, 'downloadPolicyVersionFile', { id })).toEqual(content)
})

test('another file makes a submitted version a draft again, and voids what was decided', async () => {
  const { policy, id } = await drafted(undefined, { quorum: 'all' })
  await as(author, 'putPolicyVersionFile', { id, fileId: (await sent('one')).id })
  const { contentSha256, round } = await as(author, 'submitPolicyVersion', { id })
  await as(approver, 'approvePolicyVersion', { id, contentSha256, round })
  const other = await sent('two')
  expect(await as(author, 'putPolicyVersionFile', { id, fileId: other.id })).toMatchObject({
    ...{ status: 'draft', contentSha256: null, file: { sha256: other.sha256 } },
  })
  const { data } = await as(author, 'listPolicyDecisions', { versionId: [id] })
  expect(data.map(({ status }) => status)).toEqual(['voided'])
  const log = await as(author, 'getPolicyLog', { id: policy.id })
  expect(log.data.map(({ event }) => event)).toContain('voided')
  expect((await as(author, 'submitPolicyVersion', { id })).contentSha256).toBe(other.sha256)
  expect(await refused(approver, 'approvePolicyVersion', { id, contentSha256, round })).toMatchObject({
    code: 'text_changed',
  })
  await published(id).catch(() => null)
})

test('only a finished PDF or Word file of whoever puts it there is taken, and only while it can be changed', async () => {
  const { policy, id } = await drafted()
  const put = (fileId: string, by = author, more: object = {}) =>
    refused(by, 'putPolicyVersionFile', { id, fileId, ...more })
  const globex = await one.organization()
  const theirs = await sent('theirs', globex.admin)
  const wrong = { code: 'validation_failed', path: 'fileId' }
  expect(await put(theirs.id)).toMatchObject(wrong)
  expect(await put((await sent('of another person', approver)).id)).toMatchObject(wrong)
  expect(await put((await beginFile(one, author, 'begun.pdf', pdf('begun'))).id)).toMatchObject(wrong)
  expect(await put((await sendFile(one, author)).id)).toMatchObject(wrong)
  const own = await sent('own')
  expect(await put(own.id, globex.admin)).toMatchObject({ code: 'not_found' })
  expect(await put(own.id, member)).toMatchObject({ code: 'capability_required' })
  expect(await put(own.id, author, { ifMatch: 9 })).toMatchObject({ code: 'version_mismatch' })
  expect(await put(own.id)).toBeNull()
  // What the policy has, others who write it may go on with.
  expect(await put(own.id, approver)).toBeNull()
  expect(await refused(globex.admin, 'downloadPolicyVersionFile', { id })).toMatchObject({
    code: 'not_found',
  })
  await published(id)
  expect(await put((await sent('late')).id)).toMatchObject({ code: 'conflict' })
  expect(await as(author, 'getPolicy', { id: policy.id })).toMatchObject({ currentVersionId: id })
})

test('what the scanner finds something in is neither put in a version nor submitted', async () => {
  const { id } = await drafted()
  const file = await sent('infected later')
  await as(author, 'putPolicyVersionFile', { id, fileId: file.id })
  const scanned = (scan: string) =>
    one.administrator.query(
      'update file_contents set scan = $2 where id = (select content_id from files where id = $1)',
      [file.id, scan],
    )
  await scanned('waiting')
  expect(await refused(author, 'submitPolicyVersion', { id })).toMatchObject({ code: 'file_not_ready' })
  expect(await refused(author, 'downloadPolicyVersionFile', { id })).toMatchObject({ code: 'file_not_ready' })
  await scanned('infected')
  expect(await refused(author, 'submitPolicyVersion', { id })).toMatchObject({ code: 'file_refused' })
  expect(await refused(author, 'downloadPolicyVersionFile', { id })).toMatchObject({ code: 'file_refused' })
  expect(await refused(author, 'putPolicyVersionFile', { id, fileId: file.id })).toMatchObject({
    path: 'fileId',
  })
})

test('a policy comes in as a file, which stays as long as a version has it', async () => {
  const file = await sent('brought in')
  const given = { fileName: 'Access control.pdf', name: 'Access control' }
  expect(await refused(author, 'createPolicyFromFile', given)).toMatchObject({ path: 'content' })
  expect(
    await refused(author, 'createPolicyFromFile', { ...given, content: 'x', fileId: file.id }),
  ).toMatchObject({ path: 'content' })
  expect(await refused(approver, 'createPolicyFromFile', { ...given, fileId: file.id })).toMatchObject({
    path: 'fileId',
  })
  // A program sends none, also not those of whom it acts for.
  const program = programOf(author, ['write:policies'])
  expect(await refused(program, 'createPolicyFromFile', { ...given, fileId: file.id })).toMatchObject({
    code: 'file_upload_not_allowed',
  })
  const policy = await as(author, 'createPolicyFromFile', { ...given, fileId: file.id })
  expect(await as(author, 'getPolicyVersion', { id: policy.draftVersionId })).toMatchObject({
    ...{ contentFormat: 'file', content: null, file: { id: file.id } },
  })
  const isThere = async () =>
    (await one.administrator.query('select from files where id = $1', [file.id])).rowCount === 1
  const aDayLater = () =>
    one.administrator.query(
      "update files set loose_since = loose_since - interval '25 hours' where id = $1",
      [file.id],
    )
  const sweep = async () => {
    await sweepFiles(one.service)
    await aDayLater()
    await sweepFiles(one.service)
  }
  await sweep()
  expect(await isThere()).toBe(true)
  await as(acme.admin, 'deletePolicy', { id: policy.id })
  await sweep()
  expect(await isThere()).toBe(false)
})

test('a policy that was retired goes on from its last file', async () => {
  const { policy, id } = await drafted(undefined, ASKS_SALES)
  const { id: fileId } = await sent('retired')
  await as(author, 'putPolicyVersionFile', { id, fileId })
  await published(id)
  await as(author, 'retirePolicy', { id: policy.id })
  await as(author, 'restorePolicy', { id: policy.id })
  const next = await as(author, 'createPolicyVersion', { policyId: policy.id })
  expect(next).toMatchObject({ contentFormat: 'file', file: { id: fileId }, label: '2.0' })
})
