import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'
import { programOf } from './support/callers.ts'
import { type Policies, startPolicies, userOf } from './support/policies.ts'

/* Promise: a policy is begun from a template, written, read, compared and approved on its own page. */

let policies: Policies<Site>
let { as, author, approver } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, author, approver } = policies)
  site = policies.one
})
afterAll(() => policies?.close())

test('a template becomes a draft, which one writes and another approves', async () => {
  const page = await site.open('/policies/templates', { as: author })
  await page.getByRole('row', { name: /Backup policy/ }).waitFor()
  await page.picture('policy-templates')
  await page.getByRole('button', { name: 'Add “Backup policy”' }).click()
  await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
  const facts = page.getByRole('complementary')
  await facts.getByText('From a template').waitFor()
  await facts.getByText('Backup policy').waitFor()
  await page.picture('policy-draft')
  const [, id = ''] = /policies\/(pol_\w+)/.exec(page.url()) ?? []
  // Whom its text names and who decides on it are chosen first, where that is in the way.
  await page.getByText('The policy has no owner and no approver yet.').waitFor()
  await as(author, 'updatePolicy', { id, owner: userOf(author) })
  await page.reload()
  await page.getByText('The policy has no approver yet.').waitFor()
  expect(await page.getByRole('button', { name: 'Submit for approval' }).count()).toBe(0)
  const [{ name }] = (
    await site.administrator.query('select name from members where user_id = $1', [approver.userId])
  ).rows
  await page.getByRole('button', { name: /^Approver/ }).click()
  await page.getByPlaceholder('Search people').fill(name)
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click()
  await page.picture('policy-name-approver')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All of its approvers must approve it').waitFor()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text of the version' })
  await text.fill('## Purpose\n\nCopies are made *each night* at {{organization.name}}.\n\n- one\n- two')
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Purpose' }).waitFor()
  await page.picture('policy-editor')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByText('SHA-256 of the text').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  const theirs = await site.open(`/policies/${id}`, { as: approver })
  await theirs.getByText('You are asked to decide on this text.').waitFor()
  await theirs.picture('policy-approval')
  // What was typed of a decision is there again, however the page was left.
  const comment = theirs.getByRole('dialog').getByRole('textbox', { name: 'Comment' })
  const keptIn = () =>
    theirs.evaluate(() => Object.keys(localStorage).filter((place) => place.startsWith('plumbline text ')))
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await comment.fill('Read twice')
  await expect.poll(keptIn).toHaveLength(1)
  await theirs.reload()
  await theirs.getByRole('button', { name: 'Approve' }).click()
  expect(await comment.inputValue()).toBe('Read twice')
  await theirs.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await theirs.getByRole('button', { name: 'Publish' }).waitFor()
  expect(await keptIn()).toEqual([])
  await theirs.getByRole('button', { name: 'Publish' }).click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await theirs.getByRole('button', { name: 'Begin the next version' }).waitFor()

  // On paper stands the text, with its version and who approved it, and nothing of the page around it.
  await theirs.emulateMedia({ media: 'print' })
  await theirs.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  const paper = theirs.getByRole('article', { name: 'Text of the policy' })
  await paper.getByText('Approved by').waitFor()
  await paper.getByText(new RegExp(`^${name}, .*, Read twice$`)).waitFor()
  await paper.getByText('1.0 · Published').waitFor()
  const publisher = paper.getByText('Published', { exact: true }).locator('xpath=following-sibling::dd[1]')
  expect(await publisher.textContent()).toContain(`${name}, `)
  expect(await theirs.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await theirs.getByRole('complementary').count()).toBe(0)
  expect(await theirs.getByRole('combobox', { name: 'Version' }).count()).toBe(0)
  await theirs.picture('policy-printed')
  await theirs.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await theirs.emulateMedia({ media: 'screen' })
  await paper.getByText(new RegExp(`Version 1\\.0 · Published on .* by ${name}$`)).waitFor()

  const next = await as(author, 'createPolicyVersion', {
    policyId: id,
    content: '## Purpose\n\nCopies are made twice each night at {{organization.name}}.\n\n- one\n- three',
  })
  await theirs.visit(`/policies/${id}?version=${next.id}`)
  await theirs.getByLabel('Compare with').selectOption({ index: 1 })
  const compared = theirs.getByRole('article', { name: 'Changes from version 1.0 to 2.0' })
  await compared.getByText('twice').waitFor()
  // Names that are not filled in yet are no change.
  expect(await compared.locator('ins, del').filter({ hasText: 'organization' }).count()).toBe(0)
  await theirs.picture('policy-compared')
  // From the older to the newer, whichever is looked at.
  const { data } = await as(author, 'listPolicyVersions', { policyId: [id] })
  const first = (data as unknown as { id: string; label: string }[]).find(({ label }) => label === '1.0')!
  await theirs.visit(`/policies/${id}?version=${first.id}&compare=${next.id}`)
  await compared.locator('ins').filter({ hasText: 'twice' }).waitFor()
  await theirs.visit('/policies')
  await theirs.getByRole('row', { name: /Backup policy/ }).waitFor()
  await theirs.picture('policies')
})

