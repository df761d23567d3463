import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMail } from '../server/mail/mail.ts'
import { mailShutOffs } from '../server/webhooks/shut-off-mails.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Admins get a mail when failures turn an endpoint off: one for several, and not one an endpoint. */

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

const round = () => mailShutOffs({ ...one.service, mail: openMail(server.url, one.service.log) })

const MINUTE = 60_000

/** As turn-off.ts writes it. */
async function goesOff(address: string, { admin } = acme): Promise<string> {
  const { body } = await one.call(admin, 'createWebhookEndpoint', {
    address,
    signalTypes: ['risk.created'],
  })
  const { id } = body as { id: string }
  await turnOff(id)
  return id
}

async function turnOff(id: string): Promise<void> {
  await one.administrator.query(
    `update webhook_endpoints
        set enabled = false, disabled_reason = 'failures', disabled_at = clock_now(),
            shut_off_mail_due_at = clock_now() + interval '1 minute', tripped_by = '[{"at":"2026-01-01T00:00:00Z","outcome":"refused","statusCode":401}]'
      where id = $1`,
    [id],
  )
}

test('endpoints that go off together make one mail, and later ones wait for the hour', async () => {
  const { rows } = await one.administrator.query('select email from users where id = $1', [
    acme.admin.accountId,
  ])
  const to = rows[0].email as string
  // Who is disabled on this service hears nothing of it.
  const disabled = await acme.person('admin')
  await one.administrator.query('update users set disabled_at = clock_now() where id = $1', [
    disabled.accountId,
  ])
  const first = await goesOff('https://one.example/hook')
  await goesOff('https://two.example/hook')
  await round()
  expect(server.mails).toEqual([])
  await one.moveClock(MINUTE)

  // The server is away: it is tried again, and nothing is lost.
  server.answer((command) => (command.startsWith('RCPT') ? '451 later' : undefined))
  await round()
  server.answer(() => undefined)
  expect(server.mails).toEqual([])
  await round()
  expect(server.mails).toEqual([])
  await one.moveClock(11 * MINUTE)
  await Promise.all([round(), round()])
  const mail = await server.next(to)
  expect(mail.subject).toMatch(/^2 webhook endpoints of “.+” were turned off$/)
  expect(mail.text).toContain('“one[.]example/hook”: The receiver refused the delivery.')
  expect(mail.text).not.toContain('one.example')
  expect(mail.link).toBe(`${one.service.config.publicUrl.replace(/\/$/, '')}/settings/webhooks`)

  const third = await goesOff('https://three.example/hook')
  await one.moveClock(2 * MINUTE)
  await round()
  expect(server.mails).toHaveLength(1)
  await one.moveClock(60 * MINUTE)
  await round()
  expect(await server.next(to)).toMatchObject({
    subject: expect.stringMatching(/^A webhook endpoint of “.+” was turned off$/),
    link: expect.stringContaining(`/settings/webhooks/${third}`),
  })

  // What is on again by then is told to nobody.
  await goesOff('https://four.example/hook')
  await one.moveClock(61 * MINUTE)
  const { rows: off } = await one.administrator.query(
    "select id from webhook_endpoints where address = 'https://four.example/hook'",
  )
  await one.call(acme.admin, 'updateWebhookEndpoint', { id: off[0].id, enabled: true })
  await round()
  expect(server.mails).toHaveLength(2)

  // Each admin is reminded in the app until they have looked, whoever else has.
  const unseen = async (by = acme.admin) =>
    ((await one.call(by, 'listWebhookShutOffs', {})).body as { data: { endpointId: string }[] }).data
  expect(await unseen()).toHaveLength(3)
  await one.call(acme.admin, 'acknowledgeWebhookShutOff', { id: first })
  expect((await unseen()).map(({ endpointId }) => endpointId)).not.toContain(first)
  expect(await unseen(await acme.person('admin'))).toHaveLength(3)
})

test('an admin whose mail failed is mailed later, and whoever had theirs is not told twice', async () => {
  const other = await one.organization()
  const late = await other.person('admin')
  const [first, second] = [other.admin, late].map(({ accountId }) => `${accountId}@example.com`)
  const toldOf = (to: string | undefined) => server.mails.filter((mail) => mail.to === to).length
  await goesOff('https://one.example/hook', other)
  await one.moveClock(MINUTE)

  server.answer((command) => (command.includes(`RCPT TO:<${second}>`) ? '550 not now' : undefined))
  await round()
  expect([toldOf(first), toldOf(second)]).toEqual([1, 0])
  server.answer(() => undefined)
  await round()
  expect([toldOf(first), toldOf(second)]).toEqual([1, 0])
  await one.moveClock(11 * MINUTE)
  await Promise.all([round(), round()])
  expect([toldOf(first), toldOf(second)]).toEqual([1, 1])

  // The hour counts for each by itself, and what went off meanwhile is in their next.
  await goesOff('https://two.example/hook', other)
  await one.moveClock(50 * MINUTE)
  await round()
  expect([toldOf(first), toldOf(second)]).toEqual([2, 1])
  await one.moveClock(20 * MINUTE)
  await round()
  expect([toldOf(first), toldOf(second)]).toEqual([2, 2])
  await one.moveClock(3 * 60 * MINUTE)
  await round()
  expect([toldOf(first), toldOf(second)]).toEqual([2, 2])
})

test('what goes off again while its mail is on the way is told of as well', async () => {
  const other = await one.organization()
  const id = await goesOff('https://one.example/hook', other)
  await one.moveClock(MINUTE)
  const mail = openMail(server.url, one.service.log)
  const send: typeof mail.send = async (message) => {
    const failure = await mail.send(message)
    await one.call(other.admin, 'updateWebhookEndpoint', { id, enabled: true })
    await turnOff(id)
    return failure
  }
  await mailShutOffs({ ...one.service, mail: { ...mail, send } })
  await one.moveClock(61 * MINUTE)
  await round()
  const to = `${other.admin.accountId}@example.com`
  expect(server.mails.filter((mail) => mail.to === to)).toHaveLength(2)
})
