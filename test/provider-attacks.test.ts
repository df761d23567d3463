/** Promise: no answer of a provider, and no admin who writes its answers, reaches beyond what is theirs. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Claims, newKey } from './support/openid-provider.ts'
import { type Founded, PASSWORD, type ProviderTest, startProviderTest } from './support/provider-sign-in.ts'

let one: ProviderTest
let acme: Founded
/** Another organization, whose admin writes whatever the provider says. */
let evil: Founded
const GRACE = { sub: 'grace-1', email: 'grace@acme.example', email_verified: true }

beforeAll(async () => {
  one = await startProviderTest()
  acme = await one.founded('Acme', 'acme.example')
  evil = await one.founded('Evil', 'evil.example')
  await acme.verify()
  await evil.verify()
  await acme.invite(GRACE.email)
})
afterAll(() => one.close())

/** A browser that has been at the provider and holds its answer, but has not brought it back. */
async function onTheWay(claims: Claims = GRACE, organization = acme) {
  const browser = one.browser()
  const { body } = await browser.call('beginProviderSignIn', { providerId: organization.providerId })
  organization.openId.claims = claims
  return { browser, location: new URL(body.location), back: await organization.openId.visit(body.location) }
}

const tokensAsked = ({ openId }: Founded) => openId.requests.filter(({ path }) => path === '/token').length

