import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMetrics } from '../server/doors/metrics.ts'
import { countAttempt } from '../server/identity/sign-in-rate-limiter.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, nextStep } from './support/factors.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

let one: TestService
let door: Door
let server: MailServer
const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ TRUSTED_PROXIES: '127.0.0.0/8', SMTP_URL: server.url })
  door = await one.listen()
  await createOrganization(one.service, {
    name: 'Acme',
    adminEmail: ADA.email,
    adminPassword: ADA.password,
  })
})
afterAll(async () => {
  await one.close()
  await server.close()
})

/** The latest mail that finishes a sign-in. */
async function linkTo(email: string) {
  const found = () =>
    server.mails.filter(({ to, subject }) => to === email && subject === 'Finish signing in')
  await expect.poll(() => found().length).toBeGreaterThan(0)
  return found().at(-1)!
}

const from = (ip: string) => ({ 'x-forwarded-for': ip })
const guess = (email: string, ip: string, password = 'not the right one') =>
  openWeb(door).call('signIn', { email, password }, from(ip))

test('after ten guesses at an account, a network waits, and then may try again', async () => {
  for (let tried = 0; tried < 10; tried++) expect((await guess(ADA.email, '192.0.2.1')).status).toBe(401)
  const refused = await guess(ADA.email, '192.0.2.1', ADA.password)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
  expect((await guess(ADA.email, '192.0.2.2', ADA.password)).status).toBe(200)
  await one.moveClock(16 * 60_000)
  expect((await guess(ADA.email, '192.0.2.1', ADA.password)).status).toBe(200)
})

test('the count is the same on every process', async () => {
  const second = await one.listen({ TRUSTED_PROXIES: '127.0.0.0/8' })
  for (let tried = 0; tried < 5; tried++) {
    await guess('both@example.com', '192.0.2.3')
    await openWeb(second).call('signIn', { email: 'both@example.com', password: 'x' }, from('192.0.2.3'))
  }
  expect((await guess('both@example.com', '192.0.2.3')).status).toBe(429)
})

test('one who guesses at many accounts is held by the network', async () => {
  const statuses: number[] = []
  for (let tried = 0; tried < 70; tried++)
    statuses.push((await guess(`somebody${tried}@example.com`, '2001:db8::1')).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(60)
  expect((await guess('another@example.com', '2001:db8::ffff')).status).toBe(429)
  expect((await guess('another@example.com', '2001:db8:1::1')).status).toBe(401)
})

/** What a thousand networks do before work is done for any of them: as the door counts it, without the hashes. */
async function guessFromEverywhere(email: string, networks = 1_000) {
  for (let done = 0; done < networks; done += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        countAttempt(one.service, 'password', email, {
          ip: `10.${(done + index) >> 8}.${(done + index) & 255}.1`,
        }),
      ),
    )
}

describe('while a thousand networks guess at an account', () => {
  let browser: Web | undefined
  const home = () => (browser ??= openWeb(door))
  const elsewhere = from('198.18.0.1')
  const mailsTo = (to: string) => server.mails.filter((mail) => mail.to === to)

  beforeAll(async () => {
    await one.moveClock(61 * 60_000)
    await home().call('signIn', ADA, from('198.51.100.7'))
    await home().call('signOut')
    await guessFromEverywhere(ADA.email, 100)
    await guess(ADA.email, '198.18.3.1') // the one with which the wave begins
    await guessFromEverywhere(ADA.email)
  })

  test('each of them has ten guesses at most', async () => {
    const tried = []
    for (let guessed = 0; guessed < 12; guessed++)
      tried.push(
        await countAttempt(one.service, 'password', ADA.email, { ip: '10.3.0.1' }).then(
          () => 'tried',
          (error) => error.code,
        ),
      )
    expect(tried).toEqual([...Array(9).fill('tried'), ...Array(3).fill('rate_limited')])
  })

  test('a guess tells nothing, right or wrong', async () => {
    const [wrong, right, unknown] = [
      await guess(ADA.email, '198.18.0.2'),
      await guess(ADA.email, '198.18.0.3', ADA.password),
      await guess(ADA.email.toUpperCase(), '198.18.0.4'),
    ]
    for (const { status, body, headers } of [wrong, right, unknown]) {
      expect([status, body]).toEqual([200, { state: 'mailed' }])
      expect(headers['set-cookie']).toBeUndefined()
    }
    await server.next(ADA.email)
  })

  test('its owner signs in where they have been, as always', async () => {
    const { status, body } = await home().call('signIn', ADA, from('10.0.0.1'))
    expect([status, body]).toEqual([200, { state: 'signed_in' }])
  })

  test('its owner signs in anywhere, by the right password and a link to the mailbox', async () => {
    const before = mailsTo(ADA.email).length
    const web = openWeb(door)
    expect((await web.call('signIn', ADA, elsewhere)).body).toEqual({ state: 'mailed' })
    await expect.poll(() => mailsTo(ADA.email).length).toBe(before + 1)
    const mail = mailsTo(ADA.email).at(-1)!
    expect(mail.subject).toBe('Finish signing in')
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/sign-in#token=[\w-]{43}$/)
    const { token } = mail
    expect((await web.call('signInByLink', { token }, elsewhere)).body).toEqual({ state: 'signed_in' })
    expect((await web.call('getSession')).body.person.email).toBe(ADA.email)
    expect((await openWeb(door).call('signInByLink', { token })).body.code).toBe('link_invalid')
    // From now on the browser is known.
    await web.call('signOut')
    expect((await web.call('signIn', ADA, elsewhere)).body).toEqual({ state: 'signed_in' })
  })

  test('a browser that is known for somebody else is a stranger', async () => {
    await createOrganization(one.service, {
      name: 'Bobs',
      adminEmail: 'bob@example.com',
      adminPassword: ADA.password,
    })
    const web = openWeb(door)
    await web.call('signIn', { ...ADA, email: 'bob@example.com' })
    expect((await web.call('signIn', ADA, from('198.18.0.6'))).body).toEqual({ state: 'mailed' })
    // Nor does one that was planted become known for whoever signs in in it.
    const planted = web.device
    const victim = openWeb(door)
    victim.device = planted
    await victim.call('signIn', ADA, from('198.18.0.6'))
    await victim.call('signInByLink', { token: mailsTo(ADA.email).at(-1)!.token })
    const attacker = openWeb(door)
    attacker.device = planted
    expect((await attacker.call('signIn', ADA, from('198.18.0.9'))).body).toEqual({ state: 'mailed' })
  })

  test('the person hears of it once, the organization and the operators too', async () => {
    await expect
      .poll(() => mailsTo(ADA.email).map(({ subject }) => subject))
      .toContain('Somebody is guessing your password')
    expect(mailsTo(ADA.email).filter(({ subject }) => /guessing/.test(subject))).toHaveLength(1)
    const { body } = await home().call('listAuditLog', { action: ['session.guess_wave'] })
    expect(body.data).toEqual([
      expect.objectContaining({ outcome: 'denied', actor: expect.objectContaining({ id: 'sign_in' }) }),
    ])
    expect(await openMetrics(door.service).registry.metrics()).toContain('plumbline_sign_in_waves_total 1')
  })

  test('a new password forgets where its person has been', async () => {
    const { device } = home()
    await home().call('changePassword', {
      currentPassword: ADA.password,
      newPassword: 'another few plain words',
    })
    expect(home().device).not.toBe(device)
    const before = openWeb(door)
    before.device = device
    const tried = await before.call(
      'signIn',
      { ...ADA, password: 'another few plain words' },
      from('198.18.0.5'),
    )
    expect(tried.body).toEqual({ state: 'mailed' })
    const { body } = await home().call('getSession')
    expect(body.state).toBe('signed_in')
    await home().call('changePassword', {
      currentPassword: 'another few plain words',
      newPassword: ADA.password,
    })
  })

  test('without mail the owner gets in too, and each network has three guesses', async () => {
    const bare = await one.listen({ SMTP_URL: '' })
    const tried = []
    for (let guessed = 0; guessed < 4; guessed++)
      tried.push((await openWeb(bare).call('signIn', { ...ADA, password: 'x' }, from('198.18.1.1'))).status)
    expect(tried).toEqual([401, 401, 401, 429])
    expect((await openWeb(bare).call('signIn', ADA, from('198.18.1.2'))).body).toEqual({ state: 'signed_in' })
  })
})

