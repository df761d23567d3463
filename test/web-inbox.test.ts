import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { barriersOf, widthBeyondScreen } from './support/browser/axe.ts'
import { type Site, startSite } from './support/browser.ts'

/* The inbox as a person has it: told by the bell, opened, put away, by keys as well. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test('what is new is told by the bell, and is read, snoozed and archived', async () => {
  const { admin, person } = await site.organization()
  const ben = await person('editor')
  const give = (title: string) =>
    site.call({ ...admin, requestId: title }, 'createRisk', { title, owner: user(ben) })
  for (const title of ['First risk', 'Second risk', 'Third risk']) await give(title)
  const page = await site.open('/', { as: ben })
  await page.getByRole('link', { name: 'Inbox, 3 unread notices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const news = page.getByRole('list', { name: 'New' })
  await news.getByRole('link', { name: 'Third risk' }).waitFor()
  if (process.env.PICTURES) {
    await page.picture('inbox')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.picture('inbox-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.picture('inbox-narrow')
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  expect(await barriersOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Snooze: Third risk' }).click()
  await page.picture('inbox-snooze')
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click()
  await page.getByRole('link', { name: 'Inbox, 2 unread notices' }).waitFor()
  // Keys: the second and newest is chosen, archived; the first is opened, and so read.
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByRole('link', { name: 'Inbox, 1 unread notice' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'First risk' }).waitFor()
  await page.getByRole('link', { name: 'Inbox', exact: true }).first().waitFor()
  await page.visit('/inbox')
  await page.getByRole('list', { name: 'Earlier' }).getByRole('link', { name: 'First risk' }).waitFor()
  await page.getByText('Snoozed', { exact: true }).click()
  await page.getByRole('button', { name: 'Bring back now: Third risk' }).click()
  await page.getByRole('link', { name: 'Inbox, 1 unread notice' }).waitFor()
  await page.getByText('Archived', { exact: true }).click()
  await page.getByRole('button', { name: 'Move to inbox: Second risk' }).click()
  await page.getByText('Nothing is archived').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await widthBeyondScreen(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByLabel('Given to you: by mail').selectOption('Once a day')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByLabel('Mentioned: by mail').selectOption('Never')
  await page.getByLabel('Hour').selectOption('17:00')
  const settings = async () => (await site.call(ben, 'getNoticeSettings', {})).body
  await expect.poll(settings).toMatchObject({
    dailyHour: 17,
    kinds: expect.arrayContaining([
      expect.objectContaining({ title: 'Given to you', mail: 'daily' }),
      expect.objectContaining({ title: 'Mentioned', mail: 'never' }),
    ]),
  })
  if (process.env.PICTURES) {
    await page.picture('notifications')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.picture('notifications-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.picture('notifications-narrow')
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  await page.reload()
  expect(await page.getByLabel('Given to you: by mail').inputValue()).toBe('daily')
  expect(await page.getByLabel('Hour').inputValue()).toBe('17')
  expect(await barriersOf(page)).toEqual([])
})

test('a comment is written, mentions somebody who may read, and is only text', async () => {
  const { admin, person } = await site.organization()
  const ben = await person('editor')
  const { body } = await site.call(admin, 'createRisk', { title: 'Old gateway' })
  const { id } = body as { id: string }
  const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) **strong** https://a.example/b'
  await site.call(admin, 'createComment', { recordId: id, text: hostile })
  const page = await site.open(`/risks/${id}?tab=comments`, { as: ben })
  const list = page.getByRole('list', { name: 'Comments' })
  await list.getByText('<img src=x onerror=alert(1)>').waitFor()
  expect(await list.locator('img, script, a[href^="javascript"]').count()).toBe(0)
  expect(await list.locator('strong').textContent()).toBe('strong')
  const box = page.getByRole('textbox', { name: 'Comment' })
  await box.fill('')
  await box.pressSequentially('Look, @adm')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await box.pressSequentially('`now`')
  await page.picture('comments')
  await page.keyboard.press('Control+Enter')
  await list.getByText('now', { exact: true }).waitFor()
  const { data } = (await site.call(admin, 'listNotices')).body as { data: { words: string }[] }
  expect(data.map(({ words }) => words)).toEqual([expect.stringContaining('mentioned you in a comment')])
  await list.getByRole('button', { name: 'Edit' }).click()
  const editing = list.getByRole('textbox', { name: 'Comment' })
  expect(await editing.inputValue()).toMatch(/^Look, @admin \w+ `now`$/)
  await editing.fill('Nothing')
  await list.getByRole('button', { name: 'Save comment' }).click()
  await list.getByRole('button', { name: /edited/ }).click()
  await list.getByRole('region', { name: 'Earlier versions' }).getByText('now', { exact: true }).waitFor()
  expect(await barriersOf(page, '[role=tabpanel]')).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await widthBeyondScreen(page)).toEqual([])
  await page.picture('comments-narrow')
})
