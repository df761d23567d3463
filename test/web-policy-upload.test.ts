import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/* Promise: many files become policies in one table: guessed, set right, added once, and none without being told why. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })
const HOSTILE = `<img src=x onerror="document.title='owned'">.md`

test('forty files make forty policies, however often the button is pressed and the line breaks', async () => {
  const { admin, person } = await site.organization()
  const editor = await person('editor')
  // biome-ignore lint/suspicious/noExplicitAny: answers of every form
  const listed = async (): Promise<any[]> =>
    ((await site.call(admin, 'listPolicies', { limit: 100 })).body as { data: never[] }).data
  await site.call(admin, 'createPolicy', { name: 'Password standard' })
  const page = await site.open('/policies', { as: editor, expected: [/Failed to load resource/] })
  await page.getByRole('link', { name: 'Upload files' }).click()
  const texts = Array.from({ length: 33 }, (_, at) =>
    file(`policy-about-thing-${at + 100}x.md`, `# About thing ${at}\n\nText.`),
  )
  await page
    .locator('input[type=file]')
    .setInputFiles([
      ...texts,
      file('password_standard_v2.md', 'Long ones.'),
      file('scan.docx', 'no document'),
      file('visitors-standard.pdf', '%PDF-1.4\n1 0 obj'),
      file('old.doc', 'x'),
      file(HOSTILE, 'Harmless.'),
      file('incident-response-procedure.md', 'For {{organization.name}}.'),
      file('too-long.md', 'x'.repeat(600_001)),
      file('one-more.md', 'x'),
      file('and-another.md', 'x'),
    ])
  await page.getByRole('button', { name: 'Add 36 policies' }).waitFor()
  await page.getByText('2 more files were left out').waitFor()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('password_standard_v2.md').getByText('POL-1 has this name already.').waitFor()
  await row('old.doc').getByText('save it as .docx').waitFor()
  await row('scan.docx').getByText('It is no Word document').waitFor()
  await row('too-long.md').getByText('longer than a policy').waitFor()
  expect(await page.getByLabel('Type of incident-response-procedure.md').inputValue()).toBe('procedure')
  await page.getByLabel(`Name of ${HOSTILE}`).fill('Harmless')
  await page.getByLabel('Name of policy-about-thing-100x.md').fill('')
  await page.picture('policy-upload')

  // The answer to the third is lost on its way: it is there, and is not made again.
  let nth = 0
  await page.route('**/web/createPolicyFromFile', async (route) => {
    nth += 1
    if (nth !== 3) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add 35 policies' }).click()
  await page.getByRole('button', { name: 'Add 33 policies' }).click()
  await page.getByText('35 of 40 added').waitFor()
  const made = await listed()
  expect(made).toHaveLength(36)
  expect(new Set(made.map(({ name }) => name)).size).toBe(36)
  expect(made.filter(({ origin }) => origin === 'uploaded')).toHaveLength(35)
  expect(made.map(({ documentType, name }) => [name, documentType])).toContainEqual([
    'Incident response procedure',
    'procedure',
  ])
  expect(await page.title()).not.toBe('owned')
  await page.picture('policy-upload-done')
  await page.getByLabel('Name of policy-about-thing-100x.md').fill('To be added')
  await page.getByRole('link', { name: 'About thing 7', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('article', { name: 'Text of the policy' }).getByText('Text.').waitFor()
})

test('of files of one name the first is taken, and once all are added nothing is offered to add', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/policies/upload', { as: admin })
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('visitors-standard.md', '# Visitors\n\nText.'),
      file('visitors-old.md', '# Visitors\n\nAn older text.'),
    ])
  const add = page.getByRole('button', { name: /^Add/ })
  await page.getByText('Another file has this name.').waitFor()
  expect(await page.getByRole('checkbox', { name: 'Take visitors-old.md' }).isChecked()).toBe(false)
  // What its heading does not say, its name may.
  expect(await page.getByLabel('Type of visitors-standard.md').inputValue()).toBe('standard')
  await add.click()
  await page.getByText('1 of 2 added').waitFor()
  expect(await add.count()).toBe(0)
  await page.picture('policy-upload-twins')
})
