import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { decodeSecret } from '../server/webhooks/signature.ts'
import { until } from './support/until.ts'
import { startWebhookTest, type TestEndpoint, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
})
afterAll(() => one.close())

const address = 'https://127.0.0.1:9/hook'

async function audited(
  organizationId: string,
): Promise<{ action: string; changes: object; subject_id: string }[]> {
  const { rows } = await one.administrator.query(
    "select action, changes, subject_id from audit_entries where organization_id = $1 and action like 'webhook%' order by time, id",
    [organizationId],
  )
  return rows
}

interface Offered {
  type: string
  description: string
  raised: boolean
}

describe('creation', () => {
  test('answers 201 with the record and its secret, which no other answer holds', async () => {
    const { admin } = await one.organization()
    const { status, body } = await one.call(admin, 'createWebhookEndpoint', {
      address,
      signalTypes: ['risk.created', 'risk.created', 'control.updated'],
    })
    const { secret, ...record } = body as TestEndpoint
    expect(status).toBe(201)
    expect(decodeSecret(secret)).toHaveLength(32)
    expect(record).toStrictEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      address,
      description: null,
      signalTypes: ['risk.created', 'control.updated'],
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const listed = await one.call(admin, 'listWebhookEndpoints')
    expect(listed.body).toMatchObject({ data: [record], nextCursor: null })
    expect(JSON.stringify(listed.body)).not.toContain('whsec_')
    expect(await audited(admin.organizationId)).toMatchObject([
      { action: 'webhook_endpoint.create', subject_id: record.id },
    ])
    const stored = await one.administrator.query(
      'select secret_cipher from webhook_endpoints where id = $1',
      [record.id],
    )
    expect(stored.rows[0].secret_cipher.includes(decodeSecret(secret))).toBe(false)
  })

  test('replayed under its idempotency key has no secret', async () => {
    const { admin } = await one.organization()
    const input = { address, signalTypes: ['control.updated'] }
    const first = await one.call(admin, 'createWebhookEndpoint', input, 'once')
    const again = await one.call(admin, 'createWebhookEndpoint', input, 'once')
    expect(again.body).toStrictEqual({ ...(first.body as object), secret: null })
  })

  test.each([
    ['http://example.com/', /https/],
    ['https://10.0.0.1/', /public/],
    ['https://[::1]/', /public/],
    ['https://user:pass@example.com/', /user name/],
    ['https://example.com/#part', /fragment/],
  ])('of %s is refused', async (wrong, why) => {
    const { admin } = await one.organization()
    await expect(one.endpoint(admin, wrong)).rejects.toMatchObject({
      code: 'address_not_public',
      message: expect.stringMatching(why),
    })
  })

  test('for a name that does not resolve just now is taken', async () => {
    const { admin } = await one.organization()
    expect(await one.endpoint(admin, 'https://no-such-name.invalid/')).toMatchObject({ enabled: true })
  })

  test('needs a signal type at least, as a change does', async () => {
    const { admin } = await one.organization()
    const { id } = await one.endpoint(admin, address)
    const refusal = { code: 'validation_failed', members: { errors: [{ path: 'signalTypes' }] } }
    await expect(one.endpoint(admin, address, { signalTypes: [] })).rejects.toMatchObject(refusal)
    await expect(one.call(admin, 'updateWebhookEndpoint', { id, signalTypes: [] })).rejects.toMatchObject(
      refusal,
    )
  })

  test('names signal types that exist and are available', async () => {
    const { admin } = await one.organization()
    const types = ['risk.created', 'risk.crated', 'vendor.tier_changed']
    await expect(one.endpoint(admin, address, { signalTypes: types })).rejects.toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ path: 'signalTypes.1' }, { path: 'signalTypes.2' }] },
    })
    const { admin: other } = await one.organization({ supplierRiskManagement: true })
    expect(await one.endpoint(other, address, { signalTypes: ['vendor.tier_changed'] })).toBeTruthy()
    const typesOf = async (by: Caller) =>
      ((await one.call(by, 'listWebhookEndpoints')).body as { signalTypes: Offered[] }).signalTypes
    const [few, all] = [await typesOf(admin), await typesOf(other)]
    expect([few.length, all.length]).toStrictEqual([22, 31])
    expect(few[0]).toStrictEqual({
      type: 'risk.created',
      label: 'Risk created',
      description: 'A risk is added.',
      raised: true,
    })
    const ofKinds = everyKind.flatMap(({ name, signals }) => signals.map((event) => `${name}.${event}`))
    for (const { type, description, raised } of all) {
      expect([type, raised]).toEqual([type, ofKinds.includes(type)])
      expect(description.endsWith(' Nothing raises this yet.')).toBe(!raised)
    }
  })

  test('stops at ten: of twenty at once beside nine, exactly one', async () => {
    const { admin } = await one.organization()
    for (let n = 0; n < 9; n += 1) await one.endpoint(admin, `${address}${n}`)
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => one.endpoint(admin, address)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of made)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'endpoint_limit_reached', status: 409 })
  })
})

