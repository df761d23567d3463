import type { Locator } from 'playwright-core'
import type { TestPage } from '../browser.ts'

/** As on a busy machine: from now on, until it is loaded anew, the timers of a page run late. */
export const lateTimers = (page: TestPage): Promise<void> =>
  page.evaluate<void>(`{
    const inTime = setTimeout
    window.setTimeout = (work, ms = 0, ...given) => inTime(work, ms + 500, ...given)
  }`)

/** Of the page. */
declare const MutationObserver: new (look: () => void) => { observe: (node: object, of: object) => void }

/** @returns what is told by then of every text that it had, the one after the other */
export async function textsOf(what: Locator): Promise<() => Promise<(string | null)[]>> {
  const texts = await what.evaluateHandle((element) => {
    const texts = [element.textContent]
    const look = () => texts.at(-1) === element.textContent || texts.push(element.textContent)
    new MutationObserver(look).observe(element, { characterData: true, childList: true, subtree: true })
    return texts
  })
  return () => texts.jsonValue()
}
