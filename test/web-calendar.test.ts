import { afterAll, beforeAll, expect, test } from 'vitest'
import { lateTimers, textsOf } from './support/browser/late-timers.ts'
import { type Site, startSite } from './support/browser.ts'

/*
 * Promise: a month shows what is due on its day, and what one may change is dragged to another day and back; the address
 * for one's own calendar is shown once. My work has what waits for one, what is late and what is near.
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
  // By keys: taken by Space, led on by arrows, left by Space; a refusal to leave it puts it back.
  await entry('Wednesday, March 8').focus()
  for (const key of ['Space', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  await page.getByText('Thursday, March 16. Arrows').waitFor()
  await page.keyboard.press('Escape')
  for (const key of ['Space', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
  await entry('Tuesday, March 7').waitFor()
  expect(await dueDate()).toBe('2090-03-07')
  // Led out of the month that is shown, it is followed there.
  await entry('Tuesday, March 7').focus()
  await page.keyboard.press('Space')
  for (let week = 0; week < 6; week += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await entry('Tuesday, April 18').waitFor()
  await page.getByRole('button', { name: 'Move it back' }).click()
  await entry('Tuesday, March 7').waitFor()
  await page.getByText('Everybody’s').click()
  await day('Wednesday, March 8').getByRole('link', { name: 'Of others' }).waitFor()
  await page.goto(`${site.url}/account/profile`)
  await page.getByRole('button', { name: 'Make an address' }).click()
  const address = await page.getByText(/\/ical\/[\w-]{43}\.ics$/).textContent()
  expect(await (await fetch(address!.replace('localhost', '127.0.0.1'))).text()).toContain('BEGIN:VCALENDAR')
  await page.reload()
  await page.getByText('Read last:').waitFor()
  expect(await page.getByText(/ical\//).count()).toBe(0)
  // A new address ends the one before, and none is left once it is ended.
  const status = async (url: string) => (await fetch(url.replace('localhost', '127.0.0.1'))).status
  await page.getByRole('button', { name: 'Make a new address' }).click()
  const renewed = await page.getByText(/\/ical\/[\w-]{43}\.ics$/).textContent()
  await page.picture('calendar-feed')
  expect([await status(address!), await status(renewed!)]).toEqual([404, 200])
  await page.getByRole('button', { name: 'End it' }).click()
  await page.getByText('There is none yet.').waitFor()
  expect(await status(renewed!)).toBe(404)
})

test('a finger that holds an entry drags it, and is asked for the day where days lie in a list', async () => {
  const acme = await site.organization()
  const editor = await acme.person('editor')
  const { id } = (
    await site.call(editor, 'createControl', {
      ...{ title: 'Backups', code: 'B', dueDate: '2090-03-08' },
      owner: { type: 'user', refId: editor.userId },
    })
  ).body as { id: string }
  const page = await site.open('/calendar?month=2090-03', {
    ...{ as: editor, hasTouch: true, viewport: { width: 1024, height: 900 } },
  })
  const fingers = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const middle = async (name: string) => {
    const { x, y, width, height } = (await page.getByRole('region', { name }).boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  const entry = page.getByRole('link', { name: 'Backups' })
  const hold = async () => {
    await entry.waitFor()
    const { x, y } = (await entry.boundingBox())!
    await touch('touchStart', { x: x + 8, y: y + 8 })
  }
  await hold()
  await page.locator('[data-held]').waitFor()
  await touch('touchMove', await middle('Thursday, March 9'))
  await touch('touchMove', await middle('Friday, March 10'))
  await page.picture('calendar-finger')
  await touch('touchEnd')
  await page
    .getByRole('region', { name: 'Friday, March 10' })
    .getByRole('link', { name: 'Backups' })
    .waitFor()
  const dueDate = async () =>
    ((await site.call(editor, 'getControl', { id })).body as { dueDate: string }).dueDate
  await expect.poll(dueDate).toBe('2090-03-10')
  await page.setViewportSize({ width: 390, height: 800 })
  await hold()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await touch('touchEnd')
  await page.picture('calendar-finger-390')
  await dialog.locator('input[type=date]').fill('2090-03-22')
  await dialog.locator('button[type=submit]').click()
  await expect.poll(dueDate).toBe('2090-03-22')
})

test('my work begins with what others wait for, then what is late, and ends with what is nobody’s', async () => {
  const acme = await site.organization()
  const editor = await acme.person('editor')
  const owner = { type: 'user', refId: editor.userId }
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const add = (name: string, input: object) => site.call(acme.admin, name, input)
  const page = await site.open('/my-work', { as: editor })
  await page.getByText('Nothing is waiting for you').waitFor()
  await add('createTask', { title: 'Look at the provider', assignee: owner })
  await add('createTask', {
    title: 'Renew the certificate',
    assignee: owner,
    status: 'open',
    dueDate: day(-3),
  })
  await add('createControl', { title: 'Backups', code: 'B', dueDate: day(-5) })
  await add('createControl', {
    title: 'Of the admin',
    code: 'C',
    owner: { ...owner, refId: acme.admin.userId },
    dueDate: day(-5),
  })
  await add('createTask', { title: 'In years', status: 'open', assignee: owner, dueDate: day(900) })
  await add('createTask', { title: 'Somebody could' })
  await page.reload()
  await page
    .getByRole('list', { name: 'Waits for you' })
    .getByRole('link', { name: 'Look at the provider' })
    .waitFor()
  await page
    .getByRole('list', { name: 'Late' })
    .getByRole('link', { name: 'Renew the certificate' })
    .waitFor()
  await page.getByRole('list', { name: 'Without owner' }).getByRole('link', { name: 'Backups' }).waitFor()
  expect(await page.getByText('Of the admin').count()).toBe(0)
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  expect(headings).toEqual(['Waits for you', 'Late 1', 'Later 1', 'Waits for anybody', 'Without owner'])
})

test('a viewer takes up and does the tasks given to them, step by step, and takes a step back', async () => {
  const acme = await site.organization()
  const viewer = await acme.person('viewer')
  const { id } = (
    await site.call(acme.admin, 'createTask', {
      ...{ title: 'Look at the provider', status: 'suggested', dueDate: '2020-01-31' },
      ...{ assignee: { type: 'user', refId: viewer.userId }, checklist: [{ text: 'Ask them' }] },
    })
  ).body as { id: string }
  await site.call(acme.admin, 'createTask', { title: 'Of nobody', status: 'suggested' })
  const page = await site.open('/my-work', { as: viewer })
  const lead = async (from: string, to: string) => {
    await page.getByRole('button', { name: `${from}: change the status` }).click()
    await page.getByRole('menuitem', { name: to }).click()
  }
  const waits = page.getByRole('list', { name: 'Waits for you' })
  await waits.getByText('Jan 31, 2020').waitFor()
  await page.picture('my-work-viewer')
  await lead('Suggested', 'Open')
  await page.getByText('is set to Open.').waitFor()
  await lead('Open', 'Done')
  await page.getByText('is set to Done.').waitFor()
  await page.picture('my-work-undo')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('is Open again.').waitFor()
  await page.getByRole('list', { name: 'Late' }).getByRole('link', { name: 'Look at the provider' }).waitFor()
  expect(await page.getByText('Of nobody').count()).toBe(0)
  expect(await page.getByText('Without owner').count()).toBe(0)
  // The same on the page of the task, and nothing else of it.
  await page.visit(`/tasks/${id}`)
  await page.getByRole('list', { name: 'Checklist' }).getByLabel('Ask them').click()
  await page.getByText('1 of 1').waitFor()
  await page.getByRole('button', { name: 'Status: Open' }).click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  await page.getByRole('button', { name: 'Status: In progress' }).waitFor()
  const task = async () => (await site.call(viewer, 'getTask', { id })).body
  await expect.poll(task).toMatchObject({ status: 'in_progress', checklist: [{ isDone: true }] })
  expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0)
  await page.picture('task-viewer')
  // Who is here for themselves alone does the same on their one page.
  await site.call(acme.admin, 'updateUser', { id: viewer.userId, selfServiceOnly: true })
  await page.goto(site.url)
  await page.getByRole('heading', { level: 1, name: 'Yours' }).waitFor()
  await page.getByRole('list', { name: 'Checklist' }).getByLabel('Ask them').click()
  await page.getByText('0 of 1').waitFor()
  await lead('In progress', 'Done')
  await page.getByText('is set to Done.').waitFor()
  await page.picture('yours')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'In progress: change the status' }).waitFor()
})

test('a task is accepted, said to be blocked and done where it stands, and leads to the next', async () => {
  const acme = await site.organization()
  const editor = await acme.person('editor')
  const { id } = (
    await site.call(acme.admin, 'createTask', {
      ...{ title: 'Go through the rights', dueDate: '2020-01-31', recurrence: { frequency: 'monthly' } },
      assignee: { type: 'user', refId: editor.userId },
    })
  ).body as { id: string }
  const page = await site.open('/my-work', { as: editor })
  const stands = (list: string, state: string) =>
    page.getByRole('list', { name: list }).getByRole('button', { name: `${state}: change the status` })
  const lead = async (list: string, from: string, to: string) => {
    await stands(list, from).click()
    await page.getByRole('menuitem', { name: to }).click()
  }
  await lead('Waits for you', 'Suggested', 'Open')
  await lead('Late', 'Open', 'Blocked')
  const dialog = page.getByRole('dialog', { name: 'Change status to blocked' })
  await dialog.getByRole('textbox', { name: 'Reason for the status' }).fill('The list is missing')
  await dialog.getByRole('button', { name: 'Set to blocked' }).click()
  await stands('Late', 'Blocked').waitFor()
  await page.picture('my-work-states')
  await lead('Late', 'Blocked', 'Done')
  await page.getByRole('status').getByRole('link', { name: 'Next one' }).waitFor()
  await page.picture('my-work-next')
  await page.getByRole('button', { name: 'Open: change the status' }).waitFor()
  await page.visit(`/tasks/${id}`)
  const about = page.getByRole('complementary', { name: 'Record' })
  await about.getByRole('link', { name: 'Go through the rights' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/tasks/') && !url.pathname.endsWith(id))
  await about.getByText('Comes after').waitFor()
  await page.picture('task-next')
})

test('a step is ticked where it stands, in my work and on the page of its task', async () => {
  const acme = await site.organization()
  const editor = await acme.person('editor')
  const { id } = (
    await site.call(acme.admin, 'createTask', {
      ...{ title: 'Restore a backup', status: 'open', dueDate: '2020-01-31' },
      assignee: { type: 'user', refId: editor.userId },
      checklist: [{ text: 'Pick one' }, { text: 'Restore it' }, { text: 'Write it down' }],
    })
  ).body as { id: string }
  const page = await site.open('/my-work', { as: editor })
  await page.getByRole('button', { name: 'Steps of Restore a backup: 0 of 3' }).click()
  // On a busy machine, what is ticked is so at once as well, and never springs back.
  await page.getByLabel('Pick one').waitFor()
  await lateTimers(page)
  for (const step of ['Pick one', 'Restore it']) await page.getByLabel(step).check()
  await page.getByRole('button', { name: 'Steps of Restore a backup: 2 of 3' }).waitFor()
  await page.picture('my-work-steps')
  await page.getByRole('link', { name: 'Restore a backup' }).click()
  // My work has a list of that name too.
  const pencil = page.getByRole('button', { name: 'Edit Checklist' })
  await pencil.waitFor()
  const counts = await textsOf(page.getByRole('main').getByText('2 of 3', { exact: true }))
  const saved = page.waitForResponse(/\/updateTask$/)
  await page.getByRole('list', { name: 'Checklist' }).getByLabel('Restore it').uncheck()
  await page.getByText('1 of 3').waitFor()
  await (await saved).finished()
  await pencil.and(page.locator('[aria-busy=false]')).waitFor()
  expect(await counts()).toEqual(['2 of 3', '1 of 3'])
  const task = async () => (await site.call(editor, 'getTask', { id })).body as { version: number }
  await expect.poll(task).toMatchObject({
    checklist: [{ isDone: true }, { isDone: false }, { text: 'Write it down' }],
    version: 4,
  })
  await page.picture('task-steps')
})
