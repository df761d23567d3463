import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { barriersOf, colourBarriersOf, widthBeyondScreen } from './support/browser/axe.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { sample } from './support/coverage.ts'

/* Help is one click away for everybody, takes nobody away from what they do, and is for people; programs have /docs. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const WIDE = { width: 1280, height: 720 }
const NARROW = { width: 375, height: 740 }

test.each(['admin', 'viewer'] as const)(
  'the frame and the palette lead the %s to the help for people',
  async (role) => {
    const page = await site.open('/', { as: await (await site.organization()).person(role) })
    const link = page.getByRole('link', { name: 'Help' })
    await page.setViewportSize(role === 'admin' ? NARROW : WIDE)
    const [first] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await first.waitForURL('**/help')
    await first.close()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('help')
    await page.getByRole('option', { name: /^Help/ }).waitFor()
    const [help] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
    await help.waitForURL('**/help')
    expect(new URL(page.url()).pathname).toBe('/')
    const isAdmin = role === 'admin'
    await help.getByRole('heading', { level: 2, name: 'How levels are computed' }).waitFor()
    expect(await help.getByRole('link', { name: 'Open Members' }).isVisible()).toBe(isAdmin)
    await help.getByText('Risk updated').waitFor()
    await help.getByRole('link', { name: 'API documentation' }).click()
    await help.waitForURL('**/docs')
  },
)

test('the help says what the service computes and judges by', async () => {
  const page = await site.open('/help', { as: await (await site.organization()).person('viewer') })
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
  const row = (table: string, name: string) =>
    page
      .getByRole('table', { name: table })
      .getByRole('row')
      .filter({ hasText: new RegExp(`^${name}`) })
  const cells = (table: string, name: string) => row(table, name).getByRole('cell').allInnerTexts()
  expect(await cells('Level by likelihood and impact', 'Severe')).toEqual([
    'Severe',
    'Medium',
    'High',
    'High',
    'Critical',
    'Critical',
  ])
  expect(await page.getByRole('table', { name: 'Scores' }).getByRole('cell').allInnerTexts()).toEqual([
    '1 to 4',
    '5 to 9',
    '10 to 16',
    '20 to 25',
  ])
  const kinds = new Intl.ListFormat('en-GB').format(everyKind.map(({ noun }) => noun.many))
  expect((await cells('What each role may do', 'Read')).slice(0, 2)).toEqual([
    `Read ${kinds}, and the history of each record`,
    'Yes',
  ])
  expect(await cells('What each role may do', 'Add, change')).toEqual([
    'Add, change, link and delete records',
    'No',
    'Yes',
    'Yes',
  ])
  expect(await cells('What each role may do', 'Add and delete frameworks')).toEqual([
    'Add and delete frameworks and requirements',
    'No',
    'No',
    'Yes',
  ])
  expect((await cells('States of a risk', 'In treatment')).at(1)).toMatch(/Monitored/)
})

test('? shows the keys, but not to who writes', async () => {
  const editor = await (await site.organization()).person('editor')
  await site.call(editor, 'createRisk', { title: 'Unpatched gateway' })
  const page = await site.open('/risks', { as: editor })
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('link', { name: 'Unpatched gateway' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  expect(await page.getByLabel('Search risks').inputValue()).toBe('?')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => {
      await page.keyboard.press('?')
      return dialog.isVisible()
    })
    .toBe(true)
  const keys = await dialog.locator('dd').allInnerTexts()
  expect(keys.map((held) => held.replace(/\s+/g, '-'))).toEqual(
    expect.arrayContaining(['Ctrl-K', '?', '/', 'j', 'k', 'x', 'c', 'Esc', 'Ctrl-Enter']),
  )
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

/** One of each form of page. */
const DOCS = ['/docs/receiving-webhooks', '/docs/me', '/docs/find?q=risk']

test('the documentation keeps nobody out, wide or narrow, in light and dark', async () => {
  const found: string[] = []
  const page = await site.open('/docs')
  for (const path of DOCS) {
    await page.goto(new URL(path, site.url).href)
    for (const viewport of sample([WIDE, NARROW], 1, path)) {
      await page.setViewportSize(viewport)
      const faults = [
        ...(await barriersOf(page)),
        ...(await inDark(page)),
        ...(await widthBeyondScreen(page)),
      ]
      found.push(...faults.map((fault) => `${path} at ${viewport.width}: ${fault}`))
    }
  }
  expect(found).toEqual([])
})

async function inDark(page: TestPage): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const found = await colourBarriersOf(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return found.map((fault) => `dark ${fault}`)
}

test('the documentation copies code, and finds while one types', async () => {
  const page = await site.open('/docs/risks', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy Add a risk: the call' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -X POST .*\/v1\/risks/)
  await page.keyboard.press('/')
  await page.keyboard.type('treatmentStrategy')
  // Each letter brings others: what is chosen is what has come for all of them.
  const first = page.getByRole('search').getByRole('link').first()
  await expect.poll(() => first.getAttribute('href')).toMatch(/#Risk\.treatmentStrategy$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/risks#Risk.treatmentStrategy')
  await page.getByRole('link', { name: 'Back to the app' }).click()
  await page.waitForURL('**/sign-in')
})

test('the documentation is there to read and to search without a script', async () => {
  const page = await site.open('/docs/receiving-webhooks', { javaScriptEnabled: false })
  await page.getByRole('heading', { level: 1, name: 'Receiving webhooks' }).waitFor()
  await page.getByRole('searchbox').fill('risk.updated')
  await page.getByRole('button', { name: 'Search' }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^risk\.updated/ })
    .click()
  await page.waitForURL('**/docs/receiving-webhooks#risk.updated')
})
