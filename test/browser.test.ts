import { access } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from './support/browser/chromium.ts'
import { watch } from './support/browser/watch.ts'
import { type Site, startSite } from './support/browser.ts'

/* The tests' own browser: it comes with the packages, and it tells on bad pages. */

const isForHere = process.platform === 'linux' && process.arch === 'x64'

test.runIf(isForHere)('the browser that the packages bring runs here', async () => {
  const programs = await Promise.all([findChromium(''), findChromium('')])
  const [program] = programs
  await access(program!.executablePath)
  const browser = await chromium.launch({ ...program!, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>It runs</h1><p style="font: 40px sans-serif"><span>wide</span></p>')
    expect(await page.getByRole('heading').textContent()).toBe('It runs')
    const { width } = (await page.locator('span').boundingBox())!
    expect(width, 'there is a font').toBeGreaterThan(20)
  } finally {
    await browser.close()
  }
})

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('a page that breaks its policy, throws, or asks others is told on', async () => {
  const context = await site.browser.newContext()
  const complaints = await watch(context, site.url)
  const page = await context.newPage()
  await page.goto(`${site.url}/sign-in`)
  await page.evaluate(`setTimeout(() => { fetch('https://elsewhere.example.com/').catch(() => {}) })`)
  await page.evaluate(`setTimeout(() => { throw new Error('a fault') })`)
  await page.evaluate(`console.error('an error')`)
  await expect.poll(() => complaints.join('\n')).toMatch(/the policy stopped connect-src/)
  await expect.poll(() => complaints.join('\n')).toMatch(/threw: Error: a fault/)
  await expect.poll(() => complaints.join('\n')).toMatch(/logged: an error/)
  await context.close()
})
