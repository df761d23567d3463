import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../kinds/index.ts'
import type { Caller } from '../server/access/caller.ts'
import { PAGES } from '../server/doors/web-app/pages.ts'
import { barriersOf, colourBarriersOf, OVERLAY, widthBeyondScreen } from './support/browser/axe.ts'
import { type Given, SCREENS, type Screen } from './support/browser/screens.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { type FullOrganization, fillOrganization } from './support/full-organization.ts'
import { loopbackSettings } from './support/webhooks.ts'

/*
 * Every page, with all that it can show, with nothing and without an answer, and with what opens over it: axe
 * finds nothing in it, light or dark, and no part of it is wider than a telephone.
 */

const AT_ONCE = 3
const SLOWLY = { timeout: 300_000 }
const DESK = { width: 1280, height: 800 }
const TELEPHONE = { width: 360, height: 740 }

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
  expect(await faultsOf(full.admin, pages())).toEqual([])
})

test('with what opens over it', SLOWLY, async () => {
  const views = Object.entries(SCREENS).flatMap(([name, screen]) =>
    Object.entries(screen.over ?? {}).map(([what, act]) => ({ name: `${name}, ${what}`, screen, act })),
  )
  expect(await faultsOf(full.admin, views)).toEqual([])
})

test('with nothing to show', SLOWLY, async () => {
  const { admin } = await site.organization()
  const views = pages().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(admin, views)).toEqual([])
})

test('where the service has no answer', SLOWLY, async () => {
  const views = pages().filter(({ screen }) => !screen.isOpen)
  expect(await faultsOf(full.admin, views, breakAnswers)).toEqual([])
})

interface View {
  name: string
  screen: Screen
  act?: NonNullable<Screen['over']>[string]
}

const pages = (): View[] => Object.entries(SCREENS).map(([name, screen]) => ({ name, screen }))

/** What is wrong with them, several looked at at once. */
async function faultsOf(
  as: Caller,
  views: View[],
  prepare: (page: TestPage) => Promise<unknown> = async () => {},
) {
  const left = [...views]
  const found: string[] = []
  const worker = async () => {
    const options = { baseURL: site.url, viewport: DESK, expected: [/status of 500/] }
    const opened = {
      open: await site.open('/docs', options),
      inside: await site.open('/docs', { ...options, as }),
    }
    for (const page of Object.values(opened)) {
      page.on('dialog', (asked) => void asked.accept())
      await prepare(page)
    }
    for (let view = left.shift(); view; view = left.shift())
      found.push(...(await faultsIn(opened[view.screen.isOpen ? 'open' : 'inside'], view)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

async function faultsIn(page: TestPage, { name, screen, act }: View): Promise<string[]> {
  try {
    await page.goto('about:blank')
    await page.goto(await screen.path(given))
    await settled(page)
    await act?.(page, given)
    await settled(page)
    const found = await barriersOf(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    // The page beneath is looked at by itself.
    const dark = await colourBarriersOf(page, act && OVERLAY)
    found.push(...dark.map((one) => `dark ${one}`))
    await page.setViewportSize(TELEPHONE)
    found.push(...(await widthBeyondScreen(page)))
    return found.map((one) => `${name}: ${one}`)
  } catch (error) {
    return [`${name}: ${error}`]
  } finally {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(DESK)
  }
}

/** It has a heading, and no part of it is on its way. */
async function settled(page: TestPage): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}

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
