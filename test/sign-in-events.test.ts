import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAttempt } from '../server/identity/sign-in-rate-limiter.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/* What is tried at the sign-in, and what is refused for its number, is told to those whom it concerns. */

let one: TestService
let door: Door
let acme: Web
let zenith: Web
const log: string[] = []
const lines = () => log.map((line) => JSON.parse(line))
const ADA = { email: 'ada@example.com', password: 'correct horse battery' }
const ZOE = { email: 'zoe@example.com', password: 'correct horse battery' }
const from = (ip: string) => ({ 'x-forwarded-for': ip, 'user-agent': 'probe/1' })
const guess = (email: string, ip: string) =>
  openWeb(door).call('signIn', { email, password: 'not the right one' }, from(ip))

interface Entry {
  action: string
  outcome: string
  reason: string | null
  ip: string | null
  userAgent: string | null
  requestId: string
  subject: { type: string; title?: string }
}
const entries = async (web: Web, action: string): Promise<Entry[]> =>
  (await web.call('listAuditLog', { action: [action], outcome: ['failed', 'denied', 'success'], limit: 200 }))
    .body.data
const notOk = (all: Entry[]) => all.filter(({ outcome }) => outcome !== 'success')

beforeAll(async () => {
  one = await startTestService({ TRUSTED_PROXIES: '127.0.0.0/8' })
  door = await one.listen({ RATE_LIMIT: '3/10m' }, (line) => log.push(line))
  for (const [name, person] of [
    ['Acme', ADA],
    ['Zenith', ZOE],
  ] as const)
    await createOrganization(one.service, {
      name,
      adminEmail: person.email,
      adminPassword: person.password,
    })
  acme = openWeb(door)
  await acme.call('signIn', ADA, from('198.51.100.1'))
  zenith = openWeb(door)
  await zenith.call('signIn', ZOE, from('198.51.100.2'))
})
afterAll(() => one.close())

const settle = () => door.service.entryLimiter.settle()

test('a wrong password stands in the audit log, with where it came from', async () => {
  const reply = await guess(ADA.email, '2001:db8:1:2:3::4')
  await settle()
  const [entry] = notOk(await entries(acme, 'session.begin'))
  expect(entry).toMatchObject({
    outcome: 'failed',
    reason: 'wrong_password',
    ip: '2001:db8:1:2:3::4',
    userAgent: 'probe/1',
    requestId: reply.headers['request-id'],
    subject: { type: 'user', title: ADA.email },
  })
})

test('a flood is a few entries and one that counts the rest', async () => {
  const before = notOk(await entries(acme, 'session.begin')).length
  for (let tried = 0; tried < 15; tried++) await guess(ADA.email, '198.51.100.30')
  for (let tried = 0; tried < 15; tried++)
    await openWeb(door).call('signIn', { ...ADA, email: 'Ada@Example.com' }, from('198.51.100.31'))
  await settle()
  const told = notOk(await entries(acme, 'session.begin')).slice(0, -before)
  const reasons = told.map(({ reason }) => reason)
  expect(reasons.filter((one) => one === 'wrong_password')).toHaveLength(10)
  expect(reasons.filter((one) => one === 'too_many_attempts')).toHaveLength(5)
  for (let tried = 0; tried < 25; tried++) await guess(ADA.email, '198.51.100.30')
  await guess(ADA.email, '198.51.100.32')
  await settle()
  const sums = notOk(await entries(acme, 'session.begin')).filter(({ reason }) =>
    /more of these/.test(reason ?? ''),
  )
  // Of the first flood, and of the second.
  expect(sums[0]).toMatchObject({
    outcome: 'denied',
    reason: '15 more of these within 10 minutes, from 1 network, have no entry of their own',
    ip: null,
  })
})

