import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { bodyOf } from './support/body-of.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { openGuest } from './support/guest.ts'

/*
 * Promise: who is asked about a new version reads it whole with what changed marked in it since the version that they
 * acknowledged, where they read it, with a login or by a link, and acknowledges it from there.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = (caller: Caller, name: string, input: object = {}) => bodyOf(site.call(caller, name, input))

const TABLE = `| System | Reviewed every | Where it is written down, and by whom | Asked for in the portal |
| --- | --- | --- | --- |
| Payroll | 3 months | wiki/finance/payroll/access | By a ticket that the head approves |
| Source | 6 months | wiki/engineering/access | By the group in the directory |`
const FIRST = `## Purpose\n\nWho may use what.\n\n${TABLE}\n\n## Passwords\n\nAt least 12 characters.\n\n${Array.from({ length: 20 }, (_, at) => `${at + 1}. It is kept as it was.`).join('\n')}

${'Kept as it was. '.repeat(60)}`
const SECOND = `${FIRST.replace('12 char', '14 char').replace('| 3 months', '| 1 month')}\n\n## Leavers\n\nAccess ends on the last day.`

async function marked(page: TestPage) {
  const text = page.getByRole('article', { name: 'Access control' })
  await page.getByText('Access ends on the last day.').waitFor()
  expect(await text.locator('ins').count()).toBe(0)
  await page
    .getByRole('button', { name: 'Mark what changed since version 1.0, which you acknowledged' })
    .click()
  await text.locator('ins', { hasText: 'Access ends on the last day.' }).waitFor()
  expect(await text.locator('del').allTextContents()).toEqual(expect.arrayContaining(['12', '3']))
  expect(await text.locator('ins').allTextContents()).toEqual(expect.arrayContaining(['14', '1']))
  // What did not change is there to be read as well.
  expect(await text.getByText('Kept as it was.').last().isVisible()).toBe(true)
  expect(await text.getByRole('button', { name: /unchanged/ }).count()).toBe(0)
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  return text
}

const BOX = 'document.querySelector("table").parentElement'
const maskOf = (page: TestPage) => page.evaluate<string>(`getComputedStyle(${BOX}).maskImage`)

test('a new version is read, and acknowledged, with what changed marked in it', async () => {
  const { admin, person } = await site.organization()
  const [approver, member] = [await person('editor'), await person('viewer')]
  await as(admin, 'createPersonnel', {
    ...{ fullName: 'Member', workEmail: 'member@acme.example', userId: member.userId },
  })
  await as(admin, 'createPersonnel', { fullName: 'Guest', workEmail: 'guest@acme.example' })
  const { id: policyId } = await as(admin, 'createPolicy', {
    ...{ name: 'Access control', approver: { type: 'user', refId: approver.userId } },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const publish = async (content: string) => {
    const { id } = await as(admin, 'createPolicyVersion', {
      policyId,
      content,
      changelog: 'Longer passwords',
    })
    const { contentSha256, round } = await as(admin, 'submitPolicyVersion', { id })
    await as(approver, 'approvePolicyVersion', { id, contentSha256, round })
    await as(admin, 'publishPolicyVersion', { id })
    return id
  }
  const linkTo = async (recordId: string) => {
    const { data } = await as(admin, 'listGuestPasses', { recordId })
    return (await as(admin, 'sendGuestLink', { id: data[0].id })).link as string
  }
  const mine = async () => (await as(member, 'listMyAttestations')).data[0].id
  const consent = ({ id, contentSha256 }: { id: string; contentSha256: string }) => ({
    ...{ id, contentSha256, isAgreed: true, reachedEnd: true },
  })
  const guest = openGuest(site.door)
  await guest.open(await linkTo(await publish(FIRST)))
  const { body: read } = await guest.call('readPolicyAsGuest')
  expect((await guest.call('acknowledgePolicyAsGuest', consent(read))).body.status).toBe('acknowledged')
  const first = await mine()
  await as(member, 'acknowledgeMyAttestation', consent(await as(member, 'readMyAttestation', { id: first })))
  const link = await linkTo(await publish(SECOND))

  const page = await site.open(`/to-read/${await mine()}`, { as: member })
  const text = await marked(page)
  await page.picture('changes-since')
  const box = page.getByRole('checkbox', { name: /will comply with it/ })
  expect(await box.isDisabled()).toBe(true)
  await box.scrollIntoViewIfNeeded()
  await box.check()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Your acknowledgement has been recorded.').waitFor()
  await page.getByRole('button', { name: 'Show the text alone' }).click()
  await text.locator('ins').first().waitFor({ state: 'detached' })

  const theirs = await site.open(link, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await theirs.getByRole('button', { name: 'Open' }).click()
  await marked(theirs)
  await theirs.picture('changes-since-guest')
  // A table that is wider than the page says so at its edge, and is scrolled in a box of its own.
  expect(await maskOf(page)).toBe('none')
  expect(await maskOf(theirs)).toContain('gradient')
  await theirs.evaluate(`${BOX}.scrollTo({ left: 10_000 })`)
  await expect.poll(() => maskOf(theirs)).toBe('none')
})
