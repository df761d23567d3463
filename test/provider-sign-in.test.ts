/** Promise: members come in through their organization's own provider, and stay who and where they are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDue } from '../server/clock/clock.ts'
import { sweepUnfinished } from '../server/identity/scheduled-tasks.ts'
import { type Founded, PASSWORD, type ProviderTest, startProviderTest } from './support/provider-sign-in.ts'

let one: ProviderTest
let acme: Founded

beforeAll(async () => {
  one = await startProviderTest()
  acme = await one.founded('Acme', 'acme.example')
  await acme.verify()
})
afterAll(() => one.close())

const audited = async () => {
  const { body } = await one.call(acme.admin, 'listAuditLog', { limit: 20 })
  return (body as { data: { action: string; outcome: string; reason: string | null }[] }).data
}

test('a provider is found by the domain of an e-mail, whoever the person is', async () => {
  const browser = one.browser()
  const find = async (email: string) => (await browser.call('findSignInProviders', { email })).body
  const found = { providers: [{ id: acme.providerId, name: 'Acme ID' }] }
  expect(await find(acme.email)).toEqual(found)
  expect(await find('nobody-at-all@ACME.example')).toEqual(found)
  for (const email of ['ada@example.org', 'ada@sub.acme.example', 'ada@acme.example.org'])
    expect(await find(email)).toEqual({ providers: [] })
})

test('who was invited comes in, is active from then on, and is known again by the name of the provider', async () => {
  const userId = await acme.invite('grace@acme.example')
  const browser = one.browser()
  const grace = { sub: 'grace-1', email: 'Grace@acme.example', email_verified: true }
  expect(await browser.signIn(acme, grace)).toBe('/')
  expect(await browser.state()).toMatchObject({
    state: 'signed_in',
    session: { provider: acme.providerId },
    person: { id: userId, email: 'grace@acme.example' },
    organization: { id: acme.id },
    organizations: [{ id: acme.id }],
    role: 'editor',
  })
  const seen = (await one.call(acme.admin, 'getUser', { id: userId })).body as Record<string, unknown>
  expect(seen).toMatchObject({ status: 'active', version: 2, lastLoginAt: expect.any(String) })
  const actions = (await audited()).map(({ action, reason }) => `${action} ${reason ?? ''}`.trim())
  expect(actions.slice(0, 3).sort()).toEqual(['identity.link', 'session.begin provider', 'user.update'])

  // Another e-mail, not even of the domain: the provider's own name for her is what counts.
  const other = one.browser()
  expect(await other.signIn(acme, { sub: 'grace-1', email: 'hopper@example.org' })).toBe('/')
  expect((await other.state()).person.id).toBe(userId)
  expect((await browser.call('createRisk', { title: 'Seen by Grace' })).body.createdBy.id).toBe(userId)
})

test('what the token leaves out is asked of the provider, for the same person', async () => {
  await acme.invite('kay@acme.example')
  acme.openId.faults = {
    token: ({ email: _, ...claims }) => claims,
    userInfo: { sub: 'somebody else', email: 'kay@acme.example' },
  }
  const browser = one.browser()
  const kay = { sub: 'kay-1', email: 'kay@acme.example' }
  expect(await browser.signIn(acme, kay)).toBe('/sign-in#error=provider_failed')
  acme.openId.faults = { token: ({ email: _, ...claims }) => claims }
  expect(await browser.signIn(acme, kay)).toBe('/')
  acme.openId.faults = {}
})

test('nobody comes in by an e-mail alone', async () => {
  await acme.invite('joan@acme.example')
  await acme.invite('joan@elsewhere.example')
  const removed = await acme.invite('edith@acme.example')
  await one.call(acme.admin, 'removeUser', { id: removed })
  const barred: [object, string][] = [
    [{ sub: 's1' }, 'email_unverified'],
    [{ sub: 's2', email: 'joan@acme.example', email_verified: false }, 'email_unverified'],
    [{ sub: 's3', email: 'joan@acme.example', email_verified: 'false' }, 'email_unverified'],
    [{ sub: 's4', email: 'joan@elsewhere.example', email_verified: true }, 'domain_unverified'],
    [{ sub: 's5', email: 'joan@acme.example@elsewhere.example' }, 'email_unverified'],
    [{ sub: 's6', email: 'stranger@acme.example', email_verified: true }, 'not_invited'],
    [{ sub: 's7', email: 'edith@acme.example', email_verified: true }, 'not_invited'],
  ]
  const browser = one.browser()
  for (const [claims, code] of barred) {
    expect(await browser.signIn(acme, claims), code).toBe(`/sign-in#error=${code}`)
    expect((await browser.state()).state).toBe('signed_out')
    const [last] = await audited()
    expect(last).toMatchObject({ action: 'session.begin', outcome: 'denied', reason: code })
  }
  const { rows } = await one.administrator.query("select from sign_in_identities where subject like 's_'")
  expect(rows).toEqual([])
})

test('a disabled member stays out, and one who is disabled is out at once', async () => {
  const id = await acme.invite('mary@acme.example')
  const mary = { sub: 'mary-1', email: 'mary@acme.example' }
  const browser = one.browser()
  await browser.signIn(acme, mary)
  await one.call(acme.admin, 'updateUser', { id, status: 'disabled' })
  expect((await browser.state()).state).toBe('signed_out')
  expect(await browser.signIn(acme, mary)).toBe('/sign-in#error=not_active')
})

test('an address given to somebody new does not bring them to the account of the one before', async () => {
  const id = await acme.invite('radia@acme.example')
  await one.browser().signIn(acme, { sub: 'radia-1', email: 'radia@acme.example' })
  const next = one.browser()
  const later = { sub: 'radia-2', email: 'radia@acme.example' }
  expect(await next.signIn(acme, later)).toBe('/sign-in#error=other_account')
  // Removed and invited again, they begin anew.
  await one.call(acme.admin, 'removeUser', { id })
  await acme.invite('radia@acme.example')
  expect(await next.signIn(acme, later)).toBe('/')
})

test('a person links their account themselves, and takes it away again', async () => {
  const browser = one.browser()
  await browser.call('signIn', { email: acme.email, password: PASSWORD })
  const ada = { sub: 'ada-1', email: 'ada@private.example' }
  expect((await browser.call('listMyIdentities')).body).toMatchObject({
    data: [],
    linkable: [{ id: acme.providerId, name: 'Acme ID' }],
  })
  expect(await browser.signIn(acme, ada, { intent: 'link' })).toBe('/account/security')
  expect((await browser.state()).session.provider).toBeNull()
  const { data, linkable } = (await browser.call('listMyIdentities')).body
  expect([data, linkable]).toMatchObject([
    [{ provider: { id: acme.providerId }, email: 'ada@private.example', lastUsedAt: null }],
    [],
  ])
  const through = one.browser()
  expect(await through.signIn(acme, ada)).toBe('/')
  expect((await through.state()).person.email).toBe(acme.email)

  expect((await browser.call('removeMyIdentity', { id: data[0].id })).status).toBe(204)
  expect((await through.state()).state).toBe('signed_out')
  expect(await through.signIn(acme, ada)).toBe('/sign-in#error=domain_unverified')
  expect((await browser.call('removeMyIdentity', { id: data[0].id })).status).toBe(404)
})

test('linking asks for somebody who has just proved who they are, and keeps to them', async () => {
  const stranger = one.browser()
  const asked = { providerId: acme.providerId, intent: 'link' }
  expect((await stranger.call('beginProviderSignIn', asked)).body.code).toBe('credential_missing')

  const browser = one.browser()
  await browser.call('signIn', { email: acme.email, password: PASSWORD })
  await one.moveClock(16 * 60_000)
  expect((await browser.call('beginProviderSignIn', asked)).body.code).toBe('identity_unconfirmed')
  await browser.call('confirmIdentity', { password: PASSWORD })
  expect(await browser.signIn(acme, { sub: 'grace-1' }, { intent: 'link' })).toBe(
    '/account/security#error=identity_taken',
  )

  // Signed out on the way: the account is nobody's.
  const { body } = await browser.call('beginProviderSignIn', asked)
  acme.openId.claims = { sub: 'ada-2' }
  const back = await acme.openId.visit(body.location)
  await browser.call('signOut')
  const { headers } = await browser.go(back)
  expect(headers.location).toMatch(/\/account\/security#error=signed_out$/)
})

test('the browser goes on to a page of ours and to nothing else', async () => {
  await acme.invite('barbara@acme.example')
  const barbara = { sub: 'barbara-1', email: 'barbara@acme.example' }
  const browser = one.browser()
  expect(await browser.signIn(acme, barbara, { returnTo: '/consent/Uid_-1' })).toBe('/consent/Uid_-1')
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/consent/../../evil',
    '/consent/a/b',
    '/consent/a?b=c',
    '/consent/',
    '/consent/a\n',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/web/getSession',
    '',
  ]
  for (const returnTo of elsewhere) {
    const { status, body } = await browser.call('beginProviderSignIn', {
      providerId: acme.providerId,
      returnTo,
    })
    expect([returnTo, status, body.code]).toEqual([returnTo, 422, 'validation_failed'])
  }
})

test('a no at the provider, and a provider that is away, lead back to the sign-in page', async () => {
  const browser = one.browser()
  acme.openId.faults = {
    answer: (answer) => {
      answer.delete('code')
      answer.set('error', 'access_denied')
    },
  }
  expect(await browser.signIn(acme, { sub: 'x' })).toBe('/sign-in#error=cancelled')
  acme.openId.faults = { instead: (path) => (path === '/token' ? { status: 503 } : undefined) }
  expect(await browser.signIn(acme, { sub: 'x' })).toBe('/sign-in#error=provider_failed')
  acme.openId.faults = {}

  const gone = await one.founded('Gone', 'gone.example')
  const begun = await browser.call('beginProviderSignIn', { providerId: gone.providerId })
  const back = await gone.openId.visit(begun.body.location)
  await gone.openId.close()
  expect((await browser.go(back)).headers.location).toMatch(/\/sign-in#error=provider_unreachable$/)
})

test('what was begun and never came back goes with time', async () => {
  const count = async () => (await one.administrator.query('select from sign_ins_begun')).rowCount
  const browser = one.browser()
  await browser.call('beginProviderSignIn', { providerId: acme.providerId })
  const task = [{ name: 'sign-ins', everyMinutes: 1, run: sweepUnfinished }]
  await runDue(one.service, task)
  expect(await count()).toBeGreaterThan(0)
  await one.moveClock(11 * 60_000)
  await runDue(one.service, task)
  expect(await count()).toBe(0)
})
