import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvRow } from '../model/csv.ts'
import { risk } from '../model/kinds/risk.ts'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { copyRecord } from './support/copies.ts'

/* The list of a kind: found, sorted, changed where it stands, one or many at once, and taken away as a file. */

let site: Site
beforeAll(async () => {
  site = await startSite()
  await site.service.jobs.start()
})
afterAll(() => site?.close())

type Made = { id: string; reference: string }

const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const row = (page: TestPage, title: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })
const count = (page: TestPage, text: string) => page.getByText(text, { exact: true })
const query = (page: TestPage) => new URL(page.url()).search

/** As where nobody else does anything: it is told of no change. */
const stayBehind = (page: TestPage) =>
  page.route('**/web/getRecentChanges', (route) => route.fulfill({ json: { cursor: 'none', changed: [] } }))

async function add(as: Caller, fields: Record<string, unknown>): Promise<Made> {
  return (await site.call(as, 'createRisk', fields)).body
}

/** Copies of one risk, so that there are many at once. */
async function fill(as: Caller, rows: number): Promise<void> {
  const { id } = await add(as, { title: 'Risk 1' })
  const changes = `jsonb_build_object('id', 'risk_' || lpad(n::text, 26, '0'), 'reference_number', n,
    'title', 'Risk ' || n, 'created_at', r.created_at + n * interval '1 second')`
  await copyRecord(site, risk, { id, from: 2, to: rows, changes })
  await site.administrator.query(
    "update reference_counters set last_number = $2 where organization_id = $1 and kind = 'risk'",
    [as.organizationId, rows],
  )
}

test('an empty register says what belongs there, and its call works as it stands', async () => {
  const one = await site.organization()
  const page = await site.open('/risks', { as: one.admin })
  await page.getByRole('heading', { name: 'No risks yet' }).waitFor()
  await button(page, 'Use the API').click()
  const curl = await page.getByRole('figure', { name: 'curl' }).locator('pre').textContent()
  const { secret } = await one.key(['write:risks'])
  const body = /-d '(.*)'$/s.exec(curl!)![1]!
  expect((await site.door.send(secret, 'POST', '/v1/risks', { body: JSON.parse(body) })).status).toBe(201)

  await button(page, 'Add risk').click()
  const drawer = page.getByRole('dialog', { name: 'Add a risk' })
  await drawer.getByLabel('Title').waitFor()
  expect(
    (await drawer.locator('label').filter({ visible: true }).allInnerTexts()).map((text) => text.trim()),
  ).toEqual(['Title *', 'Category', 'Likelihood', 'Impact', 'Owner', 'Due'])
  await drawer.getByText('follows from likelihood and impact').waitFor()
  await drawer.getByLabel('Likelihood').first().selectOption('likely')
  await drawer.getByLabel('Impact').first().selectOption('severe')
  await drawer.getByText('Critical · Score 20').waitFor()
  await drawer.getByText('As it is now, with the controls that work').first().waitFor()
  await button(page, 'More fields').click()
  const states = await drawer.getByLabel('Status', { exact: true }).getByRole('option').allTextContents()
  expect(states).toEqual(['Identified', 'Assessed', 'In treatment', 'Monitored', 'Closed'])
  await drawer.getByLabel('Description').fill('Nobody has looked.')
  await page.keyboard.press('Control+Enter')
  await drawer.getByText('Fill this in.').waitFor()
  await drawer.getByLabel('Title').fill('x'.repeat(201))
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => drawer.getByLabel('Title').getAttribute('aria-invalid')).toBe('true')
  expect(await drawer.getByLabel('Description').inputValue()).toBe('Nobody has looked.')
  await drawer.getByLabel('Name 1').fill('rack')
  await drawer.getByLabel('Value of rack').fill('12')

  await page.keyboard.press('Escape')
  await button(page, 'Cancel').last().click()
  await drawer.getByLabel('Title').fill('Unread log')
  await page.keyboard.press('Control+Enter')
  await row(page, 'Unread log').waitFor()
  await drawer.waitFor({ state: 'detached' })

  const viewer = await site.open('/controls', { as: await one.person('viewer') })
  await viewer.getByText('Editors and admins add them.').waitFor()
  expect(await button(viewer, 'Add control').count()).toBe(0)
})

