import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMarkdown } from '../model/markdown.ts'
import { remindReaders } from '../server/attestations/reminders.ts'
import { sweepFiles } from '../server/files/sweep.ts'
import { calledIn } from '../web/pages/policies/pictures/called-in.ts'
import { programOf } from './support/callers.ts'
import { docxParts } from './support/docx-parts.ts'
import { sendFile, sha256 } from './support/files.ts'
import { openGuest } from './support/guest.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { jpeg, png } from './support/pictures.ts'
import { ASKS_SALES, GUEST, type Policies, startPolicies } from './support/policies.ts'
import { startTestService } from './support/service.ts'

/*
 * Promise: a text shows the pictures that were sent for its policy, and no others. Which bytes they are is approved and
 * acknowledged with the text, and stays so as long as the version is there.
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

const draw = (colour: number[], by = author, name = 'Plan.png') =>
  sendFile(one, by, name, png([4, 3], colour))

test('a picture is read by whoever reads the text, by its hash, and is of one record alone', async () => {
  const bytes = png([4, 3], [1, 2, 3])
  const file = await sendFile(one, author, 'Plan.png', bytes)
  const content = `## Desk\n\n![Plan of a desk](${file.id}) as it is left`
  const { id } = await drafted(content, ASKS_SALES)
  const version = await published(id)
  expect(version.text).toBe(
    `## Desk\n\n![Plan of a desk](${file.id} "SHA-256 ${sha256(bytes)}") as it is left`,
  )
  expect(version.contentSha256).toBe(sha256(Buffer.from(version.text)))
  expect(await bytesOf(member, 'downloadPolicyPicture', { id, fileId: file.id })).toEqual(bytes)

  const [asked] = (await as(member, 'listMyAttestations')).data
  const shown = { id: asked!.id, sha256: sha256(bytes) }
  expect(await bytesOf(member, 'downloadMyPicture', shown)).toEqual(bytes)
  expect(await refused(acme.admin, 'downloadMyPicture', shown)).toMatchObject({ code: 'not_found' })

  const guest = openGuest(door)
  await remindReaders(one.service)
  await guest.open((await server.next(GUEST)).link)
  const given = await guest.call('downloadPictureAsGuest', { sha256: sha256(bytes) })
  expect(given.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^attachment/),
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
  expect(given.headers['content-length']).toBe(String(bytes.length))

  // A picture of another policy, and what is no picture at all, are as if they never were.
  const foreign = await sendFile(one, author, 'Other.png', png([2, 2], [9, 9, 9]))
  const { id: another } = await drafted(`![Other](${foreign.id})`)
  const elsewhere = { sha256: foreign.sha256 }
  expect((await guest.call('downloadPictureAsGuest', elsewhere)).status).toBe(404)
  expect(await refused(member, 'downloadMyPicture', { id: asked!.id, ...elsewhere })).toMatchObject({
    code: 'not_found',
  })
  for (const [of, fileId] of [
    [id, foreign.id],
    [another, file.id],
  ])
    expect(await refused(member, 'downloadPolicyPicture', { id: of, fileId })).toMatchObject({
      code: 'not_found',
    })
  const others = await one.organization()
  expect(await refused(others.admin, 'downloadPolicyPicture', { id, fileId: file.id })).toMatchObject({
    code: 'not_found',
  })
  const door2 = openGuest(door)
  expect((await door2.call('downloadPictureAsGuest', { sha256: sha256(bytes) })).status).toBe(401)
})

test('what is published keeps its pictures, whatever the next version shows', async () => {
  const [before, after] = [await draw([1, 1, 1]), await draw([2, 2, 2])]
  const { policy, id } = await drafted(`![Plan](${before.id})`)
  const { contentSha256 } = await published(id)
  const next = await as(author, 'createPolicyVersion', { policyId: policy.id })
  expect(next.content).toBe(`![Plan](${before.id})`)
  await as(author, 'updatePolicyVersion', { id: next.id, content: `![Plan](${after.id})` })
  const submitted = await as(author, 'submitPolicyVersion', { id: next.id })
  expect(submitted.contentSha256).not.toBe(contentSha256)
  await as(author, 'discardPolicyVersion', {
    id: (await as(author, 'withdrawPolicyVersion', { id: next.id })).id,
  })
  await sweep(before.id, after.id)
  expect(await bytesOf(member, 'downloadPolicyPicture', { id, fileId: before.id })).toEqual(
    png([4, 3], [1, 1, 1]),
  )
})

test('another picture makes a submitted version a draft again, and so it is approved anew', async () => {
  const [one, two] = [await draw([3, 1, 1]), await draw([3, 2, 2])]
  const { id } = await drafted(`![Plan](${one.id})`)
  const { contentSha256, round } = await as(author, 'submitPolicyVersion', { id })
  expect(await as(author, 'updatePolicyVersion', { id, content: `![Plan](${two.id})` })).toMatchObject({
    ...{ status: 'draft', contentSha256: null },
  })
  await as(author, 'submitPolicyVersion', { id })
  expect(await refused(approver, 'approvePolicyVersion', { id, contentSha256, round })).toMatchObject({
    code: 'text_changed',
  })
})

test('a text shows what was sent for its policy by whoever writes, and nothing else', async () => {
  const file = await draw([4, 4, 4])
  const { policy, id } = await drafted(`![Plan](${file.id})`)
  const says = (content: string, by = author) => refused(by, 'updatePolicyVersion', { id, content })
  const none = { path: 'content', message: expect.stringContaining('no picture of this policy') }
  expect(await says(`![Never](fil_${'0'.repeat(26)})`)).toMatchObject(none)
  const theirs = await draw([5, 5, 5], approver)
  expect(await says(`![Theirs](${theirs.id})`)).toMatchObject(none)
  const elsewhere = await one.organization()
  const foreign = await sendFile(one, elsewhere.admin, 'Plan.png', png([1, 1]))
  expect(await says(`![Foreign](${foreign.id})`)).toMatchObject(none)
  for (const [name, content, why] of [
    ['Moving.gif', Buffer.from('GIF89a\x01\x00\x01\x00'), 'neither a PNG nor a JPEG'],
    ['Words.pdf', Buffer.from('%PDF-1.7\n'), 'neither a PNG nor a JPEG'],
    ['Broken.png', png([4, 3]).subarray(0, 20), 'cannot be read'],
    ['Broken.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]), 'cannot be read'],
    ['Large.png', sized(png([4, 3]), 60_000, 60_000), 'make it smaller'],
    ['Heavy.png', Buffer.concat([png([4, 3]), Buffer.alloc(5 * 1024 * 1024)]), 'Make it smaller'],
  ] as const) {
    const sent = await sendFile(one, author, name, content)
    expect(await says(`![It](${sent.id})`), name).toMatchObject({
      path: 'content',
      message: expect.stringContaining(why),
    })
  }
  // A program writes in a text with pictures, and brings none in.
  const program = programOf(author, ['write:policies', 'read:policies'])
  const mine = await draw([6, 6, 6])
  expect(await says(`![Mine](${mine.id})`, program)).toMatchObject(none)
  expect(await says(`Before it. ![Plan](${file.id})`, program)).toBeNull()
  expect(await says(`As words: \`![Never](fil_${'0'.repeat(26)})\``)).toBeNull()
  // Taken out, it is there for the policy no longer, but for whoever sent it.
  await as(author, 'updatePolicyVersion', { id, content: `![Mine](${mine.id})` })
  expect(await bytesOf(author, 'downloadPolicyPicture', { id, fileId: file.id })).toEqual(
    png([4, 3], [4, 4, 4]),
  )
  expect(await refused(member, 'downloadPolicyPicture', { id, fileId: file.id })).toMatchObject({
    code: 'not_found',
  })
  await as(acme.admin, 'deletePolicy', { id: policy.id })
  await sweep(file.id, mine.id)
  expect(await thereOf(file.id, mine.id)).toBe(0)
})

test('a picture that is being scanned, or infected, is submitted by nobody', async () => {
  const file = await draw([7, 7, 7])
  const { id } = await drafted(`![Plan](${file.id})`)
  const scanned = (scan: string) =>
    one.administrator.query(
      'update file_contents set scan = $2 where id = (select content_id from files where id = $1)',
      [file.id, scan],
    )
  await scanned('waiting')
  expect(await refused(author, 'submitPolicyVersion', { id })).toMatchObject({ code: 'file_not_ready' })
  await scanned('infected')
  expect(await refused(author, 'submitPolicyVersion', { id })).toMatchObject({ code: 'file_refused' })
  expect(await refused(member, 'downloadPolicyPicture', { id, fileId: file.id })).toMatchObject({
    code: 'file_refused',
  })
})

test('pictures stand on paper, and one that breaks is told by what it is called', async () => {
  const sent = await Promise.all([
    sendFile(one, author, 'Plain.png', png([40, 30])),
    sendFile(one, author, 'Clear.png', png([40, 30], [0, 0, 200, 90])),
    sendFile(one, author, 'Grey.jpg', jpeg()),
    sendFile(one, author, 'Torn.png', torn(png([40, 30], [0, 200, 0, 90]))),
  ])
  const [plain, clear, grey, broken] = sent.map(({ id }) => id)
  const content = [
    `Before. ![Plain](${plain}) After.`,
    `- First\n- ![In a list](${clear})`,
    `![Grey](${grey}) ![Again](${plain})`,
    `| A | B |\n|---|---|\n| ![In a cell](${plain}) | x |`,
    `![Torn in two](${broken})`,
  ].join('\n\n')
  const { id } = await drafted(content)
  await as(author, 'submitPolicyVersion', { id })
  const fileOf = (format: string) => bytesOf(member, 'exportPolicyVersion', { id, format })
  const pdf = (await fileOf('pdf')).toString('latin1')
  // Three, of which one has a mask; the one that breaks is not among them.
  expect(pdf.match(/\/Subtype \/Image/g)).toHaveLength(4)
  expect(pdf).toContain('/DCTDecode')
  const parts = await docxParts(await fileOf('docx'))
  expect([...parts.keys()].filter((name) => name.startsWith('word/media/'))).toHaveLength(3)
  const text = parts.get('word/document.xml')!
  for (const told of ['In a list', 'Grey', '[In a cell]', 'After.']) expect(text).toContain(told)
})

test('whatever a picture is called, it is one picture and its name is words', () => {
  const fileId = `fil_${'0'.repeat(26)}`
  for (const name of [...HOSTILE_TEXTS, 'x'.repeat(900), '](https://evil.example/)![', '"', '\\']) {
    const called = calledIn({ name: `${name}.png` })
    const [block, ...others] = readMarkdown(`![${called}](${fileId})`)
    expect(others, name).toEqual([])
    expect(block, name).toEqual({ type: 'paragraph', inline: [{ type: 'image', text: called, fileId }] })
  }
})

/** What claims to be so large. */
function sized(bytes: Buffer, width: number, height: number): Buffer {
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** What cannot be unpacked. */
function torn(bytes: Buffer): Buffer {
  const at = bytes.indexOf('IDAT') + 8
  return bytes.fill(0xff, at, at + 8)
}

const thereOf = async (...ids: string[]) =>
  (await one.administrator.query('select from files where id = any($1)', [ids])).rowCount

async function sweep(...ids: string[]): Promise<void> {
  await sweepFiles(one.service)
  await one.administrator.query(
    "update files set loose_since = loose_since - interval '25 hours' where id = any($1)",
    [ids],
  )
  await sweepFiles(one.service)
}
