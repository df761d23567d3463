import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* A new version is put in place under an open tab: what was not loaded yet has another name now. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('a tab of the version before gets the new one when it needs what is gone, and loses nothing', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/risks', { as: admin, expected: [/belongs to an older version/] })
  await page.getByRole('heading', { name: 'No risks yet' }).waitFor()
  const { isOther } = await anotherVersion(page, /built\/audit-log-.*\.js/)
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  expect(isOther()).toBe(false)
})

test('over what is typed it asks, rather than reload by itself', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/organization', { as: admin })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed and not saved')
  const { name, value } = (await page.context().cookies()).find((one) => one.name === 'plumbline')!
  await page.context().addCookies([{ name, value: `${value}x`, url: site.url }])
  await anotherVersion(page, /built\/identity-dialog-.*\.js/)
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  const told = page.getByRole('alert').filter({ hasText: 'There is a newer version' })
  await told.getByRole('button', { name: 'Reload' }).waitFor()
  await page.getByRole('status').getByText('There is a newer version of Plumbline').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
    'Typed and not saved',
  )
})

/** Until the page is loaded anew, the service has another one, without this file. */
async function anotherVersion(page: TestPage, gone: RegExp): Promise<{ isOther(): boolean }> {
  let isOther = true
  await page.route(gone, (route) => (isOther ? route.fulfill({ status: 404 }) : route.continue()))
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() === 'document') isOther = false
    const isPage = new URL(route.request().url()).pathname === '/'
    if (!isOther || !isPage) return route.fallback()
    const text = await (await route.fetch()).text()
    return route.fulfill({ contentType: 'text/html', body: text.replace(/main-[\w-]+\.js/, 'main-other.js') })
  })
  return { isOther: () => isOther }
}