test('of thousands of rows few are drawn, and going back finds the place again', async () => {
  const { admin } = await site.organization()
  await fill(admin, 2_000)
  const page = await site.open('/risks', { as: admin })
  await count(page, '2,000 risks').waitFor()
  await row(page, 'Risk 2000').waitFor()
  const box = page.locator('div:has(> table)')
  for (let step = 0; step < 36; step++) {
    await box.evaluate((element) => element.scrollBy(0, 600))
    await page.waitForTimeout(25)
  }
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(18_000)
  expect(await page.getByRole('row').count()).toBeLessThan(90)
  const top = await box.evaluate((element) => element.scrollTop)

  await page.getByRole('link', { name: 'Controls' }).click()
  await heading(page, 'Controls').waitFor()
  await page.goBack()
  await heading(page, 'Risk register').waitFor()
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(top)
})

test('the bar is as long as the register, and the end of it can be gone to', async () => {
  const { admin } = await site.organization()
  await fill(admin, 3_000)
  const page = await site.open('/risks', { as: admin })
  await count(page, '3,000 risks').waitFor()
  await row(page, 'Risk 3000').waitFor()
  const box = page.locator('div:has(> table)')
  await expect.poll(() => box.evaluate((element) => element.scrollHeight)).toBeGreaterThan(3_000 * 36)
  await page.getByRole('link', { name: 'Risk 3000', exact: true }).focus()
  await page.keyboard.press('End')
  await row(page, 'Risk 1').waitFor()
  expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('3001')
  expect(await page.getByText('rows read').count()).toBe(0)

  await page.keyboard.press('Home')
  await row(page, 'Risk 3000').waitFor()
})