describe('a change', () => {
  test('merges: what is absent stays, null clears, what was read can be sent back', async () => {
    const { admin } = await one.organization()
    const { secret: _, ...made } = await one.endpoint(admin, address, { description: 'Ours' })
    const { body } = await one.call(admin, 'updateWebhookEndpoint', { ...made, description: null })
    expect(body).toMatchObject({ address, description: null, signalTypes: ['risk.created'], enabled: true })
    await expect(
      one.call(admin, 'updateWebhookEndpoint', { id: made.id, consecutiveFailures: 3 }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(
      one.call(admin, 'updateWebhookEndpoint', { id: made.id, adress: address }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ path: 'adress', message: expect.stringContaining('address') }] },
    })
    await expect(
      one.call(admin, 'updateWebhookEndpoint', { id: made.id, address: 'https://192.168.0.1/' }),
    ).rejects.toMatchObject({ code: 'address_not_public' })
    expect((await audited(admin.organizationId)).map(({ changes }) => changes)).toStrictEqual([
      null,
      { description: { from: 'Ours', to: null } },
    ])
  })

  test('turns off and on, and says when and why', async () => {
    const { admin } = await one.organization()
    const { id } = await one.endpoint(admin, address)
    const off = (await one.call(admin, 'updateWebhookEndpoint', { id, enabled: false })).body as TestEndpoint
    expect(off).toMatchObject({
      enabled: false,
      disabledReason: 'turned_off',
      disabledAt: expect.any(String),
    })
    expect(await one.readEndpoint(admin, id)).toStrictEqual(off)
    const on = (await one.call(admin, 'updateWebhookEndpoint', { id, enabled: true })).body
    expect(on).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null })
  })

  test('raises the version, and is refused on another than was read', async () => {
    const { admin } = await one.organization()
    const { secret: _, ...made } = await one.endpoint(admin, address)
    const { id } = made
    const read = async () => (await one.call(admin, 'getWebhookEndpoint', { id })).body as typeof made
    const change = async (input: object) =>
      (await one.call(admin, 'updateWebhookEndpoint', { id, ...input })).body as typeof made
    expect(await read()).toStrictEqual(made)
    expect(await change({ description: 'Ours', ifMatch: 1 })).toMatchObject({ version: 2 })
    expect(await change({ description: 'Ours', ifMatch: 2 })).toMatchObject({ version: 2 })
    expect(await one.call(admin, 'rotateWebhookEndpointSecret', { id, ifMatch: 2 })).toMatchObject({
      body: { version: 3 },
    })
    const stale = { code: 'version_mismatch', status: 412, members: { version: 3 } }
    const now = await read()
    for (const refused of [
      () => change({ description: 'Theirs', ifMatch: 2 }),
      // What was read and sent back whole says so by its own version, before anything else that moved.
      () => change({ ...made, description: 'Theirs' }),
      () => one.call(admin, 'rotateWebhookEndpointSecret', { id, ifMatch: 2 }),
      () => one.call(admin, 'deleteWebhookEndpoint', { id, ifMatch: 2 }),
    ])
      await expect(refused()).rejects.toMatchObject(stale)
    expect(await read()).toStrictEqual(now)
    expect(await change({ ...now, enabled: false, disabledReason: undefined })).toMatchObject({ version: 4 })
    expect(await one.call(admin, 'deleteWebhookEndpoint', { id, ifMatch: 4 })).toMatchObject({ status: 204 })
    await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of another organization is not found', async () => {
    const [acme, other] = [await one.organization(), await one.organization()]
    const { id } = await one.endpoint(acme.admin, address)
    for (const operation of [
      'getWebhookEndpoint',
      'updateWebhookEndpoint',
      'rotateWebhookEndpointSecret',
      'testWebhookEndpoint',
      'deleteWebhookEndpoint',
    ])
      await expect(one.call(other.admin, operation, { id })).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('deletion takes the endpoint, its secret and its log away at once, and frees its place', async () => {
  const { admin } = await one.organization()
  const endpoints: TestEndpoint[] = []
  for (let n = 0; n < 10; n += 1) endpoints.push(await one.endpoint(admin, address))
  const gone = endpoints[0]!
  await one.risk(admin)
  const before = await one.deliveries(admin, { endpointId: [gone.id] })
  expect(before).toHaveLength(1)

  expect(await one.call(admin, 'deleteWebhookEndpoint', { id: gone.id })).toStrictEqual({
    status: 204,
    body: null,
  })
  expect(await one.readEndpoint(admin, gone.id)).toBeUndefined()
  expect(await one.deliveries(admin, { endpointId: [gone.id] })).toStrictEqual([])
  expect(await one.deliveries(admin)).toHaveLength(9)
  await expect(one.delivery(admin, before[0]!.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(one.call(admin, 'redeliverWebhookDelivery', { id: before[0]!.id })).rejects.toMatchObject({
    code: 'not_found',
  })
  const { rows } = await one.administrator.query(
    'select secret_cipher from webhook_endpoints where id = $1',
    [gone.id],
  )
  expect(rows).toStrictEqual([{ secret_cipher: null }])
  expect((await audited(admin.organizationId)).at(-1)).toMatchObject({
    action: 'webhook_endpoint.delete',
    subject_id: gone.id,
    changes: {
      address: { from: address, to: null },
      deliveries: { from: 1, to: null },
      waiting: { from: 1, to: null },
    },
  })
  expect(await one.endpoint(admin, address)).toBeTruthy()

  // What is left of it goes when nobody can be writing to it any more.
  await one.moveClock(3 * 60_000)
  await one.service.webhooks.start()
  await until(async () => {
    const left = await one.administrator.query(
      'select (select count(*) from webhook_endpoints where id = $1) + (select count(*) from deliveries where endpoint_id = $1) as count',
      [gone.id],
    )
    return left.rows[0].count === '0'
  })
})
