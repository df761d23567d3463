/** Promise: whatever leaves the service as a file is in the audit log, once, with who took it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { sendFile } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { openWebAs } from './support/web.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let ada: Caller
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  ada = await acme.person('editor')
})
afterAll(() => one.close())

const entries = async () =>
  (
    await one.administrator.query(
      `select actor ->> 'id' as by, subject ->> 'title' as title, reason from audit_entries
        where organization_id = $1 and action = 'file.download' and outcome = 'success' order by time, id`,
      [acme.id],
    )
  ).rows

test('an export that is answered leaves an entry, like one that a job makes', async () => {
  const { secret, id } = await acme.key(['read:risks'], ada)
  expect((await door.send(secret, 'GET', '/v1/risks/export?format=csv')).status).toBe(200)
  expect(await entries()).toEqual([
    { by: id, title: expect.stringMatching(/^risks-.*\.csv$/), reason: 'exportRisks' },
  ])
  expect((await door.send(secret, 'GET', '/v1/controls/export?format=csv')).status).toBe(403)
  expect(await entries()).toHaveLength(1)
})

test('a link leaves one when it is followed, not when it is made', async () => {
  const web = await openWebAs(door, ada)
  const before = await entries()
  const { body } = await web.call('exportRisks', { format: 'json' })
  expect(await entries()).toEqual(before)
  const { pathname } = new URL(body.url)
  expect((await door.send(null, 'GET', pathname, { headers: { cookie: web.cookie } })).status).toBe(200)
  expect((await entries()).slice(before.length)).toEqual([
    { by: ada.userId, title: expect.stringMatching(/\.json$/), reason: 'exportRisks' },
  ])
})

test('an export of the audit log is in the log, and in the file', async () => {
  const { body } = await one.call(acme.admin, 'exportAuditLog', {})
  const { lines } = body as { lines: string[] }
  expect(lines.filter((line) => line.includes('audit_log.export'))).toHaveLength(1)
})

test('a file that somebody uploaded leaves one as well, and a picture on a page none', async () => {
  const sent = await sendFile(one, ada, 'well.txt', Buffer.from('All is well.'))
  const web = await openWebAs(door, ada)
  const { body } = await web.call('downloadFile', { id: sent.id })
  const { pathname } = new URL(body.url)
  expect((await door.send(null, 'GET', pathname, { headers: { cookie: web.cookie } })).text).toBe(
    'All is well.',
  )
  expect((await entries()).at(-1)).toEqual({ by: ada.userId, title: 'well.txt', reason: 'downloadFile' })
  const shown = operations.filter(({ isShownOnPage }) => isShownOnPage).map(({ name }) => name)
  expect(shown.every((name) => name.includes('Picture'))).toBe(true)
})
