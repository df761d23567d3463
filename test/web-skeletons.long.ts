import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyPage } from './support/browser/faults-of-screens.ts'
import { type FullSite, startFullSite } from './support/browser/full-site.ts'
import { holdAnswers } from './support/browser/hold-answers.ts'

/* Every page while its data is on the way: it is not blank, and little of it moves when the data comes. */

let given: FullSite
beforeAll(async () => {
  given = await startFullSite()
})
afterAll(() => given?.close())

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