test('each organization of a person hears of it; one that only invited them does not', async () => {
  const { accountId } = await createOrganization(one.service, {
    name: 'Both',
    adminEmail: 'both@example.com',
    adminPassword: ADA.password,
  })
  await one.administrator.query(
    `insert into members (organization_id, user_id, account_id, name, role, status, created_at, updated_at)
     select o.id, 'usr_' || o.id, $1, 'Both', 'editor', case o.name when 'Acme' then 'active' else 'invited' end,
            clock_now(), clock_now()
       from organizations o where o.name in ('Acme', 'Zenith')`,
    [accountId],
  )
  await guess('both@example.com', '198.51.100.40')
  await settle()
  const mine = (all: Entry[]) => all.filter(({ subject }) => subject.title === 'both@example.com')
  expect(mine(notOk(await entries(acme, 'session.begin')))).toHaveLength(1)
  expect(mine(await entries(zenith, 'session.begin'))).toHaveLength(0)
})

test('an unknown e-mail is for the operators, and what was typed is in no log', async () => {
  log.length = 0
  await guess('my-password-typed-here@example.com', '198.51.100.50')
  await settle()
  const [told] = lines().filter(({ msg }) => msg === 'sign-in of an unknown account')
  expect(told).toMatchObject({
    reason: 'unknown_account',
    ip: '198.51.100.50',
    network: '198.51.100.50',
  })
  expect(told.account).toMatch(/^[0-9a-f]{12}$/)
  expect(log.join('')).not.toContain('my-password')
  for (const web of [acme, zenith])
    expect((await entries(web, 'session.begin')).filter(({ ip }) => ip === '198.51.100.50')).toEqual([])
})

test('attempts past a count are told without being tried', async () => {
  for (let tried = 0; tried < 10; tried++)
    await countAttempt(door.service, 'password', ZOE.email, { ip: '198.51.100.60' })
  expect((await guess(ZOE.email, '198.51.100.60')).status).toBe(429)
  await settle()
  expect(notOk(await entries(zenith, 'session.begin'))).toMatchObject([
    { outcome: 'denied', reason: 'too_many_attempts', ip: '198.51.100.60' },
  ])
})

test('a failed confirmation is told, too', async () => {
  await zenith.call('confirmIdentity', { password: 'x' }, from('198.51.100.2'))
  await settle()
  expect(await entries(zenith, 'session.confirm')).toMatchObject([
    { reason: 'wrong_password', outcome: 'failed' },
  ])
})

test('a key that has made all its calls is told once, and then how many more there were', async () => {
  const { body } = await acme.call('createApiKey', { name: 'Busy', scopes: ['read:risks'] })
  const statuses = []
  for (let called = 0; called < 8; called++)
    statuses.push(
      (await door.send(body.secret, 'GET', '/v1/risks', { headers: from('198.51.100.70') })).status,
    )
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
  await settle()
  const told = await entries(acme, 'rate_limit.exceed')
  expect(told).toMatchObject([
    { reason: '4 more of these within 10 minutes, from 1 network, have no entry of their own', ip: null },
    {
      reason: 'rate_limited',
      outcome: 'denied',
      ip: '198.51.100.70',
      subject: { type: 'api_key', title: 'Busy' },
    },
  ])
})

test('a line of the request log names the address that is believed, the operation and what became of it', async () => {
  log.length = 0
  const sent = { headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.80' } }
  const { headers } = await door.send('comply_nobody', 'GET', '/v1/risks', sent)
  await guess(ADA.email, '198.51.100.81')
  const untrusting = await one.listen({ TRUSTED_PROXIES: '' }, (line) => log.push(line))
  await untrusting.send(null, 'GET', '/v1/risks', sent)
  await expect.poll(() => lines().filter(({ msg }) => msg === 'request').length).toBe(3)
  const [rest, web, direct] = lines().filter(({ msg }) => msg === 'request')
  expect(rest).toMatchObject({
    requestId: headers['request-id'],
    ip: '198.51.100.80',
    operation: 'listRisks',
    status: 401,
    code: 'credential_invalid',
    durationMs: expect.any(Number),
  })
  expect(web).toMatchObject({ ip: '198.51.100.81', operation: 'signIn', status: 401, code: 'sign_in_failed' })
  expect(direct).toMatchObject({ ip: '127.0.0.1', code: 'credential_missing' })
  expect(log.join('')).not.toMatch(/comply_nobody|not the right one|203\.0\.113\.9/)
})
