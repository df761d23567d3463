import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import type { Streamed } from '../server/bytes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { openGuest } from './support/guest.ts'
import { type Policies, startPolicies, userOf } from './support/policies.ts'
import { consentTo } from './support/rounds.ts'

/*
 * Promise: a policy that sixty people acknowledge, forty of whom never sign in, is proven by a certificate: its hashes are
 * those of the text that each was shown, and a character that is changed anywhere in it is found. An auditor finds all of
 * it on the page of the policy, and nothing there that writes.
 */

let policies: Policies<Site>
let { as, server } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, server } = policies)
  site = policies.one
})
afterAll(() => policies?.close())

const sha256Of = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

const DAY = 86_400_000
const TEXT = '## Purpose\n\nWho may use what.\n\n- Lock the door.\n- Close the window.'
const GUESTS = Array.from({ length: 40 }, (_, at) => `guest-${at}@acme.example`)
const MEMBERS = 20
/** Guests and members who answer only once they are late. */
const LATE = { guests: 6, members: 2 }

const codeFor = async (address: string) => {
  for (;;) {
    const [code] = /^\d{6}/.exec((await server.next(address)).subject) ?? []
    if (code) return code
  }
}

/** @returns what they were shown */
async function acknowledgeByLink(link: string, address: string): Promise<string> {
  const guest = openGuest(site.door)
  expect((await guest.open(link)).status).toBe(200)
  const { body: read } = await guest.call('readPolicyAsGuest')
  await guest.call('sendGuestCode')
  await guest.call('confirmGuestCode', { code: await codeFor(address) })
  expect((await guest.call('acknowledgePolicyAsGuest', consentTo(read as never))).body.status).toBe(
    'acknowledged',
  )
  return read.text as string
}

async function acknowledgeSignedIn(member: Caller): Promise<string> {
  const [mine] = (await as(member, 'listMyAttestations')).data
  const { id } = mine!
  const read = await as(member, 'readMyAttestation', { id })
  await as(member, 'acknowledgeMyAttestation', { ...consentTo(read), id })
  return read.text
}

async function approveOn(page: TestPage): Promise<void> {
  await page.getByText('You are asked to decide on this text.').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('You are asked to decide on this text.').waitFor({ state: 'hidden' })
}

