import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'
import { sample } from './support/coverage.ts'

/* Where one can go from every page, and how much room that takes. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('each role is shown the pages it may open, and nothing that would send it back', async () => {
  const one = await site.organization()
  const opened: string[] = []
  const shown = async (role: 'viewer' | 'editor' | 'admin') => {
    const page = await site.open('/', { as: role === 'admin' ? one.admin : await one.person(role) })
    const pages = page.getByRole('list', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Overview' }).waitFor()
    const addresses = await pages
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
    const isNew = (address: string) => !opened.includes(address)
    const visits = [
      // The same of each: in a run, a third of what a role sees first, and of the rest a few.
      ...sample(addresses.filter(isNew), 10, role),
      ...sample(
        opened.filter((address) => address !== '/'),
        2,
        role,
      ),
    ]
    opened.push(...addresses.filter(isNew))
    // From the overview to the others, and back at last: each has a title of its own once it is drawn.
    for (const address of visits.toSorted((a, b) => Number(a === '/') - Number(b === '/'))) {
      const before = await page.title()
      await pages.locator(`a[href="${address}"]`).click()
      await expect.poll(() => page.title(), { message: address }).not.toBe(before)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe(address)
      expect(await pages.locator('[aria-current=page]').getAttribute('href')).toBe(address)
    }
    return addresses
  }
  const viewer = await shown('viewer')
  expect(viewer).toEqual(expect.arrayContaining(['/', '/risks', '/risks/matrix', '/account/security']))
  expect(viewer.filter((address) => address.startsWith('/settings'))).toEqual([])
  expect(await shown('editor')).toEqual(viewer)
  expect((await shown('admin')).filter((address) => address.startsWith('/settings'))).toHaveLength(12)
})

test('it folds to pictures that still have their names, and stays so', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/', { as: admin })
  await page.getByRole('button', { name: 'Collapse' }).click()
  await page.reload()
  await page.getByRole('link', { name: 'Webhooks', exact: true }).hover()
  await page.getByRole('tooltip', { name: 'Webhooks' }).waitFor()
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  expect(await page.getByText('Developer', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Expand' }).click()
  await page.getByText('Developer', { exact: true }).waitFor()
})

test('on a narrow screen it is a drawer with every word, which closes behind one', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/', { as: admin, viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const pages = page.getByRole('list', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Controls', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor()
  await page.getByRole('button', { name: 'Open navigation' }).waitFor()
})

test('the top bar has room for where one is, however long a name is', async () => {
  const { admin } = await site.organization()
  await site.call(admin, 'updateOrganization', {
    name: `Hartmann & Söhne ${'Maschinenbau '.repeat(12)}`.trim(),
  })
  await site.call(admin, 'updateUser', {
    id: admin.userId,
    name: 'Hubert Blaine Wolfeschlegelsteinhausen '.repeat(4),
  })
  const page = await site.open('/', { as: admin, viewport: { width: 360, height: 740 } })
  const organization = page.getByRole('button', { name: /^Organization: Hartmann/ })
  const person = page.getByRole('button', { name: /^Account of Hubert/ })
  for (const width of [360, 479, 700, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    // The buttons are drawn anew once when their menus have loaded.
    await expect
      .poll(async () => (await organization.boundingBox())?.width, { message: `at ${width}` })
      .toBeGreaterThan(150)
    await expect
      .poll(async () => {
        const box = await person.boundingBox()
        return box && box.x + box.width
      })
      .toBeLessThanOrEqual(width)
  }
})
