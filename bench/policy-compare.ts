import type { Browser } from 'playwright-core'
import { beginSession } from '../server/identity/sessions.ts'
import { policyTemplates } from '../server/policies/policy-templates.ts'
import { askAs } from './ask.ts'
import { startBrowser } from './browser.ts'
import { compare, interleave, median } from './figures.ts'
import { below, type Finding, type Row } from './row.ts'
import { makeOrganization, personOf } from './seed.ts'
import type { Stand } from './stand.ts'

export const policyCompare: Row = {
  name: 'policy-compare',
  title: 'two versions of a policy of two hundred pages, compared by word',
  notes: [
    'In a browser that has nothing of ours yet: the page shows the later version, and somebody chooses the one before. First is',
    'from that choice to what changed, with the call for that version and the code that was not loaded yet; then the same once',
    'more. The longest task is that of all of it. The yardstick is a policy of twenty pages.',
  ],
  run: measure,
}

interface Times {
  readonly first: number
  readonly again: number
  readonly longest: number
}

async function measure(stand: Stand): Promise<Finding[]> {
  const browser = await startBrowser(stand, 'policy-compare')
  if (!browser) return findingsOf([NOTHING], [NOTHING])
  stand.atEnd(() => browser.close())
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  const caller = personOf(organization)
  const ask = askAs(parts, caller)
  await ask('updateOrganization', { allowSelfApproval: true })
  /** @returns the path of a policy of so many pages, which has two versions */
  const twoVersionsOf = async (pages: number): Promise<string> => {
    const text = textOf(pages)
    const approver = { type: 'user', refId: organization.userId }
    const { id: policyId } = await ask('createPolicy', {
      name: `${pages} pages`,
      approver,
      owner: approver,
      effectiveDate: '2026-01-01',
    })
    const { id } = await ask('createPolicyVersion', { policyId, content: text })
    const { contentSha256, round } = await ask<{ contentSha256: string; round: number }>(
      'submitPolicyVersion',
      { id },
    )
    await ask('approvePolicyVersion', { id, contentSha256, round })
    await ask('publishPolicyVersion', { id })
    const changed = text.replaceAll('incident', 'event').replaceAll('yearly', 'each year')
    const next = await ask('createPolicyVersion', { policyId, content: changed })
    return `/policies/${policyId}?version=${next.id}`
  }
  const [large, small] = [await twoVersionsOf(200), await twoVersionsOf(20)]
  const session = await beginSession(
    parts,
    { channel: 'ui', requestId: 'bench', ip: '127.0.0.1' },
    { accountId: organization.accountId, organizationId: organization.id, method: 'password' },
  )
  await parts.close()
  const service = await stand.service(database, { ROLE: 'api' })
  const origin = `http://localhost:${service.port}`
  const of = (path: string) => () => once(browser, origin + path, session)
  stand.say('policy-compare: warming up')
  await of(small)()
  stand.say('policy-compare: two hundred pages against twenty')
  const { products, yardsticks } = await interleave(stand.rounds, of(large), of(small))
  await browser.close()
  await service.stop()
  return findingsOf(products, yardsticks)
}

const LETTERS_OF_PAGE = 2_450

function textOf(pages: number): string {
  const all = policyTemplates.map(({ content }) => content).join('\n\n')
  const length = pages * LETTERS_OF_PAGE
  const times = Math.ceil(length / all.length)
  return Array.from({ length: times }, (_, at) => all.replaceAll('. ', ` ${at}. `))
    .join('\n\n')
    .slice(0, length)
}

async function once(browser: Browser, url: string, session: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'plumbline', value: session, url: new URL(url).origin, httpOnly: true }])
  await context.addInitScript({ content: WATCH })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
  await page.waitForLoadState('networkidle')
  const other = page.getByLabel('Compare with')
  const chosen = async (): Promise<number> => {
    await page.evaluate('begin()')
    await other.selectOption({ index: 1 })
    return page.evaluate<number>('seen()')
  }
  const first = await chosen()
  // All that is drawn behind what was seen is drawn.
  await page.waitForTimeout(1_000)
  const longestFirst = await page.evaluate<number>('longest()')
  await other.selectOption({ index: 0 })
  await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
  await page.waitForTimeout(1_000)
  const again = await chosen()
  await page.waitForTimeout(1_000)
  const longest = Math.max(longestFirst, await page.evaluate<number>('longest()'))
  await context.close()
  return { first, again, longest }
}

/** Runs in the page. */
const WATCH = `
  let begun = 0, shown = 0, most = 0, tell, seen
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) if (begun && startTime >= begun) most = Math.max(most, duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (!begun || shown || !document.querySelector('article ins')) return
    shown = 1
    requestAnimationFrame(() => setTimeout(() => tell(performance.now() - begun)))
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true })
  Object.assign(globalThis, {
    begin: () => {
      seen = new Promise((resolve) => { tell = resolve })
      shown = 0
      most = 0
      begun = performance.now()
    },
    seen: () => seen,
    longest: () => most,
  })`

const NOTHING: Times = { first: Number.NaN, again: Number.NaN, longest: Number.NaN }

function findingsOf(products: readonly Times[], yardsticks: readonly Times[]): Finding[] {
  const finding = (name: keyof Times, measure: string, most: number): Finding => ({
    measure,
    unit: 'ms',
    ...compare(
      products.map((one) => one[name]),
      yardsticks.map((one) => one[name]),
    ),
    product: median(products.map((one) => one[name])),
    yardstickIs: 'of twenty pages',
    target: below(most),
  })
  return [
    finding('first', 'what changed, for the first time', 300),
    finding('again', 'the same once more', 300),
    finding('longest', 'longest task', 100),
  ]
}
