import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGES } from '../model/pages.ts'
import { operations } from '../server/operations.ts'
import { eachOf } from './support/browser/each-of.ts'
import { type Site, startSite } from './support/browser.ts'
import { sample } from './support/coverage.ts'
import { sampleOf } from './support/samples.ts'
import { openWebAs } from './support/web.ts'

/* The settings are for admins: nobody else gets into them, by a page or by what stands behind one. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const paths = [
  ...Object.values(PAGES)
    .filter((path) => path.startsWith('/settings'))
    .map((path) => path.replace('$id', 'whe_1').replace(/\$$/, 'no/such/page')),
  '/settings/',
]

test.each(['editor', 'viewer'] as const)(
  '%s is sent from everywhere in there to the overview',
  async (role) => {
    const { person } = await site.organization()
    const as = await person(role)
    const open = async () => {
      const page = await site.open('/', { as })
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
      return page
    }
    // In a run, each page is opened by one of the two.
    const visits = paths.filter((path) => sample(['editor', 'viewer'], 1, path).includes(role))
    await eachOf(visits, open, async (page, path) => {
      await page.visit('/help')
      await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
      await page.visit(path)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(new URL(page.url()).pathname, path).toBe('/')
    })
    const loaded = await site.open('/settings/api-keys', { as })
    await loaded.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(loaded.url()).pathname).toBe('/')
  },
)

const ofSettings = operations.filter(({ needs }) => needs.capability === 'settings.manage')

test.each(['editor', 'viewer'] as const)('%s is refused by what stands behind them', async (role) => {
  const { person } = await site.organization()
  const web = await openWebAs(site.door, await person(role))
  expect(ofSettings.length).toBeGreaterThan(15)
  for (const operation of ofSettings) {
    const { status, body } = await web.call(operation.name, sampleOf(operation))
    expect([operation.name, status, body.code]).toEqual([operation.name, 403, 'capability_required'])
  }
})

test('an admin gets from /settings to its first page; what is no page there says so', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings', { as: admin })
  await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/organization')
  await page.visit('/settings/no/such/page')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  expect(await page.getByRole('navigation').count(), 'in the frame of the app').toBe(1)
  await page.goto(`${site.url}/rsiks`)
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  expect([await page.locator('title').allTextContents(), await page.title()]).toEqual([
    ['Page not found · Plumbline'],
    'Page not found · Plumbline',
  ])
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await page.locator('head > title').allTextContents()).toEqual(['Overview · Plumbline'])
})
