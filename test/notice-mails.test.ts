import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { openMail } from '../server/mail/mail.ts'
import { countMails } from '../server/notices/mail-log.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: what somebody is told is mailed as they chose, once, in one mail for what comes together, and names nothing
 * that they may not read. */

let one: TestService
let server: MailServer
let acme: TestOrganization
let ada: Caller
beforeAll(async () => {
  one = await startTestService()
  server = await startMailServer()
})
beforeEach(async () => {
  await minutes(3)
  await round()
  server.answer(() => undefined)
  acme = await one.organization()
  ada = await acme.person('editor')
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const MINUTE = 60_000
const round = () => mailNotices({ ...one.service, mail: openMail(server.url, one.service.log) })
const minutes = (count: number) => one.moveClock(count * MINUTE)
/** A minute of the clock and its task. */
const tick = async (count = 1) => {
  await minutes(count)
  await round()
}
let calls = 0
const as = async <Body = { id: string }>(caller: Caller, name: string, input: object = {}): Promise<Body> => {
  calls += 1
  return (await one.call({ ...caller, requestId: `${caller.requestId} ${calls}` }, name, input)).body as Body
}
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const give = (to: Caller, title: string, dueDate?: string) =>
  as<{ id: string; reference: string }>(ada, 'createRisk', {
    ...{ title, owner: user(to) },
    ...(dueDate && { dueDate }),
  })
const addressOf = ({ accountId }: Caller) => `${accountId}@example.com`
const mailsTo = (caller: Caller) => server.mails.filter(({ to }) => to === addressOf(caller))
const nameOf = ({ credential }: Caller) => (credential as { name: string }).name
const log = async () => (await as<{ data: Record<string, unknown>[] }>(acme.admin, 'listMails')).data

test('one notice is one mail, which leads to the record; what was read by then is not mailed', async () => {
  const ben = await acme.person('editor')
  const { id, reference } = await give(ben, 'Unpatched gateway', '2031-02-28T09:00:00.000Z')
  await round()
  expect(mailsTo(ben)).toEqual([])
  await tick()
  const [mail] = mailsTo(ben)
  expect(mail!.subject).toBe(
    `“${nameOf(ada)}” gave you a risk: ${reference} “Unpatched gateway”, due 28 Feb 2031`,
  )
  expect(mail!.link).toBe(`${one.service.config.publicUrl}/risks/${id}`.replace(/([^:])\/\//g, '$1/'))
  expect(mail!.text).toContain('/account/notices')
  for (const said of [mail!.text, mail!.html]) expect(said.split(`/risks/${id}`)).toHaveLength(2)
  await give(ben, 'Read at once')
  await as(ben, 'readAllNotices')
  await tick(2)
  expect(mailsTo(ben)).toHaveLength(1)
  expect(await log()).toMatchObject([{ state: 'sent', address: addressOf(ben), noticeCount: 1, attempts: 1 }])
})

test('whoever is named as something is not told a day on which nothing is asked of them', async () => {
  const ben = await acme.person('editor')
  // When a record is looked at again is no day by which somebody is asked for anything.
  await as(ada, 'createPolicy', {
    ...{ name: 'Clean desk', approver: { type: 'user', refId: ben.userId }, reviewDate: '2031-02-28' },
  })
  await tick(2)
  expect(mailsTo(ben).at(-1)!.subject).toMatch(/named you as “Approver” of a policy: POL-\d+ “Clean desk”$/)
})

test('what was decided stands before what was given with it', async () => {
  const ben = await acme.person('editor')
  const { id } = await as(ada, 'createEvidence', {
    ...{
      title: 'Access review',
      text: 'All were reviewed.',
      status: 'requested',
      requestDueDate: '2099-01-01',
    },
    ...{ requestedFrom: user(ben), reviewer: user(acme.admin) },
  })
  await tick(2)
  await as(ben, 'submitEvidence', { id })
  await as(acme.admin, 'approveEvidence', { id })
  await tick(2)
  const subject = mailsTo(ben).at(-1)!.subject
  expect(subject).toMatch(/approved/i)
  expect(subject).not.toContain('gave you')
  // What else was told of it is said, and not counted.
  expect(mailsTo(ben).at(-1)!.text).toContain(`. Also: “${nameOf(acme.admin)}” gave you evidence`)
})

test('why something was rejected is told with that, as long as it is', async () => {
  const ben = await acme.person('editor')
  const rejectionReason = 'It is of last year, see https://evil.example/now'
  const { id } = await as(ben, 'createEvidence', {
    ...{ title: 'Access review', text: 'All were reviewed.', owner: user(ben), reviewer: user(acme.admin) },
  })
  const rejected = async () => {
    await as(ben, 'submitEvidence', { id })
    await as(acme.admin, 'rejectEvidence', { id, rejectionReason })
  }
  const told = async () =>
    (await as<{ data: { kind: string; record: { reason: string | null } }[] }>(ben, 'listNotices')).data[0]!
  await rejected()
  await tick(2)
  const { subject, text } = mailsTo(ben).at(-1)!
  expect(subject).toMatch(/rejected/)
  expect(subject).not.toContain('last year')
  expect(text).toContain('Reason: “It is of last year, see https evil example now”')
  expect(await told()).toMatchObject({ kind: 'decided', record: { reason: rejectionReason } })
  // What was sent anew is rejected no more.
  await as(ben, 'submitEvidence', { id })
  expect(await told()).toMatchObject({ kind: 'decided', record: { reason: null } })
})

test('500 notices within a minute make one mail, also with two processes at it', async () => {
  const ben = await acme.person('editor')
  await Promise.all(Array.from({ length: 10 }, (_, at) => giveMany(ben, at)))
  await minutes(0.9)
  await give(ben, 'Just in time')
  await minutes(0.2)
  await Promise.all([round(), round()])
  await tick(2)
  expect(mailsTo(ben)).toHaveLength(1)
  expect(mailsTo(ben)[0]!.subject).toMatch(/^“.+” gave you a risk: .+, and 500 more$/)
  expect(mailsTo(ben)[0]!.text.split('gave you a risk')).toHaveLength(26)
  expect(mailsTo(ben)[0]!.text).toContain('Open the inbox, with 476 more')
})

async function giveMany(to: Caller, at: number): Promise<void> {
  for (let index = 0; index < 50; index += 1) await give(to, `Risk ${at} ${index}`)
}

test('while the mail server is away nothing is lost, and what comes joins what waits', async () => {
  const ben = await acme.person('editor')
  server.answer((command) =>
    command.startsWith('MAIL') ? '421 4.3.2 secret words of the server' : undefined,
  )
  await give(ben, 'First')
  for (let at = 0; at < 30; at += 1) await tick(2)
  await give(ben, 'Second')
  expect(mailsTo(ben)).toEqual([])
  const [waiting] = await log()
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 5 })
  expect(waiting!.failure).toContain('421 4.3.2')
  expect(JSON.stringify(waiting)).not.toContain('secret')
  expect(await countMails(one.service)).toMatchObject({ waiting: 1 })
  server.answer(() => undefined)
  await tick(121)
  expect(mailsTo(ben)).toHaveLength(1)
  expect(mailsTo(ben)[0]!.text).toMatch(/Second[\s\S]*First/)
  // After a day it is given up.
  server.answer((command) => (command.startsWith('MAIL') ? '421 later' : undefined))
  await give(ben, 'Third')
  for (let at = 0; at < 16; at += 1) await tick(125)
  server.answer(() => undefined)
  await tick(125)
  expect(mailsTo(ben)).toHaveLength(1)
  expect((await log())[0]).toMatchObject({ state: 'given_up' })
})

test('a server that forwards nothing is no fault of the address: the mail leaves once it does', async () => {
  const ben = await acme.person('editor')
  server.answer((command) => (command.startsWith('RCPT') ? '550 5.7.1 Relaying denied' : undefined))
  await give(ben, 'Kept')
  await tick(2)
  expect(mailsTo(ben)).toEqual([])
  server.answer(() => undefined)
  await tick(10)
  expect(mailsTo(ben)).toHaveLength(1)
})

test('an address that takes no mail is told to admins, and not tried for every notice', async () => {
  const ben = await acme.person('editor')
  const of = (command: string) => command.includes(addressOf(ben))
  server.answer((command) => (of(command) ? '550 5.1.1 no such user' : undefined))
  await give(ben, 'First')
  await tick(2)
  await give(ben, 'Second')
  await tick(2)
  await tick(2)
  expect(server.commands.filter((command) => command.startsWith('RCPT') && of(command))).toHaveLength(1)
  expect(mailsTo(acme.admin).map(({ subject }) => subject)).toEqual([
    `Mail to “${addressOf(ben).replace('@', '[@]').replace('.com', '[.]com')}” cannot be delivered`,
  ])
  expect((await log()).find(({ userId }) => userId === ben.userId)).toMatchObject({ state: 'refused' })
  server.answer(() => undefined)
  await as(ben, 'updateNoticeSettings', { tryMailAgain: true })
  const { reference } = await give(ben, 'Third')
  await tick(2)
  expect(mailsTo(ben).map(({ subject }) => subject)).toEqual([
    `“${nameOf(ada)}” gave you a risk: ${reference} “Third”`,
  ])
})

test('whoever is disabled meanwhile gets none, and no record is named to who may not read it', async () => {
  const gone = await acme.person('editor')
  await give(gone, 'For nobody')
  await one.administrator.query("update members set status = 'disabled' where user_id = $1", [gone.userId])
  const admin = await acme.person('admin')
  const bounced = { kind: 'address_bounced', facts: { about: 'x@example.com' } }
  await one.administrator.query(
    `insert into notices (organization_id, id, user_id, kind, facts, count, gathered_by, created_at, mail_at)
     values ($1, 'ntc_1', $2, $3, $4, 1, 'x', clock_now(), clock_now())`,
    [acme.id, admin.userId, bounced.kind, bounced.facts],
  )
  await one.administrator.query("update members set role = 'viewer' where user_id = $1", [admin.userId])
  const ben = await acme.person('editor')
  const { id } = await give(ben, 'Deleted by then')
  await as(acme.admin, 'deleteRisk', { id })
  await tick(2)
  for (const person of [gone, admin, ben]) expect(mailsTo(person)).toEqual([])
})

test('what waits for the daily mail goes by the hour that is chosen later', async () => {
  const ben = await acme.person('editor')
  await as(ben, 'updateNoticeSettings', { mails: { assigned: 'daily' } })
  await give(ben, 'Kept')
  await tick(2)
  const at = async () =>
    (await one.administrator.query('select mail_at, is_daily from notices where user_id = $1', [ben.userId]))
      .rows[0]
  const before = await at()
  expect(before.is_daily).toBe(true)
  const hour = (before.mail_at.getUTCHours() + 3) % 24
  await as(ben, 'updateNoticeSettings', { dailyHour: hour })
  expect((await at()).mail_at.getUTCHours()).toBe(hour)
})

test('mails come at once, at an hour of one’s own, or never, as everybody chooses', async () => {
  const ben = await acme.person('editor')
  await as(ben, 'updateNoticeSettings', {
    ...{ dailyHour: 7, timezone: 'Pacific/Auckland' },
    mails: { assigned: 'daily', decided: 'never' },
  })
  const settings = await as<{ kinds: { name: string; mail: string }[] }>(ben, 'getNoticeSettings')
  const choices = Object.fromEntries(settings.kinds.map(({ name, mail }) => [name, mail]))
  expect(choices).toMatchObject({ assigned: 'daily', decided: 'never', asked_to_decide: 'at_once' })
  expect(choices).not.toHaveProperty('address_bounced')
  await give(ben, 'In the morning')
  await give(ben, 'As well')
  await tick(2)
  expect(mailsTo(ben)).toEqual([])
  const { rows } = await one.administrator.query(
    `select extract(hour from mail_at at time zone 'Pacific/Auckland')::int as hour,
            extract(epoch from mail_at - clock_now()) / 60 as minutes from notices where user_id = $1`,
    [ben.userId],
  )
  expect(rows.map(({ hour }) => hour)).toEqual([7, 7])
  const wait = Math.ceil(Number(rows[0].minutes))
  expect(wait).toBeLessThanOrEqual(24 * 60)
  await tick(wait - 2)
  expect(mailsTo(ben)).toEqual([])
  await tick(3)
  expect(mailsTo(ben).map(({ subject }) => subject)).toEqual([expect.stringMatching(/, and 1 more$/)])
})

test.each([
  'Bcc\r\nBcc: victim@example.com\r\n\r\nBody',
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  'Visit https://evil.example/now or mail a@evil.example',
  '\u202Eevil\u2066 =?UTF-8?B?QmNj?=',
])('a title or a name that means harm stays words: %j', async (hostile) => {
  const ben = await acme.person('editor')
  const evil = { ...ada, credential: { ...ada.credential, name: hostile.slice(0, 70) } } as Caller
  calls += 1
  await as(evil, 'createRisk', { title: hostile.replace(/[\r\n]/g, ' '), owner: user(ben) })
  await tick(2)
  const before = server.commands.filter((command) => command.startsWith('RCPT'))
  const [mail] = mailsTo(ben)
  expect(before.at(-1)).toContain(addressOf(ben))
  expect(mail!.subject).not.toMatch(/[\r\n]|https:\/\/|@/)
  expect(mail!.html).not.toMatch(/<script|<img|evil\.example/)
  expect(mail!.text).not.toMatch(/https:\/\/evil|^Bcc:/m)
})
