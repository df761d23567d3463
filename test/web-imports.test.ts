import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { risk } from '../model/kinds/risk.ts'
import { barriersOf, colourBarriersOf, widthBeyondScreen } from './support/browser/axe.ts'
import { holdAnswers } from './support/browser/hold-answers.ts'
import { later } from './support/browser/later.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { copyRecord } from './support/copies.ts'
import { until } from './support/until.ts'

/* A register from a spreadsheet, in the app: the file, its columns, what would change, and what became of it. */

let site: Site
beforeAll(async () => {
  site = await startSite()
  await site.service.jobs.start()
})
afterAll(() => site?.close())

type Made = { id: string; [field: string]: unknown }
const send = (page: TestPage, text: string, name = 'risks.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const PICTURES = process.env.PICTURES

test('a file is chosen, its columns checked, its errors shown, and what is good is written', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/risks', { as: admin })
  await page.getByRole('link', { name: 'Import a file' }).click()
  await page.getByRole('heading', { name: 'Import risks', level: 1 }).waitFor()
  const picture = async (name: string) => {
    expect(await barriersOf(page, 'main')).toEqual([])
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
  }
  await picture('import-file')
  await send(
    page,
    'Hazard;Likelihood;Impact;Reference\nPower cut;Rare;Major;\nFlood;often;Minor;\nTheft;Likely;Severe;\n',
  )
  await page.getByRole('heading', { name: 'Check the columns' }).waitFor()
  await page.getByText('New rows need Title').waitFor()
  await picture('import-columns')
  await page.getByLabel('Import Hazard as').selectOption('Title')
  await page.getByText('New rows need Title').waitFor({ state: 'detached' })
  await button(page, 'See what would change').click()
  await page.getByRole('heading', { name: 'Check the changes' }).waitFor()
  await page.getByText('2 to add').waitFor()
  const errors = page.getByRole('table', { name: 'Rows with errors' })
  await errors.getByText('often').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download these rows to correct them').click(),
  ])
  expect(download.suggestedFilename()).toBe('risks-errors.xlsx')
  await errors.getByText(/Rare, Unlikely/).waitFor()
  const adding = page.getByRole('table', { name: 'Records to add' })
  await adding.getByText('Power cut').waitFor()
  await adding.getByText('Major').waitFor()
  await picture('import-plan')
  const { pathname, search } = new URL(page.url())
  const narrow = await site.open(pathname + search, {
    as: admin,
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await narrow.getByRole('heading', { name: 'Check the changes' }).waitFor()
  await narrow.getByText('often').first().waitFor()
  expect(await colourBarriersOf(narrow, 'main')).toEqual([])
  expect(await widthBeyondScreen(narrow)).toEqual([])
  if (PICTURES) await narrow.screenshot({ path: `${PICTURES}/import-plan-narrow.png`, fullPage: true })
  // Where it stands is in the address.
  await page.reload()
  await page.getByLabel('Import “often” as').selectOption('Likely')
  await button(page, 'Update preview').click()
  await page.getByText('3 to add').waitFor()
  // What is taken for another word stays told, and can be said anew or forgotten.
  const translated = page.getByRole('table', { name: 'Matched values' })
  await translated.getByText('often').waitFor()
  expect(await page.getByLabel('Import “often” as').inputValue()).toBe('likely')
  await picture('import-translated')
  await page.getByLabel('Import “often” as').selectOption('Remove the match')
  await button(page, 'Update preview').click()
  await page.getByText('1 row with errors').waitFor()
  await page.getByLabel('Import “often” as').selectOption('Likely')
  await button(page, 'Update preview').click()
  await page.getByText('3 to add').waitFor()
  await button(page, 'Import all 3').click()
  await page.getByText('3 added').waitFor()
  await picture('import-done')
  await page.getByRole('link', { name: 'Show risks' }).click()
  await page.getByRole('link', { name: 'Power cut' }).waitFor()

  // What would change is shown before and after, in a file that was taken out and comes back.
  const { body } = await site.call(admin, 'listRisks', { q: 'Power cut' })
  const [{ reference, updatedAt }] = (body as { data: Made[] }).data as [Made]
  await page.visit('/import/risks')
  await send(page, `Reference,Title,Likelihood,Updated\n${reference},Power cut,Likely,${updatedAt}\n`)
  await page.getByRole('heading', { name: 'Check the columns' }).waitFor()
  await button(page, 'See what would change').click()
  const changing = page.getByRole('table', { name: 'Records to change' })
  await changing.getByText(`${reference} Power cut`).waitFor()
  await changing.getByText('Rare').waitFor()
  await changing.getByText('Likely').waitFor()
  await picture('import-changes')

  // Both are found again where the next begins: the one that was left as a plan, and the other, few as its rows are.
  await page.visit('/import/risks')
  const imports = page.getByRole('table', { name: 'Imports of risks' })
  await imports
    .getByRole('row')
    .filter({ hasText: 'Finished' })
    .getByText('3 added', { exact: true })
    .waitFor()
  await imports.getByRole('row').filter({ hasText: 'Planned' }).getByText('1 to change').waitFor()
  await picture('import-again')
  await imports.getByRole('link', { name: 'Open: Import of risks.csv' }).first().click()
  await changing.getByText(`${reference} Power cut`).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    const viewport = { width: colorScheme === 'dark' ? 390 : 1280, height: 844 }
    const jobs = await site.open('/account/jobs', { as: admin, viewport, colorScheme })
    const table = jobs.getByRole('table', { name: 'Imports and changes of many records' })
    await table.getByText('3 added').waitFor()
    expect(await colourBarriersOf(jobs, 'main')).toEqual([])
    expect(await widthBeyondScreen(jobs)).toEqual([])
    if (PICTURES) await jobs.screenshot({ path: `${PICTURES}/jobs-${colorScheme}.png`, fullPage: true })
  }

  // What was said of a column is remembered, and the same file is not brought in twice by mistake.
  await page.visit('/import/risks')
  await send(page, 'Hazard,Impact\nFire,Major\n')
  await page.getByRole('heading', { name: 'Check the columns' }).waitFor()
  expect(await page.getByLabel('Import Hazard as').inputValue()).toBe('title')
})

