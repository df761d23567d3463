import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { openMail } from '../server/mail/mail.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import { tellOfShutOffs } from '../server/webhooks/shut-off-notices.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: admins are told once of each endpoint that failures turned off, until it is on again or they have seen it. */

let one: TestService
let server: MailServer
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  server = await startMailServer()
  acme = await one.organization()
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const mailTurn = () => mailNotices({ ...one.service, mail: openMail(server.url, one.service.log) })
const MINUTE = 60_000

/** As turn-off.ts writes it. */
async function goesOff(address: string): Promise<string> {
  const { body } = await one.call(acme.admin, 'createWebhookEndpoint', {
    address,
    signalTypes: ['risk.created'],
  })
  const { id } = body as { id: string }
  await one.administrator.query(
    `update webhook_endpoints
        set enabled = false, disabled_reason = 'failures', disabled_at = clock_now(), shut_off_notice_due_at = clock_now(),
            tripped_by = '[{"at":"2026-01-01T00:00:00Z","outcome":"refused","statusCode":401}]'
      where id = $1`,
    [id],
  )
  return id
}

const unread = async (caller: Caller) =>
  ((await one.call(caller, 'listNotices', {})).body as { data: { words: string; page: string }[] }).data.map(
    ({ words, page }) => ({ words, page }),
  )

test('admins are told of what went off, in one mail, and nobody else is', async () => {
  const editor = await acme.person('editor')
  const [one1, two] = [
    await goesOff('https://one.example/hook?token=secret'),
    await goesOff('https://two.example/hook'),
  ]
  await Promise.all([tellOfShutOffs(one.service), tellOfShutOffs(one.service)])
  await tellOfShutOffs(one.service)
  const told = (host: string, id: string) => ({
    words: `Failures turned off the webhook endpoint https://${host}.example/hook: The receiver refused the delivery.`,
    page: `/settings/webhooks/${id}`,
  })
  const news = await unread(acme.admin)
  expect(news).toHaveLength(2)
  expect(news).toEqual(expect.arrayContaining([told('one', one1), told('two', two)]))
  expect(await unread(editor)).toEqual([])
  await one.moveClock(2 * MINUTE)
  await mailTurn()
  const mail = await server.next(`${acme.admin.accountId}@example.com`)
  expect(mail.text).toContain('“one[.]example/hook”: The receiver refused the delivery.')
  expect(mail.text).not.toContain('one.example')
  await one.moveClock(2 * MINUTE)
  await mailTurn()
  expect(server.mails).toHaveLength(1)
})

test('who has looked at it, or sees it on again, is not told any more', async () => {
  const other = await acme.person('admin')
  const id = await goesOff('https://three.example/hook')
  const back = await goesOff('https://four.example/hook')
  await one.call(acme.admin, 'updateWebhookEndpoint', { id: back, enabled: true })
  await tellOfShutOffs(one.service)
  expect((await unread(other)).map(({ page }) => page)).toEqual([`/settings/webhooks/${id}`])
  // Each admin is reminded in the app until they have looked, whoever else has.
  const unseen = async (by: Caller) =>
    ((await one.call(by, 'listWebhookShutOffs', {})).body as { data: { endpointId: string }[] }).data.map(
      ({ endpointId }) => endpointId,
    )
  expect(await unseen(acme.admin)).toContain(id)
  await one.call(acme.admin, 'acknowledgeWebhookShutOff', { id })
  expect((await unread(acme.admin)).map(({ page }) => page)).not.toContain(`/settings/webhooks/${id}`)
  expect(await unseen(acme.admin)).not.toContain(id)
  expect(await unseen(other)).toContain(id)
  expect(await unread(other)).toHaveLength(1)
  await one.call(acme.admin, 'updateWebhookEndpoint', { id, enabled: true })
  expect(await unread(other)).toEqual([])
})
