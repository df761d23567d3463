import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { newSomebody, PASSWORD } from './support/factors.ts'

/*
 * A day's work without a mouse, from page to page: the focus is always to be seen, and comes back to where it was
 * when what lay over the page closes. What the register and a record do by keyboard has tests of its own.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

/** What has the focus: its name, and whether it can be told from what has not. */
const FOCUSED = `(() => {
  const { activeElement: it } = document
  const named = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent
  const { outlineStyle, outlineWidth } = getComputedStyle(it)
  const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  const isPlace = it !== document.body && it.localName !== 'main'
  return { name: isPlace ? named.trim() : '', isMarked }
})()`

const focused = (page: TestPage) => page.evaluate<{ name: string; isMarked: boolean }>(FOCUSED)
const hasFocus = (page: TestPage, name: string) =>
  expect.poll(async () => (await focused(page)).name).toBe(name)

/** Presses Tab until there. */
async function tabTo(page: TestPage, name: string): Promise<void> {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab')
    const there = await focused(page)
    if (there.name !== '') expect(there).toEqual({ name: there.name, isMarked: true })
    if (there.name === name) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** By Ctrl-K, from wherever one is. */
async function goTo(page: TestPage, place: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await hasFocus(page, 'Search pages, records and actions')
  await page.keyboard.type(place)
  await page.getByRole('option', { name: place }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
}

test('from sign-in to a changed risk, a revoked key and an endpoint', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/sign-in')
  await hasFocus(page, 'E-mail')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await tabTo(page, 'Add a risk')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Title *')
  await page.keyboard.type('Unpatched gateway')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Unpatched gateway' }).waitFor()
  await page.keyboard.press('j')
  await hasFocus(page, 'Unpatched gateway')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Edit title')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' at the edge')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Unpatched gateway at the edge' }).waitFor()

  await goTo(page, 'API keys')
  await tabTo(page, 'Create key')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Name')
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Create key')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Name')
  await page.keyboard.type('first program')
  await tabTo(page, 'read:risks')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await hasFocus(page, 'Copy API key')
  await tabTo(page, 'I have saved it')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Create key')
  await tabTo(page, 'Revoke first program')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Cancel')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Revoke first program')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Cancel')
  await tabTo(page, 'Revoke key')
  await page.keyboard.press('Enter')
  await page.getByRole('row').getByText('Revoked', { exact: true }).waitFor()
  // The button is gone with the key: on from the content, not from the top of the page.
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('main')
  await tabTo(page, 'Create key')

  await goTo(page, 'Webhooks')
  await tabTo(page, 'Add endpoint')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Address')
  await page.keyboard.type('https://hooks.example.com/plumbline')
  await tabTo(page, 'All of Risk')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await hasFocus(page, 'Copy Secret')
  await tabTo(page, 'I have saved it')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Add endpoint')
  await page.getByRole('link', { name: 'https://hooks.example.com/plumbline' }).waitFor()
})
