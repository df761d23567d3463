import type { PAGES } from '../../../model/pages.ts'
import type { Caller } from '../../../server/caller/caller.ts'
import type { TestPage } from '../browser.ts'
import { isCovered, sample } from '../coverage.ts'
import { until } from '../until.ts'
import { barriersOf, colourBarriersOf, narrowBarriersOf, OVERLAY, widthBeyondScreen } from './axe.ts'
import { holdAnswers } from './hold-answers.ts'
import { shiftFault } from './layout-shift.ts'
import { type Given, SCREENS, type Screen } from './screens.ts'

/*
 * Looks at many screens of the app, each while its answers are on their way, in light, in dark and on a telephone,
 * and tells what is wrong with them.
 */

const AT_ONCE = 2
const DESK = { width: 1280, height: 800 }
const TELEPHONE = { width: 360, height: 740 }

export interface View {
  name: string
  screen: Screen
  act?: NonNullable<Screen['over']>[string]
  /** A selector of what is looked at, where the rest was looked at before; only its size and its moves are of all. */
  within?: string
  /** What it is looked at in beside light on a desk; both, where nothing is said. */
  also?: readonly ('dark' | 'narrow')[]
}

type Showing = 'everything' | 'nothing' | 'no answer'

/**
 * The pages that are opened with this content. Each page is opened with one content, half of them with everything; pages
 * of a kind only if the run covers the kind. The page with the frame is always opened with everything.
 */
export const everyPage = (showing: Showing): View[] =>
  Object.entries(SCREENS)
    .filter(([name, { kind }]) => (!kind || isCovered(kind)) && shownBy(name).includes(showing))
    .map(([name, screen]) => ({ name, screen }))

const CONTENTS = ['everything', 'nothing', 'everything', 'no answer'] as const
const shownBy = (name: string): readonly Showing[] =>
  name === FRAMED ? ['everything', ...sample(CONTENTS, 1, name)] : sample(CONTENTS, 1, name)

/** What is wrong with them, several looked at at once. */
export async function faultsOf(
  given: Given,
  as: Caller,
  views: View[],
  prepare: (page: TestPage) => Promise<unknown> = async () => {},
) {
  const left = [...views]
  const found: string[] = []
  const worker = async () => {
    const options = { baseURL: given.site.url, viewport: DESK, expected: [/status of 500/] }
    const opened = async (signedIn: { as?: Caller }) => {
      const page = await given.site.open('/healthz', { ...options, ...signedIn })
      page.on('dialog', (asked) => void asked.accept())
      await prepare(page)
      return page
    }
    const inside = await opened({ as })
    const answers = await holdAnswers(inside)
    let outside: TestPage | undefined
    for (let view = left.shift(); view; view = left.shift()) {
      if (view.screen.isOpen) outside ??= await opened({})
      const page = view.screen.isOpen ? outside! : inside
      found.push(...(await faultsIn(page, given, view, answers)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

/** Around this page the frame is looked at in dark and on a telephone too. */
const FRAMED: keyof typeof PAGES = 'overview'

async function faultsIn(
  page: TestPage,
  given: Given,
  { name, screen, act, within, also = ['dark', 'narrow'] }: View,
  answers: HeldAnswers,
): Promise<string[]> {
  const found: string[] = []
  answers.release()
  try {
    const path = await screen.path(given)
    if (act || screen.isOpen || screen.byAddress) await open(page, path)
    else found.push(...(await follow(page, path, answers)))
    await settled(page)
    await act?.(page, given)
    await settled(page)
    found.push(...(await barriersOf(page, within)))
    // The page beneath is looked at by itself, and the frame is the same around all of them.
    const looked = within ?? (screen.isOpen || name === FRAMED ? undefined : 'main')
    if (also.includes('dark')) {
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await colourBarriersOf(page, act ? OVERLAY : looked)
      found.push(...dark.map((one) => `dark ${one}`))
    }
    await page.setViewportSize(TELEPHONE)
    found.push(...(await widthBeyondScreen(page)))
    if (!act && also.includes('narrow')) found.push(...(await narrowBarriersOf(page, looked)))
    return found.map((one) => `${name}: ${one}`)
  } catch (error) {
    return [`${name}: ${error}`]
  } finally {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(DESK)
  }
}

async function open(page: TestPage, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(path)
}

/** A page that says so little that nothing on it can be on its way. */
const BETWEEN = { path: '/settings/between/two', heading: 'Page not found' }

/**
 * Goes there as the links of the app do, which costs a fraction of loading it all again. The page in between shows
 * by its heading when it is left.
 * @param answers are held until the shape of the page was there
 * @returns what moved then
 */
export async function follow(page: TestPage, path: string, answers?: HeldAnswers): Promise<string[]> {
  const between = page.getByRole('heading', { level: 1, name: BETWEEN.heading, exact: true })
  if (await page.evaluate<boolean>(IS_APP)) await page.evaluate(go(BETWEEN.path))
  else await page.goto(new URL(BETWEEN.path, page.url()).href)
  await between.waitFor()
  answers?.hold()
  const since = await page.evaluate<number>('performance.now()')
  await page.evaluate(go(path))
  await between.waitFor({ state: 'detached' })
  if (!answers) return []
  await until(async () => (await page.evaluate<number>(FILLED)) >= 100, 'the shape of the page')
  answers.release()
  await settled(page)
  return shiftFault(page, since)
}

type HeldAnswers = Awaited<ReturnType<typeof holdAnswers>>

/** How far down the page there is something in it. */
const FILLED = `Math.max(0, ...[...document.querySelectorAll('main *')]
  .filter((one) => one.children.length === 0 && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.getBoundingClientRect().bottom - document.querySelector('main').getBoundingClientRect().top))`

/** Guests have a document of their own, which leads nowhere else. */
const IS_APP = `document.getElementById('root') !== null && location.pathname !== '/guest'`
const go = (path: string) => `history.pushState(null, '', ${JSON.stringify(path)})`

/** It has a heading, and no part of it is on its way. */
async function settled(page: TestPage): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}
