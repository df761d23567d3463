import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* The overview and the risk matrix: each figure is the number of what it opens. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const card = (page: TestPage, name: string) => page.getByRole('region', { name, exact: true })

/** By a request of its own, as people do. */
async function addRisk(as: Caller, given: object): Promise<void> {
  await site.call({ ...as, requestId: randomUUID() }, 'createRisk', { title: 'A risk', ...given })
}

/** Where a link leads: the register's path, and its filters as the list takes them. */
async function opened(page: TestPage, href: string | null): Promise<[string, Record<string, string[]>]> {
  const { pathname, searchParams } = new URL(href!, page.url())
  return [
    pathname,
    Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)])),
  ]
}

/** How many a list with these filters holds, as the service counts. */
async function counted(as: Caller, [path, filters]: [string, Record<string, string[]>]): Promise<number> {
  const { sort: _, ...lists } = filters
  const asked = (name: string, values: string[]) => {
    if (name === 'owned') return values[0] === 'true'
    if (['true', 'false'].includes(values[0]!)) return values.map((value) => value === 'true')
    return name.includes('.') ? values[0] : values
  }
  const rest = Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, asked(name, values)]))
  const name = path === '/risks' ? 'listRisks' : 'listControls'
  const { body } = await site.call(as, name, { ...rest, limit: 200 })
  return (body as { data: unknown[] }).data.length
}

test('every figure opens the list of just those', async () => {
  const { admin, person } = await site.organization()
  const other = await person('editor')
  const mine = { owner: { type: 'user', refId: admin.userId } }
  const theirs = { owner: { type: 'user', refId: other.userId } }
  await addRisk(admin, { title: 'Mine is late', ...mine, dueDate: inDays(-2) })
  await addRisk(admin, { title: 'Mine is near', ...mine, dueDate: inDays(0.003) })
  await addRisk(admin, { ...theirs, dueDate: inDays(-1), likelihood: 'likely', impact: 'severe' })
  await addRisk(admin, { likelihood: 'possible', impact: 'major' })
  await site.call(admin, 'createControl', {
    code: 'A-1',
    title: 'A control',
    implementationStatus: 'implemented',
  })
  const page = await site.open('/', { as: admin })
  const mineCard = card(page, 'Your tasks')
  await mineCard.getByRole('link', { name: '1 late' }).waitFor()
  await mineCard.getByRole('link', { name: 'Mine is late' }).waitFor()
  expect(await mineCard.getByRole('listitem').count()).toBe(2)

  const figures = page.locator('main a[href^="/risks?"], main a[href^="/controls?"]')
  await expect.poll(() => figures.count()).toBeGreaterThan(15)
  for (const link of await figures.all()) {
    const said = (await link.textContent()) || (await link.getAttribute('title'))
    const text = said!.replace(/\s+/g, ' ')
    const number = Number(/\d+/.exec(text)![0])
    const behind = await opened(page, await link.getAttribute('href'))
    expect(await counted(admin, behind), `${text}: ${JSON.stringify(behind)}`).toBe(number)
  }

  const row = card(page, 'Needs attention').getByRole('row', { name: /^Risk register/ })
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['2', '1', '1'])
  // What others do is seen without reloading.
  await addRisk(admin, { title: 'Mine is late, too', ...mine, dueDate: inDays(-2) })
  await mineCard.getByRole('link', { name: '2 late' }).waitFor()
  await card(page, 'Overdue').getByRole('link', { name: 'Mine is late, too' }).waitFor()
  await card(page, 'Overdue').getByRole('link', { name: '3 risks overdue' }).waitFor()
  await card(page, 'Recent activity')
    .getByRole('link', { name: /Mine is late, too/ })
    .waitFor()
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['3', '1', '1'])
  await card(page, 'Risks by level')
    .getByRole('row', { name: /^Critical/ })
    .getByRole('link')
    .click()
  await page.waitForURL(
    (url) => url.pathname === '/risks' && url.searchParams.get('riskLevel') === 'critical',
  )
})

