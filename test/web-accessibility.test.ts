import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../kinds/index.ts'
import { PAGES } from '../server/doors/web-app/pages.ts'
import { everyPage, faultsOf } from './support/browser/faults-of-screens.ts'
import { type Given, SCREENS } from './support/browser/screens.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { type FullOrganization, fillOrganization } from './support/full-organization.ts'
import { loopbackSettings } from './support/webhooks.ts'

/*
 * Every page, with all that it can show, with nothing and without an answer: axe finds nothing in it, light or
 * dark, and no part of it is wider than a telephone. What opens over them is looked at among the long tests.
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

test('no page is left out', () => {
  const kinds = everyKind.flatMap(({ name, plural }) => [`register of ${plural}`, `record of a ${name}`])
  expect(Object.keys(SCREENS).sort()).toEqual([...Object.keys(PAGES), ...kinds].sort())
})

test('with all that it can show', SLOWLY, async () => {
  expect(await faultsOf(site, given, full.admin, everyPage())).toEqual([])
})

test('with nothing to show', SLOWLY, async () => {
  const { admin } = await site.organization()
  const views = everyPage().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(site, given, admin, views)).toEqual([])
})

test('where the service has no answer', SLOWLY, async () => {
  const views = everyPage().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(site, given, full.admin, views, breakAnswers)).toEqual([])
})

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
