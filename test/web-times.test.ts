import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Times are told in the reader's zone, and in UTC on hover. */

let site: Site
beforeAll(async () => {
  site = await startSite({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => site?.close())

test('every time on a page is the reader’s, with the same in UTC on hover', async () => {
  const one = await site.organization()
  const { admin } = one
  const { body: endpoint } = await site.call(admin, 'createWebhookEndpoint', {
    address: 'https://127.0.0.1:9/',
    signalTypes: ['risk.created'],
  })
  const { id } = endpoint as { id: string }
  const { body: delivery } = await site.call(admin, 'testWebhookEndpoint', { id })
  await site.call(admin, 'updateWebhookEndpoint', { id, enabled: false })
  const { body: risk } = await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })
  await one.key(['read:risks'])
  const page = await site.open('/settings/deliveries', {
    as: admin,
    timezoneId: 'Pacific/Kiritimati',
    locale: 'en-GB',
  })
  const paths = [
    '/settings/deliveries',
    `/settings/deliveries/${(delivery as { id: string }).id}`,
    `/settings/webhooks/${id}`,
    '/settings/audit-log',
    '/settings/members',
    `/risks/${(risk as { id: string }).id}?tab=history`,
    '/account/security',
  ]
  for (const path of paths) {
    await page.goto(site.url + path)
    await page.locator('time[datetime]').first().waitFor()
    const times = await page.locator('time[datetime*="T"]').all()
    expect(times.length, path).toBeGreaterThan(0)
    for (const time of times) {
      await time.dispatchEvent('pointerover')
      const at = new Date((await time.getAttribute('datetime'))!)
      const there = at.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Kiritimati' })
      const [local, utc] = (await time.getAttribute('title'))!.split('\n')
      expect(local).toContain(there)
      expect(utc).toBe(at.toISOString().replace('T', ' ').replace('Z', ' UTC'))
    }
  }
  await page.goto(site.url + paths[0])
  const shown = page.getByRole('row', { name: /webhook\.test/ }).locator('time')
  const at = new Date((await shown.getAttribute('datetime'))!)
  expect(await shown.textContent()).toBe(at.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Kiritimati' }))
})