test('what stands above the names of the columns is told as left out, and another row can be chosen', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  await send(
    page,
    'Register of May\n\nTitle,Likelihood,Impact,Colour\nFlood,rare,minor,\nFire,rare,minor,red\n',
  )
  await page.locator('[aria-current=page]', { hasText: 'Register' }).waitFor()
  await page.getByText('Row 3 is the header. Not imported above it: “Register of May”.').waitFor()
  const chosen = page.getByLabel('Header row')
  expect(await chosen.locator('option:checked').textContent()).toBe('3: Title · Likelihood · Impact · Colour')
  await chosen.selectOption('4: Flood · rare · minor')
  await page.getByText('1 row in risks.csv').waitFor()
  await page.getByLabel('Import Flood as').waitFor()
  await chosen.selectOption('3: Title · Likelihood · Impact · Colour')
  await page.getByText('2 rows in risks.csv').waitFor()
  expect(await barriersOf(page, 'main')).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-head.png`, fullPage: true })
  await button(page, 'See what would change').click()
  await page.getByText('2 to add').waitFor()
  await page.getByText('Columns not imported: Colour.').waitFor()
  await button(page, 'Leave out: row 5').click()
  await page.getByText('1 to add').waitFor()
  await page.getByText('Fire', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('1 left out').waitFor()
  await page.getByRole('table', { name: 'Rows left out' }).getByText('Fire · rare · minor · red').waitFor()
  await button(page, 'Include: row 5').click()
  await page.getByText('2 to add').waitFor()
  await button(page, 'Leave out: row 5').click()
  await page.getByText('1 left out').waitFor()
  expect(await barriersOf(page, 'main')).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-left-out.png`, fullPage: true })
})

