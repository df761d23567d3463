import type { TestPage } from '../browser.ts'

/**
 * Nothing is answered until it is released, but who one is. The requests go through us from then on, for as long as
 * the page is open: where that ends while one is being stopped (`unroute`), its answer never comes.
 */
export async function holdAnswers(page: TestPage, which = '**/web/*') {
  let gate = Promise.withResolvers<void>()
  await page.route(which, async (route) => {
    const isOpen = which.endsWith('*') && route.request().url().endsWith('/getSession')
    if (!isOpen) await gate.promise
    // The page may have left meanwhile.
    await route.fallback().catch(() => {})
  })
  return {
    release: () => gate.resolve(),
    /** From now on again. */
    hold: () => {
      gate = Promise.withResolvers<void>()
    },
  }
}
