import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Vendors in the app: contacts one by one, two that are one, and what was discovered. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

type Made = { id: string; reference: string; [field: string]: unknown }
const started = async () => {
  const { admin, person } = await site.organization()
  const call = async (name: string, input: object = {}) => (await site.call(admin, name, input)).body as Made
  return { admin, call, editor: await person('editor'), viewer: await person('viewer') }
}

test('contacts are added, changed and removed where they stand, and keep their ids', async () => {
  const { call, editor } = await started()
  const page = await site.open('/vendors?add=true', { as: editor })
  const drawer = page.getByRole('dialog', { name: 'Add a vendor' })
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Example Cloud')
  await drawer.getByRole('button', { name: 'More fields' }).click()
  const add = drawer.getByRole('button', { name: 'Add to contacts' })
  await add.click()
  const first = drawer.getByRole('group', { name: 'Contacts 1' })
  await expect
    .poll(() => page.evaluate('document.activeElement.outerHTML'), { timeout: 5_000 })
    .toContain('name="name"')
  await page.keyboard.type('Ada Ray')
  await first.getByLabel('E-mail').fill('nowhere')
  await first.getByLabel('Security contact').check()
  await add.click()
  await drawer.getByRole('group', { name: 'Contacts 2' }).getByLabel('Name').fill('Bo Lind')
  await add.click()
  await drawer.getByRole('button', { name: 'Add vendor' }).click()
  await drawer
    .getByText(/E-?mail/i)
    .and(drawer.locator('.mantine-InputWrapper-error'))
    .waitFor()
  await first.getByLabel('E-mail').fill('ada@cloud.example')
  await drawer.getByRole('button', { name: 'Add vendor' }).click()
  await drawer.waitFor({ state: 'detached' })
  const { data } = (await call('listVendors')) as unknown as { data: Made[] }
  const contacts = data[0]!.contacts as { id: string; name: string }[]
  // What nothing was filled in is none.
  expect(contacts).toMatchObject([
    { name: 'Ada Ray', email: 'ada@cloud.example', isSecurityContact: true },
    { name: 'Bo Lind' },
  ])

  await page.visit(`/vendors/${data[0]!.id}`)
  const section = page.getByRole('region', { name: 'Contacts' })
  await section.getByText('ada@cloud.example').waitFor()
  expect(await section.getByText(/vct_/).count()).toBe(0)
  await page.getByRole('button', { name: 'Edit contacts' }).click()
  await page.getByRole('group', { name: 'Contacts 2' }).getByLabel('Role').fill('Sales')
  await page.getByRole('button', { name: 'Remove 1 of contacts' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await call('getVendor', { id: data[0]!.id })).contacts)
    .toEqual([{ ...contacts[1], role: 'Sales' }])
})

test('of two that are chosen one stays, after it was said what moves', async () => {
  const { call, editor } = await started()
  const kept = await call('createVendor', { name: 'Zoom', website: 'https://zoom.example/' })
  const gone = await call('createVendor', { name: 'Zoom Inc', legalName: 'Zoom Inc.' })
  await call('createAsset', { name: 'Meetings', type: 'saas_account', vendorId: gone.id })
  const risk = await call('createRisk', { title: 'Calls are overheard' })
  for (const { id } of [kept, gone])
    await call('linkRisk', { id: risk.id, targetKind: 'vendor', targetId: id })
  const page = await site.open('/vendors', { as: editor })
  for (const { reference } of [kept, gone]) await page.getByLabel(`Select ${reference}`).click()
  await page.getByRole('button', { name: 'Merge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge two vendors' })
  await dialog.getByLabel(/Zoom$/).check()
  const plan = dialog.getByRole('region', { name: 'What will happen' })
  await plan.getByText(`1 asset will point at ${kept.reference}.`).waitFor()
  await plan.getByText(`1 risk will be linked with ${kept.reference}, of which 1 is already.`).waitFor()
  await plan.getByText(`${kept.reference} takes what it lacks: Legal name.`).waitFor()
  // Meanwhile somebody changes what was looked at: it is asked again.
  await call('updateVendor', { id: gone.id, notes: 'Seen' })
  const submit = dialog.getByRole('button', { name: `Merge ${gone.reference} into ${kept.reference}` })
  await submit.click()
  await plan.getByText(`${kept.reference} takes what it lacks: Legal name, notes.`).waitFor()
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Zoom Inc' }).waitFor({ state: 'detached' })
  expect(await call('getVendor', { id: kept.id })).toMatchObject({ legalName: 'Zoom Inc.', notes: 'Seen' })
})

test('what was discovered is taken up, merged or dismissed, and waits no more', async () => {
  const { call, editor } = await started()
  const person = await call('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const known = await call('createVendor', { name: 'Slack' })
  const found = async (name: string) =>
    call('createVendor', { name, discoveredBy: 'Single sign-on', website: 'https://found.example/' })
  const [taken, double, none] = [await found('Figma'), await found('Slack Ltd'), await found('Private blog')]
  const page = await site.open('/vendors/discovered', { as: editor })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Figma').getByRole('button', { name: 'Take up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Business owner' }).click()
  await page.getByRole('option', { name: 'Bo Lind' }).click()
  await dialog.getByRole('button', { name: 'Take up' }).click()
  await row('Figma').waitFor({ state: 'detached' })
  expect(await call('getVendor', { id: taken.id })).toMatchObject({
    lifecycleStage: 'intake',
    ownerId: person.id,
  })

  await row('Private blog').getByRole('button', { name: 'Dismiss' }).click()
  await dialog.getByLabel('Reason for the status').fill('Nobody works with it')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await row('Private blog').waitFor({ state: 'detached' })
  expect(await call('getVendor', { id: none.id })).toMatchObject({ status: 'rejected' })

  await row('Slack Ltd').getByRole('button', { name: 'Merge' }).click()
  await dialog.getByRole('button', { name: 'The other vendor' }).click()
  await page.getByRole('option', { name: /^Slack VEN/ }).click()
  await dialog.getByLabel(/Slack$/).check()
  await dialog.getByRole('button', { name: `Merge ${double.reference} into ${known.reference}` }).click()
  await page.waitForURL(`**/vendors/${known.id}`)
  await page.visit('/vendors/discovered')
  await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
})

test('whoever only reads is offered none of it', async () => {
  const { call, viewer } = await started()
  await call('createVendor', { name: 'Figma', discoveredBy: 'Single sign-on' })
  const page = await site.open('/vendors/discovered', { as: viewer })
  await page.getByRole('link', { name: /Figma/ }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: /Take up|Merge|Dismiss/ }).count()).toBe(0)
})
