import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Every rule that axe has on by itself, and the size of what is pressed (WCAG 2.2 AA), which it has off. */
const RULES = { rules: { 'target-size': { enabled: true } } }
/** Of these, what another colour scheme may break. */
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

const AXE = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: { target: string[]; html: string; failureSummary: string }[]
}

/** Of what is laid out otherwise on a narrow screen; colours are the same there. */
const NARROW_RULES = { rules: { ...RULES.rules, 'color-contrast': { enabled: false } } }

/**
 * What a page keeps from people who see, hear or move otherwise, in words; empty where it is well.
 * @param within a selector; all of the page, where it finds nothing
 */
export const barriersOf = (page: Page, within?: string): Promise<string[]> =>
  violationsOf(page, RULES, within)

/** The same of a page that was looked at on a wide screen before. */
export const narrowBarriersOf = (page: Page, within?: string): Promise<string[]> =>
  violationsOf(page, NARROW_RULES, within)

/** The same of its colours alone. */
export const colourBarriersOf = (page: Page, within?: string): Promise<string[]> =>
  violationsOf(page, COLOUR_RULES, within)

async function violationsOf(page: Page, options: object, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ include: document.querySelector('${within}') ? [...document.querySelectorAll('${within}')] : [document] }, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, failureSummary }) =>
      [`${id}: ${help}`, target.join(' '), html.slice(0, 300), failureSummary].join('\n    '),
    ),
  )
}

/** What opens over a page. */
export const OVERLAY = '[role=dialog], [role=menu], .mantine-Popover-dropdown, .mantine-Combobox-dropdown'

const TRIES = 20

/**
 * How much wider than the screen the page is, in pixels, and which of its parts reach furthest out. What opens
 * over it finds its place anew when the screen changes, and is waited for.
 */
export async function widthBeyondScreen(page: Page): Promise<string[]> {
  for (let left = TRIES; ; left--) {
    const found = await page.evaluate<string[]>(BEYOND_SCREEN)
    if (found.length === 0 || left === 0) return found
    await page.waitForTimeout(50)
  }
}

const BEYOND_SCREEN = `(() => {
  const beyond = document.documentElement.scrollWidth - innerWidth
  if (beyond <= 0) return []
  const parts = [...document.body.querySelectorAll('*')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.tagName + '.' + one.className)
  return [beyond + ' px wider than the screen: ' + parts.slice(0, 5).join(', ')]
})()`
