import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guessable } from '../server/identity/passwords/guessable.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import { makeSetUpLink } from '../server/organization/set-up.ts'
import type { Door } from './support/door.ts'
import { mustSucceed, newSomebody, type Somebody } from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* A new password is none that is guessed first, wherever it is set; one that was set before goes on opening. */

const ADA = ['ada.lovelace@example.com', 'Ada Lovelace', 'Example & Söhne Ltd']

test.each([
  ['123456789012', 'common'],
  ['Password1234', 'common'],
  ['P@ssw0rd2024!', 'common'],
  ['4dministr4t0r', 'common'],
  ['!!!Dragon!!!2024', 'common'],
  ['i l o v e y o u 1', 'common'],
  ['letmeinletmein', 'common'],
  ['ababababababab', 'common'],
  ['passwordadmin', 'common'],
  ['Summer2024Summer', 'common'],
  ['change-me-please', 'common'],
  ['123456789012345', 'common'],
  ['aaaaaaaaaaab', 'common'],
  ['asdfghjklQWERTY', 'common'],
  ['1q2w3e4r5t6y7u8i', 'common'],
  ['zyxwvutsrqpon', 'common'],
  ['ada.lovelace@example.com', 'own_words'],
  ['L0v3lac3-1815', 'own_words'],
  ['AdaLovelace!!', 'own_words'],
  ['1815Söhne1815', 'own_words'],
  ['ExamplePassword1', 'own_words'],
  ['Plumbl1ne-2024', 'own_words'],
  ['ada of example ltd', 'own_words'],
  ['welcometoexample', 'own_words'],
  ['WelcomeToExample2026!', 'own_words'],
  ['W3lc0me-to-Ex4mple', 'own_words'],
  ['iloveworkingatexample', 'own_words'],
  ['we are the example team', 'own_words'],
  ['adaisthebestboss', 'own_words'],
  ['lovelace is my hero 99', 'own_words'],
  ['hello from plumbline', 'own_words'],
  ['\ufdfa'.repeat(256), 'common'],
  ['example orbit walnut sketch', null],
  ['lovelace-tundra-kettle-mosaic', null],
  ['welcome to vexing otter plumage', null],
  ['my-example-zr4kxwqvtpj', null],
  ['correct horse battery', null],
  ['correcthorsebattery', null],
  ['ada rides a horse battery', null],
  ['k2J9-xada-Qw8z-Lp', null],
  ['839201746294', null],
  ['Ünïcödé Wörter öffnen', null],
])('%s: %s', async (password, how) => {
  expect(await guessable(password, ADA)).toBe(how)
})

test('small words beside a name are no password, whatever else is known', async () => {
  const known = ['ada@acme.example', 'Ada Lovelace', 'Acme']
  for (const password of ['welcometoacme', 'Welcome-to-Acme1', 'acmeisthebest1', 'w3lcomet0acme'])
    expect([password, await guessable(password, known)]).toEqual([password, 'own_words'])
  for (const password of ['acme orbit walnut sketch', 'to acme by vexing otter plumage'])
    expect([password, await guessable(password, known)]).toEqual([password, null])
})

test('own words stay own words with signs between their letters, and backwards', async () => {
  const known = ['quorra@tibbleworks.example', 'Quorra Tibbles', 'Tibbleworks GmbH']
  for (const password of [
    'T i b b l e w o r k s',
    'ti-bble-w-or-ks gm-bh',
    'Tibble\u200bworks\u200bGm\u200bbH',
    't 1 b b l 3 w 0 r k $',
    'hbmg skrowelbbit',
    'skrow-elbbit-2026!',
  ])
    expect([password, await guessable(password, known)]).toEqual([password, 'own_words'])
  for (const password of ['tibbleworks orbit walnut sketch', 'quorra-tundra-kettle-mosaic'])
    expect([password, await guessable(password, known)]).toEqual([password, null])
})

