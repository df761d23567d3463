import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from './support/browser/faults-of-screens.ts'
import { type Given, SCREENS } from './support/browser/screens.ts'
import { type Site, startSite } from './support/browser.ts'
import { type FullOrganization, fillOrganization } from './support/full-organization.ts'
import { loopbackSettings } from './support/webhooks.ts'

/*
 * Every page with what opens over it, menus, dialogs and forms: axe finds nothing in it, light or dark, and no part
 * of it is wider than a telephone.
 */

const SLOWLY = { timeout: 300_000 }

let site: Site
let full: FullOrganization
let given: Given
let remove: () => void
beforeAll(async () => {
  const loopback = await loopbackSettings()
  remove = loopback.remove
  site = await startSite(loopback.settings)
  await site.service.webhooks.start()
  full = await fillOrganization(site)
  given = { site, full }
})
afterAll(async () => {
  await full?.close()
  await site?.close()
  remove?.()
})

test('with what opens over it', SLOWLY, async () => {
  const views = Object.entries(SCREENS).flatMap(([name, screen]) =>
    Object.entries(screen.over ?? {}).map(([what, act]) => ({ name: `${name}, ${what}`, screen, act })),
  )
  expect(await faultsOf(site, given, full.admin, views)).toEqual([])
})
