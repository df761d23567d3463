import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import type { Caller } from '../server/caller/caller.ts'
import { bodyOf } from './support/body-of.ts'
import { type Site, startSite } from './support/browser.ts'

/* Promise: without a mail server, all links of a policy are handed over together, and each says whose it is. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = (caller: Caller, name: string, input: object = {}) => bodyOf(site.call(caller, name, input))
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test('links are made for all who have yet to acknowledge, as one table', async () => {
  const { admin, person } = await site.organization()
  const approver = await person('editor')
  for (const name of ['Ada', 'Bo', 'Zoë'])
    await as(admin, 'createPersonnel', {
      fullName: name,
      workEmail: `${name.toLowerCase()}@acme.example`.replace('ë', 'e'),
    })
  const { id } = await as(admin, 'createPolicy', {
    ...{ name: 'Clean desk', approver: user(approver), requiresAttestation: true, audience: 'everyone' },
  })
  const version = await as(admin, 'createPolicyVersion', {
    policyId: id,
    content: 'Clear it, approved by {{policy.approver}}.',
  })
  const draft = await site.open(`/policies/${id}`, { as: admin })
  await draft.getByText('(not yet approved)').waitFor()
  await draft.picture('draft-not-approved')
  const { contentSha256, round } = await as(admin, 'submitPolicyVersion', { id: version.id })
  await as(approver, 'approvePolicyVersion', { id: version.id, contentSha256, round })
  const before = await site.open(`/policies/${id}`, { as: admin })
  await before.getByRole('button', { name: 'Publish' }).click()
  await before.getByRole('dialog').getByText('2 active members are not in the directory').waitFor()
  await before.picture('publish-outside')
  await before.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await before.getByRole('dialog').waitFor({ state: 'detached' })
  await remindReaders(site.service)

  const page = await site.open(`/policies/${id}?tab=round`, { as: admin })
  await page.getByRole('button', { name: 'Show the links' }).click()
  await page.getByRole('button', { name: 'Link of Ada' }).click()
  await page.getByRole('menuitem', { name: 'Create a link' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create all links' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create all links' })
  await dialog.getByRole('button', { name: 'Create links' }).click()
  await dialog.getByText('3 links. They are shown only once').waitFor()
  await page.picture('guest-links-made')
  const links = await dialog.getByRole('table').locator('code').allTextContents()
  expect(new Set(links).size).toBe(3)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save as CSV' }).click()
  expect((await download).suggestedFilename()).toBe('guest-links.csv')

  const { name } = await as(admin, 'getOrganization')
  for (const link of [links[0]!, links[0]!]) {
    const guest = await site.open(link)
    await guest.getByRole('heading', { name: `${name} asks you to read a document` }).waitFor()
    await guest.getByText('Check that you know').waitFor()
    await guest.picture('guest-landing')
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByRole('article', { name: 'Clean desk' }).waitFor()
  }
  await page.setViewportSize({ width: 390, height: 800 })
  await page.picture('guest-links-narrow')
})

test('the upload page names what of a file it does not import', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/policies/upload', { as: admin })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'door.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from(
        "---\ntitle: ''\nlabels: door\nowner: Ada\n---\n\n# Sample Door Policy\n\nDoors are locked.\n",
      ),
    })
  await page.getByText('Fields above the text were not imported: labels, owner.').waitFor()
  expect(await page.getByLabel('Name of door.md').inputValue()).toBe('Sample Door Policy')
  await page.picture('upload-fields')
})
