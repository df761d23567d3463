import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* Who wants to leave and cannot learns that they are still signed in, and leaves once that is possible. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

/** What is logged of a service that is not there. */
const AWAY = { expected: [/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|status of 50\d/] }

const open = async () => {
  const { admin } = await site.organization()
  const page = await site.open('/risks', { as: admin, ...AWAY })
  await page.getByRole('heading', { level: 1, name: 'Risk register' }).waitFor()
  return page
}
const byMenu = async (page: TestPage) => {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
const dialog = (page: TestPage) => page.getByRole('dialog', { name: 'You are still signed in' })
const signIn = (page: TestPage) => page.getByRole('heading', { level: 1, name: 'Sign in' })

test('a fault of the service is told, and the sign-out tried again', async () => {
  const page = await open()
  const fault = { status: 500, code: 'internal', title: 'Internal error', detail: 'On our side.' }
  await page.route('**/web/signOut', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(fault) }),
  )
  await byMenu(page)
  await dialog(page).getByRole('alert').getByText('On our side.').waitFor()
  await dialog(page).getByRole('button', { name: 'Stay signed in' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Controls' }).click()
  await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor()
  await byMenu(page)
  await dialog(page).waitFor()
  await page.unroute('**/web/signOut')
  await dialog(page).getByRole('button', { name: 'Sign out' }).click()
  await signIn(page).waitFor()
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('plumbline')
})

test('a service that is away is told, and left with one click when it is back', async () => {
  const page = await open()
  await site.door.close()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sign out')
  await page.getByRole('option', { name: 'Sign out' }).click()
  await dialog(page).getByRole('alert').getByText('No answer').waitFor()
  await site.listen()
  await dialog(page).getByRole('button', { name: 'Sign out' }).click()
  await signIn(page).waitFor()
})

test('a session that is over already is left without a word', async () => {
  const page = await open()
  await page.context().clearCookies()
  await byMenu(page)
  await signIn(page).waitFor()
})
