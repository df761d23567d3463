import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import { type Opening, type Site, startSite, type TestPage } from './support/browser.ts'
import { newSomebody, PASSWORD } from './support/factors.ts'
import { newRequest, type OauthTest, redeem, type TestClient } from './support/oauth.ts'

/* A program asks to be let in; the person sees who and what, takes away and adds, and says yes or no. */

let site: Site
let program: Server
let callback: string
beforeAll(async () => {
  site = await startSite()
  program = createServer((_request, response) => response.end('back at the program'))
  await new Promise<void>((listening) => program.listen(0, '127.0.0.1', listening))
  callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
})
afterAll(async () => {
  await site?.close()
  program?.close()
})

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: TestPage, name: string | RegExp) => page.getByRole('checkbox', { name })

const oauth = () =>
  ({
    base: site.url,
    resource: `${site.url}/v1/mcp`,
    token: async (client: TestClient, form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: client.id, ...form })
      const response = await fetch(`${site.url}/oauth/token`, { method: 'POST', body })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }) as unknown as OauthTest

async function register(metadata: object = {}): Promise<TestClient> {
  const response = await fetch(`${site.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test agent',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  })
  const { client_id: id, redirect_uris } = (await response.json()) as {
    client_id: string
    redirect_uris: string[]
  }
  return { id, redirect: redirect_uris[0]! }
}

/** Opens what a program would open; what it hears back stands in `heard`. */
async function ask(as: Caller | null, scope: string, client?: TestClient, options: Opening = {}) {
  const asked = newRequest(oauth(), client ?? (await register()), { scope })
  const page = await site.open('/docs', {
    ...(as ? { as } : {}),
    ...options,
    expected: [/^asked http:\/\/127\.0\.0\.1:\d+$/],
  })
  await page.goto(asked.url)
  const heard = async () => {
    await page.getByText('back at the program').waitFor()
    return new URL(page.url()).searchParams
  }
  return { page, asked, heard }
}

test('what is left ticked is what the token may do; more can be given at once', async () => {
  const { admin } = await site.organization()
  const { page, asked, heard } = await ask(admin, 'read:risks write:risks')
  await page.getByRole('heading', { name: 'Authorize Test agent?' }).waitFor()
  await page.getByText('127.0.0.1', { exact: true }).waitFor()
  await page.getByText('It runs on this computer').waitFor()
  expect(await box(page, 'Read the risk register').isChecked()).toBe(true)
  await box(page, 'Create, update, link risks and security findings').uncheck()
  await button(page, 'Show 23 more').click()
  await box(page, 'Read vendor inventory').check()
  await button(page, 'Approve').click()
  const answer = await heard()
  expect(answer.get('state')).toBe(asked.state)
  const { body } = await redeem(oauth(), asked, answer.get('code')!)
  expect(body.scope.split(' ').sort()).toEqual(['read:risks', 'read:vendors'])
})

test('no is told to the program', async () => {
  const { admin } = await site.organization()
  const { page, heard } = await ask(admin, 'read:risks')
  await button(page, 'Deny').click()
  expect((await heard()).get('error')).toBe('access_denied')
})

test('with nothing ticked there is nothing to approve', async () => {
  const { admin } = await site.organization()
  const { page } = await ask(admin, 'read:risks')
  await box(page, 'Read the risk register').uncheck()
  expect(await button(page, 'Approve').isDisabled()).toBe(true)
  await page.getByText('Select at least one scope.').waitFor()
})

test('what the role cannot hold is shown, with who can', async () => {
  const { person } = await site.organization()
  const { page, heard, asked } = await ask(await person('viewer'), 'read:risks write:risks')
  const write = box(page, 'Create, update, link risks and security findings')
  expect([await write.isDisabled(), await write.isChecked()]).toEqual([true, false])
  await page.getByText('Your role does not allow this: editor, admin only.').waitFor()
  await button(page, 'Approve').click()
  const { body } = await redeem(oauth(), asked, (await heard()).get('code')!)
  expect(body.scope).toBe('read:risks')
})

test('who is not signed in does that in place, and goes on, however late', async () => {
  const { email } = await newSomebody(site, site.door)
  const { page, heard } = await ask(null, 'read:risks')
  await page.getByText('Sign in to see what it asks for.').waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await button(page, 'Approve').waitFor()

  // Who leaves the page open for long proves once more who they are, and the approval goes on.
  await site.moveClock(16 * 60_000)
  await button(page, 'Approve').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByText('You proved who you are').count()).toBe(0)
  await button(page, 'Approve').click()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  expect((await heard()).get('code')).toBeTruthy()
})

test('a person of two organizations says which; coming back for more it stays there', async () => {
  const [first, second] = [await site.organization(), await site.organization()]
  await site.administrator.query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     values ($1, $2, $3, 'Guest', 'viewer', clock_now(), clock_now())`,
    [second.id, newId('usr'), first.admin.accountId],
  )
  const client = await register()
  const { page, heard } = await ask(first.admin, 'read:risks write:risks', client)
  const write = box(page, 'Create, update, link risks and security findings')
  expect(await write.isDisabled()).toBe(false)
  await page.getByRole('radio', { name: /· viewer/ }).check()
  expect(await write.isDisabled()).toBe(true)
  await button(page, 'Approve').click()
  await heard()
  const { rows } = await site.administrator.query(
    'select organization_id, scopes from connected_apps where client_id = $1',
    [client.id],
  )
  expect(rows).toEqual([{ organization_id: second.id, scopes: ['read:risks'] }])

  const again = await ask(first.admin, 'read:risks read:vendors', client)
  await again.page.getByText('It has access to this organization already and asks for more.').waitFor()
  expect(await again.page.getByRole('radio').count()).toBe(0)
  await again.page.getByText('already granted').waitFor()
})

test('a name that would be markup, or hide the truth, is only text', async () => {
  const { admin } = await site.organization()
  const client = await register({ client_name: '<img src=x onerror=alert(1)> Claude\u202e' })
  const { page } = await ask(admin, 'read:risks', client)
  await page.getByRole('heading', { name: 'Authorize <img src=x onerror=alert(1)> Claude?' }).waitFor()
})

test('a request that is over says so, and approves nothing', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/consent/nothing-here', { as: admin })
  await page.getByRole('alert').getByText('go back to the app').waitFor()
  expect(await button(page, 'Approve').count()).toBe(0)
})
