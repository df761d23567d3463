/** Promise: admins say which providers there are; nobody reads a secret back, and a domain is its owner's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { commandLine } from './support/command-line.ts'
import { type Founded, PASSWORD, type ProviderTest, startProviderTest } from './support/provider-sign-in.ts'

let one: ProviderTest
let acme: Founded

beforeAll(async () => {
  one = await startProviderTest()
  acme = await one.founded('Acme', 'acme.example')
})
afterAll(() => one.close())

interface Shown {
  id: string
  issuer: string
  enabled: boolean
  domains: { domain: string; verifiedAt: string | null; record: { name: string; value: string } }[]
}

const ask = async <Body = Shown>(organization: Founded, name: string, input: object = {}) =>
  (await one.call(organization.admin, name, input)).body as Body
const only = async (organization: Founded) =>
  (await ask<{ data: Shown[] }>(organization, 'listSignInProviders')).data[0]!
const inputOf = ({ openId: { issuer, clientId, clientSecret } }: Founded) => ({
  name: 'Another',
  issuer,
  clientId,
  clientSecret,
})

test('a provider is shown with all that the other side has to know, and without its secret', async () => {
  const shown = await only(acme)
  expect(shown).toEqual({
    id: acme.providerId,
    name: 'Acme ID',
    issuer: acme.openId.issuer,
    clientId: 'plumbline',
    redirectUri: 'http://localhost:3000/sign-in/provider',
    enabled: true,
    domains: [
      {
        domain: 'acme.example',
        verifiedAt: null,
        record: {
          name: '_plumbline.acme.example',
          type: 'TXT',
          value: expect.stringMatching(/^plumbline-domain=[0-9a-f]{32}$/),
        },
      },
    ],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
})

test('the secret rests sealed, bound to its place, and is in no answer and no log', async () => {
  const { clientSecret } = acme.openId
  await ask(acme, 'updateSignInProvider', { id: acme.providerId, clientSecret })
  const dump = await one.administrator.query(
    `select (select json_agg(p)::text from sign_in_providers p) as rows, (select json_agg(a)::text from audit_entries a) as log,
            (select encode(client_secret_cipher, 'escape') from sign_in_providers limit 1) as cipher`,
  )
  const answers = JSON.stringify(await ask(acme, 'listSignInProviders'))
  for (const text of [...Object.values(dump.rows[0]), answers]) expect(text).not.toContain(clientSecret)
  expect(dump.rows[0].log).toContain('"clientSecret"')

  // A cipher text moved to another provider's row opens nothing there.
  const other = await one.founded('Moved', 'moved.example')
  await other.verify()
  await other.invite('m@moved.example')
  await one.administrator.query(
    `update sign_in_providers set client_secret_cipher = (select client_secret_cipher from sign_in_providers where id = $2)
      where id = $1`,
    [other.providerId, acme.providerId],
  )
  const browser = one.browser()
  const begun = await browser.call('beginProviderSignIn', { providerId: other.providerId })
  other.openId.claims = { sub: 'm', email: 'm@moved.example' }
  expect((await browser.go(await other.openId.visit(begun.body.location))).status).toBe(500)
  expect((await browser.state()).state).toBe('signed_out')
})

test('config check misses the master key that a secret was sealed with', async () => {
  const MASTER_KEY = newMasterKey().replace(/^k1:/, 'k9:')
  const plumbline = commandLine({ DATABASE_URL: one.database.url, MASTER_KEY })
  const { json } = await plumbline('config check --json')
  expect(json).toMatchObject({ masterKey: { opens: false, problem: expect.stringContaining('has no k1') } })
})

describe('an issuer is asked at once, and refused where it', () => {
  const refused: [string, Record<string, unknown>, RegExp][] = [
    [
      'sends browsers into a script',
      { authorization_endpoint: 'javascript:alert(1)//' },
      /authorization_endpoint/,
    ],
    [
      'sends browsers to plain http',
      { authorization_endpoint: 'http://id.example.com/' },
      /authorization_endpoint/,
    ],
    ['takes tokens by plain http', { token_endpoint: 'http://id.example.com/' }, /token_endpoint/],
    ['has no keys', { jwks_uri: undefined }, /jwks_uri/],
    ['calls itself something else', { issuer: 'https://id.example.com' }, /calls itself/],
    ['stands for every customer', { issuer: 'https://id.example.com/{tenantid}/v2.0' }, /calls itself/],
    ['has no name', { issuer: undefined }, /no OpenID configuration/],
  ]
  test.each(refused)('%s', async (_, metadata, told) => {
    acme.openId.faults = { metadata }
    const error = await ask(acme, 'createSignInProvider', inputOf(acme)).catch((refusal) => refusal)
    acme.openId.faults = {}
    expect(error).toMatchObject({ code: 'validation_failed', members: { errors: [{ path: 'issuer' }] } })
    expect(error.message).toMatch(told)
  })

  test('leads elsewhere, answers nonsense, or is not there', async () => {
    const answers = [
      { status: 302, headers: { location: 'https://169.254.169.254/' } },
      { status: 404 },
      { status: 200, body: '<html>' },
      { status: 200, body: 'null' },
      { status: 200, body: `{"issuer":"${'x'.repeat(70_000)}"}` },
    ]
    for (const answer of answers) {
      acme.openId.faults = { instead: () => answer }
      await expect(ask(acme, 'createSignInProvider', inputOf(acme))).rejects.toMatchObject({
        code: 'validation_failed',
      })
    }
    acme.openId.faults = {}
    await expect(
      ask(acme, 'createSignInProvider', { ...inputOf(acme), issuer: 'https://nothing.invalid' }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('is inside', async () => {
    const refusalOf = async (issuer: string) => {
      const { code, message, members } = await ask(acme, 'createSignInProvider', {
        ...inputOf(acme),
        issuer,
      }).catch((error) => error)
      return { code, message, members }
    }
    const message = 'the provider cannot be reached at a public https address'
    const refusal = {
      code: 'validation_failed',
      message: `issuer: ${message}.`,
      members: { errors: [{ path: 'issuer', message }] },
    }
    // The last one is not there at all: nobody learns by an issuer which names there are inside.
    for (const issuer of [
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[fd00::1]',
      'https://db.internal',
      'https://nothing.invalid',
    ])
      expect(await refusalOf(issuer), issuer).toEqual(refusal)
  })

  test('has a form that is none', async () => {
    const forms = [
      'http://id.example.com',
      'https://user@id.example.com',
      'https://id.example.com/?a=b',
      'https://id.example.com/#a',
      'https://id.exa mple.com',
      'file:///etc/passwd',
    ]
    for (const issuer of forms)
      await expect(ask(acme, 'createSignInProvider', { ...inputOf(acme), issuer })).rejects.toMatchObject({
        code: 'validation_failed',
      })
  })
})

test('a slash more at the end is mended, and what the provider itself writes is kept', async () => {
  const made = await ask(acme, 'createSignInProvider', { ...inputOf(acme), issuer: `${acme.openId.issuer}/` })
  expect(made.issuer).toBe(acme.openId.issuer)
  await expect(
    ask(acme, 'updateSignInProvider', { id: made.id, issuer: 'https://other.example' }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
  await ask(acme, 'deleteSignInProvider', { id: made.id })
})

test('an organization has at most ten, and a provider of another one is none', async () => {
  const few = await one.founded('Few', 'few.example')
  for (let made = 1; made < 10; made++) await ask(few, 'createSignInProvider', inputOf(few))
  await expect(ask(few, 'createSignInProvider', inputOf(few))).rejects.toMatchObject({ code: 'conflict' })
  for (const name of ['updateSignInProvider', 'deleteSignInProvider', 'verifySignInDomain'])
    await expect(
      ask(few, name, {
        id: acme.providerId,
        ...(name.startsWith('verify') ? { domain: 'acme.example' } : {}),
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
})

test('a domain counts once its record stands, and stays verified while it stays', async () => {
  const { record } = (await only(acme)).domains[0]!
  const id = acme.providerId
  const verify = (domain = 'acme.example') => ask(acme, 'verifySignInDomain', { id, domain })
  await expect(verify()).rejects.toThrow(`no TXT record ${record.name} with ${record.value} was found`)
  for (const near of [
    `${record.value}0`,
    ` ${record.value}`,
    record.value.toUpperCase(),
    'plumbline-domain=',
    `v=spf1 ${record.value}`,
  ]) {
    one.texts.set(record.name, [near])
    await expect(verify(), near).rejects.toMatchObject({ code: 'validation_failed' })
  }
  await expect(verify('other.example')).rejects.toMatchObject({ code: 'validation_failed' })
  one.texts.set(record.name, ['v=spf1 -all', record.value])
  const verified = (await verify()).domains[0]!
  expect(verified.verifiedAt).toEqual(expect.any(String))
  expect((await verify()).domains[0]).toEqual(verified)

  const domains = ['acme.example', 'ACME.org', 'acme.org']
  const more = await ask(acme, 'updateSignInProvider', { id, domains })
  expect(more.domains.map(({ domain, verifiedAt }) => [domain, verifiedAt !== null])).toEqual([
    ['acme.example', true],
    ['acme.org', false],
  ])
  // Left out and named again, it begins anew.
  await ask(acme, 'updateSignInProvider', { id, domains: [] })
  const again = await ask(acme, 'updateSignInProvider', { id, domains: ['acme.example'] })
  expect(again.domains[0]?.verifiedAt).toBeNull()
  expect(again.domains[0]?.record.value).not.toBe(record.value)
})

test('a domain is of one organization: of the one that can prove it', async () => {
  const first = await one.founded('First', 'shared.example')
  const second = await one.founded('Second', 'shared.example')
  await first.verify()
  const [mine, theirs] = [(await only(first)).domains[0]!, (await only(second)).domains[0]!]
  expect(mine.record.value).not.toBe(theirs.record.value)
  const verifySecond = () =>
    ask(second, 'verifySignInDomain', { id: second.providerId, domain: 'shared.example' })
  // The record of the first is no proof of the second; and while both stand, the first keeps it.
  await expect(verifySecond()).rejects.toMatchObject({ code: 'validation_failed' })
  one.texts.set(theirs.record.name, [mine.record.value, theirs.record.value])
  await expect(verifySecond()).rejects.toMatchObject({ code: 'conflict' })
  expect((await only(first)).domains[0]?.verifiedAt).not.toBeNull()

  one.texts.set(theirs.record.name, [theirs.record.value])
  expect((await verifySecond()).domains[0]?.verifiedAt).not.toBeNull()
  expect((await only(first)).domains[0]?.verifiedAt).toBeNull()
  const { data } = await ask<{ data: object[] }>(first, 'listAuditLog', { limit: 1 })
  expect(data[0]).toMatchObject({
    action: 'sign_in_provider.lose_domain',
    actor: { type: 'service' },
    changes: { 'shared.example': { from: 'verified', to: null } },
  })
  expect(JSON.stringify(data)).not.toContain(second.id)
  const browser = one.browser()
  const { body } = await browser.call('findSignInProviders', { email: 'x@shared.example' })
  expect(body.providers).toEqual([{ id: second.providerId, name: 'Second ID' }])
})

test('of two who prove a domain at once, one has it', async () => {
  const [left, right] = [
    await one.founded('Left', 'race.example'),
    await one.founded('Right', 'race.example'),
  ]
  for (let round = 0; round < 10; round++) {
    const domain = `race${round}.example`
    const values: string[] = []
    for (const { admin, providerId: id } of [left, right]) {
      const { body } = await one.call(admin, 'updateSignInProvider', { id, domains: [domain] })
      values.push((body as Shown).domains[0]!.record.value)
    }
    one.texts.set(`_plumbline.${domain}`, values)
    const verify = (each: Founded) =>
      ask(each, 'verifySignInDomain', { id: each.providerId, domain }).then(
        () => 'verified',
        ({ code }) => code,
      )
    expect((await Promise.all([verify(left), verify(right)])).sort()).toEqual(['conflict', 'verified'])
  }
})

test('domains of no such form are refused', async () => {
  for (const domain of [
    'localhost',
    'example',
    'a b.example',
    '.example',
    'x..example',
    '1.2.3.4',
    '*.example.com',
  ])
    await expect(
      ask(acme, 'updateSignInProvider', { id: acme.providerId, domains: [domain] }),
      domain,
    ).rejects.toMatchObject({ code: 'validation_failed' })
})

describe('what a provider vouched for ends with it', () => {
  async function inside(name: string) {
    const organization = await one.founded(name, `${name}.example`)
    await organization.verify()
    await organization.invite(`x@${name}.example`)
    const browser = one.browser()
    const claims = { sub: 'x', email: `x@${name}.example` }
    expect(await browser.signIn(organization, claims)).toBe('/')
    expect((await browser.state()).state).toBe('signed_in')
    const waiting = one.browser()
    const begun = await waiting.call('beginProviderSignIn', { providerId: organization.providerId })
    const back = await organization.openId.visit(begun.body.location)
    const own = one.browser()
    await own.call('signIn', { email: organization.email, password: PASSWORD })
    return { organization, browser, claims, waiting, back, own }
  }

  test('when it is turned off: at once, and for good', async () => {
    const { organization, browser, claims, waiting, back, own } = await inside('off')
    const turn = (enabled: boolean) =>
      ask(organization, 'updateSignInProvider', { id: organization.providerId, enabled })
    await turn(false)
    expect((await browser.state()).state).toBe('signed_out')
    expect((await browser.call('listRisks')).body.code).toBe('credential_missing')
    expect((await waiting.go(back)).headers.location).toMatch(/#error=provider_off$/)
    const { status } = await browser.call('beginProviderSignIn', { providerId: organization.providerId })
    expect(status).toBe(404)
    const { body } = await browser.call('findSignInProviders', { email: claims.email })
    expect(body.providers).toEqual([])
    await turn(true)
    expect((await browser.state()).state).toBe('signed_out')
    expect(await browser.signIn(organization, claims)).toBe('/')
    expect((await own.state()).state).toBe('signed_in')
  })

  test('when it is turned off, for a session too that slipped in meanwhile', async () => {
    const { organization, browser } = await inside('late')
    // As it stands when one process ends the sessions just before another one begins this.
    await one.administrator.query('update sign_in_providers set enabled = false where id = $1', [
      organization.providerId,
    ])
    expect((await browser.state()).state).toBe('signed_out')
  })

  test('when it is deleted', async () => {
    const { organization, browser, waiting, back, own } = await inside('deleted')
    await ask(organization, 'deleteSignInProvider', { id: organization.providerId })
    expect((await browser.state()).state).toBe('signed_out')
    expect((await waiting.go(back)).headers.location).toMatch(/#error=expired$/)
    expect((await own.state()).state).toBe('signed_in')
    const { rows } = await one.administrator.query(
      'select from sign_in_identities where organization_id = $1',
      [organization.id],
    )
    expect(rows).toEqual([])
  })
})
