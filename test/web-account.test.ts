import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../server/database/ids.ts'
import { plugInAuthenticator } from './support/browser/passkeys.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { addTotp, codeOf, newSomebody, nextStep, PASSWORD, type Somebody } from './support/factors.ts'
import { openWeb } from './support/web.ts'

/* A person sees and changes how they sign in, on the page of their account. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })

async function open(path: string): Promise<{ page: TestPage; somebody: Somebody }> {
  const somebody = await newSomebody(site, site.door)
  const page = await site.open('/sign-in')
  await page.context().addCookies([{ ...cookieOf(somebody), url: site.url }])
  await page.goto(site.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, somebody }
}

function cookieOf({ web }: Somebody) {
  const [name = '', value = ''] = web.cookie.split('=')
  return { name, value }
}

test('an authenticator app is set up by its picture, and its recovery codes are shown once', async () => {
  const { page, somebody } = await open('/account/security')
  await button(page, 'Set up').click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor()
  const secret = (await dialog.getByRole('button', { name: /^Copy / }).textContent())!.trim()
  await dialog.getByLabel('Code shown by the app').fill('000000')
  await button(page, 'Turn on').click()
  await page.getByText('not the code of this moment').waitFor()
  await dialog.getByLabel('Code shown by the app').fill(await codeOf(site, secret))
  await page.keyboard.press('Control+Enter')

  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.waitFor()
  const shown = await codes.getByRole('listitem').allTextContents()
  expect(new Set(shown).size).toBe(10)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await codes.isVisible()).toBe(true)
  const downloading = page.waitForEvent('download')
  await button(page, 'Download').click()
  const file = await (await downloading).createReadStream()
  const text = Buffer.concat(await file.toArray()).toString()
  for (const code of shown) expect(text).toContain(code)
  await button(page, 'I have saved them').click()
  await page.getByText('10 of 10 left').waitFor()
  await page.reload()
  await page.getByText('10 of 10 left').waitFor()
  expect(await page.content()).not.toContain(shown[0])

  const web = openWeb(site.door)
  const { body } = await web.call('signIn', { email: somebody.email, password: PASSWORD })
  expect((await web.call('signInSecondFactor', { ticket: body.ticket, recoveryCode: shown[3] })).status).toBe(
    200,
  )
})

test('after a while it asks who is there, and then does what was asked for', async () => {
  const { page, somebody } = await open('/account/security')
  const { secret } = await addTotp(site, somebody.web)
  await page.reload()
  await site.moveClock(16 * 60_000)
  await button(page, 'Make new codes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByLabel('Password', { exact: true }).fill('not my password')
  await button(page, 'Confirm').click()
  await dialog.getByLabel('Code', { exact: true }).waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(site, secret))
  await button(page, 'Confirm').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await nextStep(site)
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(site, secret))
  await button(page, 'Confirm').click()
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
})

test('it asks so for what reaches beyond oneself too, and what was typed is done', async () => {
  const { page } = await open('/settings/members')
  await site.moveClock(16 * 60_000)
  await button(page, 'Invite').click()
  const form = page.getByRole('dialog', { name: 'Invite a member' })
  await form.getByLabel('E-mail').fill('ed@example.com')
  await form.getByLabel('Name').fill('Ed')
  await form.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await page.waitForLoadState('networkidle')
  expect(await button(page, 'Use a passkey').count(), 'there is none').toBe(0)
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Confirm').click()
  await page.getByRole('dialog', { name: 'Ed is invited' }).waitFor()
})

test('an organization requires a second factor of everyone, and leads there who has none', async () => {
  const { page, somebody } = await open('/settings/sign-in')
  await button(page, 'Require second factor').click()
  const dialog = page.getByRole('dialog', { name: 'Require a second factor for everybody?' })
  await dialog.getByRole('button', { name: 'Require second factor' }).click()
  await dialog.getByText('You have no second factor yourself').waitFor()
  expect(await dialog.getByText('Another record').count()).toBe(0)
  // As the operator may, without having one.
  const required = 'update organizations set second_factor_required = true where id = $1'
  await site.administrator.query(required, [somebody.organizationId])
  await page.goto(`${site.url}/settings/sign-in`)
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await button(page, 'Set up').click()
  const secret = (await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Copy / })
    .textContent())!.trim()
  await page.getByLabel('Code shown by the app').fill(await codeOf(site, secret))
  await button(page, 'Turn on').click()
  await button(page, 'I have saved them').click()
  // Until then it asks for nothing that is refused: each refusal would stand in the audit log.
  expect(calls).not.toContain('/web/getRecentChanges')
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: 'Sign-in', level: 1 }).waitFor()
  await expect.poll(() => calls).toContain('/web/getRecentChanges')
  await page.getByText('Required', { exact: true }).waitFor()
  await button(page, 'Make optional').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make optional' }).click()
  await page.getByText('Optional', { exact: true }).waitFor()
})

test('who would rather not say so has lost nothing', async () => {
  const { page } = await open('/account/security')
  await site.moveClock(16 * 60_000)
  await button(page, 'Set up').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a session that ended meanwhile is begun again over the page', async () => {
  const { page, somebody } = await open('/account/security')
  await button(page, 'Change password').click()
  const change = page.getByRole('dialog', { name: 'Change password' })
  await change.getByLabel('Current password').fill(PASSWORD)
  await change.getByLabel('New password').fill('another horse battery')
  await somebody.web.call('signOut')
  await change.getByRole('button', { name: 'Change password' }).click()
  const again = page.getByRole('dialog', { name: 'You were signed out' })
  await again.getByLabel('E-mail').fill(somebody.email)
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The password is changed.').waitFor()
  const web = openWeb(site.door)
  const { status } = await web.call('signIn', { email: somebody.email, password: 'another horse battery' })
  expect(status).toBe(200)
})

test('what is wrong with a new password is said at its field', async () => {
  const { page } = await open('/account/security')
  await button(page, 'Change password').click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('nobody knows it')
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await dialog.getByLabel('New password').fill('Somebody-12345678')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('this is not your password').waitFor()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('guessed first').waitFor()
  await dialog.getByLabel('Current password').fill('nobody knows it')
  await dialog.getByLabel('New password').fill('short')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('at least 12 characters; a few words').waitFor()
  await dialog.getByLabel('New password').fill('another horse battery')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('this is not your password').waitFor()
  expect(await dialog.getByLabel('New password').inputValue()).toBe('another horse battery')
  expect(
    await page.evaluate<string>('document.activeElement.name'),
    'the wrong field is where one types next',
  ).toBe('currentPassword')
})

test('passkeys are added, renamed and removed', async () => {
  const { page } = await open('/account/security')
  await plugInAuthenticator(page)
  await button(page, 'Add passkey').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('My <b>laptop</b>')
  await button(page, 'Continue').click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await button(page, 'Rename My <b>laptop</b>').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await button(page, 'Save name').click()
  await button(page, 'Rename Laptop').waitFor()
  await site.moveClock(16 * 60_000)
  await button(page, 'Remove Laptop').click()
  const dialog = page.getByRole('dialog', { name: 'Remove the passkey “Laptop”?' })
  await dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await button(page, 'Use a passkey').click()
  await page.getByText('None yet.').waitFor()
})

test('a session elsewhere is ended from here', async () => {
  const { page, somebody } = await open('/account/security')
  const elsewhere = openWeb(site.door)
  await elsewhere.call(
    'signIn',
    { email: somebody.email, password: PASSWORD },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  )
  await page.reload()
  const table = page.getByRole('table', { name: 'Sessions' })
  await table
    .getByRole('row', { name: /Firefox on Linux/ })
    .getByRole('button')
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  expect((await elsewhere.call('getSession')).body.state).toBe('signed_out')
})

test('a person of two organizations goes from one to the other, and what was seen is not seen there', async () => {
  const { page, somebody } = await open('/')
  const other = await site.organization()
  await site.administrator.query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     values ($1, $2, $3, 'Guest', 'viewer', clock_now(), clock_now())`,
    [other.id, newId('usr'), somebody.accountId],
  )
  await page.goto(`${site.url}/organizations`)
  await page.getByRole('button', { name: /^Go to Organization/ }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Account of Guest' }).waitFor()
  expect(await page.getByText('All connected apps').count()).toBe(0)
  const refusal = { code: 'identity_unconfirmed', title: 'Not confirmed', detail: 'Sign in with a password.' }
  await page.route(
    '**/web/switchOrganization',
    (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...refusal, status: 403, requestId: null }),
      }),
    { times: 1 },
  )
  await page.getByRole('button', { name: /^Organization: / }).click()
  await page.getByRole('menuitem', { name: /^Organization \d+$/ }).click()
  const told = page.getByRole('dialog', { name: 'The organization was not changed' })
  await told.getByRole('alert').getByText('Sign in with a password.').waitFor()
  await told.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: /^Account of Somebody/ }).waitFor()
})

