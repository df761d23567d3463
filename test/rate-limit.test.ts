import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let doors: [Door, Door]
let acme: TestOrganization

// Two services on one database: two processes in all but name.
beforeAll(async () => {
  one = await startTestService({ RATE_LIMIT: '500/10m' })
  doors = [await one.listen(), await one.listen({})]
  acme = await one.organization()
})
afterAll(() => one.close())

async function many<T>(count: number, ask: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) answers.push(await ask(next++))
  }
  await Promise.all(Array.from({ length: 48 }, lane))
  return answers
}

test('of 2,000 calls at once exactly 500 pass, and the others change nothing', async () => {
  const { id, secret } = await acme.key(['write:risks', 'read:risks'])
  const replies = await many(2_000, (index) =>
    doors[index % 2]!.send(secret, 'POST', '/v1/risks', { body: { title: `risk ${index}` } }),
  )
  const [passed, refused] = [
    replies.filter(({ status }) => status === 201),
    replies.filter(({ status }) => status === 429),
  ]
  expect([passed.length, refused.length]).toEqual([500, 1_500])

  const remaining = passed.map(({ headers }) => Number(/r=(\d+)/.exec(headers.ratelimit!)?.[1]))
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 500 }, (_, n) => 499 - n))
  for (const { headers } of replies) expect(headers['ratelimit-policy']).toBe('"default";q=500;w=600')
  for (const { headers, body } of refused) {
    const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.ratelimit!)!
    expect(left).toBe('0')
    expect(headers['retry-after']).toBe(reset)
    expect(Number(reset)).toBeGreaterThan(500)
    expect(Number(reset)).toBeLessThanOrEqual(600)
    expect(body.code).toBe('rate_limited')
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type'])
  }
  const { rows } = await one.administrator.query(
    'select count(*)::int as risks from risks where organization_id = $1',
    [acme.id],
  )
  expect(rows[0].risks).toBe(500)

  const usage = async () =>
    (await one.administrator.query('select * from api_key_usage where key_id = $1', [id])).rows[0]
  const before = await usage()
  await doors[0].send(secret, 'GET', '/v1/risks')
  expect(await usage()).toEqual(before)
})

test('the window opens with the first call, and the next with the first after it', async () => {
  const { secret } = await acme.key(['read:risks'])
  const replies = await many(501, (index) => doors[index % 2]!.send(secret, 'GET', '/v1/risks?limit=1'))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(500)
  await one.moveClock(300_000)
  expect((await doors[0].send(secret, 'GET', '/v1/risks')).status).toBe(429)
  await one.moveClock(300_000)
  const fresh = await doors[1].send(secret, 'GET', '/v1/risks?limit=1')
  expect([fresh.status, fresh.headers.ratelimit]).toEqual([200, '"default";r=499;t=600'])
})

test('a call refused for its scope or its input counts; one without a valid key does not', async () => {
  const { id, secret } = await acme.key(['read:controls'])
  const count = async () =>
    (
      await one.administrator.query(
        'select window_count, last_used_at from api_key_usage where key_id = $1',
        [id],
      )
    ).rows[0]
  await doors[0].send(secret, 'GET', '/v1/risks')
  await doors[0].send(secret, 'GET', '/v1/controls?limit=x')
  expect((await count()).window_count).toBe(2)
  expect((await count()).last_used_at).not.toBeNull()
  await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [id])
  await doors[0].send(secret, 'GET', '/v1/controls')
  expect((await count()).window_count).toBe(2)
})

test('the statement that admits a call is planned once, not at each call', async () => {
  const { secret } = await acme.key(['read:risks'])
  for (let call = 0; call < 8; call++) await doors[0].send(secret, 'GET', '/v1/risks?limit=1')
  const { rows } = await doors[0].service.database.gate.query(
    `select custom_plans from pg_prepared_statements where statement like '%update api_key_usage%'`,
  )
  expect(rows.map(({ custom_plans }) => custom_plans)).toEqual([0])
})
