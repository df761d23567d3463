import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { type Site, startSite } from './support/browser.ts'
import { ASKS_SALES, GUEST, type Policies, startPolicies, userOf } from './support/policies.ts'

/* Promise: a policy that is a file goes all the way in the app: from its author by its approvers to whoever reads it. */

let policies: Policies<Site>
let { as, author, approver, member, server } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, author, approver, member, server } = policies)
  site = policies.one
})
afterAll(() => policies?.close())

test('a version that is a file is put there, read, compared and acknowledged on its pages', {
  timeout: 120_000,
}, async () => {
  const policy = await as(author, 'createPolicy', {
    ...{ name: 'Access control policy', owner: userOf(author), approver: userOf(approver) },
    ...ASKS_SALES,
  })
  const page = await site.open(`/policies/${policy.id}`, { as: author, expected: [/Failed to load/] })
  const pdf = {
    name: 'Access control policy v1.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n% one\n'),
  }
  await page.locator('input[type=file]').first().setInputFiles(pdf)
  await page.getByRole('button', { name: 'Replace the file' }).waitFor()
  await page.picture('policy-file-draft')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('What you write here takes its place').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  await page.picture('policy-file-submitted')
  const [version] = (await as(author, 'listPolicyVersions', { policyId: [policy.id] })).data
  const { id, contentSha256, round } = await as(author, 'getPolicyVersion', { id: version!.id })
  await as(approver, 'approvePolicyVersion', { id, contentSha256, round })
  await as(author, 'publishPolicyVersion', { id })
  await as(author, 'createPolicyVersion', { policyId: policy.id, content: 'As a text.' })
  await page.reload()
  await page.getByLabel('Version').first().waitFor()
  await page.picture('policy-file-in-force')
  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await page.getByText('Files are not compared by word').waitFor()
  await page.picture('policy-file-compared')
  const [mine] = (await as(member, 'listMyAttestations')).data
  const reading = await site.open(`/to-read/${mine!.id}`, { as: member })
  await reading.getByRole('button', { name: 'Download' }).waitFor()
  await reading.picture('policy-file-to-read')
  const saving = reading.waitForEvent('download')
  await reading.getByRole('button', { name: 'Download' }).click()
  expect((await saving).suggestedFilename()).toBe('Access control policy v1.pdf')
  await reading.getByRole('checkbox').check()
  await reading.getByRole('button', { name: 'Acknowledge' }).click()
  await reading.getByText('Thank you').waitFor()
  await remindReaders(site.service)
  const { link } = await server.next(GUEST)
  const guest = await site.open(link.replace(/^https?:\/\/[^/]+/, ''))
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByRole('button', { name: 'Download' }).waitFor()
  const saved = guest.waitForEvent('download')
  await guest.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('Access control policy v1.pdf')
  await guest.picture('policy-file-guest')
  expect([...page.complaints, ...reading.complaints, ...guest.complaints]).toEqual([])
})