test('sixty people acknowledge a policy, and an auditor checks that', { timeout: 300_000 }, async () => {
  const { admin, person } = await site.organization()
  const [author, first, second, auditor] = [
    await person('editor'),
    await person('editor'),
    await person('editor'),
    await person('viewer'),
  ]
  await as(admin, 'updateUser', { id: auditor.userId, isAuditor: true })
  const members: Caller[] = []
  for (let at = 0; at < MEMBERS; at++) members.push(await person('viewer'))
  for (const workEmail of GUESTS)
    await as(admin, 'createPersonnel', { fullName: `Person ${workEmail.split('@')[0]}`, workEmail })
  for (const [at, { userId }] of members.entries())
    await as(admin, 'createPersonnel', {
      ...{ fullName: `Member ${at}`, workEmail: `member-${at}@acme.example`, userId },
    })

  const { id } = await as(author, 'createPolicy', {
    ...{ name: 'Clean desk', owner: userOf(author), approver: userOf(first) },
    ...{ extraApproverIds: [second.userId], quorum: 'all' },
    ...{ audience: 'everyone', requiresAttestation: true, attestationDueDays: 14 },
  })
  const version = await as(author, 'createPolicyVersion', { policyId: id, content: TEXT })
  await as(author, 'submitPolicyVersion', { id: version.id })
  for (const approver of [first, second])
    await approveOn(await site.open(`/policies/${id}`, { as: approver }))
  await as(author, 'publishPolicyVersion', { id: version.id })
  const published = await as(author, 'getPolicyVersion', { id: version.id })
  await remindReaders(site.service)

  const links = new Map<string, string>()
  for (const address of GUESTS) links.set(address, (await server.next(address)).link)
  const texts: string[] = []
  for (const address of GUESTS.slice(LATE.guests))
    texts.push(await acknowledgeByLink(links.get(address)!, address))
  for (const member of members.slice(LATE.members)) texts.push(await acknowledgeSignedIn(member))

  await site.moveClock(16 * DAY)
  await remindReaders(site.service)
  const round = await site.open(`/policies/${id}?tab=round`, { as: author })
  await round.getByText('52 of 60 acknowledged the version in force').waitFor()
  await round.getByText('8 late').waitFor()
  for (const address of GUESTS.slice(0, LATE.guests)) {
    // The mail of the clock has a link of its own; that of the first still opens.
    const { link } = await server.next(address)
    expect(link).not.toBe(links.get(address))
    texts.push(await acknowledgeByLink(link, address))
  }
  for (const member of members.slice(0, LATE.members)) texts.push(await acknowledgeSignedIn(member))
  expect(new Set(texts.map(sha256Of))).toEqual(new Set([published.contentSha256]))

  const operation = operations.find(({ name }) => name === 'downloadAttestationCertificate')!
  const { body } = await call(
    site.service,
    auditorOf(auditor),
    operation,
    { policyId: id },
    { takesStream: true },
  )
  const chunks: Uint8Array[] = []
  for await (const chunk of (body as Streamed).open()) chunks.push(chunk)
  const file = Buffer.concat(chunks).toString()
  const { acknowledgements, hashedFields, sha256 } = JSON.parse(file)
  expect(acknowledgements).toHaveLength(60)
  for (const line of acknowledgements) {
    expect(line.contentSha256).toBe(published.contentSha256)
    expect(sha256Of(JSON.stringify(hashedFields.map((name: string) => line[name])))).toBe(line.sha256)
  }
  const sealed = (text: string) => sha256Of(text.slice(0, text.trimEnd().lastIndexOf('\n') + 1))
  expect(sealed(file)).toBe(sha256)
  for (let at = 0; at < file.trimEnd().lastIndexOf('\n'); at += 97)
    expect(sealed(`${file.slice(0, at)}${file[at] === 'x' ? 'y' : 'x'}${file.slice(at + 1)}`)).not.toBe(
      sha256,
    )

  const page = await site.open(`/policies/${id}`, { as: auditor })
  for (const tab of [
    'Versions',
    'Details',
    'Exceptions',
    'Acknowledgement',
    'Comments',
    'Log',
    'History',
    'Signals',
  ]) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    await page.getByRole('tabpanel').filter({ hasText: /\S/ }).waitFor()
    await page.picture(`auditor-${tab.toLowerCase()}`)
    expect([tab, (await namesOfButtons(page)).filter((name) => WRITES.test(name))]).toEqual([tab, []])
  }
  await page.getByRole('tab', { name: 'Comments' }).click()
  await page.getByText('answer once somebody mentions you').waitFor()
  await as(author, 'createComment', { recordId: id, text: `Is this enough, @[them](${auditor.userId})?` })
  await page.reload()
  await page.getByRole('textbox', { name: 'Comment' }).fill('It is.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('It is.').waitFor()
  for (const [name, look] of [
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 390, height: 844 } }],
  ] as const) {
    const other = await site.open(`/policies/${id}?tab=round`, { as: auditor, ...look })
    await other.getByText('60 of 60 acknowledged the version in force').waitFor()
    await other.picture(`auditor-round-${name}`)
    const guest = await site.open(links.get(GUESTS[0]!)!, look)
    await guest.picture(`guest-closed-${name}`)
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByText('Your acknowledgement has been recorded.').waitFor()
    await guest.picture(`guest-done-${name}`)
  }
})

/** As their session calls once they are one. */
const auditorOf = (caller: Caller): Caller => ({ ...caller, limitedView: 'auditor' })

const WRITES =
  /^(new|add|edit|delete|remove|retire|restore|publish|approve|reject|submit|remind|exempt|link\b|unlink|send|extend|revoke|save|withdraw|create|archive|start|upload|import)/i

/** Of everything on the page that can be pressed, outside of the frame around it. */
const namesOfButtons = async (page: TestPage): Promise<string[]> => {
  const buttons = await page.locator('main').getByRole('button').all()
  return Promise.all(
    buttons.map(async (one) => (await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? ''),
  )
}
