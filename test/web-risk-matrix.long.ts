import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* The risk matrix as a setting: it is changed by an admin who sees before what would move, and it is shown everywhere. */

let site: Site
beforeAll(async () => {
  site = await startSite()
  await site.service.jobs.start()
})
afterAll(() => site?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })

test('an admin changes levels, names and colours, sees what would move, and then applies it', async () => {
  const { admin } = await site.organization()
  for (const title of ['One', 'Two'])
    await site.call(admin, 'createRisk', {
      ...{ title, category: 'legal', likelihood: 'possible', impact: 'major' },
    })
  const page = await site.open('/settings/risk-matrix', { as: admin })
  const cell = page.getByLabel('Level of Possible × Severe')
  await page.getByLabel('Level of Possible × Major').selectOption('Critical')
  await page
    .getByRole('alert')
    .getByText(/Likely × Major is high, below critical of Possible × Major/)
    .waitFor()
  expect(await button(page, 'Review the change').isDisabled()).toBe(true)
  await cell.selectOption('Critical')
  await page.getByLabel('Level of Likely × Major').selectOption('Critical')
  await page.getByLabel('Label of critical', { exact: true }).fill('Unbearable')
  await page.getByLabel('Colour of critical').selectOption('Purple')
  await page.getByLabel('Label of possible', { exact: true }).fill('Maybe')
  await page.getByLabel('Appetite for legal risks').selectOption('Up to medium')
  await button(page, 'Review the change').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'Risk level High Unbearable 2' }).waitFor()
  await dialog.getByText('2 risks would be above the appetite; 0 are now.').waitFor()
  await page.picture('matrix-review')
  await dialog.getByLabel('Reason').fill('As the board decided')
  await button(page, 'Apply').click()
  await dialog.waitFor({ state: 'detached' })
  const versions = page.getByRole('table', { name: 'Versions' })
  await page.getByText('All records are brought up to version 2: 2 risks moved to another level.').waitFor()
  await versions.getByRole('row', { name: /2, holds now.*As the board decided 2$/ }).waitFor()
  await page.picture('matrix-editor')

  await page.visit(`/risks?columns=riskLevel`)
  await page.getByText('Unbearable').first().waitFor()
  await page.visit(`/risks/matrix`)
  await page.getByRole('link', { name: '2 unbearable risks, maybe and major' }).waitFor()
  await page.picture('risk-matrix')

  await page.visit(`/account/jobs`)
  await page.getByRole('row', { name: /Recalculate the levels of risks Done/ }).waitFor()
  await page.picture('jobs')
})

test('an earlier version is taken up again, and holds once it is applied', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'updateRiskMatrix', { levels: { low: { label: 'Minor' } } })
  const page = await site.open('/settings/risk-matrix', { as: admin })
  await button(page, 'Edit from version 1').click()
  await page.getByText('What stands above is that of version 1. It holds once you apply it.').waitFor()
  expect(await page.getByLabel('Label of low', { exact: true }).inputValue()).toBe('Low')
  await button(page, 'Review the change').click()
  await page.getByText('No record would move to another level.').waitFor()
  await button(page, 'Apply').click()
  await page.getByRole('row', { name: /^3, holds now/ }).waitFor()
})

test('a recalculation is shown while it is under way', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'createRisk', { title: 'Held', likelihood: 'possible', impact: 'major' })
  await site.administrator.query('begin')
  await site.administrator.query("select from risks where title = 'Held' for update")
  await site.call(admin, 'updateRiskMatrix', { cells: { possible: { major: { score: 13 } } } })
  const page = await site.open('/settings/risk-matrix', { as: admin })
  await page.getByText('Records are being brought up to this version').waitFor()
  await page.picture('matrix-running')
  await site.administrator.query('rollback')
  await page.getByText('Records are being brought up to this version').waitFor({ state: 'detached' })
})

test('on a telephone, in the dark, all of it is there', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/risk-matrix', {
    ...{ as: admin, colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  })
  await page.getByLabel('Level of Rare × Minor').waitFor()
  await page.getByLabel('Label of critical', { exact: true }).waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(390)
  await page.picture('matrix-narrow')
})

test('a line runs where the appetite ends, for a category, and on the page of a risk of it', async () => {
  const { admin, person } = await site.organization()
  await site.call(admin, 'updateRiskMatrix', { appetite: { legal: 'low', technical: 'medium' } })
  const rated = { likelihood: 'possible', impact: 'moderate' }
  const { body } = await site.call(admin, 'createRisk', { title: 'Fine', category: 'legal', ...rated })
  const page = await site.open('/risks/matrix', { as: admin })
  await page.getByText('The appetite differs by category: filter by one to see its line.').waitFor()
  expect(await page.locator('td[data-line]').count()).toBe(0)
  await page.getByRole('link', { name: 'Change the levels' }).waitFor()
  await page.visit(`/risks/matrix?category=legal`)
  await page.getByText('Appetite: up to low').waitFor()
  // Low ends at a score of 4: eight cells, of which five have more than that beside or above them.
  const edges = await page.locator('td[data-line]').count()
  expect(edges).toBeGreaterThan(0)
  expect(await page.locator('td[data-level="low"][data-line]').count()).toBe(edges)
  await page.picture('appetite-matrix')
  await page.visit(`/risks/${(body as { id: string }).id}`)
  await page.getByText('Appetite: up to low').waitFor()
  await page.picture('appetite-risk')
  const theirs = await site.open('/risks/matrix', { as: await person('editor') })
  await theirs.getByRole('link', { name: 'Risk register' }).first().waitFor()
  expect(await theirs.getByRole('link', { name: 'Change the levels' }).count()).toBe(0)
})
