import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* What a record is linked with stands beside it, and is linked and unlinked there by who may. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

interface Made {
  id: string
  reference: string
}

const make = async (by: Caller, operation: string, input: object): Promise<Made> =>
  (await site.call(by, operation, input)).body

async function openRisk(options: { linked?: number; role?: 'viewer' | 'editor'; title?: string } = {}) {
  const { linked = 0, role = 'editor', title = 'Patched within a week' } = options
  const { admin, person } = await site.organization()
  const by = await person(role)
  const risk = await make(admin, 'createRisk', {
    title: 'Unpatched gateway',
    likelihood: 'likely',
    impact: 'major',
  })
  const other = await make(admin, 'createControl', { code: 'B', title: 'Scanned nightly', riskLevel: 'high' })
  const control = await make(admin, 'createControl', { code: 'A', title })
  const link = (targetId: string, role?: string) =>
    site.call(admin, 'linkRisk', { id: risk.id, targetKind: 'control', targetId, ...(role ? { role } : {}) })
  if (linked > 0) await link(control.id)
  for (let n = 1; n < linked; n++)
    await link((await make(admin, 'createControl', { code: `N${n}`, title: `Control ${n}` })).id)
  const page = await site.open(`/risks/${risk.id}`, { as: by, viewport: { width: 1280, height: 900 } })
  await page.getByRole('heading', { level: 1, name: 'Unpatched gateway' }).waitFor()
  const kept = () =>
    expect.poll(async () => {
      const { body } = await site.call(admin, 'listRiskLinks', { id: risk.id })
      const { data } = body as { data: { reference: string; role: string }[] }
      return data.map((row) => `${row.reference} ${row.role}`)
    })
  return { admin, by, person, risk, control, other, link, page, kept }
}

const links = (page: TestPage) => page.getByRole('region', { name: 'Controls' })
const rows = (page: TestPage) => links(page).getByRole('listitem')

test('a control is found and linked, its role changed, unlinked, and linked again by undoing that', async () => {
  const { page, control, other, kept } = await openRisk()
  await links(page).getByText('None yet').waitFor()
  await page.getByRole('button', { name: 'Link a control' }).click()
  await page.getByRole('menuitem', { name: /^Planned/ }).click()
  await page.getByPlaceholder('Search controls').fill('patched')
  await page.getByRole('option', { name: /Patched within a week/ }).click()
  await rows(page)
    .getByRole('link', { name: `${control.reference} Patched within a week` })
    .waitFor()
  await rows(page).getByText('Not started').waitFor()
  await kept().toEqual([`${control.reference} planned`])

  await page.getByRole('button', { name: 'Link a control' }).click()
  await page.getByRole('menuitem', { name: /^Existing/ }).click()
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('option').allTextContents(), 'what is linked is not offered').toEqual([
    `Scanned nightly${other.reference}`,
  ])
  await page.getByRole('option').click()
  await rows(page).filter({ hasText: 'Scanned nightly' }).getByText('High').waitFor()
  await kept().toEqual([`${other.reference} existing`, `${control.reference} planned`])

  await page.getByRole('button', { name: `Planned: change the role of ${control.reference}` }).click()
  await page.getByRole('menuitem', { name: /^Existing/ }).click()
  await page.getByRole('button', { name: `Existing: change the role of ${control.reference}` }).waitFor()
  await kept().toEqual([`${other.reference} existing`, `${control.reference} existing`])

  await page.getByRole('button', { name: `Unlink control ${control.reference}` }).click()
  await links(page).getByText(`${control.reference} is unlinked.`).waitFor()
  await kept().toEqual([`${other.reference} existing`])
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows(page).filter({ hasText: 'Patched within a week' }).waitFor()
  await kept().toEqual([`${control.reference} existing`, `${other.reference} existing`])
})

test('a link is seen before it is confirmed, and taken back with the reason where it is refused', async () => {
  const { page, admin, control, kept } = await openRisk({ linked: 1 })
  await rows(page).filter({ hasText: control.reference }).waitFor()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/web/linkRisk', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Link a control' }).click()
  await page.getByRole('menuitem', { name: /^Planned/ }).click()
  await page.getByRole('option', { name: /Scanned nightly/ }).click()
  await rows(page).filter({ hasText: 'Scanned nightly' }).waitFor()
  const { body } = await site.call(admin, 'listControls', { q: 'Scanned' })
  await site.call(admin, 'deleteControl', { id: (body as { data: Made[] }).data[0]!.id })
  answer()
  await links(page).getByRole('alert').getByText('No such record in this organization').waitFor()
  await rows(page).filter({ hasText: 'Scanned nightly' }).waitFor({ state: 'detached' })
  await rows(page).filter({ hasText: control.reference }).waitFor()
  await kept().toEqual([`${control.reference} existing`])
})