test('all windows of a browser are one person in one organization', async () => {
  const { page, somebody } = await open('/account/security')
  const other = await site.organization()
  await site.administrator.query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     values ($1, $2, $3, 'Guest', 'viewer', clock_now(), clock_now())`,
    [other.id, newId('usr'), somebody.accountId],
  )
  const second = await page.context().newPage()
  await second.goto(`${site.url}/organizations`)
  await second.getByRole('button', { name: /^Go to Organization/ }).click()
  await second.getByRole('button', { name: 'Account of Guest' }).waitFor()
  await page.getByRole('button', { name: 'Account of Guest' }).waitFor()

  await second.getByRole('button', { name: 'Account of Guest' }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('who signs in over the page of another does not finish what that one began', async () => {
  const { page, somebody } = await open('/account/security')
  const eve = await newSomebody(site, site.door)
  await button(page, 'Change password').click()
  const change = page.getByRole('dialog', { name: 'Change password' })
  await change.getByLabel('Current password').fill(PASSWORD)
  await change.getByLabel('New password').fill('another horse battery')
  await somebody.web.call('signOut')
  await change.getByRole('button', { name: 'Change password' }).click()
  const again = page.getByRole('dialog', { name: 'You were signed out' })
  await again.getByLabel('E-mail').fill(eve.email)
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  for (const { email } of [somebody, eve])
    expect((await openWeb(site.door).call('signIn', { email, password: PASSWORD })).status).toBe(200)
})

test('a person changes what they are called here', async () => {
  const { page, somebody } = await open('/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  await page.getByText(somebody.email).waitFor()
  await page.getByLabel('Name', { exact: true }).fill(' ')
  await button(page, 'Save name').click()
  await page.getByText('Fill this in.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await button(page, 'Save name').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor()
  const { rows } = await site.administrator.query(
    "select action, changes -> 'name' ->> 'to' as name from audit_entries where organization_id = $1 and action = 'user.update'",
    [somebody.organizationId],
  )
  expect(rows).toEqual([{ action: 'user.update', name: 'Grace Hopper' }])
})

test('the colour scheme is chosen, kept, and there before anything is drawn', async () => {
  const { page } = await open('/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const scheme = () => page.evaluate<string>('document.documentElement.dataset.mantineColorScheme')
  expect(await scheme()).toBe('dark')
  await page.route(/built\/main/, () => {}) // the app never comes
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(scheme).toBe('dark')
})
