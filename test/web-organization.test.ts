import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* What an admin says of the organization. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('an admin changes what is said of the organization; what is wrong is told at its field', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'createRisk', { title: 'Unpatched gateway', dueDate: '2027-07-01' })
  const page = await site.open('/settings', { as: admin })
  await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
  expect(page.url()).toBe(`${site.url}/settings/organization`)
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.getByLabel('Website').fill('nowhere')
  await page.getByLabel('Size').selectOption({ label: '51 to 200' })
  await page.getByLabel('Supplier risk management').check()
  const save = page.getByRole('button', { name: 'Save changes' })
  await save.click()
  await page.getByText('"nowhere" is not an address').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme')
  await page.getByLabel('Website').fill('https://acme.example')
  // By keyboard alone: opened, searched, chosen; what was opened has the focus again.
  for (const [label, typed, shown] of [
    ['Country', 'osterr', null],
    ['Country', 'austria', 'Country: Austria'],
    ['Language', 'de-at', 'Language: Austrian German'],
    ['Time zone', 'vienna', 'Time zone: Europe/Vienna'],
    ['Currency', 'swiss', 'Currency: Swiss Franc'],
  ] as const) {
    await page.getByRole('button', { name: `${label}: ` }).focus()
    await page.keyboard.press('Enter')
    await page.getByPlaceholder('Search', { exact: true }).fill(typed)
    if (shown === null) {
      await page.getByText('No match').waitFor()
      await page.keyboard.press('Escape')
      continue
    }
    const first = page.locator('[role=option][data-combobox-selected]')
    await first.filter({ hasText: shown.slice(label.length + 2) }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe(shown)
  }
  await page.getByText('1 date that was set as a day moves to the new time zone and keeps its day.').waitFor()
  await page.picture('organization-zone')
  await save.click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
  const { body } = await site.call(admin, 'getOrganization')
  expect(body).toMatchObject({
    name: 'Acme',
    size: '51_200',
    country: 'AT',
    locale: 'de-AT',
    timezone: 'Europe/Vienna',
    currency: 'CHF',
    legalName: null,
    features: { supplierRiskManagement: true },
  })
})

test('who comes second hears so, and keeps what was typed', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/organization', { as: admin })
  await page.getByLabel('Industry').fill('Bridges')
  await site.call(admin, 'updateOrganization', { name: 'Meanwhile' })
  const save = page.getByRole('button', { name: 'Save changes' })
  await save.click()
  await page.getByRole('alert').getByText('Somebody changed this in the meantime').waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Meanwhile')
  await save.click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const { body } = await site.call(admin, 'getOrganization')
  expect(body).toMatchObject({ industry: 'Bridges', name: 'Meanwhile' })
})
