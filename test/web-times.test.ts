import { afterAll, beforeAll, expect, test } from 'vitest'
import { setFormats, wallClock } from '../web/client/formats.ts'
import { momentAt } from '../web/client/typed-times.ts'
import { type Site, startSite } from './support/browser.ts'
import { until } from './support/until.ts'

/* Times, days and numbers are written as the organization does; on hover, times also as the reader's clock and UTC. */

let site: Site
beforeAll(async () => {
  site = await startSite({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => site?.close())

test('a time in words goes on while a page stays open', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })
  const page = await site.open(`/risks/${(body as { id: string }).id}`, { as: admin, movable: true })
  const created = page.locator('time[datetime]').filter({ hasText: 'just now' }).first()
  await created.waitFor()
  await page.clock.fastForward('06:00')
  const words = page.locator('time[datetime]').filter({ hasText: '6 minutes ago' }).first()
  await words.waitFor()
  // Paper is read whenever.
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  await expect.poll(() => page.getByText('ago').count()).toBe(0)
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await words.waitFor()
})

test('every time on a page is the organization’s, with the reader’s and UTC on hover', async () => {
  const one = await site.organization()
  const { admin } = one
  const kiritimati = { locale: 'en-GB', timezone: 'Pacific/Kiritimati' }
  await site.call(admin, 'updateOrganization', kiritimati)
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
    timezoneId: 'America/Lima',
    locale: 'de-AT',
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
      // A page that reads its rows anew may draw another in its place.
      const { at, title } = await until(async () => {
        await time.dispatchEvent('pointerover')
        const title = await time.getAttribute('title')
        return title === null ? null : { title, at: new Date((await time.getAttribute('datetime'))!) }
      })
      const there = at.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Kiritimati' })
      const [local, reader, utc] = title.split('\n')
      expect(local).toContain(there)
      expect(reader).toContain(at.toLocaleTimeString('en-GB', { timeZone: 'America/Lima' }))
      expect(utc).toBe(at.toISOString().replace('T', ' ').replace('Z', ' UTC'))
    }
  }
  await page.goto(site.url + paths[0])
  const shown = page.getByRole('row', { name: /webhook\.test/ }).locator('time')
  const at = new Date((await shown.getAttribute('datetime'))!)
  const clock = at.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Kiritimati' })
  expect(await shown.textContent(), 'which is not what the reader’s own clock shows').toBe(`${clock} GMT+14`)
})

test('a time that is typed, a day and an amount are the organization’s', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'updateOrganization', { locale: 'de-AT', timezone: 'Asia/Tokyo', currency: 'JPY' })
  const { body } = await site.call(admin, 'createRisk', {
    title: 'Unpatched gateway',
    reviewDate: '2031-03-09',
    quantification: { currency: 'CHF', lossMax: 1_234_567 },
  })
  const page = await site.open(`/risks/${(body as { id: string }).id}`, {
    as: admin,
    timezoneId: 'America/Lima',
    locale: 'en-US',
  })
  await page.getByText('09.03.2031').waitFor()
  await page.getByText(/CHF\s1[.\s]234[.\s]567/).waitFor()
  await page.getByRole('button', { name: 'Edit due' }).click()
  await page.getByLabel('Due', { exact: true }).fill('2031-05-17')
  await page.getByLabel('Due, time').fill('08:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('17.05.2031').waitFor()
  const { id } = body as { id: string }
  const due = async () => ((await site.call(admin, 'getRisk', { id })).body as { dueDate: string }).dueDate
  await expect.poll(due).toBe('2031-05-16T23:30:00.000Z')
  await page.getByRole('button', { name: 'Edit due' }).click()
  await page.getByText('Without a time, it is the end of that day.', { exact: false }).waitFor()
  await page.getByLabel('Due, time').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(due).toBe('2031-05-17T14:59:59.999Z')
  await page.getByRole('button', { name: 'Edit due' }).click()
  expect(await page.getByLabel('Due, time').inputValue(), 'and no time is shown that nobody typed').toBe('')
})

/** A day in March at which clocks in Vienna go ahead by an hour, and one in October at which they go back. */
test.each([
  ['2031-03-30', '01:59', '2031-03-30T00:59:00.000Z'],
  ['2031-03-30', '03:00', '2031-03-30T01:00:00.000Z'],
  ['2031-10-26', '00:00', '2031-10-25T22:00:00.000Z'],
  ['2031-10-26', '04:00', '2031-10-26T03:00:00.000Z'],
])('%s %s in Vienna is %s', (day, time, moment) => {
  setFormats({ locale: 'en', timezone: 'Europe/Vienna' })
  expect(momentAt(day, time).toISOString()).toBe(moment)
  expect(wallClock(new Date(moment)).slice(0, 16)).toBe(`${day} ${time}`)
  setFormats({})
})
