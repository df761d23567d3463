import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { type Policies, startPolicies, userOf } from './support/policies.ts'

/*
 * Promise: 500 texts that mean harm, as the text and the name of a policy, are words wherever somebody reads, writes,
 * compares or acknowledges it: nothing runs, and no page asks anybody else for anything.
 */

let policies: Policies<Site>
let { as, acme, author, approver, server } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, acme, author, approver, server } = policies)
  site = policies.one
})
afterAll(() => policies?.close())

/** Braces that are no placeholder are refused when they are written. */
const TEXTS = HOSTILE_TEXTS.map((text) => text.replaceAll('{{', '{ {').toWellFormed())
const CONTENT = TEXTS.join('\n\n')
const NAME = `<img src=x onerror="document.title='owned'"> \u202epolicy`

async function isHarmless(page: TestPage, foreign: readonly string[]): Promise<void> {
  expect(await page.title()).not.toBe('owned')
  expect(await page.locator('#planted, iframe, main svg[onload], base').count()).toBe(0)
  const leading = 'a[href^="javascript:" i], a[href^="data:" i], img[src^="http"], [onerror], [onmouseover]'
  expect(await page.locator(leading).count()).toBe(0)
  expect(page.complaints).toEqual([])
  expect(foreign).toEqual([])
}

/** The addresses of others that the page asks for anything. */
function foreignOf(page: TestPage): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !/^(data|blob|about):/.test(request.url()))
      asked.push(request.url())
  })
  page.on('dialog', (dialog) => {
    asked.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return asked
}

test('a policy of 500 texts that mean harm is words on each of its pages', { timeout: 300_000 }, async () => {
  const address = 'reader@acme.example'
  await as(acme.admin, 'createPersonnel', { fullName: NAME, workEmail: address })
  const policy = await as(author, 'createPolicy', {
    ...{
      name: NAME,
      owner: userOf(author),
      approver: userOf(approver),
      description: CONTENT.slice(0, 19_000),
    },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const publish = async (content: string) => {
    const { id } = await as(author, 'createPolicyVersion', { policyId: policy.id, content, changelog: NAME })
    const { contentSha256, round } = await as(author, 'submitPolicyVersion', { id })
    await as(approver, 'approvePolicyVersion', { id, contentSha256, round, comment: TEXTS[7]! })
    return as(author, 'publishPolicyVersion', { id })
  }
  await publish(TEXTS.toReversed().join('\n\n'))
  await publish(CONTENT)
  const page = await site.open(`/policies/${policy.id}`, { as: author })
  const foreign = foreignOf(page)
  await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
  await isHarmless(page, foreign)

  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await page.getByRole('article', { name: /Changes from version/ }).waitFor()
  await isHarmless(page, foreign)

  await page.visit(`/policies/${policy.id}`)
  await page.getByRole('button', { name: 'Begin the next version' }).click()
  const area = page.getByRole('textbox', { name: 'Text of the version' })
  await area.fill(`${CONTENT}\n\n${NAME}`)
  await expect
    .poll(() => page.getByRole('region', { name: 'Preview' }).getByText('policy').count())
    .toBeGreaterThan(0)
  await isHarmless(page, foreign)
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  for (const tab of ['details', 'log', 'attestations', 'history']) {
    await page.visit(`/policies/${policy.id}?tab=${tab}`)
    // The text of the tab before has one of its own, and may still stand.
    await page.locator('header').getByRole('heading', { level: 1 }).waitFor()
    await isHarmless(page, foreign)
  }

  await remindReaders(site.service)
  const mail = await server.next(address)
  expect(mail.subject).not.toMatch(/[\r\n]/)
  const guest = await site.open('/sign-in')
  const others = foreignOf(guest)
  await guest.goto(mail.link)
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByText('Planted').first().waitFor()
  await isHarmless(guest, others)
})
