import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Promise: a record is archived and brought back on its page, and registers show what is archived where they are asked to. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('a risk goes into the archive with its treatments, is found there, and comes back', async () => {
  const { admin } = await site.organization()
  const make = async (name: string, input: object) =>
    (await site.call(admin, name, input)).body as { id: string; reference: string }
  const control = await make('createControl', { code: 'NET-1', title: 'Gateways are patched' })
  const risk = await make('createRisk', { title: 'Unpatched gateway', likelihood: 'likely', impact: 'major' })
  const other = await make('createRisk', { title: 'Shared account' })
  await make('createRiskTreatment', { riskId: risk.id, action: 'Patch it' })
  for (const { id } of [risk, other])
    await site.call(admin, 'linkRisk', { id, targetKind: 'control', targetId: control.id })
  const page = await site.open(`/risks/${risk.id}`, { as: admin, viewport: { width: 1280, height: 900 } })

  const more = page.getByRole('button', { name: 'More about this record' })
  await page.getByRole('button', { name: 'Edit title' }).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  const dialog = page.getByRole('dialog', { name: `Archive ${risk.reference}?` })
  await dialog.getByText('1 risk treatment').waitFor()
  await page.picture('archive-dialog')
  await dialog.getByRole('button', { name: 'Archive risk' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByText(/^Archived by /).waitFor()
  expect(await page.getByRole('button', { name: /^(Edit|Status:|Add details|Link )/ }).count()).toBe(0)
  await page.picture('archived-record')
  await page.getByRole('tab', { name: /^Treatments/ }).click()
  await page.getByRole('row', { name: /Archived.*Patch it/ }).waitFor()
  expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0)

  await page.visit(`/controls/${control.id}`)
  const links = page.getByRole('complementary')
  await links.getByText('Archived', { exact: true }).waitFor()
  expect(await links.getByRole('button', { name: `Unlink risk ${risk.reference}` }).count()).toBe(0)

  await page.visit('/risks')
  // A row of the register: the page before has links with both.
  await page.getByRole('row', { name: /Shared account/ }).waitFor()
  expect(await page.getByRole('row', { name: /Unpatched gateway/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Archived' }).click()
  await page.getByRole('radio', { name: 'Active and archived' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Archived.*Unpatched gateway/ }).waitFor()
  await page.picture('archived-register')
  await page.getByRole('link', { name: 'Unpatched gateway' }).click()
  await more.click()
  await page.getByRole('menuitem', { name: 'Unarchive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unarchive risk' }).click()
  await page.getByRole('button', { name: 'Edit title' }).waitFor()
  expect(await page.getByText(/^Archived by /).count()).toBe(0)
  expect((await site.call(admin, 'getRisk', { id: risk.id })).body).toMatchObject({ archivedAt: null })
})
