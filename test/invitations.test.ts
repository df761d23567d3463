import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { addTotp, codeOf, nextStep } from './support/factors.ts'
import { openPlace, PASSWORD, type Place, signedIn, tokenOf } from './support/joining.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* Without a mail server: the admin hands the link over. */

let one: TestService
let door: Door
let acme: Place
let zenith: Place

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await openPlace(door, 'Acme')
  zenith = await openPlace(door, 'Zenith')
})
afterAll(() => one.close())

const invalid = { status: 422, body: expect.objectContaining({ code: 'link_invalid' }) }
const accept = (token: string, given: object = { password: PASSWORD }, web = openWeb(door)) =>
  web.call('acceptInvitation', { token, ...given })
const who = async (web: ReturnType<typeof openWeb>) => (await web.call('getSession')).body

test('somebody new is invited by a link that the admin hands over, chooses a password, and is in', async () => {
  const { id, status, invitation } = await acme.invite('new@example.com')
  expect([status, invitation.sentTo, invitation.problem]).toEqual(['invited', null, null])
  expect(invitation.link).toMatch(/^http:\/\/localhost:3000\/invitation#token=[\w-]{43}$/)
  const token = tokenOf(invitation.link)
  const web = openWeb(door)
  expect((await web.call('getInvitation', { token })).body).toEqual({
    email: 'new@example.com',
    organizationName: 'Acme',
    name: 'Somebody',
    hasPassword: null,
  })
  const short = await accept(token, { password: 'too short' }, web)
  expect([short.status, short.body.errors[0].path]).toEqual([422, 'password'])
  const reply = await accept(token, { name: 'Grace', password: PASSWORD }, web)
  expect([reply.status, reply.body]).toEqual([200, { state: 'signed_in' }])
  expect(await who(web)).toMatchObject({
    person: { id, email: 'new@example.com', name: 'Grace' },
    organization: { id: acme.id },
    role: 'editor',
  })
  expect(await who(await signedIn(door, 'new@example.com'))).toMatchObject({ person: { id } })
  const { body: log } = await acme.web.call('listAuditLog', { subjectId: [id], limit: 10 })
  const told = log.data.map((row: { action: string; reason: string }) => `${row.action}: ${row.reason}`)
  expect(told).toContain('user.accept_invitation: a link that was handed over')
  expect(told).toContain('user.invite: a link to hand over')
  const [accepted] = log.data.filter((row: { action: string }) => row.action === 'user.accept_invitation')
  expect(accepted).toMatchObject({ actor: { type: 'user', id }, changes: { status: { to: 'active' } } })
  expect(await accept(token)).toMatchObject(invalid)
  expect(await web.call('getInvitation', { token })).toMatchObject(invalid)
})

test('who joins is their person of the directory from the first page on', async () => {
  const { body: person } = await acme.web.call('createPersonnel', {
    fullName: 'Anna Adler',
    workEmail: 'Anna@example.com',
  })
  await acme.web.call('createAsset', {
    name: 'Laptop of Anna',
    type: 'database',
    owner: { type: 'personnel', refId: person.id },
  })
  const { id, invitation } = await acme.invite('anna@example.com')
  const web = openWeb(door)
  expect((await accept(tokenOf(invitation.link), { name: 'Anna', password: PASSWORD }, web)).status).toBe(200)
  const { body: linked } = await acme.web.call('getPersonnel', { id: person.id })
  expect(linked.userId).toBe(id)
  const { rows } = await one.administrator.query(
    'select count(*)::int as left from people_changes where changed_id = $1',
    [id],
  )
  expect(rows[0].left).toBe(0)
})

test('what a handed-over link refuses does not tell where else somebody belongs', async () => {
  const zanzibar = await openPlace(door, 'Zanzibarholdings')
  const carol = 'carol@example.com'
  expect((await accept(tokenOf((await zanzibar.invite(carol)).invitation.link))).status).toBe(200)
  const token = tokenOf((await acme.invite(carol)).invitation.link)
  for (const password of ['zanzibarholdings77', 'unrelated words of some length'])
    expect((await accept(token, { password })).body.code).toBe('sign_in_failed')
})

test('of twelve who use the link at once, one gets in', async () => {
  const token = tokenOf((await acme.invite('twelve@example.com')).invitation.link)
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => accept(token, { password: `${PASSWORD} ${index}` })),
  )
  const won = replies.findIndex(({ status }) => status === 200)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status } of replies) expect([200, 409, 422, 429]).toContain(status)
  await signedIn(door, 'twelve@example.com', `${PASSWORD} ${won}`)
})