test('a word in several columns is one question, and what was said of others is out of the way', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  await send(page, 'Title,Likelihood,Residual likelihood\nFlood,often,Often\n')
  await button(page, 'See what would change').click()
  await page.getByLabel('Import “often” as').selectOption('Likely')
  await page.getByText('Likelihood, Residual likelihood').waitFor()
  await button(page, 'Update preview').click()
  await page.getByText('1 to add').waitFor()
  const next = await site.open('/import/risks', { as: admin })
  await send(next, 'Title,Likelihood,Residual likelihood\nFire,rare,rare\n')
  await button(next, 'See what would change').click()
  await next.getByText('1 to add').waitFor()
  await button(next, 'Show 2 matches not in this file').waitFor()
  expect(await next.getByText('Matched values').count()).toBe(0)
  if (PICTURES) await next.screenshot({ path: `${PICTURES}/import-elsewhere.png`, fullPage: true })
  await button(next, 'Show 2 matches not in this file').click()
  await next.getByRole('table', { name: 'Matched values' }).waitFor()
  expect(await barriersOf(next, 'main')).toEqual([])
  if (PICTURES) await next.screenshot({ path: `${PICTURES}/import-elsewhere-open.png`, fullPage: true })
})

test('a list that is brought in once more is matched by name in one step', async () => {
  const { admin } = await site.organization()
  for (const name of ['Cloud', 'Mail']) await site.call(admin, 'createVendor', { name })
  const page = await site.open('/import/vendors', { as: admin })
  await send(page, 'Name,Category\nCloud,\nMail,\nPayroll,\n', 'vendors.csv')
  await page.getByRole('heading', { name: 'Check the columns' }).waitFor()
  await button(page, 'See what would change').click()
  await page.getByText('3 to add').waitFor()
  await page.getByText('2 rows have the names of vendors that you have').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    const { pathname, search } = new URL(page.url())
    const viewport = colorScheme === 'dark' ? { width: 390, height: 844 } : { width: 1280, height: 800 }
    const shown = await site.open(pathname + search, { as: admin, viewport, colorScheme })
    await shown.getByText('2 rows have the names').waitFor()
    expect(await colourBarriersOf(shown, 'main')).toEqual([])
    expect(await widthBeyondScreen(shown)).toEqual([])
    if (PICTURES)
      await shown.screenshot({ path: `${PICTURES}/import-namesakes-${colorScheme}.png`, fullPage: true })
  }
  await button(page, 'Match by name').click()
  await page.getByText('2 unchanged').waitFor()
  await page.getByText('1 to add').waitFor()
  expect(await barriersOf(page, 'main')).toEqual([])
})

test('a file that cannot be read says why, and a viewer has no such page', async () => {
  const { admin, person } = await site.organization()
  const page = await site.open('/import/vendors', { as: admin, expected: [/422/] })
  await send(page, '', 'empty.csv')
  await page.getByText(/empty/i).first().waitFor()
  const viewer = await site.open('/import/vendors', { as: await person('viewer') })
  await viewer.getByRole('heading', { level: 1 }).waitFor()
  expect(await viewer.locator('input[type=file]').count()).toBe(0)
})

