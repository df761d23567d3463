import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../kinds/index.ts'
import { PAGES } from '../server/doors/web-app/pages.ts'
import { everyPage, faultsOf } from './support/browser/faults-of-screens.ts'
import { type FullSite, startFullSite } from './support/browser/full-site.ts'
import { SCREENS } from './support/browser/screens.ts'
import type { TestPage } from './support/browser.ts'

/*
 * Every page, with all that it can show, with nothing and without an answer: axe finds nothing in it, light or
 * dark, and no part of it is wider than a telephone. What opens over them is looked at among the long tests.
 */

let given: FullSite
beforeAll(async () => {
  given = await startFullSite()
})
afterAll(() => given?.close())

test('no page is left out', () => {
  const kinds = everyKind.flatMap(({ name, plural }) => [`register of ${plural}`, `record of a ${name}`])
  expect(Object.keys(SCREENS).sort()).toEqual([...Object.keys(PAGES), ...kinds].sort())
})

test('with all that it can show', async () => {
  expect(await faultsOf(given, given.full.admin, everyPage())).toEqual([])
})

test('with nothing to show', async () => {
  const { admin } = await given.site.organization()
  const views = everyPage().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(given, admin, views)).toEqual([])
})

test('where the service has no answer', async () => {
  const views = everyPage().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(given, given.full.admin, views, breakAnswers)).toEqual([])
})

test('while an answer is on its way, a page shows its shape, and little moves when it comes', async () => {
  const faults: string[] = []
  const page = await given.site.open('/organizations', { as: given.full.admin })
  for (const { name, screen } of everyPage()) {
    if (screen.isOpen || screen.byAddress) continue
    const path = await screen.path(given)
    const answers = await holdAnswers(page)
    await page.goto('about:blank')
    await page.goto(new URL(path, given.site.url).href)
    const shape = page.locator('main').getByLabel('Loading', { exact: true })
    await page.getByRole('heading', { level: 1 }).or(shape).first().waitFor()
    const height = await page.evaluate<number>(FILLED)
    if (height < 100) faults.push(`${name} is blank, ${height} px`)
    await answers.release()
    await shape.first().waitFor({ state: 'detached' })
    const moved = await page.evaluate<number>(MOVED)
    if (moved > MOVED_AT_MOST) faults.push(`${name} moves by ${moved}`)
  }
  expect(faults).toEqual([])
})

test('a page is not blank while the app asks who one is', async () => {
  const page = await given.site.open('/organizations', { as: given.full.admin })
  const answers = await holdAnswers(page, '**/web/getSession')
  await page.goto(`${given.site.url}/risks`)
  await page.getByLabel('Loading', { exact: true }).waitFor()
  await answers.release()
  await page.getByRole('heading', { level: 1, name: 'Risk register' }).waitFor()
})

/** How far down the page there is something in it. */
const FILLED = `Math.max(0, ...[...document.querySelectorAll('main *')]
  .filter((one) => one.children.length === 0 && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.getBoundingClientRect().bottom - document.querySelector('main').getBoundingClientRect().top))`

/** Beyond this a layout shift counts as poor (web.dev/cls); the overview and an endpoint come to 0.2. */
const MOVED_AT_MOST = 0.25

/** Of what was drawn, how much moved without anybody having done anything (web.dev/cls). */
const MOVED = `new Promise((resolve) => {
  let sum = 0
  const take = (entries) => entries.forEach((one) => { if (!one.hadRecentInput) sum += one.value })
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => { take(observer.takeRecords()); resolve(sum) }))
})`

/** Nothing is answered until it is released, but who one is. */
async function holdAnswers(page: TestPage, which = '**/web/*') {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(which, async (route) => {
    if (which.endsWith('*') && route.request().url().endsWith('/getSession')) return route.continue()
    await promise
    return route.continue().catch(() => {})
  })
  return {
    release: async () => {
      resolve()
      await page.unroute(which)
    },
  }
}

/** Everything is a fault of the service but who one is. */
const breakAnswers = (page: TestPage) =>
  page.route('**/web/*', (route) =>
    route.request().url().endsWith('/getSession')
      ? route.continue()
      : route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            title: 'Internal error',
            status: 500,
            code: 'internal',
            detail: 'Something went wrong on our side.',
            requestId: 'req_test',
            errors: [],
          }),
        }),
  )
