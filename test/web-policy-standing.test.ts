import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { bodyOf } from './support/body-of.ts'
import { type Site, startSite } from './support/browser.ts'

/*
 * Promise: whoever a policy waits for finds that where they begin, and beside its text what they need to decide: what
 * changed since the version in force, and why it was rejected, as it was written.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = (caller: Caller, name: string, input: object = {}) =>
  // By a request of its own, as people do.
  bodyOf(site.call({ ...caller, requestId: randomUUID() }, name, input))
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test('what is to be read, decided and mended is said where one begins, and each by its name once', async () => {
  const { admin, person } = await site.organization()
  const [director, member] = [await person('viewer'), await person('viewer')]
  await as(admin, 'createPersonnel', { fullName: 'Em', workEmail: 'em@acme.example', userId: member.userId })
  const { id: policyId } = await as(admin, 'createPolicy', {
    ...{ name: 'Passwords', owner: user(admin), approver: user(director) },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const submit = async (given: object) => {
    const { id } = await as(admin, 'createPolicyVersion', { policyId, ...given })
    return as(admin, 'submitPolicyVersion', { id })
  }
  const { id, contentSha256, round } = await submit({ content: 'At least 12 letters.' })
  await as(director, 'approvePolicyVersion', { id, contentSha256, round })
  await as(admin, 'publishPolicyVersion', { id })

  const theirs = await site.open('/', { as: member })
  const needs = theirs.getByRole('region', { name: 'Your tasks', exact: true })
  await needs.getByRole('link', { name: 'Passwords' }).waitFor()
  expect(await needs.textContent()).not.toContain('You’re all caught up')
  await theirs.picture('needs-you-to-read')
  await needs.getByRole('link', { name: '1 to read' }).click()
  await theirs.getByRole('list', { name: 'To read' }).getByRole('link', { name: 'Passwords' }).waitFor()

  const next = await submit({ content: 'At least 14 letters.', changelog: 'Longer ones' })
  const page = await site.open('/', { as: director })
  const activity = page.getByRole('region', { name: 'Recent activity' })
  await activity.getByRole('link', { name: 'Passwords 2.0', exact: true }).first().waitFor()
  expect(await activity.textContent()).not.toContain('Passwords 2.0 Passwords 2.0')
  await page.visit('/inbox')
  await page.getByRole('link', { name: 'Passwords 2.0' }).first().waitFor()
  expect(await page.getByRole('main').textContent()).not.toContain('Passwords 2.0Passwords 2.0')
  await page.visit(`/policies/${policyId}`)
  await page.getByText('What changed: Longer ones').first().waitFor()
  await page.picture('asked-what-changed')
  await page.getByRole('button', { name: 'Show what changed since version 1.0' }).click()
  const compared = page.getByRole('article', { name: 'Changes from version 1.0 to 2.0' })
  await compared.locator('ins', { hasText: '14' }).waitFor()

  const no = { id: next.id, contentSha256: next.contentSha256, round: next.round }
  await as(director, 'rejectPolicyVersion', { ...no, comment: 'Not yet:\n- say who checks\n- say when' })
  const mending = await site.open(`/policies/${policyId}?version=${next.id}`, { as: admin })
  const reason = mending.getByRole('alert').getByText('say who checks')
  // Three lines, as it was written.
  expect((await reason.boundingBox())!.height).toBeGreaterThan(50)
})

test('a control begins with what proves it, and the menu of its details has room', async () => {
  const { admin } = await site.organization()
  const { id } = await as(admin, 'createControl', {
    ...{ code: 'A-1', title: 'Reviews', implementationStatus: 'implemented' },
  })
  const page = await site.open(`/controls/${id}`, { as: admin, viewport: { width: 1280, height: 560 } })
  await page.getByText('Unproven: no evidence is mapped to it', { exact: true }).waitFor()
  const beside = page.getByRole('complementary', { name: 'Record' })
  expect(await beside.getByRole('heading', { level: 2 }).first().textContent()).toContain('Evidence')
  await page.getByRole('button', { name: 'Add details' }).click()
  const menu = page.getByRole('menu', { name: 'Add details' })
  await menu.getByRole('menuitem').first().waitFor()
  await expect.poll(async () => (await menu.boundingBox())!.y).toBeGreaterThanOrEqual(48)
  const { y, height } = (await menu.boundingBox())!
  expect(y + height).toBeLessThanOrEqual(560)
  await page.picture('add-details')
})
