import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite } from './support/browser.ts'

/* Promise: on the page of a risk one person asks for its acceptance and another decides, each seeing what it rests on. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = async (caller: Caller, name: string, input: object) =>
  (await site.call(caller, name, input)).body as { id: string; reference: string }

async function setting(more: object = {}) {
  const { admin, person, id } = await site.organization()
  const [asker, approver] = [await person('editor'), await person('editor')]
  await site.administrator.query(
    "update members set name = case user_id when $2 then 'Ada Byrne' else 'Bo Lind' end where organization_id = $1 and user_id <> $3",
    [id, asker.userId, admin.userId],
  )
  const risk = await as(asker, 'createRisk', {
    title: 'The edge gateway gets no more security fixes',
    status: 'assessed',
    likelihood: 'likely',
    impact: 'major',
    ...more,
  })
  const ask = () =>
    as(asker, 'createRiskAcceptance', {
      riskId: risk.id,
      justification: 'The gateway is replaced in spring; until then it is reached from the office alone.',
      conditions: 'Reached over the VPN of the office alone.',
      approver: { type: 'user', refId: approver.userId },
      expiresAt: '2027-03-31T22:00:00Z',
    })
  return { admin, asker, approver, risk, ask }
}

test('one person asks where the risk is, and another approves it there', async () => {
  const { asker, approver, risk } = await setting()
  const page = await site.open(`/risks/${risk.id}?tab=acceptances`, { as: asker })
  await page.getByText('There are no risk acceptances of').waitFor()
  await page.getByRole('button', { name: 'Request risk acceptance' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Justification').fill('Replaced in spring')
  await page.picture('acc-form')
  await drawer.getByLabel('Approver').click()
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  await drawer.getByLabel('Accepted until').first().fill('2027-03-31')
  await drawer.getByRole('button', { name: 'Request risk acceptance' }).click()
  await page.getByRole('article').getByText('Bo Lind is asked to accept this risk until').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  const theirs = await site.open(`/risks/${risk.id}`, { as: approver })
  await theirs.getByText('You are asked to accept this risk until').waitFor()
  await theirs.getByRole('link', { name: 'Decide' }).click()
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await theirs.getByRole('article').getByText('Accepted by Bo Lind until').waitFor()
  await theirs
    .getByText('Status: Accepted')
    .or(theirs.getByRole('button', { name: 'Status: Accepted' }))
    .waitFor()
  await theirs.picture('acc-approved')
})

test('pictures', async () => {
  const { asker, approver, admin, risk, ask } = await setting()
  const { id } = await ask()
  await as(approver, 'rejectRiskAcceptance', { id, reason: 'Say what it costs first' })
  const next = await ask()
  for (const [name, options] of [
    ['light', { viewport: { width: 1280, height: 900 } }],
    ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 390, height: 844 } }],
  ] as const) {
    const page = await site.open(`/risks/${risk.id}?tab=acceptances`, { as: approver, ...options })
    await page.getByRole('article').waitFor()
    await page.waitForLoadState('networkidle')
    await page.picture(`acc-tab-${name}`)
    await page.goto(`${site.url}/risk-acceptances/${next.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.picture(`acc-own-${name}`)
    await page.goto(`${site.url}/risk-acceptances`)
    await page.getByText('RAC-2').first().waitFor()
    await page.picture(`acc-list-${name}`)
    await page.goto(`${site.url}/`)
    await page.waitForLoadState('networkidle')
    await page.picture(`acc-overview-${name}`)
  }
  await as(asker, 'updateRisk', { id: risk.id, impact: 'minor' })
  const page = await site.open(`/risks/${risk.id}?tab=acceptances`, { as: admin })
  await page.getByRole('article').waitFor()
  await page.waitForLoadState('networkidle')
  await page.picture('acc-stale')
})