test('what is linked from the other side says so, and what was said before stands beside its column', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/controls', { as: admin })
  const file = 'Code,Title,Category,Risks,Next test\nPHY-1,Locks,doors,RSK-1,03/04/2027\n'
  await send(page, file)
  await page
    .getByText('Left out: Risks. They are linked from the risk’s side: import risks with a column Controls.')
    .waitFor()
  expect(await page.getByText(/sets these fields itself/).count()).toBe(0)
  await button(page, 'See what would change').click()
  await page.getByLabel('Import “doors” as').selectOption('Physical')
  await button(page, 'Update preview').click()
  await page.getByText('could be one of two dates', { exact: false }).waitFor()
  await button(page, 'Change the columns').click()
  await page.getByLabel('Dates such as 03/04/2027').selectOption('Day first, as in 31/12/2027')
  await button(page, 'See what would change').click()
  await page.getByText('1 to add').waitFor()
  await page.getByText('2027-04-03').waitFor()
  await page.getByText('Columns not imported: Risks.').waitFor()
  const shapes = [
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 390, height: 844 }],
  ] as const
  for (const [colorScheme, viewport] of shapes) {
    const next = await site.open('/import/controls', { as: admin, viewport, colorScheme })
    await send(next, file)
    await next.getByText('Matched: doors → Physical (remembered)').waitFor()
    expect(await barriersOf(next, 'main')).toEqual([])
    expect(await widthBeyondScreen(next)).toEqual([])
    const picture = async (name: string) => {
      if (PICTURES) await next.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png`, fullPage: true })
    }
    await picture('import-columns-said')
    await button(next, 'See what would change').click()
    await next.getByLabel('Import “doors” as').waitFor()
    expect(await colourBarriersOf(next, 'main')).toEqual([])
    expect(await widthBeyondScreen(next)).toEqual([])
    await picture('import-plan-said')
  }
})

test('whom a name stands for, and what comes first in dates, is asked once and offered with the next file', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'createPersonnel', { fullName: 'Jane Smith', workEmail: 'jane@example.com' })
  const page = await site.open('/import/assets', { as: admin })
  const file = (...rows: string[]) => ['Name,Type,Owner,Custodian,End of support', ...rows].join('\n')
  await send(
    page,
    file(
      'Alpha,Server,J. Smith,J. Smith,03/04/2027',
      'Beta,Server,j smith,,31/12/2027',
      'Gamma,Server,,Bo Lind,',
    ),
    'assets.csv',
  )
  const dates = page.getByLabel('Dates such as 03/04/2027')
  await page.getByText('Taken from other dates in this file.').waitFor()
  expect(await dates.inputValue()).toBe('day_first')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-dates.png`, fullPage: true })
  await button(page, 'See what would change').click()
  const names = page.getByRole('table', { name: 'Names to match' })
  const row = names.getByRole('row').filter({ hasText: 'J. Smith' })
  await row.getByText('× 3').waitFor()
  expect(await names.getByRole('row').count()).toBe(3)
  await row.getByRole('button', { name: 'Import “J. Smith” as: Leave as an error' }).click()
  await page.getByRole('option', { name: /Jane Smith/ }).click()
  expect(await barriersOf(page, 'main')).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-names.png`, fullPage: true })
  await button(page, 'Update preview').click()
  await page.getByText('2 to add').waitFor()
  const translated = page.getByRole('table', { name: 'Matched values' })
  await translated.getByRole('button', { name: 'Import “J. Smith” as: Jane Smith' }).waitFor()
  const { pathname, search } = new URL(page.url())
  for (const colorScheme of ['light', 'dark'] as const) {
    const narrow = await site.open(pathname + search, {
      ...{ as: admin, viewport: { width: 390, height: 844 }, colorScheme },
    })
    await narrow.getByRole('button', { name: 'Import “J. Smith” as: Jane Smith' }).waitFor()
    expect(await colourBarriersOf(narrow, 'main')).toEqual([])
    expect(await widthBeyondScreen(narrow)).toEqual([])
    if (PICTURES)
      await narrow.screenshot({ path: `${PICTURES}/import-names-${colorScheme}.png`, fullPage: true })
  }

  // The next file has both: the name is told, the order offered as what was said.
  await page.visit('/import/assets')
  await send(page, file('Delta,Server,J. Smith,,05/06/2027'), 'more.csv')
  await page.getByText('Taken from your choice for an earlier file.').waitFor()
  await page.getByText('jsmith → Jane Smith', { exact: false }).waitFor()
  await button(page, 'See what would change').click()
  await page.getByText('1 to add').waitFor()
  await translated.getByRole('button', { name: 'Import “J. Smith” as: Jane Smith' }).click()
  await page.getByRole('option', { name: 'Remove the match' }).click()
  await button(page, 'Update preview').click()
  await page.getByText('1 row with errors').waitFor()
  await names.getByText('J. Smith').first().waitFor()
})

test('options of an earlier search cannot be chosen while its answer is under way', async () => {
  const { admin } = await site.organization()
  for (const fullName of ['Bo Lind', 'Jane Smith'])
    await site.call(admin, 'createPersonnel', { fullName, workEmail: `${fullName.slice(0, 2)}@example.com` })
  const page = await site.open('/import/assets', { as: admin })
  await send(page, 'Name,Owner\nAlpha,J. Smith\n', 'assets.csv')
  await button(page, 'See what would change').click()
  const choice = (name: string) => button(page, `Import “J. Smith” as: ${name}`)
  await choice('Leave as an error').click()
  const bo = page.getByRole('option', { name: /Bo Lind/ })
  const jane = page.getByRole('option', { name: /Jane Smith/ })
  const list = page.getByRole('listbox')
  await bo.waitFor()
  const answers = await holdAnswers(page, '**/web/listOwnershipPrincipals')
  const asking = page.waitForRequest('**/web/listOwnershipPrincipals')
  await page.keyboard.type('Jane')
  await asking
  expect(await list.getAttribute('aria-busy')).toBe('true')
  // A click would choose a person who is not in the list that is about to come.
  await bo.click({ force: true })
  expect(await bo.isVisible()).toBe(true)
  answers.release()
  await bo.waitFor({ state: 'detached' })
  expect(await list.getAttribute('aria-busy')).toBe('false')
  await jane.click()
  await choice('Jane Smith').waitFor()
  // Enter chooses the first option of the answer, also where it is pressed before that came.
  await choice('Jane Smith').click()
  await jane.waitFor()
  answers.hold()
  await page.keyboard.type('Bo')
  await page.keyboard.press('Enter')
  expect(await jane.isVisible()).toBe(true)
  answers.release()
  await choice('Bo Lind').waitFor()
  // The list stays where the page is scrolled until its button is out of sight.
  await page.setViewportSize({ width: 390, height: 500 })
  await choice('Bo Lind').click()
  await jane.waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await jane.click()
  await choice('Jane Smith').waitFor()
})

test('amounts that say no currency are in that of the organization, or another that is said of the file', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/vendors', { as: admin, viewport: { width: 390, height: 844 } })
  await send(page, 'Supplier;Country;Annual spend;Currency\nOne;Ireland;1.200,50;CHF\nTwo;DE;700;\n')
  const currency = page.getByRole('button', { name: /^Currency of amounts without one: / })
  await currency.waitFor()
  expect(await currency.textContent()).toContain('Euro')
  expect(await widthBeyondScreen(page)).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-currency.png`, fullPage: true })
  await currency.click()
  await page.keyboard.type('Swedish')
  await page.getByRole('option', { name: /Swedish Krona/ }).click()
  expect(await barriersOf(page, 'main')).toEqual([])
  await button(page, 'See what would change').click()
  const adding = page.getByRole('table', { name: 'Records to add' })
  await adding.getByText('CHF', { exact: true }).waitFor()
  await adding.getByText('SEK', { exact: true }).waitFor()
  await adding.getByText('IE', { exact: true }).waitFor()
  // It is what was said when the columns are looked at once more, and not asked where no amount comes in.
  await button(page, 'Change the columns').click()
  expect(await currency.textContent()).toContain('Swedish Krona')
  await page.getByLabel('Import Annual spend as').selectOption({ label: 'Leave out' })
  expect(await currency.count()).toBe(0)
})

