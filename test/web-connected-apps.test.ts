import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'
import { connectApp, issueToken } from './support/connected-app.ts'

/* What acts for people is seen, and ended, by whom it acts for and by admins. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('a person revokes an app of their own, and its next call is refused', async () => {
  const { person } = await site.organization()
  const editor = await person('editor')
  const id = await connectApp(site.administrator, editor, ['read:risks', 'write:webhooks'])
  const token = await issueToken(site.administrator, id, { audience: `${site.url}/v1/mcp` })
  const page = await site.open('/account/connected-apps', { as: editor })
  await page.getByText('1 of 2 scopes').waitFor()
  await page.getByRole('button', { name: 'Revoke Test app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Test app?' })
  expect(await dialog.textContent()).toContain('It loses access immediately')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await site.door.send(token, 'GET', '/v1/me')).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke Test app' }).click()
  await dialog.getByRole('button', { name: 'Revoke app' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect((await site.door.send(token, 'GET', '/v1/me')).status).toBe(401)
})

test('an admin sees who let what in, page by page, and ends it', async () => {
  const { admin, person } = await site.organization()
  const editor = await person('editor')
  for (let made = 0; made < 53; made++) await connectApp(site.administrator, editor)
  const page = await site.open('/settings/connected-apps', { as: admin })
  const rows = page.getByRole('table').getByRole('row')
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  expect(await rows.count()).toBe(51)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.nth(53).waitFor()
  expect(await rows.count()).toBe(54)
  await rows.nth(1).getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByText(/has to ask editor \w+ for approval again/)
    .waitFor()
  await page.getByRole('button', { name: 'Revoke app' }).click()
  await rows.nth(1).getByText('Revoked').waitFor()
})

test('where nothing is connected the page says how to begin', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/account/connected-apps', { as: admin })
  await page.getByRole('button', { name: `Copy ${site.url}/v1/mcp` }).waitFor()
})
