import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* Promise: what somebody wrote, or pasted, is there: as Markdown, and until it is saved. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const as = async (caller: Caller, name: string, input: object) =>
  (await site.call(caller, name, input)).body as { id: string; version: number; content: string }
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const area = (page: TestPage) => page.getByRole('textbox', { name: 'Text of the version' })
const keptIn = (page: TestPage) =>
  page.evaluate(() => Object.keys(localStorage).filter((place) => place.startsWith('plumbline text ')))

async function opened() {
  const { admin } = await site.organization()
  const policy = await as(admin, 'createPolicy', { name: 'Access control policy' })
  const draft = await as(admin, 'createPolicyVersion', { policyId: policy.id, content: 'As it was.' })
  const page = await site.open(`/policies/${policy.id}`, { as: admin, expected: [/status of 4\d\d/] })
  return { admin, policy, draft, page }
}

test('who begins a version is at its text at once, the first and the next', async () => {
  const { admin } = await site.organization()
  const me = { type: 'user', refId: admin.userId }
  await as(admin, 'updateOrganization', { allowSelfApproval: true })
  const policy = await as(admin, 'createPolicy', { name: 'Clean desk', owner: me, approver: me })
  const page = await site.open(`/policies/${policy.id}`, { as: admin })
  await button(page, 'Write the text').click()
  await area(page).fill('Clear it.')
  await button(page, 'Save').click()
  const text = page.getByRole('article', { name: 'Text of the policy' })
  await text.getByText('Clear it.').waitFor()
  const { data } = (await as(admin, 'listPolicyVersions', { policyId: [policy.id] })) as never as {
    data: { id: string }[]
  }
  const id = data[0]!.id
  const { contentSha256, round } = (await as(admin, 'submitPolicyVersion', { id })) as never as {
    contentSha256: string
    round: number
  }
  await as(admin, 'approvePolicyVersion', { id, contentSha256, round })
  await as(admin, 'publishPolicyVersion', { id })
  await button(page, 'Begin the next version').click()
  expect(await area(page).inputValue()).toBe('Clear it.')
})