test('many rows are changed by one plan and a job', async () => {
  const { admin } = await site.organization()
  for (let batch = 0; batch < 2; batch++)
    await site.call(admin, 'createRiskBatch', {
      records: Array.from({ length: 60 }, (_, at) => ({ title: `Risk ${batch * 60 + at}` })),
    })
  const bo = await site.call(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  expect((bo.body as Made).id).toBeTruthy()
  const page = await site.open('/risks', { as: admin })
  await page.getByRole('row').getByRole('link').first().waitFor()
  await page.getByLabel('Select all rows that are loaded').check()
  const all = button(page, 'Select all 120')
  await page.getByText(/^1[02]0 selected$/).waitFor()
  if (await all.count()) await all.click()
  await page.getByText('120 selected').waitFor()
  await button(page, 'Set owner').click()
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 120 risks' })
  await dialog.getByText('120 to change').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/bulk-plan.png` })
  await dialog.getByText('× 120').first().waitFor()
  await dialog.getByRole('button', { name: 'Change 120' }).click()
  await page.getByText('120 changed').waitFor()
  const { body } = await site.call(admin, 'summarizeRisks', { owned: true, counted: ['total'] })
  expect(body).toMatchObject({ total: 120 })
})

/** Begins it, and asks it to stop while its first rows wait. */
async function stopInTheMiddle(page: TestPage, begin: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: site.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table risks in share row exclusive mode')
  await begin()
  await page.getByRole('button', { name: /^Stop: / }).click()
  const question = page.getByRole('dialog', { name: /^Stop “/ })
  await question.getByRole('button', { name: 'Stop', exact: true }).click()
  await until(async () => {
    const { rows } = await site.administrator.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length === 2
  })
  await holder.end()
}

test('a change of many that is stopped says how far it came, and is taken back as far', async () => {
  const { admin } = await site.organization()
  for (let batch = 0; batch < 6; batch++)
    await site.call(admin, 'createRiskBatch', {
      records: Array.from({ length: 100 }, (_, at) => ({ title: `Risk ${batch * 100 + at}` })),
    })
  await site.call(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const page = await site.open('/risks', { as: admin })
  await page.getByRole('row').getByRole('link').first().waitFor()
  await page.getByLabel('Select all rows that are loaded').check()
  await button(page, 'Select all 600').click()
  await page.getByText('600 selected').waitFor()
  await button(page, 'Set owner').click()
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 600 risks' })
  const change = dialog.getByRole('button', { name: 'Change 600' })
  await change.waitFor()
  await stopInTheMiddle(page, () => change.click())
  await dialog.getByText(/^Stopped after [1-5]00 of 600 records$/).waitFor()
  expect(await dialog.getByText('it goes on').count()).toBe(0)
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/bulk-stopped.png` })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(/^[1-5]00 changed · [1-5]00 were not reached$/).waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/bulk-stopped-outcome.png` })
  await page.getByRole('button', { name: /^Undo [1-5]00$/ }).click()
  await page.getByText(/^[1-5]00 undone$/).waitFor()
  const { body } = await site.call(admin, 'summarizeRisks', { owned: true, counted: ['total'] })
  expect(body).toMatchObject({ total: 0 })
})

test('an import that is stopped says how much of it was written, and what can be done about the rest', async () => {
  const { admin } = await site.organization()
  const rows = Array.from({ length: 600 }, (_, at) => `Risk ${at},Rare`)
  const page = await site.open('/import/risks', { as: admin })
  await send(page, ['Title,Likelihood', ...rows, 'Wrong,often'].join('\n'))
  await button(page, 'See what would change').click()
  const begin = button(page, 'Import 600 good rows')
  await begin.waitFor()
  await stopInTheMiddle(page, () => begin.click())
  await page.getByRole('heading', { name: /^Stopped after [1-5]00 of 600 rows$/ }).waitFor()
  await page.getByText(/^[1-5]00 added$/).waitFor()
  expect(await barriersOf(page, 'main')).toEqual([])
  await button(page, 'Retry the remaining rows').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-stopped.png`, fullPage: true })
  await page.getByRole('button', { name: /^Resume: / }).click()
  await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
  await page.getByText('600 added').waitFor()
  // It is found again by its name, and opened.
  await page.visit('/account/jobs')
  await page.getByRole('link', { name: 'Open: Import of risks.csv' }).click()
  await page.getByText('600 added').waitFor()
  // As is a change of a selection, from which somebody went away while it was planned: its plan, and the way back.
  const change = { type: 'risk', filters: {}, change: { category: 'legal' } }
  const begun = await site.call(admin, 'startBulkEdit', change)
  await until(async () => {
    const { body } = await site.call(admin, 'getBulkChange', { id: (begun.body as Made).id })
    return (body as Made).stage === 'planned'
  })
  await page.visit('/account/jobs')
  await button(page, 'Open: Change of 600 risks').click()
  await button(page, 'Change 600').click()
  const done = page.getByRole('dialog')
  await done.getByText('600 changed', { exact: false }).first().waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/jobs-with-changes.png`, fullPage: true })
  await button(page, 'Undo 600').click()
  await done.getByText('600 undone').waitFor()
  await page.visit('/account/jobs')
  await page.getByText('Undo: change of 600 risks', { exact: true }).waitFor()
})

test('what a job changed is taken back, however many come before it in the list meanwhile', async () => {
  const { admin } = await site.organization()
  const records = Array.from({ length: 60 }, (_, at) => ({ title: `Risk ${at}` }))
  for (let twice = 0; twice < 2; twice++) await site.call(admin, 'createRiskBatch', { records })
  const change = { type: 'risk', filters: {}, change: { category: 'legal' } }
  const { id } = (await site.call(admin, 'startBulkEdit', change)).body as Made
  const reached = (stage: string) =>
    until(async () => ((await site.call(admin, 'getBulkChange', { id })).body as Made).stage === stage)
  await reached('planned')
  await site.call(admin, 'applyBulkChange', { id, rows: 'good' })
  await reached('applied')
  const page = await site.open('/account/jobs', { as: admin, movable: true })
  await button(page, 'Open: Change of 120 risks').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('120 changed').waitFor()
  // As many as a page of the list has.
  await site.administrator.query(
    `insert into bulk_changes (id, organization_id, kind, origin, file_name, row_count, stage, created_at, created_by,
                               created_by_user, kept_until)
     select id || at, organization_id, kind, 'file', 'another.csv', row_count, stage, created_at + interval '1 minute',
            created_by, created_by_user, kept_until
       from bulk_changes, generate_series(1, 20) at where id = $1`,
    [id],
  )
  await later(page.locator('table').getByText('Change of 120 risks', { exact: true }), 'hidden')
  await dialog.getByRole('button', { name: 'Undo 120' }).click()
  await later(dialog.getByText('120 undone'))
})

test('an import is undone, told before in counts, and what somebody has changed since stays', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  await send(page, 'Title\nFlood\nFire\nTheft\n')
  await button(page, 'See what would change').click()
  await button(page, 'Import all 3').click()
  await page.getByText('3 added').waitFor()
  const { body } = await site.call(admin, 'listRisks', { q: 'Fire' })
  await site.call(admin, 'updateRisk', { id: (body as { data: Made[] }).data[0]!.id, category: 'legal' })
  await button(page, 'Undo the import').click()
  const dialog = page.getByRole('dialog', { name: 'Undo the import of risks.csv' })
  await dialog.getByText('2 to delete').waitFor()
  await dialog.getByText(/^Somebody has changed it in the meantime/).waitFor()
  expect(await dialog.getByRole('columnheader').allTextContents()).toEqual(['Why', 'Records'])
  expect(await barriersOf(page, '[role=dialog]')).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-undo.png` })
  await dialog.getByRole('button', { name: 'Undo 2' }).click()
  await page.getByText('2 undone · 1 could not be undone').waitFor()
  await page.getByRole('table', { name: 'Not changed' }).getByText('RSK-2').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-undone.png`, fullPage: true })
  // Whoever comes back reads what is left of it.
  await page.reload()
  await page.getByText('It was undone, but for 1 row whose record somebody had touched by then.').waitFor()
  await button(page, 'Undo what is left of it').waitFor()
  const narrow = await site.open('/account/jobs', {
    ...{ as: admin, viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const },
  })
  await narrow.getByText('2 deleted').waitFor()
  await narrow.getByText('Undone', { exact: true }).waitFor()
  await narrow.getByText('1 row still stands').waitFor()
  expect(await widthBeyondScreen(narrow)).toEqual([])
  if (PICTURES) await narrow.screenshot({ path: `${PICTURES}/import-undone-jobs.png`, fullPage: true })
  await page.visit('/risks')
  await page.getByRole('link', { name: 'Fire' }).waitFor()
  expect(await page.getByRole('link', { name: 'Flood' }).count()).toBe(0)
})

test('an import that was only planned is discarded from the list, and one that wrote something is not', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  for (const [title, name] of [
    ['Flood', 'first.csv'],
    ['Fire', 'second.csv'],
  ] as const) {
    await send(page, `Title\n${title}\n`, name)
    await button(page, 'See what would change').click()
    await button(page, 'Import all 1').waitFor()
    if (name === 'second.csv') {
      await button(page, 'Import all 1').click()
      await page.getByText('1 added').waitFor()
    }
    await page.visit('/import/risks')
  }
  const list = page.getByRole('table', { name: 'Imports of risks' })
  await list.getByText('second.csv').waitFor()
  expect(await list.getByRole('button', { name: /^Discard/ }).count()).toBe(1)
  await button(page, 'Discard: Import of first.csv').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await list.getByText('first.csv').waitFor({ state: 'detached' })
  expect(await list.getByText('second.csv').count()).toBe(1)
})

test('an import that is being undone says so, and nobody is asked to undo it once more', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  await send(page, ['Title', ...Array.from({ length: 120 }, (_, at) => `Risk ${at}`)].join('\n'))
  await button(page, 'See what would change').click()
  await button(page, 'Import all 120').click()
  await page.getByText('120 added').waitFor()
  const id = new URL(page.url()).searchParams.get('id')
  const made = (reply: { body: unknown }) => reply.body as Made
  const undoing = made(await site.call(admin, 'undoBulkChange', { id })).id
  await until(async () => made(await site.call(admin, 'getBulkChange', { id: undoing })).stage === 'planned')
  const holder = new pg.Client({ connectionString: site.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table risks in share row exclusive mode')
  await site.call(admin, 'applyBulkChange', { id: undoing, rows: 'good' })
  await page.reload()
  await page.getByText(/^It is being undone/).waitFor()
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  const jobs = await site.open('/account/jobs', { as: admin })
  await jobs.getByText('Being undone').waitFor()
  await holder.end()
  await page.getByText('All of it was undone.').waitFor()
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  await later(jobs.getByText('Undone', { exact: true }))
})

test('what was written before rows were planned again is told apart from what came of them', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/import/risks', { as: admin })
  await send(page, 'Title,Likelihood\nFlood,Rare\nFire,Rare\nTheft,often\nTotal,Rare\n')
  await button(page, 'See what would change').click()
  await button(page, 'Leave out: row 5').click()
  await button(page, 'Import 2 good rows').click()
  await page.getByText('2 added').waitFor()
  await page.getByText('1 left out').waitFor()
  await button(page, 'Retry the remaining rows').click()
  await button(page, 'See what would change').click()
  await page.getByText('Written before, from this file: 2 added.').waitFor()
  await page.getByLabel('Import “often” as').selectOption({ label: 'Likely' })
  await button(page, 'Update preview').click()
  await button(page, 'Import all 1').click()
  await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
  await page.getByText('1 added', { exact: true }).waitFor()
  await page.getByText('Written before, from this file: 2 added.').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/import-rounds.png`, fullPage: true })
})

