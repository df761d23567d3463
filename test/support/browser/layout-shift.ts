import type { TestPage } from '../browser.ts'

/** Beyond this a layout shift needs improvement (web.dev/cls). */
const AT_MOST = 0.1

/**
 * Whether what was drawn moved more than a reader bears without having done anything.
 * @param since milliseconds of the page's own clock
 */
export async function shiftFault(page: TestPage, since = 0): Promise<string[]> {
  const { sum, moved } = await page.evaluate<{ sum: number; moved: string[] }>(shifts(since))
  return sum > AT_MOST ? [`it moves by ${sum.toFixed(3)}: ${moved.join(', ')}`] : []
}

const shifts = (since: number) => `new Promise((resolve) => {
  const all = []
  const take = (entries) => all.push(...entries.filter((one) => !one.hadRecentInput && one.startTime >= ${since}))
  const told = ({ value, sources }) => value.toFixed(3) + ' ' + (sources[0]?.node?.textContent ?? '').slice(0, 40)
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => {
    take(observer.takeRecords())
    resolve({ sum: all.reduce((sum, { value }) => sum + value, 0), moved: all.map(told) })
  }))
})`