test('a new link is worth one, and the earlier ones nothing', async () => {
  const { id, invitation } = await acme.invite('again@example.com')
  const second = (await acme.web.call('createInvitation', { id })).body
  expect(second).toEqual({
    sentTo: null,
    problem: null,
    link: expect.any(String),
    expiresAt: expect.any(String),
  })
  expect(await accept(tokenOf(invitation.link))).toMatchObject(invalid)
  expect((await accept(tokenOf(second.link))).status).toBe(200)
  const third = await acme.web.call('createInvitation', { id })
  expect([third.status, third.body.code]).toEqual([409, 'conflict'])
})

test('a link works for seven days, and says so', async () => {
  const { invitation } = await acme.invite('late@example.com')
  const { rows } = await one.administrator.query('select clock_now() as now')
  const days = (Date.parse(invitation.expiresAt) - rows[0].now.getTime()) / 86_400_000
  expect(days).toBeGreaterThan(6.99)
  expect(days).toBeLessThanOrEqual(7)
  await one.moveClock(7 * 86_400_000 + 1000)
  expect(await accept(tokenOf(invitation.link))).toMatchObject(invalid)
  acme.web = await signedIn(door, 'admin@acme.example')
  zenith.web = await signedIn(door, 'admin@zenith.example')
})

test('who was removed is not let in by the link, nor when invited again by the old one', async () => {
  const { id, invitation } = await acme.invite('gone@example.com')
  expect((await acme.web.call('removeUser', { id })).status).toBe(204)
  expect(await accept(tokenOf(invitation.link))).toMatchObject(invalid)
  const again = await acme.invite('gone@example.com')
  expect(again.id).toBe(id)
  expect(await accept(tokenOf(invitation.link))).toMatchObject(invalid)
  expect((await accept(tokenOf(again.invitation.link))).status).toBe(200)
})

test('a suspended organization lets nobody in', async () => {
  const other = await openPlace(door, 'Suspended')
  const { invitation } = await other.invite('hers@example.com')
  await one.administrator.query("update organizations set status = 'suspended' where id = $1", [other.id])
  expect(await accept(tokenOf(invitation.link))).toMatchObject(invalid)
})

test('who signs in here already joins with the password they have, and keeps it', async () => {
  await accept(tokenOf((await acme.invite('known@example.com')).invitation.link))
  const { id, status, invitation } = await zenith.invite('KNOWN@example.com', { role: 'viewer' })
  expect(status).toBe('invited')
  const token = tokenOf(invitation.link)
  expect((await openWeb(door).call('getInvitation', { token })).body).toMatchObject({
    email: 'known@example.com',
    hasPassword: null,
  })
  const without = await accept(token, {})
  expect([without.status, without.body.errors[0].path]).toEqual([422, 'password'])
  const other = await accept(token, { password: 'a new one, long enough' })
  expect([other.status, other.body.code]).toEqual([401, 'sign_in_failed'])
  const web = openWeb(door)
  expect((await accept(token, { password: PASSWORD }, web)).status).toBe(200)
  expect(await who(web)).toMatchObject({
    person: { id },
    organization: { id: zenith.id },
    role: 'viewer',
    organizations: [{ name: 'Acme' }, { name: 'Zenith' }],
  })
})

test('who has a second factor is asked for it too, and then is where they were invited', async () => {
  const first = openWeb(door)
  await accept(
    tokenOf((await acme.invite('factor@example.com')).invitation.link),
    { password: PASSWORD },
    first,
  )
  const { secret } = await addTotp(one, first)
  const { id, invitation } = await zenith.invite('factor@example.com')
  expect((await zenith.web.call('getUser', { id })).body).toMatchObject({
    mfaEnabled: false,
    status: 'invited',
  })
  const web = openWeb(door)
  const reply = await accept(tokenOf(invitation.link), { password: PASSWORD }, web)
  expect([reply.body.state, reply.body.methods, web.cookie]).toEqual([
    'second_factor',
    ['totp', 'recovery_code'],
    '',
  ])
  await nextStep(one)
  const code = await codeOf(one, secret)
  expect((await web.call('signInSecondFactor', { ticket: reply.body.ticket, code })).status).toBe(200)
  expect((await who(web)).organization).toMatchObject({ id: zenith.id })
})

test('who is signed in joins by a click, under a new secret; somebody else in that browser does not', async () => {
  await accept(tokenOf((await acme.invite('click@example.com')).invitation.link))
  const token = tokenOf((await zenith.invite('click@example.com')).invitation.link)
  const stranger = await signedIn(door, 'new@example.com')
  expect((await accept(token, {}, stranger)).status).toBe(422)
  const web = await signedIn(door, 'click@example.com')
  const before = web.cookie
  expect((await accept(token, {}, web)).status).toBe(200)
  expect(await who(web)).toMatchObject({
    person: { email: 'click@example.com' },
    organization: { id: zenith.id },
  })
  expect(await who(openWeb(door, undefined, before))).toMatchObject({ state: 'signed_out' })
})

