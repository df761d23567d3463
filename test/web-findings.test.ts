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
  // As a card, where no head of a column says which date is which.
  await page.setViewportSize({ width: 390, height: 800 })
  const card = page.getByRole('listitem').filter({ hasText: 'Old TLS' })
  await card.getByText('Detected 45 days ago').waitFor()
  await card.getByText(/^Due/).waitFor()
  await page.picture('finding-card')
})

test('a risk has its findings in a tab, and one is added there', async () => {
  const { admin } = await site.organization()
  const { body: risk } = await site.call(admin, 'createRisk', { title: 'Eavesdropping' })
  const { id } = risk as { id: string }
  const page = await site.open(`/risks/${id}`, { as: admin })
  await page.getByRole('tab', { name: 'Findings' }).click()
  await page.getByText('There are no security findings of').waitFor()
  // Its tabs say what is beneath it.
  expect(await page.getByText('Has a treatment').count()).toBe(0)
  await page.picture('risk-with-tabs')
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

test('a finding whose acceptance ended is marked, counted on the overview and found from there', async () => {
  const { admin, person } = await site.organization()
  const make = async (name: string, input: object, by = admin) =>
    (await site.call(by, name, input)).body as { id: string }
  const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
  const risk = await make('createRisk', { title: 'Eavesdropping', ...rated })
  const approver = await person('editor')
  const acceptance = await make('createRiskAcceptance', {
    ...{ riskId: risk.id, justification: 'Replaced in spring', expiresAt: '2199-01-01' },
    approver: { type: 'user', refId: approver.userId },
  })
  await make('approveRiskAcceptance', { id: acceptance.id }, approver)
  const finding = { severity: 'high', linkedRiskId: risk.id, status: 'risk_accepted' }
  await make('createSecurityFinding', { title: 'Old TLS', ...finding })
  await make('revokeRiskAcceptance', { id: acceptance.id, statusReason: 'It was used' })
  const page = await site.open('/', { as: admin })
  const asking = page.getByRole('list', { name: 'Flagged' })
  await asking.getByRole('link', { name: '1 risk: acceptance ended' }).waitFor()
  await asking.getByRole('link', { name: '1 security finding: acceptance ended' }).click()
  await page.waitForURL('**/findings?acceptanceEnded=true')
  const row = page.getByRole('row').filter({ hasText: 'Old TLS' })
  await row.getByText('Risk accepted').waitFor()
  await row.getByTitle('Acceptance ended').getByText('Acceptance ended', { exact: true }).waitFor()
  await page.getByText('Acceptance ended: Yes').waitFor()
})

test('whoever deletes a risk sees what names it, and has it unlinked', async () => {
  const { admin } = await site.organization()
  const make = async (name: string, input: object) =>
    (await site.call(admin, name, input)).body as { id: string }
  const risk = await make('createRisk', { title: 'Eavesdropping' })
  const finding = await make('createSecurityFinding', {
    ...{ title: 'Old TLS', severity: 'high', linkedRiskId: risk.id },
  })
  await make('createRiskTreatment', { riskId: risk.id, action: 'Turn it off' })
  const page = await site.open(`/risks/${risk.id}`, { as: admin })
  await page.getByRole('tab', { name: 'Findings 1' }).waitFor()
  await page.getByRole('tab', { name: 'Treatments 1' }).waitFor()
  await page.getByRole('button', { name: 'More about this record' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  const unlinked = dialog.getByRole('list', { name: 'Unlinked from it:' })
  await unlinked.getByRole('link', { name: '1 security finding' }).waitFor()
  await dialog.getByRole('list', { name: 'Deleted with it:' }).getByText('1 risk treatment').waitFor()
  await page.picture('delete-risk')
  await dialog.getByRole('button', { name: 'Unlink all and delete risk' }).click()
  await page.waitForURL('**/risks')
  const { body } = await site.call(admin, 'getSecurityFinding', { id: finding.id })
  expect(body).toMatchObject({ linkedRiskId: null })
})

test('a vendor has its findings in a tab', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createVendor', { name: 'Example Cloud' })
  const { id } = body as { id: string }
  await site.call(admin, 'createSecurityFinding', { title: 'Old TLS', severity: 'high', vendorId: id })
  const page = await site.open(`/vendors/${id}`, { as: admin })
  await page.getByRole('tab', { name: 'Findings 1' }).click()
  await page.getByRole('link', { name: 'Old TLS' }).click()
  await page.getByRole('link', { name: 'Example Cloud' }).first().waitFor()
})