test('recent activity is of every kind, the newest first, and what was done to many is one line', async () => {
  const { admin, person } = await site.organization()
  const viewer = await person('viewer')
  const ids: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const { body } = await site.call(admin, 'createRisk', { title, likelihood: 'likely', impact: 'minor' })
    ids.push((body as { id: string }).id)
  }
  await site.call(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  for (const id of ids) await site.call(admin, 'updateRisk', { id, status: 'assessed' })
  await site.call(admin, 'createControl', { code: 'A-1', title: 'The newest' })
  const page = await site.open('/', { as: viewer })
  const lines = card(page, 'Recent activity').getByRole('listitem')
  await expect
    .poll(async () => (await lines.allInnerTexts()).map((text) => text.split('\n')[0]))
    .toEqual([
      expect.stringMatching(/ created CTL-\d+ The newest$/),
      expect.stringMatching(/ set 3 risks to Assessed$/),
      expect.stringMatching(/ created .*Bo Lind$/),
      expect.stringMatching(/ created 3 risks$/),
    ])
  expect(await lines.nth(1).getByRole('link').getAttribute('href')).toMatch(/^\/risks\?status=assessed/)
  expect(await card(page, 'Webhooks').count(), 'of admins only').toBe(0)
  // Who sees no more of the log than that is not sent there.
  expect(await page.getByRole('main').getByRole('link', { name: 'Audit log' }).count()).toBe(0)
})

test('admins see the endpoints that are off or failing, and what was done last', async () => {
  const { admin } = await site.organization()
  await addRisk(admin, {})
  const add = async (path: string, given: object = {}) => {
    const { body } = await site.call(admin, 'createWebhookEndpoint', {
      address: `https://93.184.215.14/${path}`,
      signalTypes: ['risk.created'],
      ...given,
    })
    return (body as { id: string }).id
  }
  await add('well')
  const off = await add('off', { enabled: false })
  const failing = await add('failing')
  await site.administrator.query('update webhook_endpoint_states set failures = 4 where endpoint_id = $1', [
    failing,
  ])
  const page = await site.open('/', { as: admin })
  const health = card(page, 'Webhooks')
  await health.getByText('2 of 3 need attention.').waitFor()
  await health.getByText('4 failures in a row').waitFor()
  expect(await health.getByRole('link', { name: /off$/ }).getAttribute('href')).toBe(
    `/settings/webhooks/${off}`,
  )
  await card(page, 'Recent activity')
    .getByText(/added the webhook endpoint/)
    .first()
    .waitFor()
})

