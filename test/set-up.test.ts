import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSetUpLink } from '../server/organization/set-up.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door

beforeEach(async () => {
  one = await startTestService()
  door = await one.listen()
})
afterEach(() => one.close())

const GIVEN = {
  organizationName: 'Acme',
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct horse battery',
}
const tokenOf = (link: string | null) => link!.split('#token=')[1]!

test('the first organization and its admin are made in the browser, once', async () => {
  const link = await makeSetUpLink(one.service)
  expect(link).toMatch(/^http:\/\/localhost:3000\/set-up#token=[\w-]{43}$/)
  const web = openWeb(door)
  expect((await web.call('getSession')).body).toMatchObject({ state: 'signed_out', setUpNeeded: true })
  expect((await web.call('setUp', { ...GIVEN, token: tokenOf(link) })).status).toBe(200)
  expect((await web.call('getSession')).body).toMatchObject({
    state: 'signed_in',
    person: { email: GIVEN.email, name: 'Ada' },
    organization: { name: 'Acme' },
    role: 'admin',
  })
  expect(await makeSetUpLink(one.service)).toBeNull()
  const again = await openWeb(door).call('setUp', {
    ...GIVEN,
    email: 'eve@example.com',
    token: tokenOf(link),
  })
  expect([again.status, again.body.code]).toEqual([422, 'link_invalid'])
})

test('the audit log says that the link made them, where from, and not the command line', async () => {
  const web = openWeb(door)
  await web.call('setUp', { ...GIVEN, token: tokenOf(await makeSetUpLink(one.service)) })
  const { body } = await web.call('listAuditLog', { action: ['organization.create', 'user.create'] })
  const expected = {
    actor: {
      type: 'operator',
      id: 'set_up',
      displayName: 'Set-up link',
      actingUserId: null,
      actingUserName: null,
    },
    channel: 'ui',
    ip: '127.0.0.1',
  }
  expect(body.data).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)])
})

test('of many who use the link at the same moment, one gets in', async () => {
  const token = tokenOf(await makeSetUpLink(one.service))
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      openWeb(door).call('setUp', { ...GIVEN, email: `ada${index}@example.com`, token }),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(422)])
  const { rows } = await one.administrator.query('select count(*)::int as n from organizations')
  expect(rows[0].n).toBe(1)
})

test('bad input names the field as the page does, and leaves the link as it was', async () => {
  const token = tokenOf(await makeSetUpLink(one.service))
  const { body } = await openWeb(door).call('setUp', {
    ...GIVEN,
    organizationName: '',
    password: 'short',
    token,
  })
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['organizationName', 'password'])
  expect((await openWeb(door).call('setUp', { ...GIVEN, token })).status).toBe(200)
})

test.each([
  [
    'a link that was replaced by a later start',
    async () => {
      const token = tokenOf(await makeSetUpLink(one.service))
      await makeSetUpLink(one.service)
      return token
    },
  ],
  [
    'a link a day later',
    async () => {
      const token = tokenOf(await makeSetUpLink(one.service))
      await one.moveClock(25 * 3_600_000)
      return token
    },
  ],
  [
    'a link once the command line has made an organization',
    async () => {
      const token = tokenOf(await makeSetUpLink(one.service))
      await one.organization()
      return token
    },
  ],
  ['a guess', async () => 'A'.repeat(43)],
])('%s makes nothing', async (_, tokenFor) => {
  const { status, body } = await openWeb(door).call('setUp', { ...GIVEN, token: await tokenFor() })
  expect([status, body.code]).toEqual([422, 'link_invalid'])
  const { rows } = await one.administrator.query('select from users where email = $1', [GIVEN.email])
  expect(rows).toHaveLength(0)
})
