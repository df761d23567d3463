import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Findings in the app: how old and how late each is, those of a risk beneath it, and the days they are given. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

test('a register tells how old each is, and marks what is late', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'createSecurityFinding', {
    title: 'Old TLS',
    severity: 'high',
    detectedAt: ago(45),
  })
  const page = await site.open('/findings', { as: admin })
  await page.getByRole('heading', { level: 1, name: 'Security findings' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Old TLS' })
  await row.getByText('45 days ago').waitFor()
  expect(await row.locator('time').count()).toBeGreaterThan(1)
})

test('a risk has its findings in a tab, and one is added there', async () => {
  const { admin } = await site.organization()
  const { body: risk } = await site.call(admin, 'createRisk', { title: 'Eavesdropping' })
  const { id } = risk as { id: string }
  const page = await site.open(`/risks/${id}`, { as: admin })
  await page.getByRole('tab', { name: 'Findings' }).click()
  await page.getByText('There are no security findings of').waitFor()
  await page.getByRole('button', { name: 'Add security finding' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Old TLS')
  await form.getByLabel('Severity').selectOption({ label: 'High' })
  await form.getByRole('button', { name: 'Add security finding' }).click()
  await page.getByRole('link', { name: 'Old TLS' }).click()
  await page.getByRole('heading', { level: 1, name: 'Old TLS' }).waitFor()
  await page.getByRole('link', { name: 'Eavesdropping' }).first().waitFor()
  const { body } = await site.call(admin, 'listSecurityFindings', { linkedRiskId: [id] })
  expect((body as { data: unknown[] }).data).toHaveLength(1)
})

test('an admin sees what other days would move before they are saved, and that it is done', async () => {
  const { admin } = await site.organization()
  const add = (more: object) =>
    site.call(admin, 'createSecurityFinding', {
      title: 'Old TLS',
      severity: 'high',
      detectedAt: ago(5),
      ...more,
    })
  await add({})
  await add({ dueDate: '2030-01-31' })
  const page = await site.open('/settings/organization', { as: admin })
  const days = page.getByRole('region', { name: 'Days to resolve a security finding' })
  const high = days.getByLabel('High')
  expect(await high.inputValue()).toBe('30')
  expect(await days.getByLabel('Informational').inputValue()).toBe('')
  await high.fill('3')
  await days.getByText('Saving moves the due date of 1 finding: 1 earlier, 1 overdue then.').waitFor()
  await days.getByRole('button', { name: 'Save days' }).click()
  await days.getByText('Saved').waitFor()
  // Nothing works jobs here: what waits is told.
  await days.getByText('Due dates are moving').waitFor()
  const { body } = await site.call(admin, 'getOrganization')
  expect((body as { findingSlaDays: object }).findingSlaDays).toMatchObject({ high: 3, informational: null })
  await high.fill('0')
  await days.getByRole('button', { name: 'Save days' }).click()
  await days.getByText('Enter a whole number from 1 to 3,650.').waitFor()
})
