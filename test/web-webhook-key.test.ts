import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { runCurl } from './support/curl.ts'

/* The two scopes that no other key has: made where the endpoints are, by themselves, and ready to use. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const sample = async (page: TestPage, name: string): Promise<string> =>
  (await page.getByRole('figure', { name }).locator('pre').textContent())!.trim()

async function openForm() {
  const { admin } = await site.organization()
  const page = await site.open('/settings/webhooks', { as: admin })
  await button(page, 'New webhook-management key').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Endpoints')
  return { admin, page }
}

test('the key has exactly the pair, is shown once, and its samples run as they stand', async () => {
  const { admin, page } = await openForm()
  const { body: made } = await site.call(admin, 'createWebhookEndpoint', {
    address: 'https://hooks.example.com/plumbline',
    signalTypes: ['risk.created'],
  })
  expect(await page.getByRole('dialog').locator('label code').allTextContents()).toEqual([
    'read:webhooks',
    'write:webhooks',
  ])
  await page.getByText('send it to any public address').waitFor()
  await page.keyboard.press('Control+Enter')
  await button(page, 'I have saved it').waitFor()
  const secret = await sample(page, 'API key')

  const { status, body } = await runCurl(site.door, await sample(page, 'Try it'))
  expect([status, body.data]).toEqual([200, [expect.objectContaining({ id: (made as { id: string }).id })]])
  expect(await runs(await sample(page, 'The same in TypeScript'), secret)).toBe(
    'on  https://hooks.example.com/plumbline\n',
  )
  expect((await site.door.send(secret, 'GET', '/v1/me')).body).toMatchObject({
    scopes: ['read:webhooks', 'write:webhooks'],
  })
  expect((await site.door.send(secret, 'GET', '/v1/risks')).status).toBe(403)

  await button(page, 'I have saved it').click()
  expect(await page.content()).not.toContain(secret)
  await page.getByRole('link', { name: 'All API keys' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Endpoints' })
  await row.getByText('read:webhooks, write:webhooks').waitFor()
  expect(await button(page, 'New webhook-management key').count()).toBe(0)
})

test('either one alone will do', async () => {
  const { page } = await openForm()
  await page.getByLabel('read:webhooks').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const { body } = await runCurl(site.door, await sample(page, 'Try it'))
  expect(body).toMatchObject({ scopes: ['write:webhooks'] })
})

/** @returns what it wrote */
async function runs(program: string, key: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-sample-'))
  try {
    writeFileSync(join(folder, 'sample.mts'), program)
    const env = { ...process.env, PLUMBLINE_KEY: key, NO_PROXY: 'localhost', no_proxy: 'localhost' }
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'sample.mts')], { env })
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
