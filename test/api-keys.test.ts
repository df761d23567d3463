import { afterAll, beforeAll, expect, test } from 'vitest'
import { FORM_SCOPES, SCOPES } from '../model/scopes.ts'
import { admitKey } from '../server/caller/admission.ts'
import { runDue } from '../server/clock/clock.ts'
import { sweepKeys } from '../server/organization/scheduled-tasks.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

interface Key {
  id: string
  secret: string
  prefix: string
  state: string
  lastUsedAt: string | null
  effectiveScopes: string[]
  createdBy: { id: string }
  expiresAt: string | null
}

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const create = async (input: object = {}): Promise<Key> =>
  (await one.call(acme.admin, 'createApiKey', { name: 'ci', scopes: ['read:risks'], ...input })).body
const admit = (secret: string) => admitKey(one.service, secret, { channel: 'rest', requestId: 'r' })
const list = async (): Promise<Key[]> =>
  ((await one.call(acme.admin, 'listApiKeys')).body as { data: Key[] }).data
const find = async (id: string) => (await list()).find((key) => key.id === id)
const dump = async (table: string) =>
  JSON.stringify((await one.administrator.query(`select * from ${table}`)).rows)

test('the secret is shown once, and kept only as a keyed hash', async () => {
  const { id, secret, prefix } = await create()
  expect(prefix).toBe(secret.slice(0, 16))
  expect(JSON.stringify(await list())).not.toContain(secret.slice(16))
  const { rows } = await one.administrator.query('select * from api_keys where id = $1', [id])
  expect(rows[0].secret_hash).toEqual(one.service.keyring.hash(secret))
  for (const table of ['api_keys', 'audit_entries', 'idempotency_answers'])
    expect(await dump(table)).not.toContain(secret.slice(16))
})

test('an answer given again under an idempotency key has no secret', async () => {
  const input = { name: 'once', scopes: ['read:risks'] }
  const first = (await one.call(acme.admin, 'createApiKey', input, 'same')).body as Key
  const again = (await one.call(acme.admin, 'createApiKey', input, 'same')).body as Key
  expect(again).toEqual({ ...first, secret: null })
  expect(await dump('idempotency_answers')).not.toContain(first.secret.slice(16))
})

test('it is known by its creator, and its use is seen', async () => {
  const { id, secret } = await create()
  expect(await find(id)).toMatchObject({
    state: 'active',
    lastUsedAt: null,
    createdBy: { id: acme.admin.userId },
  })
  const { caller } = await admit(secret)
  expect(caller).toMatchObject({ organizationId: acme.id, userId: acme.admin.userId, credential: { id } })
  expect((await find(id))?.lastUsedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('any of the 25 scopes may be mixed on the command line, no unknown one, and never none', async () => {
  const { effectiveScopes } = await create({ scopes: Object.keys(SCOPES) })
  expect(effectiveScopes).toHaveLength(25)
  await expect(create({ scopes: [] })).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(create({ scopes: ['read:risk'] })).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ path: 'scopes.0', message: 'read:risk is no scope; did you mean read:risks?' }] },
  })
})

test('the web form gives the 23, and a webhook-management key only its two', async () => {
  const inTheApp = { ...acme.admin, channel: 'ui' as const }
  const form = (scopes: string[]) => one.call(inTheApp, 'createApiKey', { name: 'form', scopes })
  await form(Object.keys(FORM_SCOPES))
  await form(['read:webhooks', 'write:webhooks'])
  await expect(form(['read:risks', 'read:webhooks'])).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a revoked key stays in the list and never works again', async () => {
  const { id, secret } = await create()
  await admit(secret)
  const { body: first } = await one.call(acme.admin, 'revokeApiKey', { id })
  await expect(admit(secret)).rejects.toMatchObject({ code: 'key_revoked' })
  const { body: again } = await one.call(acme.admin, 'revokeApiKey', { id })
  expect(again).toEqual(first)
  expect(await find(id)).toMatchObject({ state: 'revoked', effectiveScopes: [] })
  const { rows } = await one.administrator.query(
    "select count(*)::int as entries from audit_entries where subject_id = $1 and action = 'api_key.revoke'",
    [id],
  )
  expect(rows).toEqual([{ entries: 1 }])
})

test('keys are for admins, in person', async () => {
  const calls = [
    ['listApiKeys', {}],
    ['createApiKey', { name: 'x', scopes: ['read:risks'] }],
    ['revokeApiKey', { id: 'key_x' }],
  ] as const
  const { caller: key } = await admit((await create({ scopes: Object.keys(SCOPES) })).secret)
  for (const [name, input] of calls) {
    await expect(one.call(key, name, input)).rejects.toMatchObject({ code: 'session_required' })
    for (const role of ['editor', 'viewer'] as const)
      await expect(one.call(await acme.person(role), name, input)).rejects.toMatchObject({
        code: 'capability_required',
      })
  }
})

test('the key of another organization is not there to be revoked', async () => {
  const { id, secret } = await create()
  const other = await one.organization()
  await expect(one.call(other.admin, 'revokeApiKey', { id })).rejects.toMatchObject({ code: 'not_found' })
  await admit(secret)
})

test('it works a millisecond before its expiry, and neither at it nor after', async () => {
  await expect(create({ expiresAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  const { id, secret, expiresAt } = await create({ expiresAt: '2031-05-05T12:00:00+02:00' })
  expect(expiresAt).toBe('2031-05-05T10:00:00.000Z')
  await at('2031-05-05T09:59:59.999Z', async () => {
    await admit(secret)
    expect((await find(id))?.state).toBe('active')
  })
  for (const moment of ['2031-05-05T10:00:00.000Z', '2031-05-05T10:00:00.001Z'])
    await at(moment, async () => {
      await expect(admit(secret)).rejects.toMatchObject({ code: 'key_expired' })
      expect((await find(id))?.state).toBe('expired')
    })
})

test('an expired row leaves 30 days after its expiry; a revoked one stays', async () => {
  const expiring = { expiresAt: '2032-01-01T00:00:00Z' }
  const [expired, revoked] = [await create(expiring), await create(expiring)]
  await one.call(acme.admin, 'revokeApiKey', { id: revoked.id })
  const sweep = () => runDue(one.service, [{ name: 'keys', everyMinutes: 1, run: sweepKeys }])
  await at('2032-01-30T23:59:59.999Z', sweep)
  expect(await find(expired.id)).toBeDefined()
  await at('2032-01-31T00:00:00.000Z', sweep)
  expect(await find(expired.id)).toBeUndefined()
  expect((await find(revoked.id))?.state).toBe('revoked')
  const { body } = await one.call(acme.admin, 'listAuditLog', {
    action: ['api_key.remove'],
    subjectId: [expired.id],
  })
  expect((body as { data: unknown[] }).data).toMatchObject([
    { actor: { type: 'service', id: 'clock' }, channel: 'scheduler', subject: { id: expired.id } },
  ])
})

/** The database's clock stands at a moment while something is done. */
async function at(moment: string, work: () => Promise<unknown>): Promise<void> {
  const clock = (body: string) =>
    one.administrator.query(
      `create or replace function clock_now() returns timestamptz language sql volatile parallel safe return ${body}`,
    )
  await clock(`timestamptz '${moment}'`)
  try {
    await work()
  } finally {
    await clock("date_trunc('milliseconds', clock_timestamp())")
  }
}
