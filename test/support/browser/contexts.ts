import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Complaint, watch } from './watch.ts'

/*
 * A context is a browser of somebody's own. A new one fetches and compiles the whole app before it shows anything,
 * which is most of a short test; so one that a test is done with is emptied, of pages, cookies and all that pages
 * kept, and lent to the next. What stays is what a browser keeps of files that never change under their name, and
 * one page that shows nothing: as long as one is open, the next has its process and what was compiled there.
 */

/** So that pages of one site in one context have one process. */
export const SHARING = '--process-per-site'
const NOTHING = '/healthz'

export interface Lent {
  readonly context: BrowserContext
  /** What its pages have done wrong by now. */
  readonly complaints: readonly Complaint[]
  /** @returns what they have done wrong in all */
  giveBack(): Promise<Complaint[]>
}

interface Kept {
  context: BrowserContext
  complaints: Complaint[]
  /** The page that shows nothing, once it was lent. */
  anchor?: Page
}

const idle = new WeakMap<Browser, Map<string, Kept[]>>()

/**
 * @param origin the one its pages may talk to
 * @param movable its time can be moved; that cannot be taken back, so it is lent once
 */
export async function lend(
  browser: Browser,
  origin: string,
  settings: BrowserContextOptions,
  movable = false,
): Promise<Lent> {
  const shelf = shelfOf(browser, JSON.stringify([origin, settings, movable]))
  const kept = shelf.pop() ?? (await make(browser, origin, settings))
  const { context, complaints } = kept
  if (movable) await context.clock.install()
  return {
    context,
    complaints,
    giveBack: async () => {
      if (movable) await context.close()
      else {
        await empty(kept, origin)
        shelf.push(kept)
      }
      return complaints.splice(0)
    },
  }
}

function shelfOf(browser: Browser, like: string): Kept[] {
  const shelves = idle.get(browser) ?? new Map<string, Kept[]>()
  idle.set(browser, shelves)
  const shelf = shelves.get(like) ?? []
  shelves.set(like, shelf)
  return shelf
}

async function make(browser: Browser, origin: string, settings: BrowserContextOptions): Promise<Kept> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...settings })
  context.setDefaultTimeout(60_000)
  return { context, complaints: await watch(context, origin) }
}

const KEPT_BY_PAGES = 'local_storage,indexeddb,cache_storage,service_workers,file_systems'

async function empty(kept: Kept, origin: string): Promise<void> {
  const { context } = kept
  kept.anchor ??= await open(context, origin + NOTHING)
  const { anchor } = kept
  // Pages may still write, so they go first.
  await Promise.all(context.pages().map((page) => page !== anchor && page.close()))
  const debuggerOf = await context.newCDPSession(anchor)
  await debuggerOf.send('Storage.clearDataForOrigin', { origin, storageTypes: KEPT_BY_PAGES })
  await debuggerOf.detach()
  await context.clearCookies()
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}
