import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { sweepFiles } from '../server/files/sweep.ts'
import type { Door } from './support/door.ts'
import { sendFile } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: evidence is asked for, handed in, and found right or not by somebody other than its owner. What goes to the
 * reviewer is kept as it was.
 */

const DAY = 24 * 60 * 60_000

let one: TestService
let door: Door
let acme: TestOrganization
let editor: Caller
let reviewer: Caller
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  editor = await acme.person('editor')
  reviewer = await acme.person('editor')
})
afterAll(() => one.close())

interface Answer {
  readonly id: string
  readonly [field: string]: unknown
}
const call = async (name: string, input: object, caller = editor): Promise<Answer> =>
  (await one.call(caller, name, input)).body as Answer
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const add = (more: object = {}) =>
  call('createEvidence', { title: 'Access review', owner: user(editor), reviewer: user(reviewer), ...more })
const submitted = async (more: object = {}) => {
  const { id } = await add({ text: 'All accounts were reviewed.', ...more })
  return call('submitEvidence', { id })
}
const approved = async (more: object = {}) => {
  const { id } = await submitted(more)
  return call('approveEvidence', { id }, reviewer)
}

describe('a review', () => {
  test('begins with something to look at and somebody who looks', async () => {
    const { id } = await add({ reviewer: null })
    await expect(call('submitEvidence', { id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('nothing to look at'),
    })
    await call('updateEvidence', { id, url: 'https://example.com/review' })
    await expect(call('submitEvidence', { id })).rejects.toMatchObject({
      members: { errors: [{ path: 'reviewer' }] },
    })
    await expect(call('submitEvidence', { id, reviewer: user(editor) })).rejects.toMatchObject({
      members: { errors: [{ path: 'reviewer', message: expect.stringContaining('is its owner') }] },
    })
    expect(await call('submitEvidence', { id, reviewer: user(reviewer) })).toMatchObject({
      status: 'in_review',
      currentRevision: 1,
    })
  })

  test('is nobody’s of their own, by their entry in the directory or by giving it away', async () => {
    const given = { fullName: 'The editor', workEmail: 'the.editor@example.com', userId: editor.userId }
    const { id: entry } = await call('createPersonnel', given, acme.admin)
    const { id } = await add({ text: 'Done.', owner: { type: 'personnel', refId: entry } })
    await call('submitEvidence', { id, reviewer: user(editor) }, acme.admin)
    const refused = { code: 'other_person_required' }
    await expect(call('approveEvidence', { id })).rejects.toMatchObject(refused)
    await expect(call('rejectEvidence', { id, rejectionReason: 'No.' })).rejects.toMatchObject(refused)
    const another = await submitted()
    const asked = await add({
      ...{ text: 'Done.', owner: null, requestedFrom: user(editor), requestDueDate: '2030-01-31' },
    })
    await call('submitEvidence', { id: asked.id, reviewer: user(reviewer) }, acme.admin)
    for (const [own, field] of [
      [another, 'owner'],
      [asked, 'requestedFrom'],
    ] as const)
      for (const other of [null, user(acme.admin)])
        await expect(
          call('updateEvidence', { id: own.id, [field]: other, reviewer: user(editor) }),
        ).rejects.toMatchObject({ members: { errors: [{ path: field }] } })
  })

  test('is nobody’s who has sent it or was asked for it, in person or by a program', async () => {
    const refused = { code: 'other_person_required' }
    const sentByAdmin = await add({ text: 'Done.' })
    await call('submitEvidence', { id: sentByAdmin.id }, acme.admin)
    await expect(call('approveEvidence', { id: sentByAdmin.id }, acme.admin)).rejects.toMatchObject(refused)
    const { secret } = await acme.key(['write:evidence'], acme.admin)
    const sentByKey = await add({ text: 'Done.' })
    expect((await door.send(secret, 'POST', `/v1/evidence/${sentByKey.id}/submit`)).status).toBe(200)
    await expect(call('approveEvidence', { id: sentByKey.id }, acme.admin)).rejects.toMatchObject(refused)
    const asked = await add({ text: 'Done.', requestedFrom: user(acme.admin), requestDueDate: '2030-01-31' })
    await call('submitEvidence', { id: asked.id })
    await expect(call('approveEvidence', { id: asked.id }, acme.admin)).rejects.toMatchObject(refused)
    const ownerless = await add({ text: 'Done.', owner: null })
    await expect(call('submitEvidence', { id: ownerless.id, reviewer: user(editor) })).rejects.toMatchObject({
      members: { errors: [{ path: 'reviewer', message: expect.stringMatching(/^sends it/) }] },
    })
    await expect(
      add({ status: 'requested', requestedFrom: user(reviewer), requestDueDate: '2030-01-31' }),
    ).rejects.toMatchObject({ members: { errors: [{ path: 'reviewer' }] } })
  })

  test('is nobody’s who sent, owned, wrote or was asked for the same before', async () => {
    const [other, third] = [await acme.person('editor'), await acme.person('editor')]
    const refused = { code: 'other_person_required' }
    const again = async (id: string, by: Caller, given: object = {}) => {
      await call('updateEvidence', { id, status: 'draft', ...given }, by)
      return call('submitEvidence', { id }, by)
    }
    const sentBefore = await add({ text: 'Done.', reviewer: user(acme.admin) })
    await call('submitEvidence', { id: sentBefore.id }, other)
    await again(sentBefore.id, editor, { reviewer: user(other) })
    await expect(call('approveEvidence', { id: sentBefore.id }, other)).rejects.toMatchObject(refused)

    const asked = { requestedFrom: user(other), requestDueDate: '2030-01-31' }
    const given = await add({ text: 'Done.', owner: user(third), reviewer: user(acme.admin), ...asked })
    await call('submitEvidence', { id: given.id })
    await again(given.id, editor, { requestedFrom: null, owner: user(acme.admin), reviewer: user(reviewer) })
    for (const before of [other, third]) {
      await again(given.id, editor, { reviewer: user(before) })
      await expect(call('approveEvidence', { id: given.id }, before)).rejects.toMatchObject(refused)
    }

    const written = await add({ text: 'Not yet.', reviewer: user(other) })
    await call('updateEvidence', { id: written.id, text: 'Done.' }, other)
    await call('submitEvidence', { id: written.id })
    await expect(call('approveEvidence', { id: written.id }, other)).rejects.toMatchObject(refused)
    // A change of it leaves it theirs; what others wrote in its place once it was taken out does not.
    await again(written.id, editor, { text: 'Done, by two of us.' })
    await expect(call('approveEvidence', { id: written.id }, other)).rejects.toMatchObject(refused)
    await call('updateEvidence', { id: written.id, status: 'draft', text: null })
    await again(written.id, editor, { text: 'Done, by somebody else.' })
    expect(await call('approveEvidence', { id: written.id }, other)).toMatchObject({ status: 'approved' })

    const begun = await call(
      'createEvidence',
      { title: 'Begun', text: 'Done.', reviewer: user(third) },
      third,
    )
    await call('submitEvidence', { id: begun.id })
    await expect(call('approveEvidence', { id: begun.id }, third)).rejects.toMatchObject(refused)
    // Who asks for it, and writes none of it, may well review it.
    const wanted = await call('createEvidence', { title: 'Wanted', reviewer: user(third), ...asked }, third)
    await call('updateEvidence', { id: wanted.id, text: 'Done.' }, other)
    await call('submitEvidence', { id: wanted.id }, other)
    expect(await call('approveEvidence', { id: wanted.id }, third)).toMatchObject({ status: 'approved' })
  })

  test('is nobody’s who wrote or sent any of it, whatever others have added since', async () => {
    const [first, second] = [await acme.person('editor'), await acme.person('editor')]
    const begun = async (given: object) =>
      (await call('createEvidence', { title: 'By two', ...given }, first)).id
    const decidedByFirst = async (id: string) => {
      await call('submitEvidence', { id, reviewer: user(first) }, second)
      return call('approveEvidence', { id }, first)
    }
    const refused = { code: 'other_person_required', message: expect.stringContaining('wrote what it says') }
    const sent = async (id: string) => {
      await call('submitEvidence', { id, reviewer: user(reviewer) }, second)
      await call('updateEvidence', { id, status: 'draft' }, second)
    }

    const corrected = await begun({ text: 'Ten pages with one tpyo.' })
    await call('updateEvidence', { id: corrected, text: 'Ten pages with one typo.' }, second)
    await expect(decidedByFirst(corrected)).rejects.toMatchObject(refused)

    const [url, text] = ['https://example.com/review', 'Ten pages.']
    for (const [theirs, added] of [
      [{ text }, { url }],
      [{ url }, { text }],
    ] as const) {
      const id = await begun(theirs)
      await sent(id)
      await call('updateEvidence', { id, ...added }, second)
      await expect(decidedByFirst(id)).rejects.toMatchObject(refused)
    }

    const filed = await begun({})
    const mine = await sendFile(one, first, 'mine.txt', Buffer.from('Of the first.'))
    await call('addEvidenceFiles', { id: filed, fileIds: [mine.id] }, first)
    await sent(filed)
    const theirs = await sendFile(one, second, 'theirs.txt', Buffer.from('Of the second.'))
    await call('addEvidenceFiles', { id: filed, fileIds: [theirs.id] }, second)
    await expect(decidedByFirst(filed)).rejects.toMatchObject(refused)
    // A file is of whoever has sent it, wherever somebody else puts it.
    const reused = await call('createEvidence', { title: 'Once more' }, second)
    await call('addEvidenceFiles', { id: reused.id, fileIds: [mine.id] }, second)
    await expect(decidedByFirst(reused.id)).rejects.toMatchObject(refused)
    // What is not in it any more is nobody's.
    await call('updateEvidence', { id: filed, status: 'draft' }, second)
    await call('removeEvidenceFile', { id: filed, fileId: mine.id }, second)
    expect(await decidedByFirst(filed)).toMatchObject({ status: 'approved' })
  })

  test('is of what was sent: what was changed past the service is neither shown nor approved', async () => {
    const { id } = await submitted()
    const changing = (table: string, key: string) =>
      one.administrator.query(`update ${table} set text = 'All bad.' where ${key} = $1`, [id])
    await changing('evidence', 'id')
    const refused = { code: 'conflict', message: expect.stringContaining('changed in the database') }
    await expect(call('approveEvidence', { id }, reviewer)).rejects.toMatchObject(refused)
    await changing('evidence_revisions', 'evidence_id')
    await expect(call('listEvidenceRevisions', { id })).rejects.toMatchObject(refused)
  })

  test('says until when it counts, and nobody makes that later afterwards', async () => {
    const { id } = await approved({ expiryDate: '2030-01-31' })
    for (const expiryDate of ['2030-02-01', null])
      await expect(call('updateEvidence', { id, expiryDate })).rejects.toMatchObject({
        members: { errors: [{ path: 'expiryDate' }] },
      })
    expect(await call('updateEvidence', { id, expiryDate: '2030-01-30' })).toMatchObject({
      status: 'approved',
    })
  })

  test('shows nothing before its first day, and its days stay as its reviewer was shown them', async () => {
    const ahead = await submitted({ validFrom: '2090-01-01' })
    await expect(call('approveEvidence', { id: ahead.id }, reviewer)).rejects.toMatchObject({
      members: { errors: [{ path: 'validFrom' }] },
    })
    const days = { validFrom: '2020-01-01', expiryDate: '2030-01-31' }
    const shown = await submitted(days)
    for (const field of Object.keys(days))
      await expect(
        call('updateEvidence', { id: shown.id, [field]: '2026-01-01' }),
        field,
      ).rejects.toMatchObject({
        members: { errors: [{ path: field }] },
      })
    await call('approveEvidence', { id: shown.id }, reviewer)
    await expect(call('updateEvidence', { id: shown.id, validFrom: '2010-01-01' })).rejects.toMatchObject({
      members: { errors: [{ path: 'validFrom' }] },
    })
  })

  test('is not rewritten on its way to the archive', async () => {
    for (const { id } of [await submitted(), await approved()])
      await expect(call('updateEvidence', { id, status: 'archived', text: 'Another' })).rejects.toMatchObject(
        {
          members: { errors: [{ path: 'text' }] },
        },
      )
  })

  test('ends by the reviewer or an admin, and by nobody who owns it', async () => {
    const { id } = await submitted()
    const stranger = await acme.person('editor')
    for (const who of [editor, stranger])
      await expect(call('approveEvidence', { id }, who)).rejects.toMatchObject({
        code: 'other_person_required',
      })
    const after = await call('approveEvidence', { id, expiryDate: '2199-12-31' }, reviewer)
    expect(after).toMatchObject({
      status: 'approved',
      expiryDate: '2199-12-31',
      reviewedBy: { id: reviewer.userId },
      reviewedAt: expect.any(String),
    })
    const own = await call('createEvidence', {
      title: 'Own',
      text: 'x',
      owner: user(acme.admin),
      reviewer: user(reviewer),
    })
    await call('submitEvidence', { id: own.id })
    await expect(call('approveEvidence', { id: own.id }, acme.admin)).rejects.toMatchObject({
      code: 'other_person_required',
    })
    const others = await submitted()
    expect(await call('approveEvidence', { id: others.id }, acme.admin)).toMatchObject({ status: 'approved' })
  })

  test('is rejected with a reason, mended and sent again', async () => {
    const { id } = await submitted()
    await expect(call('rejectEvidence', { id, rejectionReason: ' ' }, reviewer)).rejects.toMatchObject({
      members: { errors: [{ path: 'rejectionReason' }] },
    })
    expect(
      await call('rejectEvidence', { id, rejectionReason: 'March is missing.' }, reviewer),
    ).toMatchObject({
      status: 'rejected',
      rejectionReason: 'March is missing.',
    })
    await call('updateEvidence', { id, text: 'With March.' })
    expect(await call('submitEvidence', { id })).toMatchObject({
      status: 'in_review',
      currentRevision: 2,
      rejectionReason: null,
      reviewedBy: null,
    })
    await call('approveEvidence', { id }, reviewer)
    const by = { decidedBy: { id: reviewer.userId } }
    expect((await call('listEvidenceRevisions', { id })).data).toMatchObject([
      { number: 2, decision: { outcome: 'approved', reason: null, ...by } },
      { number: 1, decision: { outcome: 'rejected', reason: 'March is missing.', ...by } },
    ])
  })

  test('is of what stands there: nobody changes it meanwhile, or once it is approved', async () => {
    const { id } = await submitted()
    for (const settle of [async () => {}, () => call('approveEvidence', { id }, reviewer)]) {
      await settle()
      await expect(call('updateEvidence', { id, text: 'Another.' })).rejects.toMatchObject({
        members: { errors: [{ path: 'text', message: expect.stringContaining('back to draft') }] },
      })
      const file = await sendFile(one, editor)
      await expect(call('addEvidenceFiles', { id, fileIds: [file.id] })).rejects.toMatchObject({
        members: { errors: [{ path: 'files' }] },
      })
    }
    // Called otherwise, it would prove something else than what was approved.
    for (const [field, value] of Object.entries({
      title: 'Renamed',
      kind: 'log_export',
      description: 'More',
    }))
      await expect(call('updateEvidence', { id, [field]: value })).rejects.toMatchObject({
        members: { errors: [{ path: field }] },
      })
    await call('updateEvidence', { id, labels: ['2026'] })
    expect(await call('updateEvidence', { id, status: 'draft', text: 'Another.' })).toMatchObject({
      status: 'draft',
    })
  })

  test('finds nothing right whose last day is over', async () => {
    const { id } = await submitted()
    const approve = (expiryDate?: string) => call('approveEvidence', { id, expiryDate }, reviewer)
    await expect(approve('2020-01-01')).rejects.toMatchObject({
      members: { errors: [{ path: 'expiryDate' }] },
    })
    expect(await approve('2199-01-01')).toMatchObject({ status: 'approved', expiryDate: '2199-01-01' })
  })

  test('no program approves, and none reaches a state by an edit', async () => {
    const { secret } = await acme.key(['read:evidence', 'write:evidence'])
    const { id } = await submitted()
    expect((await door.send(secret, 'POST', `/v1/evidence/${id}/approve`)).body.code).toBe('session_required')
    for (const status of ['approved', 'rejected', 'expired'])
      expect((await door.send(secret, 'PATCH', `/v1/evidence/${id}`, { body: { status } })).body.code).toBe(
        'invalid_transition',
      )
    const made = await door.send(secret, 'POST', '/v1/evidence', { body: { title: 'x', status: 'approved' } })
    expect(made.status).toBe(422)
  })
})

test('it is asked for from somebody, until a day', async () => {
  await expect(add({ status: 'requested' })).rejects.toMatchObject({
    members: { errors: [{ path: 'requestedFrom' }] },
  })
  const asked = { status: 'requested', requestedFrom: user(reviewer), requestDueDate: '2020-01-31' }
  const { id } = await add({ ...asked, reviewer: user(acme.admin) })
  await call('updateEvidence', { id, owner: null }, acme.admin)
  const overdue = await call('listEvidence', { due: ['overdue'], limit: 200 })
  expect((overdue as unknown as { data: Answer[] }).data.map((each) => each.id)).toContain(id)
  const file = await sendFile(one, reviewer, 'handed-in.txt')
  await call('addEvidenceFiles', { id, fileIds: [file.id] }, reviewer)
  expect(await call('submitEvidence', { id }, reviewer)).toMatchObject({ status: 'in_review' })
  // Somebody has to hear of its end.
  expect(await call('approveEvidence', { id }, acme.admin)).toMatchObject({
    status: 'approved',
    owner: { refId: reviewer.userId },
  })
})

describe('its files', () => {
  test('stand in the record with their hashes, and stay as long as a revision has them', async () => {
    const [first, second] = [
      await sendFile(one, editor, 'first.txt', Buffer.from('The first.')),
      await sendFile(one, editor, 'second.txt', Buffer.from('The second.')),
    ]
    const { id } = await add({ text: 'Two files.' })
    const with2 = await call('addEvidenceFiles', { id, fileIds: [first.id, second.id, first.id] })
    expect(with2).toMatchObject({
      files: [
        { id: first.id, name: 'first.txt', sha256: first.sha256 },
        { id: second.id, name: 'second.txt', sha256: second.sha256 },
      ],
    })
    await call('submitEvidence', { id })
    await call('updateEvidence', { id, status: 'draft' })
    await call('removeEvidenceFile', { id, fileId: first.id })
    const third = await sendFile(one, editor, 'third.txt', Buffer.from('The third.'))
    await call('addEvidenceFiles', { id, fileIds: [third.id] })
    await call('removeEvidenceFile', { id, fileId: third.id })
    expect((await call('submitEvidence', { id })).files).toMatchObject([{ id: second.id }])
    const { data } = (await call('listEvidenceRevisions', { id })) as unknown as {
      data: { number: number; sha256: string; files: { id: string }[] }[]
    }
    expect(data.map(({ number, files }) => [number, files.map((file) => file.id)])).toEqual([
      [2, [second.id]],
      [1, [first.id, second.id]],
    ])
    const digest = createHash('sha256')
      .update(JSON.stringify([null, 'Two files.', [first.sha256, second.sha256]]))
      .digest('hex')
    expect(data[1]!.sha256).toBe(digest)
    const files = async (caller: Caller) =>
      ((await call('listEvidenceFiles', { id }, caller)) as unknown as { data: Answer[] }).data
    expect(await files(reviewer)).toMatchObject([
      { id: first.id, status: 'ready', scan: 'unscanned', legalHold: false },
      { id: second.id },
    ])
    const elsewhere = await one.organization()
    await expect(files(elsewhere.admin)).rejects.toMatchObject({ code: 'not_found' })
    for (const _ of [1, 2, 3]) {
      await one.moveClock(2 * DAY)
      await sweepFiles(one.service)
    }
    await one.moveClock(-6 * DAY)
    for (const kept of [first, second])
      expect(await call('downloadFile', { id: kept.id }, reviewer)).toMatchObject({ name: kept.name })
    await expect(call('getFile', { id: third.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are freed by its deletion, whose entry keeps their names and hashes', async () => {
    const file = await sendFile(one, editor, 'gone.txt', Buffer.from('Gone.'))
    const { id } = await add()
    await call('addEvidenceFiles', { id, fileIds: [file.id] })
    await call('deleteEvidence', { id })
    const { rows } = await one.administrator.query(
      "select changes::text as changes from audit_entries where subject_id = $1 and action = 'evidence.delete'",
      [id],
    )
    expect(rows[0].changes).toContain(file.sha256)
    expect(rows[0].changes).toContain('gone.txt')
    await expect(call('getFile', { id: file.id }, reviewer)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are none that somebody else has sent, that are not finished, or that another organization has', async () => {
    const { id } = await add()
    const stranger = await acme.person('editor')
    const theirs = await sendFile(one, stranger)
    const elsewhere = await one.organization()
    const foreign = await sendFile(one, elsewhere.admin)
    const unfinished = await call('createFile', { name: 'a.txt', bytes: 5, sha256: '0'.repeat(64) })
    for (const file of [theirs, foreign, unfinished])
      await expect(call('addEvidenceFiles', { id, fileIds: [file.id] })).rejects.toMatchObject({
        members: { errors: [{ path: 'fileIds' }] },
      })
  })
})
