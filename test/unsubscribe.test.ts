/** Promise: mails about notices can be turned off by one click, without signing in; mails that somebody asked for cannot. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { openMail } from '../server/mail/mail.ts'
import { invitationMail, passwordResetMail } from '../server/mail/messages.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import type { Door } from './support/door.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let server: MailServer
let acme: TestOrganization
let ada: Caller
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  server = await startMailServer()
  acme = await one.organization()
  ada = await acme.person('editor')
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const FORM = {
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

async function mailed(to: Caller, title: string) {
  await one.call(ada, 'createRisk', { title, owner: { type: 'user', refId: to.userId } })
  await one.moveClock(120_000)
  const before = server.mails.length
  await mailNotices({
    ...one.service,
    mail: openMail(server.url, one.service.log, one.service.config.publicUrl),
  })
  return server.mails.slice(before).find((mail) => mail.to === `${to.accountId}@example.com`)
}

const choiceOf = async (caller: Caller, kind: string) => {
  const { kinds } = (await one.call(caller, 'getNoticeSettings')).body as {
    kinds: { name: string; mail: string }[]
  }
  return kinds.find(({ name }) => name === kind)?.mail
}

test('one POST of a mail program turns off mails of that kind, for that person; a GET changes nothing', async () => {
  const [ben, cay] = [await acme.person('editor'), await acme.person('editor')]
  const mail = await mailed(ben, 'First')
  await mailed(cay, 'First')
  expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const [, address = ''] = /^<(http[^<>\s]+)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? []
  const { origin, pathname } = new URL(address)
  expect(origin).toBe(one.service.config.publicUrl)
  const shown = await door.send(null, 'GET', pathname)
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(shown.text).toContain('<form method="post">')
  expect(await choiceOf(ben, 'assigned')).not.toBe('never')

  expect((await door.send(null, 'POST', pathname, FORM)).status).toBe(200)
  expect(await choiceOf(ben, 'assigned')).toBe('never')
  expect(await choiceOf(ben, 'mentioned')).not.toBe('never')
  expect(await choiceOf(cay, 'assigned')).not.toBe('never')
  expect(await mailed(ben, 'Second')).toBeUndefined()
  expect(await mailed(cay, 'Second')).toBeDefined()
  // As mail programs may.
  expect((await door.send(null, 'POST', pathname, FORM)).status).toBe(200)

  const [other, third] = [
    pathname.replace(acme.id, (await one.organization()).id),
    `${pathname.slice(0, -1)}!`,
  ]
  for (const forged of [other, third, '/unsubscribe/x', `${pathname}x`])
    for (const method of ['GET', 'POST'])
      expect((await door.send(null, method, forged)).body?.code, `${method} ${forged}`).toBe('link_invalid')
  await one.administrator.query('delete from notice_mails')
  expect((await door.send(null, 'POST', pathname, FORM)).body.code).toBe('link_invalid')
})

test('a mail that somebody asked for has no such header', async () => {
  const mail = openMail(server.url, one.service.log)
  const address = 'https://plumb.example/x#token=T'
  await mail.send(invitationMail('new@example.com', { organization: 'Acme', by: null, address, days: 7 }))
  await mail.send(passwordResetMail('lost@example.com', { address, hours: 1 }))
  for (const to of ['new@example.com', 'lost@example.com'])
    expect((await server.next(to)).headers.has('list-unsubscribe'), to).toBe(false)
})

test.each([
  ['https://plumb.acme.example', 'plumb.acme.example'],
  ['https://plumb.acme.example:8443', 'plumb.acme.example'],
  ['http://127.0.0.1:8080', '[127.0.0.1]'],
  ['http://localhost:8080', '[127.0.0.1]'],
  ['http://[::1]:8080', '[IPv6:::1]'],
])('at %s it greets the mail server as %s', async (publicUrl, name) => {
  const mail = openMail(server.url, one.service.log, publicUrl)
  const address = 'https://plumb.example/x#token=T'
  await mail.send(passwordResetMail('ehlo@example.com', { address, hours: 1 }))
  expect(server.commands.filter((command) => command.startsWith('EHLO')).at(-1)).toBe(`EHLO ${name}`)
})