test('the page of the control reads them, with the level they suggest, and both histories tell of it', async () => {
  const { page, risk, control, link, by } = await openRisk({ linked: 1 })
  await link(control.id, 'planned')
  await page.getByRole('tab', { name: 'History' }).click()
  const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await entries.filter({ hasText: 'changed the role of a link' }).getByText('as existing → planned').waitFor()
  await entries.filter({ hasText: 'linked it' }).getByText('as existing', { exact: true }).waitFor()

  await rows(page)
    .getByRole('link', { name: /Patched within a week/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Patched within a week' }).waitFor()
  const risks = page.getByRole('region', { name: 'Risks' })
  await risks.getByRole('link', { name: `${risk.reference} Unpatched gateway` }).waitFor()
  await risks.getByText('Planned').waitFor()
  expect(await risks.getByRole('button').count(), 'linked from the risk alone').toBe(0)
  const beside = page.getByRole('complementary')
  const suggested = beside.getByRole('term').filter({ hasText: 'Suggested risk level' })
  expect(await suggested.locator('xpath=following-sibling::dd[1]').textContent()).toBe('High')
  await site.call(by, 'unlinkRisk', { id: risk.id, targetKind: 'control', targetId: control.id })
  await page.getByRole('tab', { name: 'History' }).click()
  await entries
    .filter({ hasText: 'unlinked it' })
    .getByRole('link', { name: /Unpatched gateway/ })
    .waitFor()
})

test('a viewer sees what is linked and is offered no act', async () => {
  const { page } = await openRisk({ linked: 1, role: 'viewer' })
  await rows(page).getByText('Existing').waitFor()
  expect(await links(page).getByRole('button').count()).toBe(0)
})

/** Nothing of the page's own comes between the one that is found and the key. */
const ENTER_AT_THE_SIGHT_OF_ONE = `new Promise((tell) => {
  new MutationObserver((_, watching) => {
    if (document.querySelectorAll('[role="option"]').length !== 1) return
    watching.disconnect()
    const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', enter))
    tell()
  }).observe(document.body, { childList: true, subtree: true })
})`

test('with the keyboard alone, and the focus is never lost', async () => {
  const { page, control, kept } = await openRisk()
  await links(page).getByText('None yet').waitFor()
  const focused = () =>
    page.evaluate<string>(
      `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
    )
  await page.getByRole('button', { name: 'Link a control' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Planned/ }).waitFor()
  await expect.poll(focused).toMatch(/^Existing/)
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toMatch(/^Planned/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toBe('Search controls')
  const chosen = page.evaluate(ENTER_AT_THE_SIGHT_OF_ONE)
  await page.keyboard.type('patched')
  await chosen
  await kept().toEqual([`${control.reference} planned`])
  await expect.poll(focused).toBe('Link a control')
  await page.getByRole('button', { name: /^Unlink/ }).waitFor()
  for (let steps = 0; !(await focused()).startsWith('Unlink') && steps < 5; steps++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await kept().toEqual([])
  await expect.poll(focused).toBe('Undo')
  await page.keyboard.press('Enter')
  await kept().toEqual([`${control.reference} planned`])
  await expect.poll(focused).toBe('Link a control')
})

test('many are shown page by page, and all of them as a list of their register', async () => {
  const { page, control, risk } = await openRisk({ linked: 23 })
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(20)
  await links(page).getByRole('heading', { name: 'Controls 23 controls' }).waitFor()
  await links(page).getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => rows(page).count()).toBe(23)
  await page.getByRole('button', { name: `Unlink control ${control.reference}`, exact: true }).click()
  await links(page).getByRole('link', { name: '22 controls, as a list' }).click()
  await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor()
  await page.getByText('22 controls', { exact: true }).waitFor()
  await page.getByRole('button', { name: `Risk: ${risk.reference}` }).waitFor()
  await page.getByRole('button', { name: 'Remove filter: Risk' }).click()
  await page.getByText('24 controls', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Risk', exact: true }).click()
  await page.getByPlaceholder('Search risks').fill('gateway')
  await page.getByRole('option', { name: /Unpatched gateway/ }).click()
  await page.getByText('22 controls', { exact: true }).waitFor()
})

test('whatever a title looks like, it is a text, on a narrow screen and on paper too', async () => {
  const hostile = `<img src=x onerror=alert(1)>\u202E${'W'.repeat(150)}`
  const { page } = await openRisk({ linked: 1, title: hostile })
  await rows(page).getByText('<img').waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(wider)).toBe(false)
  expect(await page.locator('main img').count()).toBe(0)
  await page.emulateMedia({ media: 'print' })
  await rows(page).getByText('<img').waitFor()
  for (const name of [/^Link a/, /^Unlink/])
    expect(await links(page).getByRole('button', { name }).isVisible()).toBe(false)
})

test('what is part of what opens as a tree, and what others hang on is deleted once they are unlinked', async () => {
  const { admin, person } = await site.organization()
  const asset = (name: string, parent?: Made) =>
    make(admin, 'createAsset', { name, type: 'server', ...(parent ? { parentAssetIds: [parent.id] } : {}) })
  const room = await asset('Server room')
  const rack = await asset('Rack', room)
  const host = await asset('Host', rack)
  await asset('Database', host)
  const page = await site.open(`/assets/${rack.id}`, { as: await person('editor') })
  await page.getByRole('region', { name: 'Parents' }).getByText('Server room').waitFor()
  const parts = page.getByRole('region', { name: 'Parts' })
  const branch = parts.getByRole('button', { name: `Parts of ${host.reference}` })
  expect(await branch.getAttribute('aria-expanded')).toBe('false')
  await branch.click()
  await parts.getByRole('link', { name: /Database/ }).waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Unlinked from it:' }).getByText('1 asset').first().waitFor()
  await dialog.getByRole('button', { name: 'Unlink all and delete asset' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/assets')
  expect((await site.call(admin, 'getAsset', { id: host.id })).body).toMatchObject({ parentAssetIds: [] })
})
