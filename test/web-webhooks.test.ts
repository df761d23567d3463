import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { later } from './support/browser/later.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { type Answer, type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { loopbackSettings, type TestDelivery, type TestEndpoint } from './support/webhooks.ts'

/* Webhooks as a developer meets them: an endpoint is added, something changes, and what became of it is seen. */

let site: Site
let receiver: Receiver
let remove: () => void
let answer: Answer = { status: 200 }

beforeAll(async () => {
  const loopback = await loopbackSettings()
  remove = loopback.remove
  receiver = await startReceiver({ behaviour: () => answer })
  site = await startSite(loopback.settings)
  await site.service.webhooks.start()
})
afterAll(async () => {
  await site?.close()
  await receiver?.close()
  remove?.()
})

const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const ask = async <Body>(caller: Caller, operation: string, input: unknown): Promise<Body> =>
  (await site.call(caller, operation, input)).body as Body
const endpointOf = (caller: Caller) =>
  ask<TestEndpoint>(caller, 'createWebhookEndpoint', { address: receiver.url, signalTypes: ['risk.created'] })
const newest = async (caller: Caller) =>
  (await ask<{ data: TestDelivery[] }>(caller, 'listWebhookDeliveries', {})).data[0]

test('an endpoint is added, its secret is shown once, and a change arrives there', async () => {
  answer = { status: 200, body: 'thank you' }
  const { admin } = await site.organization()
  const page = await site.open('/settings/webhooks', { as: admin })
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  await button(page, 'Add endpoint').click()
  const form = page.getByRole('dialog', { name: 'Add an endpoint' })
  await form.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1/hook')
  await form.getByRole('checkbox', { name: 'All of Risk', exact: true }).check()
  await form.getByText('3 of').waitFor()
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  await form.getByText(/^The address .*https/).waitFor()
  await form.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/hook`)
  await form.getByRole('button', { name: 'Add endpoint' }).click()

  const box = page.getByRole('dialog', { name: 'The secret of this endpoint' })
  await box.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/).waitFor()
  await box.getByRole('tab', { name: 'Python' }).click()
  await box.getByText('hmac.compare_digest').waitFor()
  await page.keyboard.press('Escape')
  await box.getByRole('button', { name: 'I have saved it' }).click()
  await box.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('whsec_')

  const log = await site.open('/settings/deliveries', { as: admin, movable: true })
  await log.getByText('No deliveries yet').waitFor()
  await ask(admin, 'createRisk', { title: 'Unpatched gateway' })
  const row = log.getByRole('row', { name: /risk\.created/ })
  await later(row.getByText('Delivered'))
  await later(row.getByText('200', { exact: true }))
  await row.getByRole('link', { name: 'RSK-1 Unpatched gateway' }).waitFor()
  await row.getByRole('link', { name: 'risk.created' }).click()
  await log.getByRole('heading', { level: 1, name: 'risk.created' }).waitFor()
  await later(log.getByText('The receiver took the delivery.'))
  await log
    .getByRole('region', { name: /Response from the receiver/ })
    .getByText('thank you')
    .waitFor()
  await log.getByRole('region', { name: 'Body' }).getByText('"Unpatched gateway"').waitFor()
  const delivery = await newest(admin)
  await log.getByRole('button', { name: `Copy ${delivery!.id}` }).waitFor()
})

test('new deliveries are announced and do not move what is read; the address holds the filters', async () => {
  answer = { status: 200 }
  const { admin } = await site.organization()
  const { id } = await endpointOf(admin)
  await ask(admin, 'createRisk', { title: 'First' })
  const page = await site.open('/settings/deliveries', { as: admin, movable: true })
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(1).waitFor()
  await ask(admin, 'testWebhookEndpoint', { id })
  await ask(admin, 'createRisk', { title: 'Second' })
  await later(page.getByRole('button', { name: 'Show 2 new deliveries' }))
  expect(await rows.count()).toBe(2)
  await page.getByRole('button', { name: 'Show 2 new deliveries' }).click()
  await rows.nth(3).waitFor()

  await button(page, 'Signal').click()
  await page.getByRole('menuitemcheckbox', { name: 'webhook.test' }).click()
  await page.keyboard.press('Escape')
  await until(() => page.url().includes('type=webhook.test'))
  await until(async () => (await rows.count()) === 2)
  await page.reload()
  await page.getByRole('link', { name: 'webhook.test' }).waitFor()
  await button(page, 'Remove filter Signal: webhook.test').click()
  await until(async () => (await rows.count()) === 4)
})

test('it goes off after ten failures, says why, and is turned on again', async () => {
  answer = { status: 401, body: 'bad signature' }
  const { admin } = await site.organization()
  const { id } = await endpointOf(admin)
  for (let n = 0; n < 10; n++) await ask(admin, 'createRisk', { title: `Risk ${n}` })
  const page = await site.open('/settings/webhooks', { as: admin })
  const row = page.getByRole('table').getByRole('row').nth(1)
  await until(async () => {
    await page.reload()
    await row.waitFor()
    return row.getByText('Off: failing').isVisible()
  })
  await row.getByText('10 of 10').waitFor()

  // Admins are reminded on every page, until they have looked.
  await page.visit('/')
  const notice = page.getByRole('alert').filter({ hasText: 'A webhook endpoint was turned off' })
  await notice.getByText('Changes made since then are not sent there.').waitFor()
  await notice.getByRole('link', { name: receiver.url }).click()
  await page.getByText(/ten attempts in a row failed/).waitFor()
  await notice.waitFor({ state: 'detached' })
  const reasons = page.getByRole('region', { name: 'Why it was turned off' }).getByRole('row')
  await expect.poll(() => reasons.count()).toBe(11)
  expect(await reasons.nth(1).textContent()).toContain('The receiver refused the delivery')
  await page.getByText(/Likely cause: Its signature check failed/).waitFor()

  answer = { status: 200 }
  await button(page, 'Send test').click()
  await page.getByRole('region', { name: 'Test' }).getByText('The receiver took the delivery.').waitFor()
  await page.getByRole('table').getByText('By hand, while off').waitFor()
  await button(page, 'Turn on').click()
  await page.getByText(/ten attempts in a row failed/).waitFor({ state: 'detached' })
  expect(await ask(admin, 'listWebhookEndpoints', {})).toMatchObject({
    data: [{ id, enabled: true, consecutiveFailures: 0 }],
  })

  await button(page, 'Turn off').click()
  await button(page, 'Turn off endpoint').click()
  await page.getByText(/^Turned off/).waitFor()
  await button(page, 'Rotate secret').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  await page
    .getByRole('dialog', { name: 'The new secret' })
    .getByText(/^whsec_/)
    .waitFor()
  await button(page, 'I have saved it').click()
  await button(page, 'Delete').click()
  await button(page, 'Delete endpoint').click()
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
})

test('one delivery, and a filtered set, is sent again', async () => {
  answer = { status: 200 }
  const { admin } = await site.organization()
  const { id } = await endpointOf(admin)
  for (let n = 0; n < 3; n++) await ask(admin, 'createRisk', { title: `Risk ${n}` })
  await until(async () => {
    const { data } = await ask<{ data: TestDelivery[] }>(admin, 'listWebhookDeliveries', {
      status: ['delivered'],
    })
    return data.length === 3
  })
  const first = await newest(admin)
  const page = await site.open(`/settings/deliveries/${first!.id}`, { as: admin })
  await page.getByRole('link', { name: /^RSK-\d Risk \d$/ }).waitFor()
  await button(page, 'Redeliver').click()
  await page.getByText('Attempt 2', { exact: true }).waitFor()
  const sent = receiver.requests.filter(({ headers }) => headers['webhook-id'] === first!.id)
  expect(sent.length).toBe(2)
  // Seven by schedule: what is beyond them was sent again by hand.
  const { administrator } = site
  await administrator.query('update deliveries set attempt_count = 9 where id = $1', [first!.id])
  await page.reload()
  await page.getByText('7 + 2 redeliveries', { exact: true }).waitFor()

  await page.visit(`/settings/deliveries?endpoint=${id}&status=delivered`)
  await button(page, 'Redeliver…').click()
  const dialog = page.getByRole('dialog', { name: 'Redeliver' })
  await dialog.getByRole('checkbox', { name: 'Delivered: 3' }).check()
  const before = receiver.requests.length
  await dialog.getByRole('button', { name: 'Redeliver 3' }).click()
  await dialog.getByText('3 of 3 sent: 3 delivered, 0 failed. Done.').waitFor()
  expect(receiver.requests.length).toBe(before + 3)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await button(page, 'Redeliver…').click()
  await dialog.getByRole('checkbox', { name: 'Delivered: 3' }).check()
  await dialog.getByRole('button', { name: 'Redeliver 3' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByText(/Stopped\. (1 was|2 were) not sent\./).waitFor()
})

test('the id that a receiver logged, or a record’s, leads to its page', async () => {
  answer = { status: 200 }
  const { admin } = await site.organization()
  const endpoint = await endpointOf(admin)
  const risk = await ask<{ id: string; reference: string }>(admin, 'createRisk', {
    title: 'Unpatched gateway',
  })
  const { id } = await until(() => newest(admin))
  const page = await site.open('/settings/deliveries', { as: admin })
  await page.getByRole('button', { name: `Copy ${id}` }).waitFor()
  for (const [pasted, name, path] of [
    [id, /risk\.created/, `/settings/deliveries/${id}`],
    [endpoint.id, endpoint.address, `/settings/webhooks/${endpoint.id}`],
    [` ${risk.id} `, /Unpatched gateway/, `/risks/${risk.id}`],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(pasted)
    await page.getByRole('group', { name: 'By its id' }).getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${path}`)
  }
})
