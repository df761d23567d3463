import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* Custom fields: an admin defines them, and forms, records and registers have them as any other field. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const ask = async <Body>(as: Caller, name: string, input: object = {}): Promise<Body> =>
  (await site.call(as, name, input)).body as Body
const choices = [
  { key: 'emea', label: 'Europe' },
  { key: 'apac', label: 'Asia and Pacific' },
]
const act = async (page: TestPage, label: string, item: string) => {
  await button(page, `Actions for ${label}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

interface Field {
  name: string
  retired: boolean
  [member: string]: unknown
}
const fields = async (as: Caller) => (await ask<{ data: Field[] }>(as, 'listCustomFields')).data

test('an admin defines one, changes it, retires and restores it, and deletes what nobody uses', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/settings/custom-fields', { as: admin })
  await page.getByRole('heading', { name: 'No custom fields yet' }).waitFor()
  await button(page, 'Define custom field').click()
  const drawer = page.getByRole('dialog', { name: 'Define a custom field' })
  await drawer.getByRole('button', { name: 'Define field' }).click()
  expect(await drawer.getByText('Fill this in.').count()).toBe(3)
  await drawer.getByLabel('Label').fill('Sales région')
  expect(await drawer.getByLabel('Name').inputValue()).toBe('salesRegion')
  await drawer.getByLabel('Type').selectOption('One of a list')
  await drawer.getByLabel('Choice 1', { exact: true }).fill('Europe')
  await drawer.getByLabel('Choice 1', { exact: true }).press('Enter')
  await drawer.getByLabel('Choice 2', { exact: true }).fill('Asia & Pacific')
  await drawer.getByRole('button', { name: 'Move Asia & Pacific up' }).click()
  await drawer.getByLabel('Risks').check()
  await drawer.getByRole('button', { name: 'Define field' }).click()
  await page
    .getByRole('row', { name: /Sales région salesRegion One of a list Risks Optional Active/ })
    .waitFor()
  expect(await fields(admin)).toMatchObject([
    {
      name: 'salesRegion',
      type: 'choice',
      choices: [
        { key: 'asia_pacific', label: 'Asia & Pacific' },
        { key: 'europe', label: 'Europe' },
      ],
    },
  ])

  await act(page, 'Sales région', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit “Sales région”' })
  expect(await edit.getByLabel('Name').isDisabled()).toBe(true)
  await edit.getByRole('button', { name: 'Retire Europe' }).click()
  await edit.getByText('Retired: kept by what has it').waitFor()
  await edit.getByLabel('Required').check()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('cell', { name: 'Required', exact: true }).waitFor()
  expect((await fields(admin))[0]).toMatchObject({ required: true, choices: [{}, { retired: true }] })

  await act(page, 'Sales région', 'Retire')
  await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
  await page.getByText('Retired', { exact: true }).waitFor()
  await act(page, 'Sales région', 'Restore')
  await page.getByText('Active', { exact: true }).waitFor()

  const risk = await ask<{ id: string }>(admin, 'createRisk', {
    title: 'A risk',
    customFields: { salesRegion: 'asia_pacific' },
  })
  await act(page, 'Sales région', 'Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText(/There are risks with a value of it: retire it instead/).waitFor()
  await ask(admin, 'deleteRisk', { id: risk.id })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No custom fields yet' }).waitFor()
})

test('a taken name is told at its field', async () => {
  const { admin } = await site.organization()
  const given = { name: 'site', label: 'Site', type: 'text', kinds: ['risk'] }
  await ask(admin, 'createCustomField', given)
  const page = await site.open('/settings/custom-fields', { as: admin })
  await button(page, 'Define custom field').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Label').fill('Site')
  await drawer.getByLabel('Risks').check()
  await drawer.getByRole('button', { name: 'Define field' }).click()
  await drawer.getByText(/There is a custom field site already/).waitFor()
  expect(await drawer.getByLabel('Label').inputValue()).toBe('Site')
})

/** One of each type, of risks. */
async function defineAll(admin: Caller): Promise<void> {
  for (const [type, label, more] of [
    ['choice', 'Region', { choices, required: true }],
    ['text', 'Site', { description: 'Where it stands' }],
    ['number', 'Budget', {}],
    ['date', 'Signed on', {}],
    ['boolean', 'Shared', {}],
    ['choices', 'Markets', { choices }],
    ['url', 'Wiki', {}],
  ] as const)
    await ask(admin, 'createCustomField', {
      name: label.toLowerCase().replace(' ', '_'),
      label,
      type,
      kinds: ['risk'],
      ...more,
    })
}

test('a form asks for them with the right inputs, and what is required among the first', async () => {
  const one = await site.organization()
  await defineAll(one.admin)
  const page = await site.open('/risks?add=true', { as: await one.person('editor') })
  const drawer = page.getByRole('dialog', { name: 'Add a risk' })
  await drawer.getByLabel('Title').fill('A new risk')
  await drawer.getByRole('button', { name: 'Add risk' }).click()
  await drawer.getByText('Fill this in.').waitFor()
  await drawer.getByLabel('Region').selectOption('Asia and Pacific')
  await drawer.getByRole('button', { name: 'More fields' }).click()
  const custom = drawer.getByRole('group', { name: 'Custom fields', exact: true }).first()
  await custom.getByText('Where it stands').waitFor()
  await custom.getByLabel('Site').fill('Vienna')
  await custom.getByLabel('Budget').fill('12.5')
  await custom.getByLabel('Signed on').fill('2026-05-17')
  await custom.getByLabel('Shared').check()
  await custom.getByLabel('Europe').check()
  await custom.getByLabel('Wiki').fill('example.com')
  await drawer.getByRole('button', { name: 'Add risk' }).click()
  await drawer.getByText(/is not an address/).waitFor()
  await custom.getByLabel('Wiki').fill('https://example.com/wiki')
  await drawer.getByRole('button', { name: 'Add risk' }).click()
  await page.getByText(/RSK-\d was added/).waitFor()
  const { data } = await ask<{ data: { customFields: unknown }[] }>(one.admin, 'listRisks')
  expect(data[0]!.customFields).toEqual({
    region: 'apac',
    site: 'Vienna',
    budget: 12.5,
    signed_on: '2026-05-17',
    shared: true,
    markets: ['emea'],
    wiki: 'https://example.com/wiki',
  })
})

test('a record shows them by their labels, and each is changed where it stands', async () => {
  const one = await site.organization()
  await defineAll(one.admin)
  const customFields = { region: 'emea', budget: 7, markets: ['emea', 'apac'], wiki: 'https://example.com/' }
  const risk = await ask<{ id: string }>(one.admin, 'createRisk', {
    title: 'A risk',
    customFields: { ...customFields, free: 'kept as it is' },
  })
  const page = await site.open(`/risks/${risk.id}`, { as: await one.person('editor') })
  const section = page.getByRole('region', { name: 'Custom fields' })
  await section.getByText('Europe, Asia and Pacific').waitFor()
  await section.getByRole('link', { name: 'https://example.com/' }).waitFor()
  await section.getByRole('button', { name: 'Edit Region' }).click()
  await page.getByRole('menuitem', { name: 'Asia and Pacific' }).click()
  await section.getByRole('button', { name: 'Edit Budget' }).click()
  await section.getByLabel('Budget').fill('8.25')
  await section.getByLabel('Budget').press('Enter')
  const kept = () =>
    expect.poll(
      async () => (await ask<{ customFields: object }>(one.admin, 'getRisk', { id: risk.id })).customFields,
    )
  await kept().toEqual({ ...customFields, region: 'apac', budget: 8.25, free: 'kept as it is' })

  // What nobody has defined stands in one place, and none of the others stands there again.
  const others = page.getByRole('region', { name: 'Other fields' })
  await others.getByText('kept as it is').waitFor()
  expect(await others.getByText('apac').count()).toBe(0)
  await others.getByRole('button', { name: 'Edit Other custom fields' }).click()
  await others.getByLabel('Value of free').fill('changed')
  await others.getByRole('button', { name: 'Save' }).click()
  await kept().toEqual({ ...customFields, region: 'apac', budget: 8.25, free: 'changed' })

  await button(page, 'Add details').click()
  await page.getByRole('menuitem', { name: /^Site/ }).click()
  await section.getByLabel('Site').fill(' Graz ')
  await section.getByLabel('Site').press('Enter')
  await section.getByText('Graz', { exact: true }).waitFor()
})

test('a register shows them as columns, finds by them, and saves them in its file', async () => {
  const one = await site.organization()
  await defineAll(one.admin)
  for (const [title, region, budget] of [
    ['In Europe', 'emea', 5],
    ['In Asia', 'apac', 10.5],
  ] as const)
    await ask(one.admin, 'createRisk', { title, customFields: { region, budget, site: title } })
  const page = await site.open('/risks', { as: one.admin })
  await button(page, 'Columns').click()
  await page.getByLabel('Region').check()
  await page.getByLabel('Budget').check()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Region' }).waitFor()
  await page.getByRole('cell', { name: 'Asia and Pacific' }).waitFor()

  await button(page, 'Filter').click()
  await page.getByRole('menuitem', { name: 'Region', exact: true }).click()
  await page.getByLabel('Europe').check()
  await page.getByText('1 risk', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'In Europe' }).waitFor()
  expect(new URL(page.url()).search).toBe('?customFields.region=emea')

  const narrow = await site.open('/risks?customFields.budget.min=10.5', { as: one.admin })
  await narrow.getByRole('link', { name: 'In Asia' }).waitFor()
  await narrow.getByText('1 risk', { exact: true }).waitFor()
  const download = narrow.waitForEvent('download')
  await button(narrow, 'Export and import').click()
  await narrow.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  const [head, line] = readFileSync(await (await download).path(), 'utf8').split('\r\n')
  expect(head).toContain('Region')
  expect(line).toContain('Asia and Pacific')
})

test('what is retired is neither asked for nor shown, and another kind has none of it', async () => {
  const one = await site.organization()
  await defineAll(one.admin)
  const { data } = await ask<{ data: { id: string; name: string }[] }>(one.admin, 'listCustomFields')
  const risk = await ask<{ id: string }>(one.admin, 'createRisk', {
    title: 'A risk',
    customFields: { region: 'emea', site: 'Vienna' },
  })
  const { id } = data.find(({ name }) => name === 'site')!
  await ask(one.admin, 'updateCustomField', { id, retired: true })
  const page = await site.open(`/risks/${risk.id}`, { as: one.admin })
  await page.getByRole('region', { name: 'Custom fields' }).getByText('Europe').waitFor()
  expect(await page.getByText('Vienna').count()).toBe(0)
  const assets = await site.open('/assets?add=true', { as: one.admin })
  const drawer = assets.getByRole('dialog', { name: 'Add an asset' })
  await drawer.getByRole('button', { name: 'More fields' }).click()
  expect(await drawer.getByLabel('Region').count()).toBe(1)
})
