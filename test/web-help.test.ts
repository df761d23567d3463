import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Help is one click away for everybody, and takes nobody away from what they do. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test.each(['admin', 'viewer'] as const)(
  'the frame and the palette lead the %s to the documentation',
  async (role) => {
    const page = await site.open('/', { as: await (await site.organization()).person(role) })
    const help = page.getByRole('link', { name: 'Help' })
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize(viewport)
      const [docs] = await Promise.all([page.context().waitForEvent('page'), help.click()])
      await docs.getByRole('heading', { level: 1 }).waitFor()
      expect(new URL(docs.url()).pathname).toBe('/docs')
      await docs.close()
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('help')
    await page.getByRole('option', { name: /^Help/ }).waitFor()
    const [docs] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
    await docs.waitForURL('**/docs')
    expect(new URL(page.url()).pathname).toBe('/')
  },
)
