import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDue } from '../server/clock/clock.ts'
import { sweepUnfinished } from '../server/identity/scheduled-tasks.ts'
import { beginSession } from '../server/identity/sessions.ts'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, newSomebody, nextStep, type Somebody, ticketOf } from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

let one: TestService
let door: Door
let ada: Somebody
let app: Awaited<ReturnType<typeof addTotp>>

beforeAll(async () => {
  one = await startTestService({ TRUSTED_PROXIES: '127.0.0.0/8' })
  door = await one.listen()
  ada = await newSomebody(one, door)
  app = await addTotp(one, ada.web)
})
afterAll(() => one.close())

const from = (ip: string) => ({ 'x-forwarded-for': ip })
const give = (web: Web, input: object, ip = '192.0.2.1') => web.call('signInSecondFactor', input, from(ip))

test('the password alone begins no session, and the ticket opens nothing but the second step', async () => {
  const web = openWeb(door)
  const reply = await web.call('signIn', { email: ada.email, password: ada.password })
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      state: 'second_factor',
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
    },
  ])
  expect(reply.headers['set-cookie']).toBeUndefined()
  expect((await web.call('getSession')).body.state).toBe('signed_out')
  const planted = openWeb(door, undefined, `plumbline=${reply.body.ticket}`)
  expect((await planted.call('getSession')).body.state).toBe('signed_out')
  expect((await planted.call('listRisks')).status).toBe(401)
  const bearer = await door.send(reply.body.ticket, 'GET', '/v1/risks')
  expect(bearer.status).toBe(401)
})

test('with a code there is a session that knows of it, and the ticket is spent', async () => {
  await nextStep(one)
  const web = openWeb(door)
  const { ticket } = await ticketOf(door, ada, web)
  const reply = await give(web, { ticket, code: await codeOf(one, app.secret) })
  expect([reply.status, reply.body]).toEqual([200, { state: 'signed_in' }])
  const { body } = await web.call('listSessions')
  const current = body.data.find((row: { current: boolean }) => row.current)
  expect(current).toMatchObject({ method: 'password', secondFactor: 'totp' })
  await nextStep(one)
  const again = await give(openWeb(door), { ticket, code: await codeOf(one, app.secret) })
  expect([again.status, again.body.startOver]).toEqual([401, true])
})

test('a wrong password says no more of somebody with a second factor than of anybody', async () => {
  const told = []
  for (const email of [ada.email, 'nobody@example.com']) {
    const { status, body } = await openWeb(door).call('signIn', { email, password: 'not the right one' })
    const { requestId: _, ...rest } = body
    told.push({ status, rest })
  }
  expect(told[0]).toEqual(told[1])
})

test('a ticket is worth five tries', async () => {
  const { ticket } = await ticketOf(door, ada)
  for (let tried = 0; tried < 5; tried++) {
    const { status, body } = await give(openWeb(door), { ticket, code: '000000' }, '192.0.2.2')
    expect([status, body.code, body.startOver]).toEqual([401, 'sign_in_failed', undefined])
  }
  await nextStep(one)
  const { body } = await give(openWeb(door), { ticket, code: await codeOf(one, app.secret) }, '192.0.2.3')
  expect(body).toMatchObject({ code: 'sign_in_failed', startOver: true })
})

test('five tries are five, also where forty come at once', async () => {
  const { ticket } = await ticketOf(door, ada)
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      give(openWeb(door), { ticket, code: '000000' }, `198.51.100.${n + 1}`),
    ),
  )
  expect(replies.filter(({ body }) => body.startOver !== true)).toHaveLength(5)
})

test('a ticket is worth five minutes', async () => {
  const { ticket } = await ticketOf(door, ada)
  await one.moveClock(5 * 60_000 + 1)
  const { body } = await give(openWeb(door), { ticket, code: await codeOf(one, app.secret) })
  expect(body.startOver).toBe(true)
  const begun = await openWeb(door).call('beginPasskeySignIn', { ticket })
  expect(begun.body.startOver).toBe(true)
})

