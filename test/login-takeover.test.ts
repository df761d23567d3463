import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../server/caller/operator.ts'
import { newId } from '../server/database/ids.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import { type Authenticator, newAuthenticator } from './support/authenticator.ts'
import type { Door } from './support/door.ts'
import { addPasskey, ORIGIN, passkeySignIn } from './support/factors.ts'
import { openPlace, PASSWORD, type Place, signedIn, tokenOf } from './support/joining.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/*
 * A login may open several organizations, and an admin of one is a stranger to the others. Here such an admin
 * tries to come by the login of somebody else, before its owner or after.
 */

const EVIL = 'what the attacker chose'
const NEW = 'what the owner chose now'

let one: TestService
let server: MailServer
/** The same service: with a mail server, and without one. */
let mailing: Door
let bare: Door
/** Whose admin is the attacker. */
let theirs: Place
/** Where the victim is, or comes. */
let good: Place

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService()
  bare = await one.listen()
  mailing = await one.listen({ SMTP_URL: server.url })
  theirs = await openPlace(bare, 'Theirs')
  good = await openPlace(bare, 'Good')
})
afterAll(async () => {
  await one.close()
  await server.close()
})

/** Invites by a link that the admin sees. */
const handed = async (place: Place, email: string) => {
  const { id, invitation } = await place.invite(email)
  return { id, token: tokenOf(invitation.link) }
}

/** Invites by a link that only the mailbox gets. */
async function mailed(place: Place, email: string): Promise<string> {
  const web = openWeb(mailing, undefined, place.web.cookie)
  const { status, body } = await web.call('createUser', { email, name: 'Victim', role: 'admin' })
  expect([status, body.invitation.link]).toEqual([201, null])
  return (await server.next(email)).token
}

const accept = (token: string, password?: string, web: Web = openWeb(bare)) =>
  web.call('acceptInvitation', { token, ...(password === undefined ? {} : { password }) })
const reset = (token: string, password: string) => openWeb(bare).call('resetPassword', { token, password })
const signIn = (email: string, password: string) => openWeb(bare).call('signIn', { email, password })
const placesOf = async (web: Web): Promise<string[]> =>
  ((await web.call('getSession')).body.organizations ?? []).map(({ name }: { name: string }) => name)

describe('somebody who signs in elsewhere', () => {
  test('is not taken over by inviting them and opening the link oneself', async () => {
    await accept((await handed(good, 'a1@example.com')).token, PASSWORD)
    const { token } = await handed(theirs, 'a1@example.com')
    expect((await accept(token, EVIL)).body.code).toBe('sign_in_failed')
    expect((await accept(token)).body.code).toBe('validation_failed')
    expect((await accept(token, undefined, openWeb(bare, undefined, theirs.web.cookie))).status).toBe(422)
    expect((await signIn('a1@example.com', EVIL)).status).toBe(401)
    expect(await placesOf(await signedIn(bare, 'a1@example.com'))).toEqual(['Good'])
  })

  test('nor where they have no password, because their organization vouches for them', async () => {
    const { id } = await handed(good, 'a2@example.com')
    await one.administrator.query("update members set status = 'active' where user_id = $1", [id])
    const { token } = await handed(theirs, 'a2@example.com')
    expect((await openWeb(bare).call('getInvitation', { token })).body.hasPassword).toBe(null)
    expect((await accept(token, EVIL)).body.code).toBe('sign_in_failed')
  })

  test('nor by a reset made in the other organization, joined or not', async () => {
    const before = await handed(good, 'a3@example.com')
    await accept(before.token, PASSWORD)
    const { id, token } = await handed(theirs, 'a3@example.com')
    expect((await theirs.web.call('createPasswordReset', { id })).status).toBe(409)
    await accept(token, PASSWORD)
    for (const [place, member] of [
      [theirs, id],
      [good, before.id],
    ] as const) {
      const { status, body } = await place.web.call('createPasswordReset', { id: member })
      expect([status, body.code, body.link]).toEqual([409, 'conflict', undefined])
      expect(body.detail).toContain('belongs to another organization too')
    }
    await good.web.call('updateUser', { id: before.id, status: 'disabled' })
    expect((await theirs.web.call('createPasswordReset', { id })).status).toBe(409)
    expect((await signIn('a3@example.com', PASSWORD)).status).toBe(200)
  })

  test('nor by a link that was made before they came to the other organization', async () => {
    const { id, token } = await handed(theirs, 'a4@example.com')
    await accept(token, PASSWORD)
    const { link } = (await theirs.web.call('createPasswordReset', { id })).body
    await accept((await handed(good, 'a4@example.com')).token, PASSWORD)
    const page = openWeb(bare)
    expect((await page.call('getPasswordReset', { token: tokenOf(link) })).body.code).toBe('link_invalid')
    expect((await reset(tokenOf(link), EVIL)).body.code).toBe('link_invalid')
    expect((await signIn('a4@example.com', PASSWORD)).status).toBe(200)
  })

  test('nor by using such a link at the moment they join: one of the two wins', async () => {
    for (let round = 0; round < 6; round++) {
      const email = `a5-${round}@example.com`
      const { id, token } = await handed(theirs, email)
      await accept(token, PASSWORD)
      const { link } = (await theirs.web.call('createPasswordReset', { id })).body
      const join = (await handed(good, email)).token
      const [taken, joined] = await Promise.all([reset(tokenOf(link), EVIL), accept(join, PASSWORD)])
      expect([taken.status, joined.status].filter((status) => status === 200).length).toBeLessThan(2)
      const entered = await signIn(email, EVIL)
      if (entered.status === 200) expect(joined.status).not.toBe(200)
    }
  })
})

