/** Promise: a kind with none of the names that others use has every page that the others have. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, startBrowser, type TestPage } from './support/browser.ts'
import { freePort } from './support/free-port.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { addTheirTables } from './support/undertakings.ts'
import { until } from './support/until.ts'

const ROOT = join(import.meta.dirname, '..')
const FAMILY = ['undertaking', 'errand', 'errand-rules']

let one: TestService
let acme: TestOrganization
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
  await addTheirTables(one)
  const clone = makeClone()
  const port = await freePort()
  url = `http://localhost:${port}`
  const program = spawn(process.execPath, ['server/main.ts'], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{
        DATABASE_URL: one.database.url,
        MASTER_KEY: one.masterKey,
        LOG_LEVEL: 'silent',
        METRICS_PORT: '0',
      },
      ...{ PORT: String(port), PUBLIC_URL: url },
    },
  })
  close = async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    program.kill('SIGTERM')
    await ended
    rmSync(clone, { recursive: true, force: true })
    await one.close()
  }
  await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true)
})
afterAll(() => close?.())

/** The sources with the family in their list of kinds, and the pages built from them. */
function makeClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'plumbline kinds '))
  for (const name of ['model', 'server', 'web', 'bin', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(clone, name), {
      recursive: true,
      filter: (source) => !/[/\\]web[/\\]dist/.test(source),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  for (const name of FAMILY) {
    const source = readFileSync(join(import.meta.dirname, `support/${name}.ts`), 'utf8')
    writeFileSync(join(clone, `model/kinds/${name}.ts`), source.replaceAll('../../model/', '../'))
  }
  const index = join(clone, 'model/kinds/index.ts')
  const imports =
    "import { errand, keepsake } from './errand.ts'\nimport { undertaking } from './undertaking.ts'\n"
  const listed = readFileSync(index, 'utf8').replace(
    '\n} as const',
    '\n  undertaking,\n  errand,\n  keepsake,\n} as const',
  )
  writeFileSync(index, imports + listed)
  const script =
    "require('./bin/setup/web.cjs').ensureWebBuilt({ root: process.cwd(), node: process.execPath })"
  const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: clone, encoding: 'utf8' })
  expect(stderr).toContain('building the pages of the web app')
  expect(stderr).not.toContain('could not be built')
  return clone
}

async function open(path: string): Promise<TestPage> {
  const options = { as: acme.admin, viewport: { width: 1280, height: 900 } }
  return openPage(await startBrowser(), { service: one.service } as never, new URL(path, url), options)
}

/** As a program of the organization would. */
let secret: string | undefined
async function make(path: string, body: object): Promise<{ id: string; reference: string }> {
  secret ??= (await acme.key(['read:risks', 'write:risks', 'read:controls', 'write:controls'])).secret
  const answer = await fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string; reference: string }
}

test('it is added in its list, and found there by its choices and by search', async () => {
  const page = await open('/undertakings')
  await page.getByRole('button', { name: 'Add undertaking' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Action').fill('Dig a well')
  await form.getByLabel('Plan', { exact: true }).fill('Water')
  await form.getByRole('button', { name: 'Add undertaking' }).click()
  await page.getByRole('link', { name: 'Dig a well' }).waitFor()
  await make('undertakings', { action: 'Fill a well', exposure: 'grave' })
  await page.goto(`${url}/undertakings?exposure=grave`)
  await page.getByRole('link', { name: /Fill a well/ }).waitFor()
  expect(await page.getByRole('link', { name: /Dig a well/ }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search pages, records and actions' }).fill('dig a w')
  await page.getByRole('option', { name: /Dig a well/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Dig a well' }).waitFor()
})

test('it goes through both its states, is changed in its place, and its history says so', async () => {
  const { id } = await make('undertakings', { action: 'Pump' })
  const page = await open(`/undertakings/${id}`)
  await page.getByRole('button', { name: /Consent/ }).click()
  await page.getByRole('menuitem', { name: 'Given' }).click()
  await page.getByRole('button', { name: /Consent.*Given|Given.*Consent/ }).waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Asked').first().waitFor()
  expect((await read(id)).consent).toBe('given')
})

test('its links stand by the words of their relations, with what they say', async () => {
  const [{ id }, risk] = [
    await make('undertakings', { action: 'Carry' }),
    await make('risks', { title: 'Walls fall in' }),
  ]
  const page = await open(`/undertakings/${id}`)
  const aftermaths = page.getByRole('region', { name: 'Aftermaths' })
  await aftermaths.getByRole('button', { name: 'Link an aftermath' }).click()
  await page.getByRole('menuitem', { name: 'Heavy' }).click()
  await page.getByPlaceholder('Search aftermaths').fill('walls')
  await page.getByRole('option', { name: /Walls fall in/ }).click()
  await aftermaths.getByRole('link', { name: `${risk.reference} Walls fall in` }).waitFor()
  await aftermaths.getByText('Heavy').waitFor()
  const edit = `Edit the link with ${risk.reference}`
  await aftermaths.getByRole('button', { name: edit }).click()
  await page.getByLabel('Seen').fill('2026-05-17')
  await page.getByRole('button', { name: 'Save' }).click()
  await aftermaths.getByText('May 17, 2026').waitFor()
  await page.reload()
  await aftermaths.getByText('Heavy').waitFor()
  await aftermaths.getByText('May 17, 2026').waitFor()
  await page.picture('link-said')
  await page.goto(`${url}/risks/${risk.id}`)
  const origins = page.getByRole('region', { name: 'Origins' })
  await origins.getByRole('link', { name: /Carry/ }).waitFor()
  await origins.getByText('May 17, 2026').waitFor()
  expect(await origins.getByRole('button', { name: edit }).count()).toBe(0)
})

test('what is under it has tabs of its own, and is added there', async () => {
  const { id } = await make('undertakings', { action: 'Line it with stone' })
  const page = await open(`/undertakings/${id}`)
  await page.getByRole('tab', { name: 'Errands' }).click()
  await page.getByRole('button', { name: 'Add errand' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Chore').fill('Fetch stone')
  await form.getByLabel('Mark').fill('a.1')
  await form.getByRole('button', { name: 'Add errand' }).click()
  await page.getByRole('link', { name: /Fetch stone/ }).waitFor()
  await page.goto(`${url}/undertakings/${id}`)
  await page.getByRole('tab', { name: 'Errands' }).click()
  await page.getByRole('link', { name: /Fetch stone/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Fetch stone' }).waitFor()
})

async function read(id: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/v1/undertakings/${id}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  return (await answer.json()) as Record<string, unknown>
}