test('guesses are held by account and network, whatever the number of tickets', async () => {
  await one.moveClock(25 * 3_600_000)
  const bob = await newSomebody(one, door)
  const { secret } = await addTotp(one, bob.web)
  let tickets = 0
  const guess = async (ip: string, code = '000000') => {
    const signedIn = await openWeb(door).call(
      'signIn',
      { email: bob.email, password: bob.password },
      from(`203.0.113.${++tickets}`),
    )
    return give(openWeb(door), { ticket: signedIn.body.ticket, code }, ip)
  }
  for (let tried = 0; tried < 10; tried++) expect((await guess('192.0.2.77')).status).toBe(401)
  await nextStep(one)
  expect((await guess('192.0.2.77', await codeOf(one, secret))).body.code).toBe('rate_limited')
  // From everywhere: fifty a day, counting those ten but not the one that was refused for its network.
  for (let tried = 10; tried < 50; tried++) expect((await guess(`10.${tried}.0.1`)).status).toBe(401)
  const refused = await guess('10.99.0.1', await codeOf(one, secret))
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  // Where they are at home, a stranger's guesses do not lock them out.
  await one.administrator.query("update sessions set network = '192.0.2.78' where user_id = $1", [
    bob.accountId,
  ])
  expect((await guess('192.0.2.78', await codeOf(one, secret))).status).toBe(200)
})

test('neither, both, and codes out of form are refused before a try is spent', async () => {
  const { ticket } = await ticketOf(door, ada)
  const code = '123456'
  for (const input of [
    {},
    { code, recoveryCode: app.recoveryCodes[0] },
    { code: '1' },
    { code: 7 },
    { recoveryCode: 'x'.repeat(31) },
  ])
    expect((await give(openWeb(door), { ticket, ...input })).status).toBe(422)
  const { rows } = await one.administrator.query(
    'select max(tries) as tries from sign_in_tickets where user_id = $1 and expires_at > clock_now()',
    [ada.accountId],
  )
  expect(rows[0].tries).toBe(0)
})

