import type { Browser } from 'playwright-core'
import { transaction } from '../server/database/transaction.ts'
import { makeGuestLink } from '../server/guests/guest-links.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { askAs } from './ask.ts'
import { startBrowser } from './browser.ts'
import { compare, interleave, median } from './figures.ts'
import { type Finding, type Row, ratioAtMost } from './row.ts'
import { makeOrganization, personOf } from './seed.ts'
import type { Stand } from './stand.ts'

const LOADS = 5
const RULES = 150
const GUEST = 'guest@example.com'

export const guestPage: Row = {
  name: 'guest-page',
  title: 'a policy of some twenty pages, read by a guest and by a member',
  notes: [
    'From the address to the text, in a browser that has nothing of ours yet. The guest’s is the page of a link, whose button',
    'the page itself presses as soon as it is there; the yardstick is the same text for a member who is signed in. Sent is what',
    'came over the wire, as the browser counts it.',
  ],
  run: measure,
}

interface Load {
  readonly ms: number
  readonly calls: number
  readonly requests: number
  readonly sent: number
}

async function measure(stand: Stand): Promise<Finding[]> {
  const browser = await startBrowser(stand, 'guest-page')
  if (!browser) return findingsOf([NOTHING], [NOTHING])
  stand.atEnd(() => browser.close())
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  const caller = personOf(organization)
  const ask = askAs(parts, caller)
  await ask('updateOrganization', { allowSelfApproval: true })
  await ask('createPersonnel', { fullName: 'Guest', workEmail: GUEST })
  const { userId } = organization
  await ask('createPersonnel', { fullName: 'Member', workEmail: 'member@example.com', userId })
  const { id: policyId } = await ask('createPolicy', {
    ...{ name: 'Access control', approver: { type: 'user', refId: userId } },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const version = await ask('createPolicyVersion', { policyId, content: TEXT })
  const { contentSha256, round } = await ask<{ contentSha256: string; round: number }>(
    'submitPolicyVersion',
    { id: version.id },
  )
  await ask('approvePolicyVersion', { id: version.id, contentSha256, round })
  await ask('publishPolicyVersion', { id: version.id })
  const { rows } = await database.administrator.query<{ id: string; passId: string | null }>(
    'select id, pass_id as "passId" from attestations where organization_id = $1 order by pass_id',
    [organization.id],
  )
  const link = await transaction(parts.database.tenant, organization.id, async (tx) =>
    makeGuestLink(parts, tx, rows[0]!.passId!, GUEST),
  )
  const session = await beginSession(
    parts,
    { channel: 'ui', requestId: 'bench', ip: '127.0.0.1' },
    { accountId: organization.accountId, organizationId: organization.id, method: 'password' },
  )
  await parts.close()
  const service = await stand.service(database, { ROLE: 'api' })
  const origin = `http://localhost:${service.port}`
  const asGuest = () => loads(browser, `${origin}/guest${new URL(link).hash}`, null)
  const asMember = () => loads(browser, `${origin}/to-read/${rows[1]!.id}`, session)
  stand.say('guest-page: warming up')
  await asGuest()
  await asMember()
  stand.say('guest-page: a guest’s page against a member’s')
  const { products, yardsticks } = await interleave(stand.rounds, asGuest, asMember)
  await browser.close()
  await service.stop()
  return findingsOf(products, yardsticks)
}

const TEXT = Array.from(
  { length: RULES },
  (_, at) =>
    `## Rule ${at + 1}\n\nEach system has an owner, who says *who* may use it, and takes that back:\n\n- once a quarter\n- when somebody leaves`,
).join('\n\n')

/** Each in a browser context of its own, and so without anything kept. */
async function loads(browser: Browser, url: string, session: string | null): Promise<Load> {
  const all: Load[] = []
  for (let load = 0; load < LOADS; load++) all.push(await loadOnce(browser, url, session))
  const of = (name: keyof Load) => median(all.map((one) => one[name]))
  return { ms: of('ms'), calls: of('calls'), requests: of('requests'), sent: of('sent') }
}

async function loadOnce(browser: Browser, url: string, session: string | null): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  if (session)
    await context.addCookies([
      { name: 'plumbline', value: session, url: new URL(url).origin, httpOnly: true },
    ])
  await context.addInitScript({ content: WATCH })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('article').waitFor()
  const load = await page.evaluate<Load>('loaded()')
  await context.close()
  return load
}

/** Runs in the page. */
const WATCH = `
  let ms = 0
  let isPressed = false
  const look = () => {
    const open = [...document.querySelectorAll('main button')].find(({ textContent }) => textContent === 'Open')
    if (open && !isPressed) {
      isPressed = true
      open.click()
    }
    if (document.querySelector('article') && !ms) ms = performance.now()
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true })
  globalThis.loaded = () => {
    const sent = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    return {
      ms,
      calls: sent.filter(({ name }) => /\\/(web|guest)\\/\\w/.test(name)).length,
      requests: sent.length,
      sent: sent.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024 / 1024,
    }
  }`

const NOTHING: Load = { ms: Number.NaN, calls: Number.NaN, requests: Number.NaN, sent: Number.NaN }

function findingsOf(products: readonly Load[], yardsticks: readonly Load[]): Finding[] {
  const finding = (
    name: keyof Load,
    measure: string,
    unit: Finding['unit'],
    most: number | null,
  ): Finding => ({
    measure,
    unit,
    ...compare(
      products.map((one) => one[name]),
      yardsticks.map((one) => one[name]),
    ),
    yardstickIs: 'of a member',
    target: most === null ? null : ratioAtMost(most),
  })
  return [
    finding('ms', 'from the link to the text', 'ms', 1.2),
    finding('calls', 'calls of the service', '', null),
    finding('requests', 'requests in all', '', null),
    finding('sent', 'sent to the browser', 'MB', null),
  ]
}
