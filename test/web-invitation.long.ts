import { afterAll, beforeAll, expect, test } from 'vitest'
import { plugInAuthenticator } from './support/browser/passkeys.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { addTotp, codeOf, newSomebody, nextStep, PASSWORD } from './support/factors.ts'
import { openPlace, type Place } from './support/joining.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { openWeb } from './support/web.ts'

/* Links that work once: an invitation, and a new password for who has lost theirs. */

let site: Site
let quiet: Site
let server: MailServer
let acme: Place
let zenith: Place
const NEW = 'another few plain words'

beforeAll(async () => {
  server = await startMailServer()
  ;[site, quiet] = await Promise.all([startSite({ SMTP_URL: server.url }), startSite()])
  acme = await openPlace(site.door, 'Acme')
  zenith = await openPlace(site.door, 'Zenith')
})
afterAll(async () => {
  await Promise.all([site?.close(), quiet?.close()])
  await server?.close()
})

const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: TestPage, name: string) => page.getByLabel(name, { exact: true })
/** Somebody who came by a mail, and so has shown that the mailbox is theirs. */
async function known(email: string) {
  await zenith.invite(email)
  const web = openWeb(site.door)
  await web.call('acceptInvitation', { token: (await server.next(email)).token, password: PASSWORD })
  return web
}

const at = (link: string) => link.slice(new URL(link).origin.length)

test('somebody new chooses a password and is in', async () => {
  await acme.invite('grace@example.com')
  const { link } = await server.next('grace@example.com')
  const page = await site.open(at(link))
  await page.getByText('You are invited to Acme.').waitFor()
  expect(await field(page, 'E-mail').inputValue()).toBe('grace@example.com')
  expect(await field(page, 'Password').getAttribute('autocomplete')).toBe('new-password')
  await field(page, 'Your name').fill('Grace Hopper')
  await field(page, 'Password').fill('short')
  await button(page, 'Accept').click()
  await page.getByText('at least 12 characters; a few words').waitFor()
  expect(await field(page, 'Your name').inputValue()).toBe('Grace Hopper')
  await field(page, 'Password').fill(PASSWORD)
  await button(page, 'Accept').click()
  await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor()
  expect(page.url(), 'the token is gone from the address').toBe(`${site.url}/`)

  const late = await site.open(at(link))
  await late.getByRole('alert').waitFor()
  expect(await button(late, 'Accept').count()).toBe(0)
})

test('the token of a link is sent to nobody but in the call that needs it', async () => {
  await acme.invite('quiet@example.com')
  const { link, token } = await server.next('quiet@example.com')
  const page = await site.open('/docs')
  const sent: string[] = []
  page.on('request', (request) => {
    const said = `${request.url()} ${JSON.stringify(request.headers())}`
    if (said.includes(token)) sent.push(said)
  })
  await page.goto(link)
  await button(page, 'Accept').waitFor()
  expect(sent).toEqual([])
})

test('who has a login here already proves it, by password and code', async () => {
  const email = 'known@example.com'
  const { secret } = await addTotp(site, await known(email))
  await acme.invite(email)
  const { link } = await server.next(email)
  const page = await site.open(at(link))
  expect(await field(page, 'Your password').getAttribute('autocomplete')).toBe('current-password')
  await field(page, 'Your password').fill(PASSWORD)
  await button(page, 'Accept').click()
  await nextStep(site)
  await field(page, 'Code').fill(await codeOf(site, secret))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
})

test('or by a passkey', async () => {
  const email = 'keyed@example.com'
  await known(email)
  const page = await site.open('/sign-in?returnTo=/account/security')
  await plugInAuthenticator(page)
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(PASSWORD)
  await button(page, 'Sign in').click()
  await button(page, 'Add passkey').click()
  await button(page, 'Continue').click()
  await page.getByRole('table', { name: 'Passkeys' }).waitFor()
  await page.context().clearCookies()
  await acme.invite(email)
  await page.goto((await server.next(email)).link)
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('You are signed in, so nothing else is needed.').waitFor()
  await button(page, 'Accept').click()
  await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
})

test('who is signed in already needs nothing else', async () => {
  const email = 'present@example.com'
  await known(email)
  const page = await site.open('/sign-in')
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(PASSWORD)
  await button(page, 'Sign in').click()
  await heading(page, 'Overview').waitFor()
  await acme.invite(email)
  await page.goto((await server.next(email)).link)
  await page.getByText('You are signed in, so nothing else is needed.').waitFor()
  await button(page, 'Accept').click()
  await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
})

test('a lost password is replaced by a link, and signs in', async () => {
  const { email } = await newSomebody(site, site.door)
  const page = await site.open('/sign-in')
  await field(page, 'E-mail').fill(email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await heading(page, 'Choose a new password').waitFor()
  expect(await field(page, 'E-mail').inputValue(), 'is not typed again').toBe(email)
  await button(page, 'Send link').click()
  await page.getByText(`If there is an account for ${email}, a link is on its way.`).waitFor()
  await page.goto((await server.next(email)).link)
  await field(page, 'New password').fill(NEW)
  await button(page, 'Set password').click()
  await heading(page, 'Your password is set').waitFor()
  await button(page, 'Sign in').click()
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(NEW)
  await button(page, 'Sign in').click()
  await heading(page, 'Overview').waitFor()
})

test('without mail the page says whom to ask', async () => {
  const page = await quiet.open('/reset')
  await page.getByText('This service sends no mail.').waitFor()
  expect(await button(page, 'Send link').count()).toBe(0)
})

test.each(['/invitation', '/reset', '/set-up'])('%s with a link that is none tells so', async (path) => {
  const page = await site.open(`${path}#token=${'x'.repeat(43)}`)
  if (path === '/set-up') {
    for (const label of ['Organization', 'Your name']) await field(page, label).fill('X')
    await field(page, 'E-mail').fill('x@example.com')
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Create organization').click()
  }
  await page.getByRole('alert').waitFor()
})
