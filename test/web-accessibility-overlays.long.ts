import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from './support/browser/faults-of-screens.ts'
import { type FullSite, startFullSite } from './support/browser/full-site.ts'
import { SCREENS } from './support/browser/screens.ts'

/*
 * Every page with what opens over it, menus, dialogs and forms: axe finds nothing in it, light or dark, and no part
 * of it is wider than a telephone.
 */

const SLOWLY = { timeout: 300_000 }

let given: FullSite
beforeAll(async () => {
  given = await startFullSite()
})
afterAll(() => given?.close())

test('with what opens over it', SLOWLY, async () => {
  const views = Object.entries(SCREENS).flatMap(([name, screen]) =>
    Object.entries(screen.over ?? {}).map(([what, act]) => ({ name: `${name}, ${what}`, screen, act })),
  )
  expect(await faultsOf(given, given.full.admin, views)).toEqual([])
})
