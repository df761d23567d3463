import { afterAll, beforeAll, expect, test } from 'vitest'
import { webPathOf } from '../server/doors/web.ts'
import { operations, operationsBy } from '../server/operations.ts'
import {
  type ForeignPage,
  fetchAll,
  frame,
  isOutOfReach,
  openWindow,
  serveForeignPage,
  submitForm,
} from './support/browser/foreign-page.ts'
import { cookieOf, type Site, startSite } from './support/browser.ts'
import { coveredOperations, sample } from './support/coverage.ts'
import { newSomebody, PASSWORD, type Somebody } from './support/factors.ts'

/*
 * Another site, opened in the browser of somebody who is signed in here, tries what a page can do: forms of every
 * encoding, requests with the cookie with and without a preflight, a frame, and a sign-in in the attacker's name.
 * It is a real second origin: a page of another host and port, in the same browser.
 */

let site: Site
let elsewhere: ForeignPage
let victim: Somebody

beforeAll(async () => {
  site = await startSite()
  victim = await newSomebody(site, site.door)
  elsewhere = await serveForeignPage()
})
afterAll(async () => {
  await site?.close()
  elsewhere.close()
})

/** A browser in which the victim is signed in, on the attacker's page. */
async function lured(as: Somebody | null = victim) {
  const context = await site.browser.newContext()
  if (as) await context.addCookies([await cookieOf(site.door, as as never, site.url)])
  const page = await context.newPage()
  await page.goto(elsewhere.url)
  const cookie = async () => (await context.cookies(site.url)).find(({ name }) => name === 'plumbline')?.value
  return { context, page, cookie }
}

/** Every path that changes anything, by whichever door. */
const UNSAFE = [
  ...coveredOperations(operations).map((operation) => webPathOf(operation).replace('{uid}', 'some-request')),
  ...coveredOperations(operationsBy('credential'))
    .filter(({ method }) => method !== 'GET')
    .map(({ path }) => path.replace(/\{\w+\}/g, 'risk_01k9f8qxk2e9mbz6w0h5t4v3ra')),
  '/v1/mcp',
]

/** How a page may send what it likes: of these, each path gets two in a run. */
const WAYS = ['text/plain', 'application/x-www-form-urlencoded', 'application/json'].flatMap((type) =>
  (['cors', 'no-cors'] as const).map((mode) => ({ type, mode })),
)

/** What anybody could see change: everything but what counting leaves. */
async function stateOf(): Promise<string> {
  const { rows } = await site.administrator.query(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('audit_entries', 'sign_in_counts')`)
  const sums = rows.map(({ name }) =>
    name === 'sessions'
      ? '(select string_agg(id, chr(32) order by id) from sessions)'
      : `(select coalesce(md5(string_agg(t::text, '' order by t::text)), '') from ${name} t)`,
  )
  return JSON.stringify((await site.administrator.query(`select ${sums.join(', ')}`)).rows[0])
}

test('no fetch does anything, whatever it calls itself', async () => {
  const { context, page, cookie } = await lured()
  const [before, held] = [await stateOf(), await cookie()]
  const requests = UNSAFE.flatMap((path) =>
    sample(WAYS, 2, path).map((way) => ({
      url: site.url + path,
      method: 'POST',
      ...way,
      body: '{"title":"From elsewhere"}',
    })),
  )
  const others = UNSAFE.filter((path) => path.startsWith('/v1')).flatMap((path) =>
    sample(['PUT', 'PATCH', 'DELETE'], 1, path).map((method) => ({ url: site.url + path, method })),
  )
  expect(await fetchAll(page, [...requests, ...others])).toEqual([])
  expect(await stateOf()).toBe(before)
  expect(await cookie()).toBe(held)
  await context.close()
})

test.each(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])(
  'no form (%s) does anything',
  async (encoding) => {
    const { context, page, cookie } = await lured()
    const [before, held] = [await stateOf(), await cookie()]
    for (const path of ['/web/signOut', '/web/createRisk', '/web/createApiKey', '/v1/risks', '/v1/mcp']) {
      const status = await submitForm(page, site.url + path, encoding, '{"title":"From elsewhere","x":"')
      expect([401, 403], path).toContain(status)
      await page.goto(elsewhere.url)
    }
    expect(await stateOf()).toBe(before)
    expect(await cookie()).toBe(held)
    await context.close()
  },
)

test('nobody is signed in as the attacker without knowing', async () => {
  const attacker = await newSomebody(site, site.door)
  const { context, page, cookie } = await lured(null)
  const given = JSON.stringify({ email: attacker.email, password: PASSWORD }).replace(/\}$/, ',"x":"')
  expect(await submitForm(page, `${site.url}/web/signIn`, 'text/plain', given)).toBe(403)
  expect(await cookie()).toBeUndefined()
  await context.close()
})

test('no page of ours stands in a frame of another', async () => {
  const { context, page } = await lured()
  for (const path of ['/', '/sign-in', '/account/security', '/consent/some-request', '/docs']) {
    await frame(page, site.url + path)
    await expect
      .poll(() => page.frames().at(-1)?.url(), { message: path })
      .toBe('chrome-error://chromewebdata/')
  }
  await context.close()
})

test('a window that another site opened is out of its reach', async () => {
  const { context, page } = await lured()
  const opened = context.waitForEvent('page')
  await openWindow(page, `${site.url}/account/security`)
  await (await opened).getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  expect(await isOutOfReach(page)).toBe(true)
  await context.close()
})

test('no script reads the cookie', async () => {
  const page = await site.open('/account/security', { as: victim as never })
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  expect(await page.evaluate('document.cookie')).toBe('')
})
