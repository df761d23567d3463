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

/** Holds the row in which a key is counted, as another process does that counts a call of it. */
async function holdingCount<T>(keyId: string, work: () => Promise<T>): Promise<T> {
  await one.administrator.query('begin')
  try {
    await one.administrator.query('select from api_key_usage where key_id = $1 for update', [keyId])
    return await work()
  } finally {
    await one.administrator.query('commit')
  }
}

/** Statements of the services that wait for such a row. */
async function countsWaiting(): Promise<number> {
  await one.administrator.query('select pg_stat_clear_snapshot()')
  const { rows } = await one.administrator.query(
    `select count(distinct pid)::int as waiting from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database() and application_name = 'plumbline gate'`,
  )
  return rows[0].waiting
}

test('a key whose count is held up holds up no other, and its calls are counted together', async () => {
  const [busy, other] = [await acme.key(['read:risks']), await acme.key(['read:risks'])]
  const ask = ({ secret }: { secret: string }) => doors[0].send(secret, 'GET', '/v1/risks?limit=1')
  const waiting = await holdingCount(busy.id, async () => {
    const calls = Array.from({ length: 20 }, () => ask(busy))
    await expect.poll(countsWaiting).toBe(1)
    expect((await ask(other)).status).toBe(200)
    expect(await countsWaiting()).toBe(1)
    return calls
  })
  const remaining = (await Promise.all(waiting)).map(({ headers }) =>
    Number(/r=(\d+)/.exec(headers.ratelimit!)?.[1]),
  )
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, n) => 499 - n))
})

test('of calls that come together with room for a few, exactly those few pass', async () => {
  const { id, secret } = await acme.key(['read:risks'])
  await one.administrator.query(
    'update api_key_usage set window_started_at = clock_now(), window_count = 495 where key_id = $1',
    [id],
  )
  const waiting = await holdingCount(id, async () => {
    const calls = Array.from({ length: 24 }, (_, index) =>
      doors[index % 2]!.send(secret, 'GET', '/v1/risks?limit=1'),
    )
    await expect.poll(countsWaiting).toBe(2)
    return calls
  })
  const replies = await Promise.all(waiting)
  const passed = replies.filter(({ status }) => status === 200)
  expect(passed.map(({ headers }) => headers.ratelimit!.split(';')[1]).sort()).toEqual([
    'r=0',
    'r=1',
    'r=2',
    'r=3',
    'r=4',
  ])
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(19)
})

test('calls that wait to be counted are refused when the key is revoked meanwhile', async () => {
  const { id, secret } = await acme.key(['read:risks'])
  const ask = () => doors[0].send(secret, 'GET', '/v1/risks?limit=1')
  const [first, waiting] = await holdingCount(id, async () => {
    const first = ask()
    await expect.poll(countsWaiting).toBe(1)
    const waiting = Array.from({ length: 8 }, ask)
    await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [id])
    return [first, waiting] as const
  })
  expect((await first).status).toBe(200)
  for (const { status, body } of await Promise.all(waiting))
    expect([status, body.code]).toEqual([401, 'key_revoked'])
})

test('the statement that admits a call is planned once, not at each call', async () => {
  const { secret } = await acme.key(['read:risks'])
  for (let call = 0; call < 8; call++) await doors[0].send(secret, 'GET', '/v1/risks?limit=1')
  const { rows } = await doors[0].service.database.gate.query(
    `select custom_plans from pg_prepared_statements where statement like '%update api_key_usage%'`,
  )
  expect(rows.map(({ custom_plans }) => custom_plans)).toEqual([0])
})
