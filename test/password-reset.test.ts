import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { operator } from '../server/caller/operator.ts'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, nextStep } from './support/factors.ts'
import { openPlace, PASSWORD, type Place, signedIn, tokenOf } from './support/joining.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door
let server: MailServer
let acme: Place
const NEW = 'another few plain words'
const log: string[] = []

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url, TRUSTED_PROXIES: '127.0.0.0/8' })
  door = await one.listen({}, (line) => log.push(line))
  acme = await openPlace(door, 'Acme')
})
afterEach(() => server.answer(() => undefined))
afterAll(async () => {
  await one.close()
  await server.close()
})

let networks = 0
/** From a network of its own each time, unless one is given. */
const ask = (email: string, ip = `198.51.${++networks >> 8}.${networks & 255}`) =>
  openWeb(door).call('requestPasswordReset', { email }, { 'x-forwarded-for': ip })
const reset = (token: string, password = NEW, web = openWeb(door)) =>
  web.call('resetPassword', { token, password })
const signIn = (email: string, password: string) => openWeb(door).call('signIn', { email, password })
const invalid = { status: 422, body: expect.objectContaining({ code: 'link_invalid' }) }

/** A member of Acme who has shown that the mailbox is theirs. */
async function member(email: string) {
  const { id } = await acme.invite(email)
  const { token } = await server.next(email)
  const web = openWeb(door)
  await web.call('acceptInvitation', { token, password: PASSWORD })
  return { id, web }
}

async function tokenFor(email: string) {
  await ask(email)
  return (await server.next(email)).token
}

