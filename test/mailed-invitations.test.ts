import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { openPlace, PASSWORD, type Place, signedIn, tokenOf } from './support/joining.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* With a mail server: the link goes to the mailbox, and to nobody else. */

let one: TestService
let door: Door
let server: MailServer
let acme: Place
let zenith: Place
const log: string[] = []

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url })
  door = await one.listen({}, (line) => log.push(line))
  acme = await openPlace(door, 'Acme')
  zenith = await openPlace(door, 'Zenith')
})
afterEach(() => server.answer(() => undefined))
afterAll(async () => {
  await one.close()
  await server.close()
})

const accept = (token: string, given: object = { password: PASSWORD }, web = openWeb(door)) =>
  web.call('acceptInvitation', { token, ...given })
const isProven = async (email: string) =>
  (
    await one.administrator.query(
      'select email_proven_at is not null as proven from users where email = $1',
      [email],
    )
  ).rows[0].proven

test('adding somebody mails them a link, and shows it to nobody else', async () => {
  const { invitation } = await acme.invite('new@example.com')
  expect(invitation).toEqual({
    sentTo: 'new@example.com',
    link: null,
    problem: null,
    expiresAt: expect.any(String),
  })
  const mail = await server.next('new@example.com')
  expect(mail.subject).toBe('“Admin of Acme” invites you to “Acme”')
  expect(mail.link).toMatch(/^http:\/\/localhost:3000\/invitation#token=[\w-]{43}$/)
  expect((await accept(mail.token)).status).toBe(200)
  expect(await isProven('new@example.com')).toBe(true)
  await signedIn(door, 'new@example.com')
})

test('a second invitation is a second mail, and the first link is worth nothing', async () => {
  const { id } = await acme.invite('again@example.com')
  const first = await server.next('again@example.com')
  expect((await acme.web.call('createInvitation', { id })).body).toMatchObject({
    sentTo: 'again@example.com',
    link: null,
  })
  const second = await server.next('again@example.com')
  expect((await accept(first.token)).body.code).toBe('link_invalid')
  expect((await accept(second.token)).status).toBe(200)
})

test('where the mail fails the admin is told, and gets another link, which proves no mailbox', async () => {
  let lost = ''
  server.answer((command) => {
    if (command !== '.') return undefined
    lost = server.commands.join('\n')
    return '554 refused'
  })
  const { status, invitation } = await acme.invite('lost@example.com')
  expect(lost).not.toBe('')
  expect([status, invitation.sentTo]).toEqual(['invited', null])
  expect(invitation.problem).toBe(
    'The mail server could not be reached, or did not take the mail. Hand the link over.',
  )
  const { rows } = await one.administrator.query(
    'select count(*)::int as n, bool_or(by_mail) as mailed from one_time_links l join users u on u.id = l.user_id where email = $1',
    ['lost@example.com'],
  )
  expect(rows).toEqual([{ n: 1, mailed: false }])
  expect((await accept(tokenOf(invitation.link))).status).toBe(200)
  expect(await isProven('lost@example.com')).toBe(false)
})

test('an address that the server does not know is told as such', async () => {
  server.answer((command) => (command.startsWith('RCPT') ? '550 no such user' : undefined))
  expect((await acme.invite('typo@example.com')).invitation.problem).toBe(
    'The mail server takes no mail for this address. Hand the link over.',
  )
})

test('a mailbox is not filled by an organization: after five mails in an hour the link is handed over', async () => {
  const { id } = await acme.invite('flood@example.com')
  for (let sent = 1; sent < 5; sent++)
    expect((await acme.web.call('createInvitation', { id })).body.sentTo).toBe('flood@example.com')
  const { body } = await acme.web.call('createInvitation', { id })
  expect(body).toMatchObject({
    sentTo: null,
    link: expect.any(String),
    problem: expect.stringMatching(/^Many/),
  })
  expect(server.mails.filter(({ to }) => to === 'flood@example.com')).toHaveLength(5)
  await zenith.invite('flood@example.com')
  expect(server.mails.filter(({ to }) => to === 'flood@example.com')).toHaveLength(6)
})

test('a mail on its way holds no transaction, and nobody else up', async () => {
  server.answer((command) => (command === 'CONNECT' ? 'silent' : undefined))
  let done = false
  const slow = acme.invite('slow@example.com').finally(() => {
    done = true
  })
  await expect.poll(() => server.commands.at(-1)).toBe('CONNECT')
  const { rows } = await one.administrator.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in%'",
  )
  expect(rows[0].n).toBe(0)
  const { data } = (await acme.web.call('listUsers', { q: 'new@example.com' })).body
  const renamed = await acme.web.call('updateUser', { id: data[0].id, name: 'Renamed meanwhile' })
  expect([renamed.status, done]).toEqual([200, false])
  expect((await slow).invitation.link).not.toBeNull()
})

test('who has shown that the mailbox is theirs gives their password for the next organization', async () => {
  const token = async (place: Place, email: string) => {
    await place.invite(email)
    return (await server.next(email)).token
  }
  await accept(await token(acme, 'both@example.com'))
  const second = await token(zenith, 'both@example.com')
  expect((await openWeb(door).call('getInvitation', { token: second })).body.hasPassword).toBe(true)
  expect((await accept(second, { password: 'a new one, long enough' })).status).toBe(401)
  expect((await accept(second)).status).toBe(200)
})

test('no link is in a log, in an audit log, or in an address', async () => {
  const { rows } = await one.administrator.query('select json_agg(a)::text as text from audit_entries a')
  expect(server.mails.length).toBeGreaterThan(8)
  for (const { token } of server.mails) {
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(rows[0].text).not.toContain(token)
    expect(log.join('')).not.toContain(token)
  }
  expect(log.join('')).not.toMatch(/example\.com/)
  expect(log.some((line) => line.includes('a mail could not be sent'))).toBe(true)
})
