import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleDenied } from '../server/journal/denied.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* An admin finds out who did what, and takes it along. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const entries = (page: TestPage) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
const PATIENT = { timeout: 15_000 }
const counted = (page: TestPage, count: number) =>
  expect.poll(() => entries(page).count(), PATIENT).toBe(count)
const search = (page: TestPage) => Object.fromEntries(new URL(page.url()).searchParams)

test('an entry tells who, through what, when, and from what to what', async () => {
  const acme = await site.organization()
  const { secret } = await acme.key(['write:risks', 'read:risks'])
  const { body: risk } = await site.door.send(secret, 'POST', '/v1/risks', { body: { title: 'Fire' } })
  const title = '<img src=x onerror=alert(1)>'
  const headers = { 'user-agent': 'probe/1' }
  await site.door.send(secret, 'PATCH', `/v1/risks/${risk.id}`, { body: { title }, headers })
  const page = await site.open('/settings/audit-log', { as: acme.admin })
  const entry = entries(page).filter({ hasText: 'risk.update' })
  await entry.getByText(/^API key of admin \w+$/).waitFor()
  await entry.getByRole('button').click()
  await entry.getByRole('row', { name: `title Fire ${title}` }).waitFor()
  for (const text of ['REST API', 'probe/1', risk.id]) await entry.getByText(text, { exact: true }).waitFor()
  await entry.getByRole('button', { name: 'Only these: Request' }).click()
  await counted(page, 1)
  expect(Object.keys(search(page))).toEqual(['requestId'])
  await page.getByRole('button', { name: /^Remove filter Request id/ }).click()
  await counted(page, 3) // the session is in it, too
})

test('filters stand in the address, and the address is the view', async () => {
  const acme = await site.organization()
  const viewer = await acme.person('viewer')
  await site.call(acme.admin, 'createRisk', { title: 'One' })
  await site.call(acme.admin, 'createControl', { code: 'A.1', title: 'Two' })
  await expect(site.call(viewer, 'createRisk', { title: 'No' })).rejects.toMatchObject({ status: 403 })
  await settleDenied()
  const page = await site.open('/settings/audit-log', { as: acme.admin })
  await counted(page, 4)
  await page.getByLabel('Outcome', { exact: true }).selectOption({ label: 'Refused' })
  await counted(page, 1)
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last hour' })
  expect(search(page)).toEqual({ outcome: 'denied', span: '1h' })
  await page.reload()
  await expect
    .poll(() => entries(page).allTextContents(), PATIENT)
    .toEqual([expect.stringContaining('createRisk')])
  expect(await page.getByLabel('Outcome', { exact: true }).inputValue()).toBe('denied')

  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await page.getByLabel('Person', { exact: true }).selectOption(acme.admin.userId)
  await page.getByRole('button', { name: 'More Filters' }).click()
  await page.getByLabel('Subject type', { exact: true }).fill('control')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => entries(page).allTextContents())
    .toEqual([expect.stringContaining('control.create')])
  expect(search(page)).toEqual({ actingUserId: acme.admin.userId, subjectType: 'control' })
  await page.goBack()
  await counted(page, 3)

  await page.goto(`${site.url}/settings/audit-log?action=risk.delete`)
  await page.getByText('No entry is of this filter').waitFor()
  await page.goto(`${site.url}/settings/audit-log?from=yesterday`)
  await page.getByRole('alert').getByText('from: Invalid ISO datetime').waitFor()
})

test('what the filter shows is exported whole, harmless to a spreadsheet, and can be stopped', async () => {
  const acme = await site.organization()
  const titles = ['=1+1', '+SUM(A1)', '@cmd', '-2', '\t=3', 'say "hi", twice', 'two\nlines']
  for (const title of titles) await site.call(acme.admin, 'createRisk', { title })
  for (let made = 0; made < 4; made++) {
    const rows = Array.from({ length: 100 }, (_, row) => ({ title: `Risk ${made} ${row}` }))
    await site.call(acme.admin, 'createRiskBatch', { records: rows })
  }
  await site.call(acme.admin, 'createControl', { code: 'A.1', title: 'Not in it' })
  const page = await site.open('/settings/audit-log?subjectType=risk', { as: acme.admin })
  await page.getByRole('button', { name: 'Export …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export the audit log' })
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync((await csv.path())!, 'utf8')
  expect(text.startsWith('\uFEFF"time","action","outcome"')).toBe(true)
  expect(text).not.toContain('Not in it')
  expect(text.match(/"risk\.create"/g)).toHaveLength(407)
  for (const cell of [`"'=1+1"`, `"'+SUM(A1)"`, `"'@cmd"`, `"'-2"`, `"say ""hi"", twice"`, '"two\nlines"'])
    expect(text).toContain(cell)
  expect(text).not.toMatch(/(^|,)"[=+@-]/m)

  await dialog.getByLabel('JSON lines, for programs').check()
  let held: (() => void) | undefined
  let calls = 0
  await page.route('**/web/listAuditLog', async (route) => {
    if (++calls === 2) await new Promise<void>((resolve) => (held = resolve))
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.getByText('200 entries so far').waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  held!()
  await dialog.getByText('Stopped after 400 entries.').waitFor()
  const [lines] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Go On' }).click(),
  ])
  const all = readFileSync((await lines.path())!, 'utf8')
    .trimEnd()
    .split('\n')
  expect(all).toHaveLength(407)
  expect(new Set(all.map((line) => JSON.parse(line).id)).size).toBe(407)
})