test('a passphrase of random words is good, whatever it has of the person beside them', async () => {
  // mulberry32: the same each time.
  let state = 7
  const random = (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const words =
    'abacus bramble cinder dapple ember fjord gravel hazel inkwell jigsaw kelp lantern mango nectar onyx parsnip quarry raven saddle thimble umber velvet willow yonder zephyr anchor button copper'.split(
      ' ',
    )
  const phrase = (count: number) => Array.from({ length: count }, () => words[random(words.length)]!)
  for (let made = 0; made < 200; made++) {
    const distinct = [...new Set(phrase(6))].slice(0, 4)
    if (distinct.length < 4) continue
    const joined = distinct.join(['', '-', ' '][made % 3])
    expect([joined, await guessable(joined, ADA)]).toEqual([joined, null])
    expect([joined, await guessable(`${joined} ada`, ADA)]).toEqual([joined, null])
  }
})

test('the list is the hundred thousand that it was made of', () => {
  const file = new URL('../server/identity/passwords/common-passwords.txt.br', import.meta.url)
  const bytes = brotliDecompressSync(readFileSync(file))
  expect(bytes.toString().split('\n')).toHaveLength(100_001)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '5496943bc4ca626beed875e51b11aa9c356a301e8695153c9df607a6fb7462c1',
  )
})

describe('through every door', () => {
  let one: TestService
  let door: Door
  let ada: Somebody
  let token: string

  beforeAll(async () => {
    one = await startTestService()
    token = (await makeSetUpLink(one.service))!.split('#token=')[1]!
    door = await one.listen()
  })
  afterAll(() => one.close())

  const refused = (path: string, message: RegExp) => ({
    code: 'validation_failed',
    errors: [{ path, message: expect.stringMatching(message) }],
  })

  test('set-up', async () => {
    const given = { token, organizationName: 'Birch Grove', name: 'Bo', email: 'bo@example.com' }
    const common = await openWeb(door).call('setUp', { ...given, password: 'Password1234' })
    expect(common.body).toMatchObject(refused('password', /guessed first/))
    const own = await openWeb(door).call('setUp', { ...given, password: 'B1rchGrove2024' })
    expect(own.body).toMatchObject(refused('password', /your organization/))
  })

  test('the command line: organization create, and user add', async () => {
    const given = { name: 'Birch Grove', adminEmail: 'bo@example.com', adminPassword: 'birch-grove-1' }
    await expect(createOrganization(one.service, given)).rejects.toMatchObject({
      members: { errors: [{ path: 'adminPassword' }] },
    })
    ada = await newSomebody(one, door)
    const { admin } = await one.organization()
    const user = { email: 'cyd@example.com', name: 'Cyd Charisse', role: 'viewer' }
    const add = (password: string) =>
      one.call({ ...admin, channel: 'cli' }, 'createUser', { ...user, password })
    await expect(add('charisse19210308')).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(add('Trustno1Trustno1')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('an invitation', async () => {
    const user = { email: 'dora@example.com', name: 'Dora', role: 'viewer' }
    const { body } = await mustSucceed(ada.web.call('createUser', user))
    const invited = { token: body.invitation.link.split('#token=')[1], name: 'Theodora Maar' }
    const accept = (password: string) => openWeb(door).call('acceptInvitation', { ...invited, password })
    expect((await accept('TheodoraMaar24')).body).toMatchObject(refused('password', /your name/))
    expect((await accept('Sunshine2024!')).body).toMatchObject(refused('password', /guessed first/))
    expect((await accept('a few plain words')).status).toBe(200)
  })

  test('a change, a reset by link; and the old one signs in', async () => {
    const weak = { currentPassword: ada.password, newPassword: 'Organization1-2024' }
    expect((await ada.web.call('changePassword', weak)).body).toMatchObject(
      refused('newPassword', /your organization/),
    )
    const users = (await mustSucceed(ada.web.call('listUsers'))).body.data
    const dora = users.find((user: { name: string }) => user.name === 'Theodora Maar')
    const { body } = await mustSucceed(ada.web.call('createPasswordReset', { id: dora.id }))
    const token = body.link.split('#token=')[1]
    const reset = (password: string) => openWeb(door).call('resetPassword', { token, password })
    expect((await reset('Maar19071122')).body).toMatchObject(refused('password', /your name/))
    expect((await reset('another few plain words')).status).toBe(200)
    // Kept when it was no matter yet.
    await one.administrator.query('update users set password_hash = $2 where id = $1', [ada.accountId, WEAK])
    const old = { email: ada.email, password: 'Password1234' }
    expect((await openWeb(door).call('signIn', old)).body).toEqual({ state: 'signed_in' })
  })
})

/** Of Password1234, with costs that cost nothing. */
const WEAK =
  '$argon2id$v=19$m=1024,t=1,p=1$r55hGAg387m70cwL+xvHAA$4ZdaqQez2Hc2CeVj1uTogJDzLiv2x/DgkS2nFQWLmBQ'