test('accepting ends the session that somebody else had in that browser', async () => {
  const token = tokenOf((await acme.invite('shared@example.com')).invitation.link)
  const web = await signedIn(door, 'new@example.com')
  const before = web.cookie
  expect((await accept(token, { password: PASSWORD }, web)).status).toBe(200)
  expect(await who(web)).toMatchObject({ person: { email: 'shared@example.com' } })
  expect(await who(openWeb(door, undefined, before))).toMatchObject({ state: 'signed_out' })
})

test('a session that an organization vouched for does not join another', async () => {
  const token = tokenOf((await zenith.invite('vouched@example.com')).invitation.link)
  await accept(tokenOf((await acme.invite('vouched@example.com')).invitation.link))
  const web = await signedIn(door, 'vouched@example.com')
  const id = (await who(web)).session.id
  await one.administrator.query(
    `insert into sign_in_providers (organization_id, id, name, issuer, client_id, client_secret_cipher, created_at, updated_at)
     values ($1, 'idp_x', 'Acme ID', 'https://id.example', 'c', '', now(), now())`,
    [acme.id],
  )
  await one.administrator.query(
    "update sessions set method = 'provider', provider_id = 'idp_x' where id = $1",
    [id],
  )
  expect((await accept(token, {}, web)).status).toBe(422)
})

test('before accepting nobody is in, and what they do elsewhere does not show', async () => {
  const first = await acme.invite('waits@example.com')
  await accept(tokenOf(first.invitation.link))
  const { id } = await zenith.invite('waits@example.com')
  const web = await signedIn(door, 'waits@example.com')
  expect((await who(web)).organizations.map(({ name }: { name: string }) => name)).toEqual(['Acme'])
  expect((await web.call('switchOrganization', { organizationId: zenith.id })).status).toBe(401)
  const here = (await zenith.web.call('getUser', { id })).body
  const there = (await acme.web.call('getUser', { id: first.id })).body
  expect([here.lastLoginAt, typeof there.lastLoginAt]).toEqual([null, 'string'])
  const made = await zenith.web.call('updateUser', { id, status: 'active' })
  expect([made.status, made.body.code]).toEqual([409, 'invalid_transition'])
})

test('a role that was changed meanwhile is the one they get', async () => {
  const { id, invitation } = await acme.invite('role@example.com', { role: 'admin' })
  await acme.web.call('updateUser', { id, role: 'viewer' })
  const web = openWeb(door)
  await accept(tokenOf(invitation.link), { password: PASSWORD }, web)
  expect((await who(web)).role).toBe('viewer')
})

test('guesses at the password behind a link are counted as any other', async () => {
  await accept(tokenOf((await acme.invite('guessed@example.com')).invitation.link))
  const token = tokenOf((await zenith.invite('guessed@example.com')).invitation.link)
  for (let tried = 0; tried < 10; tried++)
    expect((await accept(token, { password: 'not the right one' })).status).toBe(401)
  expect((await accept(token)).body.code).toBe('rate_limited')
  const signIn = await openWeb(door).call('signIn', { email: 'guessed@example.com', password: PASSWORD })
  expect(signIn.body.code).toBe('rate_limited')
})

test('a link for one thing is none for another', async () => {
  const { invitation } = await acme.invite('purpose@example.com')
  const reset = await openWeb(door).call('resetPassword', {
    token: tokenOf(invitation.link),
    password: PASSWORD,
  })
  expect(reset).toMatchObject(invalid)
  expect((await accept(tokenOf(invitation.link))).status).toBe(200)
})

test('an answer given again has no link in it, and the database never had', async () => {
  const input = { email: 'once@example.com', name: 'Once', role: 'viewer' }
  const headers = { 'idempotency-key': 'same' }
  const first = await acme.web.call('createUser', input, headers)
  const second = await acme.web.call('createUser', input, headers)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual({ ...first.body, invitation: null })
  const again = { 'idempotency-key': 'other' }
  const made = await acme.web.call('createInvitation', { id: first.body.id }, again)
  const replayed = await acme.web.call('createInvitation', { id: first.body.id }, again)
  expect(replayed.body).toEqual({ ...made.body, link: null })
  const { rows } = await one.administrator.query(
    'select (select json_agg(l)::text from one_time_links l) || (select json_agg(a)::text from idempotency_answers a) as text',
  )
  for (const { link } of [first.body.invitation, made.body]) expect(rows[0].text).not.toContain(tokenOf(link))
})
