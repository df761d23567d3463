import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite } from './support/browser.ts'

/*
 * Promise: on the page of a risk one person asks for its acceptance and another decides, each seeing what it rests on; and
 * that a treatment of it works is the word of another than its owner.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = async (caller: Caller, name: string, input: object) =>
  (await site.call(caller, name, input)).body as { id: string; reference: string }

async function setting() {
  const { id, person } = await site.organization()
  const [asker, approver] = [await person('editor'), await person('editor')]
  for (const [userId, name] of [
    [asker.userId, 'Ada Byrne'],
    [approver.userId, 'Bo Lind'],
  ])
    await site.administrator.query(
      'update members set name = $3 where organization_id = $1 and user_id = $2',
      [id, userId, name],
    )
  const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
  const risk = await as(asker, 'createRisk', { title: 'The gateway gets no more fixes', ...rated })
  const ask = () =>
    as(asker, 'createRiskAcceptance', {
      riskId: risk.id,
      justification: 'The gateway is replaced in spring',
      approver: { type: 'user', refId: approver.userId },
      expiresAt: '2199-03-31T12:00:00Z',
    })
  return { asker, approver, risk, ask, person }
}

test('one person asks where the risk is, and another approves it there', async () => {
  const { asker, approver, risk } = await setting()
  const page = await site.open(`/risks/${risk.id}?tab=acceptances`, { as: asker })
  await page.getByText('There are no risk acceptances of').waitFor()
  await page.getByRole('button', { name: 'Request risk acceptance' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Justification').fill('Replaced in spring')
  // Every request begins as one.
  expect(await drawer.getByLabel('Status').count()).toBe(0)
  await drawer.getByLabel('Approver').click()
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  await drawer.getByLabel('Until').first().fill('2199-03-31')
  await drawer.getByRole('button', { name: 'Request risk acceptance' }).click()
  const asked = page.getByRole('article')
  await asked.getByText('Bo Lind is asked to accept this risk until March 31, 2199').waitFor()
  await asked.getByRole('button', { name: 'Withdraw' }).waitFor()
  for (const other of ['Approve', 'Reject', 'Request risk acceptance'])
    expect(await page.getByRole('button', { name: other }).count(), other).toBe(0)

  const theirs = await site.open(`/risks/${risk.id}`, { as: approver })
  await theirs.getByText('You are asked to accept this risk until').waitFor()
  await theirs.getByRole('link', { name: 'Decide' }).click()
  await theirs.getByRole('article').getByRole('button', { name: 'Approve' }).click()
  const dialog = theirs.getByRole('dialog')
  await dialog.getByRole('link', { name: risk.reference }).waitFor()
  await dialog.getByText('March 31, 2199').waitFor()
  await dialog.getByText('Likely × Major').first().waitFor()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await theirs.getByRole('article').getByText('Accepted by Bo Lind until').waitFor()
  await theirs.getByRole('button', { name: 'Status: Accepted' }).waitFor()
  await theirs.getByRole('tab', { name: 'Details' }).click()
  await theirs.getByText('Accepted by Bo Lind until March 31, 2199').waitFor()
})

test('the rating that was asked for stands beside the present one, and a request that it has passed says so', async () => {
  const { asker, approver, risk, ask } = await setting()
  const { id } = await ask()
  await as(asker, 'updateRisk', { id: risk.id, impact: 'minor' })
  const page = await site.open(`/risks/${risk.id}?tab=acceptances`, { as: approver })
  const ratings = page.getByRole('region', { name: 'Rating when it was requested, and now' })
  const said = ratings.getByRole('listitem')
  await said.first().waitFor()
  expect(await said.allInnerTexts()).toEqual([
    expect.stringMatching(/When it was requested\s+High\s+Likely × Major/),
    expect.stringMatching(/Now\s+Medium\s+Likely × Minor/),
  ])
  await page.getByText('so that it cannot be approved any more').waitFor()
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Say what it costs first')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('button', { name: 'Request risk acceptance' }).waitFor()
  await page.getByRole('cell', { name: 'Rejected' }).waitFor()
  await page.goto(`${site.url}/risk-acceptances/${id}`)
  await page.getByText('Say what it costs first').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
})

test('where the residual rating is accepted, it is called so, and the current one stands beside it', async () => {
  const { asker, approver, risk, ask } = await setting()
  const residual = { residualLikelihood: 'unlikely', residualImpact: 'minor' }
  await as(asker, 'updateRisk', { id: risk.id, ...residual })
  const { id } = await ask()
  const page = await site.open(`/risk-acceptances/${id}`, { as: approver })
  const said = page
    .getByRole('region', { name: 'Rating when it was requested, and now' })
    .getByRole('listitem')
  await said.first().waitFor()
  expect(await said.allInnerTexts()).toEqual([
    expect.stringMatching(/When it was requested\s+Low\s+Unlikely × Minor/),
    expect.stringMatching(/Now, residual\s+Low\s+Unlikely × Minor/),
    expect.stringMatching(/Now, current\s+High\s+Likely × Major/),
  ])
  await page.getByRole('link', { name: risk.reference }).waitFor()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/acceptance.png` })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByText('Now, current').waitFor()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/approve.png` })
})

test('what waits for somebody stands on their overview, and is theirs in the register', async () => {
  const { approver, ask, person } = await setting()
  const { reference } = await ask()
  const page = await site.open('/', { as: approver })
  await page.getByRole('link', { name: '1 to decide' }).click()
  await page.waitForURL('**/my-work**')
  await page.getByRole('link', { name: '1 risk acceptance to decide' }).click()
  await page.waitForURL('**/risk-acceptances?**')
  await page.getByText(reference).first().waitFor()
  const mine = page.getByRole('link', { name: 'Yours to decide' })
  expect(await mine.getAttribute('aria-current')).toBe('page')
  const others = await site.open('/risk-acceptances', { as: await person('viewer') })
  await others.getByText(reference).first().waitFor()
  await others.getByRole('link', { name: 'Yours to decide' }).click()
  await others.getByRole('heading', { name: 'No matches' }).waitFor()
})

test('whoever looked whether a treatment works says so themselves', async () => {
  const { admin, person } = await site.organization()
  const owner = await person('editor')
  const make = async (name: string, input: object) =>
    (await site.call(admin, name, input)).body as { id: string }
  const risk = await make('createRisk', { title: 'Unpatched gateway' })
  const { id } = await make('createRiskTreatment', {
    ...{ riskId: risk.id, action: 'Patch it', status: 'implemented' },
    owner: { type: 'user', refId: owner.userId },
  })
  const verify = async (by: typeof admin) => {
    const page = await site.open(`/risk-treatments/${id}`, { as: by })
    await page.getByRole('button', { name: 'Status: Implemented' }).click()
    await page.getByRole('menuitem', { name: 'Verified' }).click()
    return page.getByRole('dialog')
  }
  const theirs = await verify(owner)
  await theirs.getByText(/somebody else than its owner/).waitFor()
  expect(await theirs.getByText(owner.credential.name).count()).toBe(0)
  const dialog = await verify(admin)
  await dialog.getByText(admin.credential.name).waitFor()
  await dialog.getByRole('button', { name: 'Set to verified' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await site.call(admin, 'getRiskTreatment', { id })).body)
    .toMatchObject({ status: 'verified', verifiedById: admin.userId })
})
