import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite } from './support/browser.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'

/*
 * Promise: 500 texts that mean harm, as comments, as titles and as names, are text on every page that shows them; and 500
 * mentions tell each person what concerns them, once.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

let calls = 0
const as = async <Body = { id: string }>(caller: Caller, name: string, input: object = {}): Promise<Body> => {
  calls += 1
  return (await site.call({ ...caller, requestId: `${caller.requestId} ${calls}` }, name, input)).body as Body
}

test('500 hostile comments are read as text, and 500 hostile titles stand on every page', async () => {
  expect(HOSTILE_TEXTS).toHaveLength(500)
  const { admin, person } = await site.organization()
  const editor = await person('editor')
  const owner = { type: 'user', refId: editor.userId }
  const { id } = await as(admin, 'createRisk', { title: 'Old gateway', owner })
  for (const text of HOSTILE_TEXTS) {
    // Who is mentioned has to be there: these are refused, and the rest is kept.
    await as(admin, 'createComment', { recordId: id, text }).catch((error) =>
      expect(error.code).toBe('validation_failed'),
    )
    const title = text.replaceAll(/\s+/g, ' ').slice(0, 180).toWellFormed().trim()
    await as(admin, 'createTask', { title, assignee: owner, status: 'open', dueDate: '2031-01-31' }).catch(
      (error) => expect(error.code).toBe('validation_failed'),
    )
  }
  const page = await site.open(`/risks/${id}?tab=comments`, { as: editor })
  await page.getByRole('list', { name: 'Comments' }).waitFor()
  for (const more = page.getByRole('button', { name: 'Show more' }); (await more.count()) > 0; ) {
    const before = await page.getByRole('listitem').count()
    await more.first().click()
    await expect.poll(() => page.getByRole('listitem').count()).toBeGreaterThan(before)
  }
  const isHarmless = async () => {
    expect(await page.title()).not.toBe('owned')
    expect(await page.locator('#planted').count()).toBe(0)
    expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"], main img').count()).toBe(0)
    expect(page.complaints).toEqual([])
  }
  await isHarmless()
  for (const path of ['/', '/my-work', '/inbox', '/calendar?month=2031-01', '/tasks']) {
    await page.goto(`${site.url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('main a').count()).toBeGreaterThan(0)
    await isHarmless()
  }
})

test('500 mentions, 50 in a comment, tell each of 50 people of ten', async () => {
  const { admin, person } = await site.organization()
  const { id } = await as(admin, 'createRisk', { title: 'Old gateway' })
  const people: Caller[] = []
  for (let n = 0; n < 50; n++) people.push(await person('viewer'))
  const text = people.map(({ userId }) => `@[somebody](${userId})`).join(' ')
  for (let n = 0; n < 10; n++) await as(admin, 'createComment', { recordId: id, text })
  for (const one of people) {
    const { data } = await as<{ data: object[] }>(one, 'listNotices', { limit: 200 })
    // The newest stands for all that is told of one record.
    expect(data).toMatchObject([{ kind: 'mentioned', record: { id }, earlier: 9 }])
  }
})
