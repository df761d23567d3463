import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../test/support/browser/chromium.ts'
import type { Stand } from './stand.ts'

/** @returns null where no browser starts, which is said */
export async function startBrowser(stand: Stand, row: string): Promise<Browser | null> {
  try {
    return await chromium.launch({
      ...(await findChromium()),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
    })
  } catch (error) {
    stand.say(`${row}: skipped, no browser starts here: ${(error as Error).message.split('\n')[0]}`)
    return null
  }
}