test('a session that ends while somebody writes takes no letter of it, nor of what others saved', async () => {
  const { admin, policy, draft, page } = await opened()
  await button(page, 'Edit').click()
  await area(page).fill('As I would have it.')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await page.goto(`${site.url}/policies/${policy.id}`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await as(admin, 'updatePolicyVersion', { id: draft.id, content: 'As another has it.' })
  await page.context().addCookies(cookies)
  await page.goto(`${site.url}/policies/${policy.id}`)
  await page.getByText('You have a text here that is not saved').waitFor()
  await page.picture('policy-unsaved')
  await button(page, 'Go on writing').click()
  expect(await area(page).inputValue()).toBe('As I would have it.')
  const changes = page.getByRole('article', { name: 'What yours would change' })
  await changes.locator('del').first().waitFor()
  expect(await button(page, 'Save').isDisabled()).toBe(true)
  await page.picture('policy-meanwhile')
  await button(page, 'Go on with mine').click()
  await button(page, 'Save').click()
  await page.getByRole('article', { name: 'Text of the policy' }).getByText('As I would have it.').waitFor()
  expect((await as(admin, 'getPolicyVersion', { id: draft.id })).content).toBe('As I would have it.')
  expect(await keptIn(page)).toEqual([])
})

test('a text that was saved meanwhile is shown and not overwritten, and what is discarded is gone', async () => {
  const { admin, draft, page } = await opened()
  await button(page, 'Edit').click()
  await area(page).fill('As I would have it.')
  await as(admin, 'updatePolicyVersion', { id: draft.id, content: 'As another has it.' })
  await button(page, 'Save').click()
  await page.getByRole('article', { name: 'What yours would change' }).waitFor()
  // It is told where its reader is, who pressed Save at the end of the page.
  const told = page.getByRole('alert').filter({ hasText: 'Another text was saved meanwhile' })
  await expect.poll(() => page.locator(':focus').textContent()).toMatch(/^Another text was saved meanwhile/)
  const { height } = page.viewportSize()!
  await expect.poll(async () => (await told.boundingBox())!.y).toBeGreaterThanOrEqual(48)
  await expect.poll(async () => (await told.boundingBox())!.y).toBeLessThan(height - 48)
  expect(await area(page).inputValue()).toBe('As I would have it.')
  await button(page, 'Take the saved one').click()
  expect(await area(page).inputValue()).toBe('As another has it.')
  expect(await keptIn(page)).toEqual([])
  await area(page).fill('One more')
  await button(page, 'Cancel').click()
  await button(page, 'Leave').click()
  await page.getByRole('article', { name: 'Text of the policy' }).getByText('As another has it.').waitFor()
  expect(await keptIn(page)).toEqual([])
})

test('what is pasted from elsewhere is Markdown, and asks nobody for anything', async () => {
  const { page } = await opened()
  await button(page, 'Edit').click()
  await area(page).fill('')
  const html = '<h2>Purpose</h2><ul><li>Who <b>may</b></ul><img src="https://evil.example/p.png" onerror="x">'
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    clipboardData.setData('text/plain', 'plain')
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('textarea[name=content]').dispatchEvent(paste)
  }`)
  await expect.poll(() => area(page).inputValue()).toBe('## Purpose\n\n- Who **may**')
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Purpose' }).waitFor()
  await page.keyboard.press('Control+z')
  expect(await area(page).inputValue()).toBe('')
})

test('what the buttons and their keys do is undone, and so is what was typed before', async () => {
  const { page } = await opened()
  await button(page, 'Edit').click()
  const tools = page.getByRole('toolbar')
  for (const each of [
    'Bold',
    'Italic',
    'Heading',
    'Subheading',
    'List',
    'Numbered list',
    'Table',
    'Link',
    'Control+b',
    'Meta+i',
  ]) {
    await area(page).fill('')
    await area(page).pressSequentially('Who may')
    await page.keyboard.press('Shift+Home')
    if (each.includes('+')) await page.keyboard.press(each)
    else await tools.getByRole('button', { name: each, exact: true }).click()
    await expect.poll(() => area(page).inputValue()).not.toBe('Who may')
    expect(await page.locator('textarea[name=content]:focus').count()).toBe(1)
    await page.keyboard.press('Control+z')
    expect([each, await area(page).inputValue()]).toEqual([each, 'Who may'])
    // The browser says how much of what was typed is one step.
    for (let step = 0; step < 'Who may'.length && (await area(page).inputValue()) !== ''; step++)
      await page.keyboard.press('Control+z')
    expect([each, await area(page).inputValue()]).toEqual([each, ''])
  }
})

test('a comment that was not sent is there again, and gone with whoever signs out', async () => {
  const { admin, page } = await opened()
  const { id } = await as(admin, 'createRisk', { title: 'Unpatched gateway' })
  const comment = page.getByRole('textbox', { name: 'Comment' })
  const show = async () => {
    await page.goto(`${site.url}/risks/${id}`)
    await page.getByRole('tab', { name: /^Comments/ }).click()
  }
  await show()
  await comment.fill('Not sent yet')
  await show()
  await expect.poll(() => comment.inputValue()).toBe('Not sent yet')
  expect(await keptIn(page)).toHaveLength(1)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await keptIn(page)).toEqual([])
})

test('the preview fills placeholders, and says at once which is none', async () => {
  const { admin, page } = await opened()
  const { name } = (await as(admin, 'getOrganization', {})) as unknown as { name: string }
  await button(page, 'Edit').click()
  await area(page).fill('At {{organization.name}} in version {{policy.versionLabel}}.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText(`At ${name} in version 1.0.`).waitFor()
  await area(page).fill('At {{orgnization.name}}.')
  await page.getByText('{{orgnization.name}} is no placeholder').waitFor()
  await preview.getByText('At {{orgnization.name}}.').waitFor()
})