describe('what a browser brings back', () => {
  test('counts once', async () => {
    const { browser, back } = await onTheWay()
    expect((await browser.go(back)).headers.location).toMatch(/:3000\/$/)
    const asked = tokensAsked(acme)
    const again = await browser.go(back)
    expect(again.headers.location).toMatch(/\/sign-in#error=expired$/)
    expect(again.headers['set-cookie']).not.toContain('plumbline=')
    expect(tokensAsked(acme)).toBe(asked)
  })

  test('counts once for two who bring it at the same moment', async () => {
    const { browser, back } = await onTheWay()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const path = back.pathname + back.search
    const bring = () => one.door.send(null, 'GET', path, { headers: { cookie } })
    const replies = await Promise.all([bring(), bring(), bring(), bring()])
    const started = replies.filter(({ headers }) => String(headers['set-cookie']).includes('plumbline='))
    expect(started).toHaveLength(1)
  })

  test('counts in the browser that set out, and is worth nothing in another one', async () => {
    const attacker = await onTheWay()
    const bare = one.browser()
    expect((await bare.go(attacker.back)).headers.location).toMatch(/#error=expired$/)
    expect((await bare.state()).state).toBe('signed_out')
    // Not either in one that is on its own way to the provider.
    const victim = await onTheWay({ ...GRACE, sub: 'somebody' })
    expect((await victim.browser.go(attacker.back)).headers.location).toMatch(/#error=expired$/)
    expect((await victim.browser.state()).state).toBe('signed_out')
    // Nor was it used up by the strangers.
    expect((await attacker.browser.go(attacker.back)).headers.location).toMatch(/:3000\/$/)
  })

  test('is linked to nobody who did not ask for it', async () => {
    const attacker = await onTheWay({ sub: 'attacker-1' })
    const victim = one.browser()
    await victim.call('signIn', { email: acme.email, password: PASSWORD })
    await victim.go(attacker.back)
    expect((await victim.call('listMyIdentities')).body.data).toEqual([])
    // Nor by a session that came after the one that asked.
    const browser = one.browser()
    await browser.call('signIn', { email: acme.email, password: PASSWORD })
    const { body } = await browser.call('beginProviderSignIn', {
      providerId: acme.providerId,
      intent: 'link',
    })
    const back = await acme.openId.visit(body.location)
    await browser.call('signIn', { email: evil.email, password: PASSWORD })
    expect((await browser.go(back)).headers.location).toMatch(/#error=signed_out$/)
  })

  test('is late after ten minutes', async () => {
    const { browser, back } = await onTheWay()
    await one.moveClock(9 * 60_000)
    const second = await onTheWay()
    await one.moveClock(61_000)
    expect((await browser.go(back)).headers.location).toMatch(/#error=expired$/)
    expect((await second.browser.go(second.back)).headers.location).toMatch(/:3000\/$/)
  })

  test('is not used up by a HEAD', async () => {
    const { browser, back } = await onTheWay()
    expect((await browser.go(back, 'HEAD')).status).toBe(405)
    expect((await browser.go(back)).headers.location).toMatch(/:3000\/$/)
  })

  test('names its issuer, where the provider says that it does', async () => {
    const wrong: ((answer: URLSearchParams) => void)[] = [
      (answer) => answer.delete('iss'),
      (answer) => answer.set('iss', evil.openId.issuer),
      (answer) => answer.append('iss', evil.openId.issuer),
      (answer) => answer.append('code', 'another'),
      (answer) => answer.set('code', 'guessed'),
      (answer) => answer.append('id_token', acme.openId.sign(GRACE)),
      (answer) => answer.append('response', acme.openId.sign(GRACE)),
    ]
    for (const alter of wrong) {
      acme.openId.faults = { answer: alter }
      const { browser, back } = await onTheWay()
      expect((await browser.go(back)).headers.location, String(alter)).toMatch(/#error=provider_failed$/)
      expect((await browser.state()).state).toBe('signed_out')
    }
    acme.openId.faults = {}
  })

  test('may be anything at all', async () => {
    const browser = one.browser()
    await browser.call('beginProviderSignIn', { providerId: acme.providerId })
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('state', 'code', 'iss', '%zz', '%00'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(part, part), { maxLength: 5 }),
        fc.boolean(),
        async (pairs, encoded) => {
          const query = encoded
            ? new URLSearchParams(
                pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
              ).toString()
            : pairs
                .map((pair) => pair.join('='))
                .join('&')
                .replace(/[^\x21-\x7e]|#/g, '%')
          const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
          const { status, headers } = await one.door.send(null, 'GET', `/sign-in/provider?${query}`, {
            headers: { cookie },
          })
          // Also what cannot be read as text: a person sits there, who is told where to go on.
          expect([status, headers.location]).toEqual([303, 'http://localhost:3000/sign-in#error=expired'])
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('the cookie of the way is bound to this host, and taken away at its end', async () => {
  const { browser, location, back } = await onTheWay()
  const begun = await one.browser().call('beginProviderSignIn', { providerId: acme.providerId })
  expect(begun.headers['set-cookie']).toMatch(
    /^plumbline-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  expect(location.search).not.toContain(browser.cookies.get('plumbline-sign-in'))
  await browser.go(back)
  expect([...browser.cookies.keys()]).toEqual(['plumbline'])
  const secure = await one.listen({ PUBLIC_URL: 'https://plumbline.example.com' })
  const { headers } = await secure.send(null, 'POST', '/web/beginProviderSignIn', {
    body: { providerId: acme.providerId },
    headers: { origin: 'https://plumbline.example.com' },
  })
  expect(headers['set-cookie']).toMatch(
    /^__Host-plumbline-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
  )
  const elsewhere = await one.door.send(null, 'POST', '/web/beginProviderSignIn', {
    body: { providerId: acme.providerId },
    headers: { origin: 'https://evil.example' },
  })
  expect(elsewhere.body.code).toBe('cross_site')
})

describe('a token is refused that', () => {
  const hmac = (claims: Claims, header: object, key: string) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'HS256', ...header })}.${part(claims)}`
    return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  }
  const now = () => Math.floor((Date.now() + acme.openId.aheadMs) / 1000)
  const wrong: [string, (claims: Claims) => Claims][] = [
    ['is for another client', (claims) => ({ ...claims, aud: 'another' })],
    ['is for several, and not said to be ours', (claims) => ({ ...claims, aud: ['plumbline', 'another'] })],
    [
      'is for several, and another one is its party',
      (claims) => ({ ...claims, aud: ['plumbline', 'another'], azp: 'another' }),
    ],
    ['was issued to another client', (claims) => ({ ...claims, azp: 'another' })],
    ['is of another issuer', (claims) => ({ ...claims, iss: evil.openId.issuer })],
    ['has no issuer', ({ iss: _, ...claims }) => claims],
    ['has expired', (claims) => ({ ...claims, exp: now() - 60 })],
    ['never expires', ({ exp: _, ...claims }) => claims],
    ['is not valid yet', (claims) => ({ ...claims, nbf: now() + 3_600 })],
    ['answers another request', (claims) => ({ ...claims, nonce: 'another' })],
    ['answers no request', ({ nonce: _, ...claims }) => claims],
    ['names nobody', ({ sub: _, ...claims }) => claims as unknown as Claims],
    ['names nobody in particular', (claims) => ({ ...claims, sub: '' })],
    ['names a number', (claims) => ({ ...claims, sub: 7 }) as unknown as Claims],
    ['names what cannot be kept', (claims) => ({ ...claims, sub: 'a\u0000b' })],
    ['names somebody at length', (claims) => ({ ...claims, sub: 'x'.repeat(256) })],
  ]
  test.each(wrong)('%s', async (_, token) => {
    acme.openId.faults = { token }
    const browser = one.browser()
    expect(await browser.signIn(acme, GRACE)).toBe('/sign-in#error=provider_failed')
    expect((await browser.state()).state).toBe('signed_out')
    acme.openId.faults = {}
  })

  const forged: [string, (claims: Claims) => string][] = [
    ['is signed by somebody else', (claims) => acme.openId.sign(claims, {}, newKey())],
    ['is signed by the provider of another organization', (claims) => evil.openId.sign(claims)],
    [
      'is signed with a key that the provider does not have',
      (claims) => acme.openId.sign(claims, { kid: 'two' }),
    ],
    [
      'brings its own key',
      (claims) => acme.openId.sign(claims, { jwk: {}, jku: evil.openId.issuer }, newKey()),
    ],
    ['is signed with our own secret', (claims) => hmac(claims, {}, acme.openId.clientSecret)],
    ['is signed with what everybody knows', (claims) => hmac(claims, { kid: 'one' }, 'plumbline')],
    ['is not signed', (claims) => acme.openId.sign(claims, { alg: 'none' }).replace(/[^.]+$/, '')],
    ['was changed', (claims) => changed(acme.openId.sign(claims))],
    ['asks for what we do not know', (claims) => acme.openId.sign(claims, { crit: ['x'], x: 1 })],
    ['is none', () => 'a.b.c'],
  ]
  test.each(forged)('%s', async (_, idToken) => {
    acme.openId.faults = { idToken }
    const browser = one.browser()
    expect(await browser.signIn(acme, GRACE)).toBe('/sign-in#error=provider_failed')
    expect((await browser.state()).state).toBe('signed_out')
    acme.openId.faults = {}
  })

  function changed(token: string): string {
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'ada-1' }
    return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  }
})

describe('mixed up', () => {
  test('a code of one provider is not given to another one', async () => {
    // The provider of Evil sends the browser on to that of Acme, to have Acme's code brought back as its own.
    const mixed = await one.founded('Mixed', 'mixed.example')
    const browser = one.browser()
    const { body } = await browser.call('beginProviderSignIn', { providerId: mixed.providerId })
    const on = new URL(body.location)
    acme.openId.claims = GRACE
    const back = await acme.openId.visit(`${acme.openId.issuer}/authorize${on.search}`)
    expect((await browser.go(back)).headers.location).toMatch(/#error=provider_failed$/)
    expect(tokensAsked(mixed)).toBe(0)
  })

  test('a code that somebody stole is worth nothing in their own browser', async () => {
    const victim = await onTheWay()
    const thief = await onTheWay()
    thief.back.searchParams.set('code', victim.back.searchParams.get('code')!)
    expect((await thief.browser.go(thief.back)).headers.location).toMatch(/#error=provider_failed$/)
    expect((await thief.browser.state()).state).toBe('signed_out')
  })
})

describe('an admin of another organization, who writes what its provider says,', () => {
  const asAda = () => ({ sub: 'ada-1', email: acme.email, email_verified: true })

  test('does not come in as a person of ours, member there or not', async () => {
    const browser = one.browser()
    expect(await browser.signIn(evil, GRACE)).toBe('/sign-in#error=domain_unverified')
    // By linking the same name here first, nothing is won there.
    await one.browser().signIn(acme, GRACE)
    expect(await browser.signIn(evil, GRACE)).toBe('/sign-in#error=domain_unverified')
    await evil.invite(acme.email)
    expect(await browser.signIn(evil, asAda())).toBe('/sign-in#error=domain_unverified')
    expect((await browser.state()).state).toBe('signed_out')
  })

  test('does not follow somebody whose address they took before, to where their own provider lets them in', async () => {
    const email = 'victim@acme.example'
    await evil.invite(email)
    const posing = one.browser()
    const password = 'what the attacker chose'
    expect((await posing.call('acceptInvitation', { token: await evil.link(email), password })).status).toBe(
      200,
    )
    await acme.invite(email)
    const victim = { sub: 'victim-1', email, email_verified: true }
    expect(await one.browser().signIn(acme, victim)).toBe('/sign-in#error=invitation_first')
    expect((await posing.call('switchOrganization', { organizationId: acme.id })).status).toBe(401)
    const again = await one.browser().call('signIn', { email, password })
    expect(again.status).toBe(200)
    const places = (await posing.state()).organizations.map(({ id }: { id: string }) => id)
    expect(places).toEqual([evil.id])
    // Who has shown that the mailbox is theirs comes in as ever.
    await one.administrator.query('update users set email_proven_at = clock_now() where email = $1', [email])
    const browser = one.browser()
    expect(await browser.signIn(acme, victim)).toBe('/')
    expect((await browser.state()).organization.id).toBe(acme.id)
  })

  test('does not get the domain', async () => {
    const domains = ['evil.example', 'acme.example']
    await one.call(evil.admin, 'updateSignInProvider', { id: evil.providerId, domains })
    await expect(
      one.call(evil.admin, 'verifySignInDomain', { id: evil.providerId, domain: 'acme.example' }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await one.browser().signIn(evil, asAda())).toBe('/sign-in#error=domain_unverified')
    const { body } = await one.browser().call('findSignInProviders', { email: acme.email })
    expect(body.providers.map(({ id }: { id: string }) => id)).toEqual([acme.providerId])
  })

  test('gets no further than there with somebody who linked their account there', async () => {
    // Ada is a member of Evil, and links an account at its provider.
    const ada = one.browser()
    await ada.call('signIn', { email: acme.email, password: PASSWORD })
    await ada.call('acceptInvitation', { token: await evil.link(acme.email) })
    expect(await ada.signIn(evil, asAda(), { intent: 'link' })).toBe('/account/security')
    await ada.call('switchOrganization', { organizationId: acme.id })
    const before = await lastSeen()
    await one.moveClock(60_000)

    const posing = one.browser()
    expect(await posing.signIn(evil, asAda())).toBe('/')
    const state = await posing.state()
    expect([state.person.email, state.organization.id]).toEqual([acme.email, evil.id])
    expect(state.organizations.map(({ id }: { id: string }) => id)).toEqual([evil.id])
    const refused: [string, object][] = [
      ['switchOrganization', { organizationId: acme.id }],
      ['changePassword', { currentPassword: PASSWORD, newPassword: 'a new one, long enough' }],
      ['beginProviderSignIn', { providerId: evil.providerId, intent: 'link' }],
    ]
    for (const [act, input] of refused)
      expect([act, (await posing.call(act, input)).body.code]).toEqual([act, 'identity_unconfirmed'])
    expect((await posing.call('confirmIdentity', { password: PASSWORD })).body.code).toBe('sign_in_failed')
    const { body: methods } = await posing.call('getSignInMethods')
    expect([methods.code, methods.provider]).toEqual(['identity_unconfirmed', true])
    expect((await posing.call('switchOrganization', { organizationId: evil.id })).status).toBe(200)
    const { body: identities } = await posing.call('listMyIdentities')
    const removal = await posing.call('removeMyIdentity', { id: identities.data[0].id })
    expect(removal.body.code).toBe('identity_unconfirmed')
    const { body: sessions } = await posing.call('listSessions')
    expect(sessions.data.map(({ method }: { method: string }) => method)).toEqual(['provider'])
    const { id } = (await ada.state()).session
    expect((await posing.call('revokeSession', { id })).status).toBe(404)
    expect((await ada.state()).organization.id).toBe(acme.id)
    expect(
      (await posing.call('beginProviderSignIn', { providerId: acme.providerId, intent: 'link' })).status,
    ).toBe(404)

    // Nor is anything of it seen from Acme, or told to Ada's next sign-in.
    expect(await lastSeen()).toEqual(before)
    const next = one.browser()
    await next.call('signIn', { email: acme.email, password: PASSWORD })
    expect((await next.state()).organization.id).toBe(acme.id)
  })

  async function lastSeen() {
    const { rows } = await one.administrator.query(
      'select last_login_at, last_organization_id from users where lower(email) = $1',
      [acme.email],
    )
    return rows[0]
  }

  test('gets no more guesses at a password than any stranger', async () => {
    const network = '192.0.2.7'
    const { rows } = await one.administrator.query('select id from users where email = $1', [acme.email])
    const counted = async () =>
      (await one.administrator.query('select coalesce(sum(count), 0)::int as n from sign_in_counts')).rows[0]
        .n
    await one.administrator.query(
      "update sessions set network = $2 where user_id = $1 and method = 'provider'",
      [rows[0].id, network],
    )
    const door = await one.listen({ TRUSTED_PROXIES: '127.0.0.1' })
    const guess = (from: string) =>
      door.send(null, 'POST', '/web/signIn', {
        body: { email: acme.email, password: 'a guess' },
        headers: { origin: door.service.config.publicUrl, 'x-forwarded-for': from },
      })
    const start = await counted()
    await guess('192.0.2.200')
    const stranger = (await counted()) - start
    await guess(network)
    expect((await counted()) - start - stranger).toBe(stranger)
  })

  test('sends a browser to no place inside, and to none of ours', async () => {
    const inner = await one.founded('Inner', 'inner.example')
    inner.openId.faults = {
      metadata: {
        token_endpoint: 'https://10.0.0.1/token',
        jwks_uri: 'https://169.254.169.254/latest',
      },
    }
    const fresh = { ...inner.openId, name: 'x' }
    const made = (
      await one.call(inner.admin, 'createSignInProvider', {
        name: 'Inside',
        issuer: fresh.issuer,
        clientId: fresh.clientId,
        clientSecret: fresh.clientSecret,
      })
    ).body as { id: string }
    const browser = one.browser()
    const organization = { ...inner, providerId: made.id }
    expect(await browser.signIn(organization, { sub: 'x' })).toBe('/sign-in#error=provider_unreachable')
  })
})