test('a long list is exported while one goes on, and the file is told of on whatever page', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createRisk', { title: 'Risk 1' })
  const changes = `jsonb_build_object('id', 'risk_' || lpad(n::text, 26, '0'), 'reference_number', n, 'title', 'Risk ' || n)`
  await copyRecord(site, risk, { id: (body as Made).id, from: 2, to: 2_100, changes })
  const page = await site.open('/risks', { as: admin })
  await page.getByText('2,100 risks', { exact: true }).waitFor()
  await button(page, 'Export and import').click()
  await page.getByText(/^More than 2,000 rows: made while you go on/).waitFor()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const notices = page.getByRole('region', { name: 'Exports' })
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await notices.getByText('Your export is ready').waitFor()
  // It outlives a reload.
  await page.reload()
  await notices.getByText('Your export is ready').waitFor()
  expect(await barriersOf(page, 'body')).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/export-ready.png` })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await widthBeyondScreen(page)).toEqual([])
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/export-ready-narrow.png` })
  const downloading = page.waitForEvent('download')
  await notices.getByRole('button', { name: /^Download risks-.*csv$/ }).click()
  const file = await (await downloading).path()
  expect(readFileSync(file, 'utf8').trim().split('\r\n')).toHaveLength(2_101)
  await notices.waitFor({ state: 'detached' })

  await page.visit('/account/jobs')
  const row = page.getByRole('row').filter({ hasText: 'Export a list: risks' })
  await row.getByRole('button', { name: /^Download risks-/ }).waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/jobs-with-export.png`, fullPage: true })
})
