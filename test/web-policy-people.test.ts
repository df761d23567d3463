import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { bodyOf } from './support/body-of.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/*
 * Promise: where a policy or its people are named, the pages offer whoever can be named and nobody else, and say so where
 * what was typed names nobody.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = (caller: Caller, name: string, input: object = {}) => bodyOf(site.call(caller, name, input))
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const nameOf = async (caller: Caller): Promise<string> =>
  (await as(caller, 'getUser', { id: caller.userId })).name

/** What is offered where a list to choose from is open, once it offers this one: names come after the list. */
async function offered(page: TestPage, name: string): Promise<string[]> {
  await page.getByRole('option', { name }).first().waitFor()
  return page.getByRole('option').allTextContents()
}

test('an exception is asked of the approver of the policy, or of another who may decide, never of who asks', async () => {
  const { admin, person } = await site.organization()
  const [author, director, other] = [await person('editor'), await person('viewer'), await person('viewer')]
  const { id } = await as(author, 'createPolicy', {
    ...{ name: 'Passwords', owner: user(author), approver: user(director) },
  })
  const [asker, approver, further] = await Promise.all([author, director, other].map(nameOf))
  const page = await site.open(`/policies/${id}?tab=exceptions`, { as: author })
  await page.getByRole('button', { name: 'Request policy exception' }).click()
  const form = page.getByRole('dialog')
  const named = form.getByRole('button', { name: /^Approver/ })
  await expect.poll(() => named.textContent()).toContain(approver)
  await page.picture('exception-form')
  await named.click()
  const names = (await offered(page, approver!)).join('\n')
  expect(names).toContain(approver)
  expect(names).toContain(further)
  expect(names).not.toContain(asker)
  expect(names).not.toContain('Nobody')
  await page.keyboard.press('Escape')
  await form.getByLabel('Title').fill('One server')
  await form.getByLabel('Justification').fill('Old')
  await form
    .getByLabel(/^Until/)
    .first()
    .fill('2098-12-31')
  await form.getByRole('button', { name: 'Request policy exception' }).click()
  await form.waitFor({ state: 'detached' })
  const { data } = await as(admin, 'listPolicyExceptions', { policyId: [id] })
  expect(data).toMatchObject([{ approverId: director.userId, status: 'requested' }])
})

test('whom a person of the directory signs in as is one of the members, each once', async () => {
  const { admin, person } = await site.organization()
  const member = await person('viewer')
  const name = await nameOf(member)
  const { id } = await as(admin, 'createPersonnel', { fullName: name, workEmail: 'dana@acme.example' })
  const page = await site.open(`/personnel/${id}`, { as: admin })
  await page.getByRole('button', { name: 'Add details' }).click()
  await page.getByRole('menuitem', { name: 'User' }).click()
  const theirs = (await offered(page, name)).filter((one) => one.includes(name))
  expect(theirs).toHaveLength(1)
  await page.getByRole('option', { name }).click()
  await expect.poll(async () => (await as(admin, 'getPersonnel', { id })).userId).toBe(member.userId)
})

test('a text that names a day which the policy does not say yet asks for it before it is submitted', async () => {
  const { admin } = await site.organization()
  const named = { owner: user(admin), approver: user(admin) }
  const { id } = await as(admin, 'createPolicy', { name: 'Visitors', ...named })
  const content = 'It holds from {{policy.effectiveDate}}.'
  await as(admin, 'createPolicyVersion', { policyId: id, content })
  const page = await site.open(`/policies/${id}`, { as: admin })
  await page.getByText('Its text names the day “In force from”, which the policy does not say yet.').waitFor()
  await page.picture('policy-day-missing')
  expect(await page.getByRole('button', { name: 'Submit' }).count()).toBe(0)
  await page.getByLabel('In force from').fill('2098-12-01')
  await page.getByRole('region', { name: 'Approval' }).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Submit' }).waitFor()
  await page.getByRole('article').getByText('It holds from 2098-12-01.').waitFor()
})

test('an audience offers what the directory has, and says where nobody is in what was typed', async () => {
  const { admin } = await site.organization()
  for (const department of ['Warehouse', 'Warehouse', 'Sales'])
    await as(admin, 'createPersonnel', {
      ...{ fullName: 'Somebody', department },
      workEmail: `${crypto.randomUUID().slice(0, 8)}@acme.example`,
    })
  await as(admin, 'updateOrganization', { allowSelfApproval: true })
  const { id } = await as(admin, 'createPolicy', {
    ...{ name: 'Forklifts', owner: user(admin), approver: user(admin), requiresAttestation: true },
    ...{ audience: 'departments', audienceIds: ['Warehuose'] },
  })
  const version = await as(admin, 'createPolicyVersion', { policyId: id, content: 'Slowly.' })
  const { contentSha256, round } = await as(admin, 'submitPolicyVersion', { id: version.id })
  await as(admin, 'approvePolicyVersion', { id: version.id, contentSha256, round })
  await as(admin, 'publishPolicyVersion', { id: version.id })
  const page = await site.open(`/policies/${id}?tab=round`, { as: admin })
  await page.getByText('nobody is in its audience').waitFor()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByText('Nobody is in “Warehuose”').waitFor()
  await page.picture('policy-audience')
  const asked = page.getByRole('region', { name: 'Acknowledgement' })
  await asked.getByText('It asks the department Warehuose to acknowledge it, within 14 days.').waitFor()
  await asked.getByRole('button', { name: 'Change' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Warehouse (2)').check()
  await form.getByLabel('Warehuose (0)').uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await as(admin, 'getPolicy', { id })).audienceIds).toEqual(['Warehouse'])
})