test('the address is the view: filters, order and search come back from it', async () => {
  const { admin } = await site.organization()
  await add(admin, { title: 'Alpha', category: 'technical', likelihood: 'likely', impact: 'severe' })
  await add(admin, { title: 'Beta', category: 'legal' })
  await add(admin, { title: 'Gamma', category: 'ai' })
  const page = await site.open('/risks', { as: admin })
  await button(page, 'Filter').click()
  await page.getByRole('menuitem', { name: 'Category' }).click()
  await page.getByLabel('Technical').check()
  await page.getByLabel('Legal').check()
  await count(page, '2 risks').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await expect.poll(() => query(page)).toBe('?sort=title&category=technical&category=legal')
  const titles = () => page.getByRole('row').getByRole('link').allTextContents()
  await expect.poll(titles).toEqual(['Alpha', 'Beta'])

  const again = await site.open(`/risks${query(page)}`, { as: admin })
  await count(again, '2 risks').waitFor()
  await again.getByText('Category: Technical, Legal').waitFor()
  expect(await again.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe('ascending')
  await again.getByRole('searchbox', { name: 'Search risks' }).fill('bet')
  await count(again, '1 risk').waitFor()
  await button(again, 'Remove filter: Category').click()
  await expect.poll(() => query(again)).toBe('?q=bet&sort=title')
  await again.goBack()
  await again.getByText('Category: Technical, Legal').waitFor()

  const odd = await site.open('/risks?status=nonsense&sort=evil&other=1', { as: admin })
  await count(odd, '3 risks').waitFor()
  // Who looks for what is not there is not shown everything as if that were it.
  await odd.getByText('No filter here knows status, other: it is left out.').waitFor()
  await button(odd, 'Close').click()
  await expect.poll(() => query(odd)).toBe('')
  await odd.goto(`${site.url}/risks?q=zzz`)
  await button(odd, 'Clear filters and search').click()
  await count(odd, '3 risks').waitFor()
})

test('every column sorts, levels by weight; what is not assessed, labels and dates are filters', async () => {
  const { admin } = await site.organization()
  await add(admin, { title: 'Grave', likelihood: 'likely', impact: 'severe', labels: ['plant'] })
  await add(admin, { title: 'Small', likelihood: 'rare', impact: 'minor', dueDate: '2030-05-04T12:00:00Z' })
  await add(admin, { title: 'Unseen' })
  const page = await site.open('/risks', { as: admin })
  const titles = () => page.getByRole('row').getByRole('link').allTextContents()
  await row(page, 'Unseen').waitFor()
  const heads = page.locator('th[aria-sort]')
  expect(await heads.count()).toBe(await page.locator('th[scope=col]:not(:has(input))').count())
  await page.getByRole('columnheader', { name: 'Risk level' }).getByRole('button').click()
  await expect.poll(titles).toEqual(['Grave', 'Small', 'Unseen'])
  await page.getByRole('columnheader', { name: 'Risk level' }).getByRole('button').click()
  await expect.poll(titles).toEqual(['Small', 'Grave', 'Unseen'])

  await button(page, 'Filter').click()
  await page.getByRole('menuitem', { name: 'Risk level', exact: true }).click()
  await page.getByLabel('No current rating').check()
  await expect.poll(titles).toEqual(['Unseen'])
  await page.keyboard.press('Escape')
  await button(page, 'Remove filter: Risk level').click()

  await button(page, 'Filter').click()
  await page.getByRole('menuitem', { name: 'Labels' }).click()
  await page.getByRole('textbox', { name: 'Labels' }).fill('plant, other')
  await page.keyboard.press('Enter')
  await expect.poll(titles).toEqual(['Grave'])
  expect(query(page)).toBe('?sort=riskLevel&labels=plant&labels=other')

  await page.goto(`${site.url}/risks?dueDate.from=2030-05-03&dueDate.to=2030-05-05`)
  const chip = button(page, 'Due date: from May 3, 2030, to May 5, 2030')
  await expect.poll(titles).toEqual(['Small'])

  // What is half typed, or cannot be met, says so; whoever presses elsewhere is told before it is given up.
  await chip.click()
  await page.getByLabel('To', { exact: true }).fill('2030-05-01')
  await page.getByText('Nothing lies between these').waitFor()
  await page.getByLabel('To', { exact: true }).fill('')
  await page.getByLabel('To', { exact: true }).focus()
  await page.keyboard.type('12/01')
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByText('Enter a complete date').waitFor()
  await page.getByLabel('To', { exact: true }).focus()
  await page.keyboard.press('Escape')
  await page.getByLabel('To', { exact: true }).waitFor({ state: 'detached' })
  expect(query(page)).toBe('?dueDate.from=2030-05-03')
})

test('rows stand under the values of a field, and each group opens and closes', async () => {
  const { admin } = await site.organization()
  for (let n = 0; n < 23; n++) await add(admin, { title: `Legal ${n}`, category: 'legal' })
  await add(admin, { title: 'Grave', category: 'ai', likelihood: 'likely', impact: 'severe' })
  const page = await site.open('/risks', { as: admin })
  await row(page, 'Grave').waitFor()
  await button(page, 'Group').click()
  await page.getByRole('menuitem', { name: 'Category' }).click()
  const heads = () => page.getByRole('rowheader').allTextContents()
  await expect.poll(heads).toEqual(['AI1', 'Legal23'])
  await button(page, 'Show more (20 of 23)').click()
  await row(page, 'Legal 0').waitFor()
  await page.getByRole('button', { name: /^AI/ }).click()
  await row(page, 'Grave').waitFor({ state: 'detached' })
  await page.getByLabel('Select all rows that are loaded').check()
  await page.getByText('23 selected').waitFor()
  expect(query(page)).toBe('?group=category')
  await page.goto(`${site.url}/risks?group=riskLevel`)
  await expect.poll(heads).toEqual(['Critical1', 'No current rating23'])
})

test('a view is saved under a name, for oneself or for everybody, and found above the list', async () => {
  const one = await site.organization()
  await add(one.admin, { title: 'Alpha', category: 'legal' })
  await add(one.admin, { title: 'Beta', category: 'ai' })
  const page = await site.open('/risks?category=legal', { as: one.admin })
  await row(page, 'Alpha').waitFor()
  await button(page, 'Save view').click()
  await page.getByLabel('Name').fill('Legal ones')
  await page.getByLabel('Share with everybody in the organization').check()
  await button(page, 'Save').click()
  const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current=page]')
  await current.getByText('Legal ones').waitFor()
  await page.getByRole('link', { name: 'All risks' }).click()
  await row(page, 'Beta').waitFor()

  const other = await site.open('/risks', { as: await one.person('viewer') })
  await other.getByRole('link', { name: 'Legal ones' }).click()
  await row(other, 'Beta').waitFor({ state: 'detached' })
  expect(await button(other, 'Delete view Legal ones').count()).toBe(0)

  await page.getByRole('link', { name: 'Legal ones' }).click()
  await button(page, 'Delete view Legal ones').click()
  await button(page, 'Delete view').click()
  await page.getByRole('navigation', { name: 'Views' }).getByText('Legal ones').waitFor({ state: 'detached' })
})

