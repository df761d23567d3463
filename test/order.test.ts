import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
let doors: Door[]

beforeAll(async () => {
  one = await startTestService()
  doors = [await one.listen(), await one.listen({})]
  acme = await one.organization()
})
afterAll(() => one.close())

test('of 200 changes at once, signals by time are versions in order, and the last is what stands', async () => {
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const [door] = doors as [Door]
  const { body: risk } = await door.send(secret, 'POST', '/v1/risks', { body: { title: 'title 0' } })
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      doors[index % 2]!.send(secret, 'PATCH', `/v1/risks/${risk.id}`, {
        body: { title: `title ${index + 1}` },
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))

  const { rows } = await one.administrator.query('select body from signals where subject_id = $1', [risk.id])
  const signals = rows.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.time < b.time ? -1 : 1))
  expect(new Set(signals.map(({ time }) => time)).size).toBe(201)
  expect(signals.map(({ data }) => data.record.version)).toEqual(Array.from({ length: 201 }, (_, n) => n + 1))
  for (const [index, { time, data }] of signals.entries()) {
    expect(data.record.updatedAt).toBe(time)
    if (index > 0) expect(data.changes.title.from).toBe(signals[index - 1].data.record.title)
  }
  const { body: now } = await door.send(secret, 'GET', `/v1/risks/${risk.id}`)
  expect(signals.at(-1).data.record).toEqual(now)
  // Each caller was shown the very record its own change made.
  const byVersion = new Map(signals.map(({ data }) => [data.record.version, data.record]))
  for (const { body } of replies) expect(body).toEqual(byVersion.get(body.version))
})

test('a version that was read is changed once, however many try', async () => {
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const [door] = doors as [Door]
  const { body: risk } = await door.send(secret, 'POST', '/v1/risks', { body: { title: 'a' } })
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      doors[index % 2]!.send(secret, 'PATCH', `/v1/risks/${risk.id}`, {
        body: { title: `b ${index}` },
        headers: { 'if-match': '"1"' },
      }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(19)
})