describe('somebody whose address was taken before they came', () => {
  interface Hijack {
    readonly id: string
    readonly web: Web
    readonly passkey: Authenticator
  }

  /** The attacker adds the address, opens the link themselves, and plants what else lets in. */
  async function hijacked(email: string, passkey = newAuthenticator(ORIGIN)) {
    const { id, token } = await handed(theirs, email)
    const web = openWeb(bare)
    expect((await accept(token, EVIL, web)).status).toBe(200)
    await one.administrator.query(
      `insert into connected_apps (organization_id, id, user_id, client_id, client_name, redirect_host, registration,
         scopes, created_at, approved_at, expires_at)
       values ($1, $2, $3, 'c', 'Planted', 'localhost', 'dynamic', '{}', now(), now(), now() + interval '1 year')`,
      [theirs.id, newId('app'), id],
    )
    expect((await addPasskey(web, passkey)).status).toBe(201)
    return { id, web, passkey }
  }

  async function expectClean(email: string, { id, web, passkey }: Hijack) {
    expect((await passkeySignIn(bare, passkey)).status).toBe(401)
    expect((await signIn(email, EVIL)).status).toBe(401)
    expect((await web.call('getSession')).body.state).toBe('signed_out')
    expect(await placesOf(await signedIn(bare, email, NEW))).toContain('Good')
    const { rows } = await one.administrator.query(
      'select count(*)::int as n from connected_apps where user_id = $1 and revoked_at is null',
      [id],
    )
    expect(rows[0].n).toBe(0)
  }

  test('begins anew by the invitation in their mailbox, and the attacker is out', async () => {
    const hijack = await hijacked('b1@example.com')
    const token = await mailed(good, 'b1@example.com')
    expect((await openWeb(bare).call('getInvitation', { token })).body.hasPassword).toBe(false)
    expect((await accept(token, NEW)).status).toBe(200)
    await expectClean('b1@example.com', hijack)
  })

  test('begins anew even where the attacker told them a password that both know', async () => {
    const hijack = await hijacked('b2@example.com')
    const token = await mailed(good, 'b2@example.com')
    const owner = openWeb(bare, undefined, hijack.web.cookie)
    expect((await accept(token, undefined, owner)).status).toBe(422)
    expect((await accept(token, NEW, owner)).status).toBe(200)
    await expectClean('b2@example.com', hijack)
  })

  test('begins anew by a reset in their mailbox', async () => {
    const hijack = await hijacked('b3@example.com')
    const { token } = await handed(good, 'b3@example.com')
    expect((await accept(token, NEW)).body.code).toBe('sign_in_failed')
    await openWeb(mailing).call('requestPasswordReset', { email: 'b3@example.com' })
    expect((await reset((await server.next('b3@example.com')).token, NEW)).status).toBe(200)
    expect((await accept(token, NEW)).status).toBe(200)
    await expectClean('b3@example.com', hijack)
  })

  test('begins anew by a link of the operator, where nobody sends mail', async () => {
    const hijack = await hijacked('b4@example.com')
    const { token } = await handed(good, 'b4@example.com')
    const { body } = await one.call(operator(theirs.id), 'createPasswordReset', { id: hijack.id })
    expect((await reset(tokenOf((body as { link: string }).link), NEW)).status).toBe(200)
    expect((await accept(token, NEW)).status).toBe(200)
    await expectClean('b4@example.com', hijack)
  })

  test('does not let the attacker follow: the invitation opens by link and password only', async () => {
    const { web } = await hijacked('b5@example.com')
    await mailed(good, 'b5@example.com')
    expect(await placesOf(web)).toEqual(['Theirs'])
    expect((await web.call('switchOrganization', { organizationId: good.id })).status).toBe(401)
  })

  test('is asked anew by mail after an admin has replaced a password that was proven', async () => {
    const first = await mailed(theirs, 'b6@example.com')
    await accept(first, PASSWORD)
    const { data } = (await theirs.web.call('listUsers', { q: 'b6@example.com' })).body
    const { link } = (await theirs.web.call('createPasswordReset', { id: data[0].id })).body
    await reset(tokenOf(link), EVIL)
    const web = await signedIn(bare, 'b6@example.com', EVIL)
    const passkey = newAuthenticator(ORIGIN)
    expect((await addPasskey(web, passkey)).status).toBe(201)
    await accept(await mailed(good, 'b6@example.com'), NEW)
    await expectClean('b6@example.com', { id: data[0].id, web, passkey })
  })
})

test('an admin removed and added again by an attacker is asked for the password like anybody', async () => {
  const { id, token } = await handed(theirs, 'c1@example.com')
  await accept(token, PASSWORD)
  await accept((await handed(good, 'c1@example.com')).token, PASSWORD)
  await theirs.web.call('removeUser', { id })
  const again = await handed(theirs, 'c1@example.com')
  expect((await accept(again.token, EVIL)).body.code).toBe('sign_in_failed')
  expect((await theirs.web.call('createPasswordReset', { id })).status).toBe(409)
})

test('the first admin of the service is taken over by nobody who invites them', async () => {
  await createOrganization(one.service, {
    name: 'First',
    adminEmail: 'root@example.com',
    adminPassword: PASSWORD,
  })
  const { token } = await handed(theirs, 'root@example.com')
  expect((await accept(token, EVIL)).body.code).toBe('sign_in_failed')
  expect((await signIn('root@example.com', PASSWORD)).status).toBe(200)
})