test('on a telephone rows are cards, and a printed list is all of the rows that are loaded', async () => {
  const { admin } = await site.organization()
  await fill(admin, 90)
  const page = await site.open('/risks', { as: admin, viewport: { width: 360, height: 740 } })
  await count(page, '90 risks').waitFor()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Risk 90' }) })
  await card.getByText('Identified').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.getByLabel('Sort by').selectOption('Reference, ascending')
  await page.getByRole('link', { name: 'Risk 1', exact: true }).waitFor()

  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  await page.getByText('90 risks, sorted by reference. Printed').waitFor()
  expect(await page.getByRole('row').count()).toBe(91)
  expect(await button(page, 'Add risk').isVisible()).toBe(false)
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.getByText('Printed').waitFor({ state: 'detached' })
})

test('a row is changed where it stands, to what may follow, with what that asks for', async () => {
  const { admin } = await site.organization()
  const made = await add(admin, { title: 'Open port' })
  await site.call(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const page = await site.open('/risks', { as: admin })
  await stayBehind(page)
  await page.getByTitle(`Change status of ${made.reference}`).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Assessed', 'Closed'])
  await page.getByRole('menuitem', { name: 'Assessed' }).click()
  await page.getByRole('combobox', { name: 'Likelihood' }).selectOption('Likely')
  await button(page, 'Set to assessed').click()
  await page.getByRole('combobox', { name: 'Impact' }).selectOption('Severe')
  await button(page, 'Set to assessed').click()
  await row(page, 'Open port').getByText('Critical').waitFor()
  await row(page, 'Open port').getByText('Assessed').waitFor()

  // The search has the focus within the click: no key that follows it is lost, however soon.
  const focused = await page.evaluate(`{
    document.querySelector('[title="Change owner of ${made.reference}"]').click()
    Promise.resolve().then(() => document.activeElement.placeholder)
  }`)
  expect(focused).toBe('Search people')
  await page.keyboard.type('bo l')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await Promise.all([page.waitForResponse('**/web/updateRisk'), page.keyboard.press('Enter')])
  await row(page, 'Open port').getByText('Bo Lind').waitFor()

  await site.call(admin, 'updateRisk', { id: made.id, title: 'Open port 22' })
  await page.getByTitle(`Change owner of ${made.reference}`).click()
  await page.getByRole('option', { name: 'No owner' }).click()
  await page.getByText(`${made.reference} was not changed`).waitFor()
  await row(page, 'Open port 22').getByText('Bo Lind').waitFor()
})

test('many are changed at once: each keeps what it has, and all of it can be undone', async () => {
  const { admin } = await site.organization()
  const severe = { likelihood: 'almost_certain', impact: 'severe' }
  const rated = await add(admin, { title: 'Rated', ...severe })
  const half = await add(admin, { title: 'Half', likelihood: 'rare' })
  const bare = await add(admin, { title: 'Bare' })
  const closed = await add(admin, { title: 'Closed', status: 'closed', statusReason: 'Gone' })
  const read = async ({ id }: Made) => (await site.call(admin, 'getRisk', { id })).body as object
  const page = await site.open('/risks', { as: admin })
  await stayBehind(page)
  await page.getByLabel('Select all rows that are loaded').check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByText('4 selected').waitFor()
  await button(page, 'Set status').click()
  await page.getByRole('menuitem', { name: /Assessed/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 3 records to assessed' })
  await dialog.getByText('Your answer is saved to 2 records. 1 already has one and keeps it.').waitFor()
  await dialog.getByRole('combobox', { name: 'Likelihood' }).selectOption('Possible')
  await dialog.getByRole('combobox', { name: 'Impact' }).selectOption('Minor')
  await button(page, 'Set to assessed').click()
  const plan = page.getByRole('dialog', { name: 'Change 4 risks' })
  await plan.getByText('3 to change').waitFor()
  const refused = plan.getByRole('table', { name: 'Not changed' })
  await refused.getByText('cannot go from Closed to Assessed: it can go to Identified').waitFor()
  await refused.getByText(closed.reference).waitFor()
  await plan.getByText('× 3').first().waitFor()
  const picture = process.env.PICTURES
  if (picture) await page.screenshot({ path: `${picture}/bulk-plan-few.png` })
  expect(await read(bare)).toMatchObject({ status: 'identified' })
  await button(page, 'Change 3').click()
  await bar.getByRole('status').getByText('3 changed · 1 was not changed').waitFor()
  if (picture) await page.screenshot({ path: `${picture}/bulk-done-few.png` })
  expect(await read(rated)).toMatchObject({ status: 'assessed', ...severe })
  expect(await read(half)).toMatchObject({ status: 'assessed', likelihood: 'rare', impact: 'minor' })
  expect(await read(bare)).toMatchObject({ status: 'assessed', likelihood: 'possible', impact: 'minor' })
  await row(page, 'Bare').getByText('Assessed').waitFor()

  await site.call(admin, 'updateRisk', { id: rated.id, category: 'legal' })
  await button(page, 'Undo 3').click()
  const back = page.getByRole('dialog', { name: 'Undo the change of 3 risks' })
  await back.getByText(/Somebody has changed it in the meantime/).waitFor()
  await back.getByRole('row', { name: new RegExp(`meantime.*${rated.reference}`) }).waitFor()
  await button(page, 'Undo 2').click()
  await bar.getByRole('status').getByText('2 undone · 1 could not be undone').waitFor()
  expect(await read(half)).toMatchObject({ status: 'identified', likelihood: 'rare', impact: null })
  expect(await read(bare)).toMatchObject({ status: 'identified', likelihood: null, impact: null })
  expect(await read(rated)).toMatchObject({ status: 'assessed', category: 'legal' })
  expect(await read(closed)).toMatchObject({ status: 'closed' })
})

test('tasks are given a day, somebody and how soon together', async () => {
  const { admin } = await site.organization()
  const make = async (title: string) =>
    (await site.call(admin, 'createTask', { title, dueDate: '2031-01-31' })).body as { id: string }
  const both = [await make('One'), await make('Two')]
  const page = await site.open('/tasks', { as: admin })
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const dialog = page.getByRole('dialog')
  const set = async (field: string, fill: () => Promise<unknown>) => {
    await page.getByLabel('Select all rows that are loaded').check()
    await button(page, 'Set another field').click()
    await page.getByRole('menuitem', { name: field }).click()
    await fill()
    await button(page, 'Review').click()
    await button(page, 'Change 2').click()
    await bar.getByRole('status').getByText('2 changed').waitFor()
    await button(page, 'Close').click()
    await button(page, 'Clear selection').click()
  }
  await set('Priority', () => dialog.getByRole('combobox', { name: 'Priority' }).selectOption('Urgent'))
  await set('Due', async () => {
    await dialog.getByLabel('Due').fill('2031-03-01')
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/bulk-set-field.png` })
  })
  for (const { id } of both)
    expect((await site.call(admin, 'getTask', { id })).body).toMatchObject({
      ...{ priority: 'urgent', dueDate: '2031-03-01' },
    })
  await set('Due', async () => {})
  expect((await site.call(admin, 'getTask', { id: both[0]!.id })).body).toMatchObject({ dueDate: null })
  await page.setViewportSize({ width: 390, height: 800 })
  const sorting = page.getByRole('combobox', { name: 'Sort by' })
  const room = await sorting.evaluate((box) => box.clientWidth)
  expect(room).toBeGreaterThan(300)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/tasks-390.png` })
})

test('what is selected is first what is loaded, then on request all that matches', async () => {
  const { admin } = await site.organization()
  await fill(admin, 303)
  const bo = await site.call(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  await site.administrator.query(
    'update risks set owner_personnel_id = $2 where organization_id = $1 and reference_number > 3',
    [admin.organizationId, (bo.body as Made).id],
  )
  const owned = async () =>
    (await site.call(admin, 'summarizeRisks', { owned: true, counted: ['total'] })).body as object
  const page = await site.open('/risks', { as: admin })
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await page.getByLabel('Select all rows that are loaded').check()
  await bar.getByText(/^[13]00 selected$/).waitFor()
  // More may be loaded before it is clicked, and the offer stands.
  await page.keyboard.press('End')
  await button(page, 'Select all 303').click()
  await bar.getByText('303 selected').waitFor()
  await button(page, 'Set owner').click()
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  const plan = page.getByRole('dialog', { name: 'Change 303 risks' })
  await plan.getByText('300 unchanged').waitFor()
  await button(page, 'Change 3').click()
  await bar.getByText('3 changed · 300 unchanged').waitFor()
  expect(await owned()).toMatchObject({ total: 303 })

  // The way back outlives the selection.
  await button(page, 'Clear selection').click()
  await bar.getByText('303 selected').waitFor({ state: 'detached' })
  await button(page, 'Undo 3').click()
  await bar.getByText('3 undone').waitFor()
  expect(await owned()).toMatchObject({ total: 300 })
})

test('what others do is seen without reloading, and moves nothing under the hand', async () => {
  const { admin } = await site.organization()
  await fill(admin, 90)
  // Copies are of the seconds to come: what is added is to stand above them.
  await site.administrator.query(
    "update risks set created_at = created_at - interval '1 day' where organization_id = $1",
    [admin.organizationId],
  )
  const page = await site.open('/risks', { as: admin })
  await count(page, '90 risks').waitFor()
  const box = page.locator('div:has(> table)')
  await page.getByLabel('Select RSK-60').check()
  await box.evaluate((element) => element.scrollTo(0, 720))
  const place = () => row(page, 'Risk 60').evaluate((element) => element.getBoundingClientRect().top)
  await page.getByTitle('Change status of RSK-58').click()
  await page.getByRole('menuitem', { name: 'Assessed' }).waitFor()
  const before = await place()
  const { id } = await add(admin, { title: 'Of somebody else' })
  const sixty = (await site.call(admin, 'listRisks', { reference: ['RSK-60'] })).body as { data: Made[] }
  await site.call(admin, 'updateRisk', { id: sixty.data[0]!.id, category: 'legal' })
  await count(page, '91 risks').waitFor()
  await row(page, 'Risk 60').getByText('Legal').waitFor()
  expect(await place()).toBe(before)
  await page.getByText('1 selected').waitFor()
  expect(await page.getByRole('menuitem', { name: 'Assessed' }).count()).toBe(1)
  await page.keyboard.press('Escape')

  const news = row(page, 'Of somebody else')
  await expect
    .poll(() => box.evaluate((element) => element.scrollTo(0, 0)).then(() => news.isVisible()))
    .toBe(true)
  await site.call(admin, 'deleteRisk', { id })
  await news.waitFor({ state: 'detached' })
  await count(page, '90 risks').waitFor()
})

test('the keyboard is enough', async () => {
  const { admin } = await site.organization()
  for (const title of ['First', 'Second', 'Third']) await add(admin, { title })
  const page = await site.open('/risks', { as: admin })
  await row(page, 'First').waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await page.keyboard.press('j')
  await expect.poll(focused).toBe('Third')
  await page.keyboard.press('j')
  await expect.poll(focused).toBe('Second')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('k')
  await expect.poll(focused).toBe('Third')
  await page.keyboard.press('Escape')
  await page.getByText('1 selected').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('sec')
  await count(page, '1 risk').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await count(page, '3 risks').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Add a risk' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Add a risk' }).waitFor({ state: 'detached' })

  const palette = page.getByRole('combobox', { name: 'Search pages, records and actions' })
  await page.keyboard.press('Control+k')
  await expect.poll(() => palette.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.type('contr')
  await page.getByRole('option', { name: /^Controls/ }).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Controls').waitFor()
  await page.keyboard.press('Control+k')
  await palette.fill('Seco')
  await page.getByRole('option', { name: /Second/ }).click()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/risks\/risk_/)
})

test('the file holds every row of the view, and nothing in it runs', async () => {
  const { admin } = await site.organization()
  await fill(admin, 450)
  await add(admin, { title: '=HYPERLINK("http://evil.example")', category: 'legal' })
  const page = await site.open('/risks', { as: admin })
  await count(page, '451 risks').waitFor()
  await button(page, 'Export and import').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^risks-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(452)
  expect(lines[0]).toMatch(/^\uFEFF"Reference","Title",/)
  expect(lines.filter((line) => line.includes(`,"'=HYPERLINK(""http://evil.example"")",`))).toHaveLength(1)
})

test('what a cell begins with cannot make it a formula', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
    expect(csvRow([`${sign}1`])).toBe(`"'${sign}1"\r\n`)
  expect(csvRow(["'=1", "'s"])).toBe(`"''=1","'s"\r\n`)
  expect(csvRow([-1, null, 'a,b', 'say "so"'])).toBe(`-1,,"a,b","say ""so"""\r\n`)
})

test('the columns that were chosen are kept in this browser', async () => {
  const { admin } = await site.organization()
  await add(admin, { title: 'Any' })
  const page = await site.open('/risks', { as: admin })
  await button(page, 'Columns').click()
  await page.getByLabel('Treatment strategy').check()
  await page.getByLabel('Category').uncheck()
  await page.reload()
  await page.getByRole('columnheader', { name: 'Treatment strategy' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Category' }).count()).toBe(0)
})
