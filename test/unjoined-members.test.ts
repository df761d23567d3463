import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { newSomebody, type Somebody } from './support/factors.ts'
import { openPlace, type Place, tokenOf } from './support/joining.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/*
 * An organization learns nothing of a person who has not joined it: who is known to the service and who is not
 * look alike in every answer, and nobody is called the same in two organizations.
 */

let one: TestService
let door: Door
let acme: Place
let known: Somebody

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await openPlace(door, 'Acme')
  known = await newSomebody(one, door)
})
afterAll(() => one.close())

const UNKNOWN = 'unknown1@example.com'

/** Everything an admin can ask about somebody they invite, and every way to act on them. */
async function seenOf(email: string): Promise<unknown[]> {
  const invited = await acme.web.call('createUser', { email, name: 'Somebody', role: 'editor' })
  const { id, invitation } = invited.body
  const token = tokenOf(invitation.link)
  const stranger = openWeb(door)
  const seen = [
    invited,
    await acme.web.call('createUser', { email, name: 'Again', role: 'viewer' }),
    await acme.web.call('getUser', { id }),
    await acme.web.call('listUsers', { q: email }),
    await acme.web.call('listOwnershipPrincipals', { q: email, active: false }),
    await acme.web.call('createPasswordReset', { id }),
    await acme.web.call('resetSecondFactor', { id }),
    await acme.web.call('updateUser', { id, status: 'disabled' }),
    await stranger.call('getInvitation', { token }),
    await stranger.call('acceptInvitation', { token }),
    await stranger.call('acceptInvitation', { token, password: 'short' }),
    await openWeb(door).call('signIn', { email, password: 'not their password' }),
    await acme.web.call('listAuditLog', { subjectId: [id], limit: 50 }),
    await acme.web.call('removeUser', { id }),
  ]
  return seen.map(({ status, text }) => [status, plain(text, email)])
}

/** Without what differs between any two people: ids, times, secrets, and the e-mail that was typed. */
const plain = (text: string, email: string) =>
  text
    .replaceAll(email, 'EMAIL')
    .replace(/\b[a-z]+_[0-9a-z]{26}\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/token=[\w-]{43}/g, 'TOKEN')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/"hash":"[^"]*"/g, '"hash"')

test('who is known to the service and who is not look alike until they join', async () => {
  await one.administrator.query('update users set has_second_factor = true where id = $1', [known.accountId])
  expect(await seenOf(known.email)).toEqual(await seenOf(UNKNOWN))
  await one.administrator.query('update users set has_second_factor = false where id = $1', [known.accountId])
})

test('nor does a password that is weak or wrong tell them apart', async () => {
  const somebody = await newSomebody(one, door)
  const place = await openPlace(door, 'Curious')
  const answers = []
  for (const email of [somebody.email, 'nobody-at-all@example.com']) {
    const { invitation } = await place.invite(email)
    const token = tokenOf(invitation.link)
    for (const password of ['short', 'passwordpassword', 'Curious-2024!'])
      answers.push((await openWeb(door).call('acceptInvitation', { token, password })).body.detail)
  }
  expect(answers.slice(0, 3)).toEqual(answers.slice(3))
})

test('an e-mail is shown in one form, whoever wrote it first', async () => {
  const mixed = await acme.invite('Mixed.Case@Example.com')
  const other = await openPlace(door, 'Other')
  const again = await other.invite('mixed.CASE@example.COM')
  for (const [{ web }, { id }] of [
    [acme, mixed],
    [other, again],
  ] as const)
    expect((await web.call('getUser', { id })).body.email).toBe('mixed.case@example.com')
})

test('nobody is called the same in two organizations, and by their account in none', async () => {
  const { id, invitation } = await acme.invite(known.email)
  const accepted = await known.web.call('acceptInvitation', { token: tokenOf(invitation.link) })
  expect(accepted.body).toEqual({ state: 'signed_in' })
  expect((await known.web.call('getSession')).body).toMatchObject({
    person: { id },
    organization: { id: acme.id },
  })
  expect(id).not.toBe(known.userId)
  const risk = await known.web.call('createRisk', {
    title: 'By one of two',
    owner: { type: 'user', refId: id },
  })
  expect(risk.body).toMatchObject({ createdBy: { id }, ownerId: id })
  const foreign = { type: 'user', refId: known.userId }
  expect((await known.web.call('createRisk', { title: 'Not here', owner: foreign })).body.code).toBe(
    'principal_not_found',
  )
  const shown = await Promise.all(
    ['getSession', 'getMe', 'listUsers', 'listAuditLog', 'listOwnershipPrincipals', 'listRisks'].map((name) =>
      known.web.call(name),
    ),
  )
  const signals = await one.administrator.query('select body from signals where organization_id = $1', [
    acme.id,
  ])
  const everything = JSON.stringify([shown.map(({ text }) => text), signals.rows])
  expect(everything).toContain(id)
  expect(everything).not.toContain(known.userId)
  expect(everything).not.toContain(known.accountId)
  expect(everything).not.toMatch(/\bacc_/)

  await known.web.call('switchOrganization', { organizationId: known.organizationId })
  expect((await known.web.call('getSession')).body.person.id).toBe(known.userId)
  expect((await known.web.call('getUser', { id })).status).toBe(404)
})

test('failed sign-ins of somebody are told to organizations they have joined', async () => {
  const guessed = await newSomebody(one, door)
  const early = await openPlace(door, 'Early')
  const { id } = await early.invite(guessed.email)
  await one.administrator.query(
    "update members set created_at = created_at - interval '1 day' where user_id = $1",
    [id],
  )
  await openWeb(door).call('signIn', { email: guessed.email, password: 'not their password' })
  const failed = async (web: Place['web']) =>
    (await web.call('listAuditLog', { outcome: ['failed'] })).body.data.map(
      ({ subject }: { subject: { id: string } }) => subject.id,
    )
  await expect.poll(() => failed(guessed.web)).toEqual([guessed.userId])
  expect(await failed(early.web)).toEqual([])
})
