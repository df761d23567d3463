import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GUEST_PURPOSES } from '../model/guest-purpose.ts'
import { call } from '../server/call.ts'
import { readGuest } from '../server/guests/guest-session.ts'
import { confirmed, guest as forGuests, operation } from '../server/operation.ts'
import { operations, operationsBy } from '../server/operations.ts'
import type { Door, Reply } from './support/door.ts'
import { type Guest, letIn, openGuest } from './support/guest.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { openWebAs } from './support/web.ts'

/*
 * Who is no member does one thing at one record, by a link to their mailbox; whatever else is tried with it is as if it
 * never was.
 */

/** Every operation that guests have, and for which purpose. */
const TABLE: Record<string, string> = {
  getGuestPass: 'any',
  sendGuestCode: 'any',
  confirmGuestCode: 'any',
  closeGuestPass: 'any',
  readPolicyAsGuest: 'attest',
  downloadPolicyAsGuest: 'attest',
  downloadPictureAsGuest: 'attest',
  checkPolicyAsGuest: 'attest',
  acknowledgePolicyAsGuest: 'attest',
}

const none = z.strictObject({})
const shown = z.object({ recordId: z.string() })
const reviewRecord = operation({
  ...{ name: 'reviewRecord', title: 'Review', by: 'guest', needs: forGuests('review'), writes: false },
  ...{ input: none, output: shown },
  run: async ({ caller }) => ({
    recordId: caller.credential.type === 'guest' ? caller.credential.recordId : '',
  }),
})
const signReview = operation({
  ...{ name: 'signReview', title: 'Sign', by: 'guest', needs: confirmed(forGuests('review')), writes: false },
  ...{ input: none, output: none },
  run: async () => ({}),
})
const answerQuestions = operation({
  ...{ name: 'answerQuestions', title: 'Answer', by: 'guest', needs: forGuests('answer'), writes: false },
  ...{ input: none, output: none },
  run: async () => ({}),
})

const ADDRESS = 'noor@partner.example'

let one: TestService
let door: Door
let server: MailServer
let acme: TestOrganization
let other: TestOrganization
let riskId: string
let key: string

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url }, [reviewRecord, signReview, answerQuestions])
  door = await one.listen()
  ;[acme, other] = [await one.organization(), await one.organization()]
  riskId = await riskOf(acme)
  key = (await acme.key(['read:risks', 'write:risks'])).secret
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const made = async (who: TestOrganization, name: string, input: object): Promise<string> =>
  ((await one.call(who.admin, name, input)) as unknown as { body: { id: string } }).body.id
const riskOf = (who: TestOrganization) => made(who, 'createRisk', { title: 'A risk for others' })
const personOf = (who: TestOrganization, workEmail: string) =>
  made(who, 'createPersonnel', { fullName: 'Noor Haddad', workEmail })

const toAddress = (given: object = {}) =>
  letIn(one, acme.admin, { recordId: riskId, ...given }, { address: ADDRESS }, ADDRESS)

async function inside(): Promise<{ guest: Guest; id: string; link: string }> {
  const pass = await toAddress()
  const guest = openGuest(door)
  expect((await guest.open(pass.link)).status).toBe(200)
  return { guest, ...pass }
}

const told = ({ status, body, headers }: Reply) => {
  const { requestId: _, ...said } = body
  return { status, said, cookie: headers['set-cookie'] }
}

test('a link says whose it is before it is opened, which uses nothing up', async () => {
  const pass = { recordId: riskId, usesAtMost: 1 }
  const { id, link } = await letIn(one, acme.admin, pass, { address: ADDRESS }, ADDRESS)
  const preview = (token: string) =>
    door.send(null, 'POST', '/web/previewGuestPass', {
      body: { token },
      headers: { origin: one.service.config.publicUrl },
    })
  const token = link.split('#token=').at(-1)!
  for (let times = 0; times < 3; times += 1) {
    const { status, body } = await preview(token)
    expect([status, Object.keys(body as object)]).toEqual([200, ['organization']])
  }
  expect((await openGuest(door).open(link)).status).toBe(200)
  const over = await preview(token)
  expect(over).toMatchObject({ status: 422, body: { code: 'link_invalid', reason: 'used_up' } })
  expect((await preview(randomBytes(32).toString('base64url'))).body).not.toHaveProperty('reason')
  await one.call(acme.admin, 'revokeGuestPass', { id })
  expect((await preview(token)).body).toMatchObject({ reason: 'revoked' })
})

