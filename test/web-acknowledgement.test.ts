import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import type { Streamed } from '../server/bytes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { bodyOf } from './support/body-of.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { openGuest } from './support/guest.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'

/*
 * Promise: a policy goes the whole way on its pages, from those who approve it to those who acknowledge it, with a login
 * or without, and who sees to it finds who is late, writes to them, and has the proof.
 */

let site: Site
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  site = await startSite({ SMTP_URL: server.url })
})
afterAll(async () => {
  await site?.close()
  await server?.close()
})

const as = (caller: Caller, name: string, input: object = {}) => bodyOf(site.call(caller, name, input))
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

const DAY = 86_400_000
const TEXT = `## Purpose\n\nWho may use what at {{organization.name}}.\n\n${Array.from(
  { length: 30 },
  (_, at) => `### Rule ${at + 1}\n\nEach system has an owner, who says who may use it and takes that back.`,
).join('\n\n')}`
const GUESTS = Array.from({ length: 12 }, (_, at) => `guest-${at}@acme.example`)

/** What a browser does whose guest has read, without one. */
async function acknowledgeByScript(link: string, address: string): Promise<void> {
  const guest = openGuest(site.door)
  await guest.open(link)
  const { body: read } = await guest.call('readPolicyAsGuest')
  await guest.call('sendGuestCode')
  await guest.call('confirmGuestCode', { code: await codeFor(address) })
  const consent = { id: read.id, contentSha256: read.contentSha256, isAgreed: true, reachedEnd: true }
  expect((await guest.call('acknowledgePolicyAsGuest', consent)).body.status).toBe('acknowledged')
}
const codeFor = async (address: string) => /^\d{6}/.exec((await server.next(address)).subject)![0]

/** Whether no pass was opened yet, and nobody has looked. */
async function untouched(admin: Caller, policyId: string, recordId: string): Promise<boolean> {
  const { counts } = await as(admin, 'listAttestations', { policyId })
  const { data } = await as(admin, 'listGuestPasses', { recordId, limit: 100 })
  const uses = data.map((pass: { uses: number }) => pass.uses)
  return counts.viewed === 0 && new Set(uses).size === 1 && uses[0] === 0
}

/** Reads to the end and agrees. */
async function agree(page: TestPage): Promise<void> {
  const box = page.getByRole('checkbox', { name: /will comply with it/ })
  expect(await box.isDisabled()).toBe(true)
  await box.scrollIntoViewIfNeeded()
  await box.check()
}

test('a policy is approved by two, read by all, and proven', async () => {
  const { admin, person } = await site.organization()
  const [author, first, second, member] = [
    await person('editor'),
    await person('editor'),
    await person('editor'),
    await person('viewer'),
  ]
  for (const [workEmail, more] of [
    ...GUESTS.map((address) => [address, {}] as const),
    ['member@acme.example', { userId: member.userId }] as const,
  ])
    await as(admin, 'createPersonnel', { fullName: `Person ${workEmail.split('@')[0]}`, workEmail, ...more })
  const { id } = await as(author, 'createPolicy', {
    ...{ name: 'Access control policy', owner: user(author), approver: user(first) },
    ...{ extraApproverIds: [second.userId], quorum: 'all' },
    ...{ audience: 'everyone', requiresAttestation: true, attestationDueDays: 14 },
  })
  const version = await as(author, 'createPolicyVersion', { policyId: id, content: TEXT })
  const submitted = await as(author, 'submitPolicyVersion', { id: version.id })
  const { contentSha256 } = submitted

  const theirs = await site.open(`/policies/${id}`, { as: first })
  await theirs.getByText('You are asked to decide on this text.').waitFor()
  await theirs.picture('ack-approve')
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await theirs.getByText('You are asked to decide on this text.').waitFor({ state: 'hidden' })
  await as(second, 'approvePolicyVersion', { id: version.id, contentSha256, round: submitted.round })
  await as(author, 'publishPolicyVersion', { id: version.id })
  await remindReaders(site.service)

  const [reader = '', late = '', ...others] = GUESTS
  const guest = await site.open((await server.next(reader)).link)
  await guest.picture('ack-guest-closed')
  // What runs the page and presses nothing, as scanners of mails do, has used nothing up and read nothing for them.
  expect(await untouched(admin, id, version.id)).toBe(true)
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByRole('article', { name: 'Access control policy' }).waitFor()
  await guest.picture('ack-guest-text')
  await agree(guest)
  await guest.getByRole('button', { name: 'Send me a code' }).click()
  await guest.picture('ack-guest-code')
  const sentFirst = await codeFor(reader)
  const code = guest.getByLabel('Code from the mail')
  await code.fill(String((Number(sentFirst) + 1) % 1_000_000).padStart(6, '0'))
  await guest.getByRole('button', { name: 'Confirm' }).click()
  const wrong = guest.getByText('This is not the code that was sent last')
  await wrong.waitFor()
  await guest.getByRole('button', { name: 'Send another code' }).click()
  await guest.getByText('We sent another code').waitFor()
  expect(await wrong.count()).toBe(0)
  await code.fill(await codeFor(reader))
  // What they began is done with that.
  await guest.getByRole('button', { name: 'Confirm and acknowledge' }).click()
  await guest.getByText('Your acknowledgement has been recorded.').waitFor()
  await guest.picture('ack-guest-done')
  // Another only looks.
  const looking = await site.open((await server.next(late)).link)
  await looking.getByRole('button', { name: 'Open' }).click()
  await looking.getByRole('article', { name: 'Access control policy' }).waitFor()
  for (const address of others.slice(1)) await acknowledgeByScript((await server.next(address)).link, address)

  const mine = await site.open('/my-work', { as: member })
  await mine.getByRole('link', { name: 'Access control policy' }).waitFor()
  await mine.picture('ack-my-work')
  expect(await mine.getByText('Nothing is waiting for you').count()).toBe(0)
  await mine.getByRole('link', { name: 'Access control policy' }).click()
  await mine.getByRole('article', { name: 'Access control policy' }).waitFor()
  await mine.picture('ack-to-read')
  await agree(mine)
  await mine.getByRole('button', { name: 'Acknowledge' }).click()
  await mine.getByText('Your acknowledgement has been recorded.').waitFor()
  // What they acknowledged stays theirs to look at, and to read again.
  await mine.getByRole('link', { name: 'Back to your work' }).click()
  const said = mine.getByRole('list', { name: 'Acknowledged' })
  await said.getByText('Version 1.0').waitFor()
  await mine.getByText('Nothing is waiting for you').waitFor()
  await mine.picture('ack-said')
  await said.getByRole('link', { name: 'Access control policy' }).click()
  await mine.getByRole('article', { name: 'Access control policy' }).getByText('Rule 30').waitFor()

  await site.moveClock(16 * DAY)
  const page = await site.open(`/policies/${id}?tab=round`, { as: author })
  await page.getByText('11 of 13 acknowledged the version in force').waitFor()
  await page.picture('ack-round')
  await page.getByRole('searchbox', { name: 'Search people' }).fill('guest-1@')
  const round = page.getByRole('table', { name: 'Acknowledgement' })
  await expect.poll(() => round.getByRole('row').count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Search people' }).fill('')
  await page.getByText('Late', { exact: true }).click()
  await round.getByRole('row', { name: /guest-1\b/ }).waitFor()
  await expect.poll(() => round.getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: 'Remind', exact: true }).click()
  await page.getByRole('dialog', { name: 'Remind 2 people?' }).waitFor()
  await page.getByRole('button', { name: 'Send reminders' }).click()
  await page.getByText('2 people have been reminded.').waitFor()
  await page.getByRole('button', { name: 'Remind Person guest-1' }).click()
  await page.getByText('1 was notified within the last hour').waitFor()
  await remindReaders(site.service)
  expect((await server.next(late)).subject).toBe('Please read “Access control policy”')
  await page.getByRole('button', { name: 'Exempt Person guest-1' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('On leave until spring')
  await page.picture('ack-exempt')
  await page.getByRole('dialog').getByRole('button', { name: 'Exempt' }).click()
  await round.getByRole('row', { name: /guest-1\b/ }).waitFor({ state: 'detached' })
  // The last of them gets more time, and another link.
  const [last = ''] = others
  await page.getByRole('button', { name: 'Show the links' }).click()
  const links = page.getByRole('table', { name: 'Guest links' })
  await links.getByRole('row', { name: /guest-1\b.*Revoked/ }).waitFor()
  await page.getByRole('button', { name: 'Link of Person guest-2' }).click()
  await page.getByRole('menuitem', { name: 'Send a new link' }).click()
  await page.getByText(`to ${last}`).waitFor()
  await page.getByRole('dialog').getByRole('button').click()
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByRole('list', { name: 'Log of the policy' }).getByText('published').waitFor()
  await page.picture('ack-log')
  const next = await as(author, 'createPolicyVersion', { policyId: id })
  await as(author, 'submitPolicyVersion', { id: next.id })
  await page.visit('/policies')
  await page.getByRole('row', { name: /In review.*1\.0 in force/ }).waitFor()
  await page
    .getByRole('navigation', { name: 'How policies stand' })
    .getByRole('link', { name: 'In force 1' })
    .waitFor()
  await page.picture('ack-policies')

  const operation = operations.find(({ name }) => name === 'downloadAttestationCertificate')!
  const { body } = await call(site.service, author, operation, { policyId: id }, { takesStream: true })
  const chunks: Uint8Array[] = []
  for await (const chunk of (body as Streamed).open()) chunks.push(chunk)
  const { acknowledgements } = JSON.parse(Buffer.concat(chunks).toString())
  expect(acknowledgements).toHaveLength(11)
  expect(new Set(acknowledgements.map((line: { contentSha256: string }) => line.contentSha256))).toEqual(
    new Set([contentSha256]),
  )
})

test('who reads by a link is told what happened meanwhile, and what to do', async () => {
  const { admin, person } = await site.organization()
  const workEmail = 'meanwhile@acme.example'
  await as(admin, 'createPersonnel', { fullName: 'Mean While', workEmail })
  const member = await person('viewer')
  await as(admin, 'createPersonnel', {
    ...{ fullName: 'Signed In', workEmail: 'signed-in@acme.example', userId: member.userId },
  })
  await as(admin, 'updateOrganization', { allowSelfApproval: true })
  const { id: policyId } = await as(admin, 'createPolicy', {
    ...{ name: 'Remote work', owner: user(admin), approver: user(admin) },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const publish = async (content: string, more: object = {}) => {
    const { id } = await as(admin, 'createPolicyVersion', { policyId, content, ...more })
    const { contentSha256, round } = await as(admin, 'submitPolicyVersion', { id })
    await as(admin, 'approvePolicyVersion', { id, contentSha256, round })
    await as(admin, 'publishPolicyVersion', { id })
  }
  await publish('Lock the door.')
  await remindReaders(site.service)
  const { link } = await server.next(workEmail)
  const page = await site.open(link, { expected: [/409|422/] })
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('checkbox', { name: /version 1\.0/ }).check()
  await publish('Lock the gate.')
  // No code goes out for what is asked about no more.
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByRole('button', { name: 'Read version 2.0' }).click()
  await page.getByText('Lock the gate.').waitFor()
  expect(server.mails.filter(({ to, subject }) => to === workEmail && /code/.test(subject))).toEqual([])
  await page.getByRole('checkbox', { name: /version 2\.0/ }).check()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Code from the mail').fill(await codeFor(workEmail))
  const [{ id: mine }] = (await as(member, 'listMyAttestations')).data
  const signedIn = await site.open(`/to-read/${mine}`, { as: member, expected: [/409/] })
  await signedIn.getByRole('checkbox', { name: /version 2\.0/ }).check()
  await publish('Lock the window as well.')
  await page.getByRole('button', { name: 'Confirm and acknowledge' }).click()
  await page.getByText('A new version has replaced this text').waitFor()
  await page.picture('ack-guest-replaced')
  await page.getByRole('button', { name: 'Read version 3.0' }).click()
  await page.getByText('Lock the window as well.').waitFor()
  expect(await page.getByRole('checkbox', { name: /version 3\.0/ }).isChecked()).toBe(false)
  await page.getByRole('checkbox', { name: /version 3\.0/ }).check()
  await signedIn.getByRole('button', { name: 'Acknowledge' }).click()
  await signedIn.getByRole('button', { name: 'Read version 3.0' }).click()
  await signedIn.getByText('Lock the window as well.').waitFor()
  expect(new URL(signedIn.url()).pathname).not.toContain(mine)
  await signedIn.getByRole('checkbox', { name: /version 3\.0/ }).check()
  await signedIn.getByRole('button', { name: 'Acknowledge' }).click()
  await signedIn.getByText('Your acknowledgement has been recorded.').waitFor()
  // By the address of before, from a bookmark: where to go from there.
  await signedIn.goto(`${site.url}/to-read/${mine}`)
  await signedIn.getByRole('link', { name: 'Back to your work' }).waitFor()
  const { data } = await as(admin, 'listAttestations', { policyId, status: ['viewed'] })
  await as(admin, 'exemptAttestation', { id: data[0].id, reason: 'On leave' })
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('heading', { name: 'Nothing more is asked of you' }).waitFor()
  await page.picture('ack-guest-over')
  await page.goto(link)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Nothing more is asked of you' }).waitFor()

  // Of which version people are counted is said, and what else it corrects.
  await publish('Lock the windows as well.', { materialChange: false })
  const round = await site.open(`/policies/${policyId}?tab=round`, { as: admin })
  await round.getByText('1 of 1 acknowledged the version in force, or 3.0, which it corrects').waitFor()
  await round.getByLabel('Version', { exact: true }).selectOption('1.0')
  await round.getByText('0 of 2 acknowledged version 1.0').waitFor()
  await round.picture('ack-round-earlier')
  await as(admin, 'retirePolicy', { id: policyId })
  const tab = round.getByRole('tabpanel', { name: 'Acknowledgement' })
  await tab.getByText('The policy is retired, so nobody is asked to acknowledge it.').waitFor()
  await round.picture('ack-round-retired')
})

test('that a mail came back is seen in the round, by Remind and in the mail log', async () => {
  const { admin, person } = await site.organization()
  const approver = await person('editor')
  server.answer((command) => (command.startsWith('RCPT TO:<gone@') ? '550 5.1.1 no such user' : undefined))
  await as(admin, 'createPersonnel', { fullName: 'Gone Away', workEmail: 'gone@acme.example' })
  const { id: policyId } = await as(admin, 'createPolicy', {
    ...{ name: 'Clean desk', approver: user(approver), requiresAttestation: true, audience: 'everyone' },
  })
  const { id } = await as(admin, 'createPolicyVersion', { policyId, content: 'Clear it.' })
  const { contentSha256, round } = await as(admin, 'submitPolicyVersion', { id })
  await as(approver, 'approvePolicyVersion', { id, contentSha256, round })
  await as(admin, 'publishPolicyVersion', { id })
  await remindReaders(site.service)
  const page = await site.open(`/policies/${policyId}?tab=round`, { as: admin })
  const row = page.getByRole('row', { name: /Gone Away/ }).first()
  await row.getByText('Mail came back').waitFor()
  await row.getByText('(550 5.1.1)').waitFor()
  await page.getByRole('button', { name: 'Remind', exact: true }).click()
  await page.getByRole('button', { name: 'Send reminders' }).click()
  await page.getByRole('status').getByText('The last mail to Gone Away came back').waitFor()
  expect(await page.getByText('has been reminded').count()).toBe(0)
  await page.getByRole('button', { name: 'Show the links' }).click()
  await expect.poll(() => page.getByText('Mail came back').count()).toBe(2)
  await page.picture('policy-mail-came-back')
  await page.goto(`${site.url}/settings/mail`)
  const mail = page.getByRole('row', { name: /gone@acme.example/ })
  await mail.getByText('A guest link').waitFor()
  await mail.getByText('(550 5.1.1)').waitFor()
  await page.picture('mail-log-of-guests')
  server.answer(() => undefined)
})