test('acknowledgement is set up where it is looked for, in any order and in one change', async () => {
  const { admin } = await site.organization()
  for (const department of ['Warehouse', 'Sales'])
    await as(admin, 'createPersonnel', {
      ...{ fullName: 'Somebody', department },
      workEmail: `${crypto.randomUUID().slice(0, 8)}@acme.example`,
    })
  const { id, version } = await as(admin, 'createPolicy', { name: 'Forklifts' })
  const page = await site.open(`/policies/${id}?tab=round`, { as: admin })
  const tab = page.getByRole('tabpanel', { name: 'Acknowledgement' })
  await tab.getByText('Nobody is asked to acknowledge it.').waitFor()
  await page.picture('policy-acknowledgement-none')
  await page.getByRole('button', { name: 'Set up acknowledgement' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Audience').selectOption('Departments')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Fill this in.').waitFor()
  await form.getByLabel('Sales (1)').check()
  await form.getByLabel('Days to acknowledge').fill('7')
  await page.picture('policy-acknowledgement-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await tab.getByText('It asks the department Sales to acknowledge it, within 7 days.').waitFor()
  expect(await as(admin, 'getPolicy', { id })).toMatchObject({
    ...{ audience: 'departments', audienceIds: ['Sales'], requiresAttestation: true, attestationDueDays: 7 },
    version: version + 1,
  })
})

test('how many approvals it takes is asked where it takes a number of them, and nowhere else', async () => {
  const { admin } = await site.organization()
  const { id } = await as(admin, 'createPolicy', {
    name: 'Visitors',
    owner: user(admin),
    approver: user(admin),
  })
  const page = await site.open(`/policies/${id}?tab=details`, { as: admin })
  await page.getByText('From all of its approvers').waitFor()
  await page.getByRole('button', { name: 'Add details' }).click()
  await page.getByRole('menuitem', { name: 'In force from' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'How many approvals' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit approvals needed' }).click()
  await page.getByRole('menuitem', { name: 'From a number of its approvers' }).click()
  await page.getByRole('button', { name: 'Edit how many approvals' }).waitFor()
  await expect.poll(async () => (await as(admin, 'getPolicy', { id })).quorumCount).toBe(2)
  await page.picture('policy-quorum')
  // With one approver that is out of reach, which is said before anybody submits.
  await as(admin, 'createPolicyVersion', { policyId: id, content: 'Sign in.' })
  await page.goto(`${site.url}/policies/${id}`)
  await page.getByText('2 of its approvers must approve it, and it has 1').waitFor()
  expect(await page.getByRole('button', { name: 'Submit for approval' }).count()).toBe(0)
  // What somebody changed meanwhile is told by the names that the page has for it.
  await as(admin, 'updatePolicy', { id, quorum: 'all' })
  await page.reload()
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await as(admin, 'updatePolicy', { id, quorum: 'n', quorumCount: 3 })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Submit for approval' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('Correct this first').waitFor()
  await alert.getByText('How many approvals: is more than there are approvers (1)').waitFor()
  await page.picture('policy-quorum-refused')
})

test('whoever is asked already is not offered once more', async () => {
  const { admin, person } = await site.organization()
  const [first, second] = [await person('editor'), await person('editor')]
  const given = { owner: user(admin), approver: user(admin), extraApproverIds: [first.userId] }
  const { id } = await as(admin, 'createPolicy', { name: 'Visitors', ...given })
  const page = await site.open(`/policies/${id}?tab=details`, { as: admin })
  await page.getByRole('button', { name: 'Edit further approvers' }).click()
  await page.getByRole('button', { name: 'Further approvers', exact: false }).last().click()
  const other = await nameOf(second)
  const names = await offered(page, other)
  await page.picture('policy-further-approvers')
  expect(names).toEqual(['Nobody else', expect.stringContaining(other)])
})

test('a draft that names its approver shows all of them, as it is read once it is submitted', async () => {
  const { admin, person } = await site.organization()
  const [first, second] = [await person('viewer'), await person('editor')]
  const { id } = await as(admin, 'createPolicy', {
    ...{ name: 'Keys', approver: user(first), extraApproverIds: [second.userId] },
  })
  await as(admin, 'createPolicyVersion', { policyId: id, content: 'Approved by {{policy.approver}}.' })
  const page = await site.open(`/policies/${id}`, { as: admin })
  await page
    .getByText(`Approved by ${await nameOf(first)} and ${await nameOf(second)} (not yet approved).`)
    .waitFor()
})

test('who is asked by a program sees which, and as whom it acts', async () => {
  const { admin, person, key } = await site.organization()
  const director = await person('viewer')
  const { id } = await as(admin, 'createPolicy', { name: 'Backups', approver: user(director) })
  const draft = await as(admin, 'createPolicyVersion', { policyId: id, content: 'Each day.' })
  const { id: keyId, secret } = await key(['write:policies'])
  const sent = await site.door.send(secret, 'POST', `/v1/policy-versions/${draft.id}/submit`, { body: {} })
  expect(sent.status).toBe(200)
  const { data } = await as(admin, 'listApiKeys')
  const { name } = data.find((one: { id: string }) => one.id === keyId)
  const page = await site.open('/my-work', { as: director })
  await page.getByText(`Asked by the program “${name}” (${await nameOf(admin)})`).waitFor()
  await page.picture('asked-by-program')
})