test('a new organization shows where to begin, as far as one may, until it is hidden', async () => {
  const { admin, person } = await site.organization()
  const page = await site.open('/', { as: admin })
  const steps = card(page, 'Get started')
  await steps.waitFor()
  const hrefs = () =>
    steps.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(await hrefs()).toEqual([
    '/risks?add=true',
    '/settings/members',
    '/account/security',
    '/settings/api-keys',
    '/settings/webhooks',
  ])
  const asEditor = await site.open('/', { as: await person('editor') })
  await card(asEditor, 'Get started').waitFor()
  expect(await card(asEditor, 'Get started').getByRole('link').allInnerTexts()).toEqual([
    'Add a risk',
    'Add a second factor',
  ])
  const asViewer = await site.open('/', { as: await person('viewer') })
  await asViewer.getByText('Editors and admins add the first risks and controls.').waitFor()

  await steps.getByRole('button', { name: 'Hide first steps' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.visit(`/?steps=true`)
  await steps.waitFor()
})

test('an admin takes the starter set, and throws out what nobody has touched', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/', { as: admin })
  await page.getByRole('button', { name: 'Add a starter set' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a starter set' })
  await dialog.getByRole('checkbox', { name: /^Somebody signs in with a stolen password/ }).uncheck()
  await dialog.getByRole('button', { name: 'Add 49 records' }).click()
  await page.getByText('49 records are unchanged.').waitFor()
  const listed = async () =>
    (await site.call(admin, 'listRisks', { limit: 200 })).body as { data: { id: string; title: string }[] }
  const { data } = await listed()
  expect(data.map(({ title }) => title)).not.toContain('Somebody signs in with a stolen password')
  await site.call(admin, 'updateRisk', { id: data[0]!.id, title: 'Ours now' })
  await page.getByText('48 records are unchanged.').waitFor()
  await page.getByRole('button', { name: 'Remove the starter set' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the starter set' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await listed()).data.map(({ title }) => title)).toEqual(['Ours now'])
})

test('the matrix is a table whose heads name each cell, for each rating', async () => {
  const { admin, person } = await site.organization()
  await addRisk(admin, {
    likelihood: 'likely',
    impact: 'severe',
    inherentLikelihood: 'rare',
    inherentImpact: 'minor',
  })
  await addRisk(admin, { likelihood: 'likely', impact: 'severe' })
  await addRisk(admin, {})
  const page = await site.open('/risks/matrix', { as: await person('viewer') })
  const table = page.getByRole('table', { name: 'Current risk by likelihood and impact' })
  await table.waitFor()
  const here = page.getByRole('navigation').locator('[aria-current=page]')
  expect(await here.allInnerTexts()).toEqual(['Risk matrix'])
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
    'Impact ↓',
    'Rare',
    'Unlikely',
    'Possible',
    'Likely',
    'Almost certain',
  ])
  expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
    'Severe',
    'Major',
    'Moderate',
    'Minor',
    'Insignificant',
  ])
  const severe = table.getByRole('row', { name: /^Severe/ }).getByRole('cell')
  expect(await severe.allInnerTexts()).toEqual([
    '0\nMedium',
    '0\nHigh',
    '0\nHigh',
    '2\nCritical',
    '0\nCritical',
  ])
  await page.getByRole('link', { name: '1 risk: Not assessed' }).waitFor()

  await page.getByRole('link', { name: 'Inherent' }).click()
  await page.waitForURL(/\?rating=inherent$/)
  await page.reload()
  const inherent = page.getByRole('table', { name: 'Inherent risk by likelihood and impact' })
  const link = inherent.getByRole('link')
  await link.first().waitFor()
  expect(await link.count()).toBe(1)
  expect(await link.getAttribute('aria-label')).toBe('1 low risk, rare and minor')
  await link.click()
  await page.waitForURL(
    ({ pathname, searchParams: wanted }) =>
      pathname === '/risks' &&
      wanted.get('inherentLikelihood') === 'rare' &&
      wanted.get('inherentImpact') === 'minor',
  )
})

test('with the filters of the register, every figure of the matrix opens the list of just those', async () => {
  const { admin } = await site.organization()
  const legal = {
    category: 'legal',
    labels: ['edge'],
    inherentLikelihood: 'likely',
    inherentImpact: 'severe',
  }
  const lower = { residualLikelihood: 'rare', residualImpact: 'minor' }
  await addRisk(admin, { ...legal, ...lower, likelihood: 'likely', impact: 'major' })
  await addRisk(admin, { ...legal, ...lower, likelihood: 'likely', impact: 'major' })
  await addRisk(admin, { ...legal, residualLikelihood: 'almost_certain', residualImpact: 'severe' })
  await addRisk(admin, { category: 'legal', likelihood: 'rare', impact: 'major' })
  await addRisk(admin, { category: 'legal', status: 'closed', statusReason: 'Sold' })
  await addRisk(admin, { category: 'other', likelihood: 'rare', impact: 'major' })
  const page = await site.open('/risks/matrix', { as: admin })
  const matrix = page.getByRole('table', { name: 'Current risk by likelihood and impact' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Category' }).click()
  await page.getByLabel('Legal').check()
  await page.keyboard.press('Escape')
  await page.waitForURL(/category=legal/)
  await matrix.getByRole('link', { name: '1 low risk, rare and major' }).waitFor()

  const movement = page.getByRole('table', { name: 'From inherent to residual' })
  await page.getByText('2 lower, 1 the same, 0 higher; 1 not assessed on one side or both.').waitFor()
  await movement.getByRole('link', { name: '2 risks from critical to low, lower' }).waitFor()
  const links = page.getByRole('main').getByRole('link', { name: /risks?(,|:| from) / })
  const figures = await links.evaluateAll((all) =>
    all.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')] as const),
  )
  expect(figures).toHaveLength(2 + 5 + 3)
  for (const [told, href] of figures)
    expect([told, await counted(admin, await opened(page, href))]).toEqual([told, Number.parseInt(told!, 10)])

  // As large as there are many, by the area of what is behind the number.
  const disc = (name: string) =>
    page.evaluate<number>(
      `Number.parseFloat(getComputedStyle(document.querySelector('[aria-label="${name}"]'), '::before').width)`,
    )
  expect(await disc('2 high risks, likely and major')).toBeGreaterThan(
    await disc('1 low risk, rare and major'),
  )

  await page.getByRole('link', { name: 'Residual' }).click()
  await page.waitForURL(/category=legal&rating=residual/)
  await page.visit(`/risks/matrix?labels=edge&status=closed`)
  await page.getByRole('link', { name: '0 risks: Not assessed' }).waitFor()
})