test('a lost password is replaced by a link in the mailbox, which ends every session', async () => {
  const { id, web } = await member('ada@example.com')
  expect((await ask('ADA@example.com')).body).toEqual({})
  const mail = await server.next('ada@example.com')
  expect(mail.link).toMatch(/^http:\/\/localhost:3000\/reset#token=[\w-]{43}$/)
  const page = openWeb(door)
  expect((await page.call('getPasswordReset', { token: mail.token })).body).toEqual({
    email: 'ada@example.com',
  })
  const short = await reset(mail.token, 'too short')
  expect([short.status, short.body.errors[0].path]).toEqual([422, 'password'])
  const done = await reset(mail.token, NEW, page)
  expect([done.status, done.body, page.cookie]).toEqual([200, { state: 'sign_in' }, ''])
  expect((await web.call('getSession')).body.state).toBe('signed_out')
  expect((await signIn('ada@example.com', PASSWORD)).status).toBe(401)
  expect((await signIn('ada@example.com', NEW)).status).toBe(200)
  expect((await server.next('ada@example.com')).subject).toBe('Your password was changed')
  const { body } = await acme.web.call('listAuditLog', { subjectId: [id], limit: 10 })
  expect(body.data).toContainEqual(
    expect.objectContaining({ action: 'user.reset_password', reason: 'a link by mail' }),
  )
  expect(await reset(mail.token)).toMatchObject(invalid)
})

test('a second factor is still asked for with the new password', async () => {
  const { web } = await member('factor@example.com')
  const { secret } = await addTotp(one, web)
  await reset(await tokenFor('factor@example.com'))
  const page = openWeb(door)
  const { body } = await page.call('signIn', { email: 'factor@example.com', password: NEW })
  expect([body.state, page.cookie]).toEqual(['second_factor', ''])
  await nextStep(one)
  const code = await codeOf(one, secret)
  expect((await page.call('signInSecondFactor', { ticket: body.ticket, code })).status).toBe(200)
})

test('a second step that was begun with the old password is over', async () => {
  const { web } = await member('ticket@example.com')
  const { secret } = await addTotp(one, web)
  const { ticket } = (await signIn('ticket@example.com', PASSWORD)).body
  await reset(await tokenFor('ticket@example.com'))
  await nextStep(one)
  const code = await codeOf(one, secret)
  expect((await openWeb(door).call('signInSecondFactor', { ticket, code })).status).toBe(401)
})

test('of twelve who use the link at once, one gets the password', async () => {
  await member('race@example.com')
  const token = await tokenFor('race@example.com')
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => reset(token, `${NEW} ${index}`)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const won = replies.findIndex(({ status }) => status === 200)
  expect((await signIn('race@example.com', `${NEW} ${won}`)).status).toBe(200)
})

test('a link works for an hour, and until any of them is used', async () => {
  const { id } = await member('links@example.com')
  const late = await tokenFor('links@example.com')
  await one.moveClock(3_600_001)
  expect(await reset(late)).toMatchObject(invalid)
  expect((await acme.web.call('confirmIdentity', { password: PASSWORD })).status).toBe(200)
  const first = await tokenFor('links@example.com')
  const second = await tokenFor('links@example.com')
  const page = await openWeb(door).call('getPasswordReset', { token: first })
  expect(page.status, 'a later mail does not end an earlier one: anybody may have asked for it').toBe(200)
  const handed = (await acme.web.call('createPasswordReset', { id })).body
  expect((await reset(second)).status).toBe(200)
  expect(await reset(first)).toMatchObject(invalid)
  expect(await reset(tokenOf(handed.link))).toMatchObject(invalid)
})

test('everybody hears the same, and as fast, also where the mail server hangs', async () => {
  await member('known@example.com')
  server.answer((command) => (command === 'CONNECT' ? 'silent' : undefined))
  const began = performance.now()
  const replies = [await ask('known@example.com'), await ask('nobody@example.com')]
  // Each step of sending waits for so long.
  expect(performance.now() - began).toBeLessThan(5_000)
  const told = replies.map(({ status, body, headers }) => {
    const { date: _date, 'request-id': _id, 'keep-alive': _alive, ...rest } = headers
    return JSON.stringify([status, body, rest])
  })
  expect(told[0]).toBe(told[1])
  expect(replies[0]!.status).toBe(200)
})

test('nobody who is not here is written to', async () => {
  await member('off@example.com')
  await one.administrator.query("update users set disabled_at = clock_now() where email = 'off@example.com'")
  const before = server.mails.length
  await ask('nobody@example.com')
  await ask('off@example.com')
  await member('after@example.com') // whose mail comes behind theirs
  await tokenFor('after@example.com')
  expect(server.mails.slice(before).map(({ to }) => to)).toEqual(['after@example.com', 'after@example.com'])
})

test('strangers neither flood a mailbox, known or not, nor keep its owner from a link', async () => {
  const { web } = await member('flooded@example.com')
  const joined = server.mails.filter(({ to }) => to === 'flooded@example.com').length
  for (const email of ['flooded@example.com', 'unknown@example.com']) {
    const near = []
    for (let tried = 0; tried < 7; tried++) near.push((await ask(email, '203.0.113.7')).status)
    expect(near).toEqual([200, 200, 200, 200, 200, 429, 429])
    const far = []
    for (let tried = 0; tried < 5; tried++) far.push((await ask(email)).status)
    expect(far, 'whoever asks from elsewhere hears the same').toEqual([200, 200, 200, 200, 200])
  }
  const mails = () => server.mails.filter(({ to }) => to === 'flooded@example.com').slice(joined)
  await expect.poll(() => mails().length).toBe(3)
  // Their own browser gets one more, from any network; and every link that came is good.
  await web.call('signOut')
  const asked = { email: 'flooded@example.com' }
  expect((await web.call('requestPasswordReset', asked, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(
    200,
  )
  await expect.poll(() => mails().length).toBe(4)
  for (const { token } of mails())
    expect((await openWeb(door).call('getPasswordReset', { token })).status).toBe(200)
  expect((await reset(mails()[0]!.token)).status).toBe(200)
  // A thousand networks in the next hour are three mails more, and a link is always there.
  await one.moveClock(3_600_001)
  for (let tried = 0; tried < 100; tried++) await ask('flooded@example.com')
  await tokenFor('links@example.com') // whose mail comes behind theirs
  const [latest] = mails().slice(-1)
  expect(mails().filter(({ subject }) => subject === 'Choose a new password')).toHaveLength(4 + 3)
  expect((await reset(latest!.token)).status).toBe(200)
  expect((await acme.web.call('confirmIdentity', { password: PASSWORD })).status).toBe(200)
})

test('a mail that did not leave is none that was sent: who asks again gets one, however often it failed', async () => {
  await member('unlucky@example.com')
  server.answer((command) => (command.startsWith('RCPT') ? '451 later' : undefined))
  const failed = () => log.filter((line) => line.includes('a mail could not be sent')).length
  for (let tried = 0; tried < 4; tried++) {
    const before = failed()
    await ask('unlucky@example.com')
    // A mail that failed before is tried again meanwhile on a slow machine.
    await expect.poll(failed).toBeGreaterThan(before)
  }
  server.answer(() => undefined)
  await ask('unlucky@example.com')
  expect((await server.next('unlucky@example.com')).subject).toBe('Choose a new password')
})

test('a mail that was of use makes room for the next, for its owner and nobody else', async () => {
  await member('again@example.com')
  const mails = () =>
    server.mails.filter(
      ({ to, subject }) => to === 'again@example.com' && subject === 'Choose a new password',
    )
  for (let tried = 0; tried < 4; tried++) await ask('again@example.com')
  await expect.poll(() => mails().length).toBe(3)
  expect((await reset(mails()[0]!.token)).status).toBe(200)
  await ask('again@example.com')
  await expect.poll(() => mails().length).toBe(4)
})

test('after guesses at the old password, the new one lets in at once', async () => {
  await member('forgot@example.com')
  for (let tried = 0; tried < 10; tried++) await signIn('forgot@example.com', 'not the right one')
  expect((await signIn('forgot@example.com', PASSWORD)).status).toBe(429)
  await reset(await tokenFor('forgot@example.com'))
  expect((await signIn('forgot@example.com', NEW)).status).toBe(200)
})

test('an admin hands a member a link', async () => {
  const { id, web } = await member('handed@example.com')
  const made = await acme.web.call('createPasswordReset', { id })
  expect(made.status).toBe(200)
  expect((await reset(tokenOf(made.body.link))).status).toBe(200)
  expect((await web.call('getSession')).body.state).toBe('signed_out')
  expect((await signIn('handed@example.com', NEW)).status).toBe(200)
  const { body } = await acme.web.call('listAuditLog', { subjectId: [id], limit: 10 })
  const told = body.data.map(({ action, reason }: { action: string; reason: string }) => [action, reason])
  expect(told).toContainEqual(['user.create_password_reset', null])
  expect(told).toContainEqual(['user.reset_password', 'a link that was handed over'])
})

test('an answer given again has no link in it', async () => {
  const { id } = await member('twice@example.com')
  const headers = { 'idempotency-key': 'same' }
  const first = await acme.web.call('createPasswordReset', { id }, headers)
  expect((await acme.web.call('createPasswordReset', { id }, headers)).body).toEqual({
    ...first.body,
    link: null,
  })
})

test('an admin makes no link for themselves, for who has not joined, or who is disabled', async () => {
  const invited = await acme.invite('invited@example.com')
  const { id } = await member('disabled@example.com')
  await acme.web.call('updateUser', { id, status: 'disabled' })
  for (const whose of [acme.adminId, invited.id, id]) {
    const { status, body } = await acme.web.call('createPasswordReset', { id: whose })
    expect([status, body.code]).toEqual([409, 'conflict'])
  }
})

test('a link of an admin is worth nothing once the member is disabled or gone', async () => {
  for (const end of ['disable', 'remove']) {
    const { id } = await member(`${end}@example.com`)
    const { link } = (await acme.web.call('createPasswordReset', { id })).body
    if (end === 'remove') await acme.web.call('removeUser', { id })
    else await acme.web.call('updateUser', { id, status: 'disabled' })
    expect(await reset(tokenOf(link))).toMatchObject(invalid)
    expect(await openWeb(door).call('getPasswordReset', { token: tokenOf(link) })).toMatchObject(invalid)
  }
})

test('the operator makes a link for anybody', async () => {
  const { id } = await member('two@example.com')
  const zenith = await openPlace(door, 'Zenith')
  await zenith.invite('two@example.com')
  await openWeb(door).call('acceptInvitation', {
    token: (await server.next('two@example.com')).token,
    password: PASSWORD,
  })
  const { body } = await one.call(operator(acme.id), 'createPasswordReset', { id })
  expect((await reset(tokenOf((body as { link: string }).link))).status).toBe(200)
  await signedIn(door, 'two@example.com', NEW)
  // Each organization knows them by an id of its own.
  const { body: there } = await zenith.web.call('listAuditLog', {
    action: ['user.reset_password'],
    limit: 10,
  })
  expect(there.data.map(({ action }: { action: string }) => action)).toContain('user.reset_password')
})

test('without a mail server the page is told to send people to an admin', async () => {
  const bare = await one.listen({ SMTP_URL: '' })
  const web = openWeb(bare)
  expect((await web.call('getSession')).body.mail).toBe(false)
  expect((await openWeb(door).call('getSession')).body.mail).toBe(true)
  const { status, body } = await web.call('requestPasswordReset', { email: 'ada@example.com' })
  expect([status, body.code]).toEqual([409, 'conflict'])
})

test('no link is in a log, an audit log, or the database', async () => {
  const { rows } = await one.administrator.query(`
    select (select json_agg(a)::text from audit_entries a) || (select json_agg(l)::text from one_time_links l)
        || (select json_agg(i)::text from idempotency_answers i) as text`)
  const tokens = server.mails.map(({ token }) => token).filter(Boolean)
  expect(tokens.length).toBeGreaterThan(10)
  for (const token of tokens) {
    expect(rows[0].text).not.toContain(token)
    expect(log.join('')).not.toContain(token)
  }
})
