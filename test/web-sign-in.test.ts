import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAttempt } from '../server/identity/sign-in-rate-limiter.ts'
import { makeSetUpLink } from '../server/organization/set-up.ts'
import { plugInAuthenticator } from './support/browser/passkeys.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { addTotp, codeOf, newSomebody, nextStep, PASSWORD } from './support/factors.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'

/* A person gets in, by every way there is, with the pages that they see. */

let site: Site
let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
  site = await startSite({ SMTP_URL: mails.url })
})
afterAll(async () => {
  await site?.close()
  await mails?.close()
})

const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })

async function give(page: TestPage, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

test('the link of the first start makes the organization, and its admin is in', async () => {
  const link = await makeSetUpLink(site.service)
  const page = await site.open('/sign-in')
  await page.getByText('There is no organization yet').waitFor()
  await page.goto(link!)
  await button(page, 'Create organization').click()
  await expect.poll(() => page.getByText('Fill this in.').count()).toBe(4)
  await page.getByLabel('Organization').fill('Acme')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await button(page, 'Create organization').click()
  await page.getByText('give a password of at least 12 characters').waitFor()
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Control+Enter')
  await heading(page, 'Overview').waitFor()
  await page.getByRole('button', { name: 'Account of Ada' }).waitFor()

  const late = await site.open(new URL(link!).pathname + new URL(link!).hash)
  for (const [label, value] of [
    ['Organization', 'Evil'],
    ['Your name', 'Eve'],
    ['E-mail', 'eve@example.com'],
  ] as const)
    await late.getByLabel(label).fill(value)
  await late.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(late, 'Create organization').click()
  await late.getByRole('alert').waitFor()
  expect(await late.getByLabel('Organization').inputValue()).toBe('Evil')
})

test('e-mail and password lead back to where one wanted to go; sign-out leads out', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/account/connected-apps?state=active')
  await heading(page, 'Sign in').waitFor()
  await give(page, email, 'the wrong password')
  await page.getByRole('alert').getByText('E-mail or password is not right').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
  await give(page, email, PASSWORD)
  await heading(page, 'Connected apps').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
    '/account/connected-apps?state=active',
  )

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  await page.goto(`${site.url}/account/security`)
  await heading(page, 'Sign in').waitFor()
  // What stays says where somebody has been, and lets nobody in.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['plumbline-device'])
})

test('while strangers guess at an account, a link from the mailbox finishes the sign-in', async () => {
  const { email } = await newSomebody(site, site.door)
  for (let guessed = 0; guessed < 101; guessed++)
    await countAttempt(site.door.service, 'password', email, { ip: `10.2.${guessed}.1` })
  // Where they have a session the person is no stranger.
  await site.administrator.query("update sessions set network = '192.0.2.1'")
  const page = await site.open('/sign-in')
  await give(page, email, PASSWORD)
  await page.getByRole('status').getByText('Check your e-mail').waitFor()
  await page.goto((await mails.next(email)).link)
  await button(page, 'Finish signing in').click()
  await heading(page, 'Overview').waitFor()
})

test('nothing of a sign-in stays in what the browser keeps', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/sign-in')
  await give(page, email, PASSWORD)
  await heading(page, 'Overview').waitFor()
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(kept).not.toContain(PASSWORD)
  expect(kept).not.toContain(email)
  for (const { value } of await page.context().cookies()) expect(kept).not.toContain(value)
})

test.each([
  '//evil.example.com',
  '/\\evil.example.com',
  'https://evil.example.com',
  'javascript:alert(1)',
  '/\t/evil.example.com',
])('a way back to %s leads to the overview', async (returnTo) => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
  await give(page, email, PASSWORD)
  await heading(page, 'Overview').waitFor()
  expect(page.url()).toBe(`${site.url}/`)
})

test('a second factor is asked for: the code of an app, or a recovery code', async () => {
  const { email, web } = await newSomebody(site, site.door)
  const { secret, recoveryCodes } = await addTotp(site, web)
  await nextStep(site)
  const page = await site.open('/sign-in')
  await give(page, email, PASSWORD)
  const code = page.getByLabel('Code', { exact: true })
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
  await code.fill('000000')
  await button(page, 'Continue').click()
  await page.getByRole('alert').waitFor()
  await code.fill(await codeOf(site, secret))
  await page.keyboard.press('Enter')
  await heading(page, 'Overview').waitFor()

  const inTheirField = await site.open('/sign-in')
  await give(inTheirField, email, PASSWORD)
  await inTheirField.getByLabel('Code', { exact: true }).fill(` ${recoveryCodes[1]} `)
  await inTheirField.keyboard.press('Enter')
  await heading(inTheirField, 'Overview').waitFor()

  const other = await site.open('/sign-in')
  await give(other, email, PASSWORD)
  await button(other, 'Use a recovery code').click()
  await other.getByLabel('Recovery code').fill(recoveryCodes[0]!)
  await other.keyboard.press('Enter')
  await heading(other, 'Overview').waitFor()
})

test('everything is reached and done by the keyboard', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/sign-in')
  await page.getByLabel('E-mail').waitFor()
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.name ?? document.activeElement.textContent',
    )
  await expect.poll(focused).toBe('email')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Show password')
  await page.keyboard.press('Space')
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
  const ring = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
  expect(ring).not.toBe('none')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await heading(page, 'Overview').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to content')
})

test('a passkey that was added signs in by itself, and offers itself in the field', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/sign-in?returnTo=/account/security')
  await plugInAuthenticator(page)
  await give(page, email, PASSWORD)
  await button(page, 'Add passkey').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Test device')
  await button(page, 'Continue').click()
  await page.getByRole('cell', { name: 'Test device', exact: true }).waitFor()

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  // The device's person always agrees, so what the field offers is taken at once, or else by the button.
  await heading(page, 'Sign in').waitFor()
  await page
    .getByRole('button', { name: 'Sign in with a passkey' })
    .click({ timeout: 2_000 })
    .catch(() => {})
  await heading(page, 'Overview').waitFor()
  // Where both were taken, the second session stands in the place of the first.
  await expect.poll(async () => (await signedInAs(page)).body.person?.email).toBe(email)
})

test('fields say what they are for, so that password managers fill and keep them', async () => {
  const page = await site.open('/sign-in')
  const attribute = async (label: string) =>
    page.getByLabel(label, { exact: true }).getAttribute('autocomplete')
  await page.getByLabel('E-mail').waitFor()
  expect([await attribute('E-mail'), await attribute('Password')]).toEqual([
    'username webauthn',
    'current-password webauthn',
  ])
  await page.goto(`${site.url}/set-up#token=any`)
  await page.getByLabel('Organization').waitFor()
  expect([await attribute('E-mail'), await attribute('Password'), await attribute('Your name')]).toEqual([
    'username',
    'new-password',
    'name',
  ])
})

async function signedInAs(page: TestPage) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'plumbline')
  return site.door.send(null, 'POST', '/web/getSession', {
    body: {},
    headers: { origin: site.url, cookie: `plumbline=${cookie!.value}` },
  })
}
