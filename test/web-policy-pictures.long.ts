import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { png } from './support/pictures.ts'
import { ASKS_SALES, GUEST, type Policies, startPolicies, userOf } from './support/policies.ts'

/* Promise: a picture goes all the way in the app: into the text by a button, by paste and by drop, to all who read it. */

let policies: Policies<Site>
let { as, author, approver, member, drafted, published, server } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, author, approver, member, drafted, published, server } = policies)
  site = policies.one
})
afterAll(() => policies?.close())
const area = (page: TestPage) => page.getByRole('textbox', { name: 'Text of the version' })
/** Whether a picture is drawn, and how wide it is in its own signs. */
const widthOf = (page: TestPage, name: string, within = 'body') =>
  page
    .locator(`${within} img[alt="${name}"]`)
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)

/** Gives files to the text as a browser does. */
const give = (page: TestPage, by: 'paste' | 'drop', name: string, type: string, bytes: Buffer) =>
  page.evaluate(`{
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }))
    const more = { bubbles: true, cancelable: true }
    document.querySelector('textarea[name=content]').dispatchEvent('${by}' === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: data, ...more })
      : new DragEvent('drop', { dataTransfer: data, ...more }))
  }`)

test('a picture is put in, seen while it is written, approved, compared and read by everybody', {
  timeout: 180_000,
}, async () => {
  const { policy, id } = await drafted('## Desk', ASKS_SALES)
  const page = await site.open(`/policies/${policy.id}`, { as: author, expected: [/Failed to load/] })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await area(page).focus()
  await area(page).press('Control+End')
  await area(page).press('Enter')
  await area(page).press('Enter')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Picture', exact: true }).click(),
  ])
  await chooser.setFiles({ name: 'Plan.png', mimeType: 'image/png', buffer: png([300, 120]) })
  await page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'Plan' }).waitFor()
  expect(await area(page).inputValue()).toMatch(/^## Desk\n\n!\[Plan\]\(fil_[0-9a-z]{26}\)$/)

  await give(page, 'paste', 'wide screen.png', 'image/png', png([4_000, 40], [20, 120, 40]))
  await page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'wide screen' }).waitFor()
  expect(await widthOf(page, 'wide screen')).toBe(2_000)
  const gif = Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  await give(page, 'drop', 'dot.gif', 'image/gif', gif)
  await page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'dot' }).waitFor()
  await give(page, 'drop', 'run.png', 'image/png', Buffer.from('<svg onload="alert(1)"/>'))
  await page.getByText('run.png is no picture').waitFor()
  await page.picture('policy-pictures-editor')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('article', { name: 'Text of the policy' }).getByRole('img', { name: 'Plan' }).waitFor()
  await published(id)

  const next = await as(author, 'createPolicyVersion', { policyId: policy.id })
  const [, first = ''] = /\((fil_\w+)\)/.exec(next.content)!
  const others = [...next.content.matchAll(/\((fil_\w+)\)/g)].map((found) => found[1])
  await as(author, 'updatePolicyVersion', { id: next.id, content: next.content.replace(first, others[1]!) })
  await page.goto(`${site.url}/policies/${policy.id}?version=${next.id}&compare=${id}`)
  await page.locator('del img').waitFor()
  await page.locator('ins img').waitFor()
  expect(
    await page
      .locator('del img')
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
  ).toBe(300)
  await page.picture('policy-pictures-compared')

  const [mine] = (await as(member, 'listMyAttestations')).data
  const reading = await site.open(`/to-read/${mine!.id}`, { as: member })
  await reading.getByRole('img', { name: 'wide screen' }).waitFor()
  await remindReaders(site.service)
  const { link } = await server.next(GUEST)
  const guest = await site.open(link.replace(/^https?:\/\/[^/]+/, ''))
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByRole('img', { name: 'Plan' }).waitFor()
  expect(await widthOf(guest, 'Plan')).toBe(300)
  await guest.picture('policy-pictures-guest')
  await guest.getByRole('checkbox').check()
  expect([...page.complaints, ...reading.complaints, ...guest.complaints]).toEqual([])
})

test('the address of another place, and the picture of another policy, load nothing', {
  timeout: 120_000,
}, async () => {
  const policy = await as(author, 'createPolicy', { name: 'Clean desk', owner: userOf(author) })
  const content = [
    '![Elsewhere](https://evil.example/p.png)',
    '<img src="https://evil.example/p.png">',
    '![Data](data:image/svg+xml,<svg/>)',
    '![Path](/web/openGuestPass)',
    `![Never](fil_${'0'.repeat(26)})`,
  ].join('\n\n')
  const page = await site.open(`/policies/${policy.id}`, { as: approver, expected: [/status of 4\d\d/] })
  await page.getByRole('button', { name: 'Write the text' }).click()
  await area(page).fill(content)
  await page.getByRole('region', { name: 'Preview' }).getByText('Never').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('no picture of this policy').waitFor()
  expect(await area(page).inputValue()).toBe(content)
  expect(page.complaints).toEqual([])
})
