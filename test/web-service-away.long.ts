import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { later } from './support/browser/later.ts'
import { type Opening, type Site, startSite, type TestPage } from './support/browser.ts'
import type { Door } from './support/door.ts'
import { until } from './support/until.ts'

/* The service goes away under open pages, and comes back: nothing typed is lost, and nothing untrue is shown. */

let site: Site
let door: Door
let isAway = false
beforeAll(async () => {
  site = await startSite({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  door = site.door
})
afterEach(() => (isAway ? comeBack() : undefined))
afterAll(() => site?.close())

/**
 * What is logged of a service that is not there; and what a page waits for between two tries is not waited for here.
 */
const AWAY: Opening = {
  expected: [/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|status of 50\d|Plumbline did not answer/],
  movable: true,
}

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const banner = (page: TestPage) => page.getByRole('status').getByText('Plumbline is not answering')
const goAway = async () => {
  isAway = true
  await door.close()
}
const comeBack = async () => {
  door = await site.listen()
  isAway = false
}
const titleOf = async (as: Caller, id: string) =>
  ((await site.call(as, 'getRisk', { id })).body as { title: string }).title

async function newRisk(title = 'Unpatched gateway') {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createRisk', { title, description: 'As it was' })
  return { admin, risk: body as { id: string; reference: string } }
}

test('a register says that it could not be read, and goes on by itself', async () => {
  const { admin } = await newRisk()
  const page = await site.open('/risks', { as: admin, ...AWAY })
  await page.getByRole('link', { name: 'Unpatched gateway' }).waitFor()
  await goAway()
  await page.getByRole('searchbox', { name: 'Search risks' }).fill('gateway')
  const told = page.getByRole('alert').filter({ hasText: 'Nothing was lost' })
  await later(told.getByText('No answer'))
  await button(page, 'Try again').waitFor()
  await banner(page).waitFor()
  await comeBack()
  await later(banner(page), 'hidden')
  await told.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Unpatched gateway' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('gateway')
})

test('an edit that did not arrive is not shown as saved, stays typed, and is saved later', async () => {
  const { admin, risk } = await newRisk()
  const page = await site.open(`/risks/${risk.id}`, { as: admin, ...AWAY })
  await button(page, 'Edit description').click()
  await page.getByRole('textbox', { name: 'Description' }).fill('typed, and not sent')
  await button(page, 'Edit title').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Patched gateway')
  await goAway()
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  await page.getByText('Plumbline did not answer').waitFor()
  expect(await page.getByRole('heading', { name: 'Patched gateway', exact: true }).count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Patched gateway')
  await banner(page).waitFor()
  await comeBack()
  await later(banner(page), 'hidden')
  expect(await titleOf(admin, risk.id)).toBe('Unpatched gateway')
  expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('typed, and not sent')
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  await page.getByRole('heading', { name: 'Patched gateway', exact: true }).waitFor()
  await until(async () => (await titleOf(admin, risk.id)) === 'Patched gateway')
})

test('an edit that arrived, and whose answer was lost, is no conflict with oneself', async () => {
  const { admin, risk } = await newRisk()
  const page = await site.open(`/risks/${risk.id}`, { as: admin, ...AWAY })
  await page.route(
    '**/web/updateRisk',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await button(page, 'Edit title').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Patched gateway')
  await page.keyboard.press('Enter')
  await page.getByText('Plumbline did not answer').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  await page.getByRole('heading', { name: 'Patched gateway', exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('the delivery log says that it stands still, and is live again', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'createWebhookEndpoint', {
    address: 'https://127.0.0.1:9/',
    signalTypes: ['risk.created'],
  })
  await site.call(admin, 'createRisk', { title: 'First' })
  const page = await site.open('/settings/deliveries', { as: admin, ...AWAY })
  await page.getByRole('link', { name: 'risk.created' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await goAway()
  await later(page.getByText('Not live'))
  await banner(page).waitFor()
  await page.getByRole('link', { name: 'risk.created' }).waitFor()
  await comeBack()
  await site.call(admin, 'createRisk', { title: 'Second' })
  await later(page.getByRole('button', { name: 'Show 1 new delivery' }))
  await later(banner(page), 'hidden')
})

test('what is typed in a form is sent with one click, once it is back', async () => {
  const { admin } = await newRisk()
  const page = await site.open('/risks', { as: admin, ...AWAY })
  await button(page, 'Add risk').click()
  const form = page.getByRole('dialog', { name: 'Add a risk' })
  await form.getByLabel('Title').fill('Written while nobody listened')
  await goAway()
  await form.getByRole('button', { name: 'Add risk' }).click()
  await form.getByRole('alert').getByText('No answer').waitFor()
  await comeBack()
  await form.getByRole('button', { name: 'Add risk' }).click()
  await page.getByRole('link', { name: 'Written while nobody listened' }).waitFor()
})

test('an answer that is a proxy’s is told in words, and one of ours by its request', async () => {
  const { admin } = await newRisk()
  const page = await site.open('/', { as: admin, ...AWAY })
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.route('**/web/*', (route) =>
    route.fulfill({
      status: 502,
      contentType: 'text/html',
      body: '<html><h1>502 Bad Gateway</h1><script>alert(1)</script></html>',
    }),
  )
  await page.getByRole('navigation').getByRole('link', { name: 'Controls', exact: true }).click()
  const told = page.getByRole('alert').filter({ hasText: 'answered instead (502)' })
  await later(told.first())
  expect(await told.first().textContent()).not.toContain('Bad Gateway')
  await banner(page).waitFor()

  const requestId = '019a0000-0000-7000-8000-000000000000'
  await page.unroute('**/web/*')
  await page.route('**/web/listControls', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        status: 500,
        code: 'internal',
        title: 'Something went wrong on our side',
        detail: 'Try again; if it stays so, give whoever runs the service this request.',
        requestId,
      }),
    }),
  )
  await button(page, 'Try again').first().click()
  await page.getByRole('alert').getByText('Something went wrong on our side').waitFor()
  await page.getByRole('button', { name: `Copy ${requestId}` }).waitFor()
  await page.unroute('**/web/listControls')
  await button(page, 'Try again').click()
  await page.getByRole('heading', { name: 'No controls yet' }).waitFor()
  await later(banner(page), 'hidden')
})

test('a page that cannot be had while it is away comes when it is back', async () => {
  const { admin } = await newRisk()
  const page = await site.open('/risks', { as: admin, ...AWAY })
  await page.getByRole('link', { name: 'Unpatched gateway' }).waitFor()
  await goAway()
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
  await later(page.getByRole('alert').getByText('No answer'))
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).waitFor()
  await comeBack()
  await later(page.getByRole('heading', { level: 1, name: 'Audit log' }))
})
