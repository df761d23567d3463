import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import { beginSession } from '../../server/identity/sessions.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { findChromium } from './browser/chromium.ts'
import { lend, SHARING } from './browser/contexts.ts'
import type { Complaint } from './browser/watch.ts'
import type { Door } from './door.ts'
import { freePort } from './free-port.ts'
import { startTestService, type TestService } from './service.ts'

/*
 * Tests that look at the web app as a person does:
 *
 *   const site = await startSite()              // in beforeAll; site.close() in afterAll
 *   const page = await site.open('/sign-in')    // in a test; it is closed with the test
 *   await page.getByLabel('E-mail').fill('ada@example.com')
 *
 * A page that breaks its own policy, logs an error, or asks another host for anything fails its test.
 */

export interface Site extends TestService {
  readonly door: Door
  /** Where the service is, as the browser knows it: PUBLIC_URL. */
  readonly url: string
  readonly browser: Browser
  open(path: string, options?: Opening): Promise<TestPage>
}

export interface Opening extends BrowserContextOptions {
  /** Signed in already, as this person. */
  as?: Caller
  /** Complaints that belong to the test. */
  expected?: RegExp[]
  /** Its time can be moved (`later`). */
  movable?: true
}

export interface TestPage extends Page {
  /** What the page has done wrong by now. */
  readonly complaints: readonly Complaint[]
  /** Goes to a path as a link of the app does, which costs a fraction of loading it all again. */
  visit(path: string): Promise<void>
  /** Taken where PICTURES names a folder for them: a screen that nobody looks at is not drawn whole. */
  picture(name: string): Promise<void>
}

/** Ports of sites that have closed. The next takes one again: a browser keeps the scripts of an address it knows. */
const free: number[] = []

/**
 * @param environment settings beside the tests' own
 * @param further operations of the test's own, beside those of the list
 */
export async function startSite(
  environment: Record<string, string> = {},
  further: readonly AnyOperation[] = [],
): Promise<Site> {
  const port = free.pop() ?? (await freePort())
  const url = `http://localhost:${port}`
  const [service, browser] = await Promise.all([
    startTestService({ PORT: String(port), PUBLIC_URL: url, ...environment }, further),
    startBrowser(),
  ])
  const door = await service.listen()
  return {
    ...service,
    door,
    url,
    browser,
    open: (path, options = {}) => openPage(browser, door, new URL(path, url), options),
    close: async () => {
      await service.close()
      free.push(port)
    },
  }
}

let running: Promise<Browser> | undefined

/** The browser of this worker, for all its files; it ends with the worker. */
export async function startBrowser(): Promise<Browser> {
  if (running && !(await running).isConnected()) running = undefined
  running ??= launch()
  return running
}

async function launch(): Promise<Browser> {
  return chromium.launch({
    ...(await findChromium()),
    // Tests run as root in containers, where there is no sandbox to be had; they open pages of ours only.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--disable-background-networking',
      SHARING,
    ],
  })
}

/** For a test that has a service of its own; others open pages of their site. */
export async function openPage(
  browser: Browser,
  door: Door,
  url: URL,
  options: Opening = {},
): Promise<TestPage> {
  const { as, expected = [], movable, viewport, ...settings } = options
  const lent = await lend(browser, url.origin, settings, movable)
  const { context, complaints } = lent
  if (as) await context.addCookies([await cookieOf(door, as, url.origin)])
  const page = await context.newPage()
  onTestFinished(async () => {
    const unexpected = (await lent.giveBack()).filter((one) => !expected.some((pattern) => pattern.test(one)))
    if (unexpected.length > 0) throw new Error(`The page did wrong:\n${unexpected.join('\n')}`)
  })
  // Of the page alone: a context serves those of any size.
  if (viewport) await page.setViewportSize(viewport)
  await page.goto(url.href)
  return Object.assign(page, {
    complaints,
    visit: (path: string) => page.evaluate<void>(`history.pushState(null, '', ${JSON.stringify(path)})`),
    picture: async (name: string) => {
      const folder = process.env.PICTURES
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    },
  })
}

/** The cookie of a new session of this person. */
export async function cookieOf(door: Door, { accountId, organizationId }: Caller, url: string) {
  const requestContext = { channel: 'ui', requestId: 'test', ip: '127.0.0.1' } as const
  const value = await beginSession(door.service, requestContext, {
    accountId,
    organizationId,
    method: 'password',
  })
  return { name: 'plumbline', value, url, httpOnly: true, sameSite: 'Lax' as const }
}
