import type { TestPage } from '../browser.ts'

/** Nothing is answered until it is released, but who one is. */
export async function holdAnswers(page: TestPage, which = '**/web/*') {
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
