import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, startBrowser, type TestPage } from './support/browser.ts'
import { freePort } from './support/free-port.ts'
import { type Founded, PASSWORD, type ProviderTest, startProviderTest } from './support/provider-sign-in.ts'

/* A person comes in through their organization's own sign-in service, and is told where that goes no further. */

let one: ProviderTest
let url: string
let acme: Founded
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  const port = String(await freePort())
  url = `http://localhost:${port}`
  ;[one, browser] = await Promise.all([startProviderTest({ PORT: port, PUBLIC_URL: url }), startBrowser()])
  acme = await one.founded('Acme', 'acme.example')
  await acme.verify()
  await acme.invite('grace@acme.example')
})
afterAll(async () => {
  await one?.close()
})

/** A page of a browser that meets the provider where it is sent to. */
async function open(path: string): Promise<TestPage> {
  const { issuer } = acme.openId
  const page = await openPage(browser, one.door, new URL(path, url), {
    expected: [new RegExp(`^asked ${new URL(issuer).origin}$`)],
  })
  await page.route(`${new URL(issuer).origin}/**`, async (route) => {
    const back = await acme.openId.visit(route.request().url())
    await route.fulfill({ status: 302, headers: { location: back.href } })
  })
  return page
}

async function findProvider(page: TestPage, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Single sign-on' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('the e-mail finds the service, which vouches for the person; what is their own is not changed here', async () => {
  acme.openId.claims = { sub: 'grace-1', email: 'grace@acme.example', email_verified: true }
  const page = await open('/sign-in?returnTo=/account/security')
  await findProvider(page, 'grace@acme.example')
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  await page.getByText('You signed in through single sign-on').waitFor()
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
  await page.getByRole('cell', { name: /^Single sign-on/ }).waitFor()
})

test('an e-mail of nobody’s domain is told so', async () => {
  const page = await open('/sign-in')
  await findProvider(page, 'eve@elsewhere.example')
  await page.getByText('No organization has single sign-on for this e-mail.').waitFor()
  await page.getByRole('button', { name: 'Use password or passkey' }).click()
  expect(await page.getByLabel('Password', { exact: true }).isVisible()).toBe(true)
})

test('who was not invited comes back and hears why', async () => {
  acme.openId.claims = { sub: 'mallory-1', email: 'mallory@acme.example', email_verified: true }
  const page = await open('/sign-in')
  await findProvider(page, 'mallory@acme.example')
  await page.getByRole('alert').getByText('Nobody with this e-mail is in the organization.').waitFor()
})

test('a person links their account, and removes it', async () => {
  acme.openId.claims = { sub: 'ada-1' }
  const page = await open('/sign-in?returnTo=/account/security')
  await page.getByLabel('E-mail').fill(acme.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Link Acme ID' }).click()
  await page.getByRole('button', { name: 'Remove Acme ID' }).click()
  await page.getByRole('button', { name: 'Remove account' }).click()
  await page.getByText('Not linked.').waitFor()
})