test('guests have these operations, each for its purpose, and no others', () => {
  const all = operationsBy('guest').map(({ name, needs }) => [name, needs.guest])
  expect(Object.fromEntries(all)).toEqual(TABLE)
  for (const { by, name, needs, input } of operations) {
    expect(needs.guest === undefined).toBe(by !== 'guest')
    // There is no other record to try: none of them takes the id of one. That of what was read finds nothing: it is
    // held against what the pass leads to (attestation-proof.test.ts).
    const isOfPass = ['acknowledgePolicyAsGuest', 'checkPolicyAsGuest'].includes(name)
    if (by === 'guest' && !isOfPass)
      expect(Object.keys(input.shape).filter((one) => /id$/i.test(one))).toEqual([])
  }
  expect([...GUEST_PURPOSES, 'any']).toEqual(expect.arrayContaining(Object.values(TABLE)))
})

test('a link opens its pass, and says whose it is and what for, and nothing else', async () => {
  const { link } = await toAddress()
  expect(link).toMatch(/^http:\/\/localhost:3000\/guest#token=[\w-]{43}$/)
  const guest = openGuest(door)
  const opened = await guest.open(link)
  expect(opened.headers['set-cookie']).toMatch(
    /^plumbline-guest=[\w-]{43}; Path=\/guest; HttpOnly; SameSite=Strict$/,
  )
  const said = {
    purpose: 'review',
    organization: `Organization ${acme.id.slice(-6)}`,
    name: ADDRESS,
    title: 'A risk for others',
    expiresAt: expect.any(String),
    isConfirmed: false,
  }
  expect(opened.body).toEqual(said)
  expect((await guest.call('getGuestPass')).body).toEqual(said)
  expect((await guest.call('reviewRecord')).body).toEqual({ recordId: riskId })
  const { body } = (await one.call(acme.admin, 'listAuditLog', { limit: 1 })) as unknown as {
    body: { data: object[] }
  }
  expect(body.data[0]).toMatchObject({
    action: 'guest_pass.open',
    channel: 'guest',
    actor: { type: 'guest', displayName: ADDRESS },
  })
})

test('what fetches the address uses nothing up, and one that may be opened once opens once', async () => {
  const { link } = await toAddress({ usesAtMost: 1 })
  for (const method of ['GET', 'HEAD', 'GET'])
    await door.send(null, method, new URL(link).pathname, { headers: { accept: 'text/html' } })
  const twice = await Promise.all([openGuest(door).open(link), openGuest(door).open(link)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
})

describe('with a pass', () => {
  test('every other operation is as if it never was', async () => {
    const { guest } = await inside()
    const caller = await readGuest(one.service, guest.cookie.split('=')[1], {
      channel: 'ui',
      requestId: 'r',
    })
    for (const each of operations.filter(({ by }) => by !== 'guest')) {
      const through = await guest.call(each.name, sampleOf(each))
      expect([each.name, through.status]).toEqual([each.name, 404])
      if (each.by !== 'credential') continue
      const within = call(one.service, caller!, each, sampleOf(each))
      await expect(within, each.name).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(told(await guest.call('answerQuestions'))).toEqual({
      ...told(await guest.call('reviewRecord', { nothing: 1 })),
      status: 404,
      said: expect.objectContaining({ code: 'not_found' }),
    })
  })

  test('nobody comes in by another door, and no member by this one', async () => {
    const { guest } = await inside()
    const secret = guest.cookie.split('=')[1]!
    const headers = { origin: one.service.config.publicUrl }
    for (const cookie of [guest.cookie, `plumbline=${secret}`])
      for (const path of ['/web/listRisks', '/web/getMe', '/web/signOut'])
        expect(
          (await door.send(null, 'POST', path, { body: {}, headers: { ...headers, cookie } })).status,
        ).toBe(401)
    expect((await door.send(secret, 'GET', '/v1/risks')).status).toBe(401)
    const web = await openWebAs(door, acme.admin)
    const [, session] = web.cookie.split('=')
    for (const cookie of [web.cookie, `plumbline-guest=${session}`, `${guest.cookie}; ${guest.cookie}`]) {
      const { status, body } = await guest.call('getGuestPass', {}, { cookie })
      expect([status, body.code]).toEqual([401, 'credential_missing'])
    }
    const { path, body } = requestFor(operations.find(({ name }) => name === 'listRisks')!, {})
    expect((await door.send(key, 'POST', '/guest/reviewRecord', { body: {}, headers })).status).toBe(401)
    expect((await door.send(key, 'GET', path, { body })).status).toBe(200)
    // A browser with both is each of them where it belongs.
    const both = `${web.cookie}; ${guest.cookie}`
    expect((await guest.call('reviewRecord', {}, { cookie: both })).body).toEqual({ recordId: riskId })
    web.cookie = both
    expect((await web.call('getSession')).body.state).toBe('signed_in')
    await expect(call(one.service, acme.admin, reviewRecord, {})).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a page of another site calls nothing', async () => {
    const { guest } = await inside()
    for (const origin of ['https://evil.example', 'null', ''])
      for (const { name } of operationsBy('guest'))
        expect((await guest.call(name, {}, { origin })).body.code).toBe('cross_site')
  })
})

describe('it is over at once, and who holds its link is told why', () => {
  let never: ReturnType<typeof told>
  beforeAll(async () => {
    never = told(await openGuest(door).open(randomBytes(32).toString('base64url')))
    expect(never).toMatchObject({ status: 422, said: { code: 'link_invalid' } })
  })

  /** Without a reason it is, to the very byte, as if the link never was. */
  async function isOver(link: string, guest: Guest, reason?: string) {
    const gone = told(await openGuest(door).call('getGuestPass'))
    expect(gone.status).toBe(401)
    const opened = told(await openGuest(door).open(link))
    const calls = [told(await guest.call('getGuestPass')), told(await guest.call('reviewRecord'))]
    if (reason === undefined) expect([opened, ...calls]).toEqual([never, gone, gone])
    else
      for (const { said, cookie } of [opened, ...calls])
        expect([said.code, said.reason, cookie]).toEqual(['link_invalid', reason, undefined])
  }

  async function ofPerson(workEmail: string) {
    const personId = await personOf(acme, workEmail)
    const { id, link } = await letIn(one, acme.admin, { recordId: riskId }, { personId }, workEmail)
    const guest = openGuest(door)
    expect((await guest.open(link)).body.name).toBe('Noor Haddad')
    return { personId, id, link, guest }
  }

  test('once it is revoked', async () => {
    const { id, link, guest } = await inside()
    const { body } = await one.call(acme.admin, 'revokeGuestPass', { id })
    expect(body).toMatchObject({ state: 'revoked', uses: 1 })
    await isOver(link, guest, 'revoked')
    await expect(one.call(acme.admin, 'sendGuestLink', { id })).rejects.toMatchObject({ code: 'conflict' })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    await expect(one.call(acme.admin, 'extendGuestPass', { id, expiresAt })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('once its person has left', async () => {
    const { personId, link, guest } = await ofPerson('leaver@acme.example')
    await one.call(acme.admin, 'updatePersonnel', { id: personId, status: 'offboarding' })
    expect((await guest.call('reviewRecord')).status).toBe(200)
    await one.call(acme.admin, 'updatePersonnel', { id: personId, status: 'former' })
    await isOver(link, guest, 'nothing_asked')
  })

  test('once its person has another address, until a link goes there', async () => {
    const { personId, id, link, guest } = await ofPerson('wrong@acme.example')
    await one.call(acme.admin, 'updatePersonnel', { id: personId, workEmail: 'right@acme.example' })
    await isOver(link, guest)
    const { body } = await one.call(acme.admin, 'sendGuestLink', { id })
    expect(body).toEqual({ sentTo: 'right@acme.example', link: null })
    const mail = await server.next('right@acme.example')
    expect((await openGuest(door).open(mail.link)).status).toBe(200)
  })

  test('once its record is gone', async () => {
    const recordId = await riskOf(acme)
    const { link } = await toAddress({ recordId })
    const guest = openGuest(door)
    await guest.open(link)
    await one.call(acme.admin, 'deleteRisk', { id: recordId })
    await isOver(link, guest)
  })

  test('half an hour after the last call, and when it expires', async () => {
    const { link, guest } = await inside()
    await one.moveClock(29 * 60_000)
    expect((await guest.call('reviewRecord')).status).toBe(200)
    await one.moveClock(29 * 60_000)
    expect((await guest.call('reviewRecord')).status).toBe(200)
    await one.moveClock(31 * 60_000)
    expect((await guest.call('reviewRecord')).status).toBe(401)
    expect((await guest.open(link)).status).toBe(200)
    await one.moveClock(31 * 86_400_000)
    expect((await guest.open(link)).body.reason).toBe('expired')
    expect((await guest.call('reviewRecord')).status).toBe(401)
  })

  test('of guesses none opens anything', async () => {
    const context = { channel: 'ui', requestId: 'r' } as const
    const guesses = Array.from({ length: 500 }, () => randomBytes(32).toString('base64url'))
    const opened = await Promise.all(guesses.map((secret) => readGuest(one.service, secret, context)))
    expect(opened.filter((guest) => guest !== null)).toEqual([])
    for (const wrong of ['x', '../../etc', 'a'.repeat(43), 'a'.repeat(44)])
      expect(told(await openGuest(door).open(wrong))).toEqual(never)
  })
})

describe('what asks for more than a link, which can be forwarded, asks the mailbox', () => {
  const mailed = async (guest: Guest): Promise<string> => {
    expect((await guest.call('sendGuestCode')).body).toEqual({ minutes: 10 })
    const { subject, text } = await server.next(ADDRESS)
    const [code] = /^\d{6}(?= is your code$)/.exec(subject)!
    expect(text).toContain(code)
    return code
  }
  /** A mail that came and is not noted as sent yet would be sent again, once the clock is past its claim. */
  const mailsNoted = () =>
    until(async () => {
      const { rowCount } = await one.administrator.query(
        "select from jobs where kind = 'sendMail' and claim_id is not null",
      )
      return rowCount === 0
    }, 'the end of the claims on mails')
  const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('for a code', async () => {
    const { guest, link } = await inside()
    const refused = await guest.call('signReview')
    expect([refused.status, refused.body.code]).toEqual([403, 'identity_unconfirmed'])
    const code = await mailed(guest)
    // Forwarded to somebody who does not have the mailbox, the code of another browser is none.
    const forwarded = openGuest(door)
    await forwarded.open(link)
    expect((await forwarded.call('confirmGuestCode', { code })).status).toBe(422)
    expect((await guest.call('confirmGuestCode', { code: wrongOf(code) })).status).toBe(422)
    expect((await guest.call('confirmGuestCode', { code })).body).toEqual({ isConfirmed: true })
    expect((await guest.call('signReview')).status).toBe(200)
    expect((await guest.call('getGuestPass')).body.isConfirmed).toBe(true)
    expect((await forwarded.call('signReview')).status).toBe(403)
    expect((await guest.call('confirmGuestCode', { code })).status).toBe(422)
  })

  test('and who has given it, or has one to give, is put out by nobody who opens the link again and again', async () => {
    const [{ guest: proved, link }, { guest: waiting, link: another }] = [await inside(), await inside()]
    await proved.call('confirmGuestCode', { code: await mailed(proved) })
    const code = await mailed(waiting)
    for (let more = 0; more < 25; more++) for (const each of [link, another]) await openGuest(door).open(each)
    expect((await proved.call('signReview')).status).toBe(200)
    expect((await waiting.call('confirmGuestCode', { code })).status).toBe(200)
  })

  test('which has five tries, at once or one after another', async () => {
    const { guest } = await inside()
    const code = await mailed(guest)
    const wrong = wrongOf(code)
    const tries = Array.from({ length: 5 }, () => guest.call('confirmGuestCode', { code: wrong }))
    const areSpent = (await Promise.all(tries)).map(({ status, body }) => {
      expect(status).toBe(422)
      return body.errors[0].message.includes('tries of this code are used up')
    })
    // Whoever makes the last one is told that it was, and so is whoever has the right code after it.
    expect(areSpent.filter(Boolean)).toHaveLength(1)
    const right = await guest.call('confirmGuestCode', { code })
    expect([right.status, right.body.errors[0].message]).toEqual([
      422,
      'the 5 tries of this code are used up, so it is good for nothing any more: send another code',
    ])
    const another = await mailed(guest)
    expect((await guest.call('confirmGuestCode', { code: another })).status).toBe(200)
  })

  test('and ten minutes, and five codes an hour', async () => {
    const { guest, id } = await inside()
    const late = await mailed(guest)
    await mailsNoted()
    await one.moveClock(10 * 60_000)
    expect((await guest.call('confirmGuestCode', { code: late })).status).toBe(422)
    for (let more = 0; more < 4; more++) await mailed(guest)
    const { status, body } = await guest.call('sendGuestCode')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    await one.call(acme.admin, 'sendGuestLink', { id })
    const { link } = await server.next(ADDRESS)
    expect((await guest.call('getGuestPass')).status).toBe(401)
    await guest.open(link)
    expect((await guest.call('confirmGuestCode', { code: await mailed(guest) })).status).toBe(200)
  })
})

test('one mailbox with passes of two organizations is two guests', async () => {
  const theirs = await riskOf(other)
  const { id, link } = await letIn(one, other.admin, { recordId: theirs }, { address: ADDRESS }, ADDRESS)
  const there = openGuest(door)
  await there.open(link)
  const { guest: here } = await inside()
  expect((await here.call('reviewRecord')).body).toEqual({ recordId: riskId })
  expect((await there.call('reviewRecord')).body).toEqual({ recordId: theirs })
  await there.call('sendGuestCode')
  const [code] = /^\d{6}/.exec((await server.next(ADDRESS)).subject)!
  expect((await here.call('confirmGuestCode', { code })).status).toBe(422)
  expect((await there.call('confirmGuestCode', { code })).status).toBe(200)
  expect([(await here.call('signReview')).status, (await there.call('signReview')).status]).toEqual([
    403, 200,
  ])
  const { body } = (await one.call(acme.admin, 'listGuestPasses', { recordId: riskId })) as unknown as {
    body: { data: { id: string }[] }
  }
  expect(body.data.map((pass) => pass.id)).not.toContain(id)
  await one.call(other.admin, 'revokeGuestPass', { id })
  expect([(await here.call('getGuestPass')).status, (await there.call('getGuestPass')).status]).toEqual([
    200, 422,
  ])
})

test('members list the passes of what they may read, and change those of what they may change', async () => {
  const { id } = await toAddress({ recordId: await riskOf(acme) })
  const viewer = await acme.person('viewer')
  const revoked = (await one.call(acme.admin, 'revokeGuestPass', { id })) as unknown as {
    body: { recordId: string }
  }
  const { recordId } = revoked.body
  const { body } = (await one.call(viewer, 'listGuestPasses', { recordId })) as unknown as {
    body: { data: object[] }
  }
  expect(body.data).toEqual([expect.objectContaining({ id, state: 'revoked', address: ADDRESS })])
  for (const [name, more] of [
    ['revokeGuestPass', {}],
    ['sendGuestLink', {}],
    ['extendGuestPass', { expiresAt: new Date().toISOString() }],
  ] as const) {
    await expect(one.call(viewer, name, { id, ...more })).rejects.toMatchObject({ status: 403 })
    await expect(one.call(other.admin, name, { id, ...more })).rejects.toMatchObject({ code: 'not_found' })
  }
})
