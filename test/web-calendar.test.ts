import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'

/*
 * Promise: a month shows what is due on its day, late in words, and what one may change is dragged to another day and
 * back; the address for one's own calendar is shown once.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

test('what is due stands on its day, and is dragged to another one and back', async () => {
  const acme = await site.organization()
  const editor = await acme.person('editor')
  const owner = { type: 'user', refId: editor.userId }
  const add = async (title: string, dueDate: string) =>
    (await site.call(editor, 'createControl', { title, code: title, owner, dueDate })).body as { id: string }
  const { id } = await add('Backups', '2090-03-08')
  await site.call(acme.admin, 'createControl', { title: 'Of others', code: 'X', dueDate: '2090-03-08' })
  const page = await site.open('/calendar?month=2090-03', { as: editor })
  const day = (name: string) => page.getByRole('region', { name })
  const entry = (name: string) => day(name).getByRole('link', { name: 'Backups' })
  await entry('Wednesday, March 8').waitFor()
  expect(await page.getByRole('link', { name: 'Of others' }).count()).toBe(0)
  await entry('Wednesday, March 8').dragTo(day('Friday, March 10'))
  await entry('Friday, March 10').waitFor()
  const dueDate = async () =>
    ((await site.call(editor, 'getControl', { id })).body as { dueDate: string }).dueDate
  expect(await dueDate()).toBe('2090-03-10')
  await page.getByRole('button', { name: 'Move it back' }).click()
  await entry('Wednesday, March 8').waitFor()
  expect(await dueDate()).toBe('2090-03-08')
  await page.getByText('Everybody’s').click()
  await day('Wednesday, March 8').getByRole('link', { name: 'Of others' }).waitFor()
  await page.goto(`${site.url}/account/profile`)
  await page.getByRole('button', { name: 'Make an address' }).click()
  const address = await page.getByText(/\/ical\/[\w-]{43}\.ics$/).textContent()
  expect(await (await fetch(address!.replace('localhost', '127.0.0.1'))).text()).toContain('BEGIN:VCALENDAR')
  await page.reload()
  await page.getByText('Read last:').waitFor()
  expect(await page.getByText(/ical\//).count()).toBe(0)
})