test('a recovery code lets in once, also where two send it at once, however it is typed', async () => {
  const bob = await newSomebody(one, door)
  const { recoveryCodes } = await addTotp(one, bob.web)
  const [first, second, third] = recoveryCodes
  const tickets = await Promise.all(Array.from({ length: 6 }, () => ticketOf(door, bob)))
  const replies = await Promise.all(
    tickets.map(({ ticket }) => give(openWeb(door), { ticket, recoveryCode: first })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const typed = ` ${second!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
  const { ticket } = await ticketOf(door, bob)
  const web = openWeb(door)
  expect((await give(web, { ticket, recoveryCode: typed }, '192.0.2.9')).status).toBe(200)
  expect((await web.call('getSignInMethods')).body.recoveryCodesLeft).toBe(8)
  const current = (await web.call('listSessions')).body.data.find((row: { current: boolean }) => row.current)
  expect(current.secondFactor).toBe('recovery_code')
  // Of somebody else it is worth nothing.
  const stranger = await give(
    openWeb(door),
    { ticket: (await ticketOf(door, ada)).ticket, recoveryCode: third },
    '192.0.2.10',
  )
  expect(stranger.status).toBe(401)
  // A new set takes the place of the old one.
  const { body } = await web.call('createRecoveryCodes')
  expect(body.recoveryCodes).toHaveLength(10)
  const late = await ticketOf(door, bob)
  expect((await give(openWeb(door), { ticket: late.ticket, recoveryCode: third }, '192.0.2.11')).status).toBe(
    401,
  )
  expect(
    (await give(openWeb(door), { ticket: late.ticket, recoveryCode: body.recoveryCodes[9] }, '192.0.2.11'))
      .status,
  ).toBe(200)
  const { rows } = await one.administrator.query('select r::text as row from recovery_codes r')
  for (const code of [...recoveryCodes, ...body.recoveryCodes])
    expect(JSON.stringify(rows)).not.toContain(code)
})

test('one ticket lets in once, and takes no second code with it', async () => {
  const bob = await newSomebody(one, door)
  const { recoveryCodes } = await addTotp(one, bob.web)
  const { ticket } = await ticketOf(door, bob)
  const replies = await Promise.all(
    recoveryCodes
      .slice(0, 5)
      .map((recoveryCode) => give(openWeb(door), { ticket, recoveryCode }, '192.0.2.20')),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await bob.web.call('getSignInMethods')).body.recoveryCodesLeft).toBe(9)
})

test('a new password leaves no half-done sign-in behind', async () => {
  const bob = await newSomebody(one, door)
  const { recoveryCodes } = await addTotp(one, bob.web)
  const { ticket } = await ticketOf(door, bob)
  const changed = { currentPassword: bob.password, newPassword: 'another few plain words' }
  expect((await bob.web.call('changePassword', changed)).status).toBe(200)
  const { body } = await give(openWeb(door), { ticket, recoveryCode: recoveryCodes[0] })
  expect(body.startOver).toBe(true)
})

test('no session begins past the second factor, whoever would begin one', async () => {
  const requestContext = { channel: 'ui', requestId: 'r' } as const
  for (const method of ['password', 'link'] as const)
    await expect(beginSession(one.service, requestContext, { ...ada, method })).rejects.toMatchObject({
      code: 'sign_in_failed',
    })
})

test('a session begun as the second factor is set up does not outlive it', async () => {
  for (let round = 0; round < 10; round++) {
    const bob = await newSomebody(one, door)
    const { secret } = (await bob.web.call('beginTotp')).body
    const code = await codeOf(one, secret)
    const webs = Array.from({ length: 4 }, () => openWeb(door))
    await Promise.all([
      ...webs.map((web) =>
        web.call('signIn', { email: bob.email, password: bob.password }, from(`10.1.${round}.1`)),
      ),
      bob.web.call('confirmTotp', { code }),
    ])
    const { rows } = await one.administrator.query('select second_factor from sessions where user_id = $1', [
      bob.accountId,
    ])
    expect(rows).toHaveLength(1)
    for (const web of webs) expect((await web.call('getSession')).body.state).toBe('signed_out')
  }
})

test('wrong codes stand in the audit log', async () => {
  const bob = await newSomebody(one, door)
  await addTotp(one, bob.web)
  await give(openWeb(door), { ticket: (await ticketOf(door, bob)).ticket, code: '000000' }, '192.0.2.30')
  await expect
    .poll(async () => {
      const { body } = await bob.web.call('listAuditLog', { limit: 20 })
      return body.data.filter((row: { outcome: string }) => row.outcome === 'failed').length
    })
    .toBe(1)
})

test('what was never finished is swept away', async () => {
  const bob = await newSomebody(one, door)
  await bob.web.call('beginTotp')
  await bob.web.call('beginPasskey')
  await openWeb(door).call('beginPasskeySignIn')
  await ticketOf(door, ada)
  const left = async () => {
    const tables = ['sign_in_tickets', 'passkey_ceremonies', 'totp_secrets where confirmed_at is null']
    const counts = tables.map((table) => `(select count(*)::int from ${table})`)
    return (await one.administrator.query(`select array[${counts.join(', ')}] as counts`)).rows[0].counts
  }
  const task = [{ name: 'unfinished', everyMinutes: 1, run: sweepUnfinished }]
  await runDue(one.service, task)
  for (const count of await left()) expect(count).toBeGreaterThan(0)
  await one.moveClock(61 * 60_000)
  await runDue(one.service, task)
  expect(await left()).toEqual([0, 0, 0])
})