test('whoever shares a network with somebody uses up nothing of theirs', async () => {
  const web = openWeb(door)
  const neighbour = from('198.51.100.77')
  await one.moveClock(61 * 60_000)
  await web.call('signIn', ADA, neighbour)
  for (let guessed = 0; guessed < 70; guessed++)
    await countAttempt(one.service, 'password', `n${guessed % 9}@example.com`, { ip: '198.51.100.77' }).catch(
      () => {},
    )
  expect((await guess(ADA.email, '198.51.100.77', ADA.password)).status).toBe(429)
  await web.call('signOut')
  expect((await web.call('signIn', ADA, neighbour)).status).toBe(200)
  const { status } = await web.call('confirmIdentity', { password: ADA.password }, neighbour)
  expect(status).toBe(200)
  // Ten wrong ones of their own are their own doing.
  const own = []
  for (let guessed = 0; guessed < 11; guessed++)
    own.push((await web.call('confirmIdentity', { password: 'x' }, neighbour)).status)
  expect(own).toEqual([...Array(10).fill(401), 429])
})

test('who knows the password, too, keeps nobody out by wrong codes', async () => {
  const email = 'factor@example.com'
  const { accountId } = await createOrganization(one.service, {
    name: 'Fact',
    adminEmail: email,
    adminPassword: ADA.password,
  })
  const web = openWeb(door)
  await web.call('signIn', { ...ADA, email })
  const { secret } = await addTotp(one, web)
  for (let guessed = 0; guessed < 60; guessed++)
    await countAttempt(one.service, 'second_factor', accountId, { ip: `10.1.0.${guessed}` })
  const page = openWeb(door)
  expect((await page.call('signIn', { ...ADA, email }, from('198.18.2.1'))).body).toEqual({ state: 'mailed' })
  const { token } = await linkTo(email)
  const { body } = await page.call('signInByLink', { token }, from('198.18.2.1'))
  expect(body.state).toBe('second_factor')
  await nextStep(one)
  const code = await codeOf(one, secret)
  expect(
    (await page.call('signInSecondFactor', { ticket: body.ticket, code }, from('198.18.2.1'))).status,
  ).toBe(200)
})

test('four thousand guesses get little work, and others sign in meanwhile', async () => {
  const known = openWeb(door)
  await one.moveClock(61 * 60_000)
  expect((await known.call('signIn', ADA, from('198.51.100.8'))).status).toBe(200)
  const statuses: Record<number, number> = {}
  let left = 4_000
  const guessing = Promise.all(
    Array.from({ length: 24 }, async () => {
      while (left-- > 0) {
        const { status } = await guess('target@example.com', '192.0.2.99')
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  let others = 0
  const watching = (async () => {
    while (left > 0) {
      expect((await guess(ADA.email, '198.51.100.8', ADA.password)).status).toBe(200)
      expect((await known.call('listRisks')).status).toBe(200)
      others++
    }
  })()
  await Promise.all([guessing, watching])
  expect(statuses).toEqual({ 401: 10, 429: 3_990 })
  expect(others).toBeGreaterThan(3)
})
