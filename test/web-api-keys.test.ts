import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { scopeText } from '../model/scope-texts.ts'
import { FORM_SCOPES, type Scope } from '../model/scopes.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* An admin makes a key, uses it, and takes it away; the page shows what became of each. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const secretIn = async (page: TestPage): Promise<string> => {
  const text = await page
    .getByRole('dialog')
    .getByText(/^comply_\w+$/)
    .textContent()
  return text!.trim()
}

test('a key is made with chosen scopes, shown once, used, and revoked', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/api-keys', { as: admin })
  await page.getByText('No API keys yet').waitFor()
  await button(page, 'Create key').click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name').fill('CI <b>pipeline</b>')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByRole('alert').getByText('choose at least one scope').waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('CI <b>pipeline</b>')
  await form.getByLabel('read:risks').check()
  await form.getByLabel('write:risks').check()
  await form.getByLabel('Expires').selectOption('90')
  await form.getByText('2 scopes').waitFor()
  await page.keyboard.press('Control+Enter')

  const box = page.getByRole('dialog', { name: 'Your key “CI <b>pipeline</b>”' })
  await box.waitFor()
  const secret = await secretIn(page)
  expect(await box.getByText(/^curl /).textContent()).toBe(
    `curl ${site.url}/v1/me \\\n  -H "Authorization: Bearer ${secret}"`,
  )
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  expect(await box.isVisible()).toBe(true)
  const { status, body } = await site.door.send(secret, 'POST', '/v1/risks', {
    body: { title: 'By the key' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ createdBy: { type: 'api_key' } })
  await button(page, 'I have saved it').click()

  const row = page.getByRole('row').filter({ hasText: 'CI <b>pipeline</b>' })
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByText('2 scopes').waitFor()
  expect(await row.textContent()).toContain(secret.slice(0, 16))
  expect(await everythingOn(page)).not.toContain(secret)
  await page.reload()
  await row.getByText('just now').waitFor()
  expect(await everythingOn(page)).not.toContain(secret)

  await row.getByRole('button', { name: 'Revoke CI <b>pipeline</b>' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke the key “CI <b>pipeline</b>”?' })
  expect(await dialog.textContent()).toContain(`Every program that uses ${secret.slice(0, 16)}… loses access`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await site.door.send(secret, 'GET', '/v1/risks')).status).toBe(200)
  await row.getByRole('button', { name: /^Revoke/ }).click()
  await button(page, 'Revoke key').click()
  await row.getByText('Revoked', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: /^Revoke/ }).count()).toBe(0)
  expect((await site.door.send(secret, 'GET', '/v1/risks')).status).toBe(401)
})

/** What is drawn, what stands in its fields, and what the browser keeps. */
const everythingOn = (page: TestPage): Promise<string> =>
  page.evaluate<string>(
    'JSON.stringify([document.documentElement.outerHTML, [...document.querySelectorAll("input")].map((one) => one.value), { ...localStorage }, { ...sessionStorage }, history.state, location.href])',
  )

test('the form has exactly the 23 scopes', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/api-keys', { as: admin })
  const offered = () => page.getByRole('dialog').getByRole('checkbox')
  await button(page, 'Create key').click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  const labels = await page.getByRole('dialog').locator('label code').allTextContents()
  expect(labels).toHaveLength(23)
  expect(labels.toSorted()).toEqual(Object.keys(FORM_SCOPES).toSorted())
  for (const scope of Object.keys(FORM_SCOPES) as Scope[])
    await page.getByRole('dialog').getByText(scopeText(scope, everyKind), { exact: true }).waitFor()
  await button(page, 'Choose all of Read').click()
  expect(await offered().and(page.locator(':checked')).count()).toBe(12)
  await button(page, 'Choose none of Read').click()
  expect(await offered().and(page.locator(':checked')).count()).toBe(0)
})

test('a day of expiry is kept, refused at its field where it is over, and then shown', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/api-keys', { as: admin })
  await button(page, 'Create key').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Short')
  await form.getByLabel('read:risks').check()
  await form.getByLabel('Expires').selectOption('date')
  await form.getByLabel('Last day').fill('2020-01-31')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('must be in the future').waitFor()
  const day = new Date(Date.now() + 3 * 86_400_000)
  await form.getByLabel('Last day').fill(day.toLocaleDateString('sv'))
  await page.keyboard.press('Enter')
  await button(page, 'I have saved it').click()
  await page.getByRole('cell', { name: /^in [34] days$/ }).waitFor()
  await site.administrator.query(
    "update api_keys set expires_at = clock_now() - interval '1 hour' where organization_id = $1",
    [admin.organizationId],
  )
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Short' }).getByText('Expired', { exact: true }).waitFor()
})

test('a key whose creator is not active says so, and one whose creator may less shows what is left', async () => {
  const acme = await site.organization()
  const [gone, demoted] = [await acme.person('admin'), await acme.person('admin')]
  await acme.key(['read:risks'], gone)
  await acme.key(['read:risks', 'write:webhooks'], demoted)
  await site.administrator.query("update members set status = 'disabled' where user_id = $1", [gone.userId])
  await site.administrator.query("update members set role = 'editor' where user_id = $1", [demoted.userId])
  const page = await site.open('/settings/api-keys', { as: acme.admin })
  await page.getByText('Creator inactive').hover()
  await page.getByRole('tooltip').getByText('is not active, so this key is refused').waitFor()
  await page.getByText('1 of 2 scopes').waitFor()
})
