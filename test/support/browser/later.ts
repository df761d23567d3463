import type { Locator } from 'playwright-core'
import { until } from '../until.ts'

const STEP = 1_000

/**
 * Moves the time of a page until this is there, or gone: what it asks every few seconds it asks now, and it tries
 * again without a pause. For pages that are opened with `movable`.
 */
export async function later(what: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<void> {
  const page = what.page()
  await until(async () => {
    if ((await what.isVisible()) === (state === 'visible')) return true
    await page.clock.fastForward(STEP)
    // What was asked by then is answered before more time is gone.
    await page.waitForTimeout(50)
    return false
  }, `${what}, ${state},`)
}
