import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, startBrowser, type TestPage } from './support/browser.ts'
import { freePort } from './support/free-port.ts'
import { type ProviderTest, startProviderTest } from './support/provider-sign-in.ts'

/* An admin sets up the sign-in service of the organization without leaving the page. */

let one: ProviderTest
let url: string
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  const port = String(await freePort())
  url = `http://localhost:${port}`
  ;[one, browser] = await Promise.all([startProviderTest({ PORT: port, PUBLIC_URL: url }), startBrowser()])
})
afterAll(async () => {
  await one?.close()
})

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })

test('a provider is added, its domain verified, turned off and on, and deleted', async () => {
  const { admin, openId, providerId } = await one.founded('Acme', 'acme.example')
  await one.call(admin, 'deleteSignInProvider', { id: providerId })
  const page = await openPage(browser, one.door, new URL('/settings/sign-in', url), { as: admin })
  await page.getByText('No providers yet.').waitFor()
  await button(page, `Copy ${url}/sign-in/provider`).waitFor()

  await button(page, 'Add provider').click()
  const form = page.getByRole('dialog', { name: 'Add a sign-in provider' })
  const give = async (label: string, value: string) => form.getByLabel(label, { exact: true }).fill(value)
  await give('Name', 'Acme ID')
  await give('Issuer', 'https://nothing.invalid')
  await give('Client id', openId.clientId)
  await give('Client secret', openId.clientSecret)
  await give('Domains', 'acme.example, not a domain')
  await page.keyboard.press('Control+Enter')
  await form.getByText('is no domain: give one such as example.com').first().waitFor()
  await give('Domains', 'acme.example')
  await page.keyboard.press('Control+Enter')
  await form.getByText(/^The provider /).waitFor()
  expect(await form.getByLabel('Issuer').getAttribute('aria-invalid')).toBe('true')
  expect(await form.getByLabel('Client secret', { exact: true }).inputValue()).toBe(openId.clientSecret)
  await give('Issuer', openId.issuer)
  await page.keyboard.press('Control+Enter')
  const card = page.getByRole('region', { name: 'Acme ID' })
  await card.getByText('On', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(openId.clientSecret)

  const row = card.getByRole('row').filter({ hasText: 'acme.example' })
  await row.getByText('Not verified').waitFor()
  await button(page, 'Verify acme.example').click()
  await card.getByRole('alert').getByText('no TXT record _plumbline.acme.example').waitFor()
  const value = (await row.getByText(/^plumbline-domain=/).textContent())!
  one.texts.set('_plumbline.acme.example', [value])
  await button(page, 'Verify acme.example').click()
  await row.getByText('Verified', { exact: true }).waitFor()
  expect(await card.getByRole('alert').count()).toBe(0)

  await card.getByLabel('Another domain').fill('acme')
  await page.keyboard.press('Enter')
  await card.getByText('is no domain: give one such as example.com').waitFor()
  await card.getByLabel('Another domain').fill('acme.test')
  await page.keyboard.press('Enter')
  await button(page, 'Remove acme.test').click()
  await button(page, 'Remove domain').click()
  await button(page, 'Remove acme.test').waitFor({ state: 'detached' })
  await row.getByText('Verified', { exact: true }).waitFor()

  await button(page, 'Change Acme ID').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Acme Single Sign-On')
  await page.keyboard.press('Control+Enter')
  const renamed = page.getByRole('region', { name: 'Acme Single Sign-On' })
  await button(page, 'Turn off Acme Single Sign-On').click()
  await page.getByRole('dialog').getByText('is signed out immediately').waitFor()
  await button(page, 'Turn off provider').click()
  await renamed.getByText('Off', { exact: true }).waitFor()
  await button(page, 'Turn on Acme Single Sign-On').click()
  await renamed.getByText('On', { exact: true }).waitFor()
  await button(page, 'Delete Acme Single Sign-On').click()
  await button(page, 'Delete provider').click()
  await page.getByText('No providers yet.').waitFor()
})
