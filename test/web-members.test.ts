import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { PASSWORD } from './support/factors.ts'

/* Who signs in here: invited, given another role, shut out, and what they own handed over. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const row = (page: TestPage, { credential }: Caller) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row', { name: nameOf(credential) })
const nameOf = (credential: Caller['credential']) => ('name' in credential ? credential.name : '')

async function begin(page: TestPage, who: Caller, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${nameOf(who.credential)}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('somebody is invited by a link that is shown once, and comes in by it', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/members', { as: admin })
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('grace@example')
  await dialog.getByLabel('Name').fill('Grace Hopper')
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect.poll(() => dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Grace Hopper')
  await dialog.getByLabel('E-mail').fill('grace@example.com')
  await page.keyboard.press('Control+Enter')
  const shown = page.getByRole('dialog', { name: 'Grace Hopper is invited' })
  const link = (await shown.getByText(/#token=/).textContent())!
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'Done' }).click()
  const grace = page.getByRole('row', { name: /Grace Hopper/ })
  await grace.getByText('Invited').waitFor()
  expect(await page.content()).not.toContain('#token=')

  const hers = await site.open(link.slice(new URL(link).origin.length))
  await hers.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await hers.getByRole('button', { name: 'Accept' }).click()
  await hers.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor()
  await page.reload()
  await grace.getByText('Active').waitFor()
  await grace.getByText('just now').waitFor()
})

test('a role that takes rights away names what loses them before it is changed', async () => {
  const { admin, person, key } = await site.organization()
  const other = await person('admin')
  await key(['write:risks'], other)
  const page = await site.open('/settings/members', { as: admin })
  await begin(page, other, 'Change role')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Viewer').check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await dialog.getByRole('list', { name: 'API keys' }).getByRole('listitem').waitFor()
  await row(page, other).getByText('Admin', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Change role anyway' }).click()
  await row(page, other).getByText('Viewer', { exact: true }).waitFor()

  await begin(page, other, 'Disable')
  await dialog.getByRole('button', { name: 'Disable member' }).click()
  await dialog.getByRole('button', { name: 'Disable member anyway' }).click()
  await row(page, other).getByText('Disabled').waitFor()
  await begin(page, other, 'Make active')
  await row(page, other).getByText('Active').waitFor()
  await begin(page, other, 'Remove')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await dialog.getByText('are revoked permanently').waitFor()
  await dialog.getByRole('button', { name: 'Remove member anyway' }).click()
  await expect.poll(() => row(page, other).count()).toBe(0)
})

test('the last admin stays, in the words of the service', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/members', { as: admin })
  await begin(page, admin, 'Remove')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await dialog.getByRole('alert').getByText('is the only active admin').waitFor()
})

test('a lost password gets a link, and a lost second factor is taken away', async () => {
  const { admin, person } = await site.organization()
  const other = await person('editor')
  await site.administrator.query('update users set has_second_factor = true where id = $1', [other.accountId])
  const page = await site.open('/settings/members', { as: admin })
  await begin(page, other, 'Link for a lost password')
  await page
    .getByRole('dialog')
    .getByText(/\/reset#token=/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await begin(page, other, 'Reset second factor')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('everything that somebody owns is handed over', async () => {
  const { admin, person } = await site.organization()
  const leaver = await person('editor')
  const owner = { type: 'user', refId: leaver.userId }
  for (const title of ['One', 'Two', 'Three']) await site.call(admin, 'createRisk', { title, owner })
  await site.call(admin, 'createControl', { code: 'A-1', title: 'Four', owner })
  const page = await site.open('/settings/members', { as: admin })
  await begin(page, leaver, 'Hand over records')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('They own 3 risks, 1 control.').waitFor()
  await dialog.getByLabel('New owner').selectOption({ label: `${nameOf(admin.credential)} (member)` })
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await dialog.getByText('4 records have a new owner.').waitFor()
  const { body } = await site.call(admin, 'summarizeRisks', { ownerId: [admin.userId] })
  expect((body as { total: number }).total).toBe(3)
})
