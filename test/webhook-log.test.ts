import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Answer, type Receiver, startReceiver } from './support/receiver.ts'
import {
  startWebhookTest,
  type TestDelivery,
  type TestEndpoint,
  type WebhookTest,
} from './support/webhooks.ts'

let one: WebhookTest
let receiver: Receiver
let answer: Answer = { status: 200 }

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
  receiver = await startReceiver({ behaviour: () => answer })
})
afterAll(async () => {
  await one.close()
  await receiver.close()
})

const tried = async (caller: Caller, id: string, given: Answer) => {
  answer = given
  return (await one.call(caller, 'testWebhookEndpoint', { id })).body as TestDelivery
}

describe('the list', () => {
  let admin: Caller
  let here: TestEndpoint
  let off: TestEndpoint

  beforeAll(async () => {
    admin = (await one.organization()).admin
    here = await one.endpoint(admin, receiver.url)
    off = await one.endpoint(admin, receiver.url)
    await tried(admin, here.id, { status: 200 })
    await tried(admin, here.id, { status: 500 })
    for (let n = 0; n < 7; n += 1) await one.risk(admin)
    await one.call(admin, 'updateWebhookEndpoint', { id: off.id, enabled: false })
    await tried(admin, off.id, { status: 500 })
  })

  test('is newest first, and bears no body', async () => {
    const rows = await one.deliveries(admin)
    expect(rows).toHaveLength(17)
    const places = rows.map(({ createdAt, id }) => `${createdAt} ${id}`)
    expect(places).toStrictEqual([...places].sort().reverse())
    expect(Object.keys(rows[0]!).sort()).toStrictEqual(
      [
        'attemptCount',
        'createdAt',
        'endpointId',
        'id',
        'lastAttempt',
        'nextAttemptAt',
        'run',
        'signalId',
        'status',
        'subject',
        'type',
      ].sort(),
    )
  })

  test('tells what each is about, by name to who may read it, and how it last went', async () => {
    const tests = await one.deliveries(admin, { type: ['webhook.test'] })
    expect(tests.map(({ subject }) => subject)).toEqual(
      [off, here, here].map(({ id }) => ({ type: 'webhook_endpoint', id })),
    )
    for (const { id, lastAttempt } of tests) {
      const [{ sentAt: at, outcome, statusCode, durationMs }] = (await one.delivery(admin, id)).attempts as [
        TestDelivery['attempts'][number],
      ]
      expect(lastAttempt).toEqual({ at, outcome, statusCode, durationMs })
    }
    const [about] = await one.deliveries(admin, { type: ['risk.created'] })
    expect(about).toMatchObject({
      subject: { type: 'risk', id: expect.any(String), reference: 'RSK-7', title: 'Unpatched gateway' },
      lastAttempt: null,
    })
    const { granted, ...rest } = admin
    const hooksOnly: Caller = { ...rest, granted: new Set(['read:webhooks']) }
    const [theirs] = await one.deliveries(hooksOnly, { type: ['risk.created'] })
    expect(theirs!.subject).toEqual({ type: 'risk', id: about!.subject!.id })
    expect(granted.has('read:risks')).toBe(true)
  })

  test.each([
    [{ status: ['pending'] }, 7],
    [{ status: ['waiting_for_retry'] }, 1],
    [{ status: ['delivered'] }, 1],
    [{ status: ['failed'] }, 1],
    // The endpoint is off: what waits for it reads so at once, before any row says it.
    [{ status: ['not_sent'] }, 7],
    [{ status: ['not_sent', 'failed'] }, 8],
    [{ status: ['pending', 'waiting_for_retry', 'delivered', 'failed', 'not_sent'] }, 17],
    [{ type: ['webhook.test'] }, 3],
    [{ type: ['risk.created', 'webhook.test'] }, 17],
    [{ createdBefore: '2001-01-01T00:00:00Z' }, 0],
    [{ createdAfter: '2001-01-01T00:00:00+02:00' }, 17],
  ])('filters by %j', async (filters, count) => {
    expect(await one.deliveries(admin, filters)).toHaveLength(count)
  })

  test('filters by endpoint, and by a span whose end is not in it', async () => {
    expect(await one.deliveries(admin, { endpointId: [here.id] })).toHaveLength(9)
    expect(await one.deliveries(admin, { endpointId: [here.id, off.id] })).toHaveLength(17)
    const [newest] = await one.deliveries(admin)
    expect(await one.deliveries(admin, { createdBefore: newest!.createdAt })).not.toContainEqual(newest)
    expect(await one.deliveries(admin, { createdAfter: newest!.createdAt })).toContainEqual(newest)
    const day = newest!.createdAt.slice(0, 10)
    expect(await one.deliveries(admin, { createdAfter: day, createdBefore: day })).toContainEqual(newest)
  })

  test('pages by cursor, each row once, while more are made', async () => {
    const whole = await one.deliveries(admin)
    const seen: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const { body } = await one.call(admin, 'listWebhookDeliveries', { limit: 5, ...(cursor && { cursor }) })
      const page = body as { data: TestDelivery[]; nextCursor: string | null }
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
      if (seen.length === 5) await one.risk(admin)
    }
    expect(seen).toStrictEqual(whole.map(({ id }) => id))
    await expect(one.call(admin, 'listWebhookDeliveries', { cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'malformed_request',
    })
  })

  test("never shows another organization's", async () => {
    const { admin: other } = await one.organization()
    expect(await one.deliveries(other)).toStrictEqual([])
    expect(await one.deliveries(other, { endpointId: [here.id] })).toStrictEqual([])
    const [row] = await one.deliveries(admin)
    await expect(one.delivery(other, row!.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an attempt', () => {
  test('that could not connect says in which way, and where to look for that', async () => {
    const { admin } = await one.organization()
    const gone = await startReceiver()
    const endpoint = await one.endpoint(admin, gone.url)
    await gone.close()
    expect((await tried(admin, endpoint.id, { status: 200 })).attempts[0]).toMatchObject({
      outcome: 'could_not_connect',
      reason: 'refused',
      likelyCause: expect.stringMatching(/^Nothing listens/),
    })
    const well = await one.endpoint(admin, receiver.url)
    expect((await tried(admin, well.id, { status: 500 })).attempts[0]).toMatchObject({ reason: null })
  })

  test.each([
    [Buffer.from('grüß dich'), { responseBody: 'grüß dich', responseTruncated: false }],
    [
      Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0x21]),
      { responseBody: 'ok\ufffd\ufffd!', responseBodyBase64: 'b2v//iE=', responseTruncated: false },
    ],
    [Buffer.alloc(5_000, 'x'), { responseBody: 'x'.repeat(4_096), responseTruncated: true }],
    [Buffer.from([0]), { responseBody: '\u0000' }],
  ])('keeps what was answered: %#', async (body, expected) => {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, receiver.url)
    const { attempts } = await tried(admin, endpoint.id, { status: 500, body })
    expect(attempts[0]).toMatchObject(expected)
    if (!('responseBodyBase64' in expected)) expect(attempts[0]).not.toHaveProperty('responseBodyBase64')
  })

  test('tells the outcome, what it means and its likely cause', async () => {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, receiver.url)
    for (const [status, outcome, meaning] of [
      [401, 'refused', 'The receiver refused the delivery.'],
      [422, 'body_rejected', 'The receiver could not use the body.'],
      [405, 'no_handler', 'Nothing takes a POST at this path.'],
      [307, 'redirected', 'The address has moved. Redirects are not followed.'],
      [410, 'other_answer', 'The receiver answered, but not with 2xx.'],
    ] as const) {
      const { attempts, request } = await tried(admin, endpoint.id, { status, headers: { location: '/' } })
      expect(attempts).toMatchObject([
        { outcome, meaning, likelyCause: expect.any(String), statusCode: status },
      ])
      expect(attempts[0]!.headers).toStrictEqual(request.headers)
      // As the receiver saw them, though the log keeps the signature alone.
      expect({ ...attempts[0]!.headers }).toEqual({ ...receiver.requests.at(-1)!.headers })
      expect(Object.keys(request.headers).slice(2, 5)).toStrictEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
    }
  })

  test('that never was: the request shows where it would go', async () => {
    const { admin } = await one.organization()
    await one.endpoint(admin, 'https://127.0.0.1:9/later')
    await one.risk(admin)
    const [row] = await one.deliveries(admin)
    expect(await one.delivery(admin, row!.id)).toMatchObject({
      status: 'pending',
      request: {
        address: 'https://127.0.0.1:9/later',
        headers: {},
        body: expect.stringContaining('risk.created'),
      },
      attempts: [],
    })
  })
})

test('the log is kept as long as it is said, and goes by the week', async () => {
  const { admin } = await one.organization()
  await one.endpoint(admin, receiver.url)
  await one.risk(admin)
  await one.moveClock(20 * 86_400_000)
  await one.risk(admin)
  const weeks = async () =>
    (
      await one.administrator.query(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'deliveries'::regclass",
      )
    ).rows.length
  await one.moveClock(18 * 86_400_000)
  const before = await weeks()
  await one.service.webhooks.start()
  await expect.poll(weeks).toBeLessThan(before)
  // The first is 38 days old, in a week that is past; the second 18.
  expect(await one.deliveries(admin)).toHaveLength(1)
  await one.risk(admin)
  expect(await one.deliveries(admin)).toHaveLength(2)
})
