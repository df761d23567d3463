import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { PAGES } from '../model/pages.ts'
import { everyPage, faultsOf } from './support/browser/faults-of-screens.ts'
import { type FullSite, startFullSite } from './support/browser/full-site.ts'
import { holdAnswers } from './support/browser/hold-answers.ts'
import { shiftFault } from './support/browser/layout-shift.ts'
import { SCREENS } from './support/browser/screens.ts'
import type { TestPage } from './support/browser.ts'
import { sample } from './support/coverage.ts'

/*
 * Every page, with all that it can show, with nothing and without an answer: axe finds nothing in it, light, dark
 * or narrow, no part of it is wider than a telephone, and it is neither blank nor moves while its answers come.
 * What opens over them is looked at among the long tests.
 */

let given: FullSite
beforeAll(async () => {
  given = await startFullSite()
})
afterAll(() => given?.close())

test('no page is left out', () => {
  const kinds = everyKind.flatMap(({ name, plural }) => [`register of ${plural}`, `record of a ${name}`])
  expect(Object.keys(SCREENS).sort()).toEqual([...Object.keys(PAGES), ...kinds].sort())
})

test('a page is not blank while the app asks who one is, and little moves when all has come', async () => {
  const { off } = given.full.endpoints
  const page = await given.site.open('/organizations', { as: given.full.admin })
  const answers = await holdAnswers(page, '**/web/getSession')
  for (const path of ['/', `/settings/webhooks/${off.id}`]) {
    answers.hold()
    await page.goto(`${given.site.url}${path}`)
    await page.getByLabel('Loading', { exact: true }).waitFor()
    answers.release()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    if (path === '/') await page.getByRole('alert').getByRole('link', { name: off.address }).waitFor()
    expect(await shiftFault(page)).toEqual([])
  }
})

test('with all that it can show', async () => {
  const views = everyPage('everything').map((view) => {
    // The frame is the same around all pages: a third of them is looked at with it.
    const isWhole = view.screen.isOpen || view.screen.path === SCREENS.overview!.path
    const within = isWhole ? undefined : sample(['main', 'main', undefined], 1, view.name)[0]
    return within ? { ...view, within, also: oneMore(view.name) } : view
  })
  expect(await faultsOf(given, given.full.admin, views)).toEqual([])
})

/** A fourth of the pages in dark, a fourth on a telephone, the others only in light on a desk. */
const oneMore = (name: string) =>
  sample(['dark', null, 'narrow', null] as const, 1, name).filter((look) => look !== null)

// The frame around them is the one that stands around all that can be shown.
const everyPageInside = (showing: 'nothing' | 'no answer') =>
  everyPage(showing)
    .filter(({ screen }) => !screen.isOpen)
    // Empty pages are much the same: half of them are covered.
    .filter(({ name }) => sample([true, false], 1, `${name} ${showing}`).includes(true))
    .map((view) => ({ ...view, within: 'main', also: oneMore(view.name) }))

test('with nothing to show', async () => {
  const { admin } = await given.site.organization()
  expect(await faultsOf(given, admin, everyPageInside('nothing'))).toEqual([])
})

test('where the service has no answer', async () => {
  expect(await faultsOf(given, given.full.admin, everyPageInside('no answer'), breakAnswers)).toEqual([])
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