test('what changed in a table is seen in it, under its head, and which version is which above it', async () => {
  const approved = async (policyId: string, content: string) => {
    const { id } = await as(author, 'createPolicyVersion', { policyId, content })
    return policies.published(id)
  }
  const { id: policyId } = await as(author, 'createPolicy', {
    ...{ name: 'How long data is kept', owner: userOf(author), approver: userOf(approver) },
    effectiveDate: '2026-01-01',
  })
  const others = Array.from({ length: 9 }, (_, at) => `| Record ${at} | ${at} years |`).join('\n')
  const unchanged = '| Role | Task |\n| --- | --- |\n| Owner | Decides |'
  const table = (letters: string) => `| Data | Kept |\n| --- | --- |\n${others}\n| Letters | ${letters} |`
  const text = (kept: string, end: string) =>
    `## Times\n\n${kept}\n\nFirst.\n\n${unchanged}\n\nThen.\n\n${end}`
  const first = await approved(
    policyId,
    text(table('a year'), '| Word | Meaning |\n| --- | --- |\n| PII | What names a person |'),
  )
  const next = await approved(
    policyId,
    text(
      `${table('a month')}\n| Invoices | ten years |`,
      '| Word | Meaning | Since |\n| --- | --- | --- |\n| PII | What names a person | 2025 |',
    ),
  )
  const page = await site.open(`/policies/${policyId}?version=${next.id}&compare=${first.id}`, { as: author })
  const compared = page.getByRole('article', { name: 'Changes from version 1.0 to 2.0' })
  await compared.getByRole('heading', { name: 'Changes from version 1.0 to 2.0' }).waitFor()
  await compared.getByText(/Older: 1\.0 · Superseded .*Newer: 2\.0 · Published/).waitFor()
  const [kept, words] = [compared.getByRole('table').first(), compared.getByRole('table').last()]
  const changed = kept.getByRole('row', { name: /^Letters/ })
  expect(await changed.locator('del').allTextContents()).toEqual(['year'])
  expect(await changed.locator('ins').allTextContents()).toEqual(['month'])
  expect(await kept.getByRole('columnheader').allTextContents()).toEqual(['Data', 'Kept'])
  const come = kept.getByRole('row', { name: /^Invoices/ }).locator('ins')
  expect(await come.allTextContents()).toEqual(['Invoices', 'ten years'])
  expect(await words.getByRole('columnheader').allTextContents()).toEqual(['Word', 'Meaning', 'Since'])
  expect(await words.locator('ins').allTextContents()).toEqual(['Since', '2025'])
  await page.picture('policy-table-compared')
  expect(await kept.getByRole('row').count()).toBe(6)
  await kept.getByRole('button', { name: '7 rows unchanged' }).click()
  expect(await kept.getByRole('row').count()).toBe(12)
  // A table in which nothing changed is folded with what stands around it, and comes as one.
  expect(await compared.getByRole('table').count()).toBe(2)
  await compared.getByRole('button', { name: '2 passages unchanged' }).click()
  expect(await compared.getByRole('table').count()).toBe(3)
})

test('whoever approves a text that a program wrote is told so where they approve it', async () => {
  const { id: policyId } = await as(author, 'createPolicy', {
    ...{ name: 'Desks', owner: userOf(author), approver: userOf(approver) },
  })
  const program = programOf(author, ['read:policies', 'write:policies'])
  const { id } = await as(program, 'createPolicyVersion', { policyId, content: 'Clear them.' })
  await as(program, 'submitPolicyVersion', { id })
  const page = await site.open(`/policies/${policyId}`, { as: approver })
  const told = 'A program wrote in this text: “'
  await page.getByRole('region', { name: 'Approval' }).getByText(told).waitFor()
  await page.picture('policy-by-program')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByText(told).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.picture('policy-by-program-dialog')
})
