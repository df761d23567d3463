import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSetUpLink } from '../server/organization/set-up.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { runCurl } from './support/curl.ts'
import { PASSWORD } from './support/factors.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { loopbackSettings, verified } from './support/webhooks.ts'

/*
 * The first day of a newcomer, with nothing but a browser: from the link of the first start to a signed delivery
 * that their own receiver has verified, and that they have looked at from every side.
 */

let site: Site
let receiver: Receiver
let remove: () => void
/** What the person has pasted into their receiver. */
let pasted = ''
const taken: Record<string, unknown>[] = []

beforeAll(async () => {
  const loopback = await loopbackSettings()
  remove = loopback.remove
  receiver = await startReceiver({
    behaviour: (request) => {
      try {
        taken.push(verified(pasted, request))
        return { status: 200, body: 'verified' }
      } catch {
        return { status: 401, body: 'the signature is wrong' }
      }
    },
  })
  site = await startSite(loopback.settings)
  await site.service.webhooks.start()
})
afterAll(async () => {
  await site?.close()
  await receiver?.close()
  remove?.()
})

const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const pages = (page: TestPage) => page.getByRole('navigation')

test('from the set-up link to a verified delivery, without a terminal', async () => {
  const page = await site.open(new URL((await makeSetUpLink(site.service))!).href.slice(site.url.length))
  await page.getByLabel('Organization').fill('Acme')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Create organization').click()
  await heading(page, 'Overview').waitFor()

  // Out and in again: what was set up is what one signs in with from now on.
  await button(page, 'Account of Ada').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await page.getByRole('region', { name: 'Get started' }).waitFor()

  await page.getByRole('link', { name: 'Create an API key' }).click()
  await button(page, 'Create key').click()
  await page.getByLabel('Name', { exact: true }).fill('first program')
  await page.getByRole('checkbox', { name: 'read:risks' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const keyBox = page.getByRole('dialog', { name: 'Your key “first program”' })
  const { status, body } = await runCurl(site.door, await textOf(keyBox.getByText(/^curl /)))
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      scopes: ['read:risks'],
      organization: expect.objectContaining({ name: 'Acme' }),
    }),
  ])
  await button(page, 'I have saved it').click()

  await pages(page).getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Add a webhook' }).click()
  await button(page, 'Add endpoint').click()
  const form = page.getByRole('dialog', { name: 'Add an endpoint' })
  await form.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/hooks`)
  await form.getByRole('checkbox', { name: 'All of Risk', exact: true }).check()
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  const secretBox = page.getByRole('dialog', { name: 'The secret of this endpoint' })
  pasted = await textOf(secretBox.getByText(/^whsec_/))
  await button(page, 'I have saved it').click()
  await page.getByRole('link', { name: `${receiver.url}/hooks` }).waitFor()

  await pages(page).getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Add a risk' }).click()
  const drawer = page.getByRole('dialog', { name: 'Add a risk' })
  await drawer.getByLabel('Title').fill('Unpatched gateway – “edge”')
  await drawer.getByRole('button', { name: 'Add risk' }).click()
  await page.getByRole('link', { name: 'Unpatched gateway – “edge”' }).waitFor()

  await until(() => taken.length > 0, 'a delivery that verifies')
  expect(taken[0]).toMatchObject({
    type: 'risk.created',
    data: { record: { title: 'Unpatched gateway – “edge”' } },
  })
  await pages(page).getByRole('link', { name: 'Delivery log' }).click()
  const row = page.getByRole('row', { name: /risk\.created/ })
  await row.getByText('Delivered').waitFor()
  await row.getByRole('link', { name: 'risk.created' }).click()
  await page
    .getByRole('region', { name: /Response from the receiver/ })
    .getByText('verified')
    .waitFor()
  await page.getByText('Raw', { exact: true }).click()
  const shown = await page.getByRole('region', { name: 'Body' }).textContent()
  expect(shown).toBe(receiver.requests[0]!.body)

  await page.getByRole('link', { name: 'Check signature' }).click()
  await page.getByLabel('Secret', { exact: true }).fill(pasted)
  await button(page, 'Check').click()
  const verdict = page.getByText('The signature is valid')
  await verdict.waitFor()
  await expect.poll(async () => (await verdict.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height)
})

const textOf = async (shown: { textContent(): Promise<string | null> }): Promise<string> =>
  (await shown.textContent())!.trim()
